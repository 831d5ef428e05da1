"""Self-play: kernels step many hands on several threads and record their decisions.

Decisions are stored in slots (`slots.py`). A hand in progress when a rollout ends simply continues; its decisions are
learned from once it has ended, with the probabilities they were taken with.

With `duplicates` g, tables form groups of g that play the same walls. A group moves on to the next wall when all its
hands have ended, and each hand gets its wall's mean result at the group's other tables. In races (`race`), only one
seat of a group makes decisions and simple players take the others; with `alone`, a past self plays the others.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features.packed import PackedEncoder
from janshi.learn.race import Races, race_results
from janshi.learn.slots import (
    DECISION_DTYPE,
    NO_SLOT,
    TALLY_DTYPE,
    Slots,
    close_groups,
    link,
    note,
    table_dtype,
)
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

WALLS, CHOICES, SEATS = 201, 202, 203
"""Separate the random streams of walls, actions and seating."""


class SelfPlay:
    """Tables stepped together. `count` decisions are open, each with a record in `decisions`."""

    def __init__(
        self,
        game: Game,
        encoder: PackedEncoder,
        slots: Slots,
        tables: int,
        *,
        seed: int,
        number: int = 0,
        duplicates: int = 1,
        past_share: float = 0.0,
        race: bool = False,
        alone: bool = False,
        pool: ThreadPoolExecutor | None = None,
        threads: int = 1,
    ) -> None:
        if tables % duplicates or tables < duplicates:
            raise ValueError(f"tables must be a multiple of duplicates: {tables} is not a multiple of {duplicates}")
        self.game, self.encoder, self.slots = game, encoder, slots
        self.seed, self.number = np.uint64(seed % 2**64), number
        self.duplicates, self.past_share, self.race, self.alone = duplicates, past_share, race, alone
        self.learner = np.zeros(tables, np.int64)
        """Seats that learn in races, or alone."""
        where: dict[str, Any] = {"threads": threads, "pool": pool, "group": duplicates}
        self.stepper = Races(game, self.learner, **where) if race else Stepper(game, tables, **where)
        self.round = np.zeros(tables // duplicates, np.int64)
        """Number of walls that each group has begun."""
        self.tables = np.zeros(tables, table_dtype(game.players))
        self.tables["tail"] = NO_SLOT
        self.decided = np.zeros(1, np.uint64)
        """Number of decisions listed so far; random numbers are hashed from it."""
        self.decisions = np.zeros(tables * game.players, DECISION_DTYPE)
        self.tally = np.zeros(1, TALLY_DTYPE)
        self._start(np.arange(tables // duplicates))
        self._list()

    @property
    def count(self) -> int:
        """How many decisions are open."""
        return len(self.stepper)

    def step(self, actions: Array) -> None:
        """Answer every open decision, remove ended hands, begin new ones, and list the decisions that are open then."""
        self.stepper.step(actions)
        ended = np.flatnonzero(self.stepper.ended)
        if len(ended):
            self._note_results(ended)
            groups = np.unique(ended // self.duplicates)
            groups = groups[(self.stepper.asked.reshape(-1, self.duplicates)[groups] == 0).all(1)]
            self._close(groups)
            self._start(groups)
        self._list()

    def pack(self, private: Array, hidden: Array | None) -> None:
        """Write the records of the open decisions: uint8[count, private_bytes] and uint8[count, hidden_bytes].

        Also notes what learning needs to know about each decision.
        """
        states, tables, players = self.stepper.states, self.stepper.tables, self.stepper.players
        legal, last = _legal_words(states), self.game.num_actions - 1

        def part(a: int, b: int) -> None:
            if b > a:
                here = slice(a, b)
                note(tables[here], players[here], legal, last, self.decisions[here], self.slots.book)
                unseen = None if hidden is None else hidden[here]
                self.encoder.pack_states(states, tables[here], players[here], private[here], unseen)

        self.stepper.over_decisions(part)

    def read_tally(self) -> Array:
        """What happened since the last call, float64 for each field of `TALLY_DTYPE`."""
        found = self.tally.view(np.float64).copy()
        self.tally.view(np.float64)[:] = 0
        return found

    # --- hands that end and begin

    def _note_results(self, ended: Array) -> None:
        if self.race:
            race_results(self.stepper.states, ended, self.learner, self.tables)
        else:
            self.tables["final"][ended] = self.game.scores(self.stepper.states)[ended]

    def _places(self, groups: Array) -> Array:
        """The tables of groups."""
        g = self.duplicates
        return (groups[:, None] * g + np.arange(g)).reshape(-1)

    def _close(self, groups: Array) -> None:
        """Put the hands of groups that have all ended on the ready list."""
        places = self._places(groups)
        scores = self.tables["final"][places, self.learner[places]]
        self.tally["learner_won"] += (scores > 0).sum()
        self.tally["learner_score"] += scores.sum()
        close_groups(groups, self.duplicates, self.tables, self.slots.book, self.tally)

    def _start(self, groups: Array) -> None:
        """Begin a hand at all tables of some groups, each group on its own wall."""
        if not len(groups):
            return
        seeds = np.zeros(len(groups), np.uint64)
        offset = self.number << 32
        hash_pairs(self.seed, groups + offset, self.round[groups], WALLS, seeds)
        self.round[groups] += 1
        places = self._places(groups)
        rounds = np.repeat(self.round[groups], self.duplicates)
        if self.race or self.alone:
            self.learner[places] = (np.repeat(groups, self.duplicates) + rounds) % self.game.players
        if self.alone:
            self.tables["past"][places] = np.arange(self.game.players) != self.learner[places, None]
        if self.past_share:
            words = np.zeros(len(places), np.uint64)
            hash_pairs(self.seed, places + offset, rounds, SEATS, words)
            seat_past_selves(words, self.past_share, places, self.tables)
        self.stepper.start(np.repeat(seeds, self.duplicates), places)

    def _list(self) -> None:
        """Assign slots and random numbers to the open decisions."""
        m = self.count
        if m > self.slots.free:
            raise RuntimeError(f"{m} decisions need a slot and {self.slots.free} are free: more slots are needed")
        link(self.stepper.tables, self.stepper.players, self.tables, self.slots.book, self.decisions)
        self.tally["decisions"] += m
        random_shares(self.seed, self.number, self.decided, self.decisions, m)

    # --- checkpoints

    def state(self) -> dict[str, Array]:
        """The whole state for a checkpoint, one array for each field."""
        s, d = self.stepper, self.decisions
        t = self.tables
        found = {"tail": t["tail"].copy(), "final": t["final"].copy(), "past": t["past"].astype(np.bool_)}
        found |= {"slots": d["slot"].copy(), "words": d["share"].copy(), "foreign": d["foreign"].copy()}
        found |= {"round": self.round.copy(), "learner": self.learner.copy(), "decided": self.decided.copy()}
        found |= {"asked": s.asked.copy(), "tally": self.tally.view(np.float64).copy()}
        return {**found, "states": s.states.view(np.uint8).copy()}

    def load(self, state: dict[str, Array]) -> None:
        """Continue from a checkpoint; checkpoints older than races have no learners, and whole final scores."""
        for name in ("tail", "final", "past"):
            self.tables[name] = state[name]
        for name, kept in (("slot", "slots"), ("share", "words"), ("foreign", "foreign")):
            self.decisions[name] = state[kept]
        self.round[:] = state["round"]
        self.learner[:] = state.get("learner", self.learner)
        self.decided[:] = state["decided"].view(np.uint64)
        tally = state["tally"]  # the array was shorter before learners had separate figures
        self.tally.view(np.float64)[: len(tally)] = tally
        self.stepper.states.view(np.uint8)[...] = state["states"]
        self.stepper.go_on(state["asked"])


def _legal_words(states: Array) -> Array:
    """The legal actions of all players at all tables as words of bits, int64[n, players, words]."""
    legal = states["legal"]
    return legal if legal.ndim == 3 else legal[:, :, None]


@kernel
def hash_pairs(seed: np.uint64, first: Any, second: Any, stream: int, out: Any) -> None:
    """Hash pairs of numbers into words, uint64[n]."""
    base = rng.key(seed, stream, 0)
    for i in range(len(first)):
        out[i] = rng.key(base, first[i], second[i])


@kernel
def seat_past_selves(words: Any, share: float, places: Any, tables: Any) -> None:
    """Choose the tables at which a past self plays all seats but one."""
    for i in range(len(places)):
        past = tables[places[i]].past
        chosen = float(words[i] >> np.uint64(40)) < share * 16777216.0
        learner = int(words[i] & np.uint64(0xFFFF)) % len(past)
        for player in range(len(past)):
            past[player] = chosen and player != learner


@kernel
def random_shares(seed: np.uint64, number: int, decided: Any, decisions: Any, count: int) -> None:
    """Write a number from 0 up to 1 for each of the next `count` decisions."""
    base = rng.key(seed, CHOICES, number)
    for i in range(count):
        word = rng.mix(base + rng.GAMMA * (decided[0] + np.uint64(i + 1)))
        decisions[i].share = np.float32(word >> np.uint64(40)) / np.float32(16777216.0)
    decided[0] += np.uint64(count)
