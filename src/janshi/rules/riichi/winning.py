"""Kernels that find out whether a player may win now, and what the win is worth."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.dora import count_dora, count_reds
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import KAN_REACTION, MELDS, PLAYERS, Context


@kernel
def describe_win(s: Any, player: int, c: Context) -> None:
    """Write into `c.win` the win `player` would have now: on the drawn tile if it is their turn, else on `s.tile`."""
    w = c.win
    tsumo = player == s.actor
    tile = int(s.drawn) if tsumo else int(s.tile)
    for kind in range(NUM_KINDS):
        w.hand[kind] = s.hand[player, kind]
    w.win_kind = kind_of(tile)
    if not tsumo:
        w.hand[kind_of(tile)] += 1
    w.tsumo = tsumo
    describe_melds(s, player, c)
    w.seat_wind = (player + PLAYERS - int(s.kyoku) % PLAYERS) % PLAYERS
    w.round_wind = (int(s.kyoku) // PLAYERS) % PLAYERS
    w.riichi = s.riichi[player]
    w.ippatsu = 1 if s.riichi[player] and s.ippatsu[player] and c.rules.ippatsu else 0
    w.rinshan = 1 if tsumo and s.from_dead_wall else 0
    w.chankan = 1 if s.phase == KAN_REACTION else 0
    w.last_tile = 1 if s.left == 0 and not w.rinshan and not w.chankan else 0
    w.first_turn = 1 if tsumo and s.first_turn[player] else 0
    ron_tile = -1 if tsumo else tile
    w.dora = count_dora(s, player, -1 if tsumo else kind_of(tile), False)
    w.red = count_reds(s, player, ron_tile)
    w.ura = 0
    if s.riichi[player] and c.rules.ura_dora:
        w.ura = count_dora(s, player, -1 if tsumo else kind_of(tile), True)


@kernel
def describe_melds(s: Any, player: int, c: Context) -> None:
    """Write a player's melds into `c.win`."""
    w = c.win
    w.melds = s.melds[player]
    for i in range(MELDS):
        w.meld_type[i] = s.meld_type[player, i]
        w.meld_kind[i] = s.meld_kind[player, i]


@kernel
def has_yaku(s: Any, player: int, c: Context) -> bool:
    """Whether the complete hand of `player` has a yaku (dora are not yaku)."""
    if s.riichi[player] or s.phase == KAN_REACTION:
        return True
    if s.open_melds[player] == 0 and player == s.actor:
        return True
    if s.left == 0:
        return True
    describe_win(s, player, c)
    score(c.win, c.rules, c.score)
    return c.score.yaku != 0


@kernel
def is_furiten(s: Any, player: int) -> bool:
    """Whether the player may not win on another's tile."""
    return s.passed[player] != 0 or (s.waits[player] & s.discarded[player]) != 0


@kernel
def may_ron(s: Any, player: int, kind: int, c: Context) -> bool:
    """Whether `player` may win on the tile of `kind` just discarded or added to a kan."""
    if (s.waits[player] >> kind) & 1 == 0 or is_furiten(s, player):
        return False
    return has_yaku(s, player, c)


@kernel
def may_tsumo(s: Any, c: Context) -> bool:
    """Whether the actor may win on the drawn tile."""
    player = int(s.actor)
    if (s.waits[player] >> kind_of(int(s.drawn))) & 1 == 0:
        return False
    return has_yaku(s, player, c)
