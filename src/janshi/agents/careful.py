"""A riichi player with rules of thumb: it weighs what a hand may win against what each discard may cost.

For each discard it estimates the chance of winning times what the hand would pay (`agents/prospects.py`), and subtracts
the chance that the tile deals in times what that would cost (`agents/safety.py`). While nobody threatens, the first
term decides and it plays much like `greedy`. Once somebody has declared riichi, it pushes with a good hand and folds a
bad one, discarding its safest tiles. It calls towards a value triplet or tanyao when that makes the hand worth more
than staying closed. It never declares a kan.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Explanation, explain_discards
from janshi.agents.prospects import (
    MIND_DTYPE,
    SIMPLES,
    STAGES,
    TYPICAL,
    Manner,
    future_han,
    manner_record,
    meld_dora,
    meld_is_simple,
    melds_are_simple,
    note_dora,
    open_melds,
    value_han,
    value_sets,
    win_chance,
    worth,
)
from janshi.agents.safety import count_unseen, safe_kinds, wait_chances
from janshi.core._jit import kernel
from janshi.core.shanten import FIRST_P, FIRST_S, count_bits, honour_key, shanten, shanten_standard, suit_key
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, EAST, NUM_KINDS
from janshi.core.ukeire import NOT_HELD, ukeire_discards, useful_mask
from janshi.rules.game import Array, Game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import (
    ALL_KINDS,
    Question,
    allows,
    discard_action,
    discardable,
    outwardness,
    question_of_view,
)
from janshi.rules.riichi.ruleset import HONBA_RON
from janshi.rules.riichi.state import NONE, PLAYERS, TURN
from janshi.rules.riichi.win import CHI, PON

RIVALS_LEAVE = 0.2
"""Rivals take at most the whole chance of a step."""
NO_YAKU = -1e9
"""The value of a call that leaves no yaku."""


# --- threats of opponents


@kernel
def tenpai_chance(v: Any, other: int) -> float:
    """The chance that an opponent is tenpai: certain in riichi, else by melds and turns."""
    if v.riichi[other]:
        return 1.0
    rounds = int(v.turns) / PLAYERS
    melds = int(v.melds[other])
    if melds == 0:
        return float(max(0.0, 0.008 * (rounds - 6)))
    if melds == 1:
        return float(0.015 * rounds)
    if melds == 2:
        return float(min(0.7, 0.05 + 0.03 * rounds))
    return float(min(0.9, 0.3 + 0.04 * rounds)) if melds == 3 else 1.0


@kernel
def note_risk(v: Any, m: Any, x: Any) -> None:
    """Write the expected cost of discarding each kind into `x.risk`, and count the opponents who threaten."""
    for kind in range(NUM_KINDS):
        x.risk[kind] = 0.0
    x.threats = 0.0
    for other in range(1, PLAYERS):
        tenpai = tenpai_chance(v, other)
        if tenpai <= 0.0:
            continue
        x.threats += tenpai
        wait_chances(safe_kinds(v, other), x.unseen, x.chance)
        cost = m.riichi_cost if v.riichi[other] else m.open_cost
        cost += m.dora_cost * meld_dora(v, other, x.dora)
        for kind in range(NUM_KINDS):
            points = (cost + m.dora_cost * int(x.dora[kind])) * (1.5 if v.dealer == other else 1.0)
            x.risk[kind] += tenpai * x.chance[kind] * (points + HONBA_RON * int(v.honba))


# --- shanten and useful tiles


@kernel
def weigh(hand: Any, melds: int, plan: int, tables: Any, x: Any) -> int:
    """Write shanten and useful tiles after each discard, counting only the plan's kinds; returns the least shanten.

    Discarding a kind that the plan does not use changes nothing.
    """
    spare = take_usable(hand, plan, x)
    best = int(ukeire_discards(x.own, melds, x.visible, tables, x.distance, x.useful))
    if not spare:
        return best
    best = int(shanten_standard(x.own, melds, tables))
    useful = count_useful(x, melds, best, tables)
    for kind in range(NUM_KINDS):
        if hand[kind] > 0 and (plan >> kind) & 1 == 0:
            x.distance[kind] = best
            x.useful[kind] = useful
    return best


@kernel
def take_usable(hand: Any, plan: int, x: Any) -> bool:
    """Write the plan's tiles, and the visible ones, into `x.own`; returns whether the hand has others."""
    spare = False
    for kind in range(NUM_KINDS):
        inside = (plan >> kind) & 1 == 1
        x.own[kind] = hand[kind] if inside else 0
        x.visible[kind] = COPIES - x.unseen[kind] if inside else COPIES
        spare = spare or (hand[kind] > 0 and not inside)
    return spare


