"""Reviews through the interface: every format, progress, quiz, export, cancel; who may do what."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from reviewing import finished, running_app, sample, upload, wait_for_decisions, workers_of

from janshi.agents.loss import CLOSE, RANK
from janshi.web.owner import COOKIE
from janshi.web.review import work
from janshi.web.review.plans import Row, rates
from janshi.web.review.quiz import HIDDEN, SECRETS
from janshi.web.review.reviewers import check_label
from janshi.web.review.routes import CHANGING, review_json
from patience import wait_until

AGENTS = {"mjlog": "careful", "mjai": "careful", "botzone": "", "botzone_log": ""}
"""Who reviews the samples."""
QUICK = "mdp:seconds=0.01"
HOSTILE = "</script><script>alert(1)</script>"
"""The name of the reviewed player."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running_app(tmp_path_factory.mktemp("reviews")) as found:
        yield found


@pytest.fixture(scope="module")
def review(client: TestClient, shared: Path) -> dict[str, Any]:
    """A finished review of seat 1."""
    text = sample(shared, "tenhou6").replace("Bさん", HOSTILE)
    made = upload(client, text, "a/b\\my game.json", agent=QUICK, seat="1")
    assert made.status_code == 201, made.text
    return finished(client, made.json()["id"])


@pytest.fixture(scope="module")
def reviewed(client: TestClient, shared: Path) -> Callable[[str], dict[str, Any]]:
    """Reviews the pasted sample of a format to its end, once."""

    @cache
    def review(format: str) -> dict[str, Any]:
        text, agent = sample(shared, format), AGENTS[format]
        made = client.post("/api/reviews", data={"text": text, "agent": agent, "seat": "0"})
        assert made.status_code == 201, made.text
        return {"total": made.json()["total"], **finished(client, made.json()["id"])}

    return review


@pytest.mark.parametrize("format", ["mjlog", "botzone"])
def test_formats_are_reviewed(reviewed: Callable[[str], dict[str, Any]], format: str):
    told = reviewed(format)
    assert (told["state"], told["format"], told["done"]) == ("done", format, told["total"])
    assert told["name"] == "pasted"
    assert told["problems"] == []
    assert all(hand["end"]["result"] for hand in told["hands"])


@pytest.mark.parametrize("format", ["mjai", "botzone_log"])
def test_other_formats_are_reviewed_as_well(shared: Path, format: str):
    """What workers do with them, without a worker."""
    recorded = work.read(sample(shared, format), format, "pasted")
    head = work.head_of(recorded)
    assert (head["format"], head["problems"]) == (format, [])
    assert all(hand["end"]["result"] for hand in head["hands"])
    label = check_label(AGENTS[format], head["family"])
    assert len(list(work.think(recorded, label, [0]))) == sum(hand["decisions"][0] for hand in head["hands"])


def test_a_review_tells_the_whole_game(client: TestClient, review: dict[str, Any]):
    assert review["name"] == "my game.json"
    assert (review["state"], review["unit"], review["seats"]) == ("done", "rank", [1])
    assert review["done"] == review["total"] == len(review["rows"])
    assert [row["number"] for row in review["rows"]] == list(range(review["total"]))
    assert review["rates"] == rates(Row(**row) for row in review["rows"])
    costs = {row["number"]: row["loss"] for row in review["rows"]}
    for plan in review["plans"]:
        if plan["cost"] is not None:
            assert plan["cost"] == pytest.approx(sum(costs[number] for number in plan["numbers"]))
            assert costs[plan["worst"]] == max(costs[number] for number in plan["numbers"])
    worst = max(review["plans"], key=lambda plan: plan["worst_loss"])
    whole = client.get(f"/api/reviews/{review['id']}/decisions/{worst['worst']}").json()
    assert whole["loss"] == worst["worst_loss"] == max(cost or 0 for cost in costs.values())
    later = client.get(f"/api/reviews/{review['id']}?since=50").json()
    assert [row["number"] for row in later["rows"]] == list(range(50, review["total"]))
    batch = client.get(f"/api/reviews/{review['id']}/decisions?first=3&count=4").json()["decisions"]
    assert [one["number"] for one in batch] == [3, 4, 5, 6]
    assert client.get(f"/api/reviews/{review['id']}/decisions/9999").status_code == 404


