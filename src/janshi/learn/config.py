"""Settings of a training run. The defaults are those of the paper if it gives any."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Final

from janshi.features.families import FEATURES_LAYER
from janshi.learn.families import LEARN_LAYER, LearnFamily
from janshi.learn.settings import RunSettings
from janshi.rules.game import Game
from janshi.rules.registry import families, find_family, make_game

MOST_THREADS: Final = 6
"""More threads than this would mostly wait for one another."""


@dataclass(frozen=True)
class Variant:
    """Which variance reductions a run uses."""

    hidden: bool = False
    """The value network also sees what is hidden from the player."""
    relative: bool = False
    """It predicts the values of all players, which sum to zero (eq. 1)."""
    expected: bool = False
    """The expected reward network's output replaces the final reward (eq. 2)."""
    expected_wall: bool = True
    """The expected reward network sees the order of the wall, as in the paper; otherwise only all hands."""
    chance: bool = False
    """The luck of draws is removed from returns (`luckless.py`)."""
    actions: bool = False
    """So is the luck of actions that players drew from their policies."""
    duplicate: bool = False
    """The value network sees the results of the same wall at other tables."""
    alone: bool = False
    """One seat learns at each table; the others take the likeliest actions of an earlier policy and do not learn."""
    race: bool = False
    """One player learns at each table, and the others cannot win (`race.py`)."""


VARIANTS: Final = {
    "basic": Variant(),
    "global": Variant(hidden=True),
    "rl1": Variant(hidden=True, relative=True),
    "rl2": Variant(expected=True),
    "rl2p": Variant(expected=True, expected_wall=False),
    "rl3": Variant(hidden=True, relative=True, expected=True),
    "rl3p": Variant(hidden=True, relative=True, expected=True, expected_wall=False),
    "rl4": Variant(hidden=True, relative=True, duplicate=True),
    "rl5": Variant(hidden=True, relative=True, chance=True),
    "rl5a": Variant(hidden=True, relative=True, chance=True, actions=True),
    "rl5d": Variant(hidden=True, relative=True, chance=True, duplicate=True),
    "alone": Variant(hidden=True, duplicate=True, alone=True),
    "race": Variant(hidden=True, duplicate=True, race=True),
}
"""The paper's RL-basic, RL-global, RL-1, RL-2 and RL-3; RL-2′ and RL-3′ (rl2p, rl3p); and our own."""


