"""What a decision knows about the game, from a view and the models: the parameters of M, and what sets of hands need.

Chances come from the models of the table (`table_rates`), of dealing in (`deal_in`) and of `waiting`; worths are
expected final ranks or points (`payoffs`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.process import HORIZON, PROCESS_DTYPE, STANCES
from janshi.agents.mdp.worth import HOLDING_DTYPE, LUCKY, Scoring, is_closed, note_tariff
from janshi.agents.prospects import meld_dora, meld_is_simple, note_dora, unseen_reds, value_han
from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.models import opponents
from janshi.models.amounts import AMOUNTS
from janshi.models.deal_in import model as deal_in
from janshi.models.deal_in.model import DEAL_IN_DTYPE
from janshi.models.labels import OPPONENTS
from janshi.models.opponents import OPPONENTS_DTYPE
from janshi.models.table_rates import model as table_rates
from janshi.models.table_rates.model import RATES_DTYPE, note_rates
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS, TURN
from janshi.rules.riichi.win import CHI

RIICHI_DRAWS: Final = 4
"""Tiles that must be left in the wall for a riichi."""
IPPATSU: Final = 0.19
"""How often a winning riichi hand wins within its first go-around without a call in between."""
SCARED: Final = 0.75
"""The player's riichi keeps some opponents from becoming tenpai: this share of their danger is left."""
WISE: Final = 0.3
"""M_fold models neither draws nor opponents' discards, which bring safe tiles: with far hands facing a riichi, experts
deal in only this share as often as it expects."""
FORESIGHT: Final = 0.65
"""Later discards will be chosen with more knowledge than now: this share of their danger is left, by how often experts
near a win deal in."""


class Models(NamedTuple):
    """The models that a decision uses, and their output. Scratch space of one player."""

    waiting: Any  # weights of the models of opponents
    waiting_scratch: Any
    deal_in: Any
    deal_in_scratch: Any
    rates: Any
    rates_scratch: Any
    said: Any  # OPPONENTS_DTYPE[1]
    dealing: Any  # DEAL_IN_DTYPE[1]
    table: Any  # RATES_DTYPE[1]


def new_models(method: str = deal_in.DEFAULT) -> Models:
    """The shipped models; `method` is the deal-in model's."""
    return Models(
        waiting=opponents.shipped().weights,
        waiting_scratch=opponents.new_scratch(),
        deal_in=deal_in.shipped(method).weights,
        deal_in_scratch=deal_in.new_scratch(),
        rates=table_rates.shipped().weights,
        rates_scratch=table_rates.new_scratch(),
        said=np.zeros(1, OPPONENTS_DTYPE),
        dealing=np.zeros(1, DEAL_IN_DTYPE),
        table=np.zeros(1, RATES_DTYPE),
    )


def new_process() -> Any:
    """Allocate the parameters of a process."""
    return np.zeros(1, PROCESS_DTYPE)


def new_holding() -> Any:
    """Allocate what wins depend on."""
    return np.zeros(1, HOLDING_DTYPE)


@kernel
def ask_models(v: Any, d: Models) -> None:
    """Ask all models about a view."""
    opponents.predict(v, d.waiting[0], d.waiting_scratch, d.said[0])
    deal_in.predict(v, d.deal_in[0], d.deal_in_scratch, d.dealing[0])
    note_table(v, d)


@kernel
def note_table(v: Any, d: Models) -> None:
    """Ask the models of the table, after those of opponents and of dealing in."""
    note_rates(v, d.said[0].waiting, d.rates[0], d.rates_scratch, d.table[0])


# --- the player's hand


