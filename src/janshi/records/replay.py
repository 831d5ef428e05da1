"""Replay: a record drives the engine hand by hand, and everything in the record is compared.

`replay_game` returns the disagreements of one game (ideally none). `Replay` steps through one hand as tables.
To let other players play a recorded hand, use `Replay(hand).start()`: a table with the same wall and situation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.records.compare import Difference, compare_hand
from janshi.records.follow import (
    AGREED,
    GOES_ON,
    MAX_ANSWERS,
    OUTCOME_DTYPE,
    Outcome,
    follow_tables,
)
from janshi.records.invariants import Disagreement, Invariant, hand_name
from janshi.records.mismatch import tell
from janshi.records.model import GameRecord, HandRecord, RecordError
from janshi.records.old_rules import EAST_UMA, EAST_UMA_UNTIL, expected_points, explain, played_until
from janshi.records.rebuild import CHI_RANK, PON_RANK, RON_RANK, rank_of
from janshi.records.script import Wall, event_of_row, scripts_of
from janshi.records.walls import known_walls
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.ruleset import TENHOU, Ruleset, get_ruleset
from janshi.rules.riichi.state import PLAYERS, REACTION, STATE_DTYPE, new_context
from janshi.rules.riichi.table import Table


@lru_cache
def _ruleset(preset: str, rounds: int, red_fives: bool, open_tanyao: bool, east_uma: bool) -> Ruleset:
    rules = replace(get_ruleset(preset), rounds=rounds, red_fives=red_fives, open_tanyao=open_tanyao)
    return replace(rules, uma=EAST_UMA) if east_uma else rules


def rules_of(record: GameRecord) -> Ruleset:
    """The rules a record was played by; raises `RecordError` if no preset has their name."""
    r = record.rules
    east_uma = r.rounds == 1 and played_until(record, EAST_UMA_UNTIL)
    try:
        return _ruleset(r.preset, r.rounds, r.red_fives, r.open_tanyao, east_uma)
    except ValueError as unknown:
        raise RecordError(record.source, "rules", str(unknown)) from unknown


_context = lru_cache(new_context)
"""One frame per ruleset, shared by all replays of a process (one thread)."""
_table = np.zeros(1, STATE_DTYPE)


class Followed(NamedTuple):
    """Hands followed by the engine."""

    hands: npt.NDArray[Any]
    """HAND_DTYPE: situations and walls."""
    script: npt.NDArray[np.int16]
    stream: npt.NDArray[np.uint8]
    outcomes: npt.NDArray[Any]
    """OUTCOME_DTYPE."""
    dice: list[tuple[int, int]] | None = None
    """The dice of each hand by the game's seed, if it has one."""

    def answers(self, i: int) -> npt.NDArray[np.uint8]:
        """All answers of the i-th hand in the order of asking: together with its wall, the whole hand."""
        first = MAX_ANSWERS * int(self.hands["first"][i])
        return self.stream[first : first + int(self.outcomes["answers"][i])]

    def read(self) -> list[Outcome]:
        """The outcomes as Python values."""
        columns = (self.outcomes[name].tolist() for name in Outcome._fields)
        return [Outcome(*row) for row in zip(*columns)]


def follow_hands(hands: Sequence[HandRecord], rules: Ruleset = TENHOU, walls: Sequence[Wall] | None = None) -> Followed:
    """Play recorded hands, checking every action, draw, indicator and stick on the way.

    Given walls are compared with what the record shows; otherwise walls are laid from the record.
    """
    situations, script = scripts_of(hands, walls, rules.red_fives)
    stream = np.zeros(MAX_ANSWERS * len(script), np.uint8)
    outcomes = np.zeros(len(hands), OUTCOME_DTYPE)
    follow_tables(situations, script, stream, outcomes, _table, *_context(rules))
    return Followed(situations, script, stream, outcomes)


def follow_game(record: GameRecord, rules: Ruleset | None = None) -> Followed:
    """Play all hands of a game, with the walls of its seeds if it has any."""
    if record.rules.players != PLAYERS:
        raise RecordError(record.source, "", f"has {record.rules.players} players, expected {PLAYERS} to replay it")
    seeded = known_walls(record)
    walls = None if seeded is None else [made.wall for made in seeded]
    followed = follow_hands(record.hands, rules or rules_of(record), walls)
    return followed._replace(dice=None if seeded is None else [made.dice for made in seeded])


# --- games


def replay_game(record: GameRecord) -> list[Disagreement]:
    """Replay a game and compare everything in its record; returns every disagreement, including explained ones.

    A record that ends in the middle of a hand is replayed up to that point.
    """
    return compare_followed(record, follow_game(record))


def compare_followed(record: GameRecord, followed: Followed) -> list[Disagreement]:
    """The disagreements of a game that the engine has followed."""
    rules = rules_of(record)
    found = []
    for i, outcome in enumerate(followed.read()):
        hand, wall = record.hands[i], followed.hands["wall"][i]
        if followed.dice is not None and hand.dice not in (None, followed.dice[i]):
            found.append(_disagreement(record, i, 0, Difference(Invariant.DICE, followed.dice[i], hand.dice), rules))
        if outcome.code == GOES_ON and _is_cut_off(record, i):
            continue
        if outcome.code != AGREED:
            what = tell(hand, followed.answers(i).tolist(), wall, rules, outcome)
            found.append(_disagreement(record, i, event_of_row(hand, outcome.row), what, rules))
            continue
        differences = compare_hand(hand, outcome, wall, rules, record.format)
        differences += _compare_next(record, i, outcome, rules)
        found += [_disagreement(record, i, None, what, rules) for what in differences]
    return found


