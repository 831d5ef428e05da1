"""How much of the variance of a hand's result remains with each method, for a frozen policy.

There are two figures: for the results of *hands*, with all luck after the deal removed; and for the returns of
*decisions*, with only later luck removed, and optionally a critic's value subtracted, as in an advantage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from janshi.features.planes import encoder
from janshi.learn.config import TrainConfig
from janshi.learn.luckless import without_luck
from janshi.learn.network import PolicyNet
from janshi.learn.ppo import Trainer
from janshi.learn.slots import Ready
from janshi.rules.game import Array
from janshi.rules.registry import find_family


class Share(NamedTuple):
    """A share of variance, and its standard error."""

    value: float
    error: float


@dataclass
class Squares:
    """Sums of squares by hand: after and before the reduction."""

    left: list[Array]
    plain: list[Array]

    def share(self) -> Share:
        """Their ratio; hands are independent."""
        left, plain = np.concatenate(self.left), np.concatenate(self.plain)
        ratio = left.sum() / max(plain.sum(), 1e-12)
        error = np.std(left - ratio * plain) / (np.sqrt(len(left)) * max(plain.mean(), 1e-12))
        return Share(float(ratio), float(error))


def frozen(policy: PolicyNet, rules: str, variant: str, seed: int, settings: list[str], **changes: Any) -> Trainer:
    """A run that plays with a fixed policy while its other networks learn."""
    trainer = Trainer(frozen_config(policy, rules, variant, seed, settings, **changes))
    trainer.networks.begin_with(policy)
    trainer.begin()
    return trainer


def frozen_config(
    policy: PolicyNet, rules: str, variant: str, seed: int, settings: list[str], **changes: Any
) -> TrainConfig:
    """The settings of a run that plays with a fixed policy."""
    sizes = {name: policy.sizes[name] for name in ("blocks", "channels", "width")}
    plans = policy.encoder.version != encoder(find_family(rules).name).version
    given = {**sizes, **changes}
    return TrainConfig(rules=rules, variant=variant, seed=seed, plans=plans, values_first=2**62, **given).changed(
        settings
    )


def play_until(trainer: Trainer, entries: int) -> None:
    """Play on, without learning, until this many decisions are ready."""
    while trainer.slots.entries < entries:
        for half in trainer.halves:
            half.tables.step(half.wait())
            half.submit()


def measure(trainer: Trainer, hands: int) -> dict[str, Share]:
    """The remaining shares for a frozen policy, from at least `hands` fresh hands, without learning.

    Returns must be undiscounted (γ = λ = 1).
    """
    found: dict[str, Squares] = {}
    left = hands
    while left > 0:
        play_until(trainer, trainer.most // 2)
        ready = trainer.slots.take(trainer.most)
        advs = trainer.advantages_of(ready)
        trainer.device.synchronize()
        for name, (residual, plain) in squares(trainer, ready, advs).items():
            one = found.setdefault(name, Squares([], []))
            one.left.append(residual)
            one.plain.append(plain)
        left -= len(ready.scores)
    return {name: one.share() for name, one in found.items()}


def squares(trainer: Trainer, ready: Ready, advs: Array) -> dict[str, tuple[Array, Array]]:
    """Sums of squares of each hand, by name: of the remainder, and of the plain returns."""
    scores = ready.scores * np.float32(trainer.config.scale)
    plain, returns = squared_distances(scores), ready.seen_by(scores)[:, 0]
    per_decision = _by_decision(ready, returns)
    found = {"critic, decisions": (_by_decision(ready, advs), per_decision)}
    if trainer.luck is None:
        return found
    draws, actions = trainer.luck.of(ready)
    terms = {"draws": (draws, None)} | ({} if actions is None else {"draws and actions": (draws, actions)})
    for name, (of_draws, of_actions) in terms.items():
        freed = without_luck(ready, scores, of_draws, of_actions, 1.0)
        own = freed.after_actions[np.arange(len(ready)), ready.player]
        found[f"{name}, hands"] = (squared_distances(freed.start), plain)
        found[f"{name}, decisions"] = (_by_decision(ready, own), per_decision)
        if of_actions is not None and trainer.luck.actions is not None:
            residual = own - trainer.luck.actions.means()[:, 0]
            found[f"{name}, their value as critic, decisions"] = (_by_decision(ready, residual), per_decision)
    return found


def squared_distances(results: Array) -> Array:
    """Squared distances from the mean of each seat, summed, float64[h]."""
    return np.asarray(((results - results.mean(0)).astype(np.float64) ** 2).sum(1))


def _by_decision(ready: Ready, returns: Array) -> Array:
    """Squared distances from the mean of all decisions, summed over each hand, float64[h]."""
    distances = (returns - returns.mean()).astype(np.float64) ** 2
    return np.bincount(ready.hand, distances, len(ready.scores))
