"""A Guobiao game between agents, as plain lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from janshi.agents.seat import SeatedAgent, read_labels
from janshi.core.tiles import format_tiles
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.result import HandResult
from janshi.rules.guobiao.ruleset import get_ruleset
from janshi.rules.guobiao.state import PLAYERS
from janshi.rules.guobiao.table import Table

WIDTH = 100


class GuobiaoShow:
    """One game, told hand by hand. Raises `ValueError` for unknown rules or players."""

    def __init__(self, rules: str, players: str, seed: int) -> None:
        ruleset = get_ruleset(rules.partition("/")[2] or "botzone")
        names = read_labels(players, PLAYERS)
        self.names = [f"{name} {seat + 1}" for seat, name in enumerate(names)]
        self.title = f"guobiao/{ruleset.name} rules, seed {seed}: {', '.join(self.names)}"
        self.table = Table(seed, ruleset)
        self._players = [SeatedAgent(label, self.table.game, seat, seed) for seat, label in enumerate(names)]

    def lines(self) -> Iterator[str]:
        """The whole game, line by line."""
        yield self.title
        while not self.table.over:
            yield from self._hand()
            self.table.step()
        yield "Scores: " + ", ".join(f"{name} {score:+}" for name, score in zip(self.names, self.table.scores))

    def _hand(self) -> Iterator[str]:
        """One hand: its name, its course, its result."""
        table = self.table
        yield f"{table.round_name}"
        course: list[str] = []
        while not table.hand_over:
            answers = {player: self._players[player](table, player) for player in table.asked}
            course += [f"{player} {act.action_name(a)}" for player, a in answers.items() if a != act.PASS]
            table.step(answers)
        yield from textwrap.wrap(", ".join(course), WIDTH, initial_indent="  ", subsequent_indent="  ")
        assert table.result is not None
        yield from self._result(table.result)

    def _result(self, result: HandResult) -> Iterator[str]:
        """How a hand ended."""
        changes = " ".join(f"{change:+}" for change in result.changes)
        win = result.win
        if win is None:
            yield f"  {result.kind}: {changes}"
            return
        table = self.table
        tiles = table.hand(win.player)
        if win.loser is None:
            tiles.remove(win.tile)
        melds = "".join(f" {meld}" for meld in table.melds(win.player))
        source = "drawn" if win.loser is None else f"from {self.names[win.loser]}"
        yield f"  {self.names[win.player]} wins {format_tiles(tiles)}{melds} with {format_tiles([win.tile])} {source}"
        counted = [f"{fan.name} {fan.chinese} {fan.value * count}" for fan, count in win.fans]
        yield f"  {win.total} fan: {', '.join(counted)}"
        yield f"  {changes}"
