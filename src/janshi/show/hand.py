"""The output of the `hand` command."""

from __future__ import annotations

from collections.abc import Mapping

from janshi.core.hand import WAITING_SIZE
from janshi.rules.riichi.hand import Hand


def describe(hand: Hand, circumstances: Mapping[str, object]) -> list[str]:
    """Lines about a hand: its score if complete, otherwise its shanten and the useful tiles or discards."""
    lines = [f"{hand.sorted()}   {hand.sorted().unicode()}"]
    if hand.is_complete:
        return [*lines, *str(hand.score(**circumstances)).splitlines()]  # type: ignore[arg-type]
    lines.append("tenpai" if hand.shanten() == 0 else f"{hand.shanten()} from tenpai")
    return lines + (_useful(hand) if len(hand) == WAITING_SIZE else _discards(hand))


def _useful(hand: Hand) -> list[str]:
    """The waits or useful tiles of a hand of 13."""
    useful = hand.useful_tiles()
    word = "waits" if hand.is_tenpai else "useful tiles"
    return [f"{word}: {' '.join(f'{tile}×{left}' for tile, left in useful.items())}  ({sum(useful.values())} tiles)"]


def _discards(hand: Hand) -> list[str]:
    """The discards of a hand of 14 with the lowest shanten, best first."""
    return ["best discards:", *(f"  {discard}" for discard in hand.discards())]
