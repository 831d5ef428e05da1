"""What a simulated hand is worth when it wins, and how likely a tenpai hand is to win."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.montecarlo.dtypes import Sim
from janshi.agents.payoffs import worth_of
from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.core.waits import waits_mask
from janshi.models.labels import OPPONENTS
from janshi.rules.riichi.points import base_points, limit_of
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS

LUCK: Final = (0.56, 0.31, 0.13)
"""Chances that ippatsu and ura-dora add 0, 1 or 2 han to a riichi win."""


@kernel
def riichi_worth(row: Any, o: Any, riichi: int, rules: Any) -> float:
    """Worth of a scored win by a row of payoffs, with what ippatsu and ura-dora may add."""
    if riichi == 0 or o.yakuman > 0:
        return worth_of(row, float(o["base"]))
    worth = 0.0
    for more in range(3):
        han, fu = int(o.han) + more, int(o.fu)
        worth += LUCK[more] * worth_of(row, float(base_points(limit_of(han, fu, rules), han, fu, 0)))
    return worth


@kernel
def describe(x: Any, kind: int, z: Sim) -> None:
    """Write a simulated hand that wins on a kind into the scratch record of scoring."""
    w, s = z.win, z.scene
    dora = int(x.meld_han)
    for k in range(NUM_KINDS):
        w.hand[k] = x.hand[k]
        dora += int(x.hand[k]) * int(s.dora[k])
    w.hand[kind] += 1
    w.melds = x.melds
    for i in range(MELDS):
        w.meld_type[i] = x.meld_type[i]
        w.meld_kind[i] = max(0, int(x.meld_kind[i]))
    w.win_kind = kind
    w.seat_wind = s.seat_wind
    w.round_wind = s.round_wind
    w.riichi = x.stance
    w.ippatsu = w.rinshan = w.chankan = w.last_tile = w.first_turn = 0
    w.dora = dora + int(s.dora[kind])
    reds = int(x.reds)
    w.red = (reds & 1) + ((reds >> 1) & 1) + ((reds >> 2) & 1)
    w.ura = 0


@kernel
def get_ready(x: Any, z: Sim) -> None:
    """Note a tenpai hand's chances of winning by each draw and discard, and their worth."""
    s, p = z.scene, z.payoffs
    waits = int(np.int64(waits_mask(x.hand, int(x.melds), z.tables)))
    furiten = waits & int(x.river) != 0
    tiles = max(1.0, float(s.tiles - x.gone))
    x.tsumo_rate = x.tsumo_worth = x.ron_rate = 0.0
    for other in range(OPPONENTS):
        x.ron_worth[other] = 0.0
    for kind in range(NUM_KINDS):
        left = COPIES - int(x.visible[kind])
        if (waits >> kind) & 1 == 0 or left <= 0:
            continue
        describe(x, kind, z)
        z.win.tsumo = 1
        score(z.win, z.rules, z.score)
        if z.score.yaku != 0:
            x.tsumo_rate += left / tiles
            x.tsumo_worth += left / tiles * riichi_worth(p.tsumo[x.stance, 0], z.score, x.stance, z.rules)
        if furiten:
            continue
        z.win.tsumo = 0
        score(z.win, z.rules, z.score)
        if z.score.yaku != 0:
            rate = left / tiles * s.lets_go[x.stance, kind]
            x.ron_rate += rate
            for other in range(OPPONENTS):
                x.ron_worth[other] += rate * riichi_worth(p.ron[x.stance, 0, other + 1], z.score, x.stance, z.rules)
    if x.tsumo_rate > 0:
        x.tsumo_worth /= x.tsumo_rate
    if x.ron_rate > 0:
        for other in range(OPPONENTS):
            x.ron_worth[other] /= x.ron_rate
