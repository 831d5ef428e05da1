"""Settings and networks of runs that take seconds."""

from __future__ import annotations

from pathlib import Path

import torch

from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.riichi.config import SelfPlayConfig

TINY = SelfPlayConfig(
    tables=8,
    decisions=120,
    batch=64,
    iterations=2,
    luck_iterations=1,
    fresh_every=1,
    luck_batch=64,
    most_left=1e9,
    luck_width=12,
    luck_blocks=1,
    luck_heads=2,
    luck_hidden=12,
    rate=1e-3,
    warmup=1,
    gate_games=0,
    games="east",
    explore=0.1,
    action_terms=True,
    whole_moments=True,
    values="none",
)


def small_net(seed: int = 1) -> RiichiNet:
    """A tiny network that prefers some actions."""
    torch.manual_seed(seed)
    net = RiichiNet(ImitationConfig(width=12, blocks=1, heads=2, hidden=12))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    return net.eval()


def config_of(base: Path, **changes: object) -> SelfPlayConfig:
    """The settings of a tiny run that begins with a network."""
    return SelfPlayConfig.from_json({**TINY.to_json(), "network": str(base), **changes})
