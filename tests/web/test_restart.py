"""The server is killed without warning, in the middle of games, a review and an import: all continue after a start."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from playing import Player, begin, everything
from reviewing import finished, upload, wait_for_decisions, workers_of

from janshi.web.store import open_database
from own_games import MINE, OTHERS, packed, played_text
from patience import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
GAMES: list[dict[str, Any]] = [
    {"rules": "riichi/tenhou_east", "seats": ["you", "greedy", "careful", "greedy"]},
    {"rules": "riichi/tenhou_east", "seats": ["greedy", "you", "greedy", "random"], "time": {"base": 300}},
    {"rules": "guobiao/botzone", "seats": ["search", "you", "greedy", "search"]},
    {"rules": "simplified/paper", "seats": ["you", "search", "greedy"]},
]
IMPORTED = (*MINE, *OTHERS)
KEPT = 3
"""Decisions of the review that are there before the kill."""


class Before:
    """What goes on at a server when it is killed, at the end of this."""

    def __init__(self, server: Any, client: httpx.Client) -> None:
        self.players = [begun(client, server.url, everything, **game) for game in GAMES]
        quick = begun(client, server.url, seats=["you", "greedy", "greedy", "greedy"])
        self.watcher = begun(client, server.url, seats=["greedy"] * 4, pace=0.02)
        self.quick, self.cookies, many = quick, dict(client.cookies), packed(*IMPORTED)
        play_a_little(self.players)
        for _ in range(10):
            self.watcher.hear()
        self.states = [player.state for player in self.players]
        quick.until_asked()
        self.ask = quick.state["ask"]["id"]
        self.review = begin_review(client)
        wait_for_decisions(client, self.review["id"], KEPT)
        (self.worker,) = workers_of(server.process.pid)
        os.kill(self.worker, signal.SIGSTOP)  # so that the review is not over too soon
        self.decisions = decisions_of(client, self.review["id"])
        client.post("/api/career/files", files=[("files", ("many.tar.gz", many))])
        quick.answer()
        server.kill()
        os.kill(self.worker, signal.SIGCONT)


def decisions_of(client: httpx.Client, review: str) -> list[dict[str, Any]]:
    """The first decisions of a review."""
    return list(client.get(f"/api/reviews/{review}/decisions?first=0&count={KEPT}").json()["decisions"])


def begun(client: httpx.Client, url: str, *policy: Any, **game: Any) -> Player:
    """A player of a new game."""
    found = begin(client, **{"rules": "riichi/tenhou_east", **game})
    return Player(url, found["id"], found["key"], *policy)


def begin_review(client: httpx.Client) -> dict[str, Any]:
    """Begin the review of a hand by a slow reviewer."""
    made = upload(client, played_text(MINE[0], "tenhou6", hands=1), agent="mdp:seconds=0.15", seat="1")
    assert made.status_code == 201, made.text
    return dict(made.json())


def play_a_little(players: list[Player]) -> None:
    """Some answers in every game; the last of the first one's are automatic."""
    for number, player in enumerate(players):
        for _ in range(3 + 2 * number):
            player.until_asked()
            if player.state["over"]:
                break
            player.answer()
        player.until_asked()
    players[0].say(type="auto", win=True)
    players[0].hear_type("state")


@pytest.fixture(scope="module")
def before(server: Any) -> Before:
    """What went on when the server was killed; it has been started again."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        found = Before(server, client)
    wait_until(lambda: found.worker not in workers_of(), "the worker ends with its server")
    server.start()
    return found


@pytest.fixture
def client(server: Any, before: Before) -> Iterator[httpx.Client]:
    """The same browser as before."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE, cookies=before.cookies) as found:
        yield found


def test_an_answer_that_was_acknowledged_is_kept(before: Before):
    before.quick.open()
    before.quick.state = {}
    before.quick.until_asked()
    assert before.quick.state["ask"]["id"] > before.ask


def test_games_go_on_after_a_kill(client: httpx.Client, before: Before):
    for player, state in zip(before.players, before.states):
        player.open()
        player.state = {}
        player.hear_type("state")
        for part in ("position", "ask", "auto", "over", "can_undo"):
            if part != "ask" or state["clock"] is None:
                assert player.state[part] == state[part]
        assert player.play()["over"]
    assert len(client.get("/api/live").json()) == len(GAMES) + 2


def test_a_watched_game_goes_on_after_a_kill(before: Before):
    watcher = before.watcher
    seen = progress(watcher)
    watcher.open()
    watcher.hear_type("state")
    assert progress(watcher) >= seen
    watcher.say(type="pace", seconds=0)
    while not watcher.state["over"]:
        watcher.hear()


def progress(watcher: Player) -> tuple[int, int, int]:
    """How far a watched game is: its round, its honba and the discards of its hand."""
    position = watcher.state["position"]
    return position["round"], position["honba"], sum(len(seat["river"]) for seat in position["seats"])


def test_a_review_goes_on_and_leaves_nothing_behind(server: Any, client: httpx.Client, before: Before):
    told = finished(client, before.review["id"])
    assert told["state"] == "done"
    assert [row["number"] for row in told["rows"]] == list(range(before.review["total"]))
    assert decisions_of(client, before.review["id"]) == before.decisions
    wait_until(lambda: not workers_of(server.process.pid), "the worker ends with its review")


def test_an_import_goes_on(client: httpx.Client, before: Before):
    def counts() -> dict[str, Any]:
        return dict(client.get("/api/career/state").json()["importing"])

    wait_until(lambda: counts()["uploads"] == 0, "everything is read")
    wanted = {"games": len(IMPORTED), "duplicates": 0, "problems": 0}
    assert {name: counts()[name] for name in wanted} == wanted


def test_a_stopped_server_leaves_a_database_that_opens(server: Any, before: Before):
    server.stop()
    assert server.process.returncode in (0, -15)
    with closing(open_database(server.data / "games.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM games").fetchone() == (len(GAMES) + 2,)
    assert "Traceback" not in server.said()
