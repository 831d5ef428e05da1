"""Settings of a run that learns what options are worth."""

from __future__ import annotations

from dataclasses import dataclass

from janshi.learn.settings import RunSettings

LUCKFREE, PLAIN = "luckfree", "plain"


@dataclass(frozen=True)
class StrategistConfig(RunSettings):
    """All settings, with those of the shipped player as defaults."""

    rules: str = "simplified"
    hands: int = 10_000
    """Hands of an iteration."""
    iterations: int = 60
    """Total number of iterations; the learning rate falls to its lowest at the last."""
    memory: int = 40
    """Iterations whose evidence is kept to learn from."""
    learned: int = 600_000
    """Decisions of a fit, drawn from the evidence in memory."""
    rival: str = "search"
    """The agent that plays against copies of the player."""
    rivals: float = 0.7
    """Share of the tables at which rivals have all seats but one."""
    temperature: float = 0.15
    """In points: an option worth this much less is played e times less often."""
    floor: float = 0.02
    """Share of the decisions in which any option is played."""
    first_sharpness: float = 8.0
    """The first iteration plays options by this power of their share of the best one's value."""
    first_floor: float = 0.1
    """The floor of the first iteration."""
    returns: str = LUCKFREE
    """`luckfree`; or `plain`, as a control: results of hands with all their luck."""
    trace: float = 0.85
    """How much of a gain is carried over each later draw. 1 is unbiased; less has less noise."""
    width: int = 96
    """Units of each hidden layer."""
    batch: int = 2048
    """Decisions in a step."""
    first_passes: int = 3
    """Passes over the evidence of the first iteration."""
    rate: float = 1e-3
    """Learning rate of the second iteration; the first one begins at twice this."""
    final_rate: float = 3e-5
    """Learning rate of the last iteration."""
    decay: float = 1e-4
    """Weight decay."""
    averaging: float = 0.9
    """How much of the averaged network, which is the result, is kept in each iteration."""
    calibration: int = 50_000
    """Hands at the end from which nothing is learned but the size of losses."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.returns not in (LUCKFREE, PLAIN):
            raise ValueError(f"returns must be {LUCKFREE} or {PLAIN}, not {self.returns!r}")
        if not 0 <= self.rivals <= 1 or not 0 <= self.trace <= 1 or self.temperature <= 0:
            raise ValueError("rivals and trace must be from 0 to 1, and temperature more than 0")

    def rate_at(self, iteration: int) -> float:
        """The learning rate of an iteration, from 1."""
        left = max(0.0, 1 - iteration / max(self.iterations - 1, 1))
        return self.final_rate + (self.rate - self.final_rate) * left
