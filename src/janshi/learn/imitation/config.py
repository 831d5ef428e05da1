"""Settings of a run that learns from records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.learn.settings import RunSettings

OPTIMISERS: Final = ("adamw", "muon")


@dataclass(frozen=True)
class ImitationConfig(RunSettings):
    """Every setting, with the defaults of the shipped network."""

    width: int = 192
    """Numbers a token carries from block to block."""
    blocks: int = 6
    heads: int = 6
    hidden: int = 512
    """Units of the network inside each block."""
    batch: int = 8192
    """Decisions in a step."""
    steps: int = 14_400
    """Steps in all; the learning rate falls to zero at the last."""
    warmup: int = 500
    """Steps over which the learning rate rises."""
    optimiser: str = "muon"
    """`adamw`, or `muon` for the matrices of the blocks and AdamW for the rest."""
    rate: float = 3e-3
    """Highest learning rate."""
    decay: float = 0.3
    """Weight decay of matrices: with little of it, a network that sees its games twenty times learns them by heart."""
    dropout: float = 0.1
    """Share of what each block adds that is left out at random while learning."""
    input_dropout: float = 0.0
    """Share of the active inputs that are left out at random while learning."""
    smoothing: float = 0.0
    """Probability that is spread evenly over the legal actions in what the policy learns."""
    teachers: str = ""
    """Finished runs (checkpoint.pt or network.npz), separated by commas, whose average policy is learned too."""
    teaching: float = 0.5
    """Weight of the teachers' policy; the rest is what experts did."""
    clip: float = 1.0
    """Longest gradient."""
    hidden_weight: float = 0.1
    """Weight of the loss of what the opponents hide: tenpai, waits, wins and their value."""
    outcome_weight: float = 0.1
    """Weight of the loss of how the hand and the game end."""
    suits: bool = True
    """Exchange the suits of each example at random."""
    without: str = ""
    """Topics of inputs to leave out, separated by commas."""
    share: float = 1.0
    """Share of the training games."""
    splits: str = "train"
    """Splits of the data set to learn from, separated by commas."""
    packs: str = ""
    """Packs to learn from, separated by commas; all if empty."""
    whole_moments: bool = False
    """Keep the optimiser's moments in float32: a checkpoint of twice the size, from which a run goes on exactly."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise ValueError(f"optimiser must be {' or '.join(OPTIMISERS)}, not {self.optimiser!r}")
