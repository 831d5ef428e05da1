"""The hand that a choice leads to, from a position as it is stored in a review.

A discard leaves 13 tiles. After a call or riichi the discard that the reviewer names follows; if it names none, the
one that leaves the most useful tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from janshi.core.hand import WAITING_SIZE, Hand
from janshi.core.melds import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON, Meld
from janshi.core.tiles import Tile, as_tile, kind_of, parse_tiles

MELDS: Final = {
    "chi": CHI,
    "pon": PON,
    "open_kan": OPEN_KAN,
    "concealed_kan": CONCEALED_KAN,
    "added_kan": ADDED_KAN,
}
DISCARDS: Final = ("discard", "tsumogiri")
CALLS: Final = ("chi", "pon")
UNKNOWN: Final = "?"


class Held:
    """What the player of a position holds and sees."""

    def __init__(self, position: Mapping[str, Any], kind: type[Hand]) -> None:
        seat = position["seats"][position["viewer"]]
        self.kind = kind
        self.tiles = [*(seat["hand"] or ()), *([seat["drawn"]] if seat["drawn"] else ())]
        self.melds = [_meld(meld) for meld in seat["melds"]]
        self.last = position["last"]["tile"] if position["last"] and position["phase"] == "reaction" else None
        self.seen = _tiles(seen_by(position))
        """Tiles visible besides the player's own hand and melds."""

    def after(self, choice: Mapping[str, Any]) -> tuple[Hand, list[int], str | None] | None:
        """The waiting hand after a choice, the tiles seen besides it, and the discard that a call is followed by.

        None if the choice ends the hand, or leaves no waiting hand.
        """
        kind = choice["kind"]
        if kind in DISCARDS:
            return self._discarded(self.hand(), choice["tile"])
        if kind == "pass":
            return self.hand(), self.seen, None
        if kind == "riichi":
            return self._with_discard(self.hand(), self.seen, choice)
        if kind in CALLS:
            seen = _without(self.seen, choice["tile"])
            return self._with_discard(self._called(choice, MELDS[kind]), seen, choice)
        return self._with_kan(choice) if kind == "kan" else None

    def hand(self) -> Hand:
        """The hand as it is."""
        return self.kind(_tiles(self.tiles), self.melds)

    def _discarded(self, hand: Hand, tile: str) -> tuple[Hand, list[int], str | None]:
        gone = _same(hand, tile)
        return hand.discard(gone), [*self.seen, int(gone)], None

    def _called(self, choice: Mapping[str, Any], kind: int) -> Hand:
        """The hand after a call, before its discard."""
        rest = _remove(self.tiles, choice["tiles"])
        meld = Meld(kind, tuple(_tiles([*choice["tiles"], choice["tile"]])))
        return self.kind(_tiles(rest), [*self.melds, meld])

    def _with_discard(
        self, hand: Hand, seen: list[int], choice: Mapping[str, Any]
    ) -> tuple[Hand, list[int], str | None] | None:
        """The hand after the discard that follows a call or riichi."""
        if len(hand) == WAITING_SIZE:
            return None
        named = discard_named(choice)
        tile = _same(hand, named) if named else hand.discards(seen)[0].tile
        return hand.discard(tile), [*seen, int(tile)], str(tile)

    def _with_kan(self, choice: Mapping[str, Any]) -> tuple[Hand, list[int], str | None]:
        """The hand after a kan, before the replacement is drawn."""
        kan, own, tile = choice.get("kan"), choice["tiles"], choice["tile"]
        rest = _remove(self.tiles, own)
        if kan == "added_kan":
            melds = [_grown(meld, own[0]) for meld in self.melds]
        else:
            tiles = own if kan == "concealed_kan" else [*own, tile]
            melds = [*self.melds, Meld(MELDS[kan or "open_kan"], tuple(_tiles(tiles)))]
        seen = _without(self.seen, tile) if kan == "open_kan" else self.seen
        return self.kind(_tiles(rest), melds), seen, None


def discard_named(choice: Mapping[str, Any]) -> str | None:
    """The discard after a call or riichi that the reviewer names."""
    for phrase in choice.get("then") or ():
        if phrase["pattern"] == "discard {tile}":
            return str(phrase["values"]["tile"])
    return None


def seen_by(position: Mapping[str, Any]) -> list[str]:
    """All tiles that a viewer sees besides their own hand and melds: rivers, the others' melds, dora indicators."""
    found = list(position["dora"])
    for number, seat in enumerate(position["seats"]):
        found += [one["tile"] for one in seat["river"] if not one["called"]]
        if number != position["viewer"]:
            found += [tile for meld in seat["melds"] for tile in meld["tiles"]]
    return [tile for tile in found if tile and tile != UNKNOWN]


def _meld(meld: Mapping[str, Any]) -> Meld:
    return Meld(MELDS[meld["kind"]], tuple(_tiles(meld["tiles"])))


def _grown(meld: Meld, tile: str) -> Meld:
    """A pon with the tile of an added kan."""
    added = _tiles([tile])[0]
    fits = meld.type == PON and kind_of(meld.tiles[0]) == kind_of(added)
    return Meld(ADDED_KAN, (*meld.tiles, added)) if fits else meld


def _tiles(texts: Sequence[str]) -> list[int]:
    return [int(tile) for text in texts for tile in parse_tiles(text)]


def _remove(tiles: Sequence[str], gone: Sequence[str]) -> list[str]:
    left = Counter(tiles)
    left.subtract(gone)
    return [tile for tile, count in left.items() for _ in range(max(0, count))]


def _without(tiles: list[int], text: str) -> list[int]:
    """Tiles without one that is no longer elsewhere: a called discard."""
    left = list(tiles)
    tile = int(as_tile(text))
    if tile in left:
        left.remove(tile)
    return left


def _same(hand: Hand, text: str) -> Tile:
    """A tile of the hand: the one named, else another of its kind (reviewers do not tell red fives apart)."""
    wanted = Tile(as_tile(text))
    same = [tile for tile in hand.tiles if kind_of(tile) == kind_of(wanted)]
    return wanted if wanted in hand.tiles else same[0]
