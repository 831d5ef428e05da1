"""Algorithm 1 of Ogami et al. 2022: training the value function directly on the variance of adjusted results.

A step takes a large batch of whole hands, sums the luck of their chance events, and follows the gradient of the sample
variance of the adjusted results. Starting from a critic leaves little to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from janshi.agents.worths import Worths
from janshi.luck.agent_styles import with_styles
from janshi.luck.fitting.training import ValueNetwork
from janshi.luck.games import PlayedGames
from janshi.luck.measure import HandScorer
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.torch_values import values_of
from janshi.luck.types import DEAL, DRAW, PLACES, URA, Array
from janshi.luck.value import ValueFunction
from janshi.luck.walk import Walked
from janshi.rules.riichi.state import PLAYERS

Report = Callable[[str], None]


@dataclass(frozen=True)
class VarianceConfig:
    """How the variance is minimised."""

    seed: int = 1
    batch: int = 256
    """Hands whose variance is taken."""
    rate: float = 1e-4
    last_rate: float = 1e-5
    steps: int = 300
    draws_only: bool = False
    """The paper has no other chance events."""


def reduce_variance(
    network: ValueNetwork,
    games: PlayedGames,
    config: VarianceConfig,
    report: Report = print,
    minutes: float = float("inf"),
) -> int:
    """Train a network on the variance of adjusted results; returns the steps done."""
    gains = gains_of_hands(games)[:, PLACES]
    optimiser = torch.optim.Adam(network.parameters(), lr=config.rate)
    rng = np.random.default_rng([config.seed, 2])
    started, seen = time.monotonic(), (0.0, 0.0)
    for step in range(config.steps):
        if time.monotonic() - started > 60 * minutes:
            return step
        share = 0.5 * (1 + np.cos(np.pi * step / config.steps))
        for group in optimiser.param_groups:
            group["lr"] = float(config.last_rate + (config.rate - config.last_rate) * share)
        chosen = np.sort(rng.choice(len(games.hands), config.batch, replace=False))
        optimiser.zero_grad()
        before, after = variance_step(network, games, chosen, gains[chosen], config.draws_only)
        optimiser.step()
        mean = 1.0 / (1 + min(step, 50))
        seen = (seen[0] + (before - seen[0]) * mean, seen[1] + (after - seen[1]) * mean)
        if (step + 1) % 10 == 0:
            report(f"step {step + 1} of {config.steps}: variance {seen[0]:.4f} -> {seen[1]:.4f}")
    return config.steps


def variance_step(
    network: ValueNetwork, games: PlayedGames, chosen: Array, gains: Array, draws_only: bool
) -> tuple[float, float]:
    """Add the gradient of the variance of some hands; returns their variance with and without luck."""
    scorer = HandScorer(games, ValueFunction(network.weights()))
    parts = []
    for at, hands, room, used in scorer.walk(games.hands[chosen]):
        chances = room.chances[: used[0]].copy()
        worth = scorer.worths(hands, room, used)
        luck = torch.zeros(len(hands), PLAYERS)
        styles = None if scorer.styles is None else scorer.styles[chosen[at : at + len(hands)]]
        for kind in np.unique(chances["kind"]).tolist():
            if draws_only and kind != DRAW:
                continue
            some = chances[chances["kind"] == kind]
            if kind == URA:
                terms = torch.from_numpy(scorer.ura_luck(some, hands, room)[:, PLACES].astype(np.float32))
            else:
                terms = luck_terms(network, some, room, worth, styles)
            luck = luck.index_add(0, torch.from_numpy(some["hand"].astype(np.int64)), terms)
        parts.append((at, luck))
    total = torch.cat([luck for _, luck in parts])
    results = torch.from_numpy(gains.astype(np.float32))
    left = (results - total).var(0, unbiased=True).mean()
    left.backward()  # type: ignore[no-untyped-call]
    return float(results.var(0).mean()), float(left.detach())


def luck_terms(network: ValueNetwork, some: Array, room: Walked, worth: Worths, styles: Array | None) -> Tensor:
    """Luck of events of one kind in places, [n, 4], with gradients."""
    players, standing, kind = some["player"].astype(np.int64), some["standing"], int(some["kind"][0])
    rows = room.rows[some["row"]]
    if kind != DRAW:
        rows = room.rows[some["row"][:, None] + np.arange(int(some["rows"][0]))]
    if styles is not None:
        rows = with_styles(rows, styles[some["hand"]], players)
    joined = network.trunk(torch.from_numpy(rows))
    if kind == DRAW:
        joined = joined[:, None] + network.tile(torch.from_numpy(room.tiles[some["place"]]))
    outputs = network.out(torch.relu(joined))
    values = values_of(outputs, players, worth, standing)[:, :, PLACES]
    if kind == DEAL:
        return values[:, 0] - values[:, 1:].mean(1)
    came = values[torch.arange(len(some)), torch.from_numpy(some["tile"].astype(np.int64))]
    return came - torch.einsum("nt,nts->ns", torch.from_numpy(some["weight"]), values)
