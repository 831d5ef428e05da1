"""Tenhou's mjlog XML 2.3, as its game server keeps it.

A file is one `<mjloggm>` of tags without nesting: a header (SHUFFLE, GO, UN, TAIKYOKU), then for every hand INIT, the
plays, and AGARI or RYUUKYOKU. `<T12/>` is a draw of tile id 12 by player 0 (T U V W are the four players), `<D12/>` a
discard (D E F G); N is a meld (`meld_code`), REACH a riichi declared (step 1) or paid (step 2), DORA a new indicator,
BYE a lost connection, a later UN a player's return.

What the reader refuses, with a `RecordError` that names hand, tag and character: text that is not made of well-formed
tags, an unfinished file, unknown tags or attributes (nothing may be lost silently), a tag in the wrong place,
three-player games, values that are no tile, seat or score, a tile that is dealt or drawn twice, a discard or meld of
tiles that are not held or were not discarded, a draw out of turn, and scores that do not add up. What it takes: a
record that stops early or starts in the middle (`complete` is then False), connections lost at any time, and two
discards in a row, which two real records have: whether play followed the rules is for the replay to say. An attribute
that is written twice counts once, and who returns has the name of the header.

What the model has no field for goes to `extra`. Of the game: `names`, `rate` and `owari` when they are spelled in
another way than `write` would. Of a hand: `shuffle`, an old attribute of INIT; `riichi scores`, False if REACH does not
tell them; `concealed kans`, the tile a kan's code names by index of event, when it is not the lowest; `before deal`
and `after result`, how many events at the ends of the list happened between the hands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote

from janshi.core.tiles import NUM_IDS
from janshi.records.meld_code import PLAYERS, called_place, concealed_tile, decode_meld
from janshi.records.mjlog_write import (
    DISCARD_LETTERS,
    DRAW_LETTERS,
    DRAW_TYPES,
    FAST,
    LEVELS,
    NO_OPEN_TANYAO,
    NO_RED,
    SOUTH,
    STICK,
    THREE_PLAYERS,
    UNIT,
    format_names,
    format_owari,
    format_rates,
    parse_owari,
    write,
)
from janshi.records.model import DrawRecord, Event, GameRecord, GameRules, HandRecord, Kind, RecordError, WinRecord

__all__ = ["looks_like", "read", "write"]

Attributes = dict[str, str]

DEAL: Final = 13
DIE_SIDES: Final = 6
NOBODY: Final = -1
LONGEST_QUOTE: Final = 60
SNIFFED: Final = 2000

_PROLOGUE: Final = re.compile(r"\s*(?:<\?xml[^<>]*\?>\s*)?")
_TAG: Final = re.compile(r'<(/?[A-Za-z]+[0-9]*)((?:\s+\w+="[^"<>]*")*)\s*/?>\s*|\S[^<]*')
"""A tag's name and attributes; what is no tag matches with an empty name."""
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_WHOLE_NUMBERS: Final = re.compile(r"-?[0-9]{1,7}(?:,-?[0-9]{1,7})*")
_DECIMALS: Final = re.compile(r"-?[0-9]{1,7}(?:\.[0-9]{1,4})?(?:,-?[0-9]{1,7}(?:\.[0-9]{1,4})?)*")
_TILES: Final = {str(tile): tile for tile in range(NUM_IDS)}
_SEATS: Final = {str(seat): seat for seat in range(PLAYERS)}
_KIND_OF_DRAW: Final = {text: kind for kind, text in DRAW_TYPES.items()}
_LEVEL_BITS: Final = max(LEVELS)

# Where a tile is: in the wall (0), shown as an indicator, in a player's hand (HELD + seat), discarded or in a meld.
_WALL, _INDICATOR, _DISCARDED, _MELDED, _HELD = 0, 1, 2, 3, 4

