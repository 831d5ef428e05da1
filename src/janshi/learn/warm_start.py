"""A warm start by imitation: the policy learns an agent's actions in recorded hands, the value network their results.

The expected reward network, if the variant has one, learns results from the states before the last rounds.

Recorded hands are seeds and answers (`record_hands`), from which the engine rebuilds every position. Random play in
Guobiao hardly ever reaches eight fan, so a run without a warm start sees no reward for a long time. Warm starts are
optional, and noted in the run's directory; the simplified game is learned from scratch, as in the paper.
"""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.core._jit import kernel
from janshi.learn.ppo import Trainer
from janshi.learn.replayed import replayed
from janshi.learn.slots import turned
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

TABLES: Final = 64
RECORDS: Final = 401
"""Separates the walls of recorded hands from all others."""
CHOICES: Final = 402
"""Separates their players' random words."""
BLOCK: Final = 2048
"""Hands replayed at a time."""
RATE, LAST_RATE = 1e-3, 1e-4
"""Adam's first and last rate; it falls linearly during imitation."""
SHARE: Final = 0.98
"""Share of the hands to learn from; the rest is held out."""


class Recorded(NamedTuple):
    """Hands as seeds and answers."""

    seeds: Array  # uint64[h]
    lengths: Array  # int32[h], answers of each hand
    actions: Array  # uint8[sum of lengths], in the order of asking
    scores: Array  # int16[h, players]


def record_hands(game: Game, agent: str, hands: int, seed: int, path: Path, threads: int = 1) -> Recorded:
    """Play at least `count` hands of an agent against itself, on several threads, and write them to an `.npz`.

    Hands are stored as they end, but every hand begun is finished, so that long ones are not underrepresented.
    """
    each = -(-hands // threads)
    desks = [_Desk(game, int(rng.key(np.uint64(seed), thread, RECORDS)), each) for thread in range(threads)]
    players = [make_agent(agent, game) for _ in desks]

    def play(desk: _Desk, player: Any) -> None:
        while desk.playing:
            desk.step(player)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, desks, players))
    done = [one for desk in desks for one in desk.done]
    partial = path.with_name(path.name + ".part.npz")
    write_hands(partial, done)
    os.replace(partial, path)
    return read_hands(path)


def write_hands(path: Path, done: list[tuple[int, list[int], Array]]) -> None:
    """Write hands as (seed, answers, scores)."""
    seeds, answers, scores = zip(*done)
    np.savez_compressed(
        path,
        seeds=np.array(seeds, np.uint64),
        lengths=np.array([len(one) for one in answers], np.int32),
        actions=np.concatenate([np.array(one, np.uint8) for one in answers]),
        scores=np.array(scores, np.int16),
    )


