"""Decisions by simulation: candidates share their random numbers, and the worse half drops out again and again."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.montecarlo_candidates import MOST, list_reaction, list_turn
from janshi.agents.montecarlo_rollout import CANDIDATE_DTYPE, PLAY_DTYPE, Sim, simulate
from janshi.agents.montecarlo_scene import FATE_DTYPE, SCENE_DTYPE, cast_fate, note_scene
from janshi.core import rng
from janshi.core._jit import kernel
from janshi.models.opponents import OPPONENTS_DTYPE, predict
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import allows, question_of_view
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import new_context

LEAST: Final = 8
"""Simulated hands of a candidate at least, before it may drop out."""


class Desk(NamedTuple):
    """Scratch space of a player. Not shared between threads."""

    scene: Any  # SCENE_DTYPE[1]
    fate: Any  # FATE_DTYPE[1]
    play: Any  # PLAY_DTYPE[1]
    candidates: Any  # CANDIDATE_DTYPE[MOST]
    said: Any  # OPPONENTS_DTYPE[1]
    frame: Any  # FRAME_DTYPE[1]


def new_desk(rules: Ruleset) -> Desk:
    """Make scratch space for decisions under the given rules."""
    scene, fate, play = np.zeros(1, SCENE_DTYPE), np.zeros(1, FATE_DTYPE), np.zeros(1, PLAY_DTYPE)
    frame = new_context(rules)[0]
    return Desk(scene, fate, play, np.zeros(MOST, CANDIDATE_DTYPE), np.zeros(1, OPPONENTS_DTYPE), frame)


@kernel
def set_scene(v: Any, weights: Any, scratch: Any, said: Any, z: Sim) -> None:
    """Ask the models about a view and note all that its decision knows."""
    predict(v, weights, scratch, said)
    note_scene(v, said, z.payoffs, z.rules, z.scene)


@kernel
def list_candidates(v: Any, z: Sim, out: Any) -> int:
    """List what may be done in a view, CANDIDATE_DTYPE[MOST]; returns how many candidates there are."""
    q = question_of_view(v)
    if q.turn:
        return list_turn(v, q, z, out)
    return list_reaction(v, q, z, out)


@kernel
def play_all(candidates: Any, n: int, word: np.uint64, begin: int, end: int, z: Sim) -> None:
    """Simulate the hands `begin` to `end` of a decision's random word after each candidate that is left."""
    for i in range(begin, end):
        cast_fate(z.scene, rng.key(word, i, 0), z.fate)
        for j in range(n):
            if candidates[j].alive:
                simulate(candidates[j], z)


@kernel
def mean_of(c: Any) -> float:
    """The mean worth of a candidate's simulated hands."""
    return float(c.total / max(1, c.count))


@kernel
def best_of(candidates: Any, n: int) -> int:
    """The candidate left with the highest mean."""
    best = 0
    for j in range(1, n):
        if candidates[j].alive and (not candidates[best].alive or mean_of(candidates[j]) > mean_of(candidates[best])):
            best = j
    return best


@kernel
def drop_worst(candidates: Any, n: int, keep: int) -> int:
    """Let all but the best `keep` candidates drop out; returns how many are left."""
    left = 0
    for j in range(n):
        left += 1 if candidates[j].alive else 0
    while left > keep:
        worst = -1
        for j in range(n):
            c = candidates[j]
            if c.alive and (worst < 0 or mean_of(c) < mean_of(candidates[worst])):
                worst = j
        candidates[worst].alive = 0
        left -= 1
    return left


@kernel
def decided(candidates: Any, n: int) -> bool:
    """Whether all candidates left mean the same action."""
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
    """The best candidate by about so many simulated hands in all."""
    rounds, left, begin = rounds_for(n), n, 0
    for _ in range(rounds):
        if decided(candidates, n):
            break
        count = max(LEAST, rollouts // (rounds * left))
        play_all(candidates, n, word, begin, begin + count, z)
        begin += count
        left = drop_worst(candidates, n, (left + 1) // 2)
    return best_of(candidates, n)


@kernel
def answer_view(
    v: Any, word: np.uint64, rollouts: int, weights: Any, scratch: Any, said: Any, candidates: Any, z: Sim
) -> int:
    """The action for a view."""
    q = question_of_view(v)
    if q.turn and allows(q, act.TSUMO):
        return act.TSUMO
    if not q.turn and allows(q, act.RON):
        return act.RON
    if q.turn and q.riichi:
        return act.TSUMOGIRI
    if not q.turn and (q.low >> act.CHI) & ((1 << (act.OPEN_KAN - act.CHI)) - 1) == 0:
        return act.PASS
    set_scene(v, weights, scratch, said, z)
    n = list_candidates(v, z, candidates)
    return int(candidates[choose(candidates, n, word, rollouts, z)].action)


@kernel
def answer_views(
    views: Any, words: Any, payoffs: Any, rollouts: int, weights: Any, scratch: Any, desk: Any, tables: Any, out: Any
) -> None:
    """Write an action for each view into `out`, int64[m]; `payoffs` holds a table for each, `desk` is scratch."""
    frame = desk.frame[0]
    for i in range(len(views)):
        z = Sim(desk.scene[0], payoffs[i], desk.fate[0], desk.play[0], tables[0], frame.rules, frame.win, frame.score)
        out[i] = answer_view(views[i], words[i], rollouts, weights[0], scratch, desk.said[0], desk.candidates, z)
