"""Whole games over pipes and TCP: our agents as mjai bots play as they do in this process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from mjai_play import Played

from janshi.agents.registry import make_agent
from janshi.protocols.mjai.client import MjaiPlayer, play_connected
from janshi.protocols.mjai.process import MjaiProcessBot
from janshi.protocols.mjai.server import MjaiServer, MjaiTcpBot
from janshi.rules.registry import make_game
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table
from patience import PATIENCE

SEED = 11
COMMAND = [sys.executable, "-m", "janshi", "bot", "mjai", "--agent", "greedy", "--rules", "tenhou_east"]
MODES = ("auto", "always", "asked", "batch")


@pytest.fixture(scope="module")
def in_process() -> Played:
    agent = make_agent("greedy", make_game("riichi/tenhou_east"))
    return Played(SEED).play([lambda table, seat: agent.answer(table.view(seat))] * 4)


@pytest.fixture
def bots() -> Iterator[list[MjaiProcessBot]]:
    options = {"asked": ["--reply", "asked"]}
    made = [
        MjaiProcessBot([*COMMAND, *options.get(mode, [])], seconds=PATIENCE, start_seconds=PATIENCE, reply=mode)
        for mode in MODES
    ]
    yield made
    for bot in made:
        bot.close()


def test_a_game_over_pipes_equals_the_game_in_process(in_process: Played, bots: list[MjaiProcessBot]):
    """One bot for each reply mode; then a second game with the same processes."""
    played = Played(SEED).play(bots)
    assert played.faults == []
    assert played.recorder.actions == in_process.recorder.actions
    assert played.table.scores == in_process.table.scores
    assert bots[0].reply == "always", "found out by the answer to start_game"
    links = [bot._link for bot in bots]
    again = Played(SEED).play([*bots[1:], bots[0]], questions=40)
    assert again.faults == []
    assert again.recorder.actions == in_process.recorder.actions[: len(again.recorder.actions)]
    assert [bot._link for bot in bots] == links, "the processes were kept"


def test_a_game_over_tcp_equals_the_game_in_process(in_process: Played):
    """Three clients in threads and one that is a process, all in one room."""
    server = MjaiServer(port=0)
    place = ["--connect", f"127.0.0.1:{server.port}", "--name", "far"]
    far = subprocess.Popen([*COMMAND, *place])

    def near(number: int) -> None:
        player = MjaiPlayer(make_agent("greedy", make_game("riichi/tenhou_east")))
        finished.append(play_connected(player, "127.0.0.1", server.port, f"near {number}", "default"))

    finished: list[bool] = []
    threads = [threading.Thread(target=near, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    players = [MjaiTcpBot(server, seconds=PATIENCE, join_seconds=PATIENCE) for _ in range(4)]
    try:
        played = Played(SEED).play(players)
        assert played.faults == []
        assert played.recorder.actions == in_process.recorder.actions
        assert sorted(player.name for player in players) == ["far", "near 0", "near 1", "near 2"]
        for thread in threads:
            thread.join(PATIENCE)
        assert finished == [True] * 3
        assert far.wait(PATIENCE) == 0
    finally:
        for player in players:
            player.close()
        server.close()
        far.kill()


def test_random_agents_draw_on_their_seed():
    game = make_game("riichi/tenhou_east")

    def play(seed: int) -> list[int]:
        from janshi.protocols.mjai.actions import action_of
        from janshi.protocols.mjai.events import Narrator, masked
        from janshi.records.recorder import Recorder

        recorder = Recorder(Table(SEED, TENHOU_EAST), "abcd")
        narrator, players = Narrator(recorder), [MjaiPlayer(make_agent("random", game), seed) for _ in range(4)]
        while not recorder.table.over:
            news = narrator.news()
            replies = [player.react_all([masked(event, seat) for event in news]) for seat, player in enumerate(players)]
            table = recorder.table
            recorder.step({seat: action_of(replies[seat], table.view(seat)) for seat in table.asked} or None)
        return recorder.actions

    assert play(1) == play(1)
    assert play(1) != play(2)
