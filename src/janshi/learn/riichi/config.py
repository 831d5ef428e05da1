"""Settings of a riichi self-play run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.learn.settings import RunSettings

PLAIN, LUCKFREE = "plain", "luckfree"
RETURNS: Final = (LUCKFREE, PLAIN)


@dataclass(frozen=True)
class SelfPlayConfig(RunSettings):
    """Every setting, with its default."""

    returns: str = LUCKFREE
    """`luckfree`: the luck of draws and ura is taken out of returns; `plain`: it is left in, as a control."""
    network: str = ""
    """The imitated network to begin with and to stay near: a file of `janshi train imitate`; the package's if empty."""
    sharpness: float = 2.0
    """Factor on the logits of the imitated policy, of the learner and of rivals: 1 samples actions as often as experts
    choose them, more favours the most probable, which is what players choose in matches."""
    values: str = "package"
    """Values of draws and choices to begin with: `package`, the folder of another run, its `values.npz`, or `none`."""
    decisions: int = 262_144
    """Decisions in an iteration: played, learned from once, dropped."""
    iterations: int = 200
    """Iterations in all; rates fall to zero at the last."""
    luck_iterations: int = 1
    """Iterations before the policy learns, in which only the values of draws and choices do; 16 if they begin with
    nothing."""
    most_left: float = 0.95
    """Without luck, the policy waits until values have left at most this share of the variance of fresh hands."""
    tables: int = 8192
    """Tables played at once, in two halves: one is stepped while the network answers the other."""
    games: str = "mixed"
    """`east`, `south`, or `mixed`: every other table plays South games."""
    rivals: float = 0.25
    """Share of the games in which three of the four seats are taken by the imitated network or a past self."""
    past_share: float = 0.3
    """Share of those rivals that are a past self."""
    past_every: int = 20
    """Iterations after which the averaged network becomes the past self."""
    explore: float = 0.02
    """Share of the decisions that are drawn from the policy at a higher temperature."""
    explore_temperature: float = 3.0
    """That temperature."""
    fresh_every: int = 20
    """Iterations after which all tables begin new games; a run is saved then, and goes on from there exactly."""

    batch: int = 4096
    """Decisions in a step of learning."""
    certain: float = 0.1
    """Share of the decisions that were as good as certain (chance over 95 %) that are learned from, with a weight that
    makes up for the others: their gradients are next to nothing."""
    rate: float = 2e-4
    """Highest learning rate of the policy."""
    warmup: int = 100
    """Steps over which the rates rise."""
    clip_ratio: float = 0.1
    """How far a probability may move from the one that chose before its gradient is cut off."""
    kl: float = 0.1
    """Weight of the divergence from the imitated policy; advantages have a standard deviation of one."""
    trace: float = 0.8
    """How much of an advantage is carried over each draw: 1 is unbiased, less trusts the values of draws more."""
    action_terms: bool = False
    """Take the luck of all players' sampled actions out too, by the values of choices."""
    average: float = 0.998
    """How much of the averaged weights is kept in each step."""
    clip: float = 1.0
    """Longest gradient."""

    choice_rate: float = 5e-4
    """Highest learning rate of the values of choices."""
    value_unit: float = 0.25
    """Values of choices are learned in this unit, in places."""

    luck_width: int = 96
    """Width of the network that values draws."""
    luck_blocks: int = 3
    luck_heads: int = 3
    luck_hidden: int = 256
    luck_rate: float = 1e-3
    """Highest learning rate of the values of draws, by Muon; 2e-3 if they begin with nothing."""
    luck_batch: int = 4096
    """Draws in a step of learning."""
    luck_share: float = 0.5
    """Share of the draws that they learn from."""

    gate_games: int = 8192
    """Games of a candidate against three imitated networks, on walls of four games each; 0: no gate."""
    gate_every: int = 40
    """Iterations between candidates."""
    compiled: bool = True
    """Compile the networks that learn on a GPU; this takes a minute or two at the start of each piece."""
    whole_moments: bool = False
    """Keep the optimiser's moments in float32: larger checkpoints, from which a run on a CPU goes on exactly."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.returns not in RETURNS:
            raise ValueError(f"returns must be {' or '.join(RETURNS)}, not {self.returns!r}")
        if self.games not in ("mixed", "east", "south"):
            raise ValueError(f"games must be mixed, east or south, not {self.games!r}")
        if self.tables < 2 or self.tables % 2:
            raise ValueError(f"tables must be an even number of at least 2, not {self.tables}")
        if self.sharpness <= 0:
            raise ValueError(f"sharpness must be positive, not {self.sharpness}")
        for name in ("rivals", "past_share", "explore", "trace", "average", "luck_share", "certain"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
