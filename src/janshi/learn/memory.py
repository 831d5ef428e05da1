"""Storage of decisions on the device: by slot while hands are played, then as a batch to learn from."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor

from janshi.features.packed import PackedEncoder
from janshi.learn.device import Device
from janshi.learn.slots import Ready
from janshi.rules.game import Array


class Memory:
    """Records, actions and their probabilities by slot; one extra slot takes padding."""

    def __init__(
        self, device: Device, encoder: PackedEncoder, capacity: int, hidden: bool, chances: bool = False
    ) -> None:
        """`hidden` is whether to store hidden inputs, `chances` whether to store the probabilities of all actions."""
        self.private = device.zeros((capacity + 1, encoder.private_bytes), torch.uint8)
        self.hidden = device.zeros((capacity + 1, encoder.hidden_bytes), torch.uint8) if hidden else None
        self.actions = device.zeros((capacity + 1,), torch.int64)
        self.logs = device.zeros((capacity + 1,))
        self.chances = device.zeros((capacity + 1, encoder.num_actions)) if chances else None

    def keep(self, slots: Tensor, private: Tensor, hidden: Tensor | None, actions: Tensor, logs: Tensor) -> None:
        """Store decisions in their slots, with the log probabilities of all actions, (m, actions)."""
        self.private.index_copy_(0, slots, private)
        if self.hidden is not None and hidden is not None:
            self.hidden.index_copy_(0, slots, hidden)
        self.actions.index_copy_(0, slots, actions)
        self.logs.index_copy_(0, slots, logs.gather(1, actions[:, None])[:, 0])
        if self.chances is not None:
            self.chances.index_copy_(0, slots, logs.exp())

    def rooms(self) -> dict[str, Tensor]:
        """All arrays by name, for checkpoints."""
        found = {"private": self.private, "hidden": self.hidden, "actions": self.actions, "logs": self.logs}
        found["chances"] = self.chances
        return {name: room for name, room in found.items() if room is not None}


class Batch:
    """Fixed memory on the device for a batch of decisions to learn from."""

    def __init__(
        self, device: Device, encoder: PackedEncoder, most: int, parts: int, hidden: bool, elsewhere: int
    ) -> None:
        """Memory for `most` decisions of `parts` values; `elsewhere` is the number of other tables' results, or 0."""
        self.device = device
        self.private = device.zeros((most, encoder.private_bytes), torch.uint8)
        self.hidden = device.zeros((most, encoder.hidden_bytes), torch.uint8) if hidden else None
        self.elsewhere = device.zeros((most, elsewhere)) if elsewhere else None
        self.actions = device.zeros((most,), torch.int64)
        self.logs = device.zeros((most,))
        self.advantages = device.zeros((most,))
        self.values, self.targets = device.zeros((most, parts)), device.zeros((most, parts))

    def gather(self, memory: Memory, ready: Ready, elsewhere: Array | None) -> None:
        """Copy stored ready decisions into the batch."""
        k = len(ready)
        at = torch.from_numpy(ready.slot.astype(np.int64)).to(self.device.torch)
        self.private[:k] = memory.private[at]
        if memory.hidden is not None and self.hidden is not None:
            self.hidden[:k] = memory.hidden[at]
        self.actions[:k] = memory.actions[at]
        self.logs[:k] = memory.logs[at]
        if self.elsewhere is not None and elsewhere is not None:
            self.elsewhere[:k] = torch.from_numpy(elsewhere).to(self.device.torch)

    def shared(self, parts: int) -> Batch:
        """A batch of the same decisions with its own memory for values."""
        other = copy.copy(self)
        most = len(self.actions)
        other.advantages = self.device.zeros((most,))
        other.values, other.targets = self.device.zeros((most, parts)), self.device.zeros((most, parts))
        return other

    def select(self, at: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """The networks' inputs for some decisions: private and hidden ones, and how the wall ended elsewhere."""
        hidden = None if self.hidden is None else self.hidden[at]
        return self.private[at], hidden, None if self.elsewhere is None else self.elsewhere[at]
