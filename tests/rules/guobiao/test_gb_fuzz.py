"""Random and greedy games: nothing lost, every remembered fact true, every win worth what another library says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.records.botzone_model import TILE_NAMES
from janshi.rules.batch import Batch
from janshi.rules.guobiao.audit import FINDINGS, audit_all
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.playout import playout
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.ruleset import PRESETS
from janshi.rules.guobiao.state import DRAWN_GAME, PENALTY
from janshi.rules.guobiao.table import Table


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


@pytest.mark.parametrize("name", PRESETS)
def test_wins_are_worth_what_another_library_says(name: str):
    library = pytest.importorskip("MahjongGB")
    wins = 0
    for seed in range(60):
        table = Table(seed=seed, rules=name, one_hand=True)
        players = [KernelPlayer("greedy", seed + seat) for seat in range(4)]
        while not table.hand_over:
            table.step({player: players[player](table, player) for player in table.asked})
        result = table.result
        assert result is not None
        if result.win is None:
            continue
        wins += 1
        win, state = result.win, table.state
        hand = table.hand(win.player)
        if win.loser is None:
            hand.remove(win.tile)
        fan = library.MahjongFanCalculator(
            pack(table, win.player),
            tuple(TILE_NAMES[tile] for tile in hand),
            TILE_NAMES[win.tile],
            len(table.flowers(win.player)),
            win.loser is None,
            bool(state["seen"][win.tile] == 3),
            bool(state["after_kong"]) or result.kind == "robbed kong",
            table.tiles_left[((win.player if win.loser is None else win.loser) + 1) % 4] == 0,
            (win.player - table.dealer) % 4,
            table.wind,
        )
        assert sum(item[0] for item in fan) == win.total, (seed, fan)
    assert wins > 20
