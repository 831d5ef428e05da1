"""Practice: boxes, problems of the package and of one's own reviews, drills, and what is remembered."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from reviewing import finished, running_app, sample, upload

from janshi.agents.loss import CLOSE, RANK
from janshi.rules.riichi.hand import Hand
from janshi.web.errors import Refused
from janshi.web.practice import drills, routes
from janshi.web.practice.leitner import DAYS, LEARNED
from janshi.web.practice.problems import FORMAT, SHIPPED, ProblemSet, discards, shipped, verdict
from janshi.web.practice.store import Card, PracticeStore
from janshi.web.review.quiz import SECRETS

MONDAY = 700_000

LEAST_LOSS = 0.02
"""What the obvious choice loses at least in every shipped problem."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PracticeStore]:
    found = PracticeStore(tmp_path / "practice.sqlite")
    yield found
    found.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with running_app(tmp_path / "data") as found:
        yield found


def best_action(id: str) -> int:
    return int(shipped().problems[id]["best"])


def worst_action(id: str) -> int:
    choices = [choice for choice in shipped().problems[id]["choices"] if choice["loss"] is not None]
    return int(max(choices, key=lambda choice: choice["loss"])["action"])


# --- boxes


def test_right_answers_on_their_days_lead_through_all_boxes(store: PracticeStore) -> None:
    day = MONDAY
    for box in range(1, LEARNED):
        card = store.answer("me", "p", day, right=True, loss=0.0)
        assert card == Card(box, day + DAYS[box])
        assert store.due("me", day + DAYS[box] - 1) == []
        day += DAYS[box]
        assert store.due("me", day) == ["p"]
    assert store.answer("me", "p", day, right=True, loss=0.0) == Card(LEARNED, None)
    assert store.due("me", day + 1000) == []
    assert store.boxes("me") == [0] * LEARNED + [1]


def test_a_wrong_answer_starts_again_and_an_early_right_one_changes_nothing(store: PracticeStore) -> None:
    store.answer("me", "p", MONDAY, right=True, loss=0.0)
    known = store.card("me", "p")
    assert store.answer("me", "p", MONDAY, right=True, loss=0.0) == known
    assert store.answer("me", "p", MONDAY, right=False, loss=0.1) == Card(0, MONDAY + 1)


def test_browsers_do_not_see_one_another(store: PracticeStore) -> None:
    store.answer("me", "p", MONDAY, right=False, loss=0.1, daily=True)
    store.add_drill("me", "efficiency", MONDAY, 3, 5, 60)
    assert store.known("you") == set()
    assert store.days("you") == []
    assert store.drills("you", "efficiency", 10) == []
    store.forget("you")
    assert store.days("me") == [(MONDAY, 1, 0)]
    store.forget("me")
    assert store.days("me") == store.drills("me", "efficiency", 10) == []


# --- the problems of the package


def test_shipped_problems_are_lessons() -> None:
    """Experts are sure, the reviewer agrees, and somebody who only wants to be tenpai soon would lose."""
    found = shipped()
    assert len(found.problems) >= 200
    assert len(found.threats()) >= 50
    for problem in found.problems.values():
        losses = [choice["loss"] for choice in problem["choices"] if choice["loss"] is not None]
        assert max(losses) >= LEAST_LOSS
        right, loss = verdict(problem, problem["best"]) or (False, None)
        assert right
        assert loss is not None
        assert loss <= CLOSE[RANK]
        assert problem["position"]["seats"][problem["seat"]]["hand"]


def test_every_problem_is_the_daily_one_before_any_comes_again() -> None:
    found = shipped()
    assert sorted(found.daily(day) for day in range(len(found.ids))) == sorted(found.ids)


@pytest.mark.parametrize("content", [b"", b"nonsense", lzma.compress(b"{}"), lzma.compress(b"[1]")])
def test_other_files_are_no_problems(content: bytes) -> None:
    with pytest.raises(Refused, match="cannot be read"):
        ProblemSet.read(content, "mine.xz")


# --- through the interface


def test_the_daily_problem_gives_nothing_away(client: TestClient) -> None:
    problem = client.get("/api/practice/next?source=daily").json()["problem"]
    assert problem["id"] == shipped().daily(routes.today())
    assert not set(SECRETS) - {"choices"} & set(problem["question"])
    assert all("loss" not in choice and "value" not in choice for choice in problem["question"]["choices"])
    others = [
        seat for n, seat in enumerate(problem["question"]["position"]["seats"]) if n != problem["question"]["seat"]
    ]
    assert all(seat["hand"] is None for seat in others)


def test_answers_are_judged_and_remembered(client: TestClient) -> None:
    problem = client.get("/api/practice/next?source=daily").json()["problem"]
    wrong = {"problem": problem["id"], "action": worst_action(problem["id"]), "daily": True}
    told = client.post("/api/practice/answers", json=wrong).json()
    assert not told["right"]
    assert told["loss"] >= LEAST_LOSS
    assert told["decision"]["best"] == best_action(problem["id"])
    right = client.post("/api/practice/answers", json={**wrong, "action": best_action(problem["id"])}).json()
    assert right["right"]
    stand = client.get("/api/practice").json()
    assert stand["daily"] is False  # the first answer counts
    assert (stand["streak"], stand["days"][0]["answered"], stand["days"][0]["right"]) == (1, 2, 1)
    assert stand["expert"] == len(shipped().ids) - 1


