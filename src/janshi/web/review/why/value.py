"""The value of a riichi hand and the yaku within reach, on the shortest way to a win.

From a hand that is not tenpai, useful tiles are drawn at random, by how many of each are left, and each time the
discard follows that leaves the most useful tiles, until tenpai; several such ways are tried. Every wait is then scored
as a ron: with riichi if the hand is closed, without ippatsu and ura. The same hand always gives the same figures.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.core.hand import HandError
from janshi.core.tiles import Tile, is_red, kind_of, parse_tiles
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.hand import Hand, NoYakuError, ScoreReport
from janshi.rules.riichi.points import ron_payment
from janshi.rules.riichi.ruleset import STICK, TENHOU, Ruleset
from janshi.rules.riichi.yaku import YAKU, Yaku
from janshi.web.review.shapes import ReachText, YakuShare

WAYS: Final = 24
"""Ways to tenpai that are tried."""
FARTHEST: Final = 3
"""Shanten of the farthest hand that gets a value: beyond it, the way is mostly chance."""
STEPS: Final = 8
LEAST_SHARE: Final = 0.2
"""A yaku is in reach if at least this share of the wins has it."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a win's score depends on besides the hand."""

    seat_wind: str
    round_wind: str
    indicators: tuple[int, ...]
    may_riichi: bool = True
    rules: Ruleset = TENHOU


@dataclass(slots=True)
class Wins:
    """Scores of possible wins, weighted by the tiles left."""

    weight: float = 0.0
    points: float = 0.0
    without_yaku: float = 0.0
    yaku: Counter[int] = field(default_factory=Counter)
    dora: float = 0.0

    def add(self, report: ScoreReport | None, weight: float, dealer: bool) -> None:
        """Count a win; None is a complete hand without a yaku."""
        self.weight += weight
        if report is None:
            self.without_yaku += weight
            return
        self.points += weight * ron_payment(report.base, dealer)
        self.dora += weight * (report.dora + report.red)
        for line in report.yaku:
            self.yaku[line.yaku.number] += weight  # type: ignore[assignment]


def circumstances(position: Mapping[str, Any]) -> Circumstances:
    """The circumstances of the player of a position."""
    seat = position["seats"][position["viewer"]]
    indicators = tuple(int(tile) for text in position["dora"] for tile in parse_tiles(text))
    return Circumstances(seat["wind"], "ESWN"[position["round"] // 4 % 4], indicators, seat["score"] >= STICK)


def worth_in_reach(hand: Hand, seen: Sequence[int], position: Mapping[str, Any]) -> tuple[ReachText | None, None]:
    """What the wins in reach of a position's hand are worth, in points and yaku; there is no fan."""
    return in_reach(hand, seen, circumstances(position)), None


def in_reach(hand: Hand, seen: Sequence[int], how: Circumstances) -> ReachText | None:
    """The value of a waiting hand and its yaku; None if it is too far away, or can no longer be completed."""
    if hand.shanten() > FARTHEST:
        return None
    wins, dice = Wins(), random.Random(str(hand))
    ways = 1 if hand.shanten() == 0 else WAYS
    for _ in range(ways):
        reached = to_tenpai(hand, list(seen), how, dice)
        if reached is not None:
            score_waits(*reached, how, wins)
    return reach_text(wins, hand.is_closed) if wins.weight else None


def to_tenpai(hand: Hand, seen: list[int], how: Circumstances, dice: random.Random) -> tuple[Hand, list[int]] | None:
    """One of the shortest ways to tenpai: the hand there, and the tiles seen then."""
    for _ in range(STEPS):
        if hand.shanten() <= 0:
            return hand, seen
        useful = hand.useful_tiles(seen)
        if not useful:
            return None
        (drawn,) = dice.choices(list(useful), weights=list(useful.values()))
        full = hand.draw(drawn)
        tile = least_needed(full, seen, how)
        hand, seen = full.discard(tile), [*seen, int(tile)]
    return None


def least_needed(full: Hand, seen: Sequence[int], how: Circumstances) -> Tile:
    """The discard that leaves the most useful tiles; among equals, one that is no dora."""
    best = full.discards(seen)
    most = best[0].left
    dora = {dora_of(kind_of(tile)) for tile in how.indicators}
    equal = [one.tile for one in best if one.left == most]
    return min(equal, key=lambda tile: (kind_of(tile) in dora) + 2 * is_red(tile))


def score_waits(hand: Hand, seen: Sequence[int], how: Circumstances, wins: Wins) -> None:
    """Score a tenpai hand's wins."""
    for tile, left in hand.useful_tiles(seen).items():
        wins.add(score_of(hand, tile, how), float(left), how.seat_wind == "E")


def score_of(hand: Hand, tile: Tile, how: Circumstances) -> ScoreReport | None:
    """The score of a ron; None without a yaku."""
    try:
        return hand.score(
            tile,
            riichi=hand.is_closed and how.may_riichi,
            seat_wind=how.seat_wind,
            round_wind=how.round_wind,
            dora_indicators=how.indicators,
            rules=how.rules,
        )
    except NoYakuError:
        return None
    except HandError:  # a wait that needs a fifth tile
        return None


def reach_text(wins: Wins, closed: bool) -> ReachText:
    """The figures of some wins."""
    with_yaku = wins.weight - wins.without_yaku
    shares: list[YakuShare] = [
        _share(YAKU[number], weight / wins.weight)
        for number, weight in wins.yaku.most_common()
        if weight / wins.weight >= LEAST_SHARE
    ]
    return {
        "points": round(wins.points / with_yaku) if with_yaku else None,
        "without_yaku": round(wins.without_yaku / wins.weight, 4),
        "dora": round(wins.dora / with_yaku, 2) if with_yaku else 0.0,
        "closed": closed,
        "yaku": shares,
    }


def _share(yaku: Yaku, share: float) -> YakuShare:
    return {"name": yaku.name, "romaji": yaku.romaji, "kanji": yaku.kanji, "share": round(share, 4)}
