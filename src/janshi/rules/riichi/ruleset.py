"""Riichi rules as frozen data: one engine, a `Ruleset` of flags, and the presets people play.

`docs/riichi.md` holds the table of every flag per preset; `record()` turns a ruleset into the small structured
record that kernels read.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Final

import numpy as np

from janshi.core.dtypes import record_dtype

STICK: Final = 1000
"""Points that a riichi costs."""
HONBA_TSUMO: Final = 100
"""What each player adds to a self-drawn win for each honba."""
HONBA_RON: Final = 3 * HONBA_TSUMO
"""What the discarder adds."""


class KanDora(IntEnum):
    """When the dora indicator of an open (called or added) kan is turned."""

    AT_DISCARD = 0
    AT_ONCE = 1


class RiichiKan(IntEnum):
    """Which concealed kans a player in riichi may declare (always of the drawn tile)."""

    NEVER = 0
    SAME_WAITS = 1
    SAME_SHAPE = 2


class MultipleRon(IntEnum):
    """How many players may win on one discard."""

    HEAD_BUMP = 1
    DOUBLE = 2
    TRIPLE = 3


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every choice in which riichi rules differ. The defaults are Tenhou's South game with red fives."""

    name: str = "tenhou"
    rounds: int = 2
    """Rounds of the game proper: 1 = East only, 2 = East and South."""
    red_fives: bool = True
    """One red five in each suit."""
    open_tanyao: bool = True
    """All simples (tanyao) counts with open melds."""
    starting_points: int = 25_000
    """Points each player begins with."""
    target_points: int = 30_000
    """Points the leader needs for the game to end on time; also the base of final points."""
    uma: tuple[int, int, int, int] = (20, 10, -10, -20)
    """Rank bonus in thousands, first to fourth."""
    oka: bool = True
    """The first takes four times (target - starting) points; else final points count from the starting points."""
    extra_round: bool = True
    """Play on into one more round, until someone has the target, if nobody has it at the end."""
    dealer_may_stop: bool = True
    """The leading dealer's win or tenpai in the last hand ends the game (agari-yame, tenpai-yame)."""
    bust_ends: bool = True
    """The game ends when a player falls below zero."""
    riichi_needs_points: bool = True
    """Riichi needs 1,000 points."""
    riichi_needs_draw: bool = True
    """Riichi needs four tiles left in the wall; else one, for somebody to draw."""
    riichi_kan: RiichiKan = RiichiKan.SAME_WAITS
    """Which concealed kans are allowed in riichi: never, if the waits stay, or if the shape stays too."""
    ippatsu: bool = True
    """A win within one uninterrupted turn after riichi counts a han."""
    ura_dora: bool = True
    """Winners in riichi count the indicators under the dora indicators too."""
    kan_dora: bool = True
    """Kans turn new dora indicators (and, with ura-dora, their undersides)."""
    open_kan_dora: KanDora = KanDora.AT_DISCARD
    """When the indicator of an open or added kan is turned: at the next discard, or at once."""
    swap_ban: bool = True
    """No discard of the called tile, or of the tile at the other end of the called sequence (kuikae)."""
    multiple_ron: MultipleRon = MultipleRon.DOUBLE
    """How many players may win on one discard."""
    triple_ron_aborts: bool = True
    """Three players winning on one discard is an abortive draw."""
    nine_terminals: bool = True
    """A player with nine kinds of terminals and honours may end the hand on their first turn."""
    four_winds: bool = True
    """Four first discards of the same wind are an abortive draw."""
    four_riichi: bool = True
    """Four players in riichi are an abortive draw."""
    four_kans: bool = True
    """Four kans by more than one player are an abortive draw."""
    nagashi_mangan: bool = True
    """A river of terminals and honours only, none called, is paid as a mangan at an exhaustive draw."""
    double_yakuman: bool = False
    """Big four winds and the pure waits of four concealed triplets, nine gates and thirteen orphans count twice."""
    counted_yakuman: bool = True
    """13 han and more are a yakuman (else a sanbaiman)."""
    rounded_mangan: bool = False
    """4 han 30 fu and 3 han 60 fu are a mangan (kiriage)."""
    double_wind_fu: int = 4
    """Fu of a pair that is both seat and round wind: 4 or 2."""
    liability_four_kans: bool = False
    """Liability (pao) for four kans besides big three dragons and big four winds."""
    liability_whole_hand: bool = True
    """With several yakuman, liability covers them all; else only the one it arose from."""
    rob_concealed_kan: bool = False
    """Thirteen orphans may rob a concealed kan."""
    shared_ranks: bool = False
    """Players with equal points share their rank bonus; else the earlier seat is ahead."""

    def record(self) -> Any:
        """The flags as kernels read them: a `RULES_DTYPE` array of one record."""
        record = np.zeros(1, RULES_DTYPE)
        for name in _KERNEL_FIELDS:
            record[name] = int(getattr(self, name))
        return record


_WIDE = ("starting_points", "target_points")
_NOT_IN_KERNELS = ("name", "uma", "oka", "shared_ranks")
_KERNEL_FIELDS = tuple(f.name for f in fields(Ruleset) if f.name not in _NOT_IN_KERNELS)
RULES_DTYPE = record_dtype([(name, np.int32 if name in _WIDE else np.int8) for name in _KERNEL_FIELDS])

TENHOU = Ruleset()
TENHOU_EAST = replace(TENHOU, name="tenhou_east", rounds=1)
TENHOU_NO_RED = replace(TENHOU, name="tenhou_no_red", red_fives=False)
MAHJONG_SOUL = replace(
    TENHOU,
    name="mahjong_soul",
    uma=(15, 5, -5, -15),
    oka=False,
    multiple_ron=MultipleRon.TRIPLE,
    triple_ron_aborts=False,
    double_yakuman=True,
    liability_whole_hand=False,
    rob_concealed_kan=True,
)
MLEAGUE = replace(
    TENHOU,
    name="mleague",
    uma=(30, 10, -10, -30),
    extra_round=False,
    dealer_may_stop=False,
    bust_ends=False,
    riichi_needs_points=False,
    riichi_needs_draw=False,
    riichi_kan=RiichiKan.SAME_SHAPE,
    open_kan_dora=KanDora.AT_ONCE,
    multiple_ron=MultipleRon.HEAD_BUMP,
    triple_ron_aborts=False,
    nine_terminals=False,
    four_winds=False,
    four_riichi=False,
    four_kans=False,
    nagashi_mangan=False,
    counted_yakuman=False,
    rounded_mangan=True,
    double_wind_fu=2,
    liability_four_kans=True,
    liability_whole_hand=False,
    shared_ranks=True,
)

PRESETS = {rules.name: rules for rules in (TENHOU, TENHOU_EAST, TENHOU_NO_RED, MAHJONG_SOUL, MLEAGUE)}


def get_ruleset(name: str) -> Ruleset:
    """Find a preset by name."""
    if name not in PRESETS:
        raise ValueError(f"no riichi rules are called {name!r}; presets are {', '.join(PRESETS)}")
    return PRESETS[name]
