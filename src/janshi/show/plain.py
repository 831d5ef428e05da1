"""A game of any rules between agents, as plain lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from janshi.agents.seat import SeatedAgent, read_labels
from janshi.rules.events import EventStream
from janshi.rules.game import Game
from janshi.show.answers import announced_answers
from janshi.show.families import SHOW_LAYER

WIDTH = 100


class PlainShow:
    """One game, hand by hand. Raises `ValueError` for unknown players."""

    def __init__(self, game: Game, players: str, seed: int) -> None:
        labels = read_labels(players, game.players)
        self.game = game
        self.names = [f"{name} {seat + 1}" for seat, name in enumerate(labels)]
        self.title = f"{game.name} rules, seed {seed}: {', '.join(self.names)}"
        self.table = game.family.new_table(seed, game.rules)
        self._stream = EventStream(self.table)
        self._players = [SeatedAgent(label, game, seat, seed) for seat, label in enumerate(labels)]

    def lines(self) -> Iterator[str]:
        """The whole game, line by line."""
        yield self.title
        while not self.table.over:
            yield from self._hand()
            if not self.table.over:
                self._stream.step()
        yield "Scores: " + ", ".join(f"{name} {score:+}" for name, score in zip(self.names, self.table.scores))

    def _hand(self) -> Iterator[str]:
        """One hand: its name if it has one, its course, its result."""
        table, names = self.table, self.game.action_names
        if hasattr(table, "round_name"):
            yield table.round_name
        course: list[str] = []
        while asked := table.asked:
            answers = {player: self._players[player](table, player) for player in asked}
            course += [f"{said.seat} {names[said.action]}" for said in announced_answers(self._stream.step(answers))]
        yield from textwrap.wrap(", ".join(course), WIDTH, initial_indent="  ", subsequent_indent="  ")
        for line in SHOW_LAYER.of(self.game.family).result(table, self.names):
            yield f"  {line}"