_DRAWS: Final = tuple(tuple(Event(Kind.DRAW, player, tile) for tile in range(NUM_IDS)) for player in range(PLAYERS))
_DISCARDS: Final = tuple(
    tuple(tuple(Event(Kind.DISCARD, player, tile, tsumogiri=same) for same in (False, True)) for tile in range(NUM_IDS))
    for player in range(PLAYERS)
)
_PLAYS: Final = {
    f"{letters[player]}{tile}": (letters is DRAW_LETTERS, player, tile)
    for letters in (DRAW_LETTERS, DISCARD_LETTERS)
    for player in range(PLAYERS)
    for tile in range(NUM_IDS)
}
"""Every draw and discard by its tag. Events do not change, so that all records share them."""


def looks_like(text: str) -> bool:
    """Whether a text seems to be an mjlog, maybe one that has lost its beginning."""
    start = text[:SNIFFED].lstrip()
    return start.startswith("<") and ("<mjloggm" in start or "<INIT " in text)


def read(text: str, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    start = _PROLOGUE.match(text)
    begin = start.end() if start else 0
    tags: list[tuple[str, str]] = _TAG.findall(text, begin)
    reader = _GameReader(source)
    done = 0
    try:
        for name, attributes in tags:
            play = _PLAYS.get(name)
            if play is None:
                reader.tag(name, attributes)
            elif play[0]:
                reader.hand.draw(play[1], play[2])
            else:
                reader.hand.discard(play[1], play[2])
            done += 1
        return reader.finish()
    except _Fault as fault:
        place = _place(text, begin, done, reader.hands)
        raise RecordError(source, place, _describe(fault, text, begin, done)) from None


class _Fault(Exception):
    """What is wrong with the tag being read. An empty message stands for text that is no tag."""


def _position(text: str, begin: int, index: int) -> int:
    """Where the tag of an index begins; the text's end if there are fewer."""
    for i, found in enumerate(_TAG.finditer(text, begin)):
        if i == index:
            return found.start()
    return len(text)


def _place(text: str, begin: int, index: int, hands: int) -> str:
    where = f"tag {index + 1} (character {_position(text, begin, index):,})"
    return f"hand {hands}, {where}" if hands else where


def _describe(fault: _Fault, text: str, begin: int, index: int) -> str:
    if str(fault):
        return str(fault)
    position = _position(text, begin, index)
    return f"found {_shortened(text[position : position + 2 * LONGEST_QUOTE])}, expected a tag"


def _shortened(text: str) -> str:
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")


# Values of attributes ------------------------------------------------------------------------------------------------


def _numbers(attributes: Attributes, name: str, count: int | None = None) -> list[int]:
    """The whole numbers of an attribute; an absent one has none."""
    text = attributes.get(name)
    if not text:
        numbers = []
    elif _WHOLE_NUMBERS.fullmatch(text):
        numbers = [int(number) for number in text.split(",")]
    else:
        raise _Fault(f"{name} is {_shortened(text)}, expected whole numbers")
    if count is not None and len(numbers) != count:
        raise _Fault(f"{name} has {len(numbers)} numbers, expected {count}")
    return numbers


def _natural(attributes: Attributes, name: str, count: int) -> list[int]:
    """Whole numbers of which none is negative."""
    numbers = _numbers(attributes, name, count)
    if min(numbers) < 0:
        raise _Fault(f"{name} is {_shortened(attributes[name])}, expected no negative number")
    return numbers


def _decimals(attributes: Attributes, name: str, count: int) -> tuple[float, ...]:
    text = attributes[name]
    if not _DECIMALS.fullmatch(text):
        raise _Fault(f"{name} is {_shortened(text)}, expected numbers")
    numbers = tuple(float(number) for number in text.split(","))
    if len(numbers) != count:
        raise _Fault(f"{name} has {len(numbers)} numbers, expected {count}")
    return numbers


def _tiles(attributes: Attributes, name: str) -> tuple[int, ...]:
    """The tile ids of an attribute; an absent one has none."""
    text = attributes.get(name)
    if not text:
        return ()
    try:
        return tuple([_TILES[tile] for tile in text.split(",")])
    except KeyError as wrong:
        raise _Fault(f"{name} holds {_shortened(wrong.args[0])}, expected tile ids 0 to {NUM_IDS - 1}") from None


def _tile(attributes: Attributes, name: str) -> int:
    tiles = _tiles(attributes, name)
    if len(tiles) != 1:
        raise _Fault(f"{name} is {_shortened(attributes[name])}, expected one tile id")
    return tiles[0]


def _seat(attributes: Attributes, name: str) -> int:
    seat = _SEATS.get(attributes[name])
    if seat is None:
        raise _Fault(f"{name} is {_shortened(attributes[name])}, expected a seat 0 to {PLAYERS - 1}")
    return seat


def _scores(attributes: Attributes, name: str) -> tuple[int, ...]:
    return tuple(UNIT * score for score in _numbers(attributes, name, PLAYERS))


# Hands ---------------------------------------------------------------------------------------------------------------


class _HandReader:
    """Reads a hand's tags and follows where every tile is and whose turn it is.

    Before INIT and after a result nobody may act: `drawer`, who may draw next, and `turn`, who may act, are NOBODY.
    """

    __slots__ = ("discarded", "drawer", "drawn", "events", "pons", "record", "scores", "turn", "where")

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.events = record.events
        self.where = bytearray(NUM_IDS)
        self.drawer = self.turn = NOBODY
        self.drawn = NOBODY  # the tile drawn by the player in turn
        self.discarded = NOBODY  # the tile last discarded, as long as it can be called
        self.scores = list(record.scores)
        self.pons: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}

    def deal(self) -> None:
        """Place what INIT tells and give the dealer the first draw."""
        self.place(self.record.dora, _INDICATOR)
        for player, tiles in enumerate(self.record.deals):
            for tile in tiles:
                self.place(tile, _HELD + player)
        self.drawer = self.turn = self.record.dealer

    def place(self, tile: int, where: int) -> None:
        """Take a tile from the wall."""
        if self.where[tile] != _WALL:
            raise _Fault(f"tile {tile} appears twice, expected one that is still in the wall")
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
        """<D12/>; a second discard in a row is let through."""
        if player != self.turn or self.where[tile] != _HELD + player:
            raise self.bad_discard(player, tile)
        self.where[tile] = _DISCARDED
        self.drawer = (player + 1) % PLAYERS
        self.discarded = tile
        self.events.append(_DISCARDS[player][tile][tile == self.drawn])
        self.drawn = NOBODY

    def bad_draw(self, player: int, tile: int) -> _Fault:
        """Why a draw cannot be."""
        self.must_be_open()
        if player != self.drawer:
            expected = f"player {self.drawer}" if self.drawer != NOBODY else "a discard or a result"
            return _Fault(f"player {player} draws out of turn, expected {expected}")
        return _Fault(f"tile {tile} is drawn, expected one that is still in the wall")

    def bad_discard(self, player: int, tile: int) -> _Fault:
        """Why a discard cannot be."""
        self.must_be_open()
        if player != self.turn:
            return _Fault(f"player {player} discards, expected player {self.turn} to act")
        return _Fault(f"player {player} discards tile {tile}, expected a tile in hand")

    def must_be_open(self) -> None:
        """Refuse a play when no hand is being played."""
        if self.turn == NOBODY:
            raise _Fault("a play outside a hand, expected INIT first")

    def meld(self, player: int, code: int) -> None:
        """A chi, pon or kan."""
        self.must_be_open()
        try:
            event = decode_meld(code, player)
        except ValueError as wrong:
            raise _Fault(f"m: {wrong}") from None
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
                raise _Fault(f"player {player} melds tile {tile}, expected a tile in hand")
            self.where[tile] = _MELDED

    def call(self, event: Event, code: int) -> None:
        if event.tile != self.discarded or event.source != self.turn or event.source == event.player:
            raise _Fault(f"tile {event.tile} of player {event.source} is called, expected the last discard")
        self.take(event.player, event.tiles)
        self.where[event.tile] = _MELDED
        if event.kind == Kind.PON:
            tiles = tuple(sorted((*event.tiles, event.tile)))
            self.pons[event.player, tiles] = (called_place(code), event.source)

    def add_to_pon(self, event: Event, code: int) -> None:
        if self.pons.get((event.player, event.tiles)) != (called_place(code), event.source):
            raise _Fault(f"player {event.player} adds tile {event.tile} to a pon, expected one made before")
        self.take(event.player, (event.tile,))

    def conceal(self, event: Event, code: int) -> None:
        self.take(event.player, event.tiles)
        if concealed_tile(code) != event.tiles[0]:
            kans = self.record.extra.setdefault("concealed kans", {})
            assert isinstance(kans, dict)
            kans[len(self.events)] = concealed_tile(code)

    def riichi(self, player: int, attributes: Attributes) -> None:
        """REACH of both steps."""
        self.must_be_open()
        if attributes["step"] == "1":
            self.events.append(Event(Kind.RIICHI, player))
        elif attributes["step"] == "2":
            self.riichi_paid(player, attributes)
        else:
            raise _Fault(f"step is {_shortened(attributes['step'])}, expected 1 or 2")

    def riichi_paid(self, player: int, attributes: Attributes) -> None:
        self.scores[player] -= STICK
        if "ten" not in attributes:
            self.record.extra["riichi scores"] = False
        elif _scores(attributes, "ten") != tuple(self.scores):
            raise _Fault(f"ten is {attributes['ten']}, expected {[score // UNIT for score in self.scores]}")
        self.events.append(Event(Kind.RIICHI_PAID, player))

    def dora(self, tile: int) -> None:
        """A new indicator."""
        self.must_be_open()
        self.place(tile, _INDICATOR)
        self.events.append(Event(Kind.DORA, NOBODY, tile))

    def pay(self, attributes: Attributes) -> tuple[int, ...]:
        """The changes that a result tells, after a check of the scores before."""
        numbers = _numbers(attributes, "sc", 2 * PLAYERS)
        if [UNIT * score for score in numbers[::2]] != self.scores:
            raise _Fault(f"sc tells scores {numbers[::2]}, expected {[score // UNIT for score in self.scores]}")
        changes = tuple(UNIT * change for change in numbers[1::2])
        self.scores = [score + change for score, change in zip(self.scores, changes)]
        return changes

    def close(self) -> None:
        """Nobody acts after a result."""
        self.turn = self.drawer = NOBODY


