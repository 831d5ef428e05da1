"""Decisions as examples on the training device: packed inputs (with legal actions), and the action taken."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.features.planes import Encoder
from janshi.learn.imitation.planes.hands import PlayedHands
from janshi.learn.replayed import replayed
from janshi.rules.game import Array

BLOCK: Final = 1024
"""Games that are replayed together."""


class PlanesBatch(NamedTuple):
    """Examples in the form that the network and its loss take."""

    private: Tensor  # uint8 (B, private_bytes)
    legal: Tensor  # bool (B, num_actions)
    action: Tensor  # int64 (B,)


@dataclass
class PlanesExamples:
    """Examples on one device."""

    encoder: Encoder
    private: Tensor  # uint8 (N, private_bytes)
    actions: Tensor  # uint8 (N,)

    def __len__(self) -> int:
        return len(self.actions)

    def batch(self, rows: Tensor, *_: object) -> PlanesBatch:
        """Some examples."""
        private = self.private[rows]
        return PlanesBatch(private, self.encoder.masks(private), self.actions[rows].long())

    def sample(self, n: int, seed: int = 0) -> PlanesExamples:
        """At most `n` examples, chosen at random."""
        order = np.random.default_rng(seed).permutation(len(self))[:n]
        rows = torch.from_numpy(order).to(self.actions.device)
        return PlanesExamples(self.encoder, self.private[rows], self.actions[rows])


Chosen = Sequence[tuple[PlayedHands, Array]]
"""Hands by rule set, and the numbers of those to use."""


def on_device(chosen: Chosen, encoder: Encoder, device: torch.device, threads: int = 1) -> PlanesExamples:
    """Replay hands and move every decision with more than one legal action to a device."""
    blocks = [(hands, numbers[a : a + BLOCK]) for hands, numbers in chosen for a in range(0, len(numbers), BLOCK)]
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda block: rebuild(block[0], block[1], encoder), blocks))
    if not sum(len(actions) for _, actions in parts):
        raise ValueError("the chosen hands have no decision to learn from")
    private = torch.empty((sum(len(actions) for _, actions in parts), encoder.private_bytes), dtype=torch.uint8)
    private = private.to(device)
    first = 0
    for packed, _ in parts:
        private[first : first + len(packed)] = torch.from_numpy(packed).to(device)
        first += len(packed)
    actions = torch.from_numpy(np.concatenate([actions for _, actions in parts])).to(device)
    return PlanesExamples(encoder, private, actions)


def rebuild(hands: PlayedHands, numbers: Array, encoder: Encoder) -> tuple[Array, Array]:
    """Decisions of some games with a choice: packed inputs, uint8[n, private_bytes], and actions taken, uint8[n]."""
    stepper, packed, done = hands.tables(numbers), [], []
    seats = hands.seats[numbers]
    for step in replayed(stepper, *hands.spans(numbers), hands.answers):
        wanted = (step.legal.sum(1) > 1) & (seats[step.tables] >> step.players & 1 == 1)
        tables, players = step.tables[wanted], step.players[wanted]
        private = np.zeros((len(tables), encoder.private_bytes), np.uint8)
        encoder.pack_states(step.states, tables, players, private)
        packed.append(private)
        done.append(step.actions[wanted].astype(np.uint8))
    return np.concatenate(packed), np.concatenate(done)
