"""A hand that knows its worth: `Hand("123m456p789s22p56m7m").score(riichi=True)` explains itself when printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.hand import Hand as CoreHand
from janshi.core.hand import HandError
from janshi.core.tiles import Tile, counts34, is_red, kind_of, parse_tiles
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.fu import FU_PARTS
from janshi.rules.riichi.points import LIMITS, ron_payment, tsumo_payment, win_total
from janshi.rules.riichi.ruleset import STICK, TENHOU, Ruleset
from janshi.rules.riichi.score import score
from janshi.rules.riichi.win import DOUBLE_RIICHI, SCORE_DTYPE, WIN_DTYPE
from janshi.rules.riichi.yaku import DORA, YAKU, Yaku

__all__ = ["Circumstances", "Hand", "HandError", "NoYakuError", "ScoreReport", "YakuLine"]

WINDS: Final = "ESWN"
WIDTH: Final = 58
"""Columns of a printed report."""


class NoYakuError(HandError):
    """A complete hand without a yaku: it may not win."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a hand was won."""

    tsumo: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False

    @property
    def any_riichi(self) -> bool:
        """Whether riichi was declared, double or not."""
        return self.riichi or self.double_riichi

    def contradictions(self) -> Iterable[HandError]:
        """Contradictory circumstances."""
        if self.ippatsu and not self.any_riichi:
            yield HandError("ippatsu needs riichi", "ippatsu_needs_riichi")
        if self.rinshan and not self.tsumo:
            yield HandError("rinshan is a win by self-draw", "rinshan_needs_tsumo")
        if self.chankan and self.tsumo:
            yield HandError("chankan is a win by ron", "chankan_needs_ron")
        if self.last_tile and self.rinshan:
            yield HandError("the tile drawn after a kan is not the last tile of the wall", "rinshan_not_last_tile")
        if self.last_tile and self.chankan:
            yield HandError("the tile of a robbed kan is not the last discard", "chankan_not_last_tile")
        if self.ippatsu and self.rinshan:
            yield HandError("a kan ends ippatsu", "kan_ends_ippatsu")
        if self.first_turn and not self.tsumo:
            yield HandError("a win on the first turn (blessing) is a win by self-draw", "first_turn_needs_tsumo")
        if self.first_turn and (self.any_riichi or self.rinshan or self.last_tile):
            yield HandError("nothing comes before a win on the first turn", "first_turn_comes_first")


@dataclass(frozen=True, slots=True)
class YakuLine:
    """A yaku in a report, with the han it gave (for a yakuman: how many yakuman)."""

    yaku: Yaku
    han: int

    def __str__(self) -> str:
        """Romaji name, and the English one where it differs."""
        romaji, name = self.yaku.romaji, self.yaku.name
        return romaji if romaji == name else f"{romaji} ({name})"


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """What a win is worth and why; `print` it to read it."""

    hand: str
    """The concealed tiles and melds as people write them."""
    winning_tile: str
    tsumo: bool
    yaku: tuple[YakuLine, ...]
    """The yaku, in Tenhou's order, without dora."""
    dora: int
    ura: int
    red: int
    fu_parts: tuple[tuple[str, int], ...]
    """Causes of fu that count, before rounding."""
    han: int
    """Han, dora included; 0 for a yakuman."""
    fu: int
    yakuman: int
    """How many yakuman."""
    limit: str
    """`mangan` .. `counted yakuman`, `yakuman`, or the empty string."""
    base: int
    payments: tuple[tuple[str, int], ...]
    """Who pays what, honba included: `discarder`, or `dealer` and `others`, or `everyone`."""
    honba: int
    sticks: int
    total: int
    """What the winner takes, honba and riichi sticks included."""

    @property
    def names(self) -> tuple[str, ...]:
        """Romaji names of the yaku."""
        return tuple(line.yaku.romaji for line in self.yaku)

    def han_for(self, name: str) -> int:
        """Han (or yakuman) a yaku gave, by its romaji or English name; 0 if the hand does not have it."""
        return sum(line.han for line in self.yaku if name in (line.yaku.romaji, line.yaku.name))

    def __contains__(self, name: object) -> bool:
        return any(name in (line.yaku.romaji, line.yaku.name, line.yaku.number) for line in self.yaku)

    @property
    def worth(self) -> str:
        """Han and fu or the limit, as text."""
        if self.yakuman > 1:
            return f"{self.yakuman} x yakuman"
        if self.yakuman == 1:
            return "yakuman"
        return f"{self.han} han {self.fu} fu" + (f", {self.limit}" if self.limit else "")

    def __str__(self) -> str:
        rule = "-" * WIDTH
        won = f"{self.hand}, {'self-draw' if self.tsumo else 'ron'} on {self.winning_tile}"
        lines = [won, rule, *self._yaku_lines()]
        if not self.yakuman:
            lines += [rule, *self._fu_lines()]
        return "\n".join([*lines, rule, *self._payment_lines()])

    def _yaku_lines(self) -> list[str]:
        unit = "yakuman" if self.yakuman else "han"
        rows = [(str(line), line.han) for line in self.yaku]
        bonus = zip(YAKU[DORA:], (self.dora, self.ura, self.red))
        rows += [(yaku.romaji, count) for yaku, count in bonus if count]
        return [_row(text, f"{number} {unit}") for text, number in rows]

    def _fu_lines(self) -> list[str]:
        lines = [_row(name, f"{fu} fu") for name, fu in self.fu_parts]
        counted = sum(fu for _, fu in self.fu_parts)
        return lines if counted == self.fu else [*lines, _row("rounded up", f"{self.fu} fu")]

    def _payment_lines(self) -> list[str]:
        lines = [_row(self.worth, f"{self.total:,} points")]
        for payer, points in self.payments:
            lines.append(_row(_PAYS[payer], f"{points:,}"))
        if self.honba:
            lines.append(f"  with {self.honba} honba")
        if self.sticks:
            lines.append(_row(f"  riichi sticks: {self.sticks}", f"{STICK * self.sticks:,}"))
        return lines