def _read_win(attributes: Attributes, changes: tuple[int, ...]) -> WinRecord:
    """AGARI. Attributes that a writer did not know are absent."""
    yaku = _numbers(attributes, "yaku")
    if len(yaku) % 2:
        raise _Fault(f"yaku has {len(yaku)} numbers, expected pairs of yaku and han")
    fu, points, limit = _natural(attributes, "ten", 3) if "ten" in attributes else (None, None, None)
    if not (attributes["hai"] and attributes["doraHai"]):
        raise _Fault("AGARI has an empty hai or doraHai, expected tile ids")
    honba, sticks = _natural(attributes, "ba", 2)
    return WinRecord(
        winner=_seat(attributes, "who"),
        loser=_seat(attributes, "fromWho"),
        changes=changes,
        tile=_tile(attributes, "machi"),
        liable=_seat(attributes, "paoWho") if "paoWho" in attributes else None,
        fu=fu,
        han=sum(yaku[1::2]) if yaku else None,
        points=points,
        limit=limit,
        yaku=tuple(zip(yaku[::2], yaku[1::2])),
        yakuman=tuple(_numbers(attributes, "yakuman")),
        hand=_tiles(attributes, "hai"),
        melds=tuple(_numbers(attributes, "m")),
        dora=_tiles(attributes, "doraHai"),
        ura=_tiles(attributes, "doraHaiUra"),
        honba=honba,
        sticks=sticks,
    )


