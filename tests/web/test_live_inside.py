"""Inside live games: agents that fail or are slow, batches, games that are put away and come back, the store."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import numpy as np
import pytest
import uvicorn
from playing import Player, begin

from janshi.agents.base import Agent, Asked
from janshi.agents.registry import AGENTS, Entry
from janshi.web.app import make_app
from janshi.web.errors import Refused
from janshi.web.live import floor as floors
from janshi.web.live import socket as sockets
from janshi.web.live.floor import Floor
from janshi.web.live.minds import Minds
from janshi.web.live.play import Play, game_of
from janshi.web.server import address, listen
from janshi.web.settings import Settings
from janshi.web.store import Answer, GameRow, Store, StoreError, open_database
from janshi.web.warmup import Warmth
from patience import PATIENCE

GAME = "riichi/tenhou_east"
BATCHES: list[int] = []
GO_ON = threading.Event()
"""Slow agents wait for it."""


class Odd(Agent):
    """Fails, dawdles, cheats or behaves, as its option says."""

    name, version = "odd", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)

    def __init__(self, game: Any, manner: str = "well") -> None:
        super().__init__(game)
        self.manner = manner

    def act(self, asked: Asked) -> Any:
        BATCHES.append(len(asked))
        if self.manner == "fails":
            raise RuntimeError("no idea")
        if self.manner == "slow":
            GO_ON.wait(PATIENCE)
        if self.manner == "cheats":
            return np.full(len(asked), 118)
        time.sleep(0.002)
        return asked.masks.argmax(1)


@pytest.fixture(autouse=True)
def _odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "odd", Entry(f"{__name__}:Odd", ("riichi",), "a test"))
    BATCHES.clear()
    GO_ON.clear()


def run(job: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(job(), PATIENCE))


def first_view() -> tuple[Any, Any]:
    play = Play(game_of(GAME), 1)
    return play.game, play.table.view(0)


# --- thinking


@pytest.mark.parametrize("manner", ["fails", "cheats"])
def test_an_agent_that_fails_is_helped_out(manner: str):
    async def job() -> None:
        minds = Minds(1)
        game, view = first_view()
        assert await minds.answer(game, f"odd:manner={manner}", view, 1, 1) == 37  # the drawn tile
        minds.close()

    run(job)


def test_an_agent_that_is_slow_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("janshi.web.live.minds.SLOW", 0.1)

    async def job() -> None:
        minds = Minds(1)
        game, view = first_view()
        label = "odd:manner=slow"
        GO_ON.set()
        await minds.answer(game, label, view, 1, 1)  # the first time may be for compiling
        GO_ON.clear()
        assert await minds.answer(game, label, view, 1, 1) == 37
        while len(BATCHES) < 2:
            await asyncio.sleep(0.005)
        assert BATCHES == [1, 1], "it still thinks"
        GO_ON.set()
        minds.close()

    run(job)


def test_decisions_of_many_tables_are_put_together():
    async def job() -> None:
        minds = Minds(1)
        game, view = first_view()
        await minds.answer(game, "odd", view, 1, 1)
        answers = await asyncio.gather(*(minds.answer(game, "odd", view, 1, n) for n in range(100)))
        assert len(set(answers)) == 1
        assert sum(BATCHES) == 101
        assert len(BATCHES) < 30
        minds.close()

    run(job)


def test_the_loop_goes_on_while_agents_think():
    async def job() -> None:
        minds = Minds(1)
        game, view = first_view()
        thinks = asyncio.create_task(minds.answer(game, "odd:manner=slow", view, 1, 1))
        while not BATCHES:
            await asyncio.sleep(0.005)
        assert not thinks.done()  # if the loop waited for the agent, we should come here only when it is done
        GO_ON.set()
        await thinks
        minds.close()

    run(job)


# --- games that are put away


async def open_floor(folder: Path) -> Floor:
    warmth = Warmth()
    warmth.done |= {"riichi"}
    floor = Floor(Settings(folder), Store(folder / "games.sqlite"), Minds(2), warmth)
    floor.begin()
    return floor


def wanted(**more: Any) -> dict[str, Any]:
    seats = ["you", "greedy", "greedy", "greedy"]
    plain = {"rules": GAME, "rounds": None, "seats": seats, "seed": 3, "practice": True, "time": None, "name": ""}
    return {**plain, "pace": None, **more}


async def close(floor: Floor) -> None:
    await floor.close()
    floor.minds.close()
    floor.store.close()


def test_games_without_anybody_are_put_away_and_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(floors, "SWEEP", 0.02)

    async def job() -> None:
        floor = await open_floor(tmp_path)
        row = await floor.create("owner", wanted())
        game = await floor.find(row.id)
        await game.answer(0, 0, 37)
        while (before := await game.broadcast.state(game.broadcast.outlook(0)))["ask"] is None:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(floors, "IDLE", 0.05)
        while row.id in floor.games:
            await asyncio.sleep(0.02)
        again = await floor.find(row.id)
        assert again is not game
        after = await again.broadcast.state(again.broadcast.outlook(0))
        assert (after["position"], after["ask"]) == (before["position"], before["ask"])
        await close(floor)

    run(job)


def test_a_timed_game_goes_on_without_anybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(floors, "SWEEP", 0.02)
    monkeypatch.setattr(floors, "IDLE", 0.05)

    async def job() -> None:
        floor = await open_floor(tmp_path)
        row = await floor.create("owner", wanted(time={"base": 0.1, "extra": 0.0}))
        game = await floor.find(row.id)
        while len([a for a in game.answers if a.seat == 0]) < 3:
            await asyncio.sleep(0.05)
        assert row.id in floor.games
        assert not any(answer.own for answer in game.answers)
        await close(floor)

    run(job)


def test_too_many_games_are_refused(tmp_path: Path):
    async def job() -> None:
        floor = await open_floor(tmp_path)
        floor.settings.most_games = 1
        row = await floor.create("owner", wanted())
        await floor.find(row.id)
        with pytest.raises(Exception, match="too many games"):
            await floor.create("owner", wanted())
        await close(floor)

    run(job)


def test_a_game_that_stopped_is_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def job() -> None:
        floor = await open_floor(tmp_path)
        row = await floor.create("owner", wanted())
        game = await floor.find(row.id)
        await asyncio.sleep(0.05)

        async def full(*_: Any) -> None:
            raise OSError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(floor.store, "add_answers", full)
            with pytest.raises(OSError, match="full"):
                await game.answer(0, 0, 37)
        await game.answer(0, 0, 37)  # nothing was lost: the same question is still open
        assert game.answers[0] == Answer(0, 0, 37, True)
        with monkeypatch.context() as patched:
            patched.setattr(floor.store, "add_answers", full)
            while not game.failed:
                await asyncio.sleep(0.01)
        again = await floor.find(row.id)
        assert again is not game
        while (await again.broadcast.state(again.broadcast.outlook(0)))["ask"] is None:
            await asyncio.sleep(0.01)
        await close(floor)

    run(job)


# --- the store


def test_the_store_keeps_games_and_answers(tmp_path: Path):
    async def job() -> None:
        store = Store(tmp_path / "games.sqlite")
        row = GameRow("a", "me", "play", GAME, 0, 2**64 - 1, {"seats": ["you"]})
        await store.add_game(row)
        answers = [Answer(0, 0, 37, True, 0.5), Answer(1, 1, 119), Answer(1, 2, 119), Answer(2, -1, 0)]
        await store.add_answers("a", answers)
        found = await store.game("a")
        assert found is not None
        assert (found[0].seed, found[0].setup, found[1]) == (2**64 - 1, {"seats": ["you"]}, answers)
        await store.cut_answers("a", 1)
        again = await store.game("a")
        assert again is not None
        assert again[1] == answers[:1]
        assert await store.unfinished() == ["a"]
        assert await store.game("b") is None
        await store.delete_game("a")
        assert await store.games_of("me") == []
        store.close()

    run(job)


def test_a_failed_job_changes_nothing(tmp_path: Path):
    async def job() -> None:
        store = Store(tmp_path / "games.sqlite")
        await store.add_game(GameRow("a", "me", "play", GAME, 0, 1, {}))

        def wrong(db: Any) -> None:
            db.execute("DELETE FROM games")
            raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            await store.do(wrong)
        assert await store.game("a") is not None
        store.close()

    run(job)


def test_a_database_of_another_version_is_refused(tmp_path: Path):
    db = open_database(tmp_path / "games.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="version 99"):
        open_database(tmp_path / "games.sqlite")


# --- getting ready


def test_games_can_be_begun_while_janshi_gets_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    go_on, players = threading.Event(), threading.Event()

    def warm(self: Warmth, _: bool) -> None:
        self.doing = "the rules of riichi"
        go_on.wait(PATIENCE)
        self.done |= {"riichi"}
        players.wait(PATIENCE)
        self.pending.clear()

    monkeypatch.setattr(Warmth, "_warm", warm)
    monkeypatch.setattr("janshi.web.warmup.PATIENCE", 0.05)
    monkeypatch.setattr(sockets, "READY_EVERY", 0.05)
    with served(Settings(tmp_path, port=0)) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        assert client.get("/api/status").json()["ready"] == []
        game = begin(client, seats=["you", "greedy", "greedy", "greedy"])
        answer = client.get(f"/api/live/{game['id']}")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "getting ready (the rules of riichi" in answer.json()["error"]["message"]
        player = Player(url, game["id"], game["key"])
        assert player.hear()["type"] == "waiting"
        go_on.set()
        while client.get("/api/status").json()["ready"] != ["riichi"]:
            time.sleep(0.01)
        assert player.hear()["type"] == "waiting", "its players are not ready yet"
        players.set()
        player.hear_type("state")
        player.close()


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """A server in a thread of this process."""
    sock = listen(settings, exactly=False)
    server = uvicorn.Server(uvicorn.Config(make_app(settings), log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    yield address(settings).rstrip("/")
    server.should_exit = True
    thread.join()
    sock.close()


def test_a_game_that_cannot_be_replayed_is_reported(tmp_path: Path):
    async def job() -> None:
        floor = await open_floor(tmp_path)
        row = await floor.create("owner", wanted())
        await floor.store.add_answers(row.id, [Answer(0, 0, 119)])  # nobody may pass on their own turn
        with pytest.raises(Refused, match="other rules"):
            await floor.find(row.id)
        await close(floor)

    run(job)
