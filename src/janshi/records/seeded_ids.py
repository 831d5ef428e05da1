"""Exact tile ids for a record that has a seed but only tiles, such as an mjlog's game written as mjai.

The reader of such a format chooses ids; the seed's walls show which copy each dealt, drawn or turned tile really was.
Which of several equal tiles in a hand is discarded or melded remains the reader's choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from janshi.records.ids import tiles_of_ids
from janshi.records.meld_code import called_place, decode_meld, encode_meld
from janshi.records.model import Event, GameRecord, HandRecord, Kind, RecordError, WinRecord
from janshi.records.walls import SeededWall, known_walls, seen_tiles


def take_seeded_ids(record: GameRecord) -> None:
    """Set the ids of a record and, if missing, the dice from its seed. Writes in place.

    A hand whose tiles are not those of the seed's wall keeps its ids: the replay reports it.
    """
    walls = known_walls(record)
    if walls is None:
        return
    tile_of = tiles_of_ids(record.rules.red_fives)
    record.hands = [_with_ids_of(hand, wall, tile_of) for hand, wall in zip(record.hands, walls)]


def _with_ids_of(hand: HandRecord, seeded: SeededWall, tile_of: Sequence[int]) -> HandRecord:
    """A hand with the ids of its wall; the same hand if its tiles are others."""
    ids: dict[int, int] = {}
    wall = seeded.wall.tolist()
    try:
        for place, tile, _ in seen_tiles(hand):
            if tile_of[wall[place]] != tile_of[tile] or ids.setdefault(tile, wall[place]) != wall[place]:
                return hand
    except RecordError:
        return hand
    return replace(_renumbered(hand, ids), dice=hand.dice or seeded.dice)


def _renumbered(hand: HandRecord, ids: dict[int, int]) -> HandRecord:
    """A hand whose tile ids are replaced."""

    def taken(tiles: Sequence[int]) -> tuple[int, ...]:
        return tuple(ids[tile] for tile in tiles)

    def held(tiles: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(taken(tiles)))

    def event(e: Event) -> Event:
        return e._replace(tile=ids.get(e.tile, -1), tiles=held(e.tiles))

    def win(w: WinRecord) -> WinRecord:
        melds = tuple(_meld_code(code, w.winner, ids) for code in w.melds)
        dora, ura = taken(w.dora), taken(w.ura)
        return replace(w, tile=ids.get(w.tile, -1), hand=held(w.hand), melds=melds, dora=dora, ura=ura)

    draw = hand.draw and replace(hand.draw, shown={seat: held(tiles) for seat, tiles in hand.draw.shown.items()})
    return replace(
        hand,
        dora=ids[hand.dora],
        deals=tuple(map(taken, hand.deals)),
        events=list(map(event, hand.events)),
        wins=list(map(win, hand.wins)),
        draw=draw,
    )


def _meld_code(code: int, player: int, ids: dict[int, int]) -> int:
    """The code of a meld whose tile ids are replaced."""
    meld = decode_meld(code, player)
    tiles = tuple(sorted(ids[tile] for tile in meld.tiles))
    renumbered = meld._replace(tile=ids.get(meld.tile, -1), tiles=tiles)
    if meld.kind != Kind.ADDED_KAN:
        return encode_meld(renumbered)
    return encode_meld(renumbered, tiles.index(ids[meld.tiles[called_place(code)]]))