def _read_draw(attributes: Attributes, changes: tuple[int, ...]) -> DrawRecord:
    """RYUUKYOKU. Tenpai hands are shown at an exhaustive draw (nagashi mangan is one), others at abortive draws."""
    kind = _KIND_OF_DRAW.get(attributes.get("type", ""))
    if kind is None:
        known = ", ".join(text for text in _KIND_OF_DRAW if text)
        raise _Fault(f"type is {_shortened(attributes['type'])}, expected one of {known}")
    shown = {player: _tiles(attributes, f"hai{player}") for player in range(PLAYERS) if f"hai{player}" in attributes}
    tenpai = tuple(shown) if kind in ("exhaustive draw", "nagashi mangan") else None
    honba, sticks = _natural(attributes, "ba", 2)
    return DrawRecord(kind, changes, shown, tenpai, honba, sticks)


# Games ---------------------------------------------------------------------------------------------------------------


def _nothing_dealt() -> HandRecord:
    return HandRecord(round=0, honba=0, sticks=0, scores=(0,) * PLAYERS, dora=0, deals=())


class _GameReader:
    """Reads a game's tags other than draws and discards."""

    def __init__(self, source: str) -> None:
        self.record = GameRecord(hands=[], format="mjlog", source=source)
        self.hand = _HandReader(_nothing_dealt())
        self.between: list[Event] = []  # connections lost and found since the last result
        self.read_once: set[str] = set()
        self.hands = 0
        self.ended = False

    def tag(self, name: str, text: str) -> None:
        """Read one tag."""
        known = _TAGS.get(name)
        if known is None:
            raise _Fault(f"unknown tag {_shortened(name)}" if name else "")
        if (name == "mjloggm") == bool(self.read_once) or self.ended:
            raise _Fault(f"found {name}, expected nothing after </mjloggm>" if self.ended else _misplaced(name))
        handler, needed, allowed = known
        attributes = dict(_ATTRIBUTE.findall(text))
        if not (needed <= attributes.keys() <= allowed):
            raise _wrong_attributes(name, attributes, needed, allowed)
        handler(self, attributes)

    def once(self, name: str) -> None:
        """Header tags come once, before the first hand."""
        if name in self.read_once or self.record.hands:
            raise _Fault(f"another {name}, expected one, before the first hand")
        self.read_once.add(name)

    def root(self, attributes: Attributes) -> None:
        """<mjloggm ver="2.3">."""
        self.once("mjloggm")
        if not attributes["ver"].startswith("2."):
            raise _Fault(f"ver is {_shortened(attributes['ver'])}, expected 2.3")
        self.record.version = attributes["ver"]

    def end(self, attributes: Attributes) -> None:
        """</mjloggm>."""
        self.ended = True

    def shuffle(self, attributes: Attributes) -> None:
        """<SHUFFLE seed="..." ref=""/>."""
        self.once("SHUFFLE")
        self.record.seed, self.record.seed_ref = attributes["seed"], attributes.get("ref", "")

    def go(self, attributes: Attributes) -> None:
        """<GO type="169" lobby="0"/>."""
        self.once("GO")
        (bits,) = _natural(attributes, "type", 1)
        if bits & THREE_PLAYERS:
            raise _Fault(f"type is {bits}, a game of three players, expected four")
        self.record.rules = GameRules(
            rounds=2 if bits & SOUTH else 1,
            red_fives=not bits & NO_RED,
            open_tanyao=not bits & NO_OPEN_TANYAO,
            fast=bool(bits & FAST),
            level=LEVELS.index(bits & _LEVEL_BITS),
            tenhou_type=bits,
        )
        if "lobby" in attributes:
            (self.record.lobby,) = _natural(attributes, "lobby", 1)

    def players(self, attributes: Attributes) -> None:
        """UN: all players in the header, later one who returns."""
        if "UN" not in self.read_once and all(f"n{player}" in attributes for player in range(PLAYERS)):
            self.once("UN")
            self.introduce(attributes)
            return
        returned = [player for player in range(PLAYERS) if f"n{player}" in attributes]
        if not returned or len(returned) != len(attributes):
            raise _Fault(f"UN has {', '.join(attributes) or 'no attribute'}, expected the name of who returns")
        for player in returned:
            self.connection(Event(Kind.RETURN, player))

    def introduce(self, attributes: Attributes) -> None:
        """The players' names, dan, ratings and sexes."""
        record = self.record
        found = tuple(attributes[f"n{player}"] for player in range(PLAYERS))
        record.names = tuple(unquote(name) for name in found)
        if found != format_names(record.names):
            record.extra["names"] = found
        if "dan" in attributes:
            record.dans = tuple(_natural(attributes, "dan", PLAYERS))
        if "rate" in attributes:
            record.rates = _decimals(attributes, "rate", PLAYERS)
            if attributes["rate"] != format_rates(record.rates):
                record.extra["rate"] = attributes["rate"]
        if "sx" in attributes:
            record.sexes = tuple(attributes["sx"].split(","))
            if len(record.sexes) != PLAYERS:
                raise _Fault(f"sx has {len(record.sexes)} letters, expected {PLAYERS}")

    def seating(self, attributes: Attributes) -> None:
        """<TAIKYOKU oya="0"/>: seat 0 deals first."""
        self.once("TAIKYOKU")
        if _seat(attributes, "oya") != 0:
            raise _Fault(f"oya is {attributes['oya']}, expected 0: seat 0 deals first")

    def leave(self, attributes: Attributes) -> None:
        """<BYE who="2"/>."""
        self.connection(Event(Kind.LEAVE, _seat(attributes, "who")))

    def connection(self, event: Event) -> None:
        """A player leaves or returns, within a hand or between hands."""
        (self.between if self.hand.turn == NOBODY else self.hand.events).append(event)

    def init(self, attributes: Attributes) -> None:
        """INIT: a new hand."""
        self.hands += 1
        if self.hand.turn != NOBODY:
            raise _Fault("INIT within a hand, expected its result first")
        if "GO" not in self.read_once:
            raise _Fault("INIT, expected GO first")
        if self.record.final_scores is not None:
            raise _Fault("INIT after the game's end, expected </mjloggm>")
        hand = _read_init(attributes)
        if self.between:
            hand.events += self.between
            hand.extra["before deal"] = len(self.between)
            self.between.clear()
        if "shuffle" in attributes:
            hand.extra["shuffle"] = attributes["shuffle"]
        self.record.hands.append(hand)
        self.hand = _HandReader(hand)
        self.hand.deal()

    def meld(self, attributes: Attributes) -> None:
        """<N who="2" m="4215"/>."""
        (code,) = _natural(attributes, "m", 1)
        self.hand.meld(_seat(attributes, "who"), code)

    def riichi(self, attributes: Attributes) -> None:
        """REACH."""
        self.hand.riichi(_seat(attributes, "who"), attributes)

    def dora(self, attributes: Attributes) -> None:
        """<DORA hai="12"/>."""
        self.hand.dora(_tile(attributes, "hai"))

    def win(self, attributes: Attributes) -> None:
        """AGARI; a second one may follow the first."""
        hand = self.hand
        if not hand.record.wins:
            hand.must_be_open()
        hand.record.wins.append(_read_win(attributes, hand.pay(attributes)))
        self.result(attributes)

    def draw(self, attributes: Attributes) -> None:
        """RYUUKYOKU."""
        hand = self.hand
        hand.must_be_open()
        hand.record.draw = _read_draw(attributes, hand.pay(attributes))
        self.result(attributes)

    def result(self, attributes: Attributes) -> None:
        """After a result: the hand is over, and with owari the game."""
        self.hand.close()
        if self.record.final_scores is not None:
            raise _Fault("a result after the game's end, expected </mjloggm>")
        if "owari" not in attributes:
            return
        record = self.record
        _decimals(attributes, "owari", 2 * PLAYERS)
        try:
            record.final_scores, record.final_points = parse_owari(attributes["owari"])
        except ValueError:
            raise _Fault(f"owari is {attributes['owari']}, expected scores in hundreds and points") from None
        if attributes["owari"] != format_owari(record.final_scores, record.final_points):
            record.extra["owari"] = attributes["owari"]

    def finish(self) -> GameRecord:
        """The record, when all tags are read."""
        record = self.record
        if not self.ended:
            raise _Fault("the text ends, expected </mjloggm>" if self.read_once else "no tag found, expected <mjloggm>")
        if not record.hands:
            raise _Fault("no hand found, expected INIT")
        if self.between:
            record.hands[-1].events += self.between
            record.hands[-1].extra["after result"] = len(self.between)
        first = record.hands[0]
        record.complete = record.final_scores is not None and first.round == first.honba == 0
        return record


