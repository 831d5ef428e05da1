"""One moment of a table as JSON, for a player, for a spectator, or with all hands open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from janshi.web.families import WEB_LAYER
from janshi.web.reader import PositionReader
from janshi.web.shapes import Position


def position(
    table: Any,
    viewer: int | None = None,
    *,
    open_hands: bool = False,
    names: Sequence[str] | None = None,
    agents: Sequence[str | None] | None = None,
) -> Position:
    """The table as `viewer` may see it (None: a spectator, who sees no hand); with `open_hands`, all hands."""
    reader = WEB_LAYER.of(table.game.family).reader or PositionReader
    return cast(Position, reader(table, viewer, open_hands).read(names, agents))
