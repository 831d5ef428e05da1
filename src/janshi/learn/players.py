"""The policies at the tables: the version that plays, and past selves in other seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor

from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.device import Device
from janshi.learn.network import PolicyNet

SURE: Final = 1e6
"""Factor on logits that leaves only the most probable action."""


class Players:
    """Copies of the policy being trained. They play while it changes, and are updated between rollouts."""

    def __init__(self, config: TrainConfig, device: Device, fresh: Callable[[], PolicyNet]) -> None:
        """`fresh` makes a network of the policy's sizes."""
        self.config, self.device = config, device
        self._alone = VARIANTS[config.variant].alone
        self.newest = fresh().to(device.torch).requires_grad_(False)
        self.past: PolicyNet | None = None
        """The network that plays the seats of past selves."""
        if config.past_share > 0 or self._alone:
            self.past = fresh().to(device.torch).requires_grad_(False)
        self.past_selves: list[dict[str, Tensor]] = []
        """Weights of earlier policies, the oldest first."""
        self._newest_logits = device.compiled(self.newest)
        self._past_logits: Any = None if self.past is None else device.compiled(self.past)

    def logits(self, private: Tensor, foreign: Tensor) -> Tensor:
        """Logits of all actions, (m, actions); those of past selves for `foreign` decisions."""
        logits: Tensor = self._newest_logits(private)
        if self._past_logits is None:
            return logits
        sharper = SURE if self._alone else 1.0
        return torch.where(foreign[:, None], sharper * self._past_logits(private), logits)

    def begin_with(self, policy: PolicyNet) -> None:
        """Put a policy in all seats."""
        self.newest.load_state_dict(policy.state_dict())
        if self.past is not None:
            self.past.load_state_dict(policy.state_dict())

    def renew(self, policy: PolicyNet, rollouts: int) -> None:
        """Let the policy play from now on; at intervals, store it as a past self."""
        self.device.wait_for_learning()
        with self.device.playing(), torch.no_grad():
            for new, old in zip(policy.parameters(), self.newest.parameters()):
                old.copy_(new)
            if self.past is not None:
                self._renew_past(self.past, policy, rollouts)

    def _renew_past(self, past: PolicyNet, policy: PolicyNet, rollouts: int) -> None:
        c = self.config
        if self._alone:
            if rollouts % c.past_every == 0:
                past.load_state_dict(policy.state_dict())
            return
        if rollouts % c.past_every == 0:
            self.past_selves.append({name: value.clone() for name, value in policy.state_dict().items()})
            self.past_selves = self.past_selves[-c.past_most :]
        kept = self.past_selves[rollouts % len(self.past_selves)]
        for name, value in past.state_dict().items():
            value.copy_(kept[name])
