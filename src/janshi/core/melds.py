"""Melds: sets laid open (or concealed kans), and how people write them.

In a text a meld stands in brackets after the hand: `(345m)` a chi, `(777z)` a pon, `(0555p)` an open kan,
`(555+0p)` an added kan, the added tile after the plus, `[1111m]` a concealed kan. `chi 345m`, `pon 777z`,
`open kan 0555p`, `concealed kan 1111m` and `added kan 5550p` are the same in words. The texts show neither the
called tile nor the player it came from; those are fields.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from janshi.core.coded_error import CodedError
from janshi.core.tiles import (
    COPIES,
    EAST,
    RANKS,
    TileError,
    check_copies,
    format_tiles,
    kind_of,
    parse_tiles,
    sort_tiles,
)

NO_MELD, CHI, PON, OPEN_KAN, CONCEALED_KAN, ADDED_KAN = 0, 1, 2, 3, 4, 5
"""Meld types."""

TYPE_NAMES: Final = ("none", "chi", "pon", "open kan", "concealed kan", "added kan")
KANS: Final = (OPEN_KAN, CONCEALED_KAN, ADDED_KAN)

RIGHT, ACROSS, LEFT = 1, 2, 3
"""Where a called tile came from: seats counted from the caller in the order of play."""

_WORDS: Final = re.compile(r"(chi|pon|open kan|concealed kan|added kan|kan)\s+(\S+)")
_BRACKETS: Final = re.compile(r"\((?P<open>[^()]*)\)|\[(?P<concealed>[^\[\]]*)\]")


class MeldError(CodedError):
    """An impossible meld."""


@dataclass(frozen=True, slots=True)
class Meld:
    """One meld: its type, its tiles (0..36), the tile called and the relative seat it came from, if known."""

    type: int
    tiles: tuple[int, ...]
    called: int | None = None
    source: int | None = None

    def __post_init__(self) -> None:
        kept = self.tiles[3:] if self.type == ADDED_KAN else ()  # the added tile stays last
        first = self.tiles[:3] if self.type == ADDED_KAN else self.tiles
        object.__setattr__(self, "tiles", (*sort_tiles(first), *kept))
        self._check_tiles()
        self._check_call()

    def _check_tiles(self) -> None:
        if self.type not in range(CHI, ADDED_KAN + 1):
            raise MeldError(f"{self.type} is not a meld type: expected {CHI} to {ADDED_KAN}")
        kinds = [kind_of(tile) for tile in self.tiles]
        wanted = COPIES if self.is_kan else 3
        if len(kinds) != wanted:
            raise MeldError(
                "a {kind} has {wanted} tiles, {tiles} has {count}",
                "meld_wrong_size",
                kind=self.type_name,
                wanted=wanted,
                tiles=self._written(),
                count=len(kinds),
            )
        if self.type == CHI and not is_sequence(kinds):
            raise MeldError(
                "{tiles} is not a chi: expected three in a row of one suit", "not_a_chi", tiles=self._written()
            )
        if self.type != CHI and len(set(kinds)) > 1:
            raise MeldError(
                "{tiles} is no {kind}: expected one kind of tile",
                "meld_mixed",
                tiles=self._written(),
                kind=self.type_name,
            )
        check_copies(self.tiles)

    def _written(self) -> str:
        return repr(format_tiles(self.tiles))

    def _check_call(self) -> None:
        if self.type == CONCEALED_KAN and (self.called is not None or self.source is not None):
            raise MeldError("a concealed kan calls no tile")
        if self.called is not None and self.called not in self.tiles:
            raise MeldError(f"the called tile {format_tiles([self.called])} is not in {format_tiles(self.tiles)}")
        if self.source is not None and self.source not in (RIGHT, ACROSS, LEFT):
            raise MeldError(f"{self.source} is not a relative seat: expected 1 (right), 2 (across) or 3 (left)")
        if self.type == CHI and self.source not in (None, LEFT):
            raise MeldError("a chi calls the left player's discard only")

    @classmethod
    def parse(cls, text: str) -> Meld:
        """Read `(345m)`, `[1111m]`, `(555+0p)` or `chi 345m`."""
        text = text.strip()
        if match := _WORDS.fullmatch(text):
            return cls(_type_of_word(match[1]), tuple(_read_tiles(text, match[2])))
        match = _BRACKETS.fullmatch(text)
        if match is None:
            raise MeldError(
                "cannot read the meld {text}: expected a form such as (345m), [1111m] or chi 345m",
                "meld_form_unknown",
                text=repr(text),
            )
        if match["concealed"] is not None:
            return cls(CONCEALED_KAN, tuple(_read_tiles(text, match["concealed"])))
        return cls._parse_open(text, match["open"])

    @classmethod
    def _parse_open(cls, text: str, inside: str) -> Meld:
        if "+" in inside:
            if not re.fullmatch(r"\d\d\d\+\d[mpsz]", inside):
                raise MeldError(
                    "cannot read the meld {text}: an added kan is written like (555+0p)",
                    "added_kan_form",
                    text=repr(text),
                )
            return cls(ADDED_KAN, tuple(_read_tiles(text, inside.replace("+", ""))))
        tiles = _read_tiles(text, inside)
        if len(tiles) == COPIES:
            return cls(OPEN_KAN, tuple(tiles))
        return cls(PON if len({kind_of(tile) for tile in tiles}) == 1 else CHI, tuple(tiles))

    @property
    def type_name(self) -> str:
        """The name of the type: `chi`, `pon`, `open kan`, `concealed kan` or `added kan`."""
        return TYPE_NAMES[self.type]

    @property
    def kind(self) -> int:
        """The lowest kind."""
        return kind_of(self.tiles[0])

    @property
    def is_kan(self) -> bool:
        """Whether it is one of the three kans."""
        return self.type in KANS

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand: all but the concealed kan do."""
        return self.type != CONCEALED_KAN

    def in_words(self) -> str:
        """`chi 345m`."""
        return f"{self.type_name} {format_tiles(self.tiles)}"

    def __str__(self) -> str:
        written = format_tiles(self.tiles)
        if self.type == CONCEALED_KAN:
            return f"[{written}]"
        if self.type == ADDED_KAN:
            return f"({written[:3]}+{written[3:]})"
        return f"({written})"


def is_sequence(kinds: list[int]) -> bool:
    """Whether three kinds, in order, are a sequence."""
    first = kinds[0]
    return first < EAST and first % RANKS <= RANKS - 3 and kinds == [first, first + 1, first + 2]


def split_melds(text: str) -> tuple[str, list[Meld]]:
    """A hand's text without its bracketed melds (blanks in their place), and the melds in order."""
    melds = [Meld.parse(match[0]) for match in _BRACKETS.finditer(text)]
    return _BRACKETS.sub(lambda match: " " * len(match[0]), text), melds


def _type_of_word(word: str) -> int:
    return OPEN_KAN if word == "kan" else TYPE_NAMES.index(word)


def _read_tiles(text: str, inside: str) -> list[int]:
    try:
        return parse_tiles(inside)
    except TileError as error:
        raise MeldError(
            "cannot read the meld {text}: {problem}", "meld_unreadable", text=repr(text), problem=error
        ) from error