def read_hands(path: Path) -> Recorded:
    """Read recorded hands."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return Recorded(*(file[name] for name in Recorded._fields))
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile):
        raise ValueError(f"{path} holds no recorded hands: expected a file that `janshi train hands` wrote") from None


class _Desk:
    """Tables at which an agent plays a number of hands against itself; every answer is recorded."""

    def __init__(self, game: Game, seed: int, hands: int) -> None:
        self.game, self.seed = game, np.uint64(seed)
        self.hands, self.begun, self.asked = hands, 0, 0
        tables = min(TABLES, hands)
        self.stepper = Stepper(game, tables)
        self.seeds = self._next_seeds(tables)
        self.stepper.start(self.seeds)
        self.answers: list[list[int]] = [[] for _ in range(tables)]
        self.done: list[tuple[int, list[int], Array]] = []

    @property
    def playing(self) -> bool:
        """Whether there are hands left to play."""
        return len(self.done) < self.hands

    def _next_seeds(self, n: int) -> Array:
        numbers = range(self.begun, self.begun + n)
        self.begun += n
        return np.array([rng.key(self.seed, number, RECORDS) for number in numbers], np.uint64)

    def _words(self, n: int) -> Array:
        """Fresh random words, for players that sample their actions."""
        first = self.asked
        self.asked += n
        return np.array([rng.key(self.seed, number, CHOICES) for number in range(first, first + n)], np.uint64)

    def step(self, player: Any) -> None:
        """Answer all open decisions, and begin new hands where some ended."""
        tables, words = self.stepper.tables, self._words(len(self.stepper))
        actions = np.asarray(player.act(Asked(self.game, self.stepper.views(), words, tables)), np.int64)
        for table, action in zip(tables.tolist(), actions.tolist()):
            self.answers[table].append(action)
        self.stepper.step(actions)
        over = np.flatnonzero(self.stepper.ended)
        if len(over):
            self._close(over)

    def _close(self, over: Array) -> None:
        scores = self.game.scores(self.stepper.states)
        for table in over.tolist():
            self.done.append((int(self.seeds[table]), self.answers[table], scores[table].copy()))
            self.answers[table] = []
        again = over[: self.hands - self.begun]
        if len(again):
            self.seeds[again] = self._next_seeds(len(again))
            self.stepper.start(self.seeds[again], again)


class Positions(NamedTuple):
    """Decisions of recorded hands to learn from, in the order of play."""

    private: Array
    hidden: Array | None
    actions: Array  # int64[m]
    returns: Array  # float32[m, players], discounted, beginning with the asked player's
    last: Array  # int64[h], the decisions before last rounds; hands whose second-last turn was forced have none
    results: Array  # float32[h, players], how their hands ended, beginning with the asked player's


def positions(trainer: Trainer, hands: Recorded, numbers: Array) -> Positions:
    """Replay recorded hands, and list every decision with more than one legal action."""
    game, c = trainer.game, trainer.config
    stepper = Stepper(game, len(numbers))
    stepper.start(hands.seeds[numbers])
    states, ends = stepper.states, np.cumsum(hands.lengths)[numbers]
    turns, count = np.full((2, len(numbers)), -1), 0  # the last two turns of each hand, as numbers of decisions
    found: list[tuple[Array, ...]] = []
    for _, tables, players, actions, legal in replayed(stepper, ends - hands.lengths[numbers], ends, hands.actions):
        free = legal.sum(1) > 1
        turn, rows = ~legal[:, -1], np.where(free, count + np.cumsum(free) - 1, -1)
        turns[:, tables[turn]] = turns[1, tables[turn]], rows[turn]
        count += int(free.sum())
        found.append((*pack(trainer, states, tables[free], players[free]), actions[free], tables[free], players[free]))
    private, hidden, actions, tables, players = (np.concatenate(part) for part in zip(*found))
    scores = game.scores(states).astype(np.float32) * np.float32(c.scale)
    left = np.zeros(len(tables), np.int64)
    count_left(tables, players, np.zeros((len(states), game.players), np.int64), left)
    returns = turned(scores[tables], players) * np.float32(c.gamma) ** left[:, None].astype(np.float32)
    last = turns[0][turns[0] >= 0]
    results = turned(scores[tables[last]], players[last])
    return Positions(private, hidden if trainer.needs_hidden else None, actions, returns, last, results)


def pack(trainer: Trainer, states: Array, tables: Array, players: Array) -> tuple[Array, Array]:
    """Private and hidden inputs of some decisions; the latter are empty if the run needs none."""
    encoder = trainer.encoder
    private = np.zeros((len(tables), encoder.private_bytes), np.uint8)
    hidden = np.zeros((len(tables), encoder.hidden_bytes if trainer.needs_hidden else 0), np.uint8)
    encoder.pack_states(states, tables, players, private, hidden if trainer.needs_hidden else None)
    return private, hidden


@kernel
def count_left(tables: Any, players: Any, seen: Any, out: Any) -> None:
    """How many decisions of the same player at the same table follow each."""
    for i in range(len(tables) - 1, -1, -1):
        out[i] = seen[tables[i], players[i]]
        seen[tables[i], players[i]] += 1


def warm_up(trainer: Trainer, path: Path, report: Any = print, epochs: int = 5) -> float:
    """Imitate the recorded hands of a file; returns the share of answers predicted in held-out hands."""
    hands = read_hands(path)
    count = int(len(hands.seeds) * SHARE)
    train_hands, held = np.arange(count), np.arange(count, len(hands.seeds))
    started = time.perf_counter()
    blocks = [train_hands[a : a + BLOCK] for a in range(0, count, BLOCK)]
    kept = list(_map(trainer)(lambda block: positions(trainer, hands, block), blocks))
    total = sum(len(block.actions) for block in kept)
    report(f"warm start: {total:,} decisions of {count:,} hands, made again in {time.perf_counter() - started:.1f} s")
    trainer.imitate.fill_(1)
    trainer.device.synchronize()
    done = 0
    for epoch in range(epochs):
        for piece in _pieces(kept, trainer.most, np.random.default_rng([trainer.config.seed, epoch, 3])):
            rate = RATE + (LAST_RATE - RATE) * done / (epochs * total)
            trainer.networks.set_rates(rate, rate)
            _learn_piece(trainer, piece, epoch)
            done += len(piece.actions)
        _learn_expected(trainer, kept, epoch)
    trainer.networks.set_rates(trainer.config.rate, trainer.config.value_rate or trainer.config.rate)
    trainer.imitate.fill_(0)
    trainer.networks.forget_moments()
    trainer.players.begin_with(trainer.policy)
    trainer.device.synchronize()
    agreed = 0.0
    if len(held):
        rest = positions(trainer, hands, held)
        agreed = agreement(trainer, rest)
        _measure_expected(trainer, rest, report)
    seconds = time.perf_counter() - started
    report(f"warm start: {100 * agreed:.1f} % of held-out answers guessed, after {seconds:.1f} s in all")
    trainer.seconds += seconds
    return agreed


def _map(trainer: Trainer) -> Callable[..., Iterable[Any]]:
    """Applies a function to many things, on the threads that step tables."""
    return map if trainer.pool is None else trainer.pool.map


def _pieces(kept: list[Positions], most: int, random: Any) -> Iterator[Positions]:
    """Yield positions in random order, as many at a time as fit."""
    sizes = np.cumsum([0] + [len(block.actions) for block in kept])
    order = random.permutation(int(sizes[-1]))
    for a in range(0, len(order), most):
        at = np.sort(order[a : a + most])
        block = np.searchsorted(sizes, at, "right") - 1
        parts = [(i, at[block == i] - sizes[i]) for i in np.unique(block)]
        private = np.concatenate([kept[i].private[rows] for i, rows in parts])
        hidden = None
        if kept[0].hidden is not None:
            hidden = np.concatenate([kept[i].hidden[rows] for i, rows in parts])
        actions = np.concatenate([kept[i].actions[rows] for i, rows in parts])
        returns = np.concatenate([kept[i].returns[rows] for i, rows in parts])
        yield Positions(private, hidden, actions, returns, kept[0].last[:0], kept[0].results[:0])


def _learn_piece(trainer: Trainer, piece: Positions, epoch: int) -> None:
    """Learn from one such set of positions."""
    b, k, device = trainer.batch, len(piece.actions), trainer.device
    device.put(b.private, piece.private)
    if b.hidden is not None and piece.hidden is not None:
        device.put(b.hidden, piece.hidden)
    device.put(b.actions, piece.actions)
    returns = piece.returns[:, : trainer.critic.parts]
    device.put(b.targets, returns)
    device.put(b.values, returns)
    for _ in trainer.epochs([device.upload(np.random.default_rng([epoch, k]).permutation(k))]):
        pass
    device.wait_for_learning()


def _learn_expected(trainer: Trainer, kept: list[Positions], epoch: int) -> None:
    """Train the expected reward network on the states before last rounds, at the values' rate."""
    expected = trainer.expected
    if expected is None:
        return
    private, hidden, results = (np.concatenate(part) for part in zip(*map(_last_rounds, kept)))
    order = np.random.default_rng([trainer.config.seed, epoch, 4]).permutation(len(results))
    for a in range(0, len(order), expected.most):
        at = order[a : a + expected.most]
        expected.put(private[at], hidden[at], results[at])
        for _ in expected.learn([trainer.device.upload(np.arange(len(at)))]):
            pass
        trainer.device.wait_for_learning()


def _last_rounds(found: Positions) -> tuple[Array, Array, Array]:
    """Records of the states before last rounds, and the results of their hands."""
    assert found.hidden is not None
    return found.private[found.last], found.hidden[found.last], found.results


def _measure_expected(trainer: Trainer, held: Positions, report: Any) -> None:
    """Measure how much of held-out hands' results the expected reward network explains."""
    expected = trainer.expected
    if expected is None or not len(held.last):
        return
    n = min(len(held.last), expected.most)
    expected.put(*(part[:n] for part in _last_rounds(held)))
    expected.error, expected.spread = -1.0, 0.0
    expected.measure(n)
    share = 1 - expected.error / max(expected.spread, 1e-9)
    report(f"warm start: expected rewards explain {100 * share:.0f} % of {n} held-out hands' results")


def agreement(trainer: Trainer, held: Positions) -> float:
    """The share of answers that the policy agrees with."""
    from janshi.learn.training import greedy

    with trainer.device.learning():
        return float((greedy(trainer, held.private) == held.actions).mean())
