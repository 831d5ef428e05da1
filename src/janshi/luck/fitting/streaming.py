"""Training on games as they are played: every game is new, and only the network is stored.

Processes play games between our own players, walk through their hands and put the examples into shared memory. The
trainer copies them to its device, mixes those of many units and learns from them. All cores play, and the device never
waits for a file. Processes are forked, so this needs Linux or macOS, and must start before a GPU is used.
"""

from __future__ import annotations

import math
import mmap
import multiprocessing as mp
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import Empty
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.luck.agent_styles import STYLED_WIDTH
from janshi.luck.features import TILE, WIDTH
from janshi.luck.fitting.self_play import TABLES, play_table
from janshi.luck.fitting.training import SAVE_SECONDS, CriticConfig, Examples, Losses, Report, Trainer, Walker
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS

SLOTS: Final = 2
"""Units that a process may finish in advance before it waits."""
ROOM: Final = 320
"""Space for examples per game, on average. A South game has some 500 draws, a part of which are used."""
MIXED: Final = 400_000
"""Examples mixed before learning, from some twenty units with all mixtures of players."""
PATIENCE: Final = 5.0
"""Seconds without a result before the processes are checked."""
TELL_SECONDS: Final = 10.0


@dataclass(frozen=True)
class StreamConfig:
    """The games to play."""

    rules: tuple[str, ...]
    """Rules, used in turn, each for one round of all tables."""
    seed: int
    games: int = 150
    """Games per unit."""
    workers: int = 1


class Unit(NamedTuple):
    """Examples of some games, in shared memory until the next unit is taken."""

    number: int
    games: int
    hands: int
    examples: Examples


class Slot:
    """Shared memory for the examples of a unit."""

    def __init__(self, room: int, width: int) -> None:
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "rows": ((room, width), np.float32),
            "tiles": ((room, TILE), np.float32),
            "who": ((room,), np.int64),
            "winner": ((room,), np.int64),
            "amounts": ((room, AMOUNTS), np.float32),
            "tenpai": ((room, PLAYERS), np.float32),
        }
        self.room = room
        self._columns = []
        for shape, dtype in shapes.values():
            memory = mmap.mmap(-1, math.prod(shape) * np.dtype(dtype).itemsize)
            self._columns.append(np.frombuffer(memory, dtype).reshape(shape))

    def write(self, examples: Examples) -> int:
        """Store as many examples as fit; returns how many."""
        size = min(len(examples.rows), self.room)
        for column, values in zip(self._columns, examples):
            column[:size] = values[:size]
        return size

    def read(self, size: int) -> Examples:
        """The examples, without copying."""
        return Examples(*(column[:size] for column in self._columns))


class Stream:
    """Processes that play games and walk through them after `begin`; `units()` yields results as they arrive."""

    def __init__(self, config: StreamConfig, critic: CriticConfig) -> None:
        context = mp.get_context("fork")
        width = STYLED_WIDTH if critic.styles else WIDTH
        self._ready: Any = context.Queue()
        self._free: list[Any] = []
        self._slots: list[list[Slot]] = []
        self._processes: list[Any] = []
        _make_unit(config, critic, 0, None, games=1)  # loads the kernels once for all processes
        for worker in range(config.workers):
            slots, free = [Slot(ROOM * config.games, width) for _ in range(SLOTS)], context.SimpleQueue()
            arguments = (config, critic, worker, slots, free, self._ready)
            process = context.Process(target=_work, args=arguments, daemon=True)
            process.start()
            self._slots.append(slots)
            self._free.append(free)
            self._processes.append(process)

    def begin(self, first: int) -> None:
        """Start the processes, with unit number `first`."""
        for free in self._free:
            for word in (first, *range(SLOTS)):
                free.put(word)

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def units(self) -> Iterator[Unit]:
        """Yield units indefinitely."""
        while True:
            worker, slot, number, games, hands, size = self._next()
            yield Unit(number, games, hands, self._slots[worker][slot].read(size))
            self._free[worker].put(slot)

    def _next(self) -> Any:
        while True:
            try:
                return self._ready.get(timeout=PATIENCE)
            except Empty:
                for worker, process in enumerate(self._processes):
                    if not process.is_alive():
                        raise RuntimeError(f"worker process {worker} exited with code {process.exitcode}") from None


def _work(config: StreamConfig, critic: CriticConfig, worker: int, slots: list[Slot], free: Any, ready: Any) -> None:
    """Make work units indefinitely: worker i makes every n-th unit, from `first` + i on, with n workers."""
    walker: Walker | None = None
    for number in count(free.get() + worker, config.workers):
        walker, examples = _make_unit(config, critic, number, walker, config.games)
        slot = free.get()
        size = slots[slot].write(examples)
        ready.put((worker, slot, number, len(walker.games), len(walker.games.hands), size))


