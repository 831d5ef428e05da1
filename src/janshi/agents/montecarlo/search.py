"""Decisions by simulation: candidates share random numbers, and the worse half drops out repeatedly."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.montecarlo.candidates import MOST, blank, list_reaction, list_turn
from janshi.agents.montecarlo.dtypes import CANDIDATE_DTYPE, PLAY_DTYPE, Sim
from janshi.agents.montecarlo.rollout import hold, simulate
from janshi.agents.montecarlo.scene import FATE_DTYPE, Manner, cast_fate, new_scene, note_scene
from janshi.agents.montecarlo.worth import describe, riichi_worth
from janshi.agents.offers import calls_nothing, may_win
from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features import hand_pattern
from janshi.features.own_hand import new_situation, new_weighing, situate
from janshi.models import one_player, opponents
from janshi.models.opponents import OPPONENTS_DTYPE, predict
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import Question, question_of_view
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import NONE, TURN, new_context

SURELY: Final = 3.0
"""A candidate drops out at once if it is this many standard errors behind the best."""
CERTAIN_LAST: Final = -3.97
"""A win with a lower worth, in expected final rank, makes last place certain."""
CLEARLY: Final = 0.1
"""Minimum advantage of declining such a win."""
LEAST: Final = 8
"""Minimum number of simulated hands before a candidate may drop out."""


class Desk(NamedTuple):
    """The models, and scratch space of a player. Not shared between threads."""

    scene: Any  # SCENE_DTYPE[1]
    fate: Any  # FATE_DTYPE[1]
    play: Any  # PLAY_DTYPE[1]
    candidates: Any  # CANDIDATE_DTYPE[MOST]
    said: Any  # OPPONENTS_DTYPE[1]
    frame: Any  # FRAME_DTYPE[1]
    tables: Any  # TABLES_DTYPE[1]
    weights: Any  # of the models of opponents, WEIGHTS_DTYPE[1]
    scratch: Any  # theirs
    model: Any  # of one-player mahjong, MODEL_DTYPE[1]
    maps: Any  # MAPS_DTYPE[1]
    situation: Any  # SITUATION_DTYPE[1]
    weighing: Any  # WEIGHING_DTYPE[1]


def new_desk(rules: Ruleset, manner: Manner) -> Desk:
    """Allocate what decisions under the given rules need."""
    frame, tables = new_context(rules)
    return Desk(
        scene=new_scene(manner),
        fate=np.zeros(1, FATE_DTYPE),
        play=np.zeros(1, PLAY_DTYPE),
        candidates=np.zeros(MOST, CANDIDATE_DTYPE),
        said=np.zeros(1, OPPONENTS_DTYPE),
        frame=frame,
        tables=tables,
        weights=opponents.shipped().weights,
        scratch=opponents.new_scratch(),
        model=one_player.shipped().record,
        maps=hand_pattern.maps(),
        situation=new_situation(),
        weighing=new_weighing(),
    )


@kernel
def set_scene(v: Any, d: Desk, z: Sim) -> None:
    """Ask the models about a view and note everything its decision knows."""
    predict(v, d.weights[0], d.scratch, d.said[0])
    note_scene(v, d.said[0], z.payoffs, z.rules, z.scene)
    situate(v, z.situation)


@kernel
def list_candidates(v: Any, z: Sim, out: Any) -> int:
    """List the candidates of a view, CANDIDATE_DTYPE[MOST]; returns their number."""
    q = question_of_view(v)
    if q.turn:
        return list_turn(v, q, z, out)
    return list_reaction(v, q, z, out)


@kernel
def play_all(candidates: Any, n: int, word: np.uint64, begin: int, end: int, z: Sim) -> None:
    """Simulate the hands `begin` to `end` of a decision's random word after each remaining candidate."""
    for i in range(begin, end):
        cast_fate(z.scene, rng.key(word, i, 0), z.fate)
        simulate(candidates[0], z)
        reference = z.play.value
        for j in range(1, n):
            c = candidates[j]
            if c.alive:
                simulate(c, z)
                apart = z.play.value - reference
                c.apart += apart
                c.squares += apart * apart


@kernel
def mean_of(c: Any) -> float:
    """The mean worth of a candidate's simulated hands."""
    return float(c.total / max(1, c.count))


@kernel
def lead_of(c: Any, doubt: float) -> float:
    """A lower bound on how far a candidate is ahead of the reference: its lead less `doubt` standard errors."""
    count = max(1, c.count)
    mean = c.apart / count
    variance = max(0.0, c.squares / count - mean * mean)
    return float(mean - doubt * np.sqrt(variance / count))


@kernel
def best_of(candidates: Any, n: int, doubt: float) -> int:
    """The remaining candidate with the highest lower bound, or the reference (the first candidate) if none beats it."""
    best, lead = 0, 0.0
    for j in range(1, n):
        if candidates[j].alive and lead_of(candidates[j], doubt) > lead:
            best, lead = j, lead_of(candidates[j], doubt)
    return best