@kernel
def note_bounds(v: Any, rules: Any, b: Any) -> None:
    """Note the tiles of the root and the unseen ones, and the melds of the root."""
    b.unseen = 0
    for kind in range(NUM_KINDS):
        b.root[kind] = v.hand[kind]
        b.left[kind] = max(0, COPIES - int(v.seen[kind]) - int(v.hand[kind]))
        b.unseen += b.left[kind]
    b.valued, b.outside = 0, 0
    b.simple, b.has_value, b.runs, b.melded = 1, 0, 0, v.melds[0]
    b.open_tanyao = rules.open_tanyao
    for kind in range(EAST, NUM_KINDS):
        b.valued |= (1 if value_han(v, kind) else 0) << kind
    for i in range(int(v.melds[0])):
        kind, chi = int(v.meld_kind[0, i]), v.meld_type[0, i] == CHI
        if not meld_is_simple(int(v.meld_type[0, i]), kind):
            b.simple = 0
        if chi:
            b.runs = 1
        if kind < EAST:
            b.outside |= 1 << (kind // RANKS)
        elif (b.valued >> kind) & 1:
            b.has_value = 1


@kernel
def note_holding(v: Any, rules: Any, h: Any) -> None:
    """Note what wins of the player's hands depend on."""
    note_dora(v, h.dora)
    h.melds, h.reds = v.melds[0], v.reds
    for i in range(int(v.melds[0])):
        h.meld_type[i], h.meld_kind[i] = v.meld_type[0, i], v.meld_kind[0, i]
    h.meld_han = meld_dora(v, 0, h.dora)
    h.closed = 1 if is_closed(v.meld_type[0], int(v.melds[0])) else 0
    h.unseen_reds = unseen_reds(v) if rules.red_fives else 0
    h.seat_wind = (PLAYERS - int(v.dealer)) % PLAYERS
    h.round_wind = (int(v.kyoku) // PLAYERS) % PLAYERS
    h.river = 0
    for i in range(int(v.discards[0])):
        h.river |= 1 << kind_of(int(v.river[0, i]))


@kernel
def note_luck(v: Any, rules: Any, ura: Any, h: Any) -> None:
    """Note the chance of each number of han from ippatsu and ura-dora in a riichi win; `ura` by indicators."""
    shown = 0
    for i in range(INDICATORS):
        shown += 1 if v.indicators[i] != NONE else 0
    row, ippatsu = ura[min(max(shown, 1), len(ura) - 1)], IPPATSU if rules.ippatsu else 0.0
    for more in range(LUCKY):
        h.luck[more] = (1.0 - ippatsu) * ura_chance(row, more, rules)
        if more > 0:
            h.luck[more] += ippatsu * ura_chance(row, more - 1, rules)
    h.luck[LUCKY - 1] += ippatsu * ura_chance(row, LUCKY - 1, rules)


@kernel
def ura_chance(row: Any, count: int, rules: Any) -> float:
    """The chance of this many ura-dora."""
    if rules.ura_dora == 0:
        return 1.0 if count == 0 else 0.0
    return float(row[count])


# --- the process


@kernel
def turns_of(v: Any) -> int:
    """T: the player's discards until the wall runs out, including the present one."""
    if v.phase == TURN:
        return min(HORIZON, 1 + int(v.left) // PLAYERS)
    return min(HORIZON, (int(v.left) + int(v.actor)) // PLAYERS)


@kernel
def note_process(v: Any, d: Models, p: Any, rules: Any, b: Any, m: Any) -> None:
    """Write the parameters of M for a view."""
    table = d.table[0]
    m.turns = turns_of(v)
    m.wins = m.folds = 1
    m.last_riichi = (int(v.left) - RIICHI_DRAWS) // PLAYERS if v.left >= RIICHI_DRAWS else -1
    may = v.scores[0] >= STICK or rules.riichi_needs_points == 0
    m.riichi = 1 if may and v.riichi[0] == 0 and m.last_riichi >= 0 else 0
    for stance in range(STANCES):
        note_given(table, stance, b, m)
        note_losses(v, d, p, stance, b, m)
        note_others(v, table, p, stance, m)
        note_washout(table, p, stance, m)
    note_folding(table, m)
    foresee(m)


@kernel
def foresee(m: Any) -> None:
    """Reduce the danger of later discards, for hands that may still change."""
    for turn in range(1, HORIZON + 1):
        m.any_lose[0, turn] *= FORESIGHT
        m.any_lose_worth[0, turn] *= FORESIGHT
        for kind in range(NUM_KINDS):
            m.lose[0, turn, kind] *= FORESIGHT
            m.lose_worth[0, turn, kind] *= FORESIGHT


@kernel
def note_given(table: Any, stance: int, b: Any, m: Any) -> None:
    """Write the chance that each opponent discards an unseen tile of each kind, and one that the player waits for."""
    for other in range(OPPONENTS):
        for kind in range(NUM_KINDS):
            left = int(b.left[kind])
            m.given[stance, other, kind] = table.discards[stance, other, kind] / left if left > 0 else 0.0
            m.let_go[stance, other, kind] = m.given[stance, other, kind] * table.waited[stance, kind]


@kernel
def ron_worth(row: Any, base: Any) -> float:
    """Worth of a loss under a distribution of base points; `row` holds payoffs, float[AMOUNTS]."""
    worth, total = 0.0, 0.0
    for i in range(AMOUNTS):
        worth += row[i] * base[i]
        total += base[i]
    return worth / total if total > 0.0 else row[0]


@kernel
def note_losses(v: Any, d: Models, p: Any, stance: int, b: Any, m: Any) -> None:
    """Write the chance that discards deal in at each turn, and its worth."""
    table, dealing = d.table[0], d.dealing[0]
    for turn in range(HORIZON + 1):
        m.any_lose[stance, turn] = m.any_lose_worth[stance, turn] = 0.0
        for kind in range(NUM_KINDS):
            m.lose[stance, turn, kind] = m.lose_worth[stance, turn, kind] = 0.0
    for kind in range(NUM_KINDS):
        if b.left[kind] + b.root[kind] <= 0:
            continue
        for other in range(OPPONENTS):
            winning = float(dealing.winning[other, kind])
            if winning <= 0.0:
                continue
            worth = ron_worth(p.ron[stance, other + 1, 0], dealing["base"][other, kind])
            if stance == 1 and v.riichi[other + 1] == 0:
                winning *= SCARED
            for turn in range(HORIZON + 1):
                chance = table.ahead[other, min(turn, HORIZON - 1)] * winning * (1.0 - m.lose[stance, turn, kind])
                m.lose[stance, turn, kind] += chance
                m.lose_worth[stance, turn, kind] += chance * worth
        share = b.left[kind] / max(1.0, float(b.unseen))
        for turn in range(HORIZON + 1):
            m.any_lose[stance, turn] += share * m.lose[stance, turn, kind]
            m.any_lose_worth[stance, turn] += share * m.lose_worth[stance, turn, kind]


@kernel
def note_others(v: Any, table: Any, p: Any, stance: int, m: Any) -> None:
    """Write the chance that another player wins, and its worth."""
    for turn in range(1, HORIZON + 1):
        m.other_win[stance, turn] = table.other_win[stance, turn - 1]
    begun = PLAYERS - 1 - int(v.actor) if v.phase != TURN else 0
    m.other_win[stance, 0] = table.other_win[stance, 0] * begun / (PLAYERS - 1.0)
    m.other_worth[stance] = 0.0
    for other in range(OPPONENTS):
        player = other + 1
        base, tsumo = table["base"][other], float(table.tsumo[other])
        worth = tsumo * ron_worth(p.tsumo[stance, player], base)
        for loser in range(1, PLAYERS):
            if loser != player:
                worth += 0.5 * (1.0 - tsumo) * ron_worth(p.ron[stance, player, loser], base)
        m.other_worth[stance] += table.winner[other] * worth


@kernel
def note_washout(table: Any, p: Any, stance: int, m: Any) -> None:
    """Write the worth of a washout, noten and tenpai, averaged over who else is tenpai."""
    end = min(int(m.turns), HORIZON - 1)
    m.washout[stance, 0] = m.washout[stance, 1] = 0.0
    for others in range(1 << OPPONENTS):
        chance = 1.0
        for other in range(OPPONENTS):
            tenpai = float(table.ahead[other, end])
            chance *= tenpai if (others >> other) & 1 else 1.0 - tenpai
        m.washout[stance, 0] += chance * p.draw[stance, others << 1]
        m.washout[stance, 1] += chance * p.draw[stance, others << 1 | 1]


@kernel
def note_folding(table: Any, m: Any) -> None:
    """Write the worth of a folded hand that does not deal in, its risks, and how they are spread over time."""
    ahead, last = 0.0, max(1, int(m.turns) - 1)
    for turn in range(HORIZON, -1, -1):
        if turn <= last:
            ahead = tenpai_at(table, turn) + (1.0 - m.other_win[0, min(turn + 1, HORIZON)]) * ahead
        m.fold_share[turn] = ahead
    most = m.fold_share[1]
    for turn in range(HORIZON + 1):
        m.fold_share[turn] = WISE * m.fold_share[turn] / most if most > 0.0 else 0.0
    for kind in range(NUM_KINDS):
        m.fold_lose[kind] = m.fold_lose_worth[kind] = 0.0
    weight, goes_on = 0.0, 1.0
    for turn in range(1, last + 1):
        for kind in range(NUM_KINDS):
            m.fold_lose[kind] += goes_on * m.lose[0, turn, kind]
            m.fold_lose_worth[kind] += goes_on * m.lose_worth[0, turn, kind]
        weight += goes_on
        goes_on *= 1.0 - m.other_win[0, turn]
    for kind in range(NUM_KINDS):
        m.fold_lose[kind] /= weight
        m.fold_lose_worth[kind] /= weight
    m.fold_wise, m.fold_noten = WISE, goes_on
    m.fold_safe = (1.0 - goes_on) * m.other_worth[0] + goes_on * m.washout[0, 0]


@kernel
def tenpai_at(table: Any, turn: int) -> float:
    """How many opponents are tenpai at a turn, on average."""
    count = 0.0
    for other in range(OPPONENTS):
        count += table.ahead[other, min(turn, HORIZON - 1)]
    return count


@kernel
def note_scene(v: Any, d: Models, b: Any, m: Any, z: Scoring) -> None:
    """Note everything about a view, after the models were asked."""
    note_holding(v, z.rules, z.holding)
    note_luck(v, z.rules, d.rates[0].ura, z.holding)
    note_bounds(v, z.rules, b)
    note_tariff(z)
    note_process(v, d, z.payoffs, z.rules, b, m)
