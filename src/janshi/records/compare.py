"""Comparing the engine's result of a hand with the record's; only fields that the record has are compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import COPIES, FIRST_RED, NUM_KINDS, kind_of
from janshi.records.follow import Outcome
from janshi.records.invariants import Invariant
from janshi.records.meld_code import decode_meld
from janshi.records.model import DrawRecord, HandRecord, Kind, WinRecord
from janshi.records.script import TILES
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.points import COUNTED_YAKUMAN
from janshi.rules.riichi.result import RESULT_NAMES
from janshi.rules.riichi.ruleset import HONBA_RON, STICK, Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS, RON_WIN, TSUMO_WIN
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON
from janshi.rules.riichi.yaku import DORA, RED_DORA, URA_DORA, YAKU

MELD_TYPES: Final = {
    int(Kind.CHI): CHI,
    int(Kind.PON): PON,
    int(Kind.OPEN_KAN): OPEN_KAN,
    int(Kind.CONCEALED_KAN): CONCEALED_KAN,
    int(Kind.ADDED_KAN): ADDED_KAN,
}
FULL_FORMATS: Final = ("mjlog",)
"""Formats that always include honba, sticks and liability of a result: in these, a missing field means none."""


class Difference(NamedTuple):
    """An invariant that does not hold, with both values."""

    invariant: Invariant
    ours: Any
    recorded: Any


def compare_hand(
    hand: HandRecord, o: Outcome, wall: npt.NDArray[np.uint8], rules: Ruleset, format: str
) -> list[Difference]:
    """Compare the result of a hand that was followed to its end."""
    pairs: list[tuple[Invariant, Any, Any]] = []
    full = format in FULL_FORMATS
    if hand.wins:
        if not _same_winners(hand, o, pairs):
            return [Difference(*pairs[-1])]
        for i, win in enumerate(hand.wins):
            pairs += _win_pairs(hand, win, o, i == 0, wall, TILES[rules.red_fives])
            if full:
                pairs += _full_pairs(hand, win, o, i == 0)
        pairs.append((Invariant.CHANGES, o.changes, [sum(c) for c in zip(*(win.changes for win in hand.wins))]))
    elif hand.draw is not None:
        pairs += _draw_pairs(hand, hand.draw, o, TILES[rules.red_fives], full)
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _same_winners(hand: HandRecord, o: Outcome, pairs: list[tuple[Invariant, Any, Any]]) -> bool:
    """Whether the same players won in the same way and order; if not, the difference is added."""
    ours = []
    if o.result in (TSUMO_WIN, RON_WIN):
        ours = [p for i in range(PLAYERS) if o.winners >> (p := (o.actor + i) % PLAYERS) & 1]
    recorded = [win.winner for win in hand.wins]
    pairs.append((Invariant.WINNERS, ours or RESULT_NAMES[o.result], recorded))
    return ours == recorded


def _win_pairs(
    hand: HandRecord, win: WinRecord, o: Outcome, first: bool, wall: npt.NDArray[np.uint8], tiles: Sequence[int]
) -> list[tuple[Invariant, Any, Any]]:
    """Everything recorded about one win."""
    p = win.winner
    pairs: list[tuple[Invariant, Any, Any]] = [(Invariant.LOSER, o.actor, win.loser)]
    if win.tile >= 0:
        pairs.append((Invariant.TILE, o.tile, tiles[win.tile]))
    if win.hand:
        pairs.append((Invariant.HAND, (o.hand[p], o.reds[p]), counts_of(win.hand, tiles)))
    if win.melds:
        pairs.append((Invariant.MELDS, _melds(o, p), _recorded_melds(win)))
    if win.points is not None:
        pairs.append((Invariant.POINTS, o.points[p], win.points))
    if win.limit is not None:
        pairs.append((Invariant.LIMIT, min(o.limit[p], COUNTED_YAKUMAN), win.limit))
    if win.dora:
        pairs.append((Invariant.INDICATORS, _indicators(wall, o.indicators, 0), list(win.dora)))
    if win.ura:
        pairs.append((Invariant.URA, _indicators(wall, o.indicators, 1) if o.riichi[p] else [], list(win.ura)))
    if len(hand.wins) > 1:
        gain = o.points[p] + (HONBA_RON * hand.honba + STICK * o.win_sticks if first else 0)
        pairs.append((Invariant.CHANGES, gain, win.changes[p]))
    return pairs + (_yakuman_pairs(win, o) if o.yakuman[p] or win.yakuman else _yaku_pairs(win, o))


def _yakuman_pairs(win: WinRecord, o: Outcome) -> list[tuple[Invariant, Any, Any]]:
    if not win.yakuman and not win.yaku:
        return []
    ours = [number for number, _ in yaku_of(o.yaku[win.winner], True)]
    return [(Invariant.YAKU, ours, sorted(win.yakuman or (number for number, _ in win.yaku)))]


def _yaku_pairs(win: WinRecord, o: Outcome) -> list[tuple[Invariant, Any, Any]]:
    p = win.winner
    pairs: list[tuple[Invariant, Any, Any]] = []
    if win.yaku:
        recorded = dict(win.yaku)
        dora = tuple(recorded.pop(number, 0) for number in (DORA, RED_DORA, URA_DORA))
        ours = yaku_of(o.yaku[p], o.open_melds[p] == 0)
        pairs.append((Invariant.YAKU, ours, tuple(sorted(recorded.items()))))
        pairs.append((Invariant.DORA, (o.dora[p], o.red[p], o.ura[p]), dora))
    if win.han is not None:
        pairs.append((Invariant.HAN, o.han[p], win.han))
    if win.fu is not None:
        pairs.append((Invariant.FU, o.fu[p], win.fu))
    return pairs


def _full_pairs(hand: HandRecord, win: WinRecord, o: Outcome, first: bool) -> list[tuple[Invariant, Any, Any]]:
    """What only full formats include: the table at the end, and liability (unless the liable player discarded)."""
    liable = o.liable[win.winner]
    if liable == win.loser and win.loser != win.winner:
        liable = NONE
    sticks = o.win_sticks if first else 0
    return [
        (Invariant.TABLE_AT_END, (hand.honba, sticks), (win.honba, win.sticks)),
        (Invariant.LIABLE, liable, NONE if win.liable is None else win.liable),
    ]


def _draw_pairs(
    hand: HandRecord, draw: DrawRecord, o: Outcome, tiles: Sequence[int], full: bool
) -> list[tuple[Invariant, Any, Any]]:
    """Everything recorded about a draw."""
    pairs: list[tuple[Invariant, Any, Any]] = [
        (Invariant.DRAW_KIND, RESULT_NAMES[o.result], draw.kind),
        (Invariant.CHANGES, o.changes, list(draw.changes) or [0] * PLAYERS),
    ]
    if draw.tenpai is not None and draw.kind in ("exhaustive draw", "nagashi mangan"):
        tenpai = [p for p in range(PLAYERS) if o.tenpai >> p & 1]
        pairs.append((Invariant.TENPAI, tenpai, sorted(draw.tenpai)))
    for player, shown in draw.shown.items():
        pairs.append((Invariant.SHOWN, (o.hand[player], o.reds[player]), counts_of(shown, tiles)))
    if full:
        pairs.append((Invariant.TABLE_AT_END, (hand.honba, o.sticks), (draw.honba, draw.sticks)))
    return pairs


def counts_of(ids: Sequence[int], tiles: Sequence[int]) -> tuple[list[int], int]:
    """Tile ids as the engine holds a hand: (counts of the 34 kinds, bit set of red fives)."""
    counts = [0] * NUM_KINDS
    reds = 0
    for tile_id in ids:
        counts[tile_id // COPIES] += 1
        if tiles[tile_id] >= FIRST_RED:
            reds |= 1 << tiles[tile_id] - FIRST_RED
    return counts, reds


@lru_cache(maxsize=1 << 12)
def yaku_of(bits: int, closed: bool) -> tuple[tuple[int, int], ...]:
    """The yaku of a bit set with their han."""
    found = [yaku for yaku in YAKU[:DORA] if bits >> yaku.number & 1]
    return tuple((yaku.number, yaku.closed_han if closed else yaku.open_han) for yaku in found)


def _melds(o: Outcome, player: int) -> list[tuple[int, int]]:
    return sorted(zip(o.meld_type[player][: o.melds[player]], o.meld_kind[player]))


def _recorded_melds(win: WinRecord) -> list[tuple[int, int]]:
    melds = []
    for code in win.melds:
        event = decode_meld(code, win.winner)
        lowest = min(event.tiles) if event.tile < 0 else min(*event.tiles, event.tile)
        melds.append((MELD_TYPES[event.kind], kind_of(lowest // COPIES)))
    return sorted(melds)


def _indicators(wall: npt.NDArray[np.uint8], count: int, under: int) -> list[int]:
    """Tile ids of the dora (or, `under` 1, the ura) indicators shown."""
    return list(wall[FIRST_INDICATOR - under : FIRST_INDICATOR + 2 * count - under : 2].tolist())
