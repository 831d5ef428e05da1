"""The order of play in a hand of tenhou.net/6.

The format lists what each player took (draws, and calls as strings) and gave (discards, and kans as strings), but
not the order among players. It follows from the rules: a discard is called by a player whose next entry is a call of
that tile from that player; otherwise the next player draws. If a call fits but might also be meant for a
later discard of the same tile, the call is tried first, with backtracking if the lists do not come out even.

A call's letter comes before the called tile; its position shows from whom: `c171516` a chi of 7m, `p474747`, `47p4747`
and `4747p47` pons from the left, across and the right, `m39393939`, `39m393939`, `393939m39` open kans. A kan in one's
turn is among the discards: `222222a22` concealed, `k51151515` a red 5m added to a pon from the left. An open kan has a
0 among the discards, since no discard follows it before the replacement draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from janshi.core.tiles import FIRST_RED, HONOURS, NUM_TILES, RANKS, SUITS
from janshi.records.model import Kind

PLAYERS: Final = 4
TSUMOGIRI: Final = 60
NO_DISCARD: Final = 0
MAX_STEPS: Final = 20_000
"""Steps of the search before it gives up on a hand: a hand takes about 150."""

TILE_OF_CODE: Final = {
    **{10 * (suit + 1) + rank: RANKS * suit + rank - 1 for suit in range(SUITS) for rank in range(1, RANKS + 1)},
    **{41 + honour: SUITS * RANKS + honour for honour in range(HONOURS)},
    **{51 + suit: FIRST_RED + suit for suit in range(SUITS)},
}
"""Tiles by the format's codes: 11 is 1m, 21 1p, 31 1s, 41 East, 45 white, 51 the red 5m."""
CODE_OF_TILE: Final = tuple(next(code for code, tile in TILE_OF_CODE.items() if tile == t) for t in range(NUM_TILES))

TAKE, CALL, DISCARD, KAN = range(4)
"""Kinds of steps: a draw, a call, a discard, a concealed or added kan."""

Entry = int | str
Step = tuple[int, int, Entry]
"""The kind of a step, its player, and the entry of the lists."""


class Call(NamedTuple):
    """A call's text, read."""

    kind: int
    tile: int
    """The called tile; of an added kan the added one."""
    own: tuple[int, ...]
    """The caller's other tiles; of an added kan the pon's three."""
    source: int
    """The discarder, counted from the caller: 3 is the player on the left; 0 for a concealed kan."""


_KIND_OF_LETTER: Final = {
    "c": int(Kind.CHI),
    "p": int(Kind.PON),
    "m": int(Kind.OPEN_KAN),
    "a": int(Kind.CONCEALED_KAN),
    "k": int(Kind.ADDED_KAN),
}
_SIZES: Final = {"c": 3, "p": 3, "m": 4, "a": 4, "k": 4}
_SOURCES: Final = {
    "c": {0: 3},
    "p": {0: 3, 1: 2, 2: 1},
    "m": {0: 3, 1: 2, 3: 1},
    "a": {3: 0},
    "k": {0: 3, 1: 2, 2: 1},
}
"""From whom a tile was called, by the place of the letter among the tiles."""


@lru_cache(maxsize=1 << 15)
def parse_call(text: str) -> Call | None:
    """Read a call's text; None if it is not a call."""
    letters = [char for char in text if char in _KIND_OF_LETTER]
    if len(letters) != 1:
        return None
    (letter,) = letters
    before, after = text.split(letter)
    digits = before + after
    if len(digits) != 2 * _SIZES[letter] or len(before) % 2 or not (digits.isascii() and digits.isdigit()):
        return None
    tiles = [TILE_OF_CODE.get(int(digits[i : i + 2]), -1) for i in range(0, len(digits), 2)]
    place = len(before) // 2
    source = _SOURCES[letter].get(place)
    if source is None or min(tiles) < 0:
        return None
    return Call(_KIND_OF_LETTER[letter], tiles[place], tuple(tiles[:place] + tiles[place + 1 :]), source)


_ORDER: Final = {int(Kind.PON): 0, int(Kind.OPEN_KAN): 0, int(Kind.CHI): 1}
_OPEN_KAN: Final = int(Kind.OPEN_KAN)


class Misfit(ValueError):
    """Lists of draws and discards that no order of play explains."""


class _Walk:
    """One way through the lists: each player's position in them."""

    __slots__ = ("given", "steps", "taken")

    def __init__(self) -> None:
        self.taken = [0] * PLAYERS
        self.given = [0] * PLAYERS
        self.steps: list[Step] = []

    def copy(self) -> _Walk:
        """Another walk from the same point."""
        other = _Walk()
        other.taken, other.given, other.steps = self.taken.copy(), self.given.copy(), self.steps.copy()
        return other


