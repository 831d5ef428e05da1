"""The Monte Carlo player: simulated hands, payoffs and what it does in positions that people agree on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.explain import Explains
from janshi.agents.montecarlo.agent import MonteCarloAgent
from janshi.agents.montecarlo.search import judge_view
from janshi.agents.payoffs import (
    BASES,
    POINTS,
    RANK,
    Ends,
    Standing,
    end_scores,
    games_over,
    make_payoffs,
    ron_changes,
    tsumo_changes,
    worth_of,
)
from janshi.agents.registry import make_agent
from janshi.core.tiles import parse_tiles
from janshi.models import final_rank
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.points import base_points, limit_of
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, REACTION, RIICHI_FLAG, RON_WIN, TSUMO_WIN, TURN
from janshi.rules.riichi.view import VIEW_DTYPE

GAME = make_game("riichi/tenhou_east")
PLAIN_RIVERS = ("1z9m", "9s2z", "1p3z")


def agent(rollouts: int = 400, payoff: str = RANK) -> MonteCarloAgent:
    return MonteCarloAgent(GAME, rollouts=rollouts, payoff=payoff)


def set_legal(view: Any, actions: list[int]) -> None:
    for action in actions:
        view["legal"][action // act.HALF] |= 1 << (action % act.HALF)


def own_turn(hand: str, rivers: tuple[str, ...], riichi: tuple[int, ...] = (), more: tuple[int, ...] = ()) -> Any:
    """A view of the dealer of East 1 in turn; the last tile of the hand was drawn. Opponents' rivers, in turn order."""
    view = np.zeros(1, VIEW_DTYPE)[0]
    tiles = parse_tiles(hand)
    for tile in tiles:
        view["hand"][kind_of(tile)] += 1
    view["scores"][:] = 25_000
    view["phase"], view["drawn"], view["tile"] = TURN, tiles[-1], -1
    view["indicators"][:] = -1
    view["indicators"][0] = parse_tiles("4z")[0]
    view["seen"][parse_tiles("4z")[0]] = 1
    view["river"][:], view["meld_kind"][:], view["meld_tile"][:], view["meld_from"][:] = -1, -1, -1, -1
    for player, river in enumerate(rivers, 1):
        discards = parse_tiles(river)
        view["discards"][player] = len(discards)
        for i, tile in enumerate(discards):
            view["river"][player, i], view["river_order"][player, i] = tile, 4 * i + player
            view["seen"][kind_of(tile)] += 1
        if player in riichi:
            view["riichi"][player] = 1
            view["river_flags"][player, len(discards) - 1] = RIICHI_FLAG
            view["scores"][player] -= 1000
            view["sticks"] += 1
    turns = int(view["discards"].sum())
    view["turns"], view["left"] = turns, 70 - turns - turns // 3
    set_legal(view, [*set(tiles[:-1]), act.TSUMOGIRI, *more])
    return view


def answer(view: Any, rollouts: int = 400, payoff: str = RANK) -> str:
    action = agent(rollouts, payoff).answer(view, word=5)
    if action == act.TSUMOGIRI:
        action = int(view["drawn"])
    return GAME.action_names[action]


def some_views(count: int, steps: int = 60) -> Array:
    """Views of own turns and reactions in the middle of games among careful players."""
    batch, player = Batch(GAME, count, seed=3), make_agent("careful", GAME)
    for _ in range(steps):
        views = batch.views()
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
    views = batch.views()
    return views[(views["riichi"][:, 0] == 0) & (views["legal"][:, 1] >> (act.PASS - act.HALF) <= 1)]


# --- simulated hands


def judge(player: MonteCarloAgent, views: Array, hands: int, word: int = 1) -> Array:
    return judge_view(views, word, player.payoffs(views), hands, player._desk)


def test_the_ends_of_simulated_hands_sum_to_one():
    player, modes, views = agent(), set(), some_views(16)
    for i in range(len(views)):
        for c in judge(player, views[i : i + 1], 20):
            ends = c["wins"] + c["deal_ins"] + c["others"] + c["draws"]
            assert c["action"] == act.NINE_TERMINALS or ends / c["count"] == pytest.approx(1.0)
            assert min(c["wins"], c["deal_ins"], c["others"], c["draws"]) >= 0
            assert -4 <= c["total"] / c["count"] <= -1, "an expected rank"
            modes.add(int(c["mode"]))
    assert len(modes) >= 2


def test_candidates_share_their_luck():
    view = own_turn("23456m44778p3456s9p", PLAIN_RIVERS)
    player, views = agent(), np.array([view], VIEW_DTYPE)
    one, other, again = (judge(player, views, 50, word) for word in (1, 2, 1))
    assert one["total"].tolist() == again["total"].tolist() != other["total"].tolist()
    c = one[1]
    paired = np.sqrt(max(0.0, c["squares"] / c["count"] - (c["apart"] / c["count"]) ** 2))
    assert paired < 0.5, "differences of ranks between two discards of like hands vary little"


