"""Where Tenhou's records differ from today's rules: each exception is dated and reported, never silently ignored.

- *Stopping was a choice.* Until early June 2010 the leading dealer of the last hand chose whether to play on. The
  last such record we know is from 1 June 2010.
- *No end of the extension.* In 2009 a game in which nobody reached the target continued beyond four extra hands.
- *Uma of East games.* In 2009 East games paid 10, 5, -5 and -10 (South games 20, 10, -10 and -20, as all do today).
- *Rounding of final points.* Until early 2022 scores were rounded to whole thousands (halves away from zero) for the
  second to the fourth, and the first got the rest; since then final points are exact tenths. A record's points show
  which of the two it follows.
- *Records at fault.* In a few records of 2010 a player discards twice without a draw in between. No rule allows that,
  and what follows in such a hand cannot be replayed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from janshi.records.invariants import Invariant
from janshi.records.model import GameRecord, HandRecord
from janshi.rules.riichi.final import final_points, ranks
from janshi.rules.riichi.ruleset import Ruleset

STOPPING_WAS_A_CHOICE_UNTIL: Final = date(2010, 6, 1)
EXTENSION_WAS_OPEN_UNTIL: Final = date(2009, 12, 31)
EAST_UMA_UNTIL: Final = date(2009, 12, 31)
EAST_UMA: Final = (10, 5, -5, -10)

_DATED = re.compile(r"(20\d\d)(\d\d)(\d\d)\d\dgm-")


def date_of(record: GameRecord) -> date | None:
    """The day a Tenhou game was played, if its id (in the record or the file's name) says: `2010060106gm-...`."""
    found = _DATED.search(record.ref) or _DATED.search(record.source)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def played_until(record: GameRecord, day: date) -> bool:
    """Whether a record is known to be no later than a day."""
    played = date_of(record)
    return played is not None and played <= day


def explain_game_end(record: GameRecord, index: int, rules: Ruleset) -> str:
    """Why a record may continue where today's rules end the game; empty if nothing explains it."""
    hand = record.hands[index]
    if index + 1 >= len(record.hands):
        return ""
    if played_until(record, STOPPING_WAS_A_CHOICE_UNTIL) and record.hands[index + 1].round == hand.round:
        return "an old rule: until June 2010 the leading dealer chose whether to stop"
    if played_until(record, EXTENSION_WAS_OPEN_UNTIL) and hand.round >= 4 * rules.rounds + 3:
        return "an old rule: in 2009 the extra round had no end"
    return ""


def explain(record: GameRecord, index: int, invariant: Invariant, rules: Ruleset) -> str:
    """Explain a disagreement as an old rule or the record's own fault; empty if neither."""
    if invariant is Invariant.GAME_END:
        return explain_game_end(record, index, rules)
    if discards_twice(record.hands[index]):
        return "the record's own fault: a player discards twice without a draw in between"
    return ""


def discards_twice(hand: HandRecord) -> bool:
    """Whether a player discards twice in a row with nothing in between."""
    fault = hand.undrawn_discard
    if not fault:
        return False
    before, event = hand.events[fault - 1 : fault + 1]
    return before.kind == event.kind and before.player == event.player


def expected_points(scores: Sequence[int], recorded: Sequence[float], rules: Ruleset) -> list[float]:
    """Final points by a ruleset, rounded to whole thousands if the record's are."""
    exact = [round(float(points), 1) for points in final_points(scores, rules)]
    if any(float(points) % 1 for points in recorded) or exact == list(recorded):
        return exact
    return rounded_points(scores, rules)


def rounded_points(scores: Sequence[int], rules: Ruleset) -> list[float]:
    """Final points as Tenhou rounded them: all but the first to whole thousands, the first gets the rest."""
    rank = ranks(scores)
    base = rules.target_points if rules.oka else rules.starting_points
    points = [float(round_half_away(score) - base // 1000 + rules.uma[rank[p]]) for p, score in enumerate(scores)]
    first = int(rank.argmin())
    points[first] = -sum(points[p] for p in range(len(points)) if p != first)
    return points


def round_half_away(score: int) -> int:
    """A score in thousands, halves away from zero: 5,500 is 6, -500 is -1."""
    return int((Decimal(score) / 1000).quantize(Decimal(1), ROUND_HALF_UP))