def _read_init(attributes: Attributes) -> HandRecord:
    """INIT without its tiles' places."""
    number, honba, sticks, die, other, _ = _natural(attributes, "seed", 6)
    dora = _TILES.get(attributes["seed"].rpartition(",")[2])
    if dora is None or die >= DIE_SIDES or other >= DIE_SIDES:
        raise _Fault(f"seed is {attributes['seed']}, expected round, honba, sticks, two dice of 0 to 5 and a tile id")
    if _seat(attributes, "oya") != number % PLAYERS:
        raise _Fault(f"oya is {attributes['oya']}, expected {number % PLAYERS} in round {number}")
    deals = tuple(_tiles(attributes, f"hai{player}") for player in range(PLAYERS))
    for player, deal in enumerate(deals):
        if len(deal) != DEAL:
            raise _Fault(f"hai{player} has {len(deal)} tiles, expected {DEAL}")
    scores = _scores(attributes, "ten")
    return HandRecord(number, honba, sticks, scores, dora, deals, dice=(die, other))


def _misplaced(name: str) -> str:
    return f"found {name}, expected <mjloggm> first" if name != "mjloggm" else "another <mjloggm>, expected one"


def _wrong_attributes(name: str, found: Attributes, needed: set[str], allowed: set[str]) -> _Fault:
    missing, unknown = sorted(needed - found.keys()), sorted(found.keys() - allowed)
    if missing:
        return _Fault(f"{name} has no {', '.join(missing)}")
    return _Fault(f"{name} has unknown {', '.join(map(_shortened, unknown))}, expected {', '.join(sorted(allowed))}")