def test_nearer_hands_win_more_and_folded_ones_never():
    def chances(hand: str) -> dict[int, float]:
        found = judge(agent(), np.array([own_turn(hand, PLAIN_RIVERS, riichi=(1,))], VIEW_DTYPE), 200)
        return {
            mode: max((c["wins"] / c["count"] for c in found if c["mode"] == mode), default=0.0) for mode in range(3)
        }

    tenpai, near, far = chances("234m567p34567s88p1z"), chances("234m567p3467s88p1z9m"), chances("147m258p369s1235z7z")
    assert 0.35 < tenpai[1] < 0.8
    assert tenpai[1] > near[0] > far[0]
    assert tenpai[2] == near[2] == far[2] == 0


def test_a_hand_without_yaku_cannot_win():
    view = own_turn("234m567p88s9m1z", PLAIN_RIVERS)
    view["melds"][0], view["meld_type"][0, 0], view["meld_kind"][0, 0] = 1, 1, parse_tiles("7s")[0]
    found = judge(agent(), np.array([view], VIEW_DTYPE), 100)
    assert all(c["wins"] / c["count"] < 0.1 for c in found)


# --- payoffs


def played(hands: int) -> Any:
    """Ends of hands among greedy players: (standing of a winner before, state after)."""
    batch, player, found = Batch(GAME, 32, seed=5), make_agent("greedy", GAME), 0
    while found < hands:
        views = batch.views()
        actions = player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables))
        wins = [
            (int(batch.tables[i]), Standing(views[i])) for i in np.flatnonzero(np.isin(actions, (act.TSUMO, act.RON)))
        ]
        batch.step(actions)
        for table, standing in wins:
            state = batch.states[table]
            if state.phase == HAND_OVER and bin(state.winners).count("1") == 1:
                found += 1
                yield standing, state


def test_payments_are_those_of_the_engine():
    same = 0
    for standing, state in played(60):
        winner = standing.seat
        han, fu = int(state.win_han[winner]), int(state.win_fu[winner])
        base = base_points(limit_of(han, fu, GAME.rules.record()[0]), han, fu, int(state.win_yakuman[winner]))
        if state.result == TSUMO_WIN:
            changes = tsumo_changes(0, base, standing.dealer, standing.honba)
        else:
            assert state.result == RON_WIN
            changes = ron_changes(0, (int(state.actor) - winner) % 4, base, standing.dealer, standing.honba)
        ends = Ends(changes[None], np.array([0]), np.array([False]), np.array([False]))
        scores = np.roll(end_scores(standing, ends, 0)[0], winner)
        unpaid = standing.sticks != state.win_sticks
        assert unpaid or scores.tolist() == state.scores.tolist(), "but after a riichi whose stick was not yet paid"
        same += not unpaid
    assert same >= 50


def test_the_game_is_over_when_the_engine_says_so():
    batch, player, seen = Batch(GAME, 48, seed=9, restart=False), make_agent("greedy", GAME), {True: 0, False: 0}
    while not batch.over.all():
        ended = {int(t): batch.states[t].copy() for t in np.flatnonzero(batch.states.phase == HAND_OVER)}
        views = batch.views()
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
        for table, state in ended.items():
            stays, aborted = np.array([bool(state["dealer_stays"])]), np.array([state["result"] >= 5])
            over = games_over(state["scores"][None], int(state["kyoku"]), stays, aborted, GAME.rules)[0]
            assert over == (batch.states.phase[table] == GAME_OVER)
            seen[bool(over)] += 1
    assert min(seen.values()) > 40


def test_tables_of_payoffs_hold_what_outcomes_are_worth():
    view = own_turn("123m456p789s1122z5z", PLAIN_RIVERS)
    view["scores"][:], view["kyoku"], view["honba"], view["seat"], view["dealer"] = (
        (24_000, 31_000, 20_000, 24_000),
        1,
        1,
        2,
        3,
    )
    view["sticks"] = 1
    standing = Standing(view)
    points, ranks = (make_payoffs(standing, GAME.rules, payoff)[0] for payoff in (POINTS, RANK))
    mangan = BASES.tolist().index(2000)
    assert points["tsumo"][0, 0, mangan] == pytest.approx((2 * 2000 + 4000 + 300 + 1000) / 1000)
    assert points["ron"][0, 3, 0, mangan] == pytest.approx(-(12_000 + 300) / 1000), (
        "the dealer's mangan, from the viewer"
    )
    assert points["ron"][1, 0, 2, mangan] == pytest.approx((8000 + 300 + 1000) / 1000), "the own stick comes back"
    assert points["draw"][0, 0b0001] == pytest.approx(3.0)
    assert points["draw"][1, 0b0111] == pytest.approx(0.0), "a third of the pot pays for the stick"
    after = np.roll([24_000 - 1500, 31_000 - 1500, 20_000 + 1500, 24_000 + 1500], 2)
    chances = final_rank.predict(after[None], 1, 2, 1, 1)[0, 2]
    assert ranks["draw"][0, 0b1100] == pytest.approx(-float(chances @ [1, 2, 3, 4]), abs=1e-5)
    assert (np.diff(ranks["tsumo"][0, 0]) >= -0.02).all(), "more points do not make the rank worse"


