"""A hand that knows its fan: `Hand("123456789m55p78s9s").fan(self_drawn=True)` explains itself when printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.hand import WAITING_SIZE, Discard, HandError
from janshi.core.hand import Hand as CoreHand
from janshi.core.melds import CHI, KANS
from janshi.core.tables import load_tables
from janshi.core.tiles import (
    COPIES,
    EAST,
    NUM_KINDS,
    RANKS,
    WHITE,
    Tile,
    counts34,
    format_tiles,
    is_red,
    kind_of,
)
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.distance import shanten, useful_mask
from janshi.rules.guobiao.evaluate import KNITTED, NO_KNITTED, evaluate
from janshi.rules.guobiao.fans import FANS, MINIMUM, Fan
from janshi.rules.guobiao.principles import three_chows, two_chows
from janshi.rules.guobiao.win import NOT_COMPLETE, SCORE_DTYPE, WIN_DTYPE

__all__ = ["Circumstances", "FanLine", "FanReport", "Hand", "HandError"]

WINDS: Final = "ESWN"
BASE: Final = 8
"""What everyone pays the winner in addition to the fan."""
NAME_WIDTH: Final = 36
RULE: Final = "-" * 72


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a hand was won."""

    self_drawn: bool = False
    last_of_kind: bool = False
    last_tile: bool = False
    after_kong: bool = False
    robbing: bool = False

    def contradictions(self) -> Iterable[HandError]:
        """Contradictory circumstances."""
        if self.after_kong and not self.self_drawn:
            yield HandError("the replacement tile of a kong is self-drawn", "after_kong_needs_self_draw")
        if self.robbing and self.self_drawn:
            yield HandError("a robbed kong is another player's: not self-drawn", "robbing_not_self_drawn")


@dataclass(frozen=True, slots=True)
class FanLine:
    """A fan in a report: how often it counts, and the sets or tiles that make it (none: the whole hand)."""

    fan: Fan
    count: int
    tiles: tuple[str, ...]

    @property
    def value(self) -> int:
        """Total fan it adds."""
        return self.fan.value * self.count

    def __str__(self) -> str:
        times = f" × {self.count}" if self.count > 1 else ""
        where = "  " + " ".join(self.tiles) if self.tiles else ""
        return f"{self.fan.name + times:<{NAME_WIDTH}}{self.value:>4} fan  {self.fan.chinese} {self.fan.pinyin}{where}"


@dataclass(frozen=True, slots=True)
class FanReport:
    """What a hand is worth and why; `print` it to read it."""

    hand: str
    """The concealed tiles and melds as people write them."""
    winning_tile: str
    self_drawn: bool
    lines: tuple[FanLine, ...]
    """The fan that count, highest first, flowers last."""
    fan: int
    """Fan without flowers: what the minimum of eight looks at."""
    total: int
    """Fan that are paid, flowers included."""

    @property
    def wins(self) -> bool:
        """Whether there are enough fan to win."""
        return self.fan >= MINIMUM

    @property
    def names(self) -> tuple[str, ...]:
        """English names of the fan."""
        return tuple(line.fan.name for line in self.lines)

    def count(self, name: str | int) -> int:
        """How often a fan counts, by its English, Chinese or pinyin name or its number; 0 if it is absent."""
        return sum(
            line.count
            for line in self.lines
            if name in (line.fan.name, line.fan.chinese, line.fan.pinyin, line.fan.number)
        )

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str | int) and self.count(name) > 0

    @property
    def payments(self) -> tuple[tuple[str, int], ...]:
        """Who pays what: `everyone` (each) on a self-draw, else the `discarder` and each of the `others`."""
        if self.self_drawn:
            return (("everyone", BASE + self.total),)
        return ("discarder", BASE + self.total), ("others", BASE)

    def __str__(self) -> str:
        won = f"{self.hand}, {'self-drawn' if self.self_drawn else 'won on'} {self.winning_tile}"
        enough = "" if self.wins else f"  too few to win: {MINIMUM} are needed, flowers not counted"
        return "\n".join(
            [won, RULE, *map(str, self.lines), RULE, f"{'total':<{NAME_WIDTH}}{self.total:>4} fan{enough}"]
        )


