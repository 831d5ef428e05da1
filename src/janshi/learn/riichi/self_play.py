"""Self-play: tables on the CPU, networks on the device, and the learner's decisions stored until the hand is over."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from janshi.core.rng import GAMMA
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.answers import Answers
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.networks import Player, choose
from janshi.learn.riichi.table_records import ASKED_DTYPE
from janshi.learn.riichi.tables import Course, Step, Tables, joined, renumbered
from janshi.rules.game import Array
from janshi.rules.riichi.ruleset import TENHOU, TENHOU_EAST, Ruleset
from janshi.rules.riichi.state import PLAYERS

LEARNER, IMITATED, PAST = range(3)
RULES: Final[dict[str, tuple[Ruleset, ...]]] = {
    "mixed": (TENHOU_EAST, TENHOU),
    "east": (TENHOU_EAST,),
    "south": (TENHOU,),
}


@dataclass
class Decisions:
    """Decisions of the learner: their tables and seats on the host, inputs and actions on the device."""

    asked: Array
    """ASKED_DTYPE[n]."""
    against: Array
    """Whether three rivals sat at the table, bool[n]."""
    inputs: Tensor  # int16 (n, ROOM)
    legal: Tensor  # int64 (n, 2)
    drawn: Tensor  # int16 (n,)
    action: Tensor  # int64 (n,)
    log_chance: Tensor  # float (n,), by which the action was chosen
    log_policy: Tensor  # float (n,), of the policy itself; other than by which it was chosen where it explored
    term: Tensor  # float (n,), the luck of the choice by the values of choices; 0 if they are not used

    def __len__(self) -> int:
        return len(self.asked)

    def take(self, rows: Array) -> Self:
        """Some of them, by number."""
        at = torch.from_numpy(rows).to(self.inputs.device)
        tensors = (getattr(self, one.name)[at] for one in fields(self)[2:])
        return type(self)(self.asked[rows], self.against[rows], *tensors)

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """Several sets, one after another."""
        columns = [[getattr(part, one.name) for part in parts] for one in fields(cls)]
        return cls(
            joined(columns[0], ASKED_DTYPE), np.concatenate(columns[1]), *(torch.cat(column) for column in columns[2:])
        )


class Choice(NamedTuple):
    """The learner's choices, as in `Decisions`."""

    action: Tensor
    log_chance: Tensor
    log_policy: Tensor
    term: Tensor


@dataclass(frozen=True)
class Hands:
    """Finished hands with all that happened in them."""

    decisions: Decisions
    draws: Array
    ends: Array
    ura: Array
    rules: list[Ruleset]


class Half:
    """One half of the tables, and the answers that the device is computing for them."""

    def __init__(self, tables: Tables, first: int) -> None:
        self.tables, self.first = tables, first
        self.made = np.zeros(len(tables), np.int64)
        """The learner's decisions in the present hand of each table."""
        self.chosen: Tensor = torch.zeros(0, dtype=torch.int64)


