"""Statistics of recorded Guobiao hands: rates, averages and the fan that won.

Botzone's records do not name players, so seats are counted together: every hand is seen from four seats, but draws and
penalties are counted by hand. Rates have Wilson's 95 % intervals; averages have normal intervals, since hands are
independent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.records.botzone.model import PLAYERS, Act, HandRecord
from janshi.records.stats import Estimate, Ratio, wilson

CALLS: Final = (Act.CHI, Act.PENG, Act.KONG)
RATES: Final = {
    "win rate": ("wins", "seats"),
    "deal-in rate": ("deal_ins", "seats"),
    "call rate": ("calls", "seats"),
    "draw rate": ("draws", "hands"),
    "penalty rate": ("penalties", "hands"),
    "self-draw share of wins": ("self_drawn", "wins"),
}
"""Name, and the two sums it is the quotient of."""


@dataclass(slots=True)
class Tally:
    """Sums over hands."""

    sums: Counter[str] = field(default_factory=Counter)
    fan: Ratio = field(default_factory=Ratio)
    gain: Ratio = field(default_factory=Ratio)
    fans: Counter[str] = field(default_factory=Counter)
    """Wins with each fan."""

    def add(self, hand: HandRecord) -> None:
        """Count a hand."""
        self.sums += Counter(hands=1, seats=PLAYERS, draws=int(hand.is_draw), penalties=int(hand.penalised is not None))
        self.sums["calls"] += len({event.player for event in hand.events if event.act in CALLS})
        if hand.fan is not None:
            self._add_win(hand, hand.fan)

    def _add_win(self, hand: HandRecord, fan: int) -> None:
        winner = max(range(PLAYERS), key=lambda seat: hand.scores[seat])
        self_drawn = len({hand.scores[seat] for seat in range(PLAYERS) if seat != winner}) == 1
        self.sums += Counter(wins=1, self_drawn=int(self_drawn), deal_ins=int(not self_drawn))
        self.sums["fan"] += fan
        self.sums["gain"] += hand.scores[winner]
        self.fan.add(fan, 1)
        self.gain.add(hand.scores[winner], 1)
        self.fans.update(name for name, _ in hand.fans)

    def estimates(self) -> dict[str, Estimate]:
        """Every rate and average."""
        found = {name: wilson(self.sums[part], self.sums[whole]) for name, (part, whole) in RATES.items()}
        wins = self.sums["wins"]
        found["average fan of a win"] = self.fan.estimate(self.sums["fan"], wins, wins)
        found["average gain of a win"] = self.gain.estimate(self.sums["gain"], wins, wins)
        return found


def as_data(tally: Tally) -> dict[str, Any]:
    """A tally as plain data, for JSON; unknown figures are None."""
    data: dict[str, Any] = {"hands": tally.sums["hands"]}
    for name, estimate in tally.estimates().items():
        data[name] = {key: None if value != value else value for key, value in estimate._asdict().items()}
    data["wins with each fan"] = dict(tally.fans.most_common())
    return data
