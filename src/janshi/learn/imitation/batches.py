"""Examples on the training device, and batches of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from janshi.core.tiles import NUM_KINDS
from janshi.learn.imitation.examples import Selection, examples
from janshi.learn.imitation.network import VALUE_UNIT, Suits
from janshi.records.compact import CompactHands
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.riichi.actions import NUM_ACTIONS

LEAST_VALUE: Final = 1000.0
TARGETS: Final = ("waits", "rons", "value", "value_kind", "action", "end", "ranks")


class Batch(NamedTuple):
    """Examples in the form that the network and its loss take."""

    inputs: Tensor  # int64 (B, ROOM)
    drawn: Tensor  # int64 (B,)
    legal: Tensor  # bool (B, 120)
    action: Tensor  # int64 (B,)
    waits: Tensor  # float (B, 3, 34)
    rons: Tensor  # float (B, 3, 34)
    value: Tensor  # float (B, 3), log of payment / VALUE_UNIT for a win on one kind; 0 where there is none
    value_kind: Tensor  # int64 (B, 3), that kind
    has_value: Tensor  # bool (B, 3)
    end: Tensor  # int64 (B,)
    ranks: Tensor  # int64 (B, 4); 4 if unknown
    taught: Tensor | None = None  # float (B, 120), the policy of teachers


@dataclass
class DeviceExamples:
    """All examples of a selection, packed, on one device."""

    inputs: Tensor  # int16 (N, ROOM)
    legal: Tensor  # int64 (N, 2)
    drawn: Tensor  # int16 (N,)
    targets: dict[str, Tensor]
    facts: Any
    """TARGETS_DTYPE[N], in host memory."""
    taught: Tensor | None = None  # float16 (N, 120), the policy of teachers

    def __len__(self) -> int:
        return len(self.inputs)

    def sample(self, n: int, seed: int = 0) -> DeviceExamples:
        """At most `n` examples, chosen at random."""
        return self.take(np.random.default_rng(seed).permutation(len(self))[:n])

    def take(self, chosen: npt.NDArray[np.int64]) -> DeviceExamples:
        """Some of the examples, by number."""
        rows = torch.from_numpy(chosen).to(self.inputs.device)
        targets = {name: target[rows] for name, target in self.targets.items()}
        taught = None if self.taught is None else self.taught[rows]
        return DeviceExamples(
            self.inputs[rows], self.legal[rows], self.drawn[rows], targets, self.facts[chosen], taught
        )

    def batch(self, rows: Tensor, suits: Suits | None = None, generator: torch.Generator | None = None) -> Batch:
        """Some examples; if `suits` is given, each with its suits permuted at random."""
        inputs, drawn = self.inputs[rows].long(), self.drawn[rows].long()
        legal = unpack_legal(self.legal[rows])
        taught = None if self.taught is None else self.taught[rows].float()
        found = {name: target[rows] for name, target in self.targets.items()}
        waits, rons, action = unpack_kinds(found["waits"]), unpack_kinds(found["rons"]), found["action"].long()
        value_kind = found["value_kind"].long()
        if suits is not None:
            order = suits.draw(len(rows), generator)
            inputs = suits.inputs.view(-1)[inputs + (order * suits.inputs.shape[1])[:, None]]
            drawn = torch.where(drawn >= 0, suits.tiles[order, drawn.clamp(min=0)], drawn)
            moved = suits.actions[order]  # (B, 120): where each action goes
            legal = torch.zeros_like(legal).scatter_(1, moved, legal)
            taught = None if taught is None else torch.zeros_like(taught).scatter_(1, moved, taught)
            action = moved.gather(1, action[:, None])[:, 0]
            kinds = suits.kinds[order][:, None].expand(-1, waits.shape[1], -1)
            waits, rons = waits.gather(2, kinds), rons.gather(2, kinds)
            value_kind = suits.tiles[order[:, None], value_kind]
        payment = found["value"].float()
        value = (payment.clamp(min=LEAST_VALUE) / VALUE_UNIT).log()
        ranks, end = found["ranks"].long(), found["end"].long()
        return Batch(inputs, drawn, legal, action, waits, rons, value, value_kind, payment > 0, end, ranks, taught)


def unpack_legal(words: Tensor) -> Tensor:
    """Legal actions from two words of 60, bool (B, 120)."""
    bits = torch.arange(LEGAL_BITS, device=words.device)
    return ((words[:, :, None] >> bits) & 1).bool().reshape(len(words), NUM_ACTIONS)


def unpack_kinds(words: Tensor) -> Tensor:
    """Bit sets of kinds as 0 and 1, float (..., 34)."""
    bits = torch.arange(NUM_KINDS, device=words.device)
    return ((words[..., None] >> bits) & 1).float()


def on_device(
    compact: CompactHands,
    selection: Selection,
    device: torch.device,
    threads: int,
    report: Callable[[str], None] = lambda line: None,
) -> DeviceExamples:
    """Rebuild all examples of a selection and move them to a device."""
    chunks: list[tuple[Any, Any]] = []
    done = 0
    for packed, targets in examples(compact, selection, threads):
        chunks.append((packed, targets))
        done += len(packed)
        if len(chunks) % 100 == 0:
            report(f"{done:,} decisions rebuilt")
    if not done:
        raise ValueError(f"no decision is left of split {selection.split!r}")
    return _moved(chunks, done, device)


def _moved(chunks: list[tuple[Any, Any]], n: int, device: torch.device) -> DeviceExamples:
    facts = np.concatenate([targets for _, targets in chunks])
    room = chunks[0][0]["inputs"].shape[1]
    inputs = torch.empty((n, room), dtype=torch.int16, device=device)
    first = 0
    for i, (packed, _) in enumerate(chunks):
        part = torch.from_numpy(np.ascontiguousarray(packed["inputs"]).view(np.int16))
        inputs[first : first + len(part)] = part.to(device)
        first += len(part)
        chunks[i] = (packed[["legal", "drawn"]].copy(), None)
    legal = np.concatenate([packed["legal"] for packed, _ in chunks])
    drawn = np.concatenate([packed["drawn"] for packed, _ in chunks])
    targets = {name: torch.from_numpy(np.ascontiguousarray(facts[name])).to(device) for name in TARGETS}
    return DeviceExamples(
        inputs, torch.from_numpy(legal).to(device), torch.from_numpy(drawn).to(device), targets, facts
    )


def row_batches(n: int, size: int, device: torch.device) -> Iterator[Tensor]:
    """All rows in order, `size` at a time."""
    for first in range(0, n, size):
        yield torch.arange(first, min(first + size, n), device=device)
