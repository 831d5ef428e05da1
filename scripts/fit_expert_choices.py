"""Fit the model of experts' choices (`janshi.agents.mdp.experts`) to recorded games, and print the weights.

python scripts/fit_expert_choices.py GAME.mjlog ...         # not games of the test pack
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.experts import FEATURES, choice_features
from janshi.core.tiles import kind_of
from janshi.luck.error_rate import RULES, decisions
from janshi.luck.games import PlayedGames
from janshi.luck.sources import gather
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS

HANDS = 12_500
"""Budget of the player: hands searched per decision."""
RIDGE = 1e-2
"""Ridge penalty, which keeps weights of rare features small."""


class Example(NamedTuple):
    """A decision: the features of its actions, and the one played."""

    features: Array
    played: int


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", help="recorded games: files, folders or archives")
    examples = list(examples_of(gather(parser.parse_args().games)))
    weights = fit(examples)
    print(f"{len(examples):,} decisions, {-loss(weights, examples)[0] / len(examples):.4f} nats each")
    print("WEIGHTS: Final = np.array([" + ", ".join(f"{weight:.3f}" for weight in weights) + "])")


def examples_of(played: PlayedGames) -> Iterator[Example]:
    """Decisions of games in which the player considers the action played."""
    agent = MDPAgent(make_game(RULES), hands=HANDS)
    for some in decisions(played, np.ones((len(played), PLAYERS), np.bool_)):
        for i in range(len(some.views)):
            view = some.views[i : i + 1]
            actions, features = choice_features(agent.judge(view), view[0], agent._desk)
            chosen = sort_of(int(some.actions[i]), int(view["drawn"][0]))
            places = [j for j, action in enumerate(actions) if sort_of(action, int(view["drawn"][0])) == chosen]
            if places and len(actions) > 1:
                yield Example(features, places[0])


def sort_of(action: int, drawn: int) -> tuple[str, int]:
    """Equal for actions that the player does not distinguish: discards of a kind, calls with or without a red five."""
    if action <= act.TSUMOGIRI:
        return "discard", int(kind_of(drawn if action == act.TSUMOGIRI else action))
    if act.CHI_RED <= action < act.PON:
        return "action", action - act.CHI_RED + act.CHI
    return "action", act.PON if action == act.PON_RED else action


def fit(examples: Sequence[Example]) -> Array:
    """The maximum likelihood weights for the actions played."""
    found = minimize(loss, np.zeros(FEATURES), args=(examples,), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)


def loss(weights: Array, examples: Sequence[Example]) -> tuple[float, Array]:
    """Minus the log-likelihood with its ridge, and its gradient."""
    total, gradient = RIDGE * float(weights @ weights), 2.0 * RIDGE * weights
    for features, played in examples:
        utility = features @ weights
        utility -= utility.max()
        odds = np.exp(utility)
        total += float(np.log(odds.sum()) - utility[played])
        gradient = gradient + (odds / odds.sum()) @ features - features[played]
    return total, gradient


if __name__ == "__main__":
    main()
