"""Runs so small that a test can train them."""

from __future__ import annotations

from typing import Any

from janshi.learn.config import TrainConfig


def tiny(variant: str, **changes: Any) -> TrainConfig:
    """The settings of a run of some variant: tiny networks, a few tables, one thread of the CPU."""
    sizes: dict[str, Any] = {"blocks": 1, "channels": 8, "width": 16, "tables": 32, "rollout": 512, "batch": 128}
    return TrainConfig(variant=variant, **{**sizes, "threads": 1, "device": "cpu", "seed": 5, **changes})
