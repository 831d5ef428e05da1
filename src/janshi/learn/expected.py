"""Using and training the expected reward network (paper 4, eq. 2): it predicts results before a hand's last round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import torch
from torch import Tensor

from janshi.features.packed import PackedEncoder
from janshi.learn.config import TrainConfig
from janshi.learn.device import Device, adam, clip_gradients
from janshi.learn.memory import Memory
from janshi.learn.rvr import ExpectedReward, expected_loss
from janshi.learn.slots import Ready, turned
from janshi.rules.game import Array

USED_FROM: Final = 0.25
"""Share of the variance of new hands' results that the network must explain (R²) before it is used."""
MEMORY: Final = 0.9
"""Decay of the running error from one rollout to the next."""


class ExpectedRewards:
    """The network, its optimiser, and memory for the states before the last rounds of a rollout's hands."""

    def __init__(
        self, config: TrainConfig, device: Device, encoder: PackedEncoder, network: ExpectedReward, most: int
    ) -> None:
        """Allocate memory for the hands of at most `most` decisions."""
        self.config, self.device, self.network = config, device, network
        self.optimiser = adam(device, (network, config.value_rate or config.rate))
        self.error, self.spread = -1.0, 0.0
        """Running means over new hands: the network's squared error and the variance of rewards; -1 while unknown."""
        self.hands: Array = np.zeros(0, np.int64)
        """Numbers of the ready hands that have a state before the last round."""
        size = config.expected_batch
        self.most = -(-most // 4 // size) * size
        self.private = device.zeros((self.most, encoder.private_bytes), torch.uint8)
        self.hidden = device.zeros((self.most, encoder.hidden_bytes), torch.uint8)
        self.rewards = device.zeros((self.most, network.players))
        self._at = device.zeros((size,), torch.int64)
        self._outputs = device.compiled(network)
        self.step = device.replayed(self._step)

    def gather(self, memory: Memory, ready: Ready) -> None:
        """Copy the states before the last rounds of ready hands, and the results of these hands."""
        assert memory.hidden is not None
        self.hands = np.flatnonzero(ready.last_round >= 0)[: self.most]
        n = len(self.hands)
        at = torch.from_numpy(ready.last_round[self.hands].astype(np.int64)).to(self.device.torch)
        self.private[:n] = memory.private[at]
        self.hidden[:n] = memory.hidden[at, : self.hidden.shape[1]]  # prospects may follow
        rewards = turned(ready.scores[self.hands], ready.last_player[self.hands]) * np.float32(self.config.scale)
        self.rewards[:n] = torch.from_numpy(rewards).to(self.device.torch)

    @torch.no_grad()
    def expectations(self, ready: Ready) -> Array | None:
        """Expected rewards of hands, as seen by each entry's player; None while they explain too little to be used.

        Hands without a state before the last round keep their scores. Also tracks the error on these hands, which the
        network has not learned from yet.
        """
        outputs = self.measure(len(self.hands))
        if not self.used:
            return None
        scores = ready.scores * np.float32(self.config.scale)
        scores[self.hands] = turned(outputs, -ready.last_player[self.hands])  # back to seats 0, 1, ...
        return ready.seen_by(scores)

    @property
    def used(self) -> bool:
        """Whether the network explains enough of the results of new hands."""
        return self.error >= 0 and self.error <= (1 - USED_FROM) * self.spread

    @torch.no_grad()
    def measure(self, n: int) -> Array:
        """Predictions for the first `n` states, which it has not learned from; updates the running error."""
        if not self.device.world.least(n):
            return np.zeros((0, self.network.players), np.float32)
        size = self.config.expected_batch if self.device.gpu else n
        with self.device.learning(), self.device.precision():
            found = [
                self._outputs(self.private[a : a + size], self.hidden[a : a + size]).float() for a in range(0, n, size)
            ]
            outputs, rewards = torch.cat(found)[:n].cpu().numpy(), self.rewards[:n].cpu().numpy()
        self._note(outputs, rewards)
        return outputs

    def _note(self, outputs: Array, rewards: Array) -> None:
        keep = MEMORY if self.error >= 0 else 0.0
        error, spread = float(np.mean((outputs - rewards) ** 2)), float(np.mean(np.var(rewards, 0)))
        self.error = keep * self.error + (1 - keep) * self.device.world.mean(error)
        self.spread = keep * self.spread + (1 - keep) * self.device.world.mean(spread)

    def put(self, private: Array, hidden: Array, rewards: Array) -> None:
        """Copy states and results from outside the slots, such as those of recorded hands."""
        for room, values in ((self.private, private), (self.hidden, hidden), (self.rewards, rewards)):
            self.device.put(room, values)

    def learn(self, orders: list[Tensor]) -> Iterator[None]:
        """Learn eq. 2 from the gathered hands, in these orders."""
        size = self.config.expected_batch
        for order in orders:
            if len(order) < size and not self.device.gpu:
                size = len(order)
            for a in range(0, len(order) - size + 1, max(size, 1)):
                self._at = self.device.rows(self._at, order[a : a + size])
                self.step()
                yield

    def _step(self) -> None:
        """One step of Adam on a batch."""
        self.optimiser.zero_grad(set_to_none=True)
        at = self._at
        with self.device.precision():
            outputs = self._outputs(self.private[at], self.hidden[at])
            loss = expected_loss(outputs, self.rewards[at])
        loss.backward()  # type: ignore[no-untyped-call]
        clip_gradients(self.network, self.config.gradient_clip, self.device)
        self.optimiser.step()
