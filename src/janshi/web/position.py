"""One moment of a table as JSON, for a player, for a spectator, or with all hands open.

A position is made from the rules' *view* of the viewer, so that there is nothing in it that the viewer may not know.
From the state itself come only what lies open to everybody: how many tiles each player holds, whether the player on
turn has drawn, and at the end of a hand the hands that are shown and its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from janshi.rules.simplified.state import AFTER_DRAW
from janshi.web.families import NONE, REACTION, TURN, UNKNOWN, WINDS, family_of, meld_tiles, rules_told, sort_by_kind
from janshi.web.outcome import outcome, shown_seats, ura_texts
from janshi.web.shapes import Position

TSUMOGIRI_FLAG, RIICHI_FLAG, CALLED_FLAG = 1, 2, 4
"""Flags of discards in riichi; the other families have only the first bit, for called ones."""


def position(
    table: Any,
    viewer: int | None = None,
    *,
    open_hands: bool = False,
    names: Sequence[str] | None = None,
    agents: Sequence[str | None] | None = None,
) -> Position:
    """The table as `viewer` may see it (None: a spectator, who sees no hand); with `open_hands`, all hands."""
    return cast(Position, _Reader(table, viewer, open_hands).read(names, agents))


class _Reader:
    """Reads one position: the view, and seats as the view counts them."""

    def __init__(self, table: Any, viewer: int | None, open_hands: bool) -> None:
        self.table, self.viewer, self.open = table, viewer, open_hands
        self.game, self.family = table.game, family_of(table.game)
        self.players = self.game.players
        self.actor = table.actor
        self.eye = self.actor if open_hands else viewer or 0
        """The seat whose view is read."""
        self.view = table.oracle_view(self.eye) if open_hands else table.view(self.eye)
        self.phase = self.family.phases[int(self.view["phase"])]
        self.ended = self.phase not in (TURN, REACTION)
        self.riichi = self.family.name == "riichi"
        self.has_drawn = int(table.state["drawn"]) != NONE and (self.ended or self.phase == TURN)
        if self.family.name == "simplified":  # a kong there brings no tile, and may take the one that was drawn
            self.has_drawn = self.has_drawn and int(table.state["moment"]) == AFTER_DRAW
        self.counts = table.state["hand"].sum(axis=1).tolist()
        self.shown = shown_seats(table) if self.ended else ()

    def read(self, names: Sequence[str] | None, agents: Sequence[str | None] | None) -> dict[str, Any]:
        """The whole position."""
        v, table = self.view, self.table
        return {
            "rules": rules_told(self.game),
            "viewer": self.viewer,
            **self._round(),
            "turn": self.actor,
            "phase": self.phase,
            "dora": [self.family.text(t) for t in v["indicators"].tolist() if t >= 0] if self.riichi else [],
            "ura": ura_texts(table, self.family) if self.ended and self.riichi else [],
            "seats": self._seats(names, agents),
            "last": self._last(),
            "result": outcome(table, self.family) if self.ended else None,
        }

    def _round(self) -> dict[str, Any]:
        v = self.view
        if self.riichi:
            told = {"round": int(v["kyoku"]), "honba": int(v["honba"]), "sticks": int(v["sticks"])}
            return {**told, "round_name": self.table.round_name, "left": int(v["left"]), "dealer": self.table.dealer}
        told = {"honba": 0, "sticks": 0}
        if self.family.name == "simplified":
            return {**told, "round": 0, "round_name": "", "left": int(v["left"]), "dealer": 0}
        walls = [int(n) for n in self.table.tiles_left]
        own = bool(self.table.state["own_walls"])
        told |= {"round": int(v["hand_number"]), "round_name": self.table.round_name, "dealer": self.table.dealer}
        return {**told, "left": sum(walls) if own else walls[0], "walls": walls if own else None}

    # --- seats

    def _seats(self, names: Sequence[str] | None, agents: Sequence[str | None] | None) -> list[dict[str, Any]]:
        v, scores = self.view, self.table.scores
        order = sorted(range(self.players), key=lambda seat: (-scores[seat], seat))
        rivers = [v[name].tolist() for name in ("river", "river_flags", "discards")]
        melds = [v[name].tolist() for name in ("melds", "meld_type", "meld_kind", "meld_tile", "meld_from")]
        if self.open and self.family.name == "guobiao":
            melds[2] = v["all_meld_kind"].tolist()
        reds = v["meld_red"].tolist() if self.riichi else None
        riichi = v["riichi"].tolist() if self.riichi else [0] * self.players
        dealer = 0 if self.family.name == "simplified" else self.table.dealer
        seats = []
        for seat in range(self.players):
            place = (seat - self.eye) % self.players
            hand, drawn = self._hand(seat, place)
            seats.append(
                {
                    "name": names[seat] if names else "",
                    "agent": agents[seat] if agents else None,
                    "wind": WINDS[(seat - dealer) % self.players],
                    "score": scores[seat],
                    "rank": order.index(seat) + 1,
                    "hand": hand,
                    "count": self.counts[seat] - (drawn is not None),
                    "drawn": drawn,
                    "melds": [self._meld(seat, place, i, melds, reds) for i in range(melds[0][place])],
                    "river": self._river(place, *rivers),
                    "riichi": bool(riichi[place]),
                    **self._more(place),
                }
            )
        return seats

    def _more(self, place: int) -> dict[str, Any]:
        if self.family.name != "guobiao":
            return {}
        flowers = int(self.view["flowers"][place])
        return {"flowers": [i + 1 for i in range(8) if flowers >> i & 1]}

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
        texts = self.family.texts
        return [texts[tile] for tile in sort_by_kind(tiles)], None if drawn == NONE else texts[drawn]

    def _tiles(self, seat: int, place: int) -> list[int] | None:
        """A seat's tiles, the drawn one among them, if they may be seen."""
        v = self.view
        if self.open:
            return self.family.tiles(v["hands"][place].tolist(), int(v["all_reds"][place]) if self.riichi else 0)
        if seat == self.viewer:
            return self.family.tiles(v["hand"].tolist(), int(v["reds"]) if self.riichi else 0)
        return list(self.table.hand(seat)) if seat in self.shown else None

    # --- melds and rivers

    def _meld(self, seat: int, place: int, i: int, melds: list[Any], reds: list[Any] | None) -> dict[str, Any]:
        _, types, kinds, called, sources = melds
        kind = self.family.melds[types[place][i]]
        low, taken, source = kinds[place][i], called[place][i], sources[place][i]
        if seat in self.shown and low == NONE:
            low = int(self.table.state["meld_kind"][seat, i])
        tiles = meld_tiles(self.family, kind, low, reds[place][i] if reds else 0)
        return {
            "kind": kind,
            "tiles": [self.family.text(tile) for tile in tiles],
            "called": tiles.index(taken) if taken in tiles else None,
            "from": None if source == NONE else (source + self.eye) % self.players,
        }

    def _river(self, place: int, tiles: list[Any], flags: list[Any], lengths: list[int]) -> list[dict[str, Any]]:
        texts, riichi = self.family.texts, self.riichi
        return [
            {
                "tile": texts[tile],
                "tsumogiri": riichi and bool(flag & TSUMOGIRI_FLAG),
                "riichi": riichi and bool(flag & RIICHI_FLAG),
                "called": bool(flag & (CALLED_FLAG if riichi else 1)),
            }
            for tile, flag in zip(tiles[place][: lengths[place]], flags[place])
        ]

    def _last(self) -> dict[str, Any] | None:
        """The tile that lies last, if nobody took it."""
        v = self.view
        if self.phase == REACTION:
            return {"seat": self.actor, "tile": self.family.text(int(v["tile"]))}
        lengths, orders = v["discards"].tolist(), v["river_order"].tolist()
        latest = [(orders[place][length - 1], place) for place, length in enumerate(lengths) if length]
        if not latest:
            return None
        _, place = max(latest)
        i = lengths[place] - 1
        if int(v["river_flags"][place, i]) & (CALLED_FLAG if self.riichi else 1) and not self.ended:
            return None
        return {"seat": (place + self.eye) % self.players, "tile": self.family.text(int(v["river"][place, i]))}
