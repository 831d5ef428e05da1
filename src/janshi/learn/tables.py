"""Tables of self-play: many hands stepped by kernels on several threads, and what is remembered of their decisions.

What is decided is remembered in slots (`slots`). A hand that is still being played when a rollout ends simply goes on:
its decisions are learned from when it has ended, with the chances under which they were taken.

With `duplicates` g, tables stand in groups of g that play the same walls. A group goes on to the next wall when all its
hands have ended, and each hand learns how its wall ended on average at the group's other tables. In races (`race`) only
one seat of a group decides, and the others play by themselves; with `alone` the others are played by a past self.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features.planes import Encoder
from janshi.learn.race import begin_races, race_results, race_tables
from janshi.learn.slots import FREE, NO_SLOT, Slots, close_groups, link, note
from janshi.rules.batch import count_asked, list_asked
from janshi.rules.game import Array, Game

WALLS, CHOICES, SEATS = 201, 202, 203
"""Keep random streams apart: of walls, of actions, and of who sits where."""


class Tables:
    """Tables stepped together. `count` decisions are open: `tables[:count]`, `players`, `slots` and random `words`."""

    def __init__(
        self,
        game: Game,
        encoder: Encoder,
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
            raise ValueError(f"tables must be a multiple of duplicates: {tables} is none of {duplicates}")
        self.game, self.encoder, self.slots_of = game, encoder, slots
        self.seed, self.number, self.duplicates, self.past_share = (
            np.uint64(seed % 2**64),
            number,
            duplicates,
            past_share,
        )
        self.race, self.alone = race, alone
        self._pool = pool
        groups = tables // duplicates
        bounds = np.linspace(0, groups, min(threads, groups) + 1).astype(np.int64) * duplicates
        self._parts = list(zip(bounds[:-1].tolist(), bounds[1:].tolist()))
        self._contexts = [game.new_context() for _ in self._parts]
        self.states = game.new_states(tables)
        self.round = np.zeros(groups, np.int64)
        self.tail = np.full(tables, NO_SLOT, np.int32)
        self.final = np.zeros((tables, game.players), np.float32)
        self.learner = np.zeros(tables, np.int64)
        """Seats that learn in races, or alone."""
        self.past = np.zeros((tables, game.players), np.bool_)
        """Seats played by a past self."""
        self.asked = np.zeros(tables, np.int64)
        self.first = np.zeros(tables + 1, np.int64)
        self.decided = np.zeros(1, np.uint64)
        """Decisions ever listed: what their random words are hashed from."""
        most = tables * game.players
        self.tables, self.players = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self.slots = np.zeros(most, np.int32)
        self.words = np.zeros(most, np.float32)
        self.foreign = np.zeros(most, np.bool_)
        self.tally = np.zeros(7, np.float64)
        """Since it was last read: hands, hands won, points of the winners, decisions, forced ones of ended hands, and
        hands won by seats that learn, and their scores."""
        self._start(np.arange(groups))
        self._list()

    @property
    def count(self) -> int:
        """How many decisions are open."""
        return int(self.first[-1])

    def step(self, actions: Array) -> None:
        """Answer every open decision, take ended hands off, begin new ones, and list what is open then."""
        self._each(lambda i, a, b: self._step_part(i, a, b, actions))
        asked = self._asked(self.states, self.learner)
        ended = np.flatnonzero((asked == 0) & (self.asked != 0))
        self.asked[:] = asked
        if len(ended):
            if self.race:
                race_results(self.states, ended, self.learner, self.final)
            else:
                self.final[ended] = self.game.scores(self.states)[ended]
            g = self.duplicates
            groups = np.unique(ended // g)
            groups = groups[(self.asked.reshape(-1, g)[groups] == 0).all(1)]
            self._close(groups)
            self._start(groups)
        self._list()

    def _step_part(self, part: int, a: int, b: int, actions: Array) -> None:
        if self.race:
            race_tables(self.states[a:b], self.learner[a:b], self.first[a : b + 1], actions, *self._contexts[part])
            return
        self.game.step(self.states[a:b], self.first[a : b + 1], actions, False, self._contexts[part])

    def _places(self, groups: Array) -> Array:
        """The tables of groups."""
        g = self.duplicates
        return (groups[:, None] * g + np.arange(g)).reshape(-1)

    def _asked(self, states: Array, learners: Array) -> Array:
        """Bit sets of the players who are asked; in races of the learner alone."""
        asked = self.game.asked(states)
        return np.asarray(asked & (1 << learners)) if self.race else asked

    def _close(self, groups: Array) -> None:
        """Put the hands of groups that have all ended on the ready list."""
        s = self.slots_of
        places = self._places(groups)
        scores = self.final[places, self.learner[places]]
        self.tally[5:] += (scores > 0).sum(), scores.sum()
        close_groups(
            groups,
            self.duplicates,
            self.final,
            self.tail,
            s.previous,
            s.notes,
            s.free,
            s.slot,
            s.before,
            s.first,
            s.scores,
            s.elsewhere,
            s.last_round,
            s.counts,
            self.tally,
        )

    def pack(self, private: Array, hidden: Array | None) -> None:
        """Write the records of the open decisions: uint8[count, private_bytes] and uint8[count, hidden_bytes].

        What is to be noted of the decisions is noted too.
        """
        s, legal = self.slots_of, _words(self.states)

        def part(_: int, a: int, b: int) -> None:
            first, end = int(self.first[a]), int(self.first[b])
            here = slice(first, end)
            if end > first:
                note(
                    self.tables[here],
                    self.players[here],
                    legal,
                    self.game.num_actions - 1,
                    self.past,
                    self.slots[here],
                    s.notes,
                )
                self.encoder.pack_states(
                    self.states,
                    self.tables[here],
                    self.players[here],
                    private[here],
                    None if hidden is None else hidden[here],
                )

        self._each(part)

    # --- within

    def _start(self, groups: Array) -> None:
        """Begin a hand at all tables of some groups, on a wall that no other group has."""
        if not len(groups):
            return
        seeds = np.zeros(len(groups), np.uint64)
        offset = self.number << 32
        hash_pairs(self.seed, groups + offset, self.round[groups], WALLS, seeds)
        self.round[groups] += 1
        g = self.duplicates
        places = self._places(groups)
        fresh = self.game.new_states(len(places))
        self.game.start(fresh, np.repeat(seeds, g), self._contexts[0])
        if self.race or self.alone:
            self.learner[places] = np.repeat((groups + self.round[groups]) % self.game.players, g)
        if self.alone:
            self.past[places] = np.arange(self.game.players) != self.learner[places, None]
        if self.race:
            begin_races(fresh, self.learner[places], *self._contexts[0])
        whole = np.dtype((np.void, self.states.dtype.itemsize))
        self.states.view(whole)[places] = fresh.view(whole)
        self.asked[places] = self._asked(fresh, self.learner[places])
        if self.past_share:
            words = np.zeros(len(places), np.uint64)
            hash_pairs(self.seed, places + offset, np.repeat(self.round[groups], g), SEATS, words)
            seat_past_selves(words, self.past_share, places, self.past)

    def _list(self) -> None:
        """List the open decisions, each with a slot and a random word."""
        count_asked(self.asked, self.first)
        list_asked(self.asked, self.tables, self.players)
        s, m = self.slots_of, self.count
        if m > s.counts[FREE]:
            raise RuntimeError(f"{m} decisions need a slot and {s.counts[FREE]} are free: more slots are needed")
        link(
            m,
            self.tables,
            self.players,
            self.past,
            self.tail,
            s.previous,
            s.player,
            s.free,
            s.counts,
            self.slots,
            self.foreign,
        )
        self.tally[3] += m
        random_shares(self.seed, self.number, self.decided, self.words, m)

    def _each(self, work: Callable[[int, int, int], Any]) -> list[Any]:
        """Do work(part, first table, past last table) for all parts, on the threads there are."""
        if self._pool is None or len(self._parts) == 1:
            return [work(i, *part) for i, part in enumerate(self._parts)]
        others = [self._pool.submit(work, i, *self._parts[i]) for i in range(1, len(self._parts))]
        return [work(0, *self._parts[0]), *(other.result() for other in others)]

    def pool_map(self, work: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        """Do other work on the same threads."""
        return [work(item) for item in items] if self._pool is None else list(self._pool.map(work, items))

    _ARRAYS = (
        "round",
        "tail",
        "final",
        "past",
        "learner",
        "asked",
        "first",
        "decided",
        "tables",
        "players",
        "slots",
        "words",
        "foreign",
        "tally",
    )

    def state(self) -> dict[str, Array]:
        """All of it, for a checkpoint."""
        found = {name: getattr(self, name).copy() for name in self._ARRAYS}
        return {**found, "states": self.states.view(np.uint8).copy()}

    def load(self, state: dict[str, Array]) -> None:
        """Go on from a checkpoint; those from before there were races have no learners, and whole final scores."""
        for name in self._ARRAYS:
            room = getattr(self, name)
            kept = state.get(name, room)
            if name == "tally":
                room = room[: len(kept)]  # it was shorter when learners were not told of
            room[...] = kept
        self.states.view(np.uint8)[...] = state["states"]


def _words(states: Array) -> Array:
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
def seat_past_selves(words: Any, share: float, places: Any, past: Any) -> None:
    """At a share of the tables, all seats but one are played by a past self."""
    players = past.shape[1]
    for i in range(len(places)):
        chosen = float(words[i] >> np.uint64(40)) < share * 16777216.0
        learner = int(words[i] & np.uint64(0xFFFF)) % players
        for player in range(players):
            past[places[i], player] = chosen and player != learner


@kernel
def random_shares(seed: np.uint64, number: int, decided: Any, out: Any, count: int) -> None:
    """Write a number from 0 up to 1, float32, for each of the next `count` decisions."""
    base = rng.key(seed, CHOICES, number)
    for i in range(count):
        word = rng.mix(base + rng.GAMMA * (decided[0] + np.uint64(i + 1)))
        out[i] = np.float32(word >> np.uint64(40)) / np.float32(16777216.0)
    decided[0] += np.uint64(count)
