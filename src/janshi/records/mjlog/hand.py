"""Reading one hand of an mjlog: its deal, its plays, its result.

The reader tracks where every tile is, whose turn it is and the scores, and refuses impossible events.
"""

from __future__ import annotations

from typing import Final

from janshi.core.tiles import NUM_IDS
from janshi.records.limits import LAST_ROUND, MOST_COUNTERS
from janshi.records.meld_code import PLAYERS, called_place, concealed_tile, decode_meld
from janshi.records.mjlog.values import (
    TILES,
    Attributes,
    Fault,
    parse_natural,
    parse_numbers,
    parse_scores,
    parse_seat,
    parse_tile,
    parse_tiles,
    shortened,
)
from janshi.records.mjlog.writer import DRAW_TYPES, UNIT
from janshi.records.model import DrawRecord, Event, HandRecord, Kind, WinRecord
from janshi.rules.riichi.ruleset import STICK

DEAL: Final = 13
DIE_SIDES: Final = 6
NOBODY: Final = -1

_KIND_OF_DRAW: Final = {text: kind for kind, text in DRAW_TYPES.items()}

# Where a tile is: in the wall (0), shown as an indicator, in a player's hand (HELD + seat), discarded or in a meld.
_WALL, _INDICATOR, _DISCARDED, _MELDED, _HELD = 0, 1, 2, 3, 4

_DRAWS: Final = tuple(tuple(Event(Kind.DRAW, player, tile) for tile in range(NUM_IDS)) for player in range(PLAYERS))
_DISCARDS: Final = tuple(
    tuple(tuple(Event(Kind.DISCARD, player, tile, tsumogiri=same) for same in (False, True)) for tile in range(NUM_IDS))
    for player in range(PLAYERS)
)
"""Every draw and discard. Events do not change, so that all records share them."""


def read_init(attributes: Attributes) -> HandRecord:
    """INIT without its tiles' places."""
    number, honba, sticks, die, other, _ = parse_natural(attributes, "seed", 6)
    dora = TILES.get(attributes["seed"].rpartition(",")[2])
    if dora is None or die >= DIE_SIDES or other >= DIE_SIDES:
        raise Fault(f"seed is {attributes['seed']}, expected round, honba, sticks, two dice of 0 to 5 and a tile id")
    if number > LAST_ROUND or max(honba, sticks) > MOST_COUNTERS:
        expected = f"expected round 0 to {LAST_ROUND}, honba and sticks 0 to {MOST_COUNTERS}"
        raise Fault(f"round, honba and sticks are {number}, {honba}, {sticks}, {expected}")
    if parse_seat(attributes, "oya") != number % PLAYERS:
        raise Fault(f"oya is {attributes['oya']}, expected {number % PLAYERS} in round {number}")
    deals = tuple(parse_tiles(attributes, f"hai{player}") for player in range(PLAYERS))
    for player, deal in enumerate(deals):
        if len(deal) != DEAL:
            raise Fault(f"hai{player} has {len(deal)} tiles, expected {DEAL}")
    scores = parse_scores(attributes, "ten")
    return HandRecord(number, honba, sticks, scores, dora, deals, dice=(die, other))


