"""Algorithm 1 of Ogami et al. 2022: training the value function on the variance of adjusted results itself.

A step takes a large batch of whole hands, sums the luck of their chance events, and goes down the gradient of the
sample variance of what is left of their results. Started from a critic it only has to finish the work.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from janshi.luck.games import PlayedGames
from janshi.luck.network import AMOUNT, SETS, TENPAI, TURNED, WHO
from janshi.luck.outcomes import DRAWN, DRAWS, WINS, Worths, gains_of_hands
from janshi.luck.scored import DEAL, DRAW, PLACES, URA, Array
from janshi.luck.scoring import HandScorer
from janshi.luck.training import ValueNetwork
from janshi.luck.value import ValueFunction
from janshi.luck.walk import Walked
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS

Report = Callable[[str], None]
SETS_OF: Final = torch.from_numpy(SETS)


@dataclass(frozen=True)
class VarianceConfig:
    """How the variance is taken down."""

    seed: int = 1
    batch: int = 256
    """Hands whose variance is taken."""
    rate: float = 1e-4
    last_rate: float = 1e-5
    steps: int = 300
    draws_only: bool = False
    """As in the paper, which knows no other chance events."""


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
    """Add the gradient of the variance of some hands; their variance before and after luck is taken off."""
    scorer = HandScorer(games, ValueFunction(network.weights()))
    parts = []
    for at, hands, room, used in scorer.walk(games.hands[chosen]):
        chances = room.chances[: used[0]].copy()
        worth = scorer.worths(hands, room, used)
        luck = torch.zeros(len(hands), PLAYERS)
        for kind in np.unique(chances["kind"]).tolist():
            if draws_only and kind != DRAW:
                continue
            some = chances[chances["kind"] == kind]
            if kind == URA:
                terms = torch.from_numpy(scorer.ura_luck(some, hands, room)[:, PLACES].astype(np.float32))
            else:
                terms = luck_terms(network, some, room, worth, kind)
            luck = luck.index_add(0, torch.from_numpy(some["hand"].astype(np.int64)), terms)
        parts.append((at, luck))
    total = torch.cat([luck for _, luck in parts])
    results = torch.from_numpy(gains.astype(np.float32))
    left = (results - total).var(0, unbiased=True).mean()
    left.backward()  # type: ignore[no-untyped-call]
    return float(results.var(0).mean()), float(left.detach())


def luck_terms(network: ValueNetwork, some: Array, room: Walked, worth: Worths, kind: int) -> Tensor:
    """Luck of events of one kind in places, [n, 4], with gradients."""
    players, standing = some["player"].astype(np.int64), some["standing"]
    if kind == DRAW:
        joined = network.trunk(torch.from_numpy(room.rows[some["row"]]))
        tiles = torch.from_numpy(room.tiles[some["place"]])
        outputs = network.out(torch.relu(joined[:, None] + network.tile(tiles)))
    else:
        rows = room.rows[some["row"][:, None] + np.arange(int(some["rows"][0]))]
        outputs = network.out(torch.relu(network.trunk(torch.from_numpy(rows))))
    values = places_of(outputs, players, worth, standing)
    if kind == DEAL:
        return values[:, 0] - values[:, 1:].mean(1)
    came = values[torch.arange(len(some)), torch.from_numpy(some["tile"].astype(np.int64))]
    return came - torch.einsum("nt,nts->ns", torch.from_numpy(some["weight"]), values)


def places_of(out: Tensor, player: Array, worth: Worths, standing: Any) -> Tensor:
    """`luck.network.values` in places only, with gradients: [n, t, 4]."""
    n, t = out.shape[:2]
    turned = TURNED[player]
    wins = worth.wins[standing][..., PLACES, :]
    rows = np.arange(n)[:, None, None]
    table = torch.from_numpy(wins[rows, turned[:, :, None], turned[:, None, :]].reshape(n, WINS, AMOUNTS, PLAYERS))
    who = out[..., WHO].softmax(-1)
    amounts = out[..., AMOUNT].reshape(n, t, PLAYERS, AMOUNTS).softmax(-1)
    by_loser = table.view(n, PLAYERS, PLAYERS, AMOUNTS, PLAYERS)
    won = torch.einsum("ntwl,ntwa,nwlas->nts", who[..., :WINS].reshape(n, t, PLAYERS, PLAYERS), amounts, by_loser)
    tenpai = torch.sigmoid(out[..., TENPAI])
    back = torch.from_numpy(np.argsort(turned, 1))
    by_seat = tenpai.gather(2, back[:, None].expand(n, t, PLAYERS))
    sets = torch.ones(n, t, DRAWS)
    for seat in range(PLAYERS):
        chance = by_seat[..., seat, None]
        sets = sets * (SETS_OF[:, seat] * chance + (1 - SETS_OF[:, seat]) * (1 - chance))
    drawn = torch.einsum("ntd,nds->nts", sets, torch.from_numpy(worth.draws[standing][..., PLACES, :]))
    return won + who[..., DRAWN, None] * drawn
