"""The careful agent: its idea of danger, its folding and calling, and that it beats greedy players."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.agents import safety
from janshi.agents.base import Asked
from janshi.agents.careful import CarefulAgent
from janshi.agents.prospects import (
    DRAWS,
    MANNER_DTYPE,
    STAGES,
    TYPICAL,
    UNSEEN,
    Manner,
    manner_record,
    race,
    win_chance,
)
from janshi.agents.registry import make_agent
from janshi.core.hand import Hand
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, parse_tiles
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, RON_WIN, TURN

GAME = make_game("riichi")
SIMPLE = {kind for kind in range(EAST) if 0 < kind % RANKS < RANKS - 1}


def play(batch: Batch, agents: list[Any], seats: Array) -> Any:
    """Let agent `seats[table, player]` answer; yields (views, actions) before every step until all games are over."""
    while not batch.over.all():
        views, actions = batch.views(), np.zeros(len(batch), np.int64)
        whose = seats[batch.tables, batch.players]
        for number, agent in enumerate(agents):
            at = np.flatnonzero(whose == number)
            words = (views["turns"][at].astype(np.uint64) + batch.tables[at].astype(np.uint64)) << np.uint64(57)
            actions[at] = agent.act(Asked(GAME, views[at], words, batch.tables[at]))
        yield views, actions
        batch.step(actions)


def discarded(view: Any, action: int) -> int:
    """The kind that an action discards."""
    return int(kind_of(int(view["drawn"]) if action == act.TSUMOGIRI else action))


def in_set(mask: int, kind: int) -> bool:
    return bool(mask >> kind & 1)


# --- danger


def shapes_of(unseen: Array) -> list[tuple[float, float, set[int]]]:
    """Every shape that may be a wait, as (its weight, what it counts for in the sum, the kinds it waits for)."""
    shapes: list[tuple[float, float, set[int]]] = []
    for kind in range(NUM_KINDS):
        pair = safety.PAIR_OF_HONOURS if kind >= EAST else safety.PAIR
        single = safety.SINGLE_HONOUR if kind >= EAST else safety.SINGLE
        ways = unseen[kind] * (unseen[kind] - 1) / 2
        shapes += [(pair * ways, pair * ways / 2, {kind}), (single * unseen[kind], single * unseen[kind], {kind})]
        rank = kind % RANKS
        if kind < EAST and rank < RANKS - 1:
            waits = {k for k, r in ((kind - 1, rank - 1), (kind + 2, rank + 2)) if 0 <= r < RANKS}
            weight = (safety.TWO_SIDED if len(waits) == 2 else safety.EDGE) * unseen[kind] * unseen[kind + 1]
            shapes.append((weight, weight, waits))
        if kind < EAST and rank < RANKS - 2:
            weight = safety.CLOSED * unseen[kind] * unseen[kind + 2]
            shapes.append((weight, weight, {kind + 1}))
    return shapes


def test_wait_chances_are_the_shares_of_all_shapes():
    chance = np.random.default_rng(1)
    for _ in range(300):
        unseen = chance.integers(0, 5, NUM_KINDS)
        safe = sum(1 << k for k in range(NUM_KINDS) if chance.random() < chance.random() * 0.6)
        out = np.zeros(NUM_KINDS)
        safety.wait_chances(safe, unseen, out)
        shapes = [shape for shape in shapes_of(unseen) if not any(in_set(safe, k) for k in shape[2])]
        total = max(1.0, sum(part for _, part, _ in shapes))
        wanted = [sum(weight for weight, _, waits in shapes if k in waits) / total for k in range(NUM_KINDS)]
        np.testing.assert_allclose(out, wanted, atol=1e-12)


def test_danger_follows_what_players_know():
    def danger(safe_text: str, unseen_less: dict[str, int] | None = None) -> Any:
        unseen = np.full(NUM_KINDS, 4)
        for text, left in (unseen_less or {}).items():
            unseen[parse_tiles(text)[0]] = left
        out = np.zeros(NUM_KINDS)
        safety.wait_chances(sum(1 << t for t in parse_tiles(safe_text)), unseen, out)
        return lambda text: out[parse_tiles(text)[0]]

    fresh, after_4m = danger(""), danger("4m")
    assert fresh("5m") > fresh("3m") > fresh("2m") > fresh("1m")
    assert after_4m("4m") == 0
    assert after_4m("1m") < after_4m("7m") < after_4m("8m"), "suji: less than half the danger, terminals least"
    assert danger("", {"2m": 0})("1m") < fresh("1m") / 2, "no-chance: nobody holds 2-3"
    assert danger("", {"7z": 1})("7z") < danger("", {"7z": 2})("7z") < danger("", {"7z": 3})("7z")


def test_nobody_wins_on_a_kind_called_safe():
    agents = [make_agent(name, GAME) for name in ("greedy", "careful", "random")]
    seats = np.random.default_rng(2).choice(3, (160, 4), p=(0.6, 0.3, 0.1))
    batch = Batch(GAME, 160, seed=8, restart=False)
    rons = safe_tiles = 0
    before: dict[int, Any] = {}
    for views, actions in play(batch, agents, seats):
        for i, (table, player) in enumerate(zip(batch.tables.tolist(), batch.players.tolist())):
            if views["phase"][i] == TURN and actions[i] <= act.TSUMOGIRI:
                before[table] = (player, views[i].copy(), discarded(views[i], int(actions[i])))
                safe_tiles += in_set(safety.safe_kinds(views[i], 1), before[table][2])
            elif views["legal"][i, 1] >> (act.RON - act.HALF) & 1 and views["phase"][i] == TURN + 1:
                discarder, view, kind = before[table]
                assert not in_set(safety.safe_kinds(view, (player - discarder) % 4), kind)
                rons += 1
    assert rons > 400
    assert safe_tiles > 5000


# --- the chance to win


def test_race_is_that_of_independent_draws():
    record = manner_record(Manner(ron=2.0, calls=1.5), GAME.rules)[0]
    chance = np.random.default_rng(3)
    for distance, draws in ((0, 5), (1, 9), (2, 15)):
        rates = [min(0.9, (2.0 if stage == 0 else 1.0) * TYPICAL[stage] / UNSEEN) for stage in range(distance + 1)]
        rates[distance] = (2.0 if distance == 0 else 1.0) * 8 / 70
        stage = np.full(100_000, distance)
        for _ in range(draws):
            stage -= (stage >= 0) & (chance.random(len(stage)) < np.array(rates)[np.maximum(stage, 0)])
        assert win_chance(distance, 8.0, draws, 70, 0, record) == pytest.approx((stage < 0).mean(), abs=0.006)


def test_race_grows_with_draws_and_falls_with_distance():
    table = race(1.0, 2.0)
    assert table.shape == (STAGES, DRAWS + 1) == MANNER_DTYPE["later"].shape[1:]
    assert (np.diff(table, axis=1) >= 0).all()
    assert (np.diff(table, axis=0) <= 0).all()
    assert (table[:, 0] == 0).all()


# --- play


def test_folds_a_bad_hand_before_a_riichi():
    agents = [make_agent(name, GAME) for name in ("careful", "greedy")]
    batch = Batch(GAME, 200, seed=4, restart=False)
    safe, dangers, greedy_dangers = 0, [], []
    for views, actions in play(batch, agents, np.tile([0, 1, 1, 1], (200, 1))):
        threatened = (views["riichi"][:, 1:] > 0).any(1) & (views["seat"] == 0) & (views["phase"] == TURN)
        own = threatened & (actions <= act.TSUMOGIRI) & (views["riichi"][:, 0] == 0) & (views["melds"][:, 0] == 0)
        for i in np.flatnonzero(own):
            hand = [kind for kind in range(NUM_KINDS) for _ in range(int(views["hand"][i, kind]))]
            danger = riichi_danger(views[i])
            if Hand(hand).shanten() >= 3 and danger[hand].min() == 0:
                dangers.append(danger[discarded(views[i], int(actions[i]))])
                safe += dangers[-1] == 0
                greedy_dangers.append(danger[discarded(views[i], agents[1].answer(views[i]))])
    assert len(dangers) > 200
    assert safe > 0.8 * len(dangers), "a bad hand with a safe tile mostly discards one"
    assert np.mean(dangers) < 0.006
    assert np.mean(dangers) < np.mean(greedy_dangers) / 8


def riichi_danger(view: Any) -> Any:
    """The chance that each kind is waited for by a player in riichi, added up over them."""
    unseen, total, out = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS), np.zeros(NUM_KINDS)
    safety.count_unseen(view, unseen)
    for other in np.flatnonzero(view["riichi"][1:]) + 1:
        safety.wait_chances(safety.safe_kinds(view, int(other)), unseen, out)
        total += out
    return total


def test_open_hands_keep_a_yaku():
    agents = [make_agent(name, GAME) for name in ("careful", "greedy")]
    batch = Batch(GAME, 120, seed=6, restart=False)
    calls = 0
    for views, actions in play(batch, agents, np.tile([0, 1, 1, 1], (120, 1))):
        calls += int(((actions >= act.CHI) & (actions < act.OPEN_KAN)).sum())
        for view in views[(views["seat"] == 0) & (views["melds"][:, 0] > 0)]:
            winds = {EAST + int(view["kyoku"]) // 4, EAST + (4 - int(view["dealer"])) % 4}
            values = {EAST + 4, EAST + 5, EAST + 6} | winds
            melds = list(zip(view["meld_type"][0], view["meld_kind"][0]))[: int(view["melds"][0])]
            triplets = {int(kind) for _, kind in melds} | {k for k in range(EAST, NUM_KINDS) if view["hand"][k] >= 3}
            simple = all(int(k) in SIMPLE and (t != 1 or int(k) + 2 in SIMPLE) for t, k in melds)
            assert simple or triplets & values
    assert calls > 100


def test_beats_greedy_players():
    games = 600
    agents = [make_agent(name, GAME) for name in ("careful", "greedy")]
    seats = np.ones((games, 4), np.int64)
    hero = np.arange(games) % 4
    seats[np.arange(games), hero] = 0
    batch = Batch(GAME, games, seed=21, restart=False)
    hands, dealt_in, seen = 0, 0, np.zeros(games, np.int64)
    for _ in play(batch, agents, seats):
        s = batch.states
        new = np.isin(s.phase, (HAND_OVER, GAME_OVER)) & (s.hands > seen)
        seen[new] = s.hands[new]
        hands += int(new.sum())
        lost = (s.result == RON_WIN) & (s.actor == hero) & (s.winners >> hero & 1 == 0)
        dealt_in += int((new & lost).sum())
    order = np.argsort(-batch.states.scores * 4 + np.arange(4), axis=1)
    rank = 1 + (order == hero[:, None]).argmax(1)
    assert rank.mean() < 2.38
    assert dealt_in / hands < 0.11


def test_options_change_its_play():
    assert make_agent("careful:courage=2,calling=no", GAME).label == "careful:courage=2,calling=no"
    batch = Batch(GAME, 64, seed=9)
    plain, silent = CarefulAgent(GAME), CarefulAgent(GAME, calling=False)
    differ = 0
    for _ in range(60):
        asked = Asked(GAME, batch.views(), np.zeros(len(batch), np.uint64), batch.tables)
        actions, quiet = plain.act(asked), silent.act(asked)
        assert not ((quiet >= act.CHI) & (quiet <= act.OPEN_KAN)).any()
        differ += int((actions != quiet).sum())
        batch.step(actions)
    assert differ > 0


def test_plays_riichi_only():
    with pytest.raises(ValueError, match="agent 'careful' plays riichi, not guobiao"):
        make_agent("careful", make_game("guobiao"))
