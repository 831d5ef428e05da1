"""Everything a training run works with: its device, networks, tables, memory for decisions, and counters."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.features.packed import PackedEncoder
from janshi.features.planes import encoder as find_encoder
from janshi.features.prospects import WithProspects
from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.device import Device, Half
from janshi.learn.memory import Batch, Memory
from janshi.learn.networks import Networks
from janshi.learn.self_play import SelfPlay
from janshi.learn.slots import Ready, Slots

VALUE_BATCH: Final = 8192
"""Batch size for computing values."""
SWITCH_SECONDS: Final = 2e-4
"""Python's thread switch interval: short, so that stepping threads do not wait."""
CONTINUED: Final = 205
"""Separates the walls of a continued run from those of its start."""


class Equipment:
    """Everything a run needs to play and learn, made from its settings."""

    end_seconds: float = 0.0
    end_decisions: int = 0
    """Seconds of training or decisions, whichever comes first, until the final rate is reached; 0: no limit."""
    halves: list[Half]
    """Both halves of the tables, each with its decisions on the device."""

    def __init__(self, config: TrainConfig) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self.config, self.variant = config, VARIANTS[config.variant]
        self.game, self.encoder = config.game(), find_encoder(config.planes)
        self.packer: PackedEncoder = self.encoder
        if self.variant.chance:
            self.packer = WithProspects(self.encoder, self.game, self.variant.actions)
        self.device = self.find_device()
        self.needs_hidden = self.variant.hidden or self.variant.expected or self.variant.chance
        self.pool = ThreadPoolExecutor(config.workers - 1) if config.workers > 1 else None
        self.rollouts = self.learned = self.decisions = self.hands = 0
        self.seconds = 0.0
        self.row: dict[str, float] = {}
        """Figures of the last rollout."""
        self.shares: dict[str, float] = {}
        """How the loop spent its time in the last rollout."""
        most = config.rollout + 2 * config.tables  # a rollout ends with a whole step, and hands are not cut off
        self.most = -(-most // VALUE_BATCH) * VALUE_BATCH if self.device.gpu else most
        """Maximum number of decisions in a batch to learn from."""
        with self.device.learning():
            self.networks = Networks(config, self.encoder, self.game.players, self.device, self.most)
            self.policy, self.critic, self.expected = self.networks.policy, self.networks.critic, self.networks.expected
            self.luck, self.players = self.networks.luck, self.networks.players
            self.make_storage()

    def find_device(self) -> Device:
        """The device named in the settings."""
        return Device(self.config.device, self.config.compiled, self.config.half_precision)

    def make_storage(self) -> None:
        """Allocate memory for decisions on the device."""
        elsewhere = self.game.players if self.variant.duplicate else 0
        self.memory = Memory(self.device, self.packer, self.config.slots, self.needs_hidden, self.variant.actions)
        self.batch = Batch(self.device, self.packer, self.most, self.critic.parts, self.needs_hidden, elsewhere)

    def make_tables(self) -> list[SelfPlay]:
        """Both halves of the tables, with slots for their decisions. A run that continues plays other walls."""
        c, v = self.config, self.variant
        self.slots = Slots(c.slots, self.game.players, v.chance)
        seats: dict[str, Any] = {"duplicates": c.group, "past_share": c.past_share, "race": v.race, "alone": v.alone}
        where: dict[str, Any] = {"pool": self.pool, "threads": c.workers}
        seed = self.device.world.seed(c.seed)
        if self.rollouts:
            seed = int(rng.key(np.uint64(seed % 2**64), self.rollouts, CONTINUED))
        return [
            SelfPlay(self.game, self.packer, self.slots, c.tables // 2, seed=seed, number=half, **seats, **where)
            for half in range(2)
        ]

    def begin(self) -> None:
        """Evaluate the first decisions of a new run; all processes have the same networks."""
        for network in self.networks.named().values():
            self.device.world.share_weights(network)
        self.players.newest.load_state_dict(self.policy.state_dict())
        for half in self.halves:
            half.submit()

    def restart(self, seed: int) -> None:
        """Begin another run with the same settings but another seed, without recompiling anything."""
        self.config = replace(self.config, seed=seed)
        self.networks.restart(seed)
        self.rollouts = self.learned = self.decisions = self.hands = 0
        self.seconds, self.row = 0.0, {}
        self.renew_tables()

    def renew_tables(self) -> None:
        """Start new hands at all tables; those in play are dropped."""
        for half, tables in zip(self.halves, self.make_tables()):
            half.tables = tables

    def release(self, ready: Ready) -> None:
        """Free the slots of decisions that have been copied."""
        self.slots.release(ready.slot)
        self.slots.release(ready.draws.extra_slots)

    def follow_schedule(self) -> None:
        """Set the rates, which fall linearly to `final_rate`; the policy's is zero for `values_first` decisions."""
        c, share = self.config, 1.0
        if c.final_rate >= 0 and (self.end_seconds or self.end_decisions):
            done = max(
                self.seconds / self.end_seconds if self.end_seconds else 0.0,
                self.decisions / self.end_decisions if self.end_decisions else 0.0,
            )
            share = 1 + (c.final_rate / c.rate - 1) * min(done, 1.0)
        waits = self.decisions < c.values_first
        self.networks.set_rates(0.0 if waits else share * c.rate, share * (c.value_rate or c.rate))
