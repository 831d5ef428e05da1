"""Views of positions written down: what is not said is an early, ordinary hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from janshi.core.melds import Meld
from janshi.core.tiles import counts34, kind_of, parse_tiles
from janshi.rules.riichi.state import RIICHI_FLAG, TSUMOGIRI_FLAG, TURN
from janshi.rules.riichi.view import VIEW_DTYPE

PLAYERS = 4


def make_view(
    hand: str = "123m456p789s1122z",
    rivers: Mapping[int, str] | None = None,
    riichi: Mapping[int, int] | None = None,
    melds: Mapping[int, str] | None = None,
    indicator: str = "9s",
    dealer: int = 0,
    kyoku: int = 0,
    drawn: bool = False,
) -> Any:
    """One view: rivers by player (from the hand, or all `drawn`), places of riichi discards, open melds."""
    rivers, riichi, melds = dict(rivers or {}), dict(riichi or {}), dict(melds or {})
    views = np.zeros(1, VIEW_DTYPE)
    v = views[0]
    for name in ("indicators", "meld_kind", "meld_tile", "meld_from", "river"):
        v[name] = -1
    v.phase, v.drawn, v.tile, v.dealer, v.kyoku = TURN, -1, -1, dealer, kyoku
    v.scores[:] = 25000
    v.hand[:] = counts34(parse_tiles(hand))
    v.indicators[0] = parse_tiles(indicator)[0]
    seen = [kind_of(int(v.indicators[0]))]
    for player, text in rivers.items():
        tiles = parse_tiles(text)
        v.discards[player] = len(tiles)
        for i, tile in enumerate(tiles):
            v.river[player, i] = tile
            v.river_order[player, i] = PLAYERS * i + player
            v.river_flags[player, i] = (TSUMOGIRI_FLAG if drawn else 0) | RIICHI_FLAG * (riichi.get(player) == i)
            seen.append(kind_of(tile))
    for player in riichi:
        v.riichi[player] = 1
    for player, text in melds.items():
        for i, word in enumerate(text.split()):
            meld = Meld.parse(word)
            v.melds[player] += 1
            v.meld_type[player, i], v.meld_kind[player, i] = meld.type, meld.kind
            v.meld_order[player, i] = PLAYERS * i
            v.meld_red[player, i] = int(any(tile >= 34 for tile in meld.tiles))
            seen += [kind_of(tile) for tile in meld.tiles[1:]]
    for kind in seen:
        v.seen[kind] += 1
    v.turns = sum(len(parse_tiles(text)) for text in rivers.values())
    v.left = 70 - v.turns
    return views


def kind(text: str) -> int:
    """The kind of a tile as people write it."""
    return kind_of(parse_tiles(text)[0])