def rules_of_unit(config: StreamConfig, number: int) -> str:
    """The rules of a unit; they change after each round of all tables."""
    return config.rules[number // len(TABLES) % len(config.rules)]


def _make_unit(
    config: StreamConfig, critic: CriticConfig, number: int, walker: Walker | None, games: int
) -> tuple[Walker, Examples]:
    """Play the games of a unit and walk through them, with a new walker if the old one is too small."""
    played = play_table(rules_of_unit(config, number), number, games, config.seed)
    if walker is None or len(played.hands) > walker.chunk:
        walker = Walker(played, critic.draws, len(played.hands) * 5 // 4, critic.styles, critic.unknown)
    walker.take(played)
    return walker, walker.examples(config.seed + number, 0)


class StreamTrainer(Trainer):
    """Trains for a given time on games as they are played. It can be stopped, and resumes from its checkpoint."""

    def __init__(self, critic: CriticConfig, stream: StreamConfig, folder: Path) -> None:
        self.stream = Stream(stream, critic)  # before a GPU is used: processes are forked
        self.seen = {"games": 0, "hands": 0, "examples": 0, "units": 0}
        """Counts of the examples used. Units are numbered, and a resumed run starts after the last one."""
        super().__init__(critic, folder)

    def run(self, minutes: float, report: Report = print) -> None:
        """Train until the run has taken `minutes` in total, including resumed parts; the rate falls with time."""
        try:
            if self.seconds >= 60 * minutes:
                return
            self.stream.begin(self.seen["units"])
            self._run(self.stream.units(), 60 * minutes, report)
        finally:
            self.stream.close()
        self.save()

    def _run(self, units: Iterator[Unit], seconds: float, report: Report) -> None:
        saved = reported = time.monotonic()
        began, had = saved - self.seconds, self.seen["examples"]
        for pool in self._pools(units):
            losses = self._learn_pool(pool, began, seconds)
            now = time.monotonic()
            if now - reported > TELL_SECONDS or now - began >= seconds:
                rate = (self.seen["examples"] - had) / (now - reported)
                parts = ", ".join(f"{name} {loss:.4f}" for name, loss in zip(Losses._fields, losses))
                report(f"{self.seen['games']:,} games, {self.seen['hands']:,} hands: {parts}; {rate:,.0f} examples/s")
                reported, had = now, self.seen["examples"]
            self.seconds = now - began
            if self.seconds >= seconds:
                return
            if now - saved > SAVE_SECONDS:
                self.save()
                saved = now

    def _pools(self, units: Iterator[Unit]) -> Iterator[list[Tensor]]:
        """Yield pools of examples on the device; the next one is copied during learning."""
        with ThreadPoolExecutor(1) as helper:
            coming = helper.submit(self._pool, units)
            while True:
                pool, seen = coming.result()
                coming = helper.submit(self._pool, units)
                for name, number in seen.items():
                    self.seen[name] = max(self.seen[name], number) if name == "units" else self.seen[name] + number
                yield pool

    def _pool(self, units: Iterator[Unit]) -> tuple[list[Tensor], dict[str, int]]:
        """The examples of enough units, on the device, and their number of games."""
        device, size, parts = self.config.device, 0, []
        seen = {"games": 0, "hands": 0, "units": 0}
        stream = torch.cuda.Stream(device) if device.startswith("cuda") else None  # type: ignore[no-untyped-call]
        with torch.cuda.stream(stream):
            while size < MIXED:
                unit = next(units)
                parts.append([torch.from_numpy(column).to(device, copy=True) for column in unit.examples])
                size += len(unit.examples.rows)
                seen["games"] += unit.games
                seen["hands"] += unit.hands
                seen["units"] = max(seen["units"], unit.number + 1)
            pool = [torch.cat(columns) for columns in zip(*parts)]
        if stream is not None:
            stream.synchronize()
        return pool, seen

    def _learn_pool(self, pool: list[Tensor], began: float, seconds: float) -> list[float]:
        """Learn from all examples of a pool in random order; returns their mean losses."""
        batch, device = self.config.batch, self.config.device
        order = torch.randperm(len(pool[0]), generator=torch.Generator().manual_seed(self.done)).to(device)
        total = [torch.zeros((), device=device) for _ in Losses._fields]
        steps = len(order) // batch
        for step in range(steps):
            self.set_rate((time.monotonic() - began) / seconds)
            some = order[step * batch : (step + 1) * batch]
            total = [old + new for old, new in zip(total, self.learn([column[some] for column in pool]))]
        self.done += 1
        self.seen["examples"] += steps * batch
        return [float(part) / max(steps, 1) for part in total]  # waits: the pool may go now
