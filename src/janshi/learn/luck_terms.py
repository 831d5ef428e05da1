"""The luck terms of RL-5 in training: for every draw, and for the actions that players drew from their policies.

A *term* is the value of what happened minus the mean over everything that could have happened (`luckless.py`), given
by a network that is trained along with the others (`outcome_values.py`). Terms of fresh hands are computed before the
network learns from these hands, so their mean is zero whatever it has learned.

The networks learn to forecast the returns after an event minus the luck of *later* events, which have the same
expectation as the results and vary less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from janshi.features.open_hands import OpenHands
from janshi.features.prospects import ProspectSet, choices_of, prospects_of
from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.device import Device, adam, clip_gradients
from janshi.learn.luckless import Luckless, without_luck
from janshi.learn.memory import Memory
from janshi.learn.outcome_values import OutcomeValues, terms
from janshi.learn.prospect_values import WIDTH, ProspectValues, grown, read
from janshi.learn.slots import Ready, turned
from janshi.models.draw_values import ACTIONS, DRAWS, shipped_file
from janshi.rules.game import Array
from janshi.rules.registry import find_family, make_game

PIECE: Final = 8192
"""Batch size for computing terms on a GPU."""
MEMORY: Final = 0.9
"""Decay of the running share of variance from one rollout to the next."""


class Terms:
    """One of the networks, its optimiser, and memory for a rollout's events of its kind."""

    def __init__(self, config: TrainConfig, device: Device, network: ProspectValues | OutcomeValues, most: int) -> None:
        """Allocate memory for at most `most` events."""
        self.config, self.device, self.network = config, device, network
        self.optimiser = adam(device, (network, config.value_rate or config.rate))
        self.most = -(-most // PIECE) * PIECE if device.gpu else most
        self.inputs = [device.zeros((self.most, size), torch.uint8) for size in network.input_bytes]
        self.picked = device.zeros((self.most,), torch.int64)
        self.weights = device.zeros((self.most, network.outcomes))
        self.targets = device.zeros((self.most, network.players))
        self.found = device.zeros((self.most, network.players))
        """The terms of the events, starting with the asked player's."""
        self.count = 0
        self._at = device.zeros((config.batch,), torch.int64)
        self._values = device.compiled(network)
        self._values_of_picked = device.compiled(network.of_picked)
        self.step = device.replayed(self._step)

    def put(self, inputs: Sequence[Tensor], picked: Tensor, weights: Tensor) -> None:
        """Store events: inputs, outcomes and the probabilities of all outcomes."""
        n = self.count = len(picked)
        for room, values in zip((*self.inputs, self.picked, self.weights), (*inputs, picked, weights), strict=True):
            room[:n] = values

    def values(self, which: Any) -> Tensor:
        """The values of all outcomes of some of the events."""
        found: Tensor = self._values(*(room[which] for room in self.inputs))
        return found

    def compute(self) -> Iterator[None]:
        """Compute the terms of the stored events, a piece at a time."""
        size = PIECE if self.device.gpu else max(self.count, 1)
        for a in range(0, self.count, size):
            self._compute(slice(a, a + size))
            yield

    @torch.no_grad()
    def _compute(self, part: slice) -> None:
        with self.device.learning():
            with self.device.precision():
                values = self.values(part)
            self.found[part] = terms(values, self.picked[part], self.weights[part])

    def read(self) -> Array:
        """The computed terms, float32[count, players], starting with the asked player's."""
        return self.found[: self.count].cpu().numpy()

    @torch.no_grad()
    def means(self) -> Array:
        """The expected value before each event, float32[count, players], starting with the asked player's."""
        found = []
        for a in range(0, self.count, PIECE):
            part = slice(a, min(a + PIECE, self.count))
            values = self.network(*(room[part] for room in self.inputs))
            found.append((self.weights[part][:, :, None] * values).sum(1).cpu())
        return np.asarray(torch.cat(found).numpy())

    def learn(self, targets: Array, orders: list[Tensor]) -> Iterator[None]:
        """Learn to forecast the returns after the events, float32[count, players], in these orders."""
        self.device.put(self.targets, targets)
        for order in orders:
            size = self.config.batch if self.device.gpu else min(self.config.batch, len(order))
            for a in range(0, len(order) - size + 1, max(size, 1)):
                self._at = self.device.rows(self._at, order[a : a + size])
                self.step()
                yield

    def _step(self) -> None:
        """One step of Adam on a batch; rows without an event have no effect."""
        self.optimiser.zero_grad(set_to_none=True)
        at = self._at
        with self.device.precision():
            values = self._values_of_picked(*(room[at] for room in self.inputs), self.picked[at])
        there = (self.weights[at].sum(1) > 0).float()
        loss = ((values - self.targets[at]).square().sum(1) * there).sum() / there.sum().clamp(min=1)
        loss.backward()
        clip_gradients(self.network, self.config.gradient_clip, self.device)
        self.optimiser.step()


class LuckTerms:
    """The terms of a run: of draws and, depending on the variant, of actions."""

    def __init__(self, config: TrainConfig, device: Device, networks: dict[str, Any], most: int) -> None:
        """`networks` are by kind of event; allocates memory for `most` events of each."""
        self.config, self.device = config, device
        self.open_hands = OpenHands(config.family)
        self.draws = Terms(config, device, networks["draws"], most)
        self.actions = Terms(config, device, networks["actions"], most) if "actions" in networks else None
        self.left = -1.0
        """Running share of the variance of fresh hands' returns that remains without luck; -1 while unknown."""

    @property
    def parts(self) -> dict[str, Terms]:
        """The terms by the kind of event."""
        return {"draws": self.draws} | ({} if self.actions is None else {"actions": self.actions})

    @property
    def used(self) -> bool:
        """Whether to remove luck: once doing so has lowered the variance of earlier hands."""
        return 0 <= self.left < 1

    def begin_with_shipped(self) -> None:
        """Start from the shipped values, for runs that start from a policy that can play."""
        for events, part in self.parts.items():
            if isinstance(part.network, ProspectValues):
                load_shipped(part.network, self.config, events)

    def gather(self, memory: Memory, ready: Ready) -> None:
        """Copy the prospects of ready hands' draws, and the decisions themselves; hidden inputs end with prospects."""
        assert memory.hidden is not None
        network = self.draws.network
        assert isinstance(network, ProspectValues)
        at = torch.from_numpy(ready.draws.slot.astype(np.int64)).to(self.device.torch)
        prospects = memory.hidden[at, -network.input_bytes[0] :]
        self.draws.put([prospects], network.drawn(prospects), network.chances(prospects))
        if self.actions is not None:
            assert memory.chances is not None
            at = torch.from_numpy(ready.slot.astype(np.int64)).to(self.device.torch)
            seen = self._seen_of_actions(memory.private[at], memory.hidden[at])
            self.actions.put(seen, memory.actions[at], memory.chances[at])

    def _seen_of_actions(self, private: Tensor, hidden: Tensor) -> Sequence[Tensor]:
        """The input of values of actions: prospects of choices, which precede those of draws, or planes."""
        assert self.actions is not None
        network = self.actions.network
        if isinstance(network, ProspectValues):
            end = hidden.shape[1] - self.draws.network.input_bytes[0]
            return [hidden[:, end - network.input_bytes[0] : end]]
        return self.open_hands(private, hidden[:, : self.open_hands.plain.hidden_bytes])

    def compute(self) -> Iterator[None]:
        """Compute the terms of the stored events, a piece at a time."""
        for part in self.parts.values():
            yield from part.compute()
        yield from self.device.until_learned()

    def slices(self, ready: Ready) -> int:
        """Approximate number of slices of work for computing terms and learning."""
        events = len(ready.draws) + (0 if self.actions is None else len(ready))
        return events // PIECE + events * self.config.luck_epochs // self.config.batch

    def take_out(self, ready: Ready) -> Luckless:
        """Ready hands with their luck removed, or unchanged while removing it does not help.

        Also tracks the remaining variance in these hands, which the networks have not learned from yet.
        """
        scores = ready.scores * np.float32(self.config.scale)
        draws, actions = self.of(ready)
        plain = without_luck(ready, scores, None, None, self.config.gamma)
        freed = without_luck(ready, scores, draws, actions, self.config.gamma)
        used = self.used
        self._note(share_left(plain.start, freed.start))
        return freed if used else plain

    def of(self, ready: Ready) -> tuple[Array, Array | None]:
        """The computed terms of ready hands' draws and actions by seat, float32[d, players] and float32[k, players]."""
        draws = turned(self.draws.read(), -ready.draws.player)
        return draws, None if self.actions is None else turned(self.actions.read(), -ready.player)

    def _note(self, left: float) -> None:
        keep, left = MEMORY if self.left >= 0 else 0.0, self.device.world.mean(left)
        self.left = keep * self.left + (1 - keep) * left

    def learn(self, ready: Ready, found: Luckless, orders: dict[str, list[Tensor]]) -> Iterator[None]:
        """Learn from hands whose luck terms have been computed."""
        yield from self.draws.learn(turned(found.after_draws, ready.draws.player), orders["draws"])
        if self.actions is not None:
            yield from self.actions.learn(turned(found.after_actions, ready.player), orders["actions"])


def share_left(plain: Array, freed: Array) -> float:
    """The variance of returns without luck relative to that with luck, computed by seat and averaged."""
    return float(np.mean(np.var(freed, 0)) / max(np.mean(np.var(plain, 0)), 1e-9))


def fresh_networks(config: TrainConfig, players: int) -> dict[str, Any]:
    """New networks of a variant's terms, by the kind of event."""
    variant = VARIANTS[config.variant]
    if not variant.chance:
        return {}
    found: dict[str, Any] = {DRAWS: first_values(config, prospects_of(find_family(config.rules)), DRAWS)}
    if variant.actions:
        choices = choices_of(find_family(config.rules))
        found[ACTIONS] = first_values(config, choices, ACTIONS) if choices else _over_planes(config, players)
    return found


def _over_planes(config: TrainConfig, players: int) -> OutcomeValues:
    """Fresh values of actions, for a family that has no prospects of actions."""
    sizes = {
        "blocks": config.value_blocks or config.blocks,
        "channels": config.value_channels or config.channels,
        "width": config.width,
    }
    seen, discards = OpenHands(config.family).encoder, make_game(config.rules).discards
    return OutcomeValues(seen, seen.num_actions, players, discards, **sizes)


def first_values(config: TrainConfig, about: ProspectSet, events: str) -> ProspectValues:
    """Fresh values, which scale their inputs like the shipped ones if there are any."""
    file = shipped_file(config.family, events)
    if not file.is_file():
        return ProspectValues(about, config.luck_width or WIDTH)
    known, card = read(file)
    network = ProspectValues(about, config.luck_width or card["width"])
    network.centre.copy_(known.centre)
    network.spread.copy_(known.spread)
    return network


def load_shipped(network: ProspectValues, config: TrainConfig, events: str) -> None:
    """Copy the shipped values, converted to the run's units, unless there are none or they are wider."""
    file = shipped_file(config.family, events)
    if not file.is_file():
        return
    known, card = read(file)
    if known.width > network.width:
        return
    with torch.no_grad():
        for layer in (known.position_last, known.last):
            for value in layer.parameters():
                value.mul_(config.scale / card["scale"])
    network.load_state_dict(grown(known, network.width).state_dict())
