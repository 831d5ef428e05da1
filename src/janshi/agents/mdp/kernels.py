"""The kernels of an MDP decision, compiled one by one.

Together they take a minute of processor time. Each function here compiles one kernel without playing, so that several
processes can share the work; afterwards every process finds the kernels in the cache.
"""

from __future__ import annotations

import numpy as np

from janshi.agents.mdp.decide import Manner, judge_views, new_desk, plain_answers
from janshi.agents.payoffs import PAYOFF_DTYPE, RANK, PayoffTables
from janshi.models import opponents
from janshi.models.deal_in import model as deal_in
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.view import VIEW_DTYPE

FEW_HANDS = 100


def compile_opponents() -> None:
    """The models of waiting, winning tiles and hand scores."""
    opponents.shipped().predict(np.zeros(0, VIEW_DTYPE))


def compile_deal_in() -> None:
    """The model of dealing in."""
    deal_in.shipped().predict(np.zeros(0, VIEW_DTYPE))


def compile_choice() -> None:
    """The set of hands, the processes solved on it, and the choice."""
    none, desk = np.zeros(0, VIEW_DTYPE), new_desk(TENHOU, FEW_HANDS, Manner())
    judge_views(none, np.zeros(0, PAYOFF_DTYPE), False, desk, np.zeros((0, 2), np.int64))


def compile_rest() -> None:
    """The answers that need no thought, and the tables of payoffs."""
    plain_answers(np.zeros(0, VIEW_DTYPE), np.zeros(0, np.int64))
    PayoffTables(TENHOU).of_views(np.zeros(1, VIEW_DTYPE), RANK)