class HandReader:
    """Reads a hand's tags and tracks where every tile is and whose turn it is.

    Before INIT and after a result nobody may act: `drawer`, who may draw next, and `turn`, who may act, are NOBODY.
    """

    __slots__ = (
        "declared",
        "discarded",
        "drawer",
        "drawn",
        "events",
        "paid",
        "pons",
        "record",
        "scores",
        "turn",
        "where",
    )

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.events = record.events
        self.where = bytearray(NUM_IDS)
        self.drawer = self.turn = NOBODY
        self.drawn = NOBODY  # the tile drawn by the player in turn
        self.discarded = NOBODY  # the tile last discarded, as long as it can be called
        self.declared = NOBODY  # who has declared riichi and must now discard
        self.paid: dict[int, bool] = {}  # who has declared riichi, and whether the stick is paid
        self.scores = list(record.scores)
        self.pons: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}

    def deal(self) -> None:
        """Place the tiles of INIT and give the dealer the first draw."""
        self.place(self.record.dora, _INDICATOR)
        for player, tiles in enumerate(self.record.deals):
            for tile in tiles:
                self.place(tile, _HELD + player)
        self.drawer = self.turn = self.record.dealer

    def place(self, tile: int, where: int) -> None:
        """Take a tile from the wall."""
        if self.where[tile] != _WALL:
            raise Fault(f"tile {tile} appears twice, expected one that is still in the wall")
        self.where[tile] = where

    def draw(self, player: int, tile: int) -> None:
        """<T12/>."""
        if player != self.drawer or self.where[tile]:
            raise self.bad_draw(player, tile)
        self.where[tile] = _HELD + player
        self.turn = player
        self.drawer = self.discarded = NOBODY
        self.drawn = tile
        self.events.append(_DRAWS[player][tile])

    def discard(self, player: int, tile: int) -> None:
        """<D12/>; a second discard in a row is accepted."""
        if player != self.turn or self.where[tile] != _HELD + player:
            raise self.bad_discard(player, tile)
        self.where[tile] = _DISCARDED
        self.declared = NOBODY
        self.drawer = (player + 1) % PLAYERS
        self.discarded = tile
        self.events.append(_DISCARDS[player][tile][tile == self.drawn])
        self.drawn = NOBODY

    def bad_draw(self, player: int, tile: int) -> Fault:
        """Why a draw is impossible."""
        self.must_be_open()
        if player != self.drawer:
            expected = f"player {self.drawer}" if self.drawer != NOBODY else "a discard or a result"
            return Fault(f"player {player} draws out of turn, expected {expected}")
        return Fault(f"tile {tile} is drawn, expected one that is still in the wall")

    def bad_discard(self, player: int, tile: int) -> Fault:
        """Why a discard is impossible."""
        self.must_be_open()
        if player != self.turn:
            return Fault(f"player {player} discards, expected player {self.turn} to act")
        return Fault(f"player {player} discards tile {tile}, expected a tile in hand")

    def must_be_open(self) -> None:
        """Refuse a play when no hand is being played."""
        if self.turn == NOBODY:
            raise Fault("a play outside a hand, expected INIT first")

    def meld(self, player: int, code: int) -> None:
        """A chi, pon or kan."""
        self.must_be_open()
        self.must_discard()
        try:
            event = decode_meld(code, player)
        except ValueError as wrong:
            raise Fault(f"m: {wrong}") from None
        if event.kind == Kind.ADDED_KAN:
            self.add_to_pon(event, code)
        elif event.kind == Kind.CONCEALED_KAN:
            self.conceal(event, code)
        else:
            self.call(event, code)
        self.turn = player
        self.drawer = NOBODY if event.kind in (Kind.CHI, Kind.PON) else player
        self.drawn = self.discarded = NOBODY
        self.events.append(event)

    def take(self, player: int, tiles: tuple[int, ...]) -> None:
        """Put tiles of a player's hand into a meld."""
        for tile in tiles:
            if self.where[tile] != _HELD + player:
                raise Fault(f"player {player} melds tile {tile}, expected a tile in hand")
            self.where[tile] = _MELDED

    def call(self, event: Event, code: int) -> None:
        """A chi, pon or open kan of the last discard."""
        if event.tile != self.discarded or event.source != self.turn or event.source == event.player:
            raise Fault(f"tile {event.tile} of player {event.source} is called, expected the last discard")
        self.take(event.player, event.tiles)
        self.where[event.tile] = _MELDED
        if event.kind == Kind.PON:
            tiles = tuple(sorted((*event.tiles, event.tile)))
            self.pons[event.player, tiles] = (called_place(code), event.source)

    def add_to_pon(self, event: Event, code: int) -> None:
        """An added kan, of a pon made before."""
        if self.pons.get((event.player, event.tiles)) != (called_place(code), event.source):
            raise Fault(f"player {event.player} adds tile {event.tile} to a pon, expected one made before")
        self.take(event.player, (event.tile,))

    def conceal(self, event: Event, code: int) -> None:
        """A concealed kan."""
        self.take(event.player, event.tiles)
        if concealed_tile(code) != event.tiles[0]:
            kans = self.record.extra.setdefault("concealed kans", {})
            assert isinstance(kans, dict)
            kans[len(self.events)] = concealed_tile(code)

    def must_discard(self) -> None:
        """Refuse anything but a discard after a riichi."""
        if self.declared != NOBODY:
            raise Fault(f"player {self.declared} has declared riichi, expected a discard")

    def riichi(self, player: int, attributes: Attributes) -> None:
        """REACH of both steps."""
        self.must_be_open()
        if attributes["step"] == "1":
            self.declare(player)
        elif attributes["step"] == "2":
            self.riichi_paid(player, attributes)
        else:
            raise Fault(f"step is {shortened(attributes['step'])}, expected 1 or 2")

    def declare(self, player: int) -> None:
        """REACH step 1. In a few records it follows its discard: it is put before it, and `extra` notes it."""
        if player != self.turn or player in self.paid:
            raise Fault(f"player {player} declares riichi, expected player {self.turn} to act, and one riichi each")
        self.paid[player] = False
        if self.drawn != NOBODY:
            self.declared = player
            self.events.append(Event(Kind.RIICHI, player))
        elif self.discarded != NOBODY and self.events[-1].kind == Kind.DISCARD:
            late = self.record.extra.setdefault("late riichi", [])
            assert isinstance(late, list)
            late.append(len(self.events) - 1)
            self.events.insert(-1, Event(Kind.RIICHI, player))
        else:
            raise Fault(f"player {player} declares riichi, expected a draw before it")

    def riichi_paid(self, player: int, attributes: Attributes) -> None:
        """REACH step 2: the stick is on the table."""
        self.must_discard()
        if self.paid.get(player, True):
            raise Fault(f"player {player} pays a riichi stick, expected one riichi declared before")
        self.paid[player] = True
        self.scores[player] -= STICK
        if "ten" not in attributes:
            self.record.extra["riichi scores"] = False
        elif parse_scores(attributes, "ten") != tuple(self.scores):
            raise Fault(f"ten is {attributes['ten']}, expected {[score // UNIT for score in self.scores]}")
        self.events.append(Event(Kind.RIICHI_PAID, player))

    def dora(self, tile: int) -> None:
        """A new indicator."""
        self.must_be_open()
        self.place(tile, _INDICATOR)
        self.events.append(Event(Kind.DORA, NOBODY, tile))

    def pay(self, attributes: Attributes) -> tuple[int, ...]:
        """The changes of a result, after a check of the scores before it."""
        self.must_discard()
        numbers = parse_numbers(attributes, "sc", 2 * PLAYERS)
        if [UNIT * score for score in numbers[::2]] != self.scores:
            raise Fault(f"sc has scores {numbers[::2]}, expected {[score // UNIT for score in self.scores]}")
        changes = tuple(UNIT * change for change in numbers[1::2])
        self.scores = [score + change for score, change in zip(self.scores, changes)]
        return changes

    def check_winner(self, win: WinRecord) -> None:
        """Refuse a win that the last play does not allow."""
        last = next((event for event in reversed(self.events) if event.kind < Kind.RIICHI), None)
        kinds = (Kind.DRAW,) if win.winner == win.loser else (Kind.DISCARD, Kind.CONCEALED_KAN, Kind.ADDED_KAN)
        if last is None or last.player != win.loser or last.kind not in kinds:
            expected = "to have drawn" if win.winner == win.loser else "to have discarded or made a kan"
            raise Fault(f"player {win.winner} wins from player {win.loser}, expected player {win.loser} {expected}")

    def close(self) -> None:
        """Nobody acts after a result."""
        self.turn = self.drawer = NOBODY


