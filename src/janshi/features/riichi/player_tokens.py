"""Kernels that list the inputs of the player tokens: points, riichi, river and melds in numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CONCEALED_KAN, OPEN_KAN
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi import layout as at
from janshi.features.riichi.channels import seat
from janshi.features.riichi.notes import wind_of
from janshi.rules.riichi.concealed import held_in_melds
from janshi.rules.riichi.ruleset import HONBA_RON, HONBA_TSUMO, STICK
from janshi.rules.riichi.state import PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG

RESULTS: Final = np.array(at.RESULTS, np.int64)
GAPS: Final = np.array(at.GAPS, np.int64)
SCORES: Final = np.array(at.SCORES, np.int64)


@kernel
def list_player(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """One player's points, riichi, river and melds in numbers."""
    points = int(v.scores[player])
    for i in range(len(SCORES)):
        if points >= SCORES[i]:
            n = seat(out, n, player, at.POINTS + i)
    n = seat(out, n, player, at.RANK + int(notes.rank[player]))
    n = seat(out, n, player, at.WIND + wind_of(v, player))
    if player > 0:
        for i in range(len(GAPS)):
            if points - int(v.scores[0]) >= GAPS[i]:
                n = seat(out, n, player, at.GAP + i)
    n = list_riichi(v, player, out, n)
    n = seat(out, n, player, at.DISCARDS + min(int(v.discards[player]), at.TURNS))
    n = seat(out, n, player, at.DRAWN_RUN + min(drawn_run(v, player), 5))
    n = list_open(v, player, notes, out, n)
    if v.actor == player:
        n = seat(out, n, player, at.TO_ACT)
    return n


@kernel
def list_riichi(v: Any, player: int, out: Any, n: int) -> int:
    """Whether a player is in riichi and since when."""
    if not v.riichi[player]:
        return n
    n = seat(out, n, player, at.RIICHI + int(v.riichi[player]) - 1)
    if v.ippatsu[player]:
        n = seat(out, n, player, at.IPPATSU)
    for i in range(int(v.discards[player])):
        if int(v.river_flags[player, i]) & RIICHI_FLAG:
            n = seat(out, n, player, at.RIICHI_TURN + min(i, at.TURNS - 1))
            since = int(v.discards[player]) - 1 - i
            n = seat(out, n, player, at.SINCE_RIICHI + min(since // 2, 5))
    return n


@kernel
def drawn_run(v: Any, player: int) -> int:
    """How many of a player's last discards were drawn tiles."""
    run = 0
    for i in range(int(v.discards[player]) - 1, -1, -1):
        if not int(v.river_flags[player, i]) & TSUMOGIRI_FLAG:
            break
        run += 1
    return run


@kernel
def list_open(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """A player's melds in numbers."""
    opened, kans, dora = 0, 0, 0
    for i in range(int(v.melds[player])):
        opened += int(v.meld_type[player, i] != CONCEALED_KAN)
        kans += int(v.meld_type[player, i] >= OPEN_KAN)
        dora += int(v.meld_red[player, i] != 0)
    for kind in range(NUM_KINDS):
        if notes.dora[kind]:
            dora += int(notes.dora[kind]) * held_in_melds(v, player, kind)
    n = seat(out, n, player, at.OPEN_MELDS + opened)
    if kans:
        n = seat(out, n, player, at.KANS + min(kans, 3) - 1)
    return seat(out, n, player, at.MELD_DORA + min(dora, 5))


@kernel
def list_overtaking(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """Which wins would reverse the order of the viewer and another player, in either direction.

    Values are those of RESULTS; honba and sticks are counted. Equal points go to the earlier seat.
    """
    ahead = notes.rank[player] < notes.rank[0]
    winner, loser = (0, player) if ahead else (player, 0)
    gap = int(v.scores[loser]) - int(v.scores[winner])
    earlier = (int(v.seat) + winner) % PLAYERS < (int(v.seat) + loser) % PLAYERS
    need = gap if earlier else gap + 1
    dealer = v.dealer == winner
    ron, other, tsumo = at.OVERTAKE_RON, at.OVERTAKE_OTHER, at.OVERTAKE_TSUMO
    if not ahead:
        ron, other, tsumo = at.OVERTAKEN_RON, at.OVERTAKEN_OTHER, at.OVERTAKEN_TSUMO
    sticks, honba = STICK * int(v.sticks), int(v.honba)
    for i in range(len(RESULTS)):
        value = RESULTS[i] * 3 // 2 if dealer else RESULTS[i]
        direct = value + HONBA_RON * honba
        share = (value + 2) // 3 if dealer else (value // 2 if v.dealer == loser else value // 4)
        if 2 * direct + sticks >= need:
            n = seat(out, n, player, ron + i)
        if direct + sticks >= need:
            n = seat(out, n, player, other + i)
        if value + 3 * HONBA_TSUMO * honba + sticks + share + HONBA_TSUMO * honba >= need:
            n = seat(out, n, player, tsumo + i)
    return n