@kernel
def count_useful(x: Any, melds: int, best: int, tables: Any) -> int:
    """Number of unseen tiles that lower the shanten of `x.own` below `best`."""
    k0, k1 = suit_key(x.own, 0), suit_key(x.own, FIRST_P)
    k2, k3 = suit_key(x.own, FIRST_S), honour_key(x.own)
    mask = useful_mask(k0, k1, k2, k3, melds, best, tables)
    total = 0
    for kind in range(NUM_KINDS):
        if (mask >> kind) & 1:
            total += max(0, COPIES - int(x.visible[kind]))
    return total


# --- plans


@kernel
def plan_of(v: Any, m: Any) -> int:
    """Kinds the viewer's hand may use and still have a yaku: all, simples for tanyao, or 0 if it has none."""
    if open_melds(v) == 0 or value_sets(v, v.hand) > 0:
        return ALL_KINDS
    return SIMPLES if m.open_tanyao and melds_are_simple(v) else 0


@kernel
def plan_after_call(v: Any, hand: Any, meld_type: int, first: int, m: Any) -> int:
    """The same after a call; `hand` is the hand after it, `first` the lowest kind of the new meld."""
    called = value_han(v, first) if meld_type == PON and first >= EAST else 0
    if called or value_sets(v, hand) > 0:
        return ALL_KINDS
    return SIMPLES if m.open_tanyao and meld_is_simple(meld_type, first) and melds_are_simple(v) else 0


@kernel
def chance_to_win(distance: int, useful: float, is_open: int, m: Any, x: Any) -> float:
    """A hand's chance of winning, reduced by the rivals' share."""
    chance = win_chance(distance, useful, x.draws, x.tiles, is_open, m)
    return float(chance * max(RIVALS_LEAVE, 1.0 - m.rivals * x.threats) ** (distance + 1))


@kernel
def hand_value(v: Any, distance: int, useful: float, han: int, is_open: int, m: Any, x: Any) -> float:
    """Expected gain of a hand: its chance of winning times what it would pay."""
    return float(m.courage * chance_to_win(distance, useful, is_open, m, x) * worth(v, han, is_open, m))


@kernel
def useful_after(kind: int, m: Any, x: Any) -> float:
    """Useful tiles after a discard, or the average number if `weigh` did not count them."""
    useful = float(x.useful[kind])
    return useful if useful >= 0 else float(m.detour * TYPICAL[min(int(x.distance[kind]), STAGES - 1)])


@kernel
def best_discard(v: Any, kinds: int, han: int, is_open: int, m: Any, x: Any) -> tuple[int, float]:
    """The best discard among a bit set of kinds, from the output of `weigh`, and its expected value."""
    best, most = NONE, 2 * NO_YAKU
    while kinds:
        kind = count_bits((kinds & -kinds) - 1)
        kinds &= kinds - 1
        distance = int(x.distance[kind])
        if distance == NOT_HELD:
            continue
        value = hand_value(v, distance, useful_after(kind, m, x), han - int(x.dora[kind]), is_open, m, x)
        value += 0.01 * outwardness(kind) - x.risk[kind]
        if value > most:
            best, most = kind, value
    return best, most


# --- answers


@kernel
def look_around(v: Any, m: Any, x: Any) -> None:
    """Prepare the unseen tiles, the dora, and the expected cost of each discard."""
    x.tiles = count_unseen(v, x.unseen)
    x.draws = (int(v.left) + PLAYERS - 1) // PLAYERS
    note_dora(v, x.dora)
    note_risk(v, m, x)


@kernel
def weigh_discards(v: Any, q: Question, tables: Any, m: Any, x: Any) -> tuple[int, int]:
    """Prepare everything the discard depends on; returns whether the hand is open, and the han in sight."""
    look_around(v, m, x)
    is_open = 1 if open_melds(v) else 0
    plan = plan_of(v, m)
    if plan == 0:
        plan = ALL_KINDS
    weigh(v.hand, q.melds, plan, tables, x)
    return is_open, int(future_han(v, v.hand, plan, is_open, x))


@kernel
def turn_action(v: Any, q: Question, tables: Any, m: Any, x: Any) -> int:
    """The answer on the player's own turn."""
    if allows(q, act.TSUMO):
        return act.TSUMO
    if allows(q, act.NINE_TERMINALS):
        return act.NINE_TERMINALS
    if q.riichi:
        return act.TSUMOGIRI
    is_open, han = weigh_discards(v, q, tables, m, x)
    kind, _ = best_discard(v, discardable(q), han, is_open, m, x)
    if allows(q, act.RIICHI) and x.distance[kind] == 0 and x.useful[kind] > 0:
        return act.RIICHI
    return int(discard_action(q, v.hand, kind))


@kernel
def reaction_action(v: Any, q: Question, tables: Any, m: Any, x: Any) -> int:
    """The answer to an opponent's discard or kan."""
    if allows(q, act.RON):
        return act.RON
    if m.calling == 0.0 or (q.low >> act.CHI) & ((1 << (act.OPEN_KAN - act.CHI)) - 1) == 0:
        return act.PASS
    look_around(v, m, x)
    best, most = act.PASS, m.eager * passing_value(v, q, tables, m, x)
    for action in range(act.CHI, act.OPEN_KAN):
        if allows(q, action):
            value = calling_value(v, q, action, tables, m, x)
            if value > most:
                best, most = action, value
    return best