class Hand(CoreHand):
    """A hand of Chinese standard mahjong: shanten, waits and useful tiles of its five shapes, and its fan."""

    def _check(self) -> None:
        super()._check()
        for tile in self._all_tiles():
            if is_red(tile):
                raise HandError(
                    "{hand} holds a red five: Chinese standard mahjong has none", "red_five_in_guobiao", hand=str(self)
                )

    # What the hand needs

    def shanten(self) -> int:
        """Exchanges away from waiting: -1 complete, 0 waiting; the nearest of the five shapes."""
        return int(shanten(self.counts, len(self.melds), load_tables()))

    def waits(self) -> list[Tile]:
        """Kinds that complete a hand of 13 tiles, except those of which it already holds all four (melds included)."""
        self._expect(WAITING_SIZE, "waits")
        return list(self.useful_tiles()) if self.shanten() == 0 else []

    def useful_tiles(self, seen: str | Iterable[int] = ()) -> dict[Tile, int]:
        """Kinds whose draw lowers the shanten of a hand of 13 tiles, with the number left of each besides `seen`."""
        self._expect(WAITING_SIZE, "useful tiles")
        left = COPIES - self._visible(seen).astype(int)
        mask = int(useful_mask(self.counts, len(self.melds), self.shanten(), load_tables()))
        return {Tile(k): int(left[k]) for k in range(NUM_KINDS) if mask >> k & 1 and left[k] > 0}

    def discards(self, seen: str | Iterable[int] = ()) -> list[Discard]:
        """The discards that leave the least shanten, those with the most useful tiles left first."""
        self._expect(WAITING_SIZE + 1, "discards")
        after = {tile: self.discard(tile).shanten() for tile in sorted(set(self.tiles))}
        best = min(after.values())
        found = [self._weigh(kind_of(tile), best, seen) for tile in after if after[tile] == best]
        return sorted(found, key=lambda discard: (-discard.left, discard.tile))

    # What the hand is worth

    def fan(
        self,
        winning_tile: int | str | None = None,
        *,
        self_drawn: bool = False,
        last_of_kind: bool = False,
        last_tile: bool = False,
        after_kong: bool = False,
        robbing: bool = False,
        seat_wind: str = "E",
        round_wind: str = "E",
        flowers: int = 0,
    ) -> FanReport:
        """Count the fan of the hand as a win and explain them; fewer than eight are counted too (`report.wins`).

        The winning tile is the last concealed tile written, unless given: then it is one of the tiles of a complete
        hand, or the tile that completes a hand with one tile less. `last_of_kind`: the other three lie open;
        `last_tile`: the last draw or the discard after it; `after_kong`: the replacement tile of a kong; `robbing`: the
        tile of another's added kong. Raises `HandError` if the hand is not complete or the circumstances contradict one
        another.
        """
        how = Circumstances(self_drawn, last_of_kind, last_tile, after_kong, robbing)
        hand, won = self._with_winning_tile(winning_tile)
        for reason in (*how.contradictions(), *hand._misfits(how, won)):
            raise reason
        if not 0 <= flowers <= 8:
            raise HandError(f"{flowers} flowers: there are eight")
        win = hand._win(how, won, _wind(seat_wind), _wind(round_wind))
        win.flowers = flowers
        out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
        evaluate(win, out)
        if out["shape"] == NOT_COMPLETE:
            raise HandError("{hand} is not complete in any of the five shapes", "guobiao_not_complete", hand=str(hand))
        lines = tuple(_lines(out, hand, win))
        return FanReport(str(hand), str(won), self_drawn, lines, int(out.fan), int(out.total))

    def _misfits(self, how: Circumstances, won: Tile) -> Iterable[HandError]:
        """Circumstances that this hand cannot have been won in."""
        if how.after_kong and not any(meld.is_kan for meld in self.melds):
            yield HandError("a replacement tile needs a kong among the melds", "after_kong_needs_kong")
        if how.last_of_kind and self.tiles.count(won) > 1:
            yield HandError("the last tile of its kind is the only one among the concealed tiles", "last_of_kind_alone")
        if how.robbing and counts34(self._all_tiles())[won] > 1:
            yield HandError("the tile of a robbed kong is the only one of its kind in the hand", "robbing_tile_alone")

    def _win(self, how: Circumstances, won: Tile, seat: int, rounds: int) -> Any:
        """The win as the kernel reads it."""
        win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
        win.hand[:] = self.counts
        win.melds, win.win_kind, win.seat_wind, win.round_wind = len(self.melds), kind_of(won), seat, rounds
        for i, meld in enumerate(self.melds):
            win.meld_type[i], win.meld_kind[i] = meld.type, meld.kind
        for name in ("self_drawn", "last_of_kind", "last_tile", "after_kong", "robbing"):
            setattr(win, name, getattr(how, name))
        return win


