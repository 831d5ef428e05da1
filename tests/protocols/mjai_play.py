"""Games between bots and players in this process, as a table's driver runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from janshi.protocols.bot import Bot, BotFault, substitute
from janshi.protocols.mjai.events import Narrator
from janshi.records.recorder import Recorder
from janshi.rules.riichi.ruleset import TENHOU_EAST, Ruleset
from janshi.rules.riichi.table import Table

Player = Bot | Callable[[Table, int], int]


class Played:
    """A game as it was played."""

    def __init__(self, seed: int, rules: Ruleset = TENHOU_EAST) -> None:
        self.table = Table(seed, rules)
        self.recorder = Recorder(self.table, "abcd")
        self.faults: list[tuple[int, BotFault]] = []

    def play(self, players: Sequence[Player], questions: int | None = None) -> Played:
        """Play to the end, or until `questions` questions have been asked."""
        narrator, asked = Narrator(self.recorder), 0
        bots = [(seat, player) for seat, player in enumerate(players) if isinstance(player, Bot)]
        for seat, bot in bots:
            bot.begin(self.table, seat, "abcd")
        while not self.table.over and asked != questions:
            self._tell(bots, narrator)
            answers = {seat: self._ask(players[seat], seat) for seat in self.table.asked}
            self.recorder.step(answers or None)
            asked += bool(answers)
        self._tell(bots, narrator)
        for _, bot in bots:
            bot.end(self.table)
        return self

    def _tell(self, bots: list[tuple[int, Bot]], narrator: Narrator) -> None:
        events = narrator.news()
        for _, bot in bots:
            bot.tell(events)

    def _ask(self, player: Player, seat: int) -> int:
        if not isinstance(player, Bot):
            return player(self.table, seat)
        try:
            return player.ask(self.table, seat)
        except BotFault as fault:
            self.faults.append((seat, fault))
            return substitute(self.table, seat)
