"""The device runtime, which makes learning fast on a GPU; on a CPU it is plain PyTorch.

A GPU has two streams: one for playing, which has priority, and one for learning. Work repeated on fixed tensors is
compiled, recorded as a CUDA graph and replayed. Tables are split into two halves: while the CPU's threads step one
half, the device evaluates the other half's decisions (`Half`). Nothing here depends on the learning algorithm.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from janshi.learn.processes import world
from janshi.learn.self_play import SelfPlay
from janshi.rules.game import Array

ADAM_EPSILON: Final = 1e-5
GPU_ROWS: Final = 256
"""On a GPU, the number of decisions evaluated at once is a multiple of this."""
Act = Callable[[Tensor, Tensor | None, Tensor, Tensor, Tensor], Tensor]
"""Returns actions, given private inputs, hidden inputs, slots, random numbers, and whether a past self decides."""


class Device:
    """A CPU or a GPU: its memory, streams and precision, and how it runs repeated work."""

    def __init__(self, name: str = "", compiled: bool = True, half_precision: bool = True) -> None:
        """`name` is cuda or cpu; empty to detect it."""
        self.world = world()
        self.torch = torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.gpu = self.torch.type == "cuda"
        self.recorded = self.gpu and compiled
        self._half_precision = self.gpu and half_precision
        torch.backends.cudnn.benchmark = self.gpu  # shapes are fixed, so let cuDNN find the fastest kernels
        self.play_stream = _cuda().Stream(priority=-1) if self.gpu else None
        self.learn_stream = _cuda().Stream() if self.gpu else None

    def playing(self) -> AbstractContextManager[Any]:
        """A context that runs work on the playing stream."""
        return on_stream(self.play_stream)

    def learning(self) -> AbstractContextManager[Any]:
        """A context that runs work on the learning stream."""
        return on_stream(self.learn_stream)

    def precision(self) -> AbstractContextManager[Any]:
        """Half precision on a GPU."""
        return torch.autocast("cuda", torch.bfloat16, cache_enabled=False) if self._half_precision else nullcontext()

    def any_size(self) -> AbstractContextManager[Any]:
        """A context for batches of varying sizes, in which cuDNN does not try out its kernels for each new size."""
        if not self.gpu:
            return nullcontext()
        kept = torch.backends.cudnn
        return kept.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=kept.allow_tf32)

    # --- memory

    def zeros(self, shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> Tensor:
        """Memory on the device."""
        return torch.zeros(shape, dtype=dtype, device=self.torch)

    def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        """Memory on the host that a GPU can copy from while the CPU continues."""
        return torch.zeros(shape, dtype=dtype, pin_memory=self.gpu)

    def upload(self, values: Array) -> Tensor:
        """Copy numbers to the device without waiting for its pending work."""
        here = torch.from_numpy(np.ascontiguousarray(values))
        if not self.gpu:
            return here
        with self.learning():
            return here.pin_memory().to(self.torch, non_blocking=True)

    def rows(self, room: Tensor, numbers: Tensor) -> Tensor:
        """Numbers of the rows to learn from next; on a GPU, copied to where replayed work reads them."""
        if not self.gpu:
            return numbers
        with self.learning():
            return room.copy_(numbers)

    def put(self, room: Tensor, values: Array) -> None:
        """Copy numbers to the first rows of a tensor on the device."""
        with self.learning():
            room[: len(values)] = self.upload(values)

    # --- repeated work

    def compiled(self, work: Any) -> Any:
        """Compile for fixed shapes on a GPU; returns the original if compiling fails."""
        if not self.recorded:
            return work
        compiled: Any = torch.compile(work, dynamic=False)
        state = {"plain": False}

        def call(*args: Any) -> Any:
            if not state["plain"]:
                try:
                    return compiled(*args)
                except Exception as error:  # a compiler may raise anything: the plain network gives the same
                    print(f"compiling failed, continuing without it: {str(error)[:500]}", flush=True)
                    state["plain"] = True
            return work(*args)

        return call

    def replayed(self, work: Callable[[], None], copies: int = 1) -> Replayed:
        """Learning work on fixed tensors; as a CUDA graph if possible, that is in a single process."""
        return Replayed(work, self.learn_stream, self.recorded and self.world.size == 1, copies)

    # --- waiting

    def synchronize(self) -> None:
        """Wait until a GPU has finished all its work."""
        if self.gpu:
            torch.cuda.synchronize()

    def wait_for_learning(self) -> None:
        """Wait until the learning stream has finished all its work."""
        if self.learn_stream is not None:
            self.learn_stream.synchronize()

    def until_learned(self) -> Iterator[None]:
        """Yield until the learning stream has finished the work submitted so far."""
        if self.learn_stream is not None:
            event = _cuda().Event()
            event.record(self.learn_stream)
            while not event.query():
                yield

    def learn_after_play(self) -> None:
        """Make the learning stream wait for the playing stream's work."""
        if self.learn_stream is not None:
            self.learn_stream.wait_stream(self.play_stream)


