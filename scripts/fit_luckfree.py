"""Fit values of draws to recorded hands: the worth of each possible tile to every player (RL-5, `janshi luck`).

Hands come from an agent that plays against itself, or from a file (`janshi train hands`). The remaining share of
variance is measured on held-out hands; then the values are fitted to all hands (unless `--once`) and written with a
card.

    python scripts/fit_luckfree.py --rules guobiao --agent search --hands 2000 --out luckfree-draws-guobiao.npz
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from janshi.features.prospects import prospects_of
from janshi.learn import draw_fitting, prospect_values
from janshi.learn.draw_fitting import DrawnHands
from janshi.learn.families import LEARN_LAYER
from janshi.learn.prospect_values import WIDTH, ProspectValues
from janshi.learn.variance import Share
from janshi.learn.warm_start import Recorded, read_hands, record_hands
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game

SEED = 20


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--agent", default="search")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--records", type=Path, nargs="*", default=[], help="hands recorded before, instead of playing")
    parser.add_argument("--players", nargs="*", default=[], help="who played the records, for the card")
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--passes", type=int, default=8)
    parser.add_argument("--held", type=float, default=0.2, help="share of each record's hands to hold out")
    parser.add_argument("--once", action="store_true", help="write the values as measured, with no final fit")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def recorded(options: Any, game: Game) -> list[Recorded]:
    """Hands of records, or of an agent against itself."""
    if options.records:
        return [read_hands(path) for path in options.records]
    with tempfile.TemporaryDirectory() as folder:
        return [record_hands(game, options.agent, options.hands, SEED, Path(folder) / "hands.npz")]


def held_out(hands: int, share: float) -> Array:
    """Which hands are held out, bool[hands]: a random choice, since records list long hands last."""
    which = np.zeros(hands, np.bool_)
    which[np.random.default_rng(SEED).permutation(hands)[: int(hands * share)]] = True
    return which


def fitted(options: Any, game: Game, drawn: DrawnHands, scale: float) -> ProspectValues:
    """Values fitted to these draws."""
    torch.manual_seed(SEED)
    network = ProspectValues(prospects_of(game.family), options.width)
    draw_fitting.fit(network, drawn, scale, passes=options.passes, report=lambda n, loss: print(f"{n}: {loss:.4f}"))
    return network


def measured(network: ProspectValues, parts: list[DrawnHands], scale: float) -> list[Share]:
    """The remaining shares in some hands."""
    return [draw_fitting.share_left(part, draw_fitting.luck_of(network, part, scale)) for part in parts]


def main() -> None:
    """Play, fit, measure, fit to all hands, and write."""
    options = parse()
    torch.set_num_threads(options.threads)
    game = make_game(options.rules)
    scale = LEARN_LAYER.of(game.family).reward_scale
    drawn = [draw_fitting.draws_of(game, hands) for hands in recorded(options, game)]
    kept = [held_out(len(part.scores), options.held) for part in drawn]
    learned = draw_fitting.join([d.chosen(~which) for d, which in zip(drawn, kept)])
    network = fitted(options, game, learned, scale)
    held = [d.chosen(which) for d, which in zip(drawn, kept)]
    names = options.players or [options.agent] * len(drawn)
    left = {}
    for name in dict.fromkeys(names):
        part = draw_fitting.join([one for one, who in zip(held, names) if who == name])
        share = measured(network, [part], scale)[0]
        left[name] = {"value": round(share.value, 4), "error": round(share.error, 4), "hands": len(part.scores)}
        print(
            f"{name}: {share.value:.3f} ± {share.error:.3f} of the variance of {len(part.scores):,} held-out hands left"
        )
    if not options.once:
        network = fitted(options, game, draw_fitting.join(drawn), scale)
    card = {
        "rules": game.id,
        "scale": scale,
        "hands": len(learned.scores) if options.once else sum(len(d.scores) for d in drawn),
        "players": list(dict.fromkeys(names)),
        "passes": options.passes,
        "seed": SEED,
        "left in held-out hands, fitted without them": left,
    }
    prospect_values.write(network, options.out, card)


if __name__ == "__main__":
    main()
