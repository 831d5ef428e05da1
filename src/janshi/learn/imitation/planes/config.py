"""Settings of an imitation run with a network over planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from janshi.learn.families import LEARN_LAYER
from janshi.learn.settings import RunSettings
from janshi.rules.game import Game
from janshi.rules.registry import make_game


@dataclass(frozen=True)
class PlanesConfig(RunSettings):
    """All settings. The default sizes are those of the shipped Guobiao policy."""

    optimiser: ClassVar[str] = "adamw"
    """The trainer's optimiser, which is not a setting."""

    rules: str = "guobiao"
    """guobiao, simplified, or family/preset: the rules of self-played hands. Records and matches have their own."""
    blocks: int = 6
    channels: int = 128
    width: int = 512
    """Size of the two fully connected layers."""
    plans: bool = True
    """The policy also sees its plans for eight fan (Guobiao only)."""
    batch: int = 2048
    """Decisions in a step."""
    steps: int = 6000
    """Total number of steps; the learning rate falls to zero at the last."""
    warmup: int = 200
    """Steps over which the learning rate rises."""
    rate: float = 1e-3
    """Highest learning rate."""
    decay: float = 0.05
    """Weight decay of the matrices."""
    smoothing: float = 0.0
    """Label smoothing: probability spread evenly over the legal actions in the policy's targets."""
    clip: float = 1.0
    """Longest gradient."""
    players: str = ""
    """Players of matches to learn from, separated by commas; all if empty."""
    share: float = 1.0
    """Share of the hands to learn from."""
    held_out: float = 0.05
    """Share of the walls that are held out to measure the policy."""
    whole_moments: bool = False
    """Save the optimiser's moments in float32: checkpoints are larger, and runs resume exactly."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("channels", "width", "batch", "steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.held_out < 1 or not 0 < self.share <= 1:
            raise ValueError("held_out is at least 0 and below 1, share above 0 and at most 1")

    @property
    def planes(self) -> str:
        """The name of the policy's input planes."""
        family = self.game().family
        return f"{family.name}+plans" if self.plans and LEARN_LAYER.of(family).plans else family.name

    def game(self) -> Game:
        """The game of self-played hands."""
        return make_game(self.rules)
