"""Tenhou's mjlog XML 2.3, as its game server stores it.

A file is one `<mjloggm>` of tags without nesting: a header (SHUFFLE, GO, UN, TAIKYOKU), then for every hand INIT, the
plays, and AGARI or RYUUKYOKU. `<T12/>` is a draw of tile id 12 by player 0 (T U V W are the four players), `<D12/>` a
discard (D E F G); N is a meld (`meld_code`), REACH a riichi declared (step 1) or paid (step 2), DORA a new indicator,
BYE a lost connection, a later UN a player's return. `hand` reads the tags of a hand, `values` attributes.

The reader refuses, with a `RecordError` that names hand, tag and character: text that is not well-formed tags, an
unfinished file, unknown tags or attributes (nothing may be lost silently), a tag in the wrong place, three-player
games, values that are not a valid tile, seat or score, a tile that is dealt or drawn twice, a discard or meld of tiles
that are not held or were not discarded, a draw out of turn, a riichi without its discard, a win that the last play does
not allow, and scores that do not add up. It accepts a record that stops early or starts in the middle (`complete` is
then False), connections lost at any time, and two discards in a row, which two real records have: the replay decides
whether play followed the rules. A riichi that is recorded after its discard, as in another real record, is put before
it. An attribute that is written twice counts once, and a returning player keeps the name of the header.

What the model has no field for goes to `extra`. For the game: `names`, `rate` and `owari` if they are spelled
differently from what `write` would write. For a hand: `shuffle`, an old attribute of INIT; `riichi scores`, False if
REACH has none; `concealed kans`, the tile a kan's code names by index of event, if it is not the lowest; `before deal`
and `after result`, how many events at the ends of the list happened between the hands; `late riichi`, the indices of
riichi events that the record has after their discard.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote

from janshi.core.tiles import NUM_IDS
from janshi.records.meld_code import PLAYERS
from janshi.records.mjlog.hand import NOBODY, HandReader, read_draw, read_init, read_win
from janshi.records.mjlog.values import (
    LONGEST_QUOTE,
    Attributes,
    Fault,
    parse_decimals,
    parse_natural,
    parse_seat,
    parse_tile,
    shortened,
)
from janshi.records.mjlog.writer import (
    DISCARD_LETTERS,
    DRAW_LETTERS,
    FAST,
    LEVELS,
    NO_OPEN_TANYAO,
    NO_RED,
    SOUTH,
    THREE_PLAYERS,
    format_names,
    format_owari,
    format_rates,
    parse_owari,
    write,
)
from janshi.records.model import Event, GameRecord, GameRules, HandRecord, Kind, RecordError

__all__ = ["looks_like", "read", "write"]

SNIFFED: Final = 2000

_PROLOGUE: Final = re.compile(r"\s*(?:<\?xml[^<>]*\?>\s*)?")
_TAG: Final = re.compile(r'<(/?[A-Za-z]+[0-9]*)((?:\s+\w+="[^"<>]*")*)\s*/?>\s*|\S[^<]*')
"""A tag's name and attributes; text that is not a tag matches with an empty name."""
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_LEVEL_BITS: Final = max(LEVELS)

_PLAYS: Final = {
    f"{letters[player]}{tile}": (letters is DRAW_LETTERS, player, tile)
    for letters in (DRAW_LETTERS, DISCARD_LETTERS)
    for player in range(PLAYERS)
    for tile in range(NUM_IDS)
}
"""Every draw and discard by its tag."""


def looks_like(text: str) -> bool:
    """Whether a text looks like an mjlog, possibly without its beginning."""
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
    except Fault as fault:
        place = _place(text, begin, done, reader.hands)
        raise RecordError(source, place, _describe(fault, text, begin, done)) from None


def _position(text: str, begin: int, index: int) -> int:
    """Where the tag of an index begins; the text's end if there are fewer."""
    for i, found in enumerate(_TAG.finditer(text, begin)):
        if i == index:
            return found.start()
    return len(text)


