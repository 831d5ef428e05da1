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
    """`luckfree`: the luck of draws and ura-dora is removed from returns; `plain`: it is left in, as a control."""
    network: str = ""
    """The imitated network to start from and stay close to: a file of `janshi train imitate`, or empty for the shipped
    one."""
    sharpness: float = 2.0
    """Factor on the logits of the imitated policy, both learner and rivals. With 1, actions are sampled as often as
    experts choose them; larger values favour the most probable action, which players choose in matches."""
    values: str = "package"
    """Initial values of draws and choices: `package`, the folder of another run, its `values.npz`, or `none`."""
    decisions: int = 262_144
    """Decisions per iteration; they are played, learned from once, and dropped."""
    iterations: int = 200
    """Total number of iterations; learning rates fall to zero at the last."""
    luck_iterations: int = 1
    """Iterations at the start in which only the values of draws and choices learn, not the policy; 16 if they start
    from scratch."""
    most_left: float = 0.95
    """With `luckfree`, the policy waits until removing luck leaves at most this share of the variance of fresh
    hands."""
    tables: int = 8192
    """Number of tables, in two halves: one is stepped while the network answers the other."""
    games: str = "mixed"
    """`east`, `south`, or `mixed`: every other table plays South games."""
    rivals: float = 0.25
    """Share of the games in which three of the four seats are taken by the imitated network or a past self."""
    past_share: float = 0.3
    """Share of those rivals that are a past self."""
    past_every: int = 20
    """Iterations after which the averaged network becomes the past self."""
    explore: float = 0.02
    """Share of decisions sampled from the policy at a higher temperature."""
    explore_temperature: float = 3.0
    """That temperature."""
    fresh_every: int = 20
    """Iterations after which all tables start new games. The run is saved then, and can continue from there
    exactly."""

    batch: int = 4096
    """Decisions per training step."""
    certain: float = 0.1
    """Share of nearly certain decisions (probability above 95 %) to learn from, weighted to make up for the rest;
    their gradients are negligible."""
    rate: float = 2e-4
    """Highest learning rate of the policy."""
    warmup: int = 100
    """Steps over which the learning rates rise."""
    clip_ratio: float = 0.1
    """PPO's clip range for the ratio of probabilities."""
    kl: float = 0.1
    """Weight of the divergence from the imitated policy, given advantages with a standard deviation of one."""
    trace: float = 0.8
    """Trace decay of advantages at each draw: 1 is unbiased; smaller values rely more on the values of draws."""
    action_terms: bool = False
    """Also remove the luck of all players' sampled actions, using the values of choices."""
    average: float = 0.998
    """Decay of the averaged weights in each step."""
    clip: float = 1.0
    """Longest gradient."""

    choice_rate: float = 5e-4
    """Highest learning rate of the values of choices."""
    value_unit: float = 0.25
    """Unit of the values of choices in training, in places."""

    luck_width: int = 96
    """Width of the network for values of draws."""
    luck_blocks: int = 3
    luck_heads: int = 3
    luck_hidden: int = 256
    luck_rate: float = 1e-3
    """Highest learning rate of the values of draws, with Muon; 2e-3 if they start from scratch."""
    luck_batch: int = 4096
    """Draws per training step."""
    luck_share: float = 0.5
    """Share of the draws to learn from."""

    gate_games: int = 8192
    """Games of a candidate against three imitated networks, four games per wall; 0: no gate."""
    gate_every: int = 40
    """Iterations between candidates."""
    compiled: bool = True
    """Compile the networks in training on a GPU, which takes a minute or two at each start."""
    whole_moments: bool = False
    """Save the optimiser's moments in float32: checkpoints are larger, and runs on a CPU resume exactly."""
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
