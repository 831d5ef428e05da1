"""Positions to analyse: a hand in the usual notation, or a turn of a recorded game.

>>> from janshi.records.positions import table_of_hand
>>> table = table_of_hand("123m406p789s1122z5m")
>>> table.asked, len(table.hand(0))
((0,), 14)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import NUM_IDS, format_tiles, parse_tiles, tiles_to_ids
from janshi.records.model import GameRecord, RecordError
from janshi.records.replay import Replay, rules_of
from janshi.records.walls import FIRST_DRAW, dealt_places, known_walls
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.ruleset import TENHOU, Ruleset
from janshi.rules.riichi.state import PLAYERS, TURN
from janshi.rules.riichi.table import Table

HAND_TILES: Final = 14
WINDS: Final = "ESWN"


@dataclass(frozen=True, slots=True)
class Position:
    """A question at a table, and how it was answered if that is known."""

    table: Table
    player: int
    answer: int | None = None

    def views(self) -> npt.NDArray[np.record]:
        """What the player may know, as an array of one view."""
        views = np.zeros(1, self.table.game.view_dtype)
        views[0] = self.table.view(self.player)
        return views


def table_of_hand(
    tiles: str, *, seat: str = "E", round_wind: str = "E", dora: str = "", seed: int = 0, rules: Ruleset = TENHOU
) -> Table:
    """A table at the first turn of a player (seat 0 if East) who holds 14 tiles; the last of them is the drawn one.

    The rest of the wall comes from the seed; players who act earlier discard what they draw.
    """
    hand = parse_tiles(tiles)
    if len(hand) != HAND_TILES:
        raise ValueError(f"a hand to discard from has {HAND_TILES} tiles, not {len(hand)}: {tiles!r}")
    player = _wind(seat, "seat")
    wall = _wall(hand, player, parse_tiles(dora), seed)
    table = Table(seed, rules, wall=wall, round=PLAYERS * _wind(round_wind, "round"), one_hand=True)
    while not (_on_turn(table) and table.actor == player):
        if table.over or table.hand_over:
            raise ValueError(f"the hand ends before the player with {format_tiles(hand)} is asked")
        table.step({p: act.TSUMOGIRI if _on_turn(table) else act.PASS for p in table.asked})
    return table


def _on_turn(table: Table) -> bool:
    return bool(table.state["phase"] == TURN)


def _wind(letter: str, what: str) -> int:
    if letter.upper() not in WINDS or len(letter) != 1:
        raise ValueError(f"the {what} wind is one of E, S, W, N, not {letter!r}")
    return WINDS.index(letter.upper())


def _wall(hand: Sequence[int], player: int, dora: Sequence[int], seed: int) -> list[int]:
    """A wall that deals the player 13 tiles and the last as the first draw, with the dora indicator if given."""
    ids = tiles_to_ids([*hand, *dora[:1]])
    places = [*dealt_places(0)[player], FIRST_DRAW - player, FIRST_INDICATOR]
    fixed = dict(zip(places, ids))
    others = [i for i in np.random.default_rng(seed).permutation(NUM_IDS).tolist() if i not in set(ids)]
    return [fixed[place] if place in fixed else others.pop() for place in range(NUM_IDS)]


def position_of_record(record: GameRecord, hand: int, player: int, turn: int) -> Position:
    """The question put to a player on their own turn in a recorded hand; hands and turns count from 1."""
    if not 1 <= hand <= len(record.hands):
        raise RecordError(record.source, f"hand {hand}", f"the game has hands 1 to {len(record.hands)}")
    walls = known_walls(record)
    replay = Replay(record.hands[hand - 1], rules_of(record), None if walls is None else walls[hand - 1].wall)
    count = 0
    for table, answers in replay:
        if player in answers and table.actor == player and _on_turn(table):
            count += 1
            if count == turn:
                return Position(table, player, answers[player])
    raise RecordError(record.source, f"hand {hand}", f"player {player} has {count} turns there, not {turn}")