def _place(text: str, begin: int, index: int, hands: int) -> str:
    where = f"tag {index + 1} (character {_position(text, begin, index):,})"
    return f"hand {hands}, {where}" if hands else where


def _describe(fault: Fault, text: str, begin: int, index: int) -> str:
    if str(fault):
        return str(fault)
    position = _position(text, begin, index)
    found = shortened(text[position : position + 2 * LONGEST_QUOTE])
    if text[position : position + 1] == "<" and ">" not in text[position:]:
        return f"the text ends within a tag: found {found}"
    return f"found {found}, expected a tag"


def _nothing_dealt() -> HandRecord:
    return HandRecord(round=0, honba=0, sticks=0, scores=(0,) * PLAYERS, dora=0, deals=())


class _GameReader:
    """Reads a game's tags other than draws and discards."""

    def __init__(self, source: str) -> None:
        self.record = GameRecord(hands=[], format="mjlog", source=source)
        self.hand = HandReader(_nothing_dealt())
        self.between: list[Event] = []  # connections lost and restored since the last result
        self.read_once: set[str] = set()
        self.hands = 0
        self.ended = False

    def tag(self, name: str, text: str) -> None:
        """Read one tag."""
        known = _TAGS.get(name)
        if known is None:
            raise Fault(f"unknown tag {shortened(name)}" if name else "")
        if (name == "mjloggm") == bool(self.read_once) or self.ended:
            raise Fault(f"found {name}, expected nothing after </mjloggm>" if self.ended else _misplaced(name))
        handler, needed, allowed = known
        attributes = dict(_ATTRIBUTE.findall(text))
        if not (needed <= attributes.keys() <= allowed):
            raise _wrong_attributes(name, attributes, needed, allowed)
        handler(self, attributes)

    def once(self, name: str) -> None:
        """Header tags come once, before the first hand."""
        if name in self.read_once or self.record.hands:
            raise Fault(f"another {name}, expected one, before the first hand")
        self.read_once.add(name)

    def root(self, attributes: Attributes) -> None:
        """<mjloggm ver="2.3">."""
        self.once("mjloggm")
        if not attributes["ver"].startswith("2."):
            raise Fault(f"ver is {shortened(attributes['ver'])}, expected 2.3")
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
        (bits,) = parse_natural(attributes, "type", 1)
        if bits & THREE_PLAYERS:
            raise Fault(f"type is {bits}, a game of three players, expected four")
        self.record.rules = GameRules(
            rounds=2 if bits & SOUTH else 1,
            red_fives=not bits & NO_RED,
            open_tanyao=not bits & NO_OPEN_TANYAO,
            fast=bool(bits & FAST),
            level=LEVELS.index(bits & _LEVEL_BITS),
            tenhou_type=bits,
        )
        if "lobby" in attributes:
            (self.record.lobby,) = parse_natural(attributes, "lobby", 1)

    def players(self, attributes: Attributes) -> None:
        """UN: all players in the header, later one who returns."""
        if "UN" not in self.read_once and all(f"n{player}" in attributes for player in range(PLAYERS)):
            self.once("UN")
            self.introduce(attributes)
            return
        returned = [player for player in range(PLAYERS) if f"n{player}" in attributes]
        if not returned or len(returned) != len(attributes):
            raise Fault(f"UN has {', '.join(attributes) or 'no attribute'}, expected the name of the returning player")
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
            record.dans = tuple(parse_natural(attributes, "dan", PLAYERS))
        if "rate" in attributes:
            record.rates = parse_decimals(attributes, "rate", PLAYERS)
            if attributes["rate"] != format_rates(record.rates):
                record.extra["rate"] = attributes["rate"]
        if "sx" in attributes:
            record.sexes = tuple(attributes["sx"].split(","))
            if len(record.sexes) != PLAYERS:
                raise Fault(f"sx has {len(record.sexes)} letters, expected {PLAYERS}")

    def seating(self, attributes: Attributes) -> None:
        """<TAIKYOKU oya="0"/>: seat 0 deals first."""
        self.once("TAIKYOKU")
        if parse_seat(attributes, "oya") != 0:
            raise Fault(f"oya is {attributes['oya']}, expected 0: seat 0 deals first")

    def leave(self, attributes: Attributes) -> None:
        """<BYE who="2"/>."""
        self.connection(Event(Kind.LEAVE, parse_seat(attributes, "who")))

    def connection(self, event: Event) -> None:
        """A player leaves or returns, within a hand or between hands."""
        (self.between if self.hand.turn == NOBODY else self.hand.events).append(event)

    def init(self, attributes: Attributes) -> None:
        """INIT: a new hand."""
        self.hands += 1
        if self.hand.turn != NOBODY:
            raise Fault("INIT within a hand, expected its result first")
        if "GO" not in self.read_once:
            raise Fault("INIT, expected GO first")
        if self.record.final_scores is not None:
            raise Fault("INIT after the game's end, expected </mjloggm>")
        hand = read_init(attributes)
        if self.between:
            hand.events += self.between
            hand.extra["before deal"] = len(self.between)
            self.between.clear()
        if "shuffle" in attributes:
            hand.extra["shuffle"] = attributes["shuffle"]
        self.record.hands.append(hand)
        self.hand = HandReader(hand)
        self.hand.deal()

    def meld(self, attributes: Attributes) -> None:
        """<N who="2" m="4215"/>."""
        (code,) = parse_natural(attributes, "m", 1)
        self.hand.meld(parse_seat(attributes, "who"), code)

    def riichi(self, attributes: Attributes) -> None:
        """REACH."""
        self.hand.riichi(parse_seat(attributes, "who"), attributes)

    def dora(self, attributes: Attributes) -> None:
        """<DORA hai="12"/>."""
        self.hand.dora(parse_tile(attributes, "hai"))

    def win(self, attributes: Attributes) -> None:
        """AGARI; a second one may follow the first."""
        hand = self.hand
        if not hand.record.wins:
            hand.must_be_open()
        win = read_win(attributes, hand.pay(attributes))
        hand.check_winner(win)
        hand.record.wins.append(win)
        self.result(attributes)

    def draw(self, attributes: Attributes) -> None:
        """RYUUKYOKU."""
        hand = self.hand
        hand.must_be_open()
        hand.record.draw = read_draw(attributes, hand.pay(attributes))
        self.result(attributes)

    def result(self, attributes: Attributes) -> None:
        """After a result the hand is over, and with owari the game."""
        self.hand.close()
        if self.record.final_scores is not None:
            raise Fault("a result after the game's end, expected </mjloggm>")
        if "owari" not in attributes:
            return
        record = self.record
        parse_decimals(attributes, "owari", 2 * PLAYERS)
        try:
            record.final_scores, record.final_points = parse_owari(attributes["owari"])
        except ValueError:
            raise Fault(f"owari is {attributes['owari']}, expected scores in hundreds and points") from None
        if attributes["owari"] != format_owari(record.final_scores, record.final_points):
            record.extra["owari"] = attributes["owari"]

    def finish(self) -> GameRecord:
        """The record, when all tags are read."""
        record = self.record
        if not self.ended:
            raise Fault("the text ends, expected </mjloggm>" if self.read_once else "no tag found, expected <mjloggm>")
        if not record.hands:
            raise Fault("no hand found, expected INIT")
        if self.between:
            record.hands[-1].events += self.between
            record.hands[-1].extra["after result"] = len(self.between)
        first = record.hands[0]
        record.complete = record.final_scores is not None and first.round == first.honba == 0
        return record


def _misplaced(name: str) -> str:
    return f"found {name}, expected <mjloggm> first" if name != "mjloggm" else "another <mjloggm>, expected one"


def _wrong_attributes(name: str, found: Attributes, needed: set[str], allowed: set[str]) -> Fault:
    missing, unknown = sorted(needed - found.keys()), sorted(found.keys() - allowed)
    if missing:
        return Fault(f"{name} has no {', '.join(missing)}")
    return Fault(f"{name} has unknown {', '.join(map(shortened, unknown))}, expected {', '.join(sorted(allowed))}")


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
"""Tags: their reader, the attributes they need, and all they may have."""
