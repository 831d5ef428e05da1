"""Reading kobalab's JSON: see the package."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeGuard, TypeVar

from janshi.core.tiles import FIRST_RED, NUM_KINDS, RANKS
from janshi.records.ids import PLAYERS, HandBuilder, hand_name
from janshi.records.limits import MOST_COUNTERS, YAKUMAN_LIMIT, limit_number
from janshi.records.model import DrawRecord, GameRecord, GameRules, HandRecord, Kind, RecordError, WinRecord
from janshi.records.placement import PlacedHand
from janshi.records.tenhou6.words import YAKU_WORDS
from janshi.rules.riichi.yaku import DRAGON, KOKUSHI_13

T = TypeVar("T")
SNIFFED: Final = 1 << 16
MAX_NUMBER: Final = 1 << 20
HONOURS: Final = NUM_KINDS - 7
_DEAL: Final = re.compile(r'"qipai"\s*:\s*\{')
_SUITS: Final = "mps"
_HAND: Final = re.compile(r"(?:[mps][0-9]*|z[1-7]*)*")
_DISCARD: Final = re.compile(r"([mpsz][0-9])(_?)(\*?)")
_CALL: Final = re.compile(r"([mpsz])([0-9]+)([-=+])([0-9]{0,2})")
_KAN: Final = re.compile(r"([mpsz])([0-9]{4})")
_ADDED: Final = re.compile(r"([mpsz])([0-9]{3})[-=+]([0-9])")
_POINTS: Final = re.compile(r"[-+]?[0-9]{1,4}(\.[0-9])?")
SOURCES: Final = {"+": 1, "=": 2, "-": 3}
"""How many seats after the caller the tile came from."""
CALL_TILES: Final = {3: Kind.PON, 4: Kind.OPEN_KAN}
DRAWS: Final = {
    "荒牌平局": "exhaustive draw",
    "流局": "exhaustive draw",
    "流し満貫": "nagashi mangan",
    "九種九牌": "nine terminals",
    "四風連打": "four winds",
    "四家立直": "four riichi",
    "四開槓": "four kans",
    "三家和": "triple ron",
}
YAKU: Final = {
    **{word: number for number, word in enumerate(YAKU_WORDS)},
    **{f"翻牌 {dragon}": DRAGON + i for i, dragon in enumerate("白發中")},
    "ダブル立直": YAKU_WORDS.index("両立直"),
    "国士無双十三面": KOKUSHI_13,
}
"""Numbers of the yaku by their names here."""
DOUBLE: Final = "**"
"""Stands for the han of a double yakuman."""


def looks_like(text: str) -> bool:
    """Whether a text looks like kobalab's JSON."""
    start = text[:SNIFFED].lstrip()
    return start[:1] == "{" and _DEAL.search(start) is not None


