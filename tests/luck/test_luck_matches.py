"""Games of a match as walls and answers, from what was kept or by playing again."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.arena.answers import MatchError
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.games import games_of_records
from janshi.luck.matches import games_of_match
from janshi.records.recorder import record_game
from janshi.rules.registry import make_game

PLAN = Plan("riichi/tenhou_east", ("greedy", "random"), ((0, 1, 1, 1),), walls=2, seed=3)


@pytest.fixture(scope="module")
def kept():
    return run_match(PLAN, options=Options(keep_actions=True))


def test_the_same_hands_as_by_writing_records(kept):
    found = games_of_match(PLAN, kept)
    rules = make_game(PLAN.rules).rules
    answers = [np.frombuffer(packed, "<i2").tolist() for packed in kept.actions]
    games = [PLAN.game(number) for number in range(len(PLAN))]
    slow = games_of_records([record_game(rules, g.seed, a) for g, a in zip(games, answers)])
    assert len(found) == len(slow) == 8
    assert found.rules == [rules]
    assert np.array_equal(found.hands["wall"][:, -53:], slow.hands["wall"][:, -53:])  # records show what was drawn
    for name in ("scores", "kyoku", "honba", "sticks", "decisions", "first"):
        assert np.array_equal(found.hands[name], slow.hands[name]), name
    assert np.array_equal(found.answers, np.concatenate(answers))
    assert (found.answers != slow.answers).mean() < 0.02  # records do not contain calls that were overridden
    assert np.array_equal(found.game, slow.game)
    assert np.array_equal(found.ranks, kept.ranks)
    assert np.array_equal(found.scores, kept.scores)
    assert found.names[1] == ("random", "greedy", "random", "random")


def test_games_without_answers_are_played_again(kept):
    told = []
    bare = run_match(PLAN)
    bare.actions[3] = kept.actions[3]
    found = games_of_match(PLAN, bare, lambda done, total: told.append((done, total)))
    assert np.array_equal(found.hands, games_of_match(PLAN, kept).hands)
    assert told[-1] == (7, 7)


def test_games_that_cannot_be_replayed_are_reported(kept):
    bare = run_match(PLAN)
    bare.scores[2] += 100
    with pytest.raises(MatchError, match="game 2 ends differently"):
        games_of_match(PLAN, bare)
    with pytest.raises(MatchError, match="riichi games only"):
        games_of_match(Plan("simplified/paper", ("greedy",), ((0, 0, 0),), 1), bare)
    with pytest.raises(MatchError, match="is a bot"):
        games_of_match(Plan(PLAN.rules, ("greedy", "mjai:nobody"), PLAN.lineups, 2, 3), run_match(PLAN))
    broken = kept.select(np.arange(len(kept)))
    broken.actions[1] = broken.actions[1][:-2]
    with pytest.raises(MatchError, match="game 1: its answers do not lead to its result"):
        games_of_match(PLAN, broken)
