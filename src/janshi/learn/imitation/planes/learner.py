"""The run in memory. It differs from riichi's in the network, the examples and the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from janshi.learn.imitation.planes.config import PlanesConfig
from janshi.learn.imitation.planes.examples import PlanesExamples
from janshi.learn.imitation.training import FORBIDDEN, Imitation, policy_loss
from janshi.learn.network import PolicyNet


@dataclass
class PolicyLoss:
    """The loss and its parts."""

    total: Tensor
    policy: Tensor
    agreement: Tensor

    def figures(self) -> dict[str, float]:
        """What the curve shows."""
        return {name: round(float(getattr(self, name)), 4) for name in ("policy", "agreement")}


class PlanesImitation(Imitation):
    """Trains a policy over planes to imitate the players of the hands."""

    config: PlanesConfig  # type: ignore[assignment]
    examples: PlanesExamples  # type: ignore[assignment]
    net: PolicyNet

    def __init__(self, config: PlanesConfig, examples: PlanesExamples, device: torch.device) -> None:
        super().__init__(config, examples, device)  # type: ignore[arg-type]

    def make_networks(self) -> None:
        """A fresh policy, without permutation of suits."""
        c = self.config
        self.net = PolicyNet(self.examples.encoder, blocks=c.blocks, channels=c.channels, width=c.width).to(self.device)
        self.suits = None

    def with_teachers(self, examples: Any) -> Any:
        """The examples as they are: there are no teachers."""
        return examples

    def losses(self, batch: Any) -> Any:
        """Cross-entropy over the legal actions."""
        with self._half():
            logits = self.net(batch.private)
        logits = logits.masked_fill(~batch.legal, FORBIDDEN)
        policy = F.cross_entropy(logits, batch.action)
        total = policy_loss(logits, policy, batch.legal, self.config.smoothing)
        agreement = (logits.argmax(1) == batch.action).float().mean()
        return PolicyLoss(total, policy.detach(), agreement)
