"""Views of players who overlook parts of the table.

A beginner watches their own hand but not yet the other players' discards or the scores. What a player ignores appears
not to have happened: no riichi, no melds, level scores. Players always see their own tiles, the legal actions and the
tile that may be called.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from janshi.core.tiles import NUM_KINDS, kind_of
from janshi.rules.game import Array
from janshi.rules.riichi.state import CALLED_FLAG, NONE, RIICHI_FLAG

PARTS: Final = ("rivers", "melds", "riichi", "dora", "points")
"""What a player may overlook: others' rivers, others' melds, who is in riichi, dora, points."""
_UNUSED: Final = {"river": NONE, "meld_kind": NONE, "meld_tile": NONE, "meld_from": NONE}
_KIND_OF: Final = np.array([kind_of(tile) for tile in range(NUM_KINDS + 3)])


def parts_of(text: str) -> tuple[str, ...]:
    """The parts named by a text such as `rivers+points`; raises `ValueError` if there is no such part."""
    parts = tuple(filter(None, text.split("+")))
    for part in parts:
        if part not in PARTS:
            raise ValueError(f"no part of the table is called {part!r}; there are {', '.join(PARTS)}")
    return parts


def without(views: Array, parts: tuple[str, ...]) -> Array:
    """A copy of riichi views with these parts of the table hidden from the viewer."""
    if not parts:
        return views
    out = np.array(views)
    for part in parts:
        {"rivers": _rivers, "melds": _melds, "riichi": _riichi, "dora": _dora, "points": _points}[part](out)
    return out.view(type(views))


def _rivers(v: Array) -> None:
    """Empty the others' rivers; a called tile stays visible in its meld."""
    rivers = v["river"][:, 1:]
    rows, others, places = np.nonzero((rivers != NONE) & (v["river_flags"][:, 1:] & CALLED_FLAG == 0))
    np.subtract.at(v["seen"], (rows, _KIND_OF[rivers[rows, others, places]]), 1)
    v["discards"][:, 1:] = 0
    for field in ("river", "river_flags", "river_order"):
        v[field][:, 1:] = _UNUSED.get(field, 0)


def _melds(v: Array) -> None:
    """Remove the others' melds; their tiles still count as visible."""
    v["melds"][:, 1:] = 0
    for field in ("meld_type", "meld_kind", "meld_tile", "meld_from", "meld_red", "meld_order"):
        v[field][:, 1:] = _UNUSED.get(field, 0)


def _riichi(v: Array) -> None:
    """Others are not in riichi."""
    v["riichi"][:, 1:] = 0
    v["ippatsu"][:, 1:] = 0
    v["river_flags"][:, 1:] &= ~RIICHI_FLAG


def _dora(v: Array) -> None:
    """There is no indicator."""
    v["indicators"][:] = NONE


def _points(v: Array) -> None:
    """Everybody has the same points."""
    v["scores"][:] = v["scores"].sum(1, keepdims=True) // v["scores"].shape[1]
