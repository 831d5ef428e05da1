"""Playing hands of formats that do not record when indicators are turned and sticks are paid, by the rules.

An indicator is turned at once after a concealed kan; after an open or added kan at the player's next discard, or when
the next kan is made. A robbed kan turns nothing. A stick is paid when its discard has passed.
"""

from __future__ import annotations

from collections.abc import Sequence

from janshi.core.tiles import kind_of
from janshi.records.ids import HandBuilder, tiles_of_ids
from janshi.records.model import Kind


class PlacedHand:
    """A `HandBuilder` whose indicators and sticks are placed by the rules."""

    def __init__(self, builder: HandBuilder, indicators: Sequence[int]) -> None:
        self.builder = builder
        self.indicators = list(indicators)
        """All indicators of the hand, the first included."""
        self.turned, self._due, self._declared = 1, 0, -1

    def go_on(self, won: bool = False) -> None:
        """The last discard has passed, so its riichi stick is paid, unless it was `won` on."""
        if self._declared >= 0 and not won:
            self.builder.pay(self._declared)
        self._declared = -1

    def discard(self, player: int, tile: int, tsumogiri: bool, riichi: bool) -> None:
        """A discard, with which riichi may be declared."""
        self._turn()
        if riichi:
            self.builder.riichi(player)
            self._declared = player
        self.builder.discard(player, tile, tsumogiri)

    def call(self, kind: int, player: int, tile: int, own: Sequence[int], source: int) -> None:
        """A chi, pon or open kan."""
        self.builder.call(kind, player, tile, own, source)
        self._due += kind == Kind.OPEN_KAN

    def concealed_kan(self, player: int, tile: int, red_fives: bool, robbed: bool) -> None:
        """A concealed kan of the four tiles of this kind in the hand."""
        tile_of = tiles_of_ids(red_fives)
        held = [tile_of[i] for i in sorted(self.builder.hands[player]) if kind_of(tile_of[i]) == kind_of(tile)]
        self.builder.concealed_kan(player, held)
        if not robbed:
            self._due += 1
            self._turn()

    def added_kan(self, player: int, tile: int, robbed: bool) -> None:
        """A tile added to a pon."""
        self.builder.added_kan(player, tile)
        if not robbed:
            self._turn()
            self._due += 1

    def end(self) -> None:
        """The hand is over: indicators that are due and known are turned, and none may be left."""
        last = self.builder.last
        if last is None or last.kind == Kind.DISCARD:
            self._turn()
        if self.turned < len(self.indicators):
            self.builder.fail(f"{len(self.indicators)} dora indicators: expected {self.turned} after the kans made")

    def _turn(self) -> None:
        while self._due and self.turned < len(self.indicators):
            self.builder.turn_indicator(self.indicators[self.turned])
            self.turned += 1
            self._due -= 1
        self._due = 0