def read_win(attributes: Attributes, changes: tuple[int, ...]) -> WinRecord:
    """AGARI. Attributes unknown to the writer are absent."""
    yaku = parse_numbers(attributes, "yaku")
    if len(yaku) % 2:
        raise Fault(f"yaku has {len(yaku)} numbers, expected pairs of yaku and han")
    fu, points, limit = parse_natural(attributes, "ten", 3) if "ten" in attributes else (None, None, None)
    if not (attributes["hai"] and attributes["doraHai"]):
        raise Fault("AGARI has an empty hai or doraHai, expected tile ids")
    honba, sticks = parse_natural(attributes, "ba", 2)
    return WinRecord(
        winner=parse_seat(attributes, "who"),
        loser=parse_seat(attributes, "fromWho"),
        changes=changes,
        tile=parse_tile(attributes, "machi"),
        liable=parse_seat(attributes, "paoWho") if "paoWho" in attributes else None,
        fu=fu or None,  # 0 is written for thirteen orphans, and where the fu are unknown
        han=sum(yaku[1::2]) if yaku else None,
        points=points,
        limit=limit,
        yaku=tuple(zip(yaku[::2], yaku[1::2])),
        yakuman=tuple(parse_numbers(attributes, "yakuman")),
        hand=parse_tiles(attributes, "hai"),
        melds=tuple(parse_numbers(attributes, "m")),
        dora=parse_tiles(attributes, "doraHai"),
        ura=parse_tiles(attributes, "doraHaiUra"),
        honba=honba,
        sticks=sticks,
    )


def read_draw(attributes: Attributes, changes: tuple[int, ...]) -> DrawRecord:
    """RYUUKYOKU. Tenpai hands are shown at an exhaustive draw (nagashi mangan is one), others at abortive draws."""
    kind = _KIND_OF_DRAW.get(attributes.get("type", ""))
    if kind is None:
        known = ", ".join(text for text in _KIND_OF_DRAW if text)
        raise Fault(f"type is {shortened(attributes['type'])}, expected one of {known}")
    shown = {
        player: parse_tiles(attributes, f"hai{player}") for player in range(PLAYERS) if f"hai{player}" in attributes
    }
    tenpai = tuple(shown) if kind in ("exhaustive draw", "nagashi mangan") else None
    honba, sticks = parse_natural(attributes, "ba", 2)
    return DrawRecord(kind, changes, shown, tenpai, honba, sticks)