@kernel
def passing_value(v: Any, q: Question, tables: Any, m: Any, x: Any) -> float:
    """Expected value of the hand if nothing is called."""
    is_open = 1 if open_melds(v) else 0
    plan = plan_of(v, m)
    if plan == 0:
        return 0.0
    take_usable(v.hand, plan, x)
    distance = int(shanten(x.own, q.melds, tables))
    useful = count_useful(x, q.melds, distance, tables)
    return hand_value(v, distance, float(useful), future_han(v, v.hand, plan, is_open, x), is_open, m, x)


@kernel
def calling_value(v: Any, q: Question, action: int, tables: Any, m: Any, x: Any) -> float:
    """Expected value of the hand after a call and the best discard; NO_YAKU if it can have no yaku."""
    called = kind_of(int(v.tile))
    meld_type = PON if action >= act.PON else CHI
    first = called if meld_type == PON else called - (action - act.CHI) % 3
    for kind in range(NUM_KINDS):
        x.hand[kind] = v.hand[kind]
    for i in range(3):
        x.hand[first if meld_type == PON else first + i] -= 1
    x.hand[called] += 1
    plan = plan_after_call(v, x.hand, meld_type, first, m)
    if plan == 0:
        return NO_YAKU
    weigh(x.hand, q.melds + 1, plan, tables, x)
    han, kinds = future_han(v, x.hand, plan, 1, x), 0
    for i in range(3):
        han += int(x.dora[first if meld_type == PON else first + i])
    if meld_type == PON and called >= EAST:
        han += value_han(v, called)
    for kind in range(NUM_KINDS):
        kinds |= (1 if x.hand[kind] > 0 and kind != called else 0) << kind
    _, value = best_discard(v, kinds, han, 1, m, x)
    return float(value)


@kernel
def answer_carefully(views: Any, out: Any, tables: Any, manner: Any, mind: Any) -> None:
    """Write an action for each view into `out`, int64[m]."""
    m, x = manner[0], mind[0]
    for i in range(len(views)):
        v = views[i]
        q = question_of_view(v)
        out[i] = turn_action(v, q, tables[0], m, x) if q.turn else reaction_action(v, q, tables[0], m, x)


@kernel
def judge_discards(views: Any, numbers: Any, tenpai: Any, tables: Any, manner: Any, mind: Any) -> None:
    """Write the figures behind the first view's discard, float64[34, 3]: points, chance of winning and cost."""
    v, m, x = views[0], manner[0], mind[0]
    q = question_of_view(v)
    is_open, han = weigh_discards(v, q, tables[0], m, x)
    for kind in range(NUM_KINDS):
        if (discardable(q) >> kind) & 1 and x.distance[kind] != NOT_HELD:
            useful = useful_after(kind, m, x)
            value = hand_value(v, int(x.distance[kind]), useful, han - int(x.dora[kind]), is_open, m, x)
            numbers[kind, 0] = value - x.risk[kind]
            numbers[kind, 1] = chance_to_win(int(x.distance[kind]), useful, is_open, m, x)
            numbers[kind, 2] = x.risk[kind]
    for other in range(1, PLAYERS):
        tenpai[other - 1] = tenpai_chance(v, other)


class CarefulAgent(Agent):
    """Weighs what a hand may win against what a discard may cost. Not thread-safe.

    Options: `courage`, the weight of points won relative to points lost; `calling`, whether it calls.
    """

    name, version = "careful", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)
    gives_values = True

    def __init__(self, game: Game, courage: float = Manner.courage, calling: bool = True) -> None:
        super().__init__(game)
        self._tables, self._mind = tables_array(), np.zeros(1, MIND_DTYPE)
        self._manner = manner_record(Manner(courage=courage, calling=float(calling)), game.rules)

    def act(self, asked: Asked) -> Array:
        """Answer all decisions in one kernel call."""
        out = np.zeros(len(asked), np.int64)
        answer_carefully(asked.views, out, self._tables, self._manner, self._mind)
        return out

    def explain(self, views: Array) -> list[Explanation]:
        """What each discard may win and cost. For other decisions, only the chosen action."""
        return [self._explain(views[i : i + 1]) for i in range(len(views))]

    def _explain(self, views: Array) -> Explanation:
        numbers, tenpai = np.full((NUM_KINDS, 3), np.nan), np.zeros(PLAYERS - 1)
        if views["phase"][0] == TURN and not views["riichi"][0, 0]:
            judge_discards(views, numbers, tenpai, self._tables, self._manner, self._mind)
        names, waiting = ("points", "win", "cost in points"), tuple(tenpai.tolist())
        return explain_discards(self, views, names, numbers, waiting, unit="points")
