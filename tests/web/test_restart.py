"""The server is killed in the middle of games, without warning: every game continues after a restart."""

from __future__ import annotations

from typing import Any

import httpx
from playing import Player, begin, everything

from patience import PATIENCE


def test_games_go_on_after_a_kill(server: Any):
    wanted = [
        {"rules": "riichi/tenhou_east", "seats": ["you", "greedy", "careful", "greedy"]},
        {"rules": "riichi/tenhou_east", "seats": ["greedy", "you", "greedy", "random"], "time": {"base": 60}},
        {"rules": "guobiao/botzone", "seats": ["search", "you", "greedy", "search"]},
        {"rules": "simplified/paper", "seats": ["you", "search", "greedy"]},
    ]
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        players = []
        for game in wanted:
            begun = begin(client, **game)
            players.append(Player(server.url, begun["id"], begun["key"], everything))
        watched = begin(client, rules="riichi/tenhou_east", seats=["greedy"] * 4, pace=0.02)
        watcher = Player(server.url, watched["id"], watched["key"])
        for number, player in enumerate(players):
            for _ in range(3 + 2 * number):
                player.until_asked()
                if player.state["over"]:
                    break
                player.answer()
            player.until_asked()
        players[0].say(type="auto", win=True)
        players[0].hear_type("state")
        for _ in range(10):
            watcher.hear()
        before = [player.state for player in players]
        server.kill()
        server.start()
        for player, state in zip(players, before):
            player.open()
            player.state = {}
            player.hear_type("state")
            for part in ("position", "ask", "auto", "over", "can_undo"):
                if part != "ask" or state["clock"] is None:
                    assert player.state[part] == state[part]
            assert player.play()["over"]
        before_kill = progress(watcher)
        watcher.open()
        watcher.hear_type("state")
        assert progress(watcher) >= before_kill
        watcher.say(type="pace", seconds=0)
        while not watcher.state["over"]:
            watcher.hear()
        assert len(client.get("/api/live").json()) == len(wanted) + 1


def progress(watcher: Player) -> tuple[int, int, int]:
    """How far a watched game is: its round, its honba and the discards of its hand."""
    position = watcher.state["position"]
    return position["round"], position["honba"], sum(len(seat["river"]) for seat in position["seats"])


def test_an_answer_that_was_acknowledged_is_kept(server: Any):
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        begun = begin(client, rules="riichi/tenhou_east", seats=["you", "greedy", "greedy", "greedy"])
        player = Player(server.url, begun["id"], begun["key"])
        player.until_asked()
        ask = player.state["ask"]["id"]
        player.answer()
        server.kill()
        server.start()
        player.open()
        player.state = {}
        player.until_asked()
        assert player.state["ask"]["id"] > ask


def test_a_stopped_server_leaves_a_database_that_opens(server: Any):
    server.stop()
    assert server.process.returncode in (0, -15)
    server.start()
    assert httpx.get(f"{server.url}/api/status", timeout=PATIENCE).status_code == 200
    assert "Traceback" not in server.said()
