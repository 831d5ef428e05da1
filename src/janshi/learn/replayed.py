"""Replaying recorded games: every position in which somebody was asked, with their answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from janshi.rules.game import Array
from janshi.rules.stepper import Stepper


class Step(NamedTuple):
    """The open decisions of some tables and their answers; valid until the next step."""

    states: Array
    tables: Array  # int64[m]
    players: Array  # int64[m]
    actions: Array  # int64[m]
    legal: Array  # bool[m, num_actions]


def replayed(stepper: Stepper, first: Array, end: Array, answers: Array) -> Iterator[Step]:
    """Play a stepper's games to the end, and yield every step before it is taken.

    Table i's answers are `answers[first[i]:end[i]]`, in the order of asking. Answers that do not fit raise.
    """
    game, states, at = stepper.game, stepper.states, first.astype(np.int64)
    while len(stepper) or not game.is_over(states).all():
        begin, tables, players = stepper.first, stepper.tables, stepper.players
        places = at[tables] + np.arange(len(tables)) - begin[tables]
        if (places >= end[tables]).any():
            raise ValueError("recorded hands do not fit these rules: answers are missing")
        actions = answers[places].astype(np.int64)
        if game.first_illegal(states, begin, actions) >= 0:
            raise ValueError("recorded hands do not fit these rules: an answer is illegal")
        at += np.diff(begin)
        legal = np.zeros((len(tables), game.num_actions), np.bool_)
        game.legal_masks(states, tables, players, legal)
        yield Step(states, tables, players, actions, legal)
        stepper.step(actions)