_PAYS: Final = {
    "discarder": "  the discarder pays",
    "dealer": "  the dealer pays",
    "others": "  each of the others pays",
    "everyone": "  everyone pays",
}


def _row(text: str, figure: str) -> str:
    return f"{text:<{WIDTH - 16}}{figure:>16}"


class Hand(CoreHand):
    """A riichi hand: what `janshi.core.hand.Hand` knows (shanten, waits, ...), and its score."""

    def score(
        self,
        winning_tile: int | str | None = None,
        *,
        tsumo: bool = False,
        riichi: bool = False,
        double_riichi: bool = False,
        ippatsu: bool = False,
        rinshan: bool = False,
        chankan: bool = False,
        last_tile: bool = False,
        first_turn: bool = False,
        seat_wind: str = "E",
        round_wind: str = "E",
        dora_indicators: str | Iterable[int] = (),
        ura_indicators: str | Iterable[int] = (),
        honba: int = 0,
        sticks: int = 0,
        rules: Ruleset = TENHOU,
    ) -> ScoreReport:
        """Score the hand as a win and explain the score.

        The winning tile is the last concealed tile written, unless given: then it is one of the tiles of a complete
        hand, or the tile that completes a hand with one tile less. `last_tile` is the last tile of the wall (haitei)
        or the discard after it (houtei), `first_turn` the blessing of heaven or earth. The East seat is the dealer.
        `honba` are counters, `sticks` the riichi sticks on the table. Raises `NoYakuError` if the hand is complete
        but has no yaku, and `HandError` if it is not complete or the circumstances contradict one another.
        """
        how = Circumstances(tsumo, riichi, double_riichi, ippatsu, rinshan, chankan, last_tile, first_turn)
        hand, won = self._with_winning_tile(winning_tile)
        dora, ura = _kinds(dora_indicators), _kinds(ura_indicators)
        for reason in (*how.contradictions(), *hand._misfits(how, won, ura)):
            raise reason
        if honba < 0 or sticks < 0:
            raise HandError("honba and sticks cannot be negative")
        seat = _wind(seat_wind)
        win = hand._win(how, won, seat, _wind(round_wind))
        win.dora, win.ura = hand._count_dora(dora), hand._count_dora(ura)
        out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
        score(win, rules.record()[0], out)
        if out.yaku == 0:
            raise hand._worthless()
        paid = _Payment(int(out["base"]), seat == 0, tsumo, honba, sticks)
        return hand._report(out, won, paid, rules.double_yakuman)

    def _misfits(self, how: Circumstances, won: Tile, ura: list[int]) -> Iterable[HandError]:
        """Circumstances that this hand cannot have been won in."""
        if how.any_riichi and not self.is_closed:
            yield HandError("riichi needs a closed hand", "riichi_needs_closed_hand")
        if ura and not how.any_riichi:
            yield HandError("ura-dora indicators are turned for a riichi only", "ura_needs_riichi")
        if how.rinshan and not any(meld.is_kan for meld in self.melds):
            yield HandError("rinshan needs a kan among the melds", "rinshan_needs_kan")
        if how.first_turn and self.melds:
            yield HandError("a win on the first turn has no melds", "first_turn_without_melds")
        if how.chankan and counts34(self._all_tiles())[kind_of(won)] > 1:
            yield HandError("the tile of a robbed kan is the only one of its kind in the hand", "chankan_tile_alone")

    def _win(self, how: Circumstances, won: Tile, seat: int, rounds: int) -> Any:
        """The win as the kernel reads it, without dora."""
        win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
        win.hand[:] = self.counts
        win.melds, win.win_kind, win.seat_wind, win.round_wind = len(self.melds), kind_of(won), seat, rounds
        for i, meld in enumerate(self.melds):
            win.meld_type[i], win.meld_kind[i] = meld.type, meld.kind
        for name in ("tsumo", "ippatsu", "rinshan", "chankan", "last_tile", "first_turn"):
            setattr(win, name, getattr(how, name))
        win.riichi = DOUBLE_RIICHI if how.double_riichi else int(how.riichi)
        win.red = sum(map(is_red, self._all_tiles()))
        return win

    def _count_dora(self, indicators: list[int]) -> int:
        """Dora in hand and melds; an indicator shown twice counts twice."""
        counts = counts34(self._all_tiles())
        return sum(int(counts[dora_of(kind)]) for kind in indicators)

    def _worthless(self) -> HandError:
        """Why a hand scored nothing."""
        if self.decompositions():
            return NoYakuError("{hand} is complete but has no yaku, so it cannot win", "no_yaku", hand=str(self))
        return HandError(
            "{hand} is not complete: no four sets and a pair, seven pairs or thirteen orphans",
            "hand_not_complete",
            hand=str(self),
        )

    def _report(self, out: Any, won: Tile, paid: _Payment, double_yakuman: bool) -> ScoreReport:
        """Describe a score."""
        return ScoreReport(
            hand=str(self),
            winning_tile=str(won),
            tsumo=paid.tsumo,
            yaku=_yaku_lines(int(out.yaku), self.is_closed, double_yakuman),
            dora=int(out.dora),
            ura=int(out.ura),
            red=int(out.red),
            fu_parts=tuple((name, int(fu)) for name, fu in zip(FU_PARTS, out.fu_parts) if fu),
            han=int(out.han),
            fu=int(out.fu),
            yakuman=int(out.yakuman),
            limit=LIMITS[int(out.limit)],
            base=paid.base,
            payments=paid.by_payer(),
            honba=paid.honba,
            sticks=paid.sticks,
            total=int(win_total(*paid)),
        )