def test_typed_answers_leave_nothing_out(client: TestClient, review: dict[str, Any]):
    runner, id = client.app.state.reviews, review["id"]  # type: ignore[attr-defined]
    kept = runner.store.get(id)
    assert kept is not None
    assert client.get(f"/api/reviews/{id}").json() == json.loads(json.dumps(review_json(runner, kept, kept.owner)))
    batch = client.get(f"/api/reviews/{id}/decisions?first=0&count=50").json()["decisions"]
    assert batch == runner.store.decisions(id, 0, 50)
    short = client.get(f"/api/reviews/{id}?short=true").json()
    assert set(short) == set(CHANGING)


def test_who_may_do_what(client: TestClient, review: dict[str, Any]):
    id, mine = review["id"], dict(client.cookies)
    assert id in [one["id"] for one in client.get("/api/reviews").json()["reviews"]]
    client.cookies.clear()
    client.cookies.set(COOKIE, "somebody-elses-browser")
    try:
        assert client.get("/api/reviews").json()["reviews"] == []
        assert client.get(f"/api/reviews/{id}").json()["mine"] is False  # but a link may be shared
        for call in (client.post(f"/api/reviews/{id}/cancel"), client.delete(f"/api/reviews/{id}")):
            assert call.status_code == 403
    finally:
        client.cookies.clear()
        for name, value in mine.items():
            client.cookies.set(name, value)


# --- quiz


def leaks(value: Any, names: set[str]) -> set[str]:
    """Names of fields, at any depth, that would reveal the answer."""
    if isinstance(value, dict):
        return (set(value) & names).union(*(leaks(inner, names) for inner in value.values()))
    return set().union(*(leaks(inner, names) for inner in value)) if isinstance(value, list) else set()


def test_the_quiz_never_tells_before_an_answer(client: TestClient, review: dict[str, Any]):
    base = f"/api/reviews/{review['id']}"
    begun = client.post(f"{base}/quiz", json={"seat": 1, "pick": "all"})
    assert begun.status_code == 201
    place = f"{base}/quiz/{begun.json()['quiz']}"
    secret = {*HIDDEN, *SECRETS} - {"choices", "kind"}  # a choice's own kind is no secret
    asked, order_tells = 0, 0
    while (state := client.get(place).json())["question"] is not None and asked < 15:
        question = state["question"]
        assert not leaks(question, secret - {"tenpai"})
        assert "tenpai" not in question
        assert not {"kind", "tag", "reaction"} & set(question) - {"reaction"}
        others = [seat for i, seat in enumerate(question["position"]["seats"]) if i != 1]
        assert all(seat["hand"] is None and seat["drawn"] in (None, "?") for seat in others)
        actions = [choice["action"] for choice in question["choices"]]
        assert actions == sorted(actions)
        whole = client.get(f"{base}/decisions/{question['number']}").json()
        order_tells += actions[0] == whole["best"]
        later = client.post(place, json={"number": question["number"] + 1, "action": actions[0]})
        assert later.status_code == 409
        assert client.post(place, json={"number": question["number"], "action": 999}).status_code == 422
        verdict = client.post(place, json={"number": question["number"], "action": whole["best"]}).json()
        assert verdict["as_good"]
        assert verdict["decision"]["played"] == whole["played"]
        asked += 1
        assert (verdict["score"]["answered"], verdict["score"]["right"]) == (asked, asked)
        assert verdict["score"]["rate"] <= CLOSE[RANK]
    assert asked == 15
    assert order_tells < asked
    assert client.get(place).json()["score"]["answered"] == asked


def test_questions_with_something_at_stake_are_fewer(client: TestClient, review: dict[str, Any]):
    counts = {}
    for pick in ("all", "stakes"):
        quiz = client.post(f"/api/reviews/{review['id']}/quiz", json={"seat": 1, "pick": pick}).json()["quiz"]
        counts[pick] = client.get(f"/api/reviews/{review['id']}/quiz/{quiz}").json()["questions"]
    assert 0 < counts["stakes"] < counts["all"] <= review["total"]
    assert client.post(f"/api/reviews/{review['id']}/quiz", json={"seat": 0}).status_code == 422
    assert client.get(f"/api/reviews/{review['id']}/quiz/nothing-here").status_code == 404


