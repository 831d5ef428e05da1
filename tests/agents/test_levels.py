"""The levels of the ladder: what they do not look at changes nothing, and they play no absurd move."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.learned.levels import BeginnerAgent, LevelAgent, NewcomerAgent, RegularAgent
from janshi.agents.learned.sight import PARTS, parts_of, without
from janshi.agents.registry import make_agent
from janshi.arena.ladder import LEVELS
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import RON, TSUMO
from janshi.rules.riichi.state import NONE, PLAYERS

GAME = make_game("riichi/tenhou_east")


@pytest.fixture(scope="module")
def views():
    """Positions of games among players who call and declare riichi."""
    batch, player, found = Batch(GAME, 24, seed=4), make_agent("one_player", GAME), []
    for step in range(260):
        seen = batch.views()
        if step % 26 == 0:
            found.append(np.array(seen))
        batch.step(player.act(Asked(GAME, seen, np.zeros(len(seen), np.uint64), batch.tables)))
    return np.concatenate(found).view(type(seen))


@pytest.fixture(scope="module")
def plain_chances():
    """The apprentice's probabilities in these positions, by what it overlooks."""
    return {}


def words(n, seed=1):
    return np.random.default_rng(seed).integers(2**63, size=n).astype(np.uint64) * np.uint64(2)


def act(agent, views, seed=1):
    return agent.act(Asked(GAME, views, words(len(views), seed), np.arange(len(views))))


def test_the_positions_have_what_can_be_overlooked(views):
    assert (views["riichi"][:, 1:] > 0).any()
    assert (views["melds"][:, 1:] > 0).any()
    assert (views["scores"] != views["scores"][:, :1]).any()


def test_a_limited_view_shows_nothing_of_its_parts(views):
    seen = without(views, PARTS)
    assert (seen["river"][:, 1:] == NONE).all()
    assert (seen["melds"][:, 1:] == 0).all()
    assert (seen["riichi"][:, 1:] == 0).all()
    assert (seen["indicators"] == NONE).all()
    assert (seen["scores"] == seen["scores"][:, :1]).all()
    for own in ("hand", "legal", "drawn", "tile", "waits", "left"):
        assert np.array_equal(seen[own], views[own])
    assert np.array_equal(seen["river"][:, 0], views["river"][:, 0])
    assert without(views, ()) is views


def test_tiles_in_overlooked_rivers_count_as_unseen(views):
    seen = without(views, ("rivers",))["seen"]
    assert (seen >= 0).all()
    assert (seen <= views["seen"]).all()
    discarded = ((views["river"][:, 1:] != NONE) & (views["river_flags"][:, 1:] & 4 == 0)).sum((1, 2))
    assert np.array_equal(views["seen"].sum(1) - seen.sum(1), discarded)


def test_limited_views_do_not_change_the_originals(views):
    before = views.tobytes()
    without(views, PARTS)
    assert views.tobytes() == before


def test_a_beginner_does_not_react_to_the_others(views):
    agent = BeginnerAgent(GAME)
    other = np.array(views).view(type(views))
    other["riichi"][:, 1:] = 1
    other["scores"] = np.roll(other["scores"], 1, axis=1)
    other["river_flags"][:, 1:] = 0  # no tile was called away: what is seen differs only by melds
    assert np.array_equal(agent.guess(views).policy, agent.guess(without(views, PARTS)).policy)
    changed = np.array(views).view(type(views))
    changed["riichi"][:, 1:] = 1 - changed["riichi"][:, 1:]
    changed["scores"] = changed["scores"][:, ::-1]
    assert np.array_equal(act(agent, views), act(agent, changed))


def test_regular_sees_what_a_beginner_does_not(views):
    changed = np.array(views).view(type(views))
    changed["scores"][:, 0] += 20000
    agent = RegularAgent(GAME)
    assert not np.array_equal(agent.guess(views).policy, agent.guess(changed).policy)


@pytest.mark.parametrize("name", LEVELS[:-1])
def test_no_level_plays_an_absurd_move(views, plain_chances, name, monkeypatch):
    agent = make_agent(name, GAME)
    assert isinstance(agent, LevelAgent)
    if agent.blind not in plain_chances:  # two levels overlook the same
        plain_chances[agent.blind] = make_agent(f"apprentice:blind={agent.blind}", GAME).probabilities(views)
    plain = plain_chances[agent.blind]
    absurd = plain < agent.floor * plain.max(1, keepdims=True) * (1 - 1e-6)
    assert (absurd & GAME.masks_of_views(views)).any(), "the floor forbids something"
    chances = agent.probabilities(views)
    monkeypatch.setattr(agent, "probabilities", lambda _: chances)  # the same for all seeds: computed once
    for seed in range(40):
        assert not absurd[np.arange(len(views)), act(agent, views, seed)].any()


def test_no_level_misses_a_win_by_chance():
    game = make_game("riichi/tenhou_east")
    batch, player = Batch(game, 64, seed=9), make_agent("greedy", game)
    newcomer, wins = NewcomerAgent(game), 0
    for _ in range(220):
        views = batch.views()
        masks = game.masks_of_views(views)
        able = np.flatnonzero(masks[:, TSUMO] | masks[:, RON])
        if len(able):
            some = views[able]
            best = newcomer.probabilities(some).argmax(1)
            taken = (best == TSUMO) | (best == RON)
            for seed in range(3):
                assert np.isin(act(newcomer, some[taken], seed), (TSUMO, RON)).all()
            wins += int(taken.sum())
        batch.step(player.act(Asked(game, views, np.zeros(len(views), np.uint64), batch.tables)))
    assert wins > 10


def test_a_level_varies_and_an_apprentice_does_not(views):
    views = views[::3]
    casual, apprentice = make_agent("casual", GAME), make_agent("apprentice", GAME)
    assert not np.array_equal(act(casual, views, 1), act(casual, views, 2))
    assert np.array_equal(act(apprentice, views, 1), act(apprentice, views, 2))


def test_unknown_parts_and_floors_are_named():
    with pytest.raises(ValueError, match="no part of the table is called 'walls'; there are rivers, melds"):
        parts_of("rivers+walls")
    with pytest.raises(ValueError, match="the floor must be from 0 to 1, not 2"):
        make_agent("apprentice:floor=2", GAME)
    assert parts_of("") == ()
    assert len(PARTS) == 5
    assert PLAYERS == 4