class SelfPlay:
    """Plays continuously: `fresh` begins new games, `play` continues them, `finished` returns completed hands."""

    def __init__(
        self,
        config: SelfPlayConfig,
        player: Player,
        imitated: Any,
        past: Any,
        device: torch.device,
        threads: int = 1,
        pool: ThreadPoolExecutor | None = None,
    ) -> None:
        self.config, self.device, self.threads = config, device, threads
        self.nets = {LEARNER: player, IMITATED: imitated, PAST: past}
        self._answers = {
            who: Answers(net, device, config.compiled)
            for who, net in ((LEARNER, player and player.policy), (IMITATED, imitated), (PAST, past))
        }
        self._valued = Answers(player, device, config.compiled, lambda out: (out[0], out[2]))
        self.pool = pool or (ThreadPoolExecutor(threads) if threads > 1 else None)
        self.halves: list[Half] = []

    def fresh(self, number: int) -> None:
        """Begin new games at all tables, selected by `number`. Unfinished hands are dropped."""
        self._number = number
        self._key = np.uint64((self.config.seed * 1_000_003 + number) % 2**64)
        self._words = torch.Generator(self.device).manual_seed(int(self._key % np.uint64(2**62)))
        self._kept: list[Decisions] = []
        self._course = Course()
        self._ready = 0
        half = self.config.tables // 2
        self.halves = []
        for i in range(2):
            tables = Tables(
                np.arange(half) + i * half,
                int(self._key),
                stride=self.config.tables,
                rules=RULES[self.config.games],
                pool=self.pool,
                threads=self.threads,
            )
            self.halves.append(Half(tables, i * half))
            self._note(self.halves[i], tables.start())

    def play(self, decisions: int) -> int:
        """Play until finished hands have this many of the learner's decisions; returns the number of all decisions."""
        asked = 0
        while self._ready < decisions:
            for half in self.halves:
                asked += len(half.chosen)
                self._note(half, half.tables.step(half.chosen.cpu().numpy()))
        return asked

    def owners(self, asked: Array) -> tuple[Array, Array]:
        """Who answers each decision, int64[n], and whether three rivals sit at its table, bool[n]."""
        game = scrambled(asked["table"].astype(np.uint64), asked["game"].astype(np.uint64), self._key)
        rivals = share(game) < self.config.rivals
        past = share(scrambled(game, np.uint64(1), self._key)) < self.config.past_share
        seat = scrambled(game, np.uint64(2), self._key) % np.uint64(PLAYERS)
        own = ~rivals | (asked["seat"].astype(np.uint64) == seat)
        return np.where(own, LEARNER, np.where(past, PAST, IMITATED)), rivals

    # --- one step

    def _note(self, half: Half, step: Step) -> None:
        """Store what happened, and request the next answers from the device."""
        self._course.add(step, half.first)
        ended = np.unique(step.ends["table"])
        self._ready += int(half.made[ended].sum())
        half.made[ended] = 0
        self._ask(half, step.packed, renumbered(step.asked, half.first))

    @torch.no_grad()
    def _ask(self, half: Half, packed: Array, asked: Array) -> None:
        inputs = torch.from_numpy(packed["inputs"].view(np.int16)).to(self.device)
        legal = torch.from_numpy(packed["legal"].copy()).to(self.device)
        drawn = torch.from_numpy(packed["drawn"].copy()).to(self.device)
        owner, rivals = self.owners(asked)
        half.chosen = torch.zeros(len(asked), dtype=torch.int64, device=self.device)
        for who in (LEARNER, IMITATED, PAST):
            rows = np.flatnonzero(owner == who)
            if not len(rows):
                continue
            at = torch.from_numpy(rows).to(self.device)
            some = inputs[at], legal[at], drawn[at]
            if who == LEARNER:
                choice = self.learner_chooses(*some)
                chosen = choice.action
                self._kept.append(Decisions(asked[rows], rivals[rows], *some, *choice))
                np.add.at(half.made, asked["table"][rows] - half.first, 1)
            else:
                chosen = self.rival_chooses(who, *some)
            half.chosen[at] = chosen

    def answers(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, ...]:
        """The learner's logits (B, 120), as a tuple of one."""
        return self._answers[LEARNER](inputs, drawn)

    def learner_chooses(self, inputs: Tensor, legal: Tensor, drawn: Tensor) -> Choice:
        """The learner's actions."""
        free, term = unpack_legal(legal), torch.zeros(len(drawn), device=self.device)
        if self.config.action_terms:
            logits, values = self._valued(inputs, drawn)
        else:
            (logits,) = self.answers(inputs, drawn)
        logits = logits.float().masked_fill(~free, FORBIDDEN)
        words = torch.rand(2, len(drawn), generator=self._words, device=self.device)
        plain, warm = self.chances(logits, free)
        explores = (words[1] < self.config.explore)[:, None]
        chosen, _ = choose(torch.where(explores, warm, plain), words[0])
        log_policy, log_warm = (one.gather(1, chosen[:, None])[:, 0] for one in (plain, warm))
        share = self.config.explore
        log_chance = torch.log((1 - share) * log_policy.exp() + share * log_warm.exp())
        if self.config.action_terms:
            values = values * self.config.value_unit
            expected = (((1 - share) * plain.exp() + share * warm.exp()) * values.masked_fill(~free, 0.0)).sum(1)
            term = values.gather(1, chosen[:, None])[:, 0] - expected
        return Choice(chosen, log_chance, log_policy, term)

    def chances(self, logits: Tensor, free: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions, (B, 120): of the policy, and of the distribution that explores."""
        warm = (logits / self.config.explore_temperature).masked_fill(~free, FORBIDDEN)
        return logits.log_softmax(1), warm.log_softmax(1)

    def rival_chooses(self, who: int, inputs: Tensor, legal: Tensor, drawn: Tensor) -> Tensor:
        """A rival's actions, sampled from its probabilities."""
        (logits,) = self._answers[who](inputs, drawn)
        words = torch.rand(len(drawn), generator=self._words, device=self.device)
        return choose(logits.float().masked_fill(~unpack_legal(legal), FORBIDDEN), words)[0]

    # --- what is complete

    def finished(self) -> Hands:
        """The hands that have ended since the last call; unfinished ones stay."""
        draws, ends, ura = self._course.finished()
        self._ready = 0
        decisions = Decisions.join(self._kept)
        played = np.isin(decisions.asked["hand"], ends["hand"])
        self._kept = [decisions.take(np.flatnonzero(~played))]
        found = decisions.take(np.flatnonzero(played))
        return Hands(found, draws, ends, ura, list(RULES[self.config.games]))


def scrambled(a: Array, b: Any, c: Any) -> Array:
    """Words hashed from others, as `core.rng.mix` does."""
    with np.errstate(over="ignore"):
        z = a.astype(np.uint64) * GAMMA + np.uint64(c) + b * np.uint64(0xD1B54A32D192ED03) + GAMMA
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


def share(words: Array) -> Array:
    """Words as numbers from 0 to 1."""
    return np.asarray((words >> np.uint64(11)).astype(np.float64) * 2.0**-53)
