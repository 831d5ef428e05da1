"""Records without a reviewer: every position can be watched, and a game begins at any of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from reviewing import review_of, running_app, sample, upload

from janshi.records.formats import read_record
from janshi.web.live.play import Play, game_of
from janshi.web.review import work
from janshi.web.review.games import RiichiRecorded
from janshi.web.review.moments import CannotContinue, place_of, start_of, watch
from janshi.web.review.processes import WorkerError
from janshi.web.review.watched import WatchedGames
from janshi.web.store import Answer


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running_app(tmp_path_factory.mktemp("watching")) as found:
        yield found


@pytest.fixture(scope="module")
def uploaded(client: TestClient, shared: Path) -> str:
    """A game that nobody reviews."""
    return str(upload(client, sample(shared, "tenhou6"), "game.json", seat="none").json()["id"])


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Any:
    return work.read(sample(shared, "tenhou6"), "tenhou6", "game")


@pytest.fixture(scope="module")
def guobiao(shared: Path) -> Any:
    return work.read(sample(shared, "botzone"), "botzone", "hand")


def continued(start: dict[str, Any]) -> Play:
    """The game that begins at a position."""
    answers = [
        Answer(step, int(seat), action) for step, given in enumerate(start["steps"]) for seat, action in given.items()
    ]
    play = Play(game_of(start["rules"], start["rounds"]), 5, start["start"])
    assert play.replay(answers) == {}
    return play


def test_every_position_of_a_hand_is_shown_with_open_hands(recorded: Any):
    shown = watch(recorded, 1)
    assert shown[0]["moment"] == 0
    assert all(len(seat["hand"]) >= 1 for one in shown for seat in one["position"]["seats"])
    left = [one["position"]["left"] for one in shown]
    assert left == sorted(left, reverse=True)
    discards = [sum(len(seat["river"]) for seat in one["position"]["seats"]) for one in shown]
    assert discards == sorted(discards)
    assert len({one["moment"] for one in shown}) == len(shown)


def test_a_game_begins_where_the_record_was(recorded: Any):
    for moment in (0, 7, 30):
        table = next(table.copy() for i, (table, _) in enumerate(recorded.moments(1)) if i == moment)
        play = continued(start_of(recorded, 1, moment))
        assert play.table.asked == table.asked
        assert play.table.scores == table.scores
        assert [play.table.hand(seat) for seat in range(4)] == [table.hand(seat) for seat in range(4)]
        assert play.table.legal_actions(play.table.asked[0]) == table.legal_actions(table.asked[0])


def test_the_game_goes_on_after_the_hand(recorded: Any):
    play = continued(start_of(recorded, 0, 3))
    for _ in range(400):
        if play.over or play.table.round > 0 or play.table.state["honba"] > 0:
            break
        play.take({seat: play.table.legal_actions(seat)[-1] for seat in play.table.asked})
    assert play.over or play.table.round + int(play.table.state["honba"]) > 0


def test_the_place_of_a_decision(recorded: Any):
    assert isinstance(recorded, RiichiRecorded)
    number = 0
    for hand in range(recorded.hands):
        for question in recorded.questions(hand):
            if question.seat == 2:
                if number in (0, 5, 20):
                    assert place_of(recorded, [2], number) == (hand, question.moment)
                number += 1
    with pytest.raises(CannotContinue):
        place_of(recorded, [2], number)


def test_a_moment_that_is_not_there_is_refused(recorded: Any):
    with pytest.raises(CannotContinue):
        start_of(recorded, 0, 999)
    with pytest.raises(CannotContinue):
        start_of(recorded, 99, 0)


def test_an_upload_can_be_watched_without_a_review(client: TestClient, uploaded: str):
    review = review_of(client, uploaded)
    assert (review["state"], review["seats"], review["total"]) == ("done", [], 0)
    hand = client.get(f"/api/reviews/{uploaded}/hands/2").json()
    assert hand["hand"] == 2
    assert len(hand["moments"]) > 20
    assert client.get(f"/api/reviews/{uploaded}/hands/9").status_code == 404


def test_one_worker_follows_a_whole_game(client: TestClient, shared: Path, monkeypatch: pytest.MonkeyPatch):
    from janshi.web.review import watched

    jobs: list[dict[str, Any]] = []

    def counted(job: dict[str, Any], text: str, silent: float) -> Any:
        jobs.append(job)
        return ask_worker(job, text, silent)

    ask_worker = watched.ask_worker
    monkeypatch.setattr(watched, "ask_worker", counted)
    made = upload(client, sample(shared, "tenhou6"), "game.json", seat="none").json()
    hands = [client.get(f"/api/reviews/{made['id']}/hands/{hand}").json() for hand in (2, 0, 2, 1)]
    assert [job["hand"] for job in jobs] == [2]
    assert [hand["hand"] for hand in hands] == [2, 0, 2, 1]
    assert hands[0] == hands[2]
    starts = [hand["moments"][0]["position"] for hand in hands]
    assert len({(start["round"], start["honba"]) for start in starts}) == 3


def test_a_watched_game_that_cannot_be_read_is_tried_again(shared: Path):
    games = WatchedGames(asyncio.Semaphore(1))
    text = sample(shared, "tenhou6")

    async def look() -> int:
        with pytest.raises(WorkerError):
            await games.hand("a", "tenhou6", 0, lambda _: "{")
        found = await games.hand("a", "tenhou6", 1, lambda _: text)
        with pytest.raises(WorkerError):
            await games.hand("a", "tenhou6", 99, lambda _: text)
        await games.stop()
        return len(found)

    assert asyncio.run(look()) > 20


def test_playing_on_starts_a_game_of_this_browser(client: TestClient, uploaded: str):
    place = {"hand": 1, "moment": 10, "seat": 0, "opponents": "greedy", "name": "あなた"}
    begun = client.post(f"/api/reviews/{uploaded}/play", json=place)
    assert begun.status_code == 201, begun.text
    state = client.get(f"/api/live/{begun.json()['id']}", params={"key": begun.json()["key"]}).json()
    position = state["position"]
    assert position["round"] == 1
    assert position["viewer"] == 0
    assert sum(len(seat["river"]) for seat in position["seats"]) >= 2
    assert [seat["agent"] for seat in position["seats"]] == [None, "greedy", "greedy", "greedy"]
    assert position["seats"][1]["hand"] is None  # the others' hands stay hidden
    assert position["seats"][0]["name"] == "あなた"


def test_a_continued_game_can_be_downloaded(client: TestClient, shared: Path, recorded: Any):
    from janshi.web.live.downloads import record_text

    start = start_of(recorded, 1, 10)
    play = continued(start)
    answers = [
        Answer(step, int(seat), action) for step, given in enumerate(start["steps"]) for seat, action in given.items()
    ]
    while play.table.asked:
        given = {seat: play.table.legal_actions(seat)[-1] for seat in play.table.asked}
        answers += [Answer(play.step, seat, action) for seat, action in given.items()]
        play.take(given)
    text = record_text(play.game, 5, answers, ["a", "b", "c", "d"], "mjai", "x", start["start"])
    record = read_record(text, "x", "mjai")
    assert record.hands[0].round == 1
    assert list(record.hands[0].scores) == start["start"]["scores"]


def test_guobiao_is_watched_and_played_on(client: TestClient, shared: Path):
    made = upload(client, sample(shared, "botzone"), "hand.txt", seat="none").json()
    moments = client.get(f"/api/reviews/{made['id']}/hands/0").json()["moments"]
    assert len(moments) > 10
    at = moments[12]
    place = {"hand": 0, "moment": at["moment"], "seat": at["asked"][0], "opponents": "greedy"}
    begun = client.post(f"/api/reviews/{made['id']}/play", json=place)
    assert begun.status_code == 201, begun.text
    shown = client.get(f"/api/live/{begun.json()['id']}", params={"key": begun.json()["key"]}).json()["position"]
    assert [seat["river"] for seat in shown["seats"]] == [seat["river"] for seat in at["position"]["seats"]]
    mine = at["asked"][0]
    assert shown["seats"][mine]["hand"] == at["position"]["seats"][mine]["hand"]
    assert shown["seats"][(mine + 1) % 4]["hand"] is None


def test_a_guobiao_hand_begins_where_the_record_was_and_is_the_only_one(guobiao: Any):
    for moment in (0, 7, 20):
        table = next(table.copy() for i, (table, _) in enumerate(guobiao.moments(0)) if i == moment)
        play = continued(start_of(guobiao, 0, moment))
        assert (play.table.asked, play.table.wind) == (table.asked, table.wind)
        assert [play.table.hand(seat) for seat in range(4)] == [table.hand(seat) for seat in range(4)]
    while play.table.asked:
        play.take({seat: play.table.legal_actions(seat)[-1] for seat in play.table.asked})
    assert play.is_last_hand


def test_chances_after_each_choice_by_a_reviewer_that_knows_them(recorded: Any):
    found = work.chances(recorded, [1], 20)
    assert len(found) >= 2
    for ends in found.values():
        assert set(ends) <= set(work.ENDS)
        assert sum(ends.values()) == pytest.approx(1, abs=0.01) or not ends
    assert work.chances(recorded, [1], 9_999) == {}