def orders(takes: Sequence[Sequence[Entry]], gives: Sequence[Sequence[Entry]], dealer: int) -> Iterator[list[Step]]:
    """Every order of play in which all entries are used, the likeliest first; raises `Misfit` if there is none."""
    waiting: list[tuple[_Walk, int]] = [(_Walk(), dealer)]
    found, budget, failure = False, MAX_STEPS, ""
    while waiting and budget > 0:
        walk, player = waiting.pop()
        before = len(walk.steps)
        _follow(walk, player, takes, gives, waiting)
        budget -= len(walk.steps) - before + 1
        left = _left_over(walk, takes, gives)
        if not left:
            found = True
            yield walk.steps
        failure = failure or left
    if not found:
        raise Misfit(failure if budget > 0 else f"{failure} (given up after {MAX_STEPS:,} steps)")


def _follow(
    walk: _Walk,
    player: int,
    takes: Sequence[Sequence[Entry]],
    gives: Sequence[Sequence[Entry]],
    waiting: list[tuple[_Walk, int]],
) -> None:
    """Play until the lists end or do not fit; alternatives on the way are put on the `waiting` list."""
    taken, given, steps = walk.taken, walk.given, walk.steps
    drawn: Entry = -1
    while taken[player] < len(takes[player]):
        entry = takes[player][taken[player]]
        taken[player] += 1
        if isinstance(entry, int):
            steps.append((TAKE, player, entry))
            drawn = entry
        else:
            steps.append((CALL, player, entry))
            drawn = -1
            call = parse_call(entry)
            if call is not None and call.kind == _OPEN_KAN:
                if given[player] < len(gives[player]) and gives[player][given[player]] == NO_DISCARD:
                    given[player] += 1
                if _next_is_draw(walk, player, takes):
                    continue
                return
        if given[player] >= len(gives[player]):
            return  # a self-drawn win, or an abort in one's turn
        entry = gives[player][given[player]]
        if entry == NO_DISCARD:
            return
        given[player] += 1
        if isinstance(entry, str) and entry[:1] != "r":
            steps.append((KAN, player, entry))
            if _next_is_draw(walk, player, takes):
                continue
            return
        steps.append((DISCARD, player, entry))
        choices = _choices(walk, player, _discarded(entry, drawn), takes)
        if not choices:
            return
        for other in choices[:0:-1]:
            waiting.append((walk.copy(), other))
        player = choices[0]


def _discarded(entry: Entry, drawn: Entry) -> int:
    """The tile that a discard's entry names, -1 if none."""
    if isinstance(entry, str):
        entry = int(entry[1:]) if entry[1:].isascii() and entry[1:].isdigit() and len(entry) == 3 else -1
    code = drawn if entry == TSUMOGIRI else entry
    return TILE_OF_CODE.get(code, -1) if isinstance(code, int) else -1


def _next_is_draw(walk: _Walk, player: int, takes: Sequence[Sequence[Entry]]) -> bool:
    place = walk.taken[player]
    return place < len(takes[player]) and isinstance(takes[player][place], int)


def _choices(walk: _Walk, player: int, tile: int, takes: Sequence[Sequence[Entry]]) -> list[int]:
    """Who may take next after a discard: players whose next entry calls it (pon and kan first), then the drawer."""
    callers: list[tuple[int, int]] = []
    for ahead in (1, 2, 3):
        other = (player + ahead) % PLAYERS
        place = walk.taken[other]
        if place < len(takes[other]):
            entry = takes[other][place]
            if isinstance(entry, str):
                call = parse_call(entry)
                if call is not None and call.tile == tile and call.source == PLAYERS - ahead:
                    callers.append((_ORDER.get(call.kind, 2), other))
    following = (player + 1) % PLAYERS
    choices = [other for _, other in sorted(callers)] if callers else []
    if _next_is_draw(walk, following, takes):
        choices.append(following)
    return choices


def _left_over(walk: _Walk, takes: Sequence[Sequence[Entry]], gives: Sequence[Sequence[Entry]]) -> str:
    """Describe what a walk has not used; empty if it has used everything."""
    for player in range(PLAYERS):
        for name, lists, used in (("draws and calls", takes, walk.taken), ("discards", gives, walk.given)):
            if used[player] < len(lists[player]):
                entry = lists[player][used[player]]
                return (
                    f"the draws and discards do not fit together: after {len(walk.steps)} steps, entry "
                    f"{used[player] + 1} of player {player}'s {name} ({entry!r}) is left over"
                )
    return ""