def read(text: str, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    try:
        game = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise RecordError(source, f"line {wrong.lineno} column {wrong.colno}", f"not JSON: {wrong.msg}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise RecordError(source, "", "unreadable JSON: nested too deep, or a number too long") from wrong
    if not isinstance(game, dict) or not isinstance(game.get("log"), list) or not game["log"]:
        raise RecordError(source, "", 'expected "log", a list of hands')
    rules = GameRules(red_fives=re.search(r'"[^"]*[mps][1-9]*0', text) is not None)
    rules.preset = "mahjong_soul" if f'"{DOUBLE}' in text else "tenhou"
    record = GameRecord([], rules, format="majiang", source=source, exact_ids=False)
    for number, events in enumerate(game["log"]):
        record.hands.append(_Hand(events, number, rules, source).read())
    rules.rounds = 1 if record.hands[-1].round == PLAYERS - 1 and "defen" in game else 2
    rules.text = f"電脳麻将{'東' if rules.rounds == 1 else '南'}"
    _read_header(record, game, source)
    return record


def _read_header(record: GameRecord, game: dict[str, Any], source: str) -> None:
    first = game.get("qijia", 0)
    if type(first) is not int or not 0 <= first < PLAYERS:
        raise RecordError(source, '"qijia"', f"found {first!r:.60}, expected 0 to 3")
    seats = [(first + seat) % PLAYERS for seat in range(PLAYERS)]
    names, title = game.get("player"), game.get("title")
    if _are(names, str):
        record.names = tuple(names[player].split("\n")[0] for player in seats)
    if isinstance(title, str) and title:
        record.title = tuple(title.split("\n"))
    scores = game.get("defen")
    record.complete = scores is not None and bool(record.hands[-1].wins or record.hands[-1].draw)
    if scores is not None:
        if not _are(scores, int) or any(abs(score) >= MAX_NUMBER for score in scores):
            raise RecordError(source, '"defen"', f"found {scores!r:.60}, expected four whole numbers")
        record.final_scores = tuple(scores[player] for player in seats)
        points = game.get("point")
        if _are(points, str) and all(map(_POINTS.fullmatch, points)):
            record.final_points = tuple(float(points[player]) for player in seats)


def _are(values: Any, kind: type[T]) -> TypeGuard[list[T]]:
    """Whether something is a list of one value of a type for each player."""
    return isinstance(values, list) and len(values) == PLAYERS and all(type(value) is kind for value in values)


class _Hand:
    """Reads the events of one hand."""

    def __init__(self, events: Any, number: int, rules: GameRules, source: str) -> None:
        self.source, self.rules, self.place = source, rules, f"hand {number + 1}"
        self.events = [self._event(event) for event in events] if isinstance(events, list) else []
        if not self.events or self.events[0][0] != "qipai":
            self.fail("expected a list of events that begins with qipai")
        deal = self.events[0][1]
        wind, dealer, honba, sticks = (
            self.number(deal, key) for key in ("zhuangfeng", "jushu", "changbang", "lizhibang")
        )
        if wind >= PLAYERS or dealer >= PLAYERS:
            self.fail(f"round {wind}, {dealer}: expected 0 to 3")
        if max(honba, sticks) > MOST_COUNTERS:
            self.fail(f"honba and sticks are {honba}, {sticks}: expected 0 to {MOST_COUNTERS}")
        self.place = hand_name(number, PLAYERS * wind + dealer, honba)
        self.hand = HandRecord(PLAYERS * wind + dealer, honba, sticks, self.by_seat(self.points(deal, "defen")), -1, ())
        hands = deal.get("shoupai")
        if not _are(hands, str):
            self.fail(f"deals are {hands!r:.60}: expected four hands")
        turned = [self.tile(event.get("baopai")) for kind, event in self.events if kind == "kaigang"]
        indicators = [self.tile(deal.get("baopai")), *turned]
        deals = [self.tiles(hand) for hand in self.by_seat(hands)]
        self.builder = HandBuilder(deals, indicators[0], dealer, rules.red_fives, source, self.place)
        self.hand.dora, self.hand.deals = self.builder.indicators[0], self.builder.deals
        self.play = PlacedHand(self.builder, indicators)
        self.ura: list[int] = []

    def fail(self, problem: str) -> NoReturn:
        """Refuse the record, naming the hand."""
        raise RecordError(self.source, self.place, problem)

    # --- fields

    def _event(self, event: Any) -> tuple[str, dict[str, Any]]:
        kind, fields = next(iter(event.items())) if isinstance(event, dict) and len(event) == 1 else ("", None)
        if kind not in (*_HANDLERS, "qipai") or not isinstance(fields, dict):
            self.fail(f"found {event!r:.60}, expected an event such as zimo or dapai")
        return kind, fields

    def number(self, fields: dict[str, Any], key: str) -> int:
        """A whole number that is not negative."""
        value = fields.get(key)
        if type(value) is not int or not 0 <= value < MAX_NUMBER:
            self.fail(f"{key} is {value!r:.60}: expected a whole number")
        return value

    def points(self, fields: dict[str, Any], key: str) -> list[int]:
        """Four whole numbers, from the dealer on."""
        values = fields.get(key)
        if not _are(values, int) or any(abs(value) >= MAX_NUMBER for value in values):
            self.fail(f"{key} is {values!r:.60}: expected four whole numbers")
        return list(values)

    def by_seat(self, values: list[Any]) -> tuple[Any, ...]:
        """Values from the dealer on, by seat."""
        dealer = self.hand.dealer if hasattr(self, "hand") else self.number(self.events[0][1], "jushu")
        return tuple(values[(seat - dealer) % PLAYERS] for seat in range(PLAYERS))

    def seat(self, fields: dict[str, Any], key: str = "l") -> int:
        """A player's seat."""
        value = self.number(fields, key)
        if value >= PLAYERS:
            self.fail(f"player {value}: expected 0 to 3")
        return (self.hand.dealer + value) % PLAYERS

    def tile(self, text: Any) -> int:
        """A tile."""
        if not isinstance(text, str) or re.fullmatch(r"[mps][0-9]|z[1-7]", text) is None:
            self.fail(f"found {text!r:.20}, expected a tile such as m1, p0 or z7")
        digit = int(text[1])
        if text[0] == "z":
            return HONOURS + digit - 1
        suit = _SUITS.index(text[0])
        return FIRST_RED + suit if digit == 0 else RANKS * suit + digit - 1

    def tiles(self, text: str) -> list[int]:
        """The tiles of a hand, such as m123p406z11."""
        if _HAND.fullmatch(text) is None:
            self.fail(f"found {text!r:.60}, expected tiles such as m123p406z11; hidden ones cannot be read")
        found, suit = [], ""
        for letter in text:
            if letter.isalpha():
                suit = letter
            else:
                found.append(self.tile(suit + letter))
        return found

    # --- events

    def read(self) -> HandRecord:
        """Read the whole hand."""
        for number, (kind, fields) in enumerate(self.events[1:], 1):
            over = self.hand.draw is not None or (self.hand.wins and kind != "hule")
            if over or kind == "qipai":
                self.fail(f"{kind} after the end of the hand")
            if not self.hand.wins:
                self.play.go_on(won=kind == "hule" and fields.get("baojia") is not None)
            self.next = self.events[number + 1][0] if number + 1 < len(self.events) else ""
            _HANDLERS[kind](self, fields)
        if self.hand.wins:
            self.builder.complete_wins(self.hand, self.hand.wins, self.ura)
        self.hand.events = self.builder.events
        return self.hand

    def draw(self, fields: dict[str, Any]) -> None:
        """A draw, from the wall or after a kan."""
        self.builder.draw(self.seat(fields), self.tile(fields.get("p")))

    def discard(self, fields: dict[str, Any]) -> None:
        """A discard."""
        match = _DISCARD.fullmatch(text) if isinstance(text := fields.get("p"), str) else None
        if match is None:
            self.fail(f"found {text!r:.20}, expected a discard such as m1, p0_ or z7*")
        self.play.discard(self.seat(fields), self.tile(match[1]), bool(match[2]), bool(match[3]))

    def call(self, fields: dict[str, Any]) -> None:
        """A chi, pon or open kan."""
        match = _CALL.fullmatch(text) if isinstance(text := fields.get("m"), str) else None
        if match is None:
            self.fail(f"found {text!r:.20}, expected a call such as m12-3, p555= or z1111+")
        suit, before, mark, after = match.groups()
        own = [self.tile(suit + digit) for digit in before[:-1] + after]
        same = len({digit if digit != "0" else "5" for digit in before + after}) == 1
        kind = CALL_TILES.get(len(before + after), Kind.CHI) if same else Kind.CHI
        player = self.seat(fields)
        self.play.call(int(kind), player, self.tile(suit + before[-1]), own, (player + SOURCES[mark]) % PLAYERS)

    def kan(self, fields: dict[str, Any]) -> None:
        """A concealed or added kan."""
        text, player, robbed = fields.get("m"), self.seat(fields), self.next == "hule"
        if isinstance(text, str) and (match := _KAN.fullmatch(text)):
            self.play.concealed_kan(player, self.tile(match[1] + match[2][0]), self.rules.red_fives, robbed)
        elif isinstance(text, str) and (match := _ADDED.fullmatch(text)):
            self.play.added_kan(player, self.tile(match[1] + match[3]), robbed)
        else:
            self.fail(f"found {text!r:.20}, expected a kan such as m1111 or p555=0")

    def turn(self, fields: dict[str, Any]) -> None:
        """An indicator: it was placed by the rules."""

    def win(self, fields: dict[str, Any]) -> None:
        """A win."""
        if not self.hand.wins:
            self.play.end()
        winner = self.seat(fields)
        loser = winner if fields.get("baojia") is None else self.seat(fields, "baojia")
        self.builder.winning_tile(winner, loser)
        win = WinRecord(winner, loser, self.by_seat(self.points(fields, "fenpei")), points=self.number(fields, "defen"))
        self._read_yaku(win, fields)
        ura = fields.get("fubaopai") or []
        if not isinstance(ura, list):
            self.fail(f"fubaopai is {ura!r:.60}: expected tiles")
        self.ura = max(self.ura, [self.tile(tile) for tile in ura], key=len)
        self.hand.wins.append(win)

    def _read_yaku(self, win: WinRecord, fields: dict[str, Any]) -> None:
        listed = fields.get("hupai")
        if not isinstance(listed, list) or not all(isinstance(one, dict) and one.get("name") in YAKU for one in listed):
            self.fail(f"hupai is {listed!r:.100}: expected known yaku")
        for one in listed:
            number, han = YAKU[one["name"]], one.get("fanshu")
            if isinstance(han, str):
                win.yakuman += (number,)
                if one.get("baojia") in SOURCES:
                    win.liable = (win.winner + SOURCES[one["baojia"]]) % PLAYERS
            else:
                win.yaku += ((number, self.number(one, "fanshu")),)
        if win.yakuman:
            win.yaku, win.limit = (), YAKUMAN_LIMIT
            return
        win.fu, win.han = self.number(fields, "fu"), self.number(fields, "fanshu")
        win.limit = limit_number(win.han, win.fu)

    def no_win(self, fields: dict[str, Any]) -> None:
        """A hand without a winner."""
        kind, shown = DRAWS.get(str(fields.get("name"))), fields.get("shoupai")
        if kind is None or not _are(shown, str):
            self.fail(f"found {fields!r:.100}, expected a draw such as 荒牌平局 with four hands")
        self.play.end()
        seats = tuple(seat for seat, hand in enumerate(self.by_seat(shown)) if hand)
        changes = self.by_seat(self.points(fields, "fenpei"))
        tenpai = seats if kind in ("exhaustive draw", "nagashi mangan") else None
        sticks = self.hand.sticks + len(self.builder.paid)
        self.hand.draw = DrawRecord(kind, changes, self.builder.shown(seats), tenpai, self.hand.honba, sticks)


_HANDLERS: Final[dict[str, Callable[[_Hand, dict[str, Any]], None]]] = {
    "zimo": _Hand.draw,
    "gangzimo": _Hand.draw,
    "dapai": _Hand.discard,
    "fulou": _Hand.call,
    "gang": _Hand.kan,
    "kaigang": _Hand.turn,
    "hule": _Hand.win,
    "pingju": _Hand.no_win,
}