# Which tiles make a fan


class _Set(NamedTuple):
    type: int
    kind: int
    open: bool

    @property
    def is_run(self) -> bool:
        return self.type == CHI

    @property
    def is_kong(self) -> bool:
        return self.type in KANS

    def __str__(self) -> str:
        if self.is_run:
            return format_tiles(range(self.kind, self.kind + 3))
        return format_tiles([self.kind] * (COPIES if self.is_kong else 3))


_PUNGS_OF: Final = {
    **dict.fromkeys((f.BIG_FOUR_WINDS, f.LITTLE_FOUR_WINDS, f.BIG_THREE_WINDS), range(EAST, WHITE)),
    **dict.fromkeys(
        (f.BIG_THREE_DRAGONS, f.LITTLE_THREE_DRAGONS, f.TWO_DRAGONS, f.DRAGON_PUNG), range(WHITE, NUM_KINDS)
    ),
}
_KONGS: Final = (f.FOUR_KONGS, f.THREE_KONGS, f.TWO_MELDED_KONGS, f.CONCEALED_AND_MELDED_KONG, f.MELDED_KONG)
_CONCEALED_KONGS: Final = (f.TWO_CONCEALED_KONGS, f.CONCEALED_KONG)
_CONCEALED: Final = (f.FOUR_CONCEALED_PUNGS, f.THREE_CONCEALED_PUNGS, f.TWO_CONCEALED_PUNGS)
_ON_TILE: Final = (f.EDGE_WAIT, f.CLOSED_WAIT, f.SINGLE_WAIT, f.LAST_OF_KIND, f.LAST_DRAW, f.LAST_CLAIM)
_LUCK: Final = (*_ON_TILE, f.OUT_ON_REPLACEMENT, f.ROBBING_THE_KONG, f.SELF_DRAWN)
_THREE_RUNS: Final = (f.PURE_STRAIGHT, f.PURE_SHIFTED_CHOWS, f.PURE_TRIPLE_CHOW)
_THREE_MIXED: Final = (f.MIXED_STRAIGHT, f.MIXED_TRIPLE_CHOW, f.MIXED_SHIFTED_CHOWS)
_TWO_RUNS: Final = (f.PURE_DOUBLE_CHOW, f.MIXED_DOUBLE_CHOW, f.SHORT_STRAIGHT, f.TWO_TERMINAL_CHOWS)