class Replayed:
    """Work on fixed tensors: run normally a few times, then recorded and replayed as a CUDA graph if possible.

    Several `copies` are recorded and replayed in turn, because a graph waits for its own last replay.
    """

    PLAIN: Final = 3

    def __init__(self, work: Callable[[], None], stream: Any, recorded: bool, copies: int = 1) -> None:
        self._work, self._stream, self._left = work, stream, self.PLAIN if recorded else -1
        self._graphs: deque[Any] = deque()
        self._copies = copies

    @property
    def graphs(self) -> int:
        """How many CUDA graphs are recorded."""
        return len(self._graphs)

    def __call__(self) -> None:
        """Do the work."""
        with on_stream(self._stream):
            if self._left < 0:
                self._work()
            elif self._left > 0:
                self._left -= 1
                self._work()
            elif len(self._graphs) < self._copies:
                self._record()
            else:
                self._graphs[0].replay()
                self._graphs.rotate()

    def _record(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            torch.cuda.synchronize()
            with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
                self._work()
        except RuntimeError as error:
            print(f"no CUDA graph, continuing without it: {error}", flush=True)
            self._left = -1
            self._work()
            return
        self._graphs.appendleft(graph)
        graph.replay()


class Half:
    """One half of the tables: sends its decisions to the device, which runs `act`, and receives the actions."""

    NAMES: Final = ("private", "hidden", "slots", "shares", "foreign", "actions")

    def __init__(self, device: Device, tables: SelfPlay, act: Act, hidden: bool) -> None:
        """`hidden` is whether to store hidden inputs too."""
        self.device, self.tables, self._act = device, tables, act
        encoder, count = tables.encoder, len(tables.tables)
        most = count * tables.game.players
        self.size = most if not device.gpu else -(-int(1.1 * count) // GPU_ROWS) * GPU_ROWS
        room = -(-most // self.size) * self.size
        self.private = device.host((room, encoder.private_bytes), torch.uint8)
        self.hidden = device.host((room, encoder.hidden_bytes), torch.uint8) if hidden else None
        self.slots = device.host((room,), torch.int64)
        self.shares = device.host((room,), torch.float32)
        self.foreign = device.host((room,), torch.bool)
        self.actions = device.host((room,), torch.int64)
        self.slots.fill_(tables.slots.capacity)
        self._event: Any = _cuda().Event() if device.gpu else None
        if device.gpu:
            here = {name: getattr(self, name) for name in self.NAMES if getattr(self, name) is not None}
            self._there = {name: torch.zeros_like(one[: self.size], device=device.torch) for name, one in here.items()}
            self.replayed = Replayed(self._act_there, device.play_stream, device.recorded)

    def submit(self) -> None:
        """Pack the open decisions and begin to evaluate them."""
        n = self.tables.count
        hidden = None if self.hidden is None else self.hidden.numpy()[:n]
        self.tables.pack(self.private.numpy()[:n], hidden)
        decisions = self.tables.decisions[:n]
        self.slots.numpy()[:n] = decisions["slot"]
        self.shares.numpy()[:n] = decisions["share"]
        self.foreign.numpy()[:n] = decisions["foreign"]
        if self.device.gpu:
            self._submit_there(n)
            return
        seen = None if self.hidden is None else self.hidden[:n]
        self.actions[:n] = self._act(self.private[:n], seen, self.slots[:n], self.shares[:n], self.foreign[:n])

    def _submit_there(self, n: int) -> None:
        """Send n decisions to a GPU in pieces of one size, and their actions back."""
        end = -(-n // self.size) * self.size
        self.slots[n:end].fill_(self.tables.slots.capacity)  # padding goes to an unused slot
        with self.device.playing():
            for a in range(0, end, self.size):
                for name, there in self._there.items():
                    if name != "actions":
                        there.copy_(getattr(self, name)[a : a + self.size], non_blocking=True)
                self.replayed()
                self.actions[a : a + self.size].copy_(self._there["actions"], non_blocking=True)
            self._event.record()

    def _act_there(self) -> None:
        x = self._there
        x["actions"].copy_(self._act(x["private"], x.get("hidden"), x["slots"], x["shares"], x["foreign"]))

    def wait(self) -> Array:
        """Wait for the actions, int64[count]."""
        if self._event is not None:
            self._event.synchronize()
        return self.actions.numpy()[: self.tables.count]


class Clock:
    """Measures how the loop spends its time."""

    def __init__(self) -> None:
        self._last, self._spent = time.perf_counter(), dict[str, float]()

    def note(self, what: str) -> None:
        """Add the time since the last call to `what`."""
        now = time.perf_counter()
        self._spent[what] = self._spent.get(what, 0.0) + now - self._last
        self._last = now

    def shares(self) -> dict[str, float]:
        """The share of each."""
        total = sum(self._spent.values()) or 1.0
        return {what: seconds / total for what, seconds in self._spent.items()}


# --- Adam, whose rates a CUDA graph reads from the device


def adam(device: Device, *networks: tuple[nn.Module, float]) -> torch.optim.Optimizer:
    """Adam over networks, each with its own rate."""
    groups = [
        {"params": [*net.parameters()], "lr": torch.tensor(rate, device=device.torch) if device.gpu else rate}
        for net, rate in networks
    ]
    return torch.optim.Adam(groups, eps=ADAM_EPSILON, capturable=device.gpu, fused=device.gpu or None)


def set_rates(device: Device, optimiser: torch.optim.Optimizer, rates: Iterable[float]) -> None:
    """Set the rate of each of an optimiser's networks from now on."""
    with device.learning():
        for group, rate in zip(optimiser.param_groups, rates):
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate


def forget_moments(optimiser: torch.optim.Optimizer) -> None:
    """Reset Adam."""
    for state in optimiser.state.values():
        for value in state.values():
            if isinstance(value, Tensor):
                value.zero_()


def clip_gradients(network: nn.Module, most: float, device: Device) -> None:
    """Average a network's gradient over all processes, and clip its norm to `most`."""
    device.world.average(network)
    nn.utils.clip_grad_norm_(network.parameters(), most, foreach=device.gpu or None)


def on_stream(stream: Any) -> AbstractContextManager[Any]:
    """A context in which a GPU's work goes to the stream; None does nothing."""
    return nullcontext() if stream is None else torch.cuda.stream(stream)


def _cuda() -> Any:
    """torch.cuda, parts of which have no types."""
    return torch.cuda
