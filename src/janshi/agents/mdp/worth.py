"""What tenpai hands win: the chances of winning by self-draw and on each opponent's discard, and their worth.

A win is scored with its dora and red fives. Riichi adds one han and, with some probability, ippatsu and ura-dora; a
drawn five that may be red adds a han with the probability that it is.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.hands import MELDS_AT, unpack
from janshi.agents.mdp.melds import PON_CODE
from janshi.agents.mdp.process import STANCES
from janshi.agents.mdp.space import Space, left_of
from janshi.agents.payoffs import worth_of
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS, RANKS
from janshi.models.labels import OPPONENTS
from janshi.rules.riichi.points import base_points, limit_of
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS
from janshi.rules.riichi.win import CHI, CONCEALED_KAN, PON

HANS: Final = 15
FUS: Final = 14
WAYS: Final = 1 + OPPONENTS
"""By self-draw, or from each opponent."""
LUCKY: Final = 5
"""Number of cases of extra han from ippatsu and ura-dora, 0 included."""
FIVE: Final = 4

HOLDING_DTYPE: Final = record_dtype(
    [
        ("tariff", np.float64, (STANCES, WAYS, HANS, FUS)),  # worth of wins by han and fu
        ("luck", np.float64, (LUCKY,)),  # chance of each number of extra han by riichi
        ("river", np.int64),  # kinds in the player's river
        ("melds", np.int8),
        ("meld_type", np.int8, (MELDS,)),
        ("meld_kind", np.int8, (MELDS,)),
        ("meld_han", np.int8),  # dora and red fives in the melds
        ("closed", np.int8),
        ("reds", np.int8),  # bit set of red fives held
        ("unseen_reds", np.int8),
        ("seat_wind", np.int8),
        ("round_wind", np.int8),
        ("dora", np.int8, (NUM_KINDS,)),
        ("hand", np.int8, (NUM_KINDS,)),  # scratch
    ]
)
"""What the wins of a player's hands depend on, apart from the hands."""

READY_DTYPE: Final = record_dtype(
    [
        ("tsumo", np.float64, (STANCES,)),  # chance that a draw wins
        ("tsumo_worth", np.float64, (STANCES,)),  # that chance times its worth
        ("ron", np.float64, (STANCES, OPPONENTS)),  # the same for each discard of an opponent
        ("ron_worth", np.float64, (STANCES, OPPONENTS)),
        ("may_riichi", np.int8),
    ]
)
"""The wins of a tenpai hand."""


class Scoring(NamedTuple):
    """What scoring needs: records."""

    holding: Any  # HOLDING_DTYPE
    rules: Any
    win: Any
    score: Any
    payoffs: Any


@kernel
def note_tariff(z: Scoring) -> None:
    """Tabulate the worth of wins by stance, way, han and fu."""
    h, p = z.holding, z.payoffs
    for stance in range(STANCES):
        for way in range(WAYS):
            row = p.tsumo[stance, 0] if way == 0 else p.ron[stance, 0, way]
            for fu in range(1, FUS):
                for han in range(1, HANS):
                    h.tariff[stance, way, han, fu] = plain_worth(row, han, 25 if fu == 1 else 10 * fu, z.rules)
            if stance == 1:
                add_luck(h, way)


@kernel
def plain_worth(row: Any, han: int, fu: int, rules: Any) -> float:
    """Worth of a win with these han and fu, by a row of payoffs."""
    return worth_of(row, float(base_points(limit_of(han, fu, rules), han, fu, 0)))


@kernel
def add_luck(h: Any, way: int) -> None:
    """Replace the worth of wins after riichi by its expectation over ippatsu and ura-dora."""
    for fu in range(1, FUS):
        for han in range(1, HANS):
            worth = 0.0
            for more in range(LUCKY):
                worth += h.luck[more] * h.tariff[1, way, min(han + more, HANS - 1), fu]
            h.tariff[1, way, han, fu] = worth


