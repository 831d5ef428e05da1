"""Describing where a recorded hand and the engine diverge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import tile_name
from janshi.records import follow
from janshi.records.compare import Difference
from janshi.records.invariants import Invariant
from janshi.records.model import HandRecord, RecordError
from janshi.records.script import DRAW, PAID, TILES, TURNED, script_of
from janshi.records.walls import check_wall, wall_from_record
from janshi.rules.riichi.actions import ACTION_NAMES
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.table import Table

INVARIANTS: Final = {
    follow.NOT_LEGAL: Invariant.LEGAL,
    follow.NOT_ASKED: Invariant.ASKED,
    follow.WRONG_DRAW: Invariant.DRAWS,
    follow.WRONG_DORA: Invariant.DORA_TIME,
    follow.WRONG_STICK: Invariant.STICK_TIME,
    follow.ENDED_EARLY: Invariant.HAND_END,
    follow.GOES_ON: Invariant.HAND_END,
}
_NAMES: Final = {DRAW: "draws", TURNED: "indicator turned:", PAID: "pays a riichi stick"}


def tell(
    hand: HandRecord, answers: Sequence[int], wall: npt.NDArray[np.uint8], rules: Ruleset, outcome: follow.Outcome
) -> Difference:
    """Describe where the engine and the record diverge."""
    if outcome.code == follow.NO_WALL:
        return Difference(Invariant.WALL, "no wall fits", _wall_problem(hand))
    if outcome.code == follow.OTHER_WALL:
        return Difference(Invariant.SEED, "another wall", check_wall(hand, wall, rules.red_fives))
    table = _table_at(hand, answers, wall, rules)
    recorded = _row_words(hand, outcome.row, rules)
    code, player = outcome.code, outcome.player
    if code == follow.NOT_LEGAL:
        ours = f"player {player} may: {', '.join(table.legal_names(player))}"
    elif code == follow.WRONG_DORA:
        ours = f"{len(table.dora_indicators)} indicators shown"
        recorded = f"{outcome.turned + 1}, then {recorded}"
    elif code == follow.WRONG_STICK:
        ours, recorded = f"{table.sticks} sticks on the table", f"{hand.sticks + outcome.paid}, then {recorded}"
    elif table.hand_over:
        ours = f"the hand is over: {table.result.kind if table.result else ''}"
    else:
        ours = f"asked: {', '.join(f'player {p} ({_some(table, p)})' for p in table.asked)}"
    return Difference(INVARIANTS[code], ours, recorded)


def _wall_problem(hand: HandRecord) -> str:
    try:
        wall_from_record(hand)
    except RecordError as error:
        return error.problem
    return "its tiles contradict each other"


def _some(table: Table, player: int) -> str:
    drawn = table.drawn if player == table.actor else None
    return f"drew {tile_name(drawn)}" if drawn is not None else ", ".join(table.legal_names(player))


def _row_words(hand: HandRecord, row: int, rules: Ruleset) -> str:
    script = script_of(hand, rules.red_fives)
    if row >= len(script):
        return "the hand is over"
    action, player, tile = (int(x) for x in script[row])
    what = _NAMES.get(action) or ACTION_NAMES[action]
    if action >= DRAW and 0 <= tile < len(TILES[0]):
        what = f"{what} {tile_name(TILES[rules.red_fives][tile])}"
    return what if player < 0 else f"player {player}: {what}"


def _table_at(hand: HandRecord, answers: Sequence[int], wall: npt.NDArray[np.uint8], rules: Ruleset) -> Table:
    """The table after all answers that make whole steps."""
    table = Table(
        rules=rules, wall=wall.tolist(), scores=hand.scores, round=hand.round, honba=hand.honba, sticks=hand.sticks
    )
    at = 0
    while table.asked and at + len(table.asked) <= len(answers):
        step = dict(zip(table.asked, answers[at:]))
        at += len(step)
        table.step(step)
    return table
