"""`xiangting` (Rust) from Python: shanten."""

from __future__ import annotations

from typing import Any

from _work import Work, main


def shanten(data: Any) -> Work:
    """Shanten of all hands, given as counts of the 34 kinds."""
    from xiangting import PlayerCount, calculate_replacement_number

    hands, four = data["hands"], PlayerCount.FOUR

    def once() -> int:
        for hand in hands:
            calculate_replacement_number(hand, four)
        return len(hands)

    return Work(once, [calculate_replacement_number(hand, four) - 1 for hand in hands])


if __name__ == "__main__":
    main("xiangting", {"shanten": shanten})
