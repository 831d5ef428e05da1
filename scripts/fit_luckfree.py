"""Fit values of draws from few hands: what a tile that completes a player's hand is worth to every player.

An agent plays hands against itself. For every draw, the luck of completing each player's hand is what came less what
was to be expected; one least-squares fit of the hands' results on these sums gives the direct part of the values
(`learn/outcome_values.py`), on top of values that were trained before, or alone. The share of variance left is measured
on hands that were not fitted.

    python scripts/fit_luckfree.py --rules guobiao --agent search --hands 2000 --out luckfree-draws-guobiao.npz
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from janshi.features.open_hands import OpenHands
from janshi.learn import outcome_values
from janshi.learn.families import LEARN_LAYER
from janshi.learn.outcome_values import OutcomeValues
from janshi.learn.slots import turned
from janshi.learn.warm_start import Recorded, read_hands, record_hands
from janshi.luck.point_luck import DRAW, PointLuck, Values, luck_of_games
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game

HELD = 0.25
"""Share of the hands that is not fitted but measured; at the end all are fitted."""
SEED = 20


class Sums(NamedTuple):
    """Of each hand and seat: the results, and the luck of completing hands by whose hand and whose view."""

    results: Array  # float64[h, players], scaled
    luck: Array  # float64[h, players, players * players]


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--agent", default="search")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--records", type=Path, help="hands that were recorded before, instead of playing")
    parser.add_argument("--begin", type=Path, help="values of draws to which the direct part is added")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def played(options: Any, game: Game) -> Recorded:
    """Hands of an agent against itself."""
    if options.records is not None:
        return read_hands(options.records)
    with tempfile.TemporaryDirectory() as folder:
        return record_hands(game, options.agent, options.hands, SEED, Path(folder) / "hands.npz")


def blank(game: Game) -> OutcomeValues:
    """Values with nothing but a direct part."""
    seen = OpenHands(game.family.name).encoder
    cells = seen.rows * seen.columns
    network = OutcomeValues(seen, cells, game.players, cells, blocks=0, channels=1, neck=1, width=1)
    with torch.no_grad():
        for value in network.parameters():
            value.zero_()
    return network


class Waits(nn.Module):
    """Values of draws that say only whose hand a tile completes."""

    def __init__(self, network: OutcomeValues) -> None:
        super().__init__()
        self.network = network

    def forward(self, private: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """1 for each player whose hand the tile completes."""
        return self.network.waits(hidden)


def draws_of(game: Game, network: Any, hands: Recorded) -> Array:
    """All draws of hands, with their luck in units of the values."""
    answers = np.split(hands.actions, np.cumsum(hands.lengths)[:-1])
    events, _ = PointLuck(game, Values(network, 1.0, ""), deals=2).of_games(hands.seeds.tolist(), answers)
    return np.asarray(events[events["kind"] == DRAW])


def sums(game: Game, trained: OutcomeValues, scale: float, hands: Recorded) -> Sums:
    """What is left of results by the trained values, and the luck by each entry of the direct part alone."""
    n, players = len(hands.seeds), game.players
    luck = luck_of_games(draws_of(game, trained, hands), n, players)
    draws = draws_of(game, Waits(trained), hands)
    drawer = draws["player"].astype(np.int64)
    completed = turned(draws["luck"], drawer)  # of the drawing player's hand first
    found = np.zeros((n, players, players, players))  # hand, seat, whose hand, whose view
    for view in range(players):
        np.add.at(found[:, :, :, view], (draws["game"], (drawer + view) % players), completed)
    return Sums(scale * hands.scores.astype(np.float64) - luck, found.reshape(n, players, -1))


def fitted(some: Sums) -> Array:
    """The direct part by least squares, float64[players, players], each row summing to zero."""
    players = some.results.shape[1]
    residual = (some.results - some.results.mean(0)).ravel()
    found = np.linalg.lstsq(some.luck.reshape(len(residual), -1), residual, rcond=None)[0].reshape(players, players)
    return np.asarray(found - found.mean(1, keepdims=True))


def left(some: Sums, direct: Array, plain: Array) -> float:
    """The share of the variance of plain results that is left."""
    freed = some.results - some.luck @ direct.ravel()
    return float(freed.var(0).mean() / plain.var(0).mean())


def main() -> None:
    """Play, fit, measure, write."""
    options = parse()
    torch.set_num_threads(1)
    game = make_game(options.rules)
    scale = LEARN_LAYER.of(game.family).reward_scale
    card: dict[str, Any] = {"rules": game.id, "scale": scale, "events": "draws", "decisions": 0, "hands": 0}
    network = blank(game)
    if options.begin is not None:
        network, before = outcome_values.read(options.begin)
        card |= {name: before[name] for name in (*card, "policy", "seed") if name in before}
    hands = played(options, game)
    every = sums(game, network, scale, hands)
    plain = scale * hands.scores.astype(np.float64)
    cut = int(len(plain) * (1 - HELD))
    parts = [Sums(*(values[some] for values in every)) for some in (slice(cut), slice(cut, None))]
    direct = fitted(parts[0])
    shares = [left(parts[1], d, plain[cut:]) for d in (np.zeros_like(direct), direct)]
    print(f"{len(plain) - cut} hands that were not fitted: {shares[0]:.3f} of the variance left, then {shares[1]:.3f}")
    with torch.no_grad():
        network.direct += torch.from_numpy(fitted(every)).float()
    fit = {"agent": options.agent, "hands": len(plain), "left before": shares[0], "left": shares[1]}
    outcome_values.write(network, options.out, {**card, "fitted": fit})


if __name__ == "__main__":
    main()
