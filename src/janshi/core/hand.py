"""A hand as people think of it, over the kernels.

>>> hand = Hand("23m456p789s11122z")
>>> hand.shanten(), hand.waits()
(0, [1m, 4m])
>>> hand.draw("9p").discards()[0]
9p: 0-shanten with 8 tiles, 1m 4m
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core.coded_error import CodedError
from janshi.core.decompose import SEQUENCE, decompose, is_seven_pairs, is_thirteen_orphans, new_decompositions
from janshi.core.melds import Meld, split_melds
from janshi.core.shanten import shanten
from janshi.core.tables import load_tables
from janshi.core.tiles import (
    COPIES,
    NUM_KINDS,
    Tile,
    TileError,
    as_tile,
    check_copies,
    counts34,
    format_tiles,
    is_red,
    kind_of,
    parse_tiles,
    sort_tiles,
    to_unicode,
)
from janshi.core.ukeire import ukeire, ukeire_discards
from janshi.core.waits import waits_mask

WAITING_SIZE = 13
"""Number of tiles of a hand between turns, counting a meld as three."""
MAX_MELDS = 4


class HandError(CodedError):
    """An impossible hand, or a question that does not fit the hand."""


class Discard(NamedTuple):
    """One discard: the shanten after it, and the tiles useful then, with the number left of each."""

    tile: Tile
    shanten: int
    useful: dict[Tile, int]

    @property
    def left(self) -> int:
        """Total number of useful tiles left."""
        return sum(self.useful.values())

    def __repr__(self) -> str:
        useful = " ".join(map(str, self.useful))
        return f"{self.tile}: {self.shanten}-shanten with {self.left} tiles, {useful}"


class Decomposition(NamedTuple):
    """One way to read the concealed tiles: sets, each as its kinds, and the kind of the pair."""

    sets: tuple[tuple[Tile, ...], ...]
    pair: Tile

    def __repr__(self) -> str:
        return " ".join(format_tiles(tiles) for tiles in (*self.sets, (self.pair, self.pair)))


class Hand:
    """Concealed tiles and melds of one player: 13 tiles between turns, 14 after a draw, a kan counted as three.

    Written `"123m406p7799s11z"`, melds behind in brackets: `"406p7799s11z9s (345m) [1111m]"` (see `core.melds`).
    Hands are immutable: `draw` and `discard` return new ones. Tiles keep the order given; equality ignores it.
    """

    def __init__(self, tiles: str | Iterable[int] = "", melds: Iterable[Meld | str] = ()) -> None:
        laid = [Meld.parse(meld) if isinstance(meld, str) else meld for meld in melds]
        if isinstance(tiles, str):
            text, bracketed = split_melds(tiles)
            tiles, laid = parse_tiles(text.replace(",", " ")), bracketed + laid
        self.tiles: tuple[Tile, ...] = tuple(Tile(as_tile(tile)) for tile in tiles)
        """The concealed tiles."""
        self.melds: tuple[Meld, ...] = tuple(laid)
        self._check()

    def _check(self) -> None:
        if len(self.melds) > MAX_MELDS:
            raise HandError(
                "{melds} melds: a hand has at most {most}",
                "too_many_melds",
                melds=len(self.melds),
                most=MAX_MELDS,
            )
        if len(self) not in (WAITING_SIZE, WAITING_SIZE + 1):
            fewer = WAITING_SIZE - 3 * len(self.melds)
            raise HandError(
                "{tiles} concealed tiles with {melds} melds: expected {fewer} or {more}",
                "hand_wrong_size",
                tiles=len(self.tiles),
                melds=len(self.melds),
                fewer=fewer,
                more=fewer + 1,
            )
        try:
            check_copies(self._all_tiles())
        except TileError as error:
            raise HandError(
                "an impossible hand, {hand}: {problem}", "hand_impossible", hand=str(self), problem=error
            ) from error

    def _all_tiles(self) -> list[int]:
        return [*self.tiles, *(tile for meld in self.melds for tile in meld.tiles)]

    @property
    def counts(self) -> npt.NDArray[np.uint8]:
        """Concealed tiles by kind, uint8[34]."""
        return counts34(self.tiles)

    @property
    def is_closed(self) -> bool:
        """Whether no meld is open."""
        return not any(meld.is_open for meld in self.melds)

    # What the hand is

    def shanten(self) -> int:
        """Exchanges away from tenpai: -1 complete, 0 tenpai; the nearest of all forms."""
        return int(shanten(self.counts, len(self.melds), load_tables()))

    @property
    def is_complete(self) -> bool:
        """Whether the hand is complete in shape: sets and a pair, seven pairs or thirteen orphans."""
        return self.shanten() == -1

    @property
    def is_tenpai(self) -> bool:
        """Whether a hand of 13 tiles has a wait of which it does not hold all four tiles."""
        return len(self) == WAITING_SIZE and bool(self.waits())

    @property
    def is_seven_pairs(self) -> bool:
        """Whether the hand is seven different pairs."""
        return bool(is_seven_pairs(self.counts))

    @property
    def is_thirteen_orphans(self) -> bool:
        """Whether the hand is thirteen orphans."""
        return bool(is_thirteen_orphans(self.counts))

    def decompositions(self) -> list[Decomposition]:
        """All ways to read the concealed tiles as sets and a pair; empty if there are none."""
        pairs, types, kinds = new_decompositions()
        ways = decompose(self.counts, pairs, types, kinds)
        return [_decomposition(int(pairs[i]), types[i], kinds[i]) for i in range(ways)]

    # What the hand needs

    def waits(self) -> list[Tile]:
        """Kinds that complete a hand of 13 tiles, except those of which it already holds all four (melds included)."""
        self._expect(WAITING_SIZE, "waits")
        mask = int(waits_mask(self.counts, len(self.melds), load_tables()))
        held = counts34(self._all_tiles())
        return [Tile(kind) for kind in range(NUM_KINDS) if mask >> kind & 1 and held[kind] < COPIES]

    def useful_tiles(self, seen: str | Iterable[int] = ()) -> dict[Tile, int]:
        """Kinds whose draw lowers the shanten of a hand of 13 tiles, with the number left of each.

        `seen` are the tiles visible besides this hand and its melds.
        """
        self._expect(WAITING_SIZE, "useful tiles")
        visible = self._visible(seen)
        useful = np.zeros(NUM_KINDS, np.uint8)
        ukeire(self.counts, len(self.melds), load_tables(), useful)
        left = COPIES - visible.astype(int)
        return {Tile(kind): int(left[kind]) for kind in np.flatnonzero(useful) if left[kind] > 0}

    def discards(self, seen: str | Iterable[int] = ()) -> list[Discard]:
        """The discards that leave the least shanten, those with the most useful tiles left first."""
        self._expect(WAITING_SIZE + 1, "discards")
        after, left = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int16)
        visible = self._visible(seen)
        best = int(ukeire_discards(self.counts, len(self.melds), visible, load_tables(), after, left))
        kinds = sorted(np.flatnonzero(after == best).tolist(), key=lambda kind: (-int(left[kind]), kind))
        return [self._weigh(kind, best, seen) for kind in kinds]

    def _weigh(self, kind: int, shanten_after: int, seen: str | Iterable[int]) -> Discard:
        tile = self._plain_first(kind)
        seen_then = [*_as_tiles(seen), tile]
        return Discard(tile, shanten_after, self.discard(tile).useful_tiles(seen_then))

    def _plain_first(self, kind: int) -> Tile:
        """The tile to discard of a kind: a red five only if there is no other."""
        return min((tile for tile in self.tiles if kind_of(tile) == kind), key=is_red)

    def _visible(self, seen: str | Iterable[int]) -> npt.NDArray[np.uint8]:
        everything = [*self._all_tiles(), *_as_tiles(seen)]
        try:
            check_copies(everything)
        except TileError as error:
            raise HandError(
                "this hand is impossible with the tiles seen: {problem}", "seen_impossible", problem=error
            ) from error
        return counts34(everything)

    def _expect(self, size: int, what: str) -> None:
        if len(self) != size:
            turn = "before the draw" if size == WAITING_SIZE else "after the draw"
            raise HandError(f"{what} are asked {turn}, of {size} tiles; this hand has {len(self)}")

    # What becomes of it

    def draw(self, tile: int | str) -> Self:
        """The hand with one more tile, as its last."""
        self._expect(WAITING_SIZE, "draws")
        return self._with_tiles((*self.tiles, Tile(as_tile(tile))))

    def discard(self, tile: int | str) -> Self:
        """The hand without one tile; of several equal ones, the last."""
        self._expect(WAITING_SIZE + 1, "discards")
        gone = as_tile(tile)
        if gone not in self.tiles:
            raise HandError(f"cannot discard {Tile(gone)}: {self} has none")
        at = len(self.tiles) - 1 - self.tiles[::-1].index(Tile(gone))
        return self._with_tiles(self.tiles[:at] + self.tiles[at + 1 :])

    def _with_winning_tile(self, winning_tile: int | str | None) -> tuple[Self, Tile]:
        """The hand of 14 tiles with the winning one among them, and that tile."""
        if winning_tile is None:
            if len(self) == WAITING_SIZE:
                raise HandError(
                    "{hand} has {count} tiles: name the winning tile that completes it",
                    "winning_tile_missing",
                    hand=str(self),
                    count=WAITING_SIZE,
                )
            return self, self.tiles[-1]
        won = Tile(as_tile(winning_tile))
        if len(self) == WAITING_SIZE:
            return self.draw(won), won
        if won not in self.tiles:
            raise HandError(
                "the winning tile {tile} is not among the concealed tiles of {hand}",
                "winning_tile_not_held",
                tile=str(won),
                hand=str(self),
            )
        return self, won

    def _with_tiles(self, tiles: Sequence[Tile]) -> Self:
        changed = copy.copy(self)
        changed.tiles = tuple(tiles)
        changed._check()
        return changed

    def sorted(self) -> Self:
        """The same hand with its concealed tiles in order."""
        return self._with_tiles([Tile(tile) for tile in sort_tiles(self.tiles)])

    # How it is written

    def unicode(self) -> str:
        """The hand in Unicode tiles, melds behind."""
        return " ".join([to_unicode(self.tiles), *(to_unicode(meld.tiles) for meld in self.melds)])

    def __str__(self) -> str:
        return " ".join([format_tiles(self.tiles), *map(str, self.melds)])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __len__(self) -> int:
        return len(self.tiles) + 3 * len(self.melds)

    def _identity(self) -> tuple[Any, ...]:
        return tuple(sorted(self.tiles)), tuple(sorted((meld.type, meld.tiles) for meld in self.melds))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


def _as_tiles(tiles: str | Iterable[int]) -> list[int]:
    return parse_tiles(tiles.replace(",", " ")) if isinstance(tiles, str) else [as_tile(tile) for tile in tiles]


def _decomposition(pair: int, types: npt.NDArray[Any], kinds: npt.NDArray[Any]) -> Decomposition:
    step = {int(set_type): int(set_type == SEQUENCE) for set_type in types}
    sets = [
        tuple(Tile(int(kind) + i * step[int(set_type)]) for i in range(3))
        for set_type, kind in zip(types, kinds)
        if set_type
    ]
    return Decomposition(tuple(sets), Tile(pair))
