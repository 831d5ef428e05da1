"""What a career stores for every hand and seat: the usual counts, and the facts behind habits.

Counts are those of `records.stats`. The facts come from the record alone: the turn of a riichi or of the first call (a
player's own discards so far, plus one), the dora in hand at that call, and the reaction to another player's riichi. A
*push* is a discard that is not safe against every riichi on the table: a tile is safe if its kind is in the river of
the player in riichi, or was discarded by anybody after the riichi.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core.dtypes import record_dtype
from janshi.core.shanten import shanten
from janshi.core.tables import load_tables
from janshi.core.tiles import NUM_KINDS, RED_IDS
from janshi.records.model import Event, GameRecord, HandRecord, Kind
from janshi.records.stats import CALLS, PLAYERS, SUMS, count_hand
from janshi.rules.riichi.dora import dora_of

COPIES: Final = 4
NEVER: Final = 0
"""Stands for the turn of something that did not happen."""
COUNTS: Final = (
    *("hands", "wins", "tsumos", "deal_ins", "riichis", "calls", "draws", "exhaustive", "tenpais"),
    *("win_points", "win_changes", "loss_points", "loss_changes"),
)
"""Sums of `records.stats` that are counted by hand."""
POINTS: Final = ("win_points", "win_changes", "loss_points", "loss_changes")

HAND_DTYPE: Final = record_dtype(
    [
        ("kyoku", np.uint8),  # 0 = East 1
        ("honba", np.uint8),
        ("dealer", np.bool_),
        *((name, np.int32 if name in POINTS else np.uint8) for name in COUNTS),
        ("change", np.int32),  # of the score in this hand, riichi sticks included
        ("riichi_turn", np.uint8),  # NEVER, or from 1
        ("call_turn", np.uint8),  # of the first chi, pon or open kan
        ("call_dora", np.uint8),  # dora and red fives in hand at the first call, the called tile included
        ("faced", np.bool_),  # another player declared riichi, and this one had not
        ("pushes", np.uint8),  # discards that were not safe, after that and before an own riichi
        ("push_shanten", np.int8),  # shanten after the first of them; 0 is tenpai
    ]
)
"""One hand of one seat."""

Array = npt.NDArray[Any]


def count_hands(record: GameRecord) -> Array:
    """All hands of a game for each seat, HAND_DTYPE[4, hands]."""
    counted = np.zeros((PLAYERS, len(record.hands)), HAND_DTYPE)
    for number, hand in enumerate(record.hands):
        _count(hand, record, number, counted[:, number])
    return counted


def _count(hand: HandRecord, record: GameRecord, number: int, seats: Array) -> None:
    sums: list[dict[str, float]] = [dict.fromkeys(SUMS, 0.0) for _ in range(PLAYERS)]
    count_hand(hand, sums)
    facts = _Facts(hand, record.rules.red_fives)
    facts.follow()
    changes = _changes(record, number)
    for seat in range(PLAYERS):
        row, own = seats[seat], sums[seat]
        for name in COUNTS:
            row[name] = own[name]
        row["kyoku"], row["honba"], row["dealer"] = hand.round, min(hand.honba, 255), hand.dealer == seat
        row["change"] = changes[seat]
        for name, values in facts.found.items():
            row[name] = values[seat]


def _changes(record: GameRecord, number: int) -> Sequence[int]:
    """Score changes of a hand: to the next hand's scores or the final ones; zeros if those are unknown."""
    before = record.hands[number].scores
    last = number + 1 == len(record.hands)
    after = record.final_scores if last else record.hands[number + 1].scores
    return [0] * PLAYERS if after is None else [now - then for now, then in zip(after, before)]


class _Facts:
    """Follows one hand and records each seat's calls, riichi and pushes."""

    def __init__(self, hand: HandRecord, red_fives: bool) -> None:
        self.hand = hand
        self.hands = [set(deal) for deal in hand.deals]
        self.melds: list[list[int]] = [[] for _ in range(PLAYERS)]
        self.sets = [0] * PLAYERS
        self.turn = [1] * PLAYERS
        self.dora = [int(dora_of(hand.dora // COPIES))]
        self.reds = frozenset(RED_IDS) if red_fives else frozenset()
        self.safe: dict[int, set[int]] = {}
        """Kinds that are safe against each player in riichi."""
        self.rivers: list[set[int]] = [set() for _ in range(PLAYERS)]
        self.riichi: set[int] = set()
        self.found: dict[str, list[int]] = {
            name: [0] * PLAYERS for name in ("riichi_turn", "call_turn", "call_dora", "faced", "pushes", "push_shanten")
        }

    def follow(self) -> None:
        """Go through all events."""
        for event in self.hand.events:
            self._note(event)

    def _note(self, event: Event) -> None:
        kind, player = event.kind, event.player
        if kind == Kind.DRAW:
            self.hands[player].add(event.tile)
        elif kind == Kind.DISCARD:
            self._discard(player, event.tile)
        elif kind in CALLS:
            self._call(event)
        elif kind in (Kind.CONCEALED_KAN, Kind.ADDED_KAN):
            self._kan(event)
        elif kind == Kind.RIICHI:
            self.riichi.add(player)
            self.found["riichi_turn"][player] = self.turn[player]
        elif kind == Kind.DORA:
            self.dora.append(int(dora_of(event.tile // COPIES)))

    def _discard(self, player: int, tile: int) -> None:
        tile_kind = tile // COPIES
        self.hands[player].discard(tile)
        threats = self.safe.keys() - {player}
        if threats and player not in self.riichi:
            self.found["faced"][player] = 1
            if any(tile_kind not in self.safe[other] for other in threats):
                self._push(player)
        self.rivers[player].add(tile_kind)
        for safe in self.safe.values():
            safe.add(tile_kind)
        if player in self.riichi and player not in self.safe:
            self.safe[player] = set(self.rivers[player])
        self.turn[player] += 1

    def _push(self, player: int) -> None:
        if not self.found["pushes"][player]:
            self.found["push_shanten"][player] = self._shanten(player)
        self.found["pushes"][player] += 1

    def _shanten(self, player: int) -> int:
        kinds = [tile // COPIES for tile in self.hands[player]]
        counts = np.bincount(kinds, minlength=NUM_KINDS).astype(np.uint8)
        return int(shanten(counts, self.sets[player], load_tables()))

    def _call(self, event: Event) -> None:
        player = event.player
        if not self.found["call_turn"][player]:
            self.found["call_turn"][player] = self.turn[player]
            self.found["call_dora"][player] = self._dora_of([*self.hands[player], *self.melds[player], event.tile])
        self.hands[player].difference_update(event.tiles)
        self.melds[player] += [*event.tiles, event.tile]
        self.sets[player] += 1

    def _kan(self, event: Event) -> None:
        player = event.player
        taken = [event.tile] if event.kind == Kind.ADDED_KAN else list(event.tiles)
        self.hands[player].difference_update(taken)
        self.melds[player] += taken
        self.sets[player] += event.kind == Kind.CONCEALED_KAN

    def _dora_of(self, tiles: Sequence[int]) -> int:
        kinds = [tile // COPIES for tile in tiles]
        return sum(kinds.count(dora) for dora in self.dora) + sum(tile in self.reds for tile in tiles)
