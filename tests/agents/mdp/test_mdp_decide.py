"""The MDP player: what holds of all its values, its contract, and positions that people agree on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from mdp_views import GAME, LAST, own_turn, played, reaction, set_legal
from slow_mdp import counts_of, kind

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.candidates import UNKNOWN, swaps
from janshi.agents.mdp.process import LOSE, WIN
from janshi.agents.payoffs import POINTS, RANK
from janshi.agents.registry import make_agent
from janshi.core.tiles import NUM_KINDS, kind_of
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import TURN
from janshi.rules.riichi.view import VIEW_DTYPE

PATH = "janshi.agents.mdp.agent.MDPAgent"
HANDS = 2000
RIVERS = ("1z9m8s4p2m1p", "9s2z5z3m7s8p2p6p", "1p3z4s6m")
"""The rivers of a hand in its middle; across from the viewer lies a riichi."""
SAFE = {kind(tile) for tile in ("9s", "2z", "5z", "3m", "7s", "8p", "2p", "6p")}
WITHIN = 1e-5


@cache
def player(hands: int = HANDS, **options: Any) -> MDPAgent:
    return MDPAgent(GAME, hands=hands, **options)


def answer(view: Any, **options: Any) -> str:
    """The action by name, discards by the kind of tile."""
    action = player(**options).answer(view)
    tile = int(view["drawn"]) if action == act.TSUMOGIRI else action
    return GAME.action_names[tile]


def discarded(view: Any, **options: Any) -> int:
    """The kind that is discarded."""
    action = player(**options).answer(view)
    assert action <= act.TSUMOGIRI, GAME.action_names[action]
    return kind_of(int(view["drawn"]) if action == act.TSUMOGIRI else action)


def judge(view: Any, **options: Any) -> Array:
    """All candidates of a view."""
    return player(**options).judge(np.array([view], VIEW_DTYPE))


def legal_of(view: Any) -> set[int]:
    return {a for a in range(act.NUM_ACTIONS) if int(view["legal"][a // act.HALF]) >> a % act.HALF & 1}


def many_views() -> list[Any]:
    """Views of play by chance, by shanten and by careful players: turns and reactions with something to decide."""
    found = []
    for name, tables in (("random", 4), ("greedy", 5), ("careful", 6)):
        for view in played(name, tables):
            if view["riichi"][0] == 0 and len(legal_of(view)) > 1:
                found.append(view)
    return found


# --- what holds of all values


@pytest.mark.parametrize("manner", [{}, {"inclusive": 3, "reach": 3}, {"payoff": POINTS}], ids=["rank", "M", "points"])
def test_chances_sum_to_one_and_worths_lie_between_payoffs(manner: dict[str, Any]):
    """Chances are given for hands near enough to be searched within the budget, and for wins."""
    sums, views = [], many_views()
    for view in views[:: 1 if not manner else 3]:
        payoffs = player(**manner).payoffs(np.array([view], VIEW_DTYPE))[0]
        ends = np.concatenate([np.ravel(payoffs[name]) for name in ("tsumo", "ron", "draw", "abort")])
        found = judge(view, **manner)
        was_searched = bool(found["chances"][found["settled"] == 0].any())
        assert set(found["action"].tolist()) <= legal_of(view)
        for c in found[found["worth"] > UNKNOWN]:
            assert ends.min() - WITHIN <= c["worth"] <= ends.max() + WITHIN
            chances = c["chances"]
            assert chances.min() >= -WITHIN
            assert chances.max() <= 1 + WITHIN
            if was_searched and not c["settled"]:
                assert chances.sum() == pytest.approx(1.0, abs=1e-3), "derivatives are rough where two ways are equal"
                assert chances[LOSE] >= c["lose"] - WITHIN
                sums.append(chances.sum())
    assert len(sums) > 100
    assert np.mean(sums) == pytest.approx(1.0, abs=WITHIN)


def test_every_legal_discard_is_a_candidate():
    turns = [view for view in many_views() if view["phase"] == TURN and view["declaring"] == 0]
    assert len(turns) > 20
    for view in turns[::3]:
        legal = legal_of(view)
        kinds = {kind_of(int(view["drawn"]) if a == act.TSUMOGIRI else a) for a in legal if a <= act.TSUMOGIRI}
        found = judge(view)
        assert set(found["kind"][found["settled"] == 0].tolist()) == kinds
        others = {a for a in legal if a > act.RIICHI}
        assert others <= set(found["action"].tolist()), "kans, wins and nine terminals as well"


def test_the_answer_has_the_highest_score():
    checked = 0
    for view in many_views()[::4]:
        if legal_of(view) & {act.TSUMO, act.RON}:
            continue
        found = judge(view)
        callable_actions = legal_of(view) & set(range(act.CHI, act.OPEN_KAN + 1))
        if view["phase"] == TURN or callable_actions:
            action = player().answer(view)
            assert found["score"][found["action"] == action].max() == found["score"].max()
            checked += 1
    assert checked > 10


def test_chances_and_worths_change_with_what_can_be_won():
    """The same tenpai hand with dora is worth more; with a wait all of whose tiles are seen it wins less often."""
    plain, dora = (
        judge(own_turn("234m567p34567s88p1z", indicator=indicator, more=(act.RIICHI,))) for indicator in ("6z", "4p")
    )
    assert best(dora)["worth"] > best(plain)["worth"] + 0.01
    seen = own_turn("234m567p34567s88p1z", more=(act.RIICHI,))
    for tile in ("2s", "5s", "8s"):
        seen["seen"][kind(tile)] += 2
    assert best(judge(seen))["chances"][WIN] < best(plain)["chances"][WIN] - 0.05


def best(found: Array) -> Any:
    return found[np.argmax(found["score"])]


# --- the contract


@pytest.mark.parametrize("options", ["hands=300", "hands=100", "hands=300,inclusive=3,reach=2,payoff=points"])
def test_it_keeps_the_contract(options: str):
    report = check_agent(f"{PATH}:{options}", GAME, tables=3, steps=32)
    assert report.decisions > 50


def test_whole_games_are_played_by_the_rules():
    batch, agent = Batch(GAME, 3, seed=11, restart=False), player(150)
    kinds_of_actions: set[int] = set()
    for _ in range(1500):
        if batch.over.all():
            break
        views = batch.views()
        answers = agent.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables))
        assert batch.legal_masks()[np.arange(len(views)), answers].all()
        kinds_of_actions |= set(answers.tolist())
        batch.step(answers)
    assert batch.over.all()
    assert {act.RIICHI, act.RON, act.PASS, act.PON} <= kinds_of_actions


def test_the_old_option_seconds_stands_for_hands():
    short, long = (make_agent(f"{PATH}:seconds={seconds}", GAME) for seconds in (0.02, 0.1))
    assert isinstance(short, MDPAgent)
    assert isinstance(long, MDPAgent)
    assert long.hands == 5 * short.hands
    assert make_agent(f"{PATH}:seconds=0.1,hands=500", GAME).hands == 500  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("payoff=fame", "payoff must be one of rank, points, not 'fame'"),
        ("seconds=0", "seconds must be more than 0"),
        ("seconds=-1", "seconds must be more than 0"),
        ("seconds=nan", "seconds must be more than 0"),
        ("hands=-5", "hands must be 100 or more"),
        ("hands=7", "hands must be 100 or more"),
        ("inclusive=-1", "inclusive and reach are shanten"),
        ("dealing=guess", "dealing must be one of"),
        ("experts=-1", "experts must be 0 or more"),
        ("depth=3", "unknown option 'depth=3'"),
        ("hands=many", "must be a number"),
    ],
)
def test_bad_options_are_refused(options: str, said: str):
    with pytest.raises(ValueError, match=said):
        make_agent(f"{PATH}:{options}", GAME)


# --- answers that need no thought


def test_it_takes_a_win():
    assert answer(own_turn("234m567p345678s88p", more=(act.TSUMO,))) == "tsumo"
    assert answer(reaction("234m567p34567s88p", "8s", 2, [act.RON])) == "ron"
    in_riichi = own_turn("234m567p345678s88p", own="1z", riichi=(0,), more=(act.TSUMO,))
    assert answer(in_riichi) == "tsumo"


def test_in_riichi_it_discards_what_it_drew():
    view = own_turn("234m567p34567s88p1z", own="9m", riichi=(0,))
    set_legal(view, [act.TSUMOGIRI])
    assert player().answer(view) == act.TSUMOGIRI


def test_a_kan_in_riichi_while_nobody_else_is():
    def view(riichi: tuple[int, ...]) -> Any:
        out = own_turn("111m567p34567s88p1m", own="9m", riichi=riichi)
        set_legal(out, [act.TSUMOGIRI, act.CONCEALED_KAN + kind("1m")])
        return out

    assert player().answer(view((0,))) == act.CONCEALED_KAN + kind("1m")
    assert player().answer(view((0, 2))) == act.TSUMOGIRI


# --- discards


def test_it_discards_a_tile_of_no_use():
    assert answer(own_turn("234m567p3467s88p12z")) in ("discard 1z", "discard 2z")
    assert answer(own_turn("234m567p34567s89p1z")) == "discard 1z", "iishanten: a pair is wanting"
    assert answer(own_turn("23455m567p23467s1z")) == "discard 1z"


def test_it_keeps_a_tenpai_hand():
    view = own_turn("234m567p34567s88p1z")
    assert answer(view) == "discard 1z"


def test_it_declares_riichi_with_a_good_wait():
    found = judge(own_turn("234m567p34567s88p1z", more=(act.RIICHI,)))
    assert answer(own_turn("234m567p34567s88p1z", more=(act.RIICHI,))) == "riichi"
    assert best(found)["kind"] == kind("1z")
    assert best(found)["chances"][WIN] > 0.5


def test_the_discard_of_a_riichi_leaves_the_hand_tenpai():
    view = own_turn("234m567p34567s88p1z", more=(act.RIICHI,))
    view["declaring"] = 1
    set_legal(view, [act.TSUMOGIRI, kind("5p")])
    assert player().answer(view) == act.TSUMOGIRI


def test_it_folds_a_hopeless_hand_before_a_riichi():
    view = own_turn("1478m258p36s5667z5m", RIVERS, riichi=(2,))
    assert discarded(view) in SAFE


def test_a_leader_folds_before_a_riichi_and_the_last_pushes():
    """East 4: a first place that one deal-in would lose, and a last one that only a big win can better."""
    hand = "234m567p3468s99p8m2p"
    leads = own_turn(hand, RIVERS, riichi=(2,), scores=(34_000, 22_000, 22_000, 22_000), kyoku=LAST, seat=1)
    assert discarded(leads) in SAFE
    big = "234m340p3440s77p8m2p"
    trails = own_turn(
        big, RIVERS, riichi=(2,), scores=(17_000, 27_000, 29_000, 27_000), kyoku=LAST, seat=1, indicator="2p"
    )
    assert discarded(trails) == kind("8m"), "it keeps all that may win"


def test_folding_is_worth_more_to_a_leader_than_to_the_last():
    hand = "234m567p3468s99p8m2p"
    shares = []
    for scores in ((34_000, 22_000, 22_000, 22_000), (17_000, 27_000, 29_000, 27_000)):
        found = judge(own_turn(hand, RIVERS, riichi=(2,), scores=scores, kyoku=LAST, seat=1))
        safe, push = (found[found["kind"] == kind(tile)][0]["worth"] for tile in ("2p", "8m"))
        shares.append(safe - push)
    assert shares[0] > shares[1]


# --- calls, kans, nine terminals


def test_a_call_that_leaves_no_yaku_is_passed():
    assert answer(reaction("234m67p346s1199m1z", "5p", 3, [act.CHI])) == "pass"


def test_a_call_that_wins_the_game_is_made():
    """East 4, first by a little: a pon of dragons makes the hand tenpai, and any win ends the game."""
    rivers = ("1z9m8s4p2m1p", "9s2z9p3m1s8p1m", "1p3z4s6m")
    view = reaction(
        "234m567p67s88p55z1z", "5z", 1, [act.PON], rivers=rivers,
        scores=(32_000, 30_000, 20_000, 18_000), kyoku=LAST, seat=1,
    )  # fmt: skip
    assert answer(view) == "pon"


@pytest.mark.parametrize("hand", ["234m567p67s88p55z1z", "147m258p36s55z129m"], ids=["near", "far"])
def test_calls_at_the_end_of_the_wall_are_not_valued_by_what_was_asked_before(hand: str):
    """With one tile left nobody draws again after a call: its worth is that of a hand at the end of the wall."""
    view = reaction(hand, "5z", 1, [act.PON])
    view["left"] = 1
    payoffs = player().payoffs(np.array([view], VIEW_DTYPE))[0]
    ends = np.concatenate([np.ravel(payoffs[name]) for name in ("tsumo", "ron", "draw", "abort")])
    found = []
    for before in ("1112345678999m1z", "234m567p34567s88p1z", "19m19p19s1234567z1m"):
        judge(own_turn(before, more=(act.RIICHI,)))
        found.append(judge(view))
    calls = found[0]["action"] == act.PON
    assert calls.any()
    for again in found:
        assert again["worth"].tolist() == found[0]["worth"].tolist()
        assert again["chances"].tolist() == found[0]["chances"].tolist()
    worths = found[0]["worth"][calls]
    assert ends.min() - WITHIN <= worths.min()
    assert worths.max() <= ends.max() + WITHIN
    assert found[0]["chances"][calls][:, WIN].max() < WITHIN


@pytest.mark.parametrize(
    ("called", "first", "banned"),
    [
        ("3m", "3m", "36m"),  # with 4m 5m
        ("4m", "3m", "4m"),
        ("5m", "3m", "52m"),
        ("3m", "1m", "3m"),  # nothing lies below 123m
        ("7m", "7m", "7m"),  # nor above 789m
        ("9m", "7m", "96m"),
    ],
)
def test_swaps_after_a_call_are_known(called: str, first: str, banned: str):
    found = {k for k in range(NUM_KINDS) if swaps(k, kind(called), kind(first), True)}
    assert found == {k for k in range(NUM_KINDS) if counts_of(banned)[k]}
    assert [k for k in range(NUM_KINDS) if swaps(k, kind(called), kind(called), False)] == [kind(called)]


def test_a_kan_that_only_adds_dora_is_made_and_one_before_a_riichi_is_not():
    kan = act.CONCEALED_KAN + kind("1m")
    assert player().answer(own_turn("1111m567p34567s88p", more=(kan,))) == kan
    assert discarded(own_turn("1111m25p369s12346z", RIVERS, riichi=(2,), more=(kan,))) != kind("1m")


def test_open_and_added_kans_are_weighed():
    added = act.ADDED_KAN + kind("5z")
    view = own_turn("234m567p67s88p5z", melds="(555z)", more=(added,))
    found = judge(view)
    assert added in found["action"]
    assert found["worth"][found["action"] == added] > UNKNOWN
    view = reaction("234m567p67s88p555z", "5z", 1, [act.PON, act.OPEN_KAN])
    found = judge(view)
    assert {act.OPEN_KAN, act.PASS} <= set(found["action"].tolist())
    assert found["worth"].min() > UNKNOWN


def test_nine_terminals_are_weighed_against_going_on():
    nothing = ("", "", "")
    orphans = own_turn("19m19p19s1234567z3p", nothing, more=(act.NINE_TERMINALS,))
    assert answer(orphans) == "discard 3p", "thirteen orphans, tenpai"
    view = own_turn("19m19p19s123z2568m3p", nothing, more=(act.NINE_TERMINALS,))
    found = judge(view)
    aborted = found[found["action"] == act.NINE_TERMINALS][0]
    assert aborted["worth"] == pytest.approx(player().payoffs(np.array([view], VIEW_DTYPE))[0]["abort"][0])


# --- what an answer may depend on


def test_the_same_answer_again_and_in_any_batch():
    views = np.array(many_views()[::9], VIEW_DTYPE)
    ask = Asked(GAME, views, np.zeros(len(views), np.uint64), np.arange(len(views)))
    first = player().act(ask)
    back = Asked(GAME, views[::-1].copy(), np.ones(len(views), np.uint64), np.arange(len(views)))
    assert player().act(back)[::-1].tolist() == first.tolist()
    assert [MDPAgent(GAME, hands=HANDS).answer(view) for view in views[:2]] == first[:2].tolist()


def test_more_hands_never_leave_the_rules():
    for view in many_views()[::12]:
        for hands in (100, 20_000):
            assert player(hands).answer(view) in legal_of(view)


def test_points_and_rank_differ_where_they_should():
    """First by far in the last hand: points still count for one who aims at points."""
    scores = (60_000, 14_000, 13_000, 13_000)
    view = own_turn("234m567p34567s88p8m", RIVERS, riichi=(2,), scores=scores, kyoku=LAST, seat=1)
    by_rank, by_points = (judge(view, payoff=payoff) for payoff in (RANK, POINTS))
    spread = [np.ptp(found["worth"][found["worth"] > UNKNOWN]) for found in (by_rank, by_points)]
    assert spread[0] < 0.05 < spread[1]


@pytest.mark.parametrize("payoff", ["rank", "points"])
def test_a_win_whose_only_yaku_is_the_last_tile_has_a_worth(payoff):
    agent = MDPAgent(GAME, hands=200, payoff=payoff)
    view = own_turn("234m567p3499s2s", melds="(789m)", more=(act.TSUMO,))
    view["left"] = 0
    views = np.array([view], VIEW_DTYPE)
    (win,) = (choice for choice in agent.judge(views) if choice["action"] == act.TSUMO)
    payoffs = agent.payoffs(views)[0]["tsumo"][0, 0]
    assert payoffs.min() <= win["worth"] <= payoffs.max()
