"""Guobiao in the terminal: how a hand ended, with the fan it counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from janshi.core.tiles import format_tiles
from janshi.rules.guobiao.table import Table
from janshi.show.families import ShowFamily


def describe_result(table: Table, names: Sequence[str]) -> Iterator[str]:
    """How a hand ended: the winner's tiles, fan and score changes."""
    result = table.result
    assert result is not None, "the hand has ended"
    changes = " ".join(f"{change:+}" for change in result.changes)
    win = result.win
    if win is None:
        yield f"{result.kind}: {changes}"
        return
    tiles = table.hand(win.player)
    if win.loser is None:
        tiles.remove(win.tile)
    melds = "".join(f" {meld}" for meld in table.melds(win.player))
    source = "drawn" if win.loser is None else f"from {names[win.loser]}"
    yield f"{names[win.player]} wins {format_tiles(tiles)}{melds} with {format_tiles([win.tile])} {source}"
    counted = [f"{fan.name} {fan.chinese} {fan.value * count}" for fan, count in win.fans]
    yield f"{win.total} fan: {', '.join(counted)}"
    yield changes


FAMILY: Final = ShowFamily(players="search", result=describe_result)
