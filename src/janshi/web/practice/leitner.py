"""When a problem comes again: Leitner's boxes (S. Leitner, So lernt man lernen, 1972).

A problem starts in the first box. A right answer moves it one box up, a wrong one back to the first; each box is asked
again after a longer time. A problem that leaves the last box is learned and is not asked again.

>>> answered(0, right=True), answered(3, right=False), answered(LEARNED - 1, right=True) == LEARNED
(1, 0, True)
>>> next_day(0, today=100), next_day(2, today=100), next_day(LEARNED, today=100)
(101, 104, None)
"""

from __future__ import annotations

from typing import Final

DAYS: Final = (1, 2, 4, 8, 16, 32)
"""Days until the problems of each box are asked again."""
LEARNED: Final = len(DAYS)
"""The box of problems that are not asked any more."""


def answered(box: int, right: bool) -> int:
    """The box of a problem after an answer."""
    return min(box + 1, LEARNED) if right else 0


def next_day(box: int, today: int) -> int | None:
    """The day on which a problem is asked again, as a day number; None if it is learned."""
    return None if box >= LEARNED else today + DAYS[box]
