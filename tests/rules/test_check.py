"""Every rule set keeps the contract, and the check sees it when one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.rules.check import GameCheckError, check_game
from janshi.rules.registry import game_names, make_game
from janshi.rules.riichi.game import RiichiGame


@pytest.mark.parametrize("name", game_names())
def test_game_keeps_the_contract(name: str) -> None:
    check_game(make_game(name), tables=6, steps=250, seed=3)


def test_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no rules are called 'bridge'"):
        make_game("bridge")


# --- games with one fault each


class Nameless(RiichiGame):
    action_names = (*RiichiGame.action_names[:-1], "ron")


class Unversioned(RiichiGame):
    def __init__(self) -> None:
        super().__init__()
        self.id = "riichi"


class Blind(RiichiGame):
    oracle_dtype = RiichiGame.view_dtype


class Moody(RiichiGame):
    """Starts a different game every time."""

    started = 0

    def start(self, states: Any, seeds: Any, context: Any) -> None:
        Moody.started += 1
        super().start(states, seeds + np.uint64(Moody.started), context)


class Mute(RiichiGame):
    """Forgets what is legal."""

    def legal_masks(self, states: Any, tables: Any, players: Any, out: Any) -> None:
        super().legal_masks(states, tables, players, out)
        out[:, 40:] = False


class Lenient(RiichiGame):
    """Accepts everything."""

    def first_illegal(self, states: Any, first: Any, actions: Any) -> int:
        return -1


class Leaky(RiichiGame):
    """Pays a player who has discarded eight times 100 points from nowhere."""

    def total_points(self, states: Any) -> Any:
        return super().total_points(states) + 100 * (states["discards"][:, 0] > 8)


class Thief(RiichiGame):
    """Loses a tile."""

    def tile_counts(self, states: Any) -> Any:
        counts = super().tile_counts(states)
        counts[:, 4] -= states["discards"][:, 0] > 8
        return counts


class Gossip(RiichiGame):
    """Tells a viewer how many East winds the next player holds."""

    def views(self, states: Any, tables: Any, players: Any, out: Any) -> None:
        super().views(states, tables, players, out)
        out["honba"] = states["hand"][tables, (players + 1) % 4].astype(np.int64) @ np.arange(34) % 100


class Generous(RiichiGame):
    """Gives everybody a point at the end."""

    def rewards(self, states: Any) -> Any:
        return super().rewards(states) + self.is_over(states)[:, None].astype(np.float32)


class Hasty(RiichiGame):
    """Rewards before the end."""

    def rewards(self, states: Any) -> Any:
        return super().scores(states).astype(np.float32)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Nameless(), "action names are not unique: ron"),
        (Unversioned(), "does not end in a version"),
        (Blind(), "the oracle view adds no field"),
        (Moody(), "seed 1 played differently at step 0"),
        (Mute(), "asked but has no legal action"),
        (Lenient(), "taken against the mask of player"),
        (Leaky(), "points are not conserved at step"),
        (Thief(), "tiles are not conserved at step"),
        (Gossip(), "a view reveals hidden tiles"),
        (Generous(), "rewards do not sum to zero"),
        (Hasty(), "there are rewards before the end"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, RiichiGame) else "",
)
def test_fault_is_found(game: RiichiGame, says: str) -> None:
    with pytest.raises(GameCheckError, match=says):
        check_game(game, tables=2, steps=120)