@kernel
def drop_worst(candidates: Any, n: int, keep: int) -> int:
    """Drop all but the reference and the best `keep` candidates; returns how many of these are left."""
    left, ahead = 0, 0.0
    for j in range(1, n):
        if candidates[j].alive:
            ahead = max(ahead, lead_of(candidates[j], SURELY))
    for j in range(1, n):
        if candidates[j].alive and lead_of(candidates[j], -SURELY) < ahead:
            candidates[j].alive = 0
        left += 1 if candidates[j].alive else 0
    while left > keep:
        worst = -1
        for j in range(1, n):
            c = candidates[j]
            if c.alive and (worst < 0 or c.apart / c.count < candidates[worst].apart / candidates[worst].count):
                worst = j
        candidates[worst].alive = 0
        left -= 1
    return left


@kernel
def decided(candidates: Any, n: int) -> bool:
    """Whether all remaining candidates are the same action."""
    action = -1
    for j in range(n):
        if candidates[j].alive:
            if action >= 0 and candidates[j].action != action:
                return False
            action = int(candidates[j].action)
    return True


@kernel
def rounds_for(n: int) -> int:
    """How often the worse half must drop out until one is left."""
    rounds = 0
    while n > 1:
        n = (n + 1) // 2
        rounds += 1
    return rounds


@kernel
def choose(candidates: Any, n: int, word: np.uint64, rollouts: int, z: Sim) -> int:
    """The best candidate after about `rollouts` simulated hands in total."""
    rounds, left, begin = rounds_for(n), n - 1, 0
    for _ in range(rounds):
        if decided(candidates, n):
            break
        count = max(LEAST, rollouts // (rounds * (left + 1)))
        play_all(candidates, n, word, begin, begin + count, z)
        begin += count
        left = drop_worst(candidates, n, (left + 1) // 2)
    return best_of(candidates, n, z.scene.doubt)


@kernel
def win_worth(v: Any, c: Any, z: Sim) -> float:
    """The worth of winning now; `c` is scratch space for a candidate."""
    x, tsumo = z.play, v.phase == TURN
    kind = kind_of(int(v.drawn if tsumo else v.tile))
    blank(c, v, act.TSUMO if tsumo else act.RON, z)
    if tsumo:
        c.hand[kind] -= 1
    hold(c, x)
    x.stance = 1 if v.riichi[0] else 0
    describe(x, kind, z)
    z.win.tsumo = 1 if tsumo else 0
    score(z.win, z.rules, z.score)
    row = z.payoffs.tsumo[0, 0] if tsumo else z.payoffs.ron[0, 0, int(v.actor)]
    return float(riichi_worth(row, z.score, x.stance, z.rules))


@kernel
def only_answer(q: Question) -> int:
    """The answer that needs no thought, or NONE: in riichi, and when nothing can be called."""
    if q.turn:
        return act.TSUMOGIRI if q.riichi else NONE
    return act.PASS if calls_nothing(q, act.PON_RED) else NONE


@kernel
def answer_view(v: Any, word: np.uint64, rollouts: int, d: Desk, z: Sim) -> int:
    """The action for a view: a win, unless it makes last place certain and declining is clearly better."""
    q = question_of_view(v)
    win, only, worth = may_win(q), only_answer(q), 0.0
    if win == NONE and only != NONE:
        return only
    if win != NONE and v.riichi[0]:
        return win
    set_scene(v, d, z)
    if win != NONE:
        worth = win_worth(v, d.candidates[0], z)
        if worth > CERTAIN_LAST:
            return win
    n = list_candidates(v, z, d.candidates)
    best = choose(d.candidates, n, word, rollouts, z)
    if win != NONE and mean_of(d.candidates[best]) < worth + CLEARLY:
        return win
    return int(d.candidates[best].action)


@kernel
def judge(v: Any, word: np.uint64, hands: int, d: Desk, z: Sim) -> int:
    """Simulate `rollouts` hands after every candidate of a view, a win included; returns the number of candidates."""
    set_scene(v, d, z)
    n, win = list_candidates(v, z, d.candidates), may_win(question_of_view(v))
    if win != NONE:
        worth = win_worth(v, d.candidates[n], z)
        d.candidates[n].weight, d.candidates[n].value = 0.0, worth
        n += 1
    play_all(d.candidates, n, word, 0, hands, z)
    return n


@kernel
def answer_views(views: Any, words: Any, payoffs: Any, rollouts: int, judging: bool, d: Desk, out: Any) -> None:
    """Write an action for each view into `out`, int64[m]; `payoffs` holds a table for each.

    If `judging`, the given number of hands is simulated after every candidate, and the number of candidates is written:
    one entry point for both uses, because each takes a minute to compile.
    """
    for i in range(len(views)):
        z = Sim(
            d.scene[0],
            payoffs[i],
            d.fate[0],
            d.play[0],
            d.tables[0],
            d.frame[0].rules,
            d.frame[0].win,
            d.frame[0].score,
            d.model[0],
            d.maps[0],
            d.situation[0],
            d.weighing[0],
        )
        if judging:
            out[i] = judge(views[i], words[i], rollouts, d, z)
        else:
            out[i] = answer_view(views[i], words[i], rollouts, d, z)


def judge_view(views: Array, word: int, payoffs: Array, hands: int, desk: Desk) -> Array:
    """The candidates of the first view after `rollouts` simulated hands each, CANDIDATE_DTYPE[n]."""
    out = np.zeros(1, np.int64)
    answer_views(views[:1], np.array([word], np.uint64), payoffs, hands, True, desk, out)
    return np.array(desk.candidates[: out[0]])
