"""Shortcuts for riichi decisions: whether there is a win to take, or a call to consider."""

from __future__ import annotations

from janshi.core._jit import kernel
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import Question, allows
from janshi.rules.riichi.state import NONE


@kernel
def may_win(q: Question) -> int:
    """The winning action that is legal, or NONE."""
    if q.turn:
        return act.TSUMO if allows(q, act.TSUMO) else NONE
    return act.RON if allows(q, act.RON) else NONE


@kernel
def calls_nothing(q: Question, last: int) -> bool:
    """Whether none of the calls from chi to the action `last` is legal."""
    return (q.low >> act.CHI) & ((1 << (last + 1 - act.CHI)) - 1) == 0


@kernel
def has_red_form(q: Question, action: int) -> bool:
    """Whether the same call can be made with a red five, which is never worse."""
    if action < act.CHI_RED:
        return allows(q, action + act.CHI_RED - act.CHI)
    return action == act.PON and allows(q, act.PON_RED)