def test_what_was_missed_comes_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/api/practice/next?source=expert").json()["problem"]["id"]
    client.post("/api/practice/answers", json={"problem": first, "action": worst_action(first)})
    assert client.get("/api/practice/next?source=expert").json()["problem"]["id"] != first
    assert client.get("/api/practice/next?source=due").json()["problem"] is None
    tomorrow = routes.today() + 1
    monkeypatch.setattr(routes, "today", lambda: tomorrow)
    again = client.get("/api/practice/next?source=due").json()["problem"]
    assert (again["id"], again["box"]) == (first, 0)


def test_refusals(client: TestClient) -> None:
    missing = client.post("/api/practice/answers", json={"problem": "nothing", "action": 1})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "problem_not_found")
    illegal = client.post("/api/practice/answers", json={"problem": shipped().ids[0], "action": 999})
    assert (illegal.status_code, illegal.json()["error"]["code"]) == (422, "quiz_no_such_choice")
    boast = client.post("/api/practice/drills/defence/results", json={"right": 6, "answered": 5, "seconds": 60})
    assert (boast.status_code, boast.json()["error"]["code"]) == (422, "drill_impossible")


def test_mistakes_of_a_reviewed_player_become_problems(client: TestClient, shared: Path) -> None:
    made = upload(client, sample(shared, "tenhou6"), "game.json", agent="mdp:hands=2500", seat="1").json()
    review = finished(client, made["id"])
    lost = [row for row in review["rows"] if not row["agreed"] and (row["loss"] or 0) >= review["bad"]]
    assert lost
    assert client.get("/api/practice").json()["own"] == len(lost)
    problem = client.get("/api/practice/next?source=own").json()["problem"]
    worst = max(lost, key=lambda row: row["loss"])
    assert (problem["own"], problem["question"]["number"]) == (True, worst["number"])
    told = client.post("/api/practice/answers", json={"problem": problem["id"], "action": 0}).json()
    assert "error" in told or told["agent"] == "mdp:hands=2500"
    stranger = TestClient(client.app, base_url="http://localhost")
    answer = stranger.post("/api/practice/answers", json={"problem": problem["id"], "action": 0})
    assert answer.status_code == 404
    client.delete(f"/api/reviews/{made['id']}")
    assert client.get("/api/practice").json()["own"] == 0


def test_a_file_in_the_data_directory_replaces_the_problems(client: TestClient) -> None:
    one = next(iter(shipped().problems.values()))
    card = {**shipped().card, "format": FORMAT}
    packed = lzma.compress(json.dumps({"card": card, "problems": [one]}).encode())
    settings: Any = client.app.state.settings  # type: ignore[attr-defined]
    (settings.data / SHIPPED).write_bytes(packed)
    assert client.get("/api/practice").json()["expert"] == 1


# --- drills


@pytest.mark.parametrize("number", range(6))
def test_efficiency_keeps_most_useful_tiles(number: int) -> None:
    """Against the hand's own words for every discard."""
    hand = drills.efficiency_hand(number)
    assert hand.shanten() in drills.FAR
    rows = drills.efficiency_rows(hand)
    for row in rows:
        after = Hand(str(hand).split()[0]).discard(row["tile"])
        assert (after.shanten(), sum(after.useful_tiles([row["tile"]]).values())) == (row["shanten"], row["left"])
    right = [row for row in rows if row["right"]]
    assert {(row["shanten"], row["left"]) for row in right} == {(rows[0]["shanten"], rows[0]["left"])}
    assert all((row["shanten"], -(row["left"] or 0)) >= (rows[0]["shanten"], -(rows[0]["left"] or 0)) for row in rows)


def test_drills_are_asked_answered_and_stored(client: TestClient) -> None:
    for kind in drills.KINDS:
        question = client.get(f"/api/practice/drills/{kind}?number=7").json()
        assert question == client.get(f"/api/practice/drills/{kind}?number=7").json()
        known = drills.efficiency_rows(drills.efficiency_hand(7))
        if kind == "defence":
            known = drills.defence_rows(shipped().problems[drills.defence_problem(shipped(), 7) or ""])
        told = [
            client.post(f"/api/practice/drills/{kind}", json={"number": 7, "tile": row["tile"]}).json()["right"]
            for row in known
        ]
        assert told == [row["right"] for row in known]
        assert any(told)
        result = {"right": 1, "answered": 2, "seconds": 60}
        assert client.post(f"/api/practice/drills/{kind}/results", json=result).json() == {"ok": True}
        assert [one["right"] for one in client.get("/api/practice").json()["drills"][kind]] == [1]
    assert client.delete("/api/practice").json() == {"ok": True}
    assert client.get("/api/practice").json()["drills"]["defence"] == []


def test_the_safest_tile_is_the_least_dangerous() -> None:
    for id in shipped().threats()[:20]:
        rows = drills.defence_rows(shipped().problems[id])
        dangers = [row["danger"] for row in rows]
        assert dangers == sorted(dangers, key=float)
        assert {row["tile"] for row in rows} == set(discards(shipped().problems[id]))
        assert rows[0]["right"]