Handler = Callable[[_GameReader, Attributes], None]


def _known(handler: Handler, needed: str, optional: str = "") -> tuple[Handler, set[str], set[str]]:
    return handler, set(needed.split()), {*needed.split(), *optional.split()}


_TAGS: Final = {
    "mjloggm": _known(_GameReader.root, "ver"),
    "SHUFFLE": _known(_GameReader.shuffle, "seed", "ref"),
    "GO": _known(_GameReader.go, "type", "lobby"),
    "UN": _known(_GameReader.players, "", "n0 n1 n2 n3 dan rate sx"),
    "TAIKYOKU": _known(_GameReader.seating, "oya"),
    "INIT": _known(_GameReader.init, "seed ten oya hai0 hai1 hai2 hai3", "shuffle"),
    "N": _known(_GameReader.meld, "who m"),
    "REACH": _known(_GameReader.riichi, "who step", "ten"),
    "DORA": _known(_GameReader.dora, "hai"),
    "BYE": _known(_GameReader.leave, "who"),
    "AGARI": _known(
        _GameReader.win,
        "ba hai machi doraHai who fromWho sc",
        "m ten yaku yakuman doraHaiUra paoWho owari",
    ),
    "RYUUKYOKU": _known(_GameReader.draw, "ba sc", "type hai0 hai1 hai2 hai3 owari"),
    "/mjloggm": _known(_GameReader.end, ""),
}
"""Tags: who reads them, the attributes they need, all that they may have."""
