"""An independent server (RiichiEnv) drives our agents by its own mjai events: no answer is rejected."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crosscheck"))
from riichienv import GameRule, RiichiEnv
from riichienv_menus import menu

from janshi.agents.registry import make_agent
from janshi.protocols.mjai.actions import is_legal
from janshi.protocols.mjai.client import MjaiPlayer
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act


def react(player: MjaiPlayer, observation: Any) -> Any:
    """Our answer as an action of the server's; its menu must be ours."""
    for line in observation.new_events():
        player.see(json.loads(line))
    return player


@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_whole_games_without_a_rejected_action(agent: str):
    warnings: list[str] = []
    game, questions, games = make_game("riichi/tenhou"), 0, 3
    for seed in range(games):
        env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou(), seed=seed)
        players = [MjaiPlayer(make_agent(agent, game), seed, warnings.append) for _ in range(4)]
        observations = env.reset()
        while not env.done():
            step = {}
            for seat, observation in observations.items():
                player = react(players[seat], observation)
                theirs = set(menu(observation, env))
                ours = set()
                if player.asked:
                    view = player.tracker.view()
                    ours = {action for action in range(act.NUM_ACTIONS) if is_legal(view, action)}
                assert ours == theirs or (not ours and theirs == {act.PASS})
                reply = player.answer()
                chosen = observation.select_action_from_mjai(json.dumps(reply))
                assert chosen is not None, f"{reply} was rejected"
                step[seat] = chosen
                questions += 1
            observations = env.step(step)
    assert warnings == []
    assert questions > 100 * games
