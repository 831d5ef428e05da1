"""All open games: find them, load them from disk, start them, and unload them when nobody is connected."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Any, Final, NamedTuple

from janshi.rules.registry import find_family, full_name, game_names
from janshi.web.errors import Refused
from janshi.web.live.agents import check_label
from janshi.web.live.game import PLAY, REPLAY, WATCH, YOU, LiveGame
from janshi.web.live.minds import Minds
from janshi.web.live.play import game_of
from janshi.web.problems import problem_of
from janshi.web.security import same
from janshi.web.settings import Settings
from janshi.web.store import Answer, GameRow, Store
from janshi.web.warmup import Warmth

log = logging.getLogger("janshi.web")
SWEEP: Final = 10.0
"""Seconds between checks for games that can be unloaded."""
IDLE: Final = 60.0
"""Seconds that a game stays open without connections."""
HOST: Final = "host"


class Continued(NamedTuple):
    """A position of a recorded game to play on from."""

    rules: str
    rounds: int
    start: dict[str, Any]
    """The hand: arguments of the table."""
    answers: list[Answer]
    """What happened in it until the position."""


class Floor:
    """The open games."""

    def __init__(self, settings: Settings, store: Store, minds: Minds, warmth: Warmth) -> None:
        self.settings, self.store, self.minds, self.warmth = settings, store, minds, warmth
        self.games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start looking after the games."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Unload all games."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for game in list(self.games.values()):
            game.broadcast.dismiss()
            await game.stop()
        self.games.clear()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            now = time.monotonic()
            for id, game in list(self.games.items()):
                if game.failed or (game.idle and now - game.broadcast.touched > IDLE):
                    del self.games[id]
                    await game.stop()

    # --- finding games

    async def find(self, id: str) -> LiveGame:
        """An open game, or one from disk; `Refused` if there is none."""
        if (game := self.games.get(id)) is not None and not game.failed:
            return game
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveGame:
        kept = await self.store.game(id)
        if kept is None:
            raise Refused("game_not_found", 404)
        row, answers = kept
        self._make_room()
        players = () if row.kind == REPLAY else row.setup["seats"]
        await self.warmth.wait(find_family(row.rules).name, players)
        game = LiveGame(row, self.store, self.minds)
        try:
            await asyncio.to_thread(game.load, answers)
        except ValueError as error:
            log.warning("game %s cannot be played again: %s", id, error)
            raise Refused("game_outdated", 409) from None
        game.start()
        self.games[id] = game
        return game

    def _make_room(self) -> None:
        """Refuse if there are too many games."""
        if len(self.games) >= self.settings.most_games:
            raise Refused("too_many_games", 503)

    async def _check_quota(self, owner: str) -> None:
        """Refuse if a browser has as many games as it may keep."""
        self.settings.quotas.check_games(await self.store.count_games(owner))

    def seat_of(self, game: LiveGame, key: str | None, owner: str | None) -> str | None:
        """The role that a key gives: a seat, `host`, or None (spectator). Browsers may enter their own games."""
        if key:
            for seat, secret in game.keys.items():
                if same(secret, key):
                    return seat
            raise Refused("key_wrong", 403)
        if owner and same(owner, game.row.owner):
            return next(iter(game.keys))
        return None

    # --- new games

    async def create(self, owner: str, wanted: dict[str, Any]) -> GameRow:
        """Begin the requested game, or refuse it if it is impossible."""
        rules = rules_name(wanted["rules"])
        self._make_room()
        await self._check_quota(owner)
        game = game_of(rules, wanted["rounds"] or 0)
        seats: list[str] = wanted["seats"]
        family = find_family(rules).name
        if len(seats) != game.players:
            raise Refused("wrong_seat_count", 422, rules=rules, seats=game.players, given=len(seats))
        people = [seat for seat, label in enumerate(seats) if label == YOU]
        if wanted["seed"] is not None and len(people) > 1:
            raise Refused("seed_needs_one_player", 422)
        for label in set(seats) - {YOU}:
            await self._check(label, family, game)
        row = self._row(owner, wanted, rules, game, seats)
        await self.store.add_game(row)
        return row

    async def _check(self, label: str, family: str, game: Any) -> None:
        """Refuse labels that are not agents; while Janshi is getting ready, only their options are checked."""
        try:
            check_label(label, family)
            if family in self.warmth.done:
                await self.minds.prepare(game, label)
        except ValueError as error:
            raise Refused(problem_of(error, "agent_cannot_play"), 422) from None

    def _row(self, owner: str, wanted: dict[str, Any], rules: str, game: Any, seats: list[str]) -> GameRow:
        people = [seat for seat, label in enumerate(seats) if label == YOU]
        keys = {str(seat): secrets.token_urlsafe(16) for seat in people} or {HOST: secrets.token_urlsafe(16)}
        seed = wanted["seed"]
        setup = {
            "seats": seats,
            "names": player_names(seats, wanted["name"]),
            "keys": keys,
            "practice": bool(wanted["practice"]) and len(people) == 1,
            "time": wanted["time"] if people else None,
            "pace": wanted["pace"] if wanted["pace"] is not None else 0.0 if people else 0.5,
            "seeded": seed is not None,
        }
        chosen = secrets.randbits(64) if seed is None else seed % 2**64
        kind = PLAY if people else WATCH
        return GameRow(secrets.token_urlsafe(9), owner, kind, rules, wanted["rounds"] or 0, chosen, setup)

    async def create_continued(self, owner: str, seats: list[str], from_: Continued, name: str = "") -> GameRow:
        """Begin a game at a position of a recorded one; the answers of its hand before it are given."""
        self._make_room()
        await self._check_quota(owner)
        game = game_of(from_.rules, from_.rounds)
        for label in set(seats) - {YOU}:
            await self._check(label, find_family(from_.rules).name, game)
        wanted = {"name": name, "practice": True, "time": None, "pace": None, "seed": None, "rounds": from_.rounds}
        row = self._row(owner, wanted, from_.rules, game, seats)
        row.setup["start"] = from_.start
        await self.store.add_game(row)
        await self.store.add_answers(row.id, from_.answers)
        return row

    async def create_replay(self, owner: str, rules: str, seed: int, script: list[int], names: list[str]) -> GameRow:
        """Begin to show a game whose answers are known."""
        await self._check_quota(owner)
        keys = {HOST: secrets.token_urlsafe(16)}
        setup = {
            "seats": names,
            "names": player_names(names, ""),
            "keys": keys,
            "practice": False,
            "time": None,
            "pace": 0.5,
            "script": script,
            "seeded": False,
        }
        row = GameRow(secrets.token_urlsafe(9), owner, REPLAY, rules, 0, seed, setup)
        await self.store.add_game(row)
        return row


def rules_name(name: str) -> str:
    """A rule set's full name; `Refused` if there is none."""
    try:
        return full_name(name)
    except ValueError:
        raise Refused("rules_unknown", 422, name=repr(name[:60]), names=", ".join(game_names())) from None


def player_names(seats: list[str], you: str) -> list[str]:
    """Names of the players, with numbers to distinguish equal ones: "greedy 1", "greedy 2"."""
    plain = [(you or "You") if label == YOU else label.partition(":")[0] for label in seats]
    return [
        name if plain.count(name) == 1 else f"{name} {plain[: seat + 1].count(name)}" for seat, name in enumerate(plain)
    ]