class _Payment(NamedTuple):
    """What decides who pays what."""

    base: int
    dealer: bool
    tsumo: bool
    honba: int
    sticks: int

    def by_payer(self) -> tuple[tuple[str, int], ...]:
        """Payers and what each pays."""
        if not self.tsumo:
            return (("discarder", ron_payment(self.base, self.dealer, self.honba)),)
        most = tsumo_payment(self.base, True, self.honba)
        if self.dealer:
            return (("everyone", most),)
        return ("dealer", most), ("others", tsumo_payment(self.base, False, self.honba))


def _yaku_lines(bits: int, closed: bool, double_yakuman: bool) -> tuple[YakuLine, ...]:
    """The yaku of a score with the han of each."""
    found = [yaku for yaku in YAKU[:DORA] if bits >> yaku.number & 1]
    return tuple(YakuLine(yaku, _han(yaku, closed, double_yakuman)) for yaku in found)


def _han(yaku: Yaku, closed: bool, double_yakuman: bool) -> int:
    if yaku.yakuman:
        return yaku.closed_han if double_yakuman else 1
    return yaku.closed_han if closed else yaku.open_han


def _wind(name: str) -> int:
    """Number of a wind, by the first letter of its name."""
    wind = WINDS.find(name[:1].upper())
    if not name or wind < 0:
        raise HandError(f"{name!r} is not a wind: expected E, S, W or N")
    return wind


def _kinds(tiles: str | Iterable[int]) -> list[int]:
    return [kind_of(tile) for tile in (parse_tiles(tiles) if isinstance(tiles, str) else tiles)]
