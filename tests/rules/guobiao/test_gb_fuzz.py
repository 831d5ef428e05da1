"""Random and greedy games: nothing lost, every remembered fact true, every win worth what another library says."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.records.botzone.model import TILE_NAMES
from janshi.rules.batch import Batch
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.audit import FINDINGS, audit_all
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.playout import playout
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.result import HandResult, Win
from janshi.rules.guobiao.ruleset import PRESETS
from janshi.rules.guobiao.state import DRAWN_GAME, PENALTY, TURN
from janshi.rules.guobiao.table import Table

HANDS = 150


@pytest.mark.parametrize("name", PRESETS)
def test_random_games_pass_the_audit(name: str):
    game = GuobiaoGame(PRESETS[name])
    batch = Batch(game, tables=200, seed=11)
    for step in range(300):
        batch.step(batch.random_actions(), check=False)
        if step % 3 == 0:
            found = audit_all(batch.states, game.rules)
            assert not found.any(), FINDINGS[found.max()]


@pytest.mark.parametrize("name", PRESETS)
def test_greedy_hands_end_and_pay(name: str):
    game = GuobiaoGame(PRESETS[name])
    states = game.new_states(300)
    game.start(states, np.arange(300, dtype=np.uint64), game.new_context())
    playout(states, ("greedy", "greedy", "random", "greedy"), seed=3, rules=game.rules, whole_game=False)
    assert (states["deltas"].sum(axis=1) == 0).all()
    results = np.bincount(states["result"], minlength=6)
    assert results[1] > 20
    assert results[2] > 20
    assert results[DRAWN_GAME] > 0
    assert results[PENALTY] == 0
    won = states["win_fan"] > 0
    assert (states["win_fan"][won] >= 8).all()
    assert not audit_all(states, game.rules).any()


def test_playout_does_not_depend_on_threads():
    game = GuobiaoGame()
    one, two = game.new_states(20), game.new_states(20)
    for states, threads in ((one, 1), (two, 2)):
        game.start(states, np.arange(20, dtype=np.uint64), game.new_context())
        playout(states, seed=5, threads=threads)
    assert one.tobytes() == two.tobytes()


def pack(table: Table, player: int) -> tuple[Any, ...]:
    """A player's melds as PyMahjongGB takes them."""
    melds = []
    for meld in table.melds(player):
        word = "CHI" if meld.type == CHI else "PENG" if meld.type == PON else "GANG"
        offer = 0 if meld.type == CONCEALED_KAN else (meld.called - meld.kind + 1 if meld.type == CHI else 1)  # type: ignore[operator]
        melds.append((word, TILE_NAMES[meld.tiles[1]], offer))
    return tuple(melds)


class Caller:
    """Wins when it can, calls at random, kongs often, and plays for least shanten."""

    def __init__(self, seed: int) -> None:
        self.random, self.greedy = random.Random(seed), KernelPlayer("greedy", seed)

    def __call__(self, table: Table, player: int) -> int:
        legal = table.legal_actions(player)
        kongs = [action for action in legal if act.KONG <= action < act.HU]
        if act.HU in legal:
            return act.HU
        if kongs and self.random.random() < 0.8:
            return self.random.choice(kongs)
        if table.state["phase"] != TURN and self.random.random() < 0.5:
            return self.random.choice(legal)
        return self.greedy(table, player)


def compare(library: Any, table: Table, result: HandResult, win: Win) -> None:
    """Count the fan of a win as the other library does."""
    hand = table.hand(win.player)
    if win.loser is None:
        hand.remove(win.tile)
    robbed = result.kind == "robbed kong"
    fan = library.MahjongFanCalculator(
        pack(table, win.player),
        tuple(TILE_NAMES[tile] for tile in hand),
        TILE_NAMES[win.tile],
        len(table.flowers(win.player)),
        win.loser is None,
        bool(table.state["seen"][win.tile] == 3),
        bool(table.state["after_kong"] and win.loser is None) or robbed,
        table.tiles_left[((win.player if win.loser is None else win.loser) + 1) % 4] == 0,
        (win.player - table.dealer) % 4,
        table.wind,
    )
    assert sum(item[0] for item in fan) == win.total, (fan, win)


@pytest.mark.parametrize("minimum", [8, 0])
@pytest.mark.parametrize("name", PRESETS)
def test_wins_are_worth_what_another_library_says(name: str, minimum: int):
    library = pytest.importorskip("MahjongGB")
    rules = replace(PRESETS[name], minimum_fan=minimum)
    found: Counter[str] = Counter()
    for seed in range(HANDS):
        table = Table(seed=seed, rules=rules, one_hand=True)
        players = [Caller(4 * seed + seat) for seat in range(4)]
        while not table.hand_over:
            table.step({player: players[player](table, player) for player in table.asked})
        result = table.result
        assert result is not None
        if result.win is not None:
            compare(library, table, result, result.win)
            found.update([result.kind, *(fan.chinese for fan, _ in result.win.fans)])
        assert not audit_all(table._states, rules).any()
    assert found["discard"] > 5
    assert found["self-drawn"] > 0
