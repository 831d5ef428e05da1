"""What must hold when a record is replayed, and how a disagreement is reported."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from janshi.records.model import HandRecord

WINDS: Final = ("East", "South", "West", "North")


class Invariant(StrEnum):
    """Everything a replay compares."""

    WALL = "the record's tiles fit one wall"
    SEED = "the wall made from the seed holds the record's tiles"
    DICE = "the dice are those of the seed"
    LEGAL = "the action was legal"
    ASKED = "the player who acted was asked"
    DRAWS = "draws equal the wall"
    DORA_TIME = "dora indicators are turned at the recorded moment"
    STICK_TIME = "riichi sticks are paid at the recorded moment"
    HAND_END = "the hand ends when the record's does"
    WINNERS = "the winners are the same, in the same order"
    LOSER = "the winning tile came from the same player"
    TILE = "the winning tile is the same"
    HAND = "the winner's concealed hand is the same"
    MELDS = "the winner's melds are the same"
    YAKU = "the yaku are the same, each with its han"
    HAN = "han are equal"
    FU = "fu are equal"
    POINTS = "the win is worth the same points"
    LIMIT = "the limit is the same"
    DORA = "dora, red fives and ura-dora are counted the same"
    INDICATORS = "the dora indicators of the win are the same"
    URA = "the ura indicators of the win are the same"
    LIABLE = "the same player is liable, or nobody"
    TABLE_AT_END = "honba and sticks on the table at the hand's end are equal"
    CHANGES = "score changes are equal"
    DRAW_KIND = "the hand ends in the same kind of draw"
    TENPAI = "the same players are tenpai"
    SHOWN = "the hands shown at a draw are the same"
    NEXT_ROUND = "the next hand has the same round, dealer and honba"
    NEXT_STICKS = "the next hand begins with the same riichi sticks"
    NEXT_SCORES = "the next hand begins with the same scores"
    GAME_END = "the game ends when the record's does, and only then"
    FINAL_SCORES = "final scores are equal, leftover sticks included"
    FINAL_POINTS = "final points are equal, uma and oka included"


DEAL_INVARIANTS: Final = (Invariant.WALL, Invariant.SEED, Invariant.DICE)
"""What is compared before the first event of a hand."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One place where the engine and a record differ."""

    source: str
    hand: int
    """Index of the hand in the game, from 0 (messages count from 1)."""
    name: str
    """Such as `South 2, honba 1`."""
    event: int | None
    """Index of the event in the hand, from 0 (messages count from 1); None for its result."""
    invariant: Invariant
    ours: str
    recorded: str
    explained: str = ""
    """Why the record differs, if it is an old rule or the record's own fault; else empty."""

    @property
    def place(self) -> str:
        """Where in the game, counted from 1: `hand 3 (East 3, honba 0), event 41`."""
        if self.invariant in DEAL_INVARIANTS:
            moment = "deal"
        else:
            moment = "result" if self.event is None else f"event {self.event + 1}"
        return f"hand {self.hand + 1} ({self.name}), {moment}"

    @property
    def problem(self) -> str:
        """What differs, both values, and the explanation if there is one."""
        text = f"check failed: {self.invariant} (ours: {self.ours}; the record's: {self.recorded})"
        return f"{text} [{self.explained}]" if self.explained else text

    def __str__(self) -> str:
        return f"{self.source or 'record'}: {self.place}: {self.problem}"


def hand_name(hand: HandRecord) -> str:
    """Name a hand: `South 2, honba 1`."""
    return f"{WINDS[hand.round // 4 % 4]} {hand.round % 4 + 1}, honba {hand.honba}"