def _is_cut_off(record: GameRecord, i: int) -> bool:
    """Whether a record ends within this hand: the last one, without a result."""
    hand = record.hands[i]
    return i + 1 == len(record.hands) and not hand.wins and hand.draw is None


def replay_games(records: Iterable[GameRecord]) -> Iterator[tuple[GameRecord, list[Disagreement]]]:
    """Replay many games, one after another."""
    for record in records:
        yield record, replay_game(record)


def _disagreement(record: GameRecord, i: int, event: int | None, what: Difference, rules: Ruleset) -> Disagreement:
    name = hand_name(record.hands[i])
    why = explain(record, i, what.invariant, rules)
    return Disagreement(record.source, i, name, event, what.invariant, str(what.ours), str(what.recorded), why)


def _compare_next(record: GameRecord, i: int, o: Outcome, rules: Ruleset) -> list[Difference]:
    """Compare what follows a hand: the next hand's situation, or the end of the game."""
    if i + 1 < len(record.hands):
        if o.over:
            return [Difference(Invariant.GAME_END, "the game is over", "it continues")]
        following = record.hands[i + 1]
        pairs = (
            (Invariant.NEXT_ROUND, (o.next_kyoku, o.next_honba), (following.round, following.honba)),
            (Invariant.NEXT_STICKS, o.sticks, following.sticks),
            (Invariant.NEXT_SCORES, o.scores, list(following.scores)),
        )
        return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]
    if not record.complete or record.final_scores is None:
        return []
    if not o.over:
        return [Difference(Invariant.GAME_END, "the game goes on", "it is over")]
    return _compare_final(record, o, rules)


def _compare_final(record: GameRecord, o: Outcome, rules: Ruleset) -> list[Difference]:
    found = []
    if record.final_scores is not None and list(record.final_scores) != o.scores:
        found.append(Difference(Invariant.FINAL_SCORES, o.scores, list(record.final_scores)))
    elif record.final_points is not None:
        expected = expected_points(o.scores, record.final_points, rules)
        if expected != [float(points) for points in record.final_points]:
            found.append(Difference(Invariant.FINAL_POINTS, expected, list(record.final_points)))
    return found


# --- one hand, step by step


class Moment(NamedTuple):
    """A question of a recorded hand and how it was answered."""

    table: Table
    """The table when the question was asked."""
    answers: dict[int, int]
    """What each asked player did."""


def start_table(hand: HandRecord, rules: Ruleset, wall: Sequence[int], one_hand: bool = True) -> Table:
    """A table at a recorded hand's first question, on a wall of 136 tile ids."""
    return Table(
        rules=rules,
        wall=wall,
        scores=hand.scores,
        round=hand.round,
        honba=hand.honba,
        sticks=hand.sticks,
        one_hand=one_hand,
    )


def moments(hand: HandRecord, rules: Ruleset, wall: Sequence[int], answers: Sequence[int]) -> Iterator[Moment]:
    """Step through a hand by its stream of answers. It is always the same table, one step further each time."""
    table, at = start_table(hand, rules, wall), 0
    while table.asked and at + len(table.asked) <= len(answers):
        step = dict(zip(table.asked, answers[at : at + len(table.asked)]))
        yield Moment(table, step)
        table.step(step)
        at += len(step)


def wanted(table: Any, seat: int, answers: dict[int, int]) -> bool:
    """Whether the record shows what a player wanted: not if another player's call took precedence."""
    if table.state["phase"] != REACTION or answers[seat] != act.PASS:
        return True
    heard = max(rank_of(action) for action in answers.values())
    lowest = min((rank_of(action) for action in table.legal_actions(seat) if action != act.PASS), default=RON_RANK)
    return bool(heard <= (lowest if lowest in (CHI_RANK, PON_RANK) else RON_RANK))


class Replay:
    """A recorded hand to step through.

    `for moment in Replay(hand)` gives the table at every question with the answers of the record. `start()` gives the
    table before the first answer, with the same wall: other players may play it. `end()` gives the finished hand.
    `agrees` says whether the engine could follow the record to its end.
    """

    def __init__(self, hand: HandRecord, rules: Ruleset = TENHOU, wall: Wall | None = None) -> None:
        self.hand = hand
        self.rules = rules
        followed = follow_hands([hand], rules, None if wall is None else [wall])
        self.wall: list[int] = followed.hands["wall"][0].tolist()
        self.outcome = followed.read()[0]
        self.agrees = self.outcome.code == AGREED
        self.answers: list[int] = followed.answers(0).tolist()
        """All answers in the order of asking."""

    def start(self, one_hand: bool = True) -> Table:
        """The table at the hand's first question, on the record's wall; unless `one_hand`, the game continues."""
        return start_table(self.hand, self.rules, self.wall, one_hand)

    def __iter__(self) -> Iterator[Moment]:
        for table, answers in moments(self.hand, self.rules, self.wall, self.answers):
            yield Moment(table.copy(), answers)

    def end(self) -> Table:
        """The table after the last answer."""
        table = self.start()
        for table, answers in self:
            table.step(answers)
        return table
