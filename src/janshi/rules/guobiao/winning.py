"""Kernels that find out whether a player may win now, and what the win is worth."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.rules.guobiao.deal import left_for
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.state import FLOWERS, MELDS, PLAYERS, Context

SHOWN_BEFORE_LAST = 3
"""Visible tiles of a kind when the fourth is the last of its kind (和绝张)."""


@kernel
def count_flowers(s: Any, player: int) -> int:
    """How many flowers a player has set aside."""
    count = 0
    for flower in range(FLOWERS):
        count += (int(s.flowers[player]) >> flower) & 1
    return count


@kernel
def is_last_tile(s: Any) -> bool:
    """Whether the actor's tile is the last: nobody can draw after them."""
    return left_for(s, (int(s.actor) + 1) % PLAYERS) == 0


@kernel
def describe_win(s: Any, player: int, robbing: bool, w: Any) -> None:
    """Write into `w` the win `player` would have now: on the drawn tile if it is their turn, else on `s.tile`."""
    self_drawn = player == s.actor
    tile = int(s.drawn) if self_drawn else int(s.tile)
    for kind in range(NUM_KINDS):
        w.hand[kind] = s.hand[player, kind]
    if not self_drawn:
        w.hand[tile] += 1
    w.melds = s.melds[player]
    for i in range(MELDS):
        there = i < s.melds[player]
        w.meld_type[i] = s.meld_type[player, i] if there else 0
        w.meld_kind[i] = s.meld_kind[player, i] if there else 0
    w.win_kind = tile
    w.self_drawn = self_drawn
    w.seat_wind = (player + PLAYERS - int(s.dealer)) % PLAYERS
    w.round_wind = s.wind
    w.last_of_kind = s.seen[tile] == SHOWN_BEFORE_LAST
    w.last_tile = is_last_tile(s)
    w.after_kong = self_drawn and s.after_kong == 1
    w.robbing = robbing
    w.flowers = count_flowers(s, player)


@kernel
def may_win(s: Any, player: int, tile: int, robbing: bool, c: Context) -> bool:
    """Whether a tile completes a player's hand with enough fan."""
    if (s.waits[player] >> tile) & 1 == 0:
        return False
    describe_win(s, player, robbing, c.win)
    evaluate(c.win, c.score)
    return c.score.fan >= c.rules.minimum_fan
