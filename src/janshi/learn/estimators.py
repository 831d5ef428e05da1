"""Estimates of advantages by several variants on the same hands, with a frozen policy.

A *stream* plays hands with the frozen policy. Its estimators, one for each variant, learn their values from the same
hands and then estimate advantages on the same hands, so only the estimator differs. Variants with duplicate tables
need a separate stream, since its hands are not independent.
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
    """A variant whose value networks learn from another run's hands; it has no tables and needs no policy."""

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
        """Copy the data that only this variant needs; decisions are in the host's batch."""
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
        """Total number of decisions taken so far."""
        self.estimators: dict[str, Estimator] = {}
        for variant in variants:
            one = Estimator(frozen_config(policy, rules, variant, seed, settings, **changes), self.host)
            one.networks.begin_with(policy)
            self.estimators[variant] = one

    def hands(self, decisions: int) -> Ready:
        """Play until this many decisions are ready, and copy them to the batch for all estimators."""
        play_until(self.host, min(decisions, self.host.most // 2))
        ready = self.host.slots.take(self.host.most)
        self.host.device.wait_for_learning()  # from the previous hands, whose memory is needed
        self.host.gather(ready)
        for one in self.estimators.values():
            one.gather(ready)
        self.host.device.synchronize()
        self.host.release(ready)
        self.played += len(ready)
        return ready

    def learn(self, decisions: int) -> None:
        """Train all estimators on some fresh hands."""
        ready = self.hands(decisions)
        for one in self.estimators.values():
            one.take_lesson(ready)

    def estimates(self, decisions: int) -> tuple[Ready, Array]:
        """Fresh hands, and every estimator's advantages of their decisions, float32[estimators, k]."""
        ready = self.hands(decisions)
        return ready, np.stack([one.estimate(ready) for one in self.estimators.values()])


def host_variant(variants: Sequence[str]) -> str:
    """The variant whose hands contain what all others need; they must agree on duplicate tables."""
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
