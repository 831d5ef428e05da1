"""A match on the device: a candidate against three copies of a fixed network, on duplicate walls.

Every wall is played four times, with the candidate in each seat. Both play their most probable choice, as the players
of the package do. If candidate and rivals are the same network, all games of a wall are the same and the average rank
is 2.5 exactly. With values of draws, ranks are also given without luck.
"""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from janshi.arena.stats import Estimate, mean
from janshi.features.riichi.packed import ROOM
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.answers import Answers
from janshi.learn.riichi.networks import most_probable
from janshi.learn.riichi.returns import luck_of, luck_of_hands, results_of
from janshi.learn.riichi.self_play import RULES, Decisions, Hands
from janshi.learn.riichi.table_records import ASKED_DTYPE, END_DTYPE
from janshi.learn.riichi.tables import HANDS, Course, Step, Tables, joined
from janshi.rules.game import Array
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS, RON_WIN

TABLES = 4096
"""Tables played at once."""
AT_ONCE = 1 << 18
"""Draws whose luck is measured at once."""


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match, for the candidate."""

    games: int
    rank: Estimate
    """Average rank, interval by wall."""
    rank_without_luck: Estimate | None
    """The same, less the luck of draws and ura; None if no values of draws were given."""
    places: tuple[float, ...]
    """Shares of first to fourth places."""
    style: dict[str, float]
    """Per hand: wins, deal-ins, riichi, open hands."""
    gains: dict[str, Estimate]
    """Places gained per hand without luck, by situation; empty if no values of draws were given."""

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "games": self.games,
            "rank": numbers(self.rank),
            "rank without luck": None if self.rank_without_luck is None else numbers(self.rank_without_luck),
            "places": list(self.places),
            "style": self.style,
            "gains": {name: numbers(gain) for name, gain in self.gains.items()},
        }

    def __str__(self) -> str:
        freed = "" if self.rank_without_luck is None else f", without luck {self.rank_without_luck}"
        return f"{self.games:,} games: rank {self.rank}{freed}"


def numbers(estimate: Estimate) -> dict[str, Any]:
    """An estimate for JSON."""
    return {name: value for name, value in asdict(estimate).items() if isinstance(value, int | float)}


class Match:
    """Plays one match."""

    def __init__(
        self,
        candidate: Any,
        rival: Any,
        device: torch.device,
        *,
        values: Any = None,
        threads: int = 1,
        pool: Executor | None = None,
        compiled: bool = True,
    ) -> None:
        """Networks map inputs and drawn tiles to outputs with a `policy`; `values` are the values of draws."""
        self.nets = [Answers(net, device, compiled) for net in (candidate, rival)]
        self.values, self.device, self.threads = values, device, threads
        self.pool = pool or (ThreadPoolExecutor(threads) if threads > 1 else None)

    def play(self, games: int, seed: int, rules: str = "mixed", tables: int = TABLES) -> MatchResult:
        """Play about this many games: whole rounds of four for every wall."""
        walls = max(games // PLAYERS, 1)
        at_once = min(max(tables // PLAYERS, 1), walls)
        each = -(-walls // at_once)
        chosen = RULES[rules]
        place = np.arange(at_once * PLAYERS)
        played = Tables(
            place // PLAYERS,
            seed,
            stride=at_once,
            games=each,
            rules=chosen,
            which=place // PLAYERS % len(chosen),
            threads=self.threads,
            pool=self.pool if isinstance(self.pool, ThreadPoolExecutor) else None,
        )
        return self._result(*self._play(played, list(chosen)), list(chosen))

    def _play(self, tables: Tables, rules: list[Ruleset]) -> tuple[Array, Array, Array]:
        """All ends; the luck of their hands and what they brought without it, float64[hands, 4] each."""
        course, found = Course(self.values is not None), []
        step = tables.start()
        while True:
            course.add(step)
            if course.waiting > AT_ONCE:
                found.append(self._with_luck(course, rules))
            if not len(step.packed) and tables.all_over:
                break
            step = tables.step(self._answers(step))
        found.append(self._with_luck(course, rules))
        ends, luck, gains = zip(*found)
        return joined(list(ends), END_DTYPE), np.concatenate(luck), np.concatenate(gains)

    def _with_luck(self, course: Course, rules: list[Ruleset]) -> tuple[Array, Array, Array]:
        draws, ends, ura = course.finished()
        if self.values is None or not len(ends):
            return ends, np.zeros((len(ends), PLAYERS)), np.zeros((len(ends), PLAYERS))
        hands = Hands(no_decisions(self.device), draws, ends, ura, rules)
        results = results_of(hands)
        luck = luck_of_hands(luck_of(hands, self.values, self.device, self.pool), results)
        return ends, luck, results.end - results.start - luck

    @torch.no_grad()
    def _answers(self, step: Step) -> Array:
        packed, asked = step.packed, step.asked
        own = asked["table"] % PLAYERS == asked["seat"]
        chosen = np.zeros(len(packed), np.int64)
        waiting = []
        for net, rows in zip(self.nets, (np.flatnonzero(own), np.flatnonzero(~own))):
            if len(rows):
                waiting.append((rows, self._ask(net, packed[rows])))
        for rows, answers in waiting:
            chosen[rows] = answers.cpu().numpy()
        return chosen

    def _ask(self, net: Any, packed: Array) -> Tensor:
        inputs = torch.from_numpy(packed["inputs"].view(np.int16)).to(self.device)
        legal = unpack_legal(torch.from_numpy(packed["legal"].copy()).to(self.device))
        drawn = torch.from_numpy(packed["drawn"].astype(np.int64)).to(self.device)
        (logits,) = net(inputs, drawn)
        return most_probable(logits.float().masked_fill(~legal, FORBIDDEN).softmax(1), drawn, TSUMOGIRI)

    def _result(self, ends: Array, luck: Array, gains: Array, rules: list[Ruleset]) -> MatchResult:
        last = ends[ends["over"] == 1]
        seat = last["table"] % PLAYERS
        rank = 1.0 + ranks(last["scores"])[np.arange(len(last)), seat]
        wall = last["wall"]
        freed = None
        if self.values is not None:
            order = np.lexsort((last["game"], last["table"]))
            name = last["table"].astype(np.int64) * HANDS + last["game"]
            at = order[np.searchsorted(name[order], ends["table"].astype(np.int64) * HANDS + ends["game"])]
            total = np.zeros(len(last))
            np.add.at(total, at, luck[np.arange(len(ends)), ends["table"] % PLAYERS])
            freed = mean(rank + total, wall)
        shares = tuple(float((rank == place).mean()) for place in range(1, PLAYERS + 1))
        own = gains[np.arange(len(ends)), ends["table"] % PLAYERS]
        apart = {} if self.values is None else gains_of(own, ends, rules)
        return MatchResult(len(last), mean(rank, wall), freed, shares, style_of(ends), apart)


def gains_of(gains: Array, ends: Array, rules: list[Ruleset]) -> dict[str, Estimate]:
    """Mean gains of the candidate's hands by situation, with intervals by wall."""
    hands = PLAYERS * np.array([one.rounds for one in rules])[ends["rules"]]
    place = ranks(ends["start"])[np.arange(len(ends)), ends["table"] % PLAYERS]
    last = ends["kyoku"] >= hands - 1
    situations = {
        "before the last hand": ~last,
        "last hand": last,
        "last hand, in first place": last & (place == 0),
        "last hand, somebody to overtake": last & (place > 0),
        "last hand, in last place": last & (place == PLAYERS - 1),
    }
    some = {name: here for name, here in situations.items() if len(np.unique(ends["wall"][here])) > 1}
    return {name: mean(gains[here], ends["wall"][here]) for name, here in some.items()}


def style_of(ends: Array) -> dict[str, float]:
    """How the candidate played, in shares of hands."""
    seat = (ends["table"] % PLAYERS).astype(np.int64)
    dealt = (ends["result"] == RON_WIN) & (ends["loser"] == seat) & (ends["winner"] != NONE)
    return {
        "hands": float(len(ends)),
        "win": float(((ends["winners"].astype(np.int64) >> seat) & 1).mean()),
        "deal-in": float(dealt.mean()),
        "riichi": float(((ends["riichi"].astype(np.int64) >> seat) & 1).mean()),
        "open": float(((ends["opened"].astype(np.int64) >> seat) & 1).mean()),
    }


def no_decisions(device: torch.device) -> Decisions:
    """An empty set of decisions."""

    def empty(*shape: int) -> Tensor:
        return torch.zeros(0, *shape, device=device)

    return Decisions(
        np.zeros(0, ASKED_DTYPE), np.zeros(0, np.bool_), empty(ROOM), empty(2), *(empty() for _ in range(5))
    )