class _Reading:
    """The reading that was counted, and the sets that fan of several sets have joined so far."""

    def __init__(self, out: Any, hand: Hand, win: Any) -> None:
        rows = zip(out.set_type, out.set_kind, out.set_open)
        self.sets = [_Set(int(t), int(k), bool(o)) for t, k, o in rows if t]
        self.runs = sorted((s for s in self.sets if s.is_run), key=lambda s: s.kind)
        self.pungs = sorted((s for s in self.sets if not s.is_run), key=lambda s: s.kind)
        self.knitted, self.won, self.hand = int(out.knitted), int(win.win_kind), hand
        self.own_winds = {f.PREVALENT_WIND: EAST + int(win.round_wind), f.SEAT_WIND: EAST + int(win.seat_wind)}
        self.group = list(range(len(self.runs)))

    def tiles_of(self, fan: Fan, count: int) -> Iterator[str]:
        """The sets or tiles that make a fan; none if it is the whole hand."""
        number = fan.number
        if number in _LUCK:
            yield format_tiles([self.won])
        elif number in _TWO_RUNS:
            yield from self._two_runs(_TWO_RUNS.index(number), count)
        elif number in (*_THREE_RUNS, *_THREE_MIXED):
            yield from self._three_runs(number)
        elif number == f.KNITTED and self.knitted != NO_KNITTED:
            yield format_tiles(9 * s + r for s, first in enumerate(KNITTED[self.knitted]) for r in range(first, 9, 3))
        elif number == f.TILE_HOG:
            yield from (format_tiles([kind] * COPIES) for kind in self._hogs())
        else:
            yield from map(str, self._pungs(number))

    def _two_runs(self, which: int, count: int) -> Iterator[str]:
        """Pairs of sequences, each joining sets that were not yet joined."""
        for i, j in combinations(range(len(self.runs)), 2):
            joined = self.group[i] == self.group[j]
            if count and not joined and two_chows(self.runs[i].kind, self.runs[j].kind) == 1 << 4 * which:
                self._join(i, j)
                count -= 1
                yield f"{self.runs[i]}+{self.runs[j]}"

    def _three_runs(self, number: int) -> Iterator[str]:
        for i, j, k in combinations(range(len(self.runs)), 3):
            if three_chows(self.runs[i].kind, self.runs[j].kind, self.runs[k].kind) == number:
                self._join(i, j)
                self._join(i, k)
                yield from (str(self.runs[n]) for n in (i, j, k))
                return

    def _join(self, i: int, j: int) -> None:
        old, new = self.group[j], self.group[i]
        self.group = [new if g == old else g for g in self.group]

    def _hogs(self) -> list[int]:
        kongs = {s.kind for s in self.sets if s.is_kong}
        counts = Counter(map(kind_of, self.hand._all_tiles()))
        return sorted(kind for kind, copies in counts.items() if copies == COPIES and kind not in kongs)

    def _pungs(self, number: int) -> list[_Set]:
        """Triplets and kongs that make a fan."""
        if number in _PUNGS_OF:
            return [s for s in self.pungs if s.kind in _PUNGS_OF[number]]
        if number in _KONGS or number in _CONCEALED_KONGS:
            return [s for s in self.pungs if s.is_kong]
        if number in _CONCEALED:
            return [s for s in self.pungs if not s.open]
        if number in (f.TRIPLE_PUNG, f.DOUBLE_PUNG):
            ranks = Counter(s.kind % RANKS for s in self.pungs if s.kind < EAST)
            return [s for s in self.pungs if s.kind < EAST and ranks[s.kind % RANKS] > 1]
        return self._other_pungs(number)

    def _other_pungs(self, number: int) -> list[_Set]:
        if number in self.own_winds:
            return [s for s in self.pungs if s.kind == self.own_winds[number]]
        if number == f.TERMINAL_PUNG:
            return [s for s in self.pungs if self._is_outer(s.kind)]
        if number in (f.PURE_SHIFTED_PUNGS, f.MIXED_SHIFTED_PUNGS):
            return _shifted(self.pungs, number == f.PURE_SHIFTED_PUNGS)
        return []

    def _is_outer(self, kind: int) -> bool:
        """Whether a triplet of this kind is one of terminals or honours that nothing else pays for."""
        if kind < EAST:
            return kind % RANKS in (0, RANKS - 1)
        return kind < WHITE and kind not in self.own_winds.values()


def _shifted(pungs: list[_Set], pure: bool) -> list[_Set]:
    """Three triplets of numbers whose ranks rise by one, in one suit or in three."""
    for three in combinations([s for s in pungs if s.kind < EAST], 3):
        ranks, suits = sorted(s.kind % RANKS for s in three), {s.kind // RANKS for s in three}
        if ranks == [*range(ranks[0], ranks[0] + 3)] and len(suits) == (1 if pure else 3):
            return list(three)
    return []


def _lines(out: Any, hand: Hand, win: Any) -> Iterator[FanLine]:
    """The fan of a score, highest first."""
    reading = _Reading(out, hand, win)
    for fan in FANS:
        if count := int(out.counts[fan.number]):
            yield FanLine(fan, count, tuple(reading.tiles_of(fan, count)))


def _wind(name: str) -> int:
    """Number of a wind, by the first letter of its name."""
    wind = WINDS.find(name[:1].upper())
    if not name or wind < 0:
        raise HandError(f"{name!r} is not a wind: expected E, S, W or N")
    return wind
