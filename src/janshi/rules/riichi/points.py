"""From han and fu to limits, base points and payments."""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.rules.riichi.ruleset import HONBA_RON, HONBA_TSUMO, STICK

NO_LIMIT, MANGAN, HANEMAN, BAIMAN, SANBAIMAN, COUNTED_YAKUMAN, YAKUMAN = range(7)
LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "counted yakuman", "yakuman")
"""Names of the limits, by their number."""

LIMIT_BASE: Final = (0, 2000, 3000, 4000, 6000, 8000, 8000)
"""Base points of the limits, by their number."""

MANGAN_BASE: Final = LIMIT_BASE[MANGAN]
ROUNDED_BASE: Final = 1920  # 4 han 30 fu and 3 han 60 fu
YAKUMAN_BASE: Final = LIMIT_BASE[YAKUMAN]


@kernel
def unlimited_base(han: int, fu: int) -> int:
    """Base points before limits: fu x 2^(2 + han)."""
    return fu << (2 + han)


@kernel
def limit_of(han: int, fu: int, rules: Any) -> int:
    """Limit of a hand that is not a yakuman, by its han (dora included) and fu."""
    if han >= 13:
        return COUNTED_YAKUMAN if rules.counted_yakuman != 0 else SANBAIMAN
    if han >= 11:
        return SANBAIMAN
    if han >= 8:
        return BAIMAN
    if han >= 6:
        return HANEMAN
    most = ROUNDED_BASE - 1 if rules.rounded_mangan != 0 else MANGAN_BASE
    return MANGAN if han == 5 or unlimited_base(han, fu) > most else NO_LIMIT


@kernel
def base_points(limit: int, han: int, fu: int, yakuman: int) -> int:
    """Base points: what a non-dealer pays for another's self-draw, before rounding."""
    if yakuman > 0:
        return YAKUMAN_BASE * yakuman
    return LIMIT_BASE[limit] if limit != NO_LIMIT else unlimited_base(han, fu)


@kernel
def round_up(points: int) -> int:
    """Round up to the next hundred."""
    return -(-points // 100) * 100


@kernel
def ron_payment(base: int, dealer: bool, honba: int = 0) -> int:
    """What the discarder pays; `dealer`: the winner is the dealer. Riichi sticks come on top."""
    return round_up(base * (6 if dealer else 4)) + HONBA_RON * honba


@kernel
def tsumo_payment(base: int, dealer: bool, honba: int = 0) -> int:
    """What one player pays for a self-draw; `dealer`: the winner or this payer is the dealer."""
    return round_up(base * (2 if dealer else 1)) + HONBA_TSUMO * honba


@kernel
def win_total(base: int, dealer: bool, tsumo: bool, honba: int = 0, sticks: int = 0) -> int:
    """The winner's total (with the sticks of all players on the table, including the winner's own)."""
    if not tsumo:
        return ron_payment(base, dealer, honba) + STICK * sticks
    others = 2 * tsumo_payment(base, dealer, honba)
    return others + tsumo_payment(base, True, honba) + STICK * sticks