@dataclass(frozen=True)
class TrainConfig(RunSettings):
    """All settings of a training run."""

    rules: str = "simplified"
    """A game of one hand: simplified, guobiao, or family/preset."""
    variant: str = "rl3"
    """Which variance reductions are used: basic, global, rl1, rl2, rl2p, rl3, rl3p, rl4, rl5, rl5a, rl5d, alone,
    race.

    See `rvr.py`.
    """
    seed: int = 0

    # networks
    blocks: int = 8
    channels: int = 128
    width: int = 1024
    """Size of the two fully connected layers."""
    value_blocks: int = 0
    """Blocks of the value and expected reward networks; 0: as many as the policy's."""
    value_channels: int = 0

    plans: bool = False
    """Guobiao: the policy also sees the plans of its hand (`features/guobiao/plan_planes.py`)."""

    # self-play
    tables: int = 8192
    """Tables played at once, in two halves: one is stepped while the other's decisions are evaluated."""
    rollout: int = 131_072
    """Decisions played with each version of the policy."""
    duplicates: int = 4
    """Tables that play the same wall (rl4, rl5d, alone and race only)."""
    minimum_fan: int = 0
    """Guobiao: minimum fan for a win; 0: as in the rules."""
    past_share: float = 0.0
    """Share of tables where all but one seat are played by a past self, whose decisions are not learned from."""
    past_every: int = 25
    """Rollouts after which a past self is stored; with variant alone, after which the others' policy is updated."""
    past_most: int = 8
    """Number of past selves stored; the one playing changes with every rollout."""

    # learning
    batch: int = 2048
    epochs: int = 1
    """Number of passes over each decision; the paper does not say."""
    gamma: float = 0.95
    """Discount factor from one decision of a player to the next."""
    lam: float = 0.995
    rate: float = 3e-4
    """Rate of Adam."""
    value_rate: float = 0.0
    """Adam's rate for the value and expected reward networks; 0: the same as the policy's."""
    final_rate: float = -1.0
    """Rate at the end of the run's minutes or decisions, approached linearly; negative: constant rate."""
    temperature: float = 1.0
    """Divides the logits of the starting policy: above 1, it explores more."""
    values_first: int = 0
    """Number of decisions at the start in which only the value network learns; for a warm start."""
    clip: float = 0.2
    """Policy clip range."""
    value_clip: float = 0.2
    """Clip range of values, in scaled rewards; 0 for none."""
    gradient_clip: float = 0.5
    """Maximum norm of each network's gradient."""
    entropy: float = 0.01
    """Weight of the policy's entropy."""
    reward_scale: float = 0.0
    """Reward per point; 0: the default in `learn/families`."""
    expected_batch: int = 1024
    expected_epochs: int = 2
    """Number of passes of the expected reward network over each hand."""
    luck_epochs: int = 1
    """Number of passes of the networks of luck terms over each draw or action."""
    luck_width: int = 0
    """Width of the values of draws; 0: as in the shipped ones."""

    # machine
    device: str = ""
    """cuda, cpu, or empty to detect it."""
    threads: int = 0
    """Threads that step tables; 0: one per core, at most `MOST_THREADS`."""
    half_precision: bool = True
    """Use bfloat16 on a GPU."""
    compiled: bool = True
    """Use torch.compile and CUDA graphs on a GPU."""

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"no variant is called {self.variant!r}; there are {', '.join(VARIANTS)}")
        if self.family not in trainable():
            raise ValueError(f"training supports {' and '.join(trainable())}, not {self.rules!r}")
        for name in ("blocks", "channels", "width", "tables", "rollout", "batch", "epochs", "expected_batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.tables % (2 * self.group):
            raise ValueError(f"tables must be a multiple of {2 * self.group} (two halves), not {self.tables}")
        least = max(self.batch, 4 * self._known.decisions_of_hand)
        if self.rollout < least:
            raise ValueError(f"rollout must hold a batch and any one hand, at least {least}, not {self.rollout}")
        if not (0 <= self.gamma <= 1 and 0 <= self.lam <= 1 and 0 <= self.past_share <= 1):
            raise ValueError("gamma, lam and past_share lie between 0 and 1")
        if self.temperature <= 0:
            raise ValueError(f"temperature must be above 0, not {self.temperature}")
        if self.minimum_fan and not self._known.minimum_fan:
            raise ValueError("minimum_fan is for guobiao")
        if VARIANTS[self.variant].race and not self._known.races:
            raise ValueError("races are for guobiao")
        if self.past_share and (VARIANTS[self.variant].race or VARIANTS[self.variant].alone):
            raise ValueError(f"past selves have no seats in variant {self.variant}: past_share must be 0")
        if self.plans and not self._known.plans:
            raise ValueError("plans are for guobiao")

    @property
    def family(self) -> str:
        """The family of the rules."""
        return find_family(self.rules).name

    @property
    def _known(self) -> LearnFamily:
        return LEARN_LAYER.of(find_family(self.rules))

    @property
    def planes(self) -> str:
        """The name of the networks' input planes."""
        return f"{self.family}+plans" if self.plans else self.family

    @property
    def group(self) -> int:
        """Tables that play the same wall."""
        return self.duplicates if VARIANTS[self.variant].duplicate else 1

    @property
    def scale(self) -> float:
        """Reward of a point."""
        return self.reward_scale or self._known.reward_scale

    @property
    def workers(self) -> int:
        """Threads that step tables."""
        return self.threads or min(os.cpu_count() or 1, MOST_THREADS)

    @property
    def slots(self) -> int:
        """Space for decisions: those of unfinished hands, and the ready ones of some rollouts."""
        waiting = 2 if self.group > 1 else 1
        return self.tables * self._known.decisions_of_hand * (1 + waiting) + 4 * self.rollout

    def game(self) -> Game:
        """The game that is played."""
        game = make_game(self.rules)
        if getattr(game.rules, "hands", 1) != 1:
            raise ValueError(f"training plays games of one hand; {self.rules} has {game.rules.hands}")
        if self.minimum_fan:
            return type(game)(replace(game.rules, minimum_fan=self.minimum_fan))
        return game


def trainable() -> list[str]:
    """The families of rules that can be trained: those with an encoder."""
    return [name for name, family in families().items() if FEATURES_LAYER.of(family).encoders]
