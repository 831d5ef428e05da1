"""Decisions in real positions: what the player says of candidates, against expectimax over the same set of hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mdp_views import GAME, own_turn, played, reaction, set_legal
from slow_mdp import Expectimax, Root, distance, kind, read_set

from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.fold import OTHERS_WIN
from janshi.agents.mdp.hands import NOBODY
from janshi.agents.payoffs import BASES
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.hand import Hand
from janshi.rules.riichi.state import TURN
from janshi.rules.riichi.view import VIEW_DTYPE

AGENT = MDPAgent(GAME, hands=250, inclusive=3, reach=3)


def expectimax() -> tuple[Expectimax, list[Any]]:
    """The process that the player solved last, with the hands of its set by number."""
    space, b = AGENT._desk.space, AGENT._desk.space.bounds[0]
    hands, standing, _ = read_set(space)
    root = Root(tuple(int(n) for n in b["root"]), tuple(int(n) for n in b["left"]), int(b["melded"]))
    ready = AGENT._desk.values.ready
    numbers = space.standing["wins"][: len(standing)]
    wins = {q: ready[number].copy() for q, number in zip(standing, numbers) if number >= 0}
    return Expectimax(hands, root, AGENT._desk.process[0], wins, OTHERS_WIN), standing


def near_views() -> list[Any]:
    """Own turns and calls to decide, near a win, without kans or wins."""
    found = []
    for view in played("careful", 6):
        legal = {a for a in range(act.NUM_ACTIONS) if int(view["legal"][a // act.HALF]) >> a % act.HALF & 1}
        few = distance(tuple(int(n) for n in view["hand"]), int(view["melds"][0])) <= 1
        plain = legal <= {*range(act.OPEN_KAN), act.PASS} and len(legal) > 1 and view["riichi"][0] == 0
        if few and plain and view["left"] < 50:
            found.append(view)
    return found


def test_candidates_are_worth_what_expectimax_says():
    turns, compared = set(), 0
    for view in near_views()[::2][:20]:
        found = AGENT.judge(np.array([view], VIEW_DTYPE))
        if not found["chances"].any():
            continue
        slow, standing = expectimax()
        for c in found[(found["settled"] == 0) & (found["node"] != NOBODY) & (found["worth"] > UNKNOWN)]:
            after = slow.value("riichi" if c["riichi"] else "standing", standing[c["node"]], int(c["turn"]))
            assert c["worth"] == pytest.approx(c["lose_worth"] + (1 - c["lose"]) * after[0], abs=1e-9)
            chances = (1 - c["lose"]) * after[1:]
            chances[1] += c["lose"]
            assert c["chances"] == pytest.approx(chances, abs=2e-3)
            compared += 1
        turns.add(bool(view["phase"] == TURN))
    assert compared > 40
    assert turns == {True, False}


@pytest.mark.parametrize(
    ("hand", "melds", "action"),
    [
        ("1111m567p3467s88p9m", "", act.CONCEALED_KAN + kind("1m")),
        ("1111m567p34567s88p", "", act.CONCEALED_KAN + kind("1m")),
        ("234m567p67s88p5z", "(555z)", act.ADDED_KAN + kind("5z")),
    ],
)
def test_a_kan_is_worth_the_draw_after_it(hand: str, melds: str, action: int):
    view = own_turn(hand, melds=melds)
    set_legal(view, [act.TSUMOGIRI, action])
    found = AGENT.judge(np.array([view], VIEW_DTYPE))
    slow, standing = expectimax()
    m, (kan,) = AGENT._desk.process[0], found[found["action"] == action]
    wanted = slow.draw(standing[0], 0)[0]
    if melds:
        k = kind("5z")
        wanted = m["lose_worth"][0, 0, k] + (1 - m["lose"][0, 0, k]) * wanted
    assert kan["worth"] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("tile", "actor"), [("", 0), ("8s", 1), ("8s", 3)])
def test_a_win_at_once_is_worth_its_score(tile: str, actor: int):
    hand = "234m067p34567s88p"
    view = reaction(hand, tile, actor, [act.RON]) if tile else own_turn(hand + "8s", more=(act.TSUMO,))
    view["indicators"][0] = kind("7s")
    views = np.array([view], VIEW_DTYPE)
    (win,) = (c for c in AGENT.judge(views) if c["action"] in (act.TSUMO, act.RON))
    report = Hand(hand).score("8s", tsumo=not tile, dora_indicators="7s", rules=GAME.rules)
    payoffs = AGENT.payoffs(views)[0]
    row = payoffs["ron"][0, 0, actor] if tile else payoffs["tsumo"][0, 0]
    assert win["worth"] == pytest.approx(np.interp(report.base, BASES, row))
    assert win["chances"].tolist() == [1, 0, 0, 0, 0]
