"""Tile ids for records that have only tiles.

A reader of such a format plays each hand through a `HandBuilder`: every tile that is dealt, drawn or turned takes the
lowest free copy of it (a red five is copy 0 of its kind), a discard of the tile just drawn is that copy, and any other
discard or call takes the lowest copy held. The builder refuses impossible events: a fifth copy, a tile that is not
held, a draw or call out of turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import (
    COPIES,
    EAST,
    NAMES,
    NUM_IDS,
    NUM_KINDS,
    NUM_TILES,
    RANKS,
    RED_IDS,
    id_to_tile,
    kind_of,
    tile_to_ids,
)
from janshi.records.meld_code import encode_meld
from janshi.records.model import Event, GameRecord, HandRecord, Kind, RecordError, WinRecord

PLAYERS: Final = 4
HAND_TILES: Final = 13

_DRAW, _DISCARD, _CHI, _PON = int(Kind.DRAW), int(Kind.DISCARD), int(Kind.CHI), int(Kind.PON)
_OPEN_KAN, _CONCEALED_KAN, _ADDED_KAN = int(Kind.OPEN_KAN), int(Kind.CONCEALED_KAN), int(Kind.ADDED_KAN)
_RIICHI, _RIICHI_PAID, _DORA = int(Kind.RIICHI), int(Kind.RIICHI_PAID), int(Kind.DORA)

_WITH_RED: Final = tuple(tile_to_ids(tile) for tile in range(NUM_TILES))
_WITHOUT_RED: Final = (
    *(tuple(range(COPIES * kind, COPIES * kind + COPIES)) for kind in range(NUM_KINDS)),
    *((),) * (NUM_TILES - NUM_KINDS),
)
_TILES_WITH_RED: Final = tuple(id_to_tile(tile_id) for tile_id in range(NUM_IDS))
_TILES_WITHOUT_RED: Final = tuple(tile_id // COPIES for tile_id in range(NUM_IDS))

CALL_NAMES: Final = {_CHI: "chi", _PON: "pon", _OPEN_KAN: "open kan"}


def tiles_of_ids(red_fives: bool) -> tuple[int, ...]:
    """The tile of every tile id, with or without red fives."""
    return _TILES_WITH_RED if red_fives else _TILES_WITHOUT_RED


def hand_name(number: int, round_: int, honba: int) -> str:
    """How messages name a hand: `hand 3 (South 1, honba 2)`; `number` counts from 0."""
    wind = ("East", "South", "West", "North")[round_ // PLAYERS % PLAYERS]
    return f"hand {number + 1} ({wind} {round_ % PLAYERS + 1}, honba {honba})"


def check_writable(hand: HandRecord, number: int, source: str, format: str) -> None:
    """Refuse a hand that a format without tile ids cannot hold: one without a result, or with a fault of its own."""
    place = hand_name(number, hand.round, hand.honba)
    if not hand.wins and hand.draw is None:
        raise RecordError(source, place, f"a hand without result cannot be written as {format}")
    fault = hand.undrawn_discard
    if fault is not None:
        player = hand.events[fault].player
        problem = f"player {player} discards without a draw or call before it, a fault of the record"
        raise RecordError(source, f"{place}, event {fault + 1}", f"{problem}: it cannot be written as {format}")


class HandBuilder:
    """Plays the events of one hand, given in tiles (0..36), and records them with tile ids."""

    __slots__ = (
        "_free",
        "_ids",
        "_turn",
        "codes",
        "deals",
        "drawn",
        "events",
        "hands",
        "indicators",
        "kans",
        "last",
        "paid",
        "place",
        "pons",
        "source",
    )

    def __init__(
        self, deals: Sequence[Sequence[int]], indicator: int, dealer: int, red_fives: bool, source: str, place: str
    ) -> None:
        self.source, self.place = source, place
        self._ids = _WITH_RED if red_fives else _WITHOUT_RED
        self._free = [0] * NUM_TILES
        self.events: list[Event] = []
        self.hands: list[set[int]] = []
        self.codes: list[list[int]] = [[] for _ in range(PLAYERS)]
        """Each player's melds in Tenhou's code, in the order they were made; an added kan takes its pon's place."""
        self.pons: dict[tuple[int, int], Event] = {}
        """Pons by player and kind."""
        self.drawn = -1
        """The id of the tile just drawn, -1 if the last event was no draw."""
        self.last: Event | None = None
        """The last event, if it is a discard or a kan: what can be called, or won by."""
        self.paid: list[int] = []
        """Who put a riichi stick on the table."""
        self.kans: list[int] = []
        """Who made each kan."""
        self._turn = dealer
        self.indicators = [self.take(indicator)]
        self.deals = tuple(tuple(map(self.take, deal)) for deal in deals)
        for player, deal in enumerate(self.deals):
            if len(deal) != HAND_TILES:
                self.fail(f"player {player} was dealt {len(deal)} tiles: expected {HAND_TILES}")
            self.hands.append(set(deal))

    def fail(self, problem: str) -> NoReturn:
        """Refuse the record, naming the hand and the event reached."""
        raise RecordError(self.source, f"{self.place}, event {len(self.events) + 1}", problem)

    def take(self, tile: int) -> int:
        """The lowest free copy of a tile."""
        ids, used = self._ids[tile], self._free[tile]
        if used >= len(ids):
            self.fail(f"{used + 1} tiles {NAMES[tile]} appear: there are only {len(ids)}")
        self._free[tile] = used + 1
        return ids[used]

    def held(self, player: int, tile: int, but: int = -1) -> int:
        """The lowest copy of a tile that a player holds, preferably not `but`; -1 if there is none."""
        hand = self.hands[player]
        for tile_id in self._ids[tile]:
            if tile_id in hand and tile_id != but:
                return tile_id
        return but if but in self._ids[tile] else -1

    def draw(self, player: int, tile: int) -> None:
        """A player draws a tile."""
        if player != self._turn or len(self.hands[player]) % 3 != 1:
            self.fail(f"player {player} draws {NAMES[tile]} out of turn")
        tile_id = self.take(tile)
        self.hands[player].add(tile_id)
        self.drawn, self.last = tile_id, None
        self.events.append(Event(_DRAW, player, tile_id))

    def drawn_tile(self) -> int:
        """The tile just drawn, -1 if the last event was no draw."""
        if self.drawn < 0:
            return -1
        return self._ids.index((self.drawn,)) if self.drawn in RED_IDS and self._ids is _WITH_RED else self.drawn // 4

    def discard(self, player: int, tile: int, tsumogiri: bool) -> None:
        """A player discards a tile: the one just drawn if `tsumogiri`, else another copy of it if one is held."""
        hand = self.hands[player]
        if player != self._turn or len(hand) % 3 != 2:
            self.fail(f"player {player} discards {NAMES[tile]} out of turn")
        if tsumogiri:
            tile_id = self.drawn
            if tile_id not in self._ids[tile]:
                self.fail(f"player {player} discards {NAMES[tile]} as just drawn: expected the tile drawn")
        else:
            tile_id = self.held(player, tile, self.drawn)
            if tile_id < 0:
                self.fail(f"player {player} discards {NAMES[tile]}, which is not in the hand")
        hand.remove(tile_id)
        self.last = Event(_DISCARD, player, tile_id, (), -1, tsumogiri)
        self.events.append(self.last)
        self.drawn, self._turn = -1, (player + 1) % PLAYERS

    def call(self, kind: int, player: int, tile: int, own: Sequence[int], source: int) -> None:
        """A player calls the last discard for a chi, pon or open kan with `own` tiles."""
        name, last = CALL_NAMES[kind], self.last
        if last is None or last.kind != _DISCARD or last.player != source or player == source:
            self.fail(f"player {player} calls {name} from player {source}, who has not just discarded")
        if last.tile not in self._ids[tile]:
            self.fail(f"player {player} calls {name} of {NAMES[tile]}: the last discard is another tile")
        if not _fits(kind, tile, own) or (kind == _CHI and player != (source + 1) % PLAYERS):
            self.fail(f"player {player} cannot call {name} of {NAMES[tile]} with {' '.join(NAMES[t] for t in own)}")
        event = Event(kind, player, last.tile, self._give(player, own), source)
        self.events.append(event)
        self.codes[player].append(encode_meld(event))
        self.last, self._turn = None, player
        if kind == _OPEN_KAN:
            self.kans.append(player)
        elif kind == _PON:
            self.pons[player, event.tile // COPIES] = event

    def _give(self, player: int, own: Sequence[int]) -> tuple[int, ...]:
        """Take tiles out of a hand; their ids, ascending."""
        hand, given = self.hands[player], []
        for tile in own:
            tile_id = self.held(player, tile)
            if tile_id < 0:
                self.fail(f"player {player} shows {NAMES[tile]}, which is not in the hand")
            hand.remove(tile_id)
            given.append(tile_id)
        return tuple(sorted(given))

    def _may_kan(self, player: int) -> None:
        if player != self._turn or self.drawn < 0 or len(self.hands[player]) % 3 != 2:
            self.fail(f"player {player} declares a kan out of turn")

    def concealed_kan(self, player: int, tiles: Sequence[int]) -> None:
        """A player lays a concealed kan."""
        self._may_kan(player)
        if len(tiles) != COPIES or len({kind_of(tile) for tile in tiles}) != 1:
            self.fail(f"{' '.join(NAMES[tile] for tile in tiles)} is not a kan: expected four tiles of one kind")
        self._after_kan(Event(_CONCEALED_KAN, player, -1, self._give(player, tiles)))
        self.codes[player].append(encode_meld(self.events[-1]))

    def added_kan(self, player: int, tile: int) -> None:
        """A player adds a tile to a pon."""
        self._may_kan(player)
        pon = self.pons.get((player, kind_of(tile)))
        if pon is None:
            self.fail(f"player {player} adds {NAMES[tile]} to a pon that does not exist")
        three = tuple(sorted((*pon.tiles, pon.tile)))
        (added,) = self._give(player, [tile])
        self._after_kan(Event(_ADDED_KAN, player, added, three, pon.source))
        codes = self.codes[player]
        codes[codes.index(encode_meld(pon))] = encode_meld(self.events[-1], three.index(pon.tile))

    def _after_kan(self, event: Event) -> None:
        self.events.append(event)
        self.last, self.drawn = event, -1
        self.kans.append(event.player)

    def riichi(self, player: int) -> None:
        """A player declares riichi; the discard follows."""
        if player != self._turn or self.drawn < 0:
            self.fail(f"player {player} declares riichi out of turn")
        self.events.append(Event(_RIICHI, player))

    def pay(self, player: int) -> None:
        """The stick of a riichi is paid."""
        self.events.append(Event(_RIICHI_PAID, player))
        self.paid.append(player)

    def turn_indicator(self, tile: int) -> None:
        """A dora indicator is turned after a kan."""
        if len(self.indicators) > len(self.kans):
            self.fail(f"one dora indicator too many ({NAMES[tile]}): {len(self.kans)} kans were made")
        tile_id = self.take(tile)
        self.indicators.append(tile_id)
        self.events.append(Event(_DORA, -1, tile_id))

    def winning_tile(self, winner: int, loser: int) -> int:
        """The id of the tile a player won with; refuses a win that the last event does not allow."""
        if winner == loser:
            if self.drawn < 0 or self.drawn not in self.hands[winner]:
                self.fail(f"player {winner} wins by self-draw without having drawn")
            return self.drawn
        if self.last is None or self.last.player != loser:
            self.fail(f"player {winner} wins from player {loser}, who has not just discarded")
        return self.last.tile if self.last.tile >= 0 else self.last.tiles[-1]

    def complete_wins(self, hand: HandRecord, wins: list[WinRecord], ura: Sequence[int]) -> None:
        """Fill in what a win record leaves out and the play shows: tile, hand, melds, indicators, honba, sticks."""
        if len({win.winner for win in wins}) < len(wins) or len({win.loser for win in wins}) > 1:
            self.fail("several wins: expected different winners, who win from one player")
        ura_ids = tuple(map(self.take, ura))
        declared = {event.player for event in self.events if event.kind == _RIICHI} & {win.winner for win in wins}
        for i, win in enumerate(wins):
            win.tile = self.winning_tile(win.winner, win.loser)
            win.hand = tuple(sorted(self.hands[win.winner] | {win.tile}))
            win.melds = tuple(reversed(self.codes[win.winner]))  # the newest first, as Tenhou lists them
            win.dora = tuple(self.indicators)
            win.ura = ura_ids if win.winner in declared or not declared else ()
            win.honba, win.sticks = hand.honba, (hand.sticks + len(self.paid) if i == 0 else 0)

    def tenpai(self) -> tuple[int, ...]:
        """The players whose hands are tenpai."""
        from janshi.core.tables import load_tables
        from janshi.core.waits import waits_mask

        waits = [waits_mask(_counts(hand), len(self.codes[p]), load_tables()) for p, hand in enumerate(self.hands)]
        return tuple(player for player in range(PLAYERS) if waits[player])

    def shown(self, players: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """The concealed hands of some players."""
        return {player: tuple(sorted(self.hands[player])) for player in players}


def _counts(hand: Iterable[int]) -> npt.NDArray[np.uint8]:
    """The tiles of a hand by kind, uint8[34]."""
    return np.bincount([tile_id // COPIES for tile_id in hand], minlength=NUM_KINDS).astype(np.uint8)


def _fits(kind: int, tile: int, own: Sequence[int]) -> bool:
    """Whether a called tile and the caller's make a chi, pon or kan."""
    kinds = sorted(map(kind_of, (tile, *own)))
    if len(kinds) != (COPIES if kind == _OPEN_KAN else 3):
        return False
    if kind != _CHI:
        return kinds[0] == kinds[-1]
    first = kinds[0]
    return kinds == [first, first + 1, first + 2] and first < EAST and first % RANKS <= RANKS - 3


def without_ids(record: GameRecord) -> GameRecord:
    """A copy of a record whose ids are replaced by tiles (0..36), for comparing records that differ only in copies.

    Tiles held, shown or dealt are sorted; the melds of wins, whose codes name copies, are dropped.
    """
    tile_of = tiles_of_ids(record.rules.red_fives)

    def tiles(ids: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(tile_of[tile_id] for tile_id in ids))

    return replace(record, hands=[_hand_without_ids(hand, tile_of, tiles) for hand in record.hands], exact_ids=False)


def _hand_without_ids(
    hand: HandRecord, tile_of: Sequence[int], tiles: Callable[[Sequence[int]], tuple[int, ...]]
) -> HandRecord:
    def win(w: WinRecord) -> WinRecord:
        dora, ura = tuple(tile_of[i] for i in w.dora), tuple(tile_of[i] for i in w.ura)
        tile = tile_of[w.tile] if w.tile >= 0 else -1
        return replace(w, tile=tile, hand=tiles(w.hand), melds=(), dora=dora, ura=ura)

    def event(e: Event) -> Event:
        return e._replace(tile=tile_of[e.tile] if e.tile >= 0 else -1, tiles=tiles(e.tiles))

    draw = hand.draw and replace(hand.draw, shown={p: tiles(ids) for p, ids in hand.draw.shown.items()})
    return replace(
        hand,
        dora=tile_of[hand.dora],
        deals=tuple(map(tiles, hand.deals)),
        events=list(map(event, hand.events)),
        wins=list(map(win, hand.wins)),
        draw=draw,
    )
