"""Settings of a run that learns from records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.learn.settings import RunSettings

OPTIMISERS: Final = ("adamw", "muon")


@dataclass(frozen=True)
class ImitationConfig(RunSettings):
    """All settings, with the shipped network's as defaults."""

    width: int = 192
    """Width of a token."""
    blocks: int = 6
    heads: int = 6
    hidden: int = 512
    """Width of the feed-forward layer of each block."""
    batch: int = 8192
    """Decisions in a step."""
    steps: int = 14_400
    """Total number of steps; the learning rate falls to zero at the last."""
    warmup: int = 500
    """Steps over which the learning rate rises."""
    optimiser: str = "muon"
    """`adamw`, or `muon`: Muon for the matrices of the blocks, and AdamW for the rest."""
    rate: float = 3e-3
    """Highest learning rate."""
    decay: float = 0.3
    """Weight decay of matrices. With little of it, a network that sees its games twenty times memorises them."""
    dropout: float = 0.1
    """Dropout on the output of each block."""
    input_dropout: float = 0.0
    """Dropout on the active inputs."""
    smoothing: float = 0.0
    """Label smoothing: probability spread evenly over the legal actions in the policy's targets."""
    teachers: str = ""
    """Finished runs (checkpoint.pt or network.npz), separated by commas, to distil: their average policy is a
    target."""
    teaching: float = 0.5
    """Weight of the teachers' policy; the rest of the target is the experts' action."""
    start: str = ""
    """A finished run (checkpoint.pt or network.npz) of the same size whose weights to start from; random if empty."""
    clip: float = 1.0
    """Longest gradient."""
    hidden_weight: float = 0.1
    """Weight of the loss for the opponents' hands: tenpai, waits, wins and their value."""
    outcome_weight: float = 0.1
    """Weight of the loss for how the hand and the game end."""
    suits: bool = True
    """Permute the suits of each example at random."""
    without: str = ""
    """Topics of inputs to leave out, separated by commas."""
    share: float = 1.0
    """Share of the training games."""
    splits: str = "train"
    """Splits of the data set to learn from, separated by commas."""
    packs: str = ""
    """Packs to learn from, separated by commas; all if empty."""
    whole_moments: bool = False
    """Save the optimiser's moments in float32: checkpoints are twice as large, and runs resume exactly."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"optimiser must be {' or '.join(OPTIMISERS)}, not {self.optimiser!r}")
