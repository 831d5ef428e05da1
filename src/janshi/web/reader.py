"""Read one position of any game: its view, and what is visible to everybody.

A position is made from the rules' *view* of the viewer, so that it contains nothing the viewer may not know. Only
public information comes from the state itself: how many tiles each player holds, whether the player on turn has drawn,
and at the end of a hand its result and the hands that are shown.

States and views need the fields `phase`, `actor`, `hand`, `drawn` and `tile`, oracle views `hands`; rivers (`river`,
`river_flags`, `river_order`, `discards`), melds (`melds`, `meld_type`, `meld_kind`, `meld_tile`, `meld_from`) and the
tiles `left` are read where a game has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, cast

from janshi.records.families import RECORDS_LAYER
from janshi.rules.game import Game
from janshi.web.families import WEB_LAYER
from janshi.web.outcome import outcome, shown_seats
from janshi.web.shapes import RulesName
from janshi.web.tiles import NONE, UNKNOWN, hand_tiles, meld_tiles, sort_by_kind, tile_text

WINDS: Final = "ESWN"
TURN, REACTION, HAND_OVER, GAME_OVER = "turn", "reaction", "hand_over", "game_over"
CALLED_FLAG: Final = 1
"""Flag of a discard that was called."""


def phase_of(table: Any) -> str:
    """The phase of a table: `turn`, `reaction`, `hand_over` or `game_over`."""
    if table.over:
        return GAME_OVER
    asked = table.asked
    if not asked:
        return HAND_OVER
    return TURN if table.actor in asked else REACTION


@lru_cache(maxsize=64)
def rules_json(game: Game) -> RulesName:
    """The rules as a position shows them. The result is shared: do not modify it."""
    rounds = getattr(game.rules, "rounds", 1)
    name = game.rules.name.replace("_", " ")
    formats = list(RECORDS_LAYER.of(game.family).formats)
    named = {"id": game.name, "family": game.family.name, "name": name, "rounds": rounds}
    return cast(RulesName, {**named, "formats": formats, "reviewable": WEB_LAYER.of(game.family).review is not None})


class PositionReader:
    """Reads one position: the view, and seats as the view counts them. Families override what they add."""

    def __init__(self, table: Any, viewer: int | None, open_hands: bool) -> None:
        self.table, self.viewer, self.open = table, viewer, open_hands
        self.game: Game = table.game
        self.web = WEB_LAYER.of(self.game.family)
        self.players = self.game.players
        self.actor = table.actor
        self.eye = self.actor if open_hands else viewer or 0
        """The seat whose view is read."""
        self.view = table.oracle_view(self.eye) if open_hands else table.view(self.eye)
        self.phase = phase_of(table)
        self.ended = self.phase not in (TURN, REACTION)
        self.has_drawn = self.drew()
        self.counts = table.state["hand"].sum(axis=1).tolist()
        self.shown = shown_seats(table) if self.ended else ()

    def read(self, names: Sequence[str] | None, agents: Sequence[str | None] | None) -> dict[str, Any]:
        """The whole position."""
        return {
            "rules": rules_json(self.game),
            "viewer": self.viewer,
            **self.round(),
            "turn": self.actor,
            "phase": self.phase,
            "dora": self.dora(),
            "ura": self.ura(),
            "seats": self._seats(names, agents),
            "last": self._last(),
            "result": outcome(self.table) if self.ended else None,
        }

    # --- what differs between families

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(getattr(self.table, "dealer", 0))

    def drew(self) -> bool:
        """Whether the actor holds a tile that was just drawn."""
        return int(self.table.state["drawn"]) != NONE and (self.ended or self.phase == TURN)

    def round(self) -> dict[str, Any]:
        """Round, counters, tiles left and dealer."""
        name, left = getattr(self.table, "round_name", ""), self.left()
        return {"honba": 0, "sticks": 0, "round": 0, "round_name": name, "left": left, "dealer": self.dealer}

    def left(self) -> int:
        """Tiles left to draw."""
        return int(self.view["left"]) if self._has("left") else 0

    def dora(self) -> list[str]:
        """Dora indicators."""
        return []

    def ura(self) -> list[str]:
        """Ura indicators, at the end of a hand."""
        return []

    def reds(self, place: int) -> int:
        """Bit set of the red fives in a visible hand."""
        return 0

    def meld_reds(self) -> list[list[int]] | None:
        """For each meld, whether it holds a red five: 1, or 2 if that was added to a pon."""
        return None

    def meld_kinds(self) -> list[list[int]]:
        """The lowest kind of each meld."""
        return self.rows("meld_kind")

    def in_riichi(self, place: int) -> bool:
        """Whether a player has declared riichi."""
        return False

    def more(self, place: int) -> dict[str, Any]:
        """More fields of a seat."""
        return {}

    def discard(self, tile: int, flag: int) -> dict[str, Any]:
        """A discard in a river."""
        called = self.was_called(flag)
        return {"tile": self.game.tile_texts[tile], "tsumogiri": False, "riichi": False, "called": called}

    def was_called(self, flag: int) -> bool:
        """Whether the flags of a discard say that it was called."""
        return bool(flag & CALLED_FLAG)

    # --- seats

    def text(self, tile: int) -> str:
        """The text of a tile."""
        return tile_text(self.game.tile_texts, tile)

    def rows(self, name: str) -> list[Any]:
        """A field of the view, one row per place; empty rows if the game has no such field."""
        return self.view[name].tolist() if self._has(name) else [[]] * self.players

    def _has(self, name: str) -> bool:
        return name in self.view.dtype.names

    def _seats(self, names: Sequence[str] | None, agents: Sequence[str | None] | None) -> list[dict[str, Any]]:
        scores = self.table.scores
        order = sorted(range(self.players), key=lambda seat: (-scores[seat], seat))
        melds = self._melds()
        rivers = [self.rows(name) for name in ("river", "river_flags")]
        lengths = self.view["discards"].tolist() if self._has("discards") else [0] * self.players
        seats = []
        for seat in range(self.players):
            place = (seat - self.eye) % self.players
            hand, drawn = self._hand(seat, place)
            seats.append(
                {
                    "name": names[seat] if names else "",
                    "agent": agents[seat] if agents else None,
                    "wind": WINDS[(seat - self.dealer) % self.players],
                    "score": scores[seat],
                    "rank": order.index(seat) + 1,
                    "hand": hand,
                    "count": self.counts[seat] - (drawn is not None),
                    "drawn": drawn,
                    "melds": [self._meld(seat, place, i, melds) for i in range(melds[0][place])],
                    "river": [self.discard(*each) for each in zip(*(rows[place][: lengths[place]] for rows in rivers))],
                    "riichi": self.in_riichi(place),
                    **self.more(place),
                }
            )
        return seats

    def _hand(self, seat: int, place: int) -> tuple[list[str] | None, str | None]:
        """A seat's hand and drawn tile as texts: None and "?" if they are hidden."""
        drew = self.has_drawn and seat == self.actor
        tiles = self._tiles(seat, place)
        if tiles is None:
            return None, UNKNOWN if drew else None
        drawn = int(self.table.state["drawn"]) if drew else NONE
        if drawn in tiles:
            tiles.remove(drawn)
        else:
            drawn = NONE
        texts = self.game.tile_texts
        return [texts[tile] for tile in sort_by_kind(tiles)], None if drawn == NONE else texts[drawn]

    def _tiles(self, seat: int, place: int) -> list[int] | None:
        """A seat's tiles, including the drawn one, if they are visible."""
        if self.open:
            return hand_tiles(self.view["hands"][place].tolist(), self.reds(place))
        if seat == self.viewer:
            return hand_tiles(self.view["hand"].tolist(), self.reds(place))
        return list(self.table.hand(seat)) if seat in self.shown else None

    # --- melds and rivers

    def _melds(self) -> list[Any]:
        """Numbers, types, lowest kinds, called tiles, sources and red fives of all melds."""
        numbers = self.view["melds"].tolist() if self._has("melds") else [0] * self.players
        types, called, sources = (self.rows(name) for name in ("meld_type", "meld_tile", "meld_from"))
        return [numbers, types, self.meld_kinds(), called, sources, self.meld_reds()]

    def _meld(self, seat: int, place: int, i: int, melds: list[Any]) -> dict[str, Any]:
        _, types, kinds, called, sources, reds = melds
        kind = self.web.melds[types[place][i]]
        low, taken, source = kinds[place][i], called[place][i], sources[place][i]
        if seat in self.shown and low == NONE:
            low = int(self.table.state["meld_kind"][seat, i])
        tiles = meld_tiles(kind, low, reds[place][i] if reds else 0, self.web.kan_size)
        return {
            "kind": kind,
            "tiles": [self.text(tile) for tile in tiles],
            "called": tiles.index(taken) if taken in tiles else None,
            "from": None if source == NONE else (source + self.eye) % self.players,
        }

    def _last(self) -> dict[str, Any] | None:
        """The last discard, if nobody took it."""
        v = self.view
        if self.phase == REACTION:
            return {"seat": self.actor, "tile": self.text(int(v["tile"]))}
        if not self._has("river_order"):
            return None
        lengths, orders = v["discards"].tolist(), v["river_order"].tolist()
        latest = [(orders[place][length - 1], place) for place, length in enumerate(lengths) if length]
        if not latest:
            return None
        _, place = max(latest)
        i = lengths[place] - 1
        if self.was_called(int(v["river_flags"][place, i])) and not self.ended:
            return None
        return {"seat": (place + self.eye) % self.players, "tile": self.text(int(v["river"][place, i]))}
