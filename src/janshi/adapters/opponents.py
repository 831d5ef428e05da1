"""Who plays the other seats of a single-agent environment: players of the game's family, by name."""

from __future__ import annotations

from collections.abc import Sequence

from janshi.adapters.families import ADAPTERS_LAYER, Opponents
from janshi.rules.game import Game


def make_opponents(game: Game, names: str | Sequence[str]) -> Opponents:
    """Opponents of a game by name: one name for all seats, or one for each."""
    wanted = [names] * game.players if isinstance(names, str) else list(names)
    if len(wanted) != game.players:
        raise ValueError(f"opponents are one name, or one for each of the {game.players} seats, not {names!r}")
    return ADAPTERS_LAYER.of(game.family).opponents(game, wanted)
