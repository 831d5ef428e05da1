"""Estimates of advantages by several variants on the same hands, at a policy that does not change.

A *stream* plays hands by the frozen policy. All its estimators, one for each variant, learn their values from the same
hands, and later estimate the advantages of the same hands: what differs between them is the estimator alone. Variants
with duplicate tables need a stream of their own, since its hands are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.device import Device, clip_gradients
from janshi.learn.network import PolicyNet
from janshi.learn.ppo import Trainer
from janshi.learn.rvr import value_loss
from janshi.learn.self_play import SelfPlay
from janshi.learn.slots import Ready
from janshi.learn.variance import frozen_config, play_until
from janshi.rules.game import Array


class Estimator(Trainer):
    """A variant whose networks of values learn from another run's hands; it has no tables, and no use for a policy."""

    def __init__(self, config: TrainConfig, host: Trainer) -> None:
        self.host = host
        super().__init__(config)

    def find_device(self) -> Device:
        """The host's."""
        return self.host.device

    def make_storage(self) -> None:
        """Use the host's memory."""
        self.memory, self.batch = self.host.memory, self.host.batch.shared(self.critic.parts)

    def make_tables(self) -> list[SelfPlay]:
        """None: the host plays."""
        self.slots = self.host.slots
        return []

    def gather(self, ready: Ready) -> None:
        """Copy what only this variant needs; decisions are in the host's batch."""
        with self.device.playing():
            if self.expected is not None:
                self.expected.gather(self.memory, ready)
            if self.luck is not None:
                self.luck.gather(self.memory, ready)
            self.device.learn_after_play()

    def take_lesson(self, ready: Ready) -> None:
        """Learn from hands that have been gathered."""
        for _ in self.learn_from(ready):
            pass
        self.rollouts += 1
        self.decisions += len(ready)

    def _train_step(self) -> None:
        """One step of Adam on the values of a batch."""
        self.networks.optimiser.zero_grad(set_to_none=True)
        b, at = self.batch, self.at
        with self.device.precision():
            values = self.critic(*b.select(at))
        value_loss(values, b.values[at], b.targets[at], self.config.value_clip).backward()  # type: ignore[no-untyped-call]
        clip_gradients(self.critic, self.config.gradient_clip, self.device)
        self.networks.optimiser.step()


class Stream:
    """Hands played by a frozen policy, and the estimators that learn from them."""

    def __init__(
        self, policy: PolicyNet, rules: str, variants: Sequence[str], seed: int, settings: list[str], **changes: Any
    ) -> None:
        config = frozen_config(policy, rules, host_variant(variants), seed, settings, **changes)
        self.host = Trainer(config)
        self.host.networks.begin_with(policy)
        self.host.begin()
        self.played = 0
        """Decisions of all hands that were taken."""
        self.estimators: dict[str, Estimator] = {}
        for variant in variants:
            one = Estimator(frozen_config(policy, rules, variant, seed, settings, **changes), self.host)
            one.networks.begin_with(policy)
            self.estimators[variant] = one

    def hands(self, decisions: int) -> Ready:
        """Play until this many decisions are ready, and take them to the batch, for all estimators."""
        play_until(self.host, min(decisions, self.host.most // 2))
        ready = self.host.slots.take(self.host.most)
        self.host.device.wait_for_learning()  # of the hands before, which make room
        self.host.gather(ready)
        for one in self.estimators.values():
            one.gather(ready)
        self.host.device.synchronize()
        self.host.release(ready)
        self.played += len(ready)
        return ready

    def learn(self, decisions: int) -> None:
        """All estimators learn from some fresh hands."""
        ready = self.hands(decisions)
        for one in self.estimators.values():
            one.take_lesson(ready)

    def estimates(self, decisions: int) -> tuple[Ready, Array]:
        """Fresh hands, and the advantages of their decisions by every estimator, float32[estimators, k]."""
        ready = self.hands(decisions)
        return ready, np.stack([one.estimate(ready) for one in self.estimators.values()])


def host_variant(variants: Sequence[str]) -> str:
    """The variant whose hands hold what all the others need; they must agree whether tables are duplicates."""
    chosen = [VARIANTS[name] for name in variants]
    if len({one.duplicate for one in chosen}) > 1:
        raise ValueError(f"duplicate tables are for some of these variants only: {', '.join(variants)}")
    if any(one.alone or one.race for one in chosen):
        raise ValueError(f"all seats must learn in all of these variants: {', '.join(variants)}")
    if chosen[0].duplicate:
        return "rl5d" if any(one.chance for one in chosen) else "rl4"
    if any(one.actions for one in chosen):
        return "rl5a"
    return "rl5" if any(one.chance for one in chosen) else "rl1"