def test_worth_between_tabled_wins():
    row = np.arange(len(BASES), dtype=np.float64)
    assert worth_of(row, 100.0) == 0
    assert worth_of(row, 1e6) == len(BASES) - 1
    assert [worth_of(row, float(base)) for base in BASES] == row.tolist()
    assert worth_of(row, (BASES[3] + BASES[4]) / 2) == pytest.approx(3.5)


# --- positions


def test_it_declares_riichi_with_a_good_wait():
    assert answer(own_turn("234m567p34567s88p1z", PLAIN_RIVERS, more=(act.RIICHI,))) == "riichi"


def test_it_pushes_with_a_good_hand():
    view = own_turn("234m067p34067s88p8m", PLAIN_RIVERS, riichi=(2,), more=(act.RIICHI,))
    assert answer(view) in ("riichi", "discard 8m")


def test_it_folds_a_hopeless_hand():
    view = own_turn("1478m258p36s5667z5m", ("1z9m8s4p2m1p", "9s2z5z3m7s8p2p6p", "1p3z4s6m"), riichi=(2,))
    safe = {f"discard {tile}" for tile in ("5z", "2p", "8p")}
    assert answer(view, 2000) in safe, "a tile that the riichi cannot win on"


def test_it_takes_a_win():
    won = own_turn("234m567p345678s88p", PLAIN_RIVERS, more=(act.TSUMO,))
    assert answer(won) == "tsumo"
    asked = own_turn("234m567p34567s88p", PLAIN_RIVERS)
    asked["phase"], asked["drawn"], asked["actor"], asked["tile"] = REACTION, -1, 2, parse_tiles("8s")[0]
    asked["legal"][:] = 0
    set_legal(asked, [act.RON, act.PASS])
    assert GAME.action_names[agent().answer(asked)] == "ron"


def test_it_keeps_a_tenpai_hand_rather_than_break_it():
    view = own_turn("234m567p34567s88p1z", PLAIN_RIVERS)
    assert answer(view) == "discard 1z"


# --- the agent


@pytest.mark.parametrize("payoff", [RANK, POINTS])
def test_it_keeps_the_contract(payoff: str):
    report = check_agent(f"montecarlo:rollouts=16,payoff={payoff}", GAME, tables=4, steps=40)
    assert report.decisions > 100


def test_the_old_option_seconds_sets_the_number_of_hands():
    default, both = make_agent("montecarlo", GAME), make_agent("montecarlo:seconds=0.1,rollouts=50", GAME)
    assert isinstance(default, MonteCarloAgent)
    assert isinstance(both, MonteCarloAgent)
    assert default.rollouts == 40_000
    assert default.seconds == 1.0
    assert both.rollouts == 50
    short, long = (make_agent(f"montecarlo:seconds={seconds}", GAME) for seconds in (0.1, 1.0))
    assert isinstance(short, MonteCarloAgent)
    assert isinstance(long, MonteCarloAgent)
    assert long.rollouts == 10 * short.rollouts
    with pytest.raises(ValueError, match="payoff must be one of rank, points, not 'fame'"):
        make_agent("montecarlo:payoff=fame", GAME)
    with pytest.raises(ValueError, match=r"seconds must be more than 0, not 0\.0"):
        make_agent("montecarlo:seconds=0", GAME)
    with pytest.raises(ValueError, match="rollouts must be 1 or more, not -1"):
        make_agent("montecarlo:rollouts=-1", GAME)
    with pytest.raises(ValueError, match="option seconds must be a number, not 'long'"):
        make_agent("montecarlo:seconds=long", GAME)


def test_it_explains_itself():
    player = agent(800)
    assert isinstance(player, Explains)
    view = own_turn("234m567p34067s88p8m", PLAIN_RIVERS, riichi=(2,), more=(act.RIICHI,))
    said = player.explain(np.array([view], VIEW_DTYPE))[0]
    assert said.tenpai[1] == 1.0
    assert all(0 <= chance <= 1 for chance in said.tenpai)
    assert said.best.words.startswith("riichi, discard 8m")
    scores = [choice.numbers["score"] for choice in said.choices]
    assert scores == sorted(scores, reverse=True)
    for choice in said.choices:
        assert choice.numbers["score"] == pytest.approx(-choice.numbers["rank"])
        assert choice.numbers["win"] + choice.numbers["deal-in"] <= 1.0 + 1e-9
        assert choice.numbers["deal-in"] >= choice.numbers["danger across"] - 1e-6
    win = player.explain(np.array([own_turn("234m567p345678s88p", PLAIN_RIVERS, more=(act.TSUMO,))], VIEW_DTYPE))[0]
    assert (win.best.name, win.best.numbers["win"]) == ("tsumo", 1.0)


def test_every_choice_gets_the_hands_asked_for():
    choices = judge(agent(), np.array([own_turn("23456m44778p3456s9p", PLAIN_RIVERS)], VIEW_DTYPE), 200)
    assert (choices["count"] == 200).all()