# --- export


def test_the_exported_file_holds_everything_and_nothing_runs_from_data(client: TestClient, review: dict[str, Any]):
    answer = client.get(f"/api/reviews/{review['id']}/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    page = answer.text
    assert "alert(1)</script>" not in page
    assert page.count("<script") == page.count("</script>") == 3
    assert "http-equiv" in page
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)\s*=\s*"(?!data:)', page.partition("<script")[0])
    data = json.loads(re.search(r'<script type="application/json" id="review-data">(.*?)</script>', page, re.S)[1])
    assert data["review"]["names"][1] == HOSTILE
    assert len(data["decisions"]) == review["total"]
    maps = json.loads(re.search(r'<script type="importmap">(.*?)</script>', page, re.S)[1])["imports"]
    assert {"janshi/review/file.js", "janshi/board.js", "janshi/words/review.js"} <= set(maps)


# --- changing


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_cancel_go_on_and_a_worker_that_crashes(client: TestClient, shared: Path):
    made = upload(client, sample(shared, "tenhou6"), agent="mdp:seconds=0.2", seat="all").json()
    place = f"/api/reviews/{made['id']}"
    wait_for_decisions(client, made["id"])
    assert client.post(f"{place}/cancel").json() == {"state": "cancelled"}
    told = client.get(place).json()
    assert 0 < told["done"] < told["total"]
    time.sleep(0.5)
    assert client.get(place).json()["done"] == told["done"]
    assert client.post(f"{place}/resume").json()["state"] in ("waiting", "thinking")
    wait_for_decisions(client, made["id"], told["done"] + 1)
    for worker in workers_of(os.getpid()):
        os.kill(worker, signal.SIGKILL)
    check_failed(finished(client, made["id"]), told["done"])
    assert client.post(f"{place}/resume").json()["state"] in ("waiting", "thinking")
    assert client.delete(place).status_code == 200
    assert client.get(place).status_code == 404


def check_failed(told: dict[str, Any], done: int) -> None:
    """The failure is explained, and what was thought about is kept."""
    assert told["state"] == "failed"
    assert "memory" in told["message"]
    assert done < told["done"] < told["total"]


def test_the_same_game_for_another_reviewer(client: TestClient, review: dict[str, Any]):
    again = client.post(f"/api/reviews/{review['id']}/again", json={"agent": "careful", "seat": "0"})
    assert again.status_code == 201
    told = finished(client, again.json()["id"])
    assert (told["agent"], told["seats"], told["unit"], told["name"]) == ("careful", [0], "points", "my game.json")
    assert client.post(f"/api/reviews/{review['id']}/again", json={"agent": "rvr"}).status_code == 422


def luck_of(client: TestClient, id: str) -> dict[str, Any]:
    """The luck of a reviewed game, once it is measured."""
    place = f"/api/reviews/{id}/luck"
    wait_until(lambda: not client.get(place).json().get("running"), "the luck is measured")
    return dict(client.get(place).json())


def test_luck_is_shown(client: TestClient, review: dict[str, Any]):
    told = luck_of(client, review["id"])
    assert told["available"], told
    assert len(told["events"]) > 50
    total = [sum(told["total"][kind][0][seat] for kind in told["kinds"]) for seat in range(4)]
    assert total == pytest.approx(told["luck"][0], abs=0.01)
    assert sum(total) == pytest.approx(0, abs=0.01)
    ranks = [rank + luck for rank, luck in zip(told["ranks"], told["luck"][0])]
    assert ranks == pytest.approx(told["adjusted_ranks"], abs=0.01)


def test_guobiao_luck_is_measured_in_points(client: TestClient, reviewed: Callable[[str], dict[str, Any]]):
    luck = luck_of(client, reviewed("botzone")["id"])
    assert luck["available"], luck
    assert luck["measures"] == ["points"]
    assert "adjusted_ranks" not in luck
    by_seat = luck["luck"][1]
    assert sum(by_seat) == pytest.approx(0, abs=0.02)
    for seat in range(4):
        assert luck["adjusted_scores"][seat] == pytest.approx(luck["scores"][seat] - by_seat[seat], abs=1e-3)
        summed = sum(event[6][seat] for event in luck["events"])
        assert summed == pytest.approx(by_seat[seat], abs=0.01)
