"""Run by the peers' Python: the arena of PyPI's `mjai` (Mortal's rules engine) plays a game between four commands.

    python peer_match.py SEED COMMAND...

Every answer is checked there; an invalid one ends the program. It prints the final scores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

from mjai.engine import DockerMjaiLogEngine
from mjai.mlibriichi.arena import Match


class Piped:
    """A bot that gets arrays of events as lines and answers each."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answers = 0

    def react(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        self.answers += 1
        return self.process.stdout.readline()


class Engine(DockerMjaiLogEngine):
    """Notes the final scores."""

    def end_game(self, game_idx: int, scores: list[int]) -> None:
        super().end_game(game_idx, scores)
        finals[self.name] = scores


finals: dict[str, list[int]] = {}
players = [Piped(sys.argv[2:]) for _ in range(4)]
try:
    with tempfile.TemporaryDirectory() as folder:
        engines = [Engine(str(seat), player) for seat, player in enumerate(players)]
        Match(log_dir=folder).py_match(*engines, seed_start=(int(sys.argv[1]), 7))
    print(json.dumps({"scores": finals, "answers": [player.answers for player in players]}))
finally:
    for player in players:
        player.process.kill()