@kernel
def fu_place(fu: int) -> int:
    """The column of a tariff."""
    return 1 if fu == 25 else min(fu // 10, FUS - 1)


@kernel
def win_worth(o: Any, stance: int, way: int, han: int, extra: float, z: Scoring) -> float:
    """Worth of a scored win with `han` han; `extra` is the chance of one more."""
    if o.yakuman > 0:
        row = z.payoffs.tsumo[stance, 0] if way == 0 else z.payoffs.ron[stance, 0, way]
        return float(worth_of(row, float(o["base"])))
    tariff, fu = z.holding.tariff[stance, way], fu_place(int(o.fu))
    worth = tariff[min(han, HANS - 1), fu]
    if extra > 0.0:
        worth += extra * (tariff[min(han + 1, HANS - 1), fu] - worth)
    return float(worth)


# --- one tenpai hand


@kernel
def describe(q: Any, sp: Space, z: Scoring) -> float:
    """Write a standing hand into the scoring record, without the winning tile; returns the chance of one more han."""
    w, h, b, c = z.win, z.holding, sp.bounds[0], sp.melds[q.high >> MELDS_AT]
    unpack(int(q.low), int(q.high), h.hand)
    dora, reds, extra = int(h.meld_han), 0, 0.0
    for kind in range(NUM_KINDS):
        w.hand[kind] = h.hand[kind]
        dora += (int(h.hand[kind]) + int(c.tiles[kind])) * int(h.dora[kind])
    for suit in range(3):
        five = RANKS * suit + FIVE
        total = int(h.hand[five]) + int(c.tiles[five])
        if (h.reds >> suit) & 1 and total > 0:
            reds += 1
        drawn = total - int(b.root[five])
        if (h.unseen_reds >> suit) & 1 and drawn > 0 and b.left[five] > 0:
            extra += min(1.0, drawn / b.left[five])
    w.melds = h.melds + c.called
    for i in range(int(h.melds)):
        w.meld_type[i], w.meld_kind[i] = h.meld_type[i], h.meld_kind[i]
    for i in range(int(c.called)):
        code = int(c.codes[i])
        w.meld_type[h.melds + i] = PON if code >= PON_CODE else CHI
        w.meld_kind[h.melds + i] = code - PON_CODE if code >= PON_CODE else code - 1
    w.seat_wind, w.round_wind = h.seat_wind, h.round_wind
    w.ippatsu = w.rinshan = w.chankan = w.last_tile = w.first_turn = w.ura = 0
    w.dora, w.red = dora, reds
    return min(1.0, extra)


@kernel
def is_furiten(q: Any, sp: Space, h: Any) -> bool:
    """Whether a wait is in the player's river, or was discarded on the way from the root."""
    if q.waits & h.river:
        return True
    b, c = sp.bounds[0], sp.melds[q.high >> MELDS_AT]
    for kind in range(NUM_KINDS):
        if (q.waits >> kind) & 1 and int(h.hand[kind]) + int(c.tiles[kind]) < b.root[kind]:
            return True
    return False


@kernel
def note_ready(q: Any, given: Any, sp: Space, z: Scoring, out: Any) -> None:
    """Write the wins of a tenpai hand; `given` is the process's chance of discards."""
    w, o, h, b = z.win, z.score, z.holding, sp.bounds[0]
    extra = describe(q, sp, z)
    closed = h.closed == 1 and q.high >> MELDS_AT == 0
    furiten = is_furiten(q, sp, h)
    tiles, c = max(1.0, float(b.unseen - q.far)), sp.melds[q.high >> MELDS_AT]
    for stance in range(STANCES):
        out.tsumo[stance] = out.tsumo_worth[stance] = 0.0
        for other in range(OPPONENTS):
            out.ron[stance, other] = out.ron_worth[stance, other] = 0.0
    w.riichi = 1 if closed else 0
    dora, most = int(w.dora), 0
    for kind in range(NUM_KINDS):
        if (q.waits >> kind) & 1 == 0:
            continue
        left = left_of(kind, int(h.hand[kind]) + int(c.tiles[kind]), b)
        if left <= 0:
            continue
        most += left
        w.hand[kind] += 1
        w.win_kind, w.dora, w.tsumo = kind, dora + int(h.dora[kind]), 1
        score(w, z.rules, o)
        add_wins(o, 0, left / tiles, closed, extra, given, kind, z, out)
        if not furiten:
            w.tsumo = 0
            score(w, z.rules, o)
            add_wins(o, 1, float(left), closed, extra, given, kind, z, out)
        w.hand[kind] -= 1
    out.may_riichi = 1 if closed and most > 0 else 0


@kernel
def add_wins(
    o: Any, ron: int, chance: float, closed: bool, extra: float, given: Any, kind: int, z: Scoring, out: Any
) -> None:
    """Add a win that was scored, with riichi if the hand is closed, in both stances."""
    if o.yaku == 0:
        return
    for stance in range(STANCES):
        if stance == 1 and not closed:
            continue
        han = int(o.han) - (1 if closed and stance == 0 else 0)
        if stance == 0 and closed and o.yakuman == 0 and han - int(o.dora) - int(o.red) <= 0:
            continue
        if ron == 0:
            out.tsumo[stance] += chance
            out.tsumo_worth[stance] += chance * win_worth(o, stance, 0, han, extra, z)
        else:
            for other in range(OPPONENTS):
                rate = chance * given[stance, other, kind]
                out.ron[stance, other] += rate
                out.ron_worth[stance, other] += rate * win_worth(o, stance, other + 1, han, extra, z)


@kernel
def note_all(given: Any, sp: Space, z: Scoring, ready: Any) -> int:
    """Write the wins of all tenpai hands of a set, READY_DTYPE; returns how many there are."""
    count = 0
    for number in range(sp.bounds[0].standing):
        q = sp.standing[number]
        q.wins = -1
        if q.waits != 0:
            note_ready(q, given, sp, z, ready[count])
            q.wins = count
            count += 1
    return count


@kernel
def is_closed(meld_types: Any, melds: int) -> bool:
    """Whether melds leave a hand closed."""
    for i in range(melds):
        if meld_types[i] != CONCEALED_KAN:
            return False
    return True
