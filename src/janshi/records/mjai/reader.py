"""mjai JSON lines: one event per line, as spoken by mjai players and Mortal.

The reader accepts the original dialect (`hora` with `pai`, `uradora_markers`, `yakus`, `fu`, `fan`, `hora_points`;
`ryukyoku` with `reason`) and Mortal's (`hora` with `deltas` and `ura_markers`, `ryukyoku` with `deltas`). Lines of type
`none` and unknown fields are ignored. A log of one player's view, with tiles `?`, is refused. `results` has the words
of results, and infers from the play what a dialect leaves out.

The writer uses Mortal's dialect, with extra fields in the same events for the rest: in `start_game` `rules`, `dan`,
`rate`, `sx`, `lobby`, `ver`, `title`, `ref`, `shuffle`; in `start_kyoku` `dice` and, in games of 2009, `shuffle`; in
`hora` `pai`, `fu`, `fan`, `hora_points`, `limit`, `yaku`, `yakuman`, `liable`; in `ryukyoku` `reason` and `tenpais`; in
`end_game` `scores` and `points`. So nothing is lost but tile ids (those of a seeded game are taken from its seed), lost
connections and what another format keeps in `extra`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from janshi.core.tiles import COPIES, EAST, NAMES
from janshi.records.final_points import scores_by_play
from janshi.records.ids import HAND_TILES, PLAYERS, HandBuilder, hand_name
from janshi.records.limits import MOST_COUNTERS
from janshi.records.mjai.results import (
    KIND_OF_REASON,
    NUMBER_OF_NAME,
    ORIGINAL_YAKU,
    YAKUMAN,
    kind_of_draw,
    name_winds_and_dragons,
    showing,
)
from janshi.records.mjai.writer import RULE_FIELDS, WINDS, write
from janshi.records.model import DrawRecord, GameRecord, HandRecord, Kind, RecordError, WinRecord
from janshi.records.seeded_ids import take_seeded_ids
from janshi.rules.riichi.ruleset import STICK

__all__ = ["looks_like", "read", "write"]

MAX_NUMBER: Final = 10_000_000
SNIFFED: Final = 4000
_UNKNOWN: Final = "?"
_RED_FIVE: Final = re.compile(r'"5[mps]r"')
_TILES: Final[dict[str, int]] = {name: tile for tile, name in enumerate(NAMES)} | {
    f"{n}z": EAST + n - 1 for n in range(1, 8)
}


def looks_like(text: str) -> bool:
    """Whether a text looks like mjai JSON lines."""
    start = text[:SNIFFED].lstrip()
    return start[:1] == "{" and re.search(r'"type"\s*:\s*"(start_game|start_kyoku|none)"', start) is not None


def read(text: str, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    reader = _Reader(source, red_fives=_RED_FIVE.search(text) is not None)
    try:
        for reader.line, event in _events(text, source):
            reader.read(event)
        return reader.finish()
    except RecordError as wrong:
        if "line" in wrong.place:
            raise
        places = (wrong.place, f"line {reader.line}" if reader.line else "")
        raise RecordError(source, ", ".join(filter(None, places)), wrong.problem) from None
    except RecursionError as deep:
        raise RecordError(source, f"line {reader.line}", "is nested too deep for a game") from deep


def _events(text: str, source: str) -> list[tuple[int, dict[str, Any]]]:
    """The events and their line numbers, from 1."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace()]
    try:
        events = json.loads("[" + ",".join(line for _, line in lines) + "]")  # much faster than line by line
    except (ValueError, RecursionError):
        events = None
    if events is None or len(events) != len(lines):
        events = [_event(number, line, source) for number, line in lines]
    return [(number, event) for (number, _), event in zip(lines, events)]


def _event(number: int, line: str, source: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as wrong:
        raise RecordError(source, f"line {number}", f"not JSON: {wrong.msg} at column {wrong.colno}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise RecordError(source, f"line {number}", "unreadable JSON (a number too long?)") from wrong


class _Reader:
    """Reads the events of a game in turn."""

    def __init__(self, source: str, red_fives: bool) -> None:
        self.source, self.line = source, 0
        self.record = GameRecord([], format="mjai", source=source, exact_ids=False)
        self.red_fives = red_fives  # whether any appears, unless the header says
        self.started = self.ended = False
        self.hand: HandRecord | None = None
        self.builder: HandBuilder | None = None
        self.ura: list[int] = []

    def fail(self, problem: str) -> NoReturn:
        """Refuse the record, naming hand and line."""
        raise RecordError(self.source, self.place(), problem)

    def place(self) -> str:
        """The reader's position, for messages."""
        if self.hand is None:
            return f"line {self.line}"
        return f"{hand_name(len(self.record.hands), self.hand.round, self.hand.honba)}, line {self.line}"

    def read(self, event: Any) -> None:
        """Read one event."""
        kind = event.get("type") if isinstance(event, dict) else None
        handler = _HANDLERS.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            if self.builder is None or self.hand is None:
                self.fail(f"{kind} outside a hand: expected start_kyoku first")
            if (self.hand.wins and kind != "hora") or self.hand.draw is not None:
                self.fail(f"{kind} after the hand's result: expected end_kyoku")
            handler(self, event, self.builder)
        elif kind == "start_kyoku":
            self.start_hand(event)
        elif kind == "end_kyoku":
            self.end_hand()
        elif kind == "start_game":
            self.start_game(event)
        elif kind == "end_game":
            self.end_game(event)
        elif kind == "haipai":
            self.fail("haipai of an early mjai version: expected the deals in start_kyoku")
        elif kind not in ("none", "hello", "error"):
            self.fail(f"found {event!r:.80}, expected an mjai event")

    # Fields ------------------------------------------------------------------------------------------------------

    def tile(self, name: Any) -> int:
        """A tile by its name."""
        tile = _TILES.get(name) if isinstance(name, str) else None
        if tile is None:
            if name == _UNKNOWN:
                self.fail("found the tile ?: a full record is needed, this is one player's view")
            self.fail(f"found {name!r:.40}, expected a tile such as 1m, 5pr or E")
        return tile

    def tiles(self, event: dict[str, Any], key: str, count: int | None) -> list[int]:
        """A list of tiles."""
        names = event.get(key)
        if not isinstance(names, list) or (count is not None and len(names) != count):
            self.fail(f"{key} is {names!r:.60}, expected {'a list of' if count is None else count} tiles")
        return [self.tile(name) for name in names]

    def player(self, event: dict[str, Any], key: str = "actor") -> int:
        """A player's seat."""
        player = event.get(key)
        if type(player) is not int or not 0 <= player < PLAYERS:
            self.fail(f"{key} is {player!r:.40}, expected a player 0 to 3")
        return player

    def number(self, event: dict[str, Any], key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        number = event.get(key)
        if type(number) is not int or not low <= number <= high:
            self.fail(f"{key} is {number!r:.40}, expected a whole number from {low} to {high}")
        return number

    def numbers(self, event: dict[str, Any], key: str) -> tuple[int, ...] | None:
        """Four whole numbers, None if the field is missing."""
        numbers = event.get(key)
        if numbers is None:
            return None
        fine = isinstance(numbers, list) and len(numbers) == PLAYERS
        if not fine or not all(type(n) is int and abs(n) < MAX_NUMBER for n in numbers):
            self.fail(f"{key} is {numbers!r:.60}, expected four whole numbers")
        return tuple(numbers)

    # Games and hands ---------------------------------------------------------------------------------------------

    def start_game(self, event: dict[str, Any]) -> None:
        """Names and, if Janshi wrote it, everything else about the game."""
        if self.started or self.record.hands:
            self.fail("a second start_game: expected one game in a file")
        self.started = True
        record = self.record
        if "names" in event:
            names = event["names"]
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                self.fail(f"names are {names!r:.60}, expected texts")
            if len(names) != PLAYERS:
                self.fail(f"{len(names)} names, as in a game of three: expected four players")
            record.names = tuple(names)
        if isinstance(event.get("aka_flag"), bool):
            self.red_fives = event["aka_flag"]
        if event.get("kyoku_first") == PLAYERS:
            record.rules.rounds = 1
        _read_header(self, event)

    def start_hand(self, event: dict[str, Any]) -> None:
        """start_kyoku."""
        if self.hand is not None:
            self.fail("start_kyoku within a hand: expected end_kyoku first")
        if _UNKNOWN in json.dumps(event.get("tehais")):
            self.fail("found the tile ?: a full record is needed, this is one player's view")
        if self.ended:
            self.fail("start_kyoku after end_game: expected nothing more")
        wind = event.get("bakaze")
        if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
            self.fail(f"bakaze is {wind!r:.40}, expected E, S, W or N")
        kyoku = self.number(event, "kyoku", 1, PLAYERS)
        if self.player(event, "oya") != kyoku - 1:
            self.fail(f"oya is {event['oya']} in kyoku {kyoku}: expected {kyoku - 1}, seat 0 deals first")
        honba, sticks = (self.number(event, key, 0, MOST_COUNTERS) for key in ("honba", "kyotaku"))
        scores = self.numbers(event, "scores")
        if scores is None:
            scores = self.carried_scores()
        hand = HandRecord(PLAYERS * WINDS.index(wind) + kyoku - 1, honba, sticks, scores, -1, ())
        self.hand = hand
        deals = event.get("tehais")
        if not isinstance(deals, list) or len(deals) != PLAYERS or not all(isinstance(deal, list) for deal in deals):
            self.fail(f"tehais is {deals!r:.60}, expected four hands")
        tiles = [self.tiles({"tehais": deal}, "tehais", HAND_TILES) for deal in deals]
        place = hand_name(len(self.record.hands), hand.round, honba)
        self.builder = HandBuilder(
            tiles, self.tile(event.get("dora_marker")), hand.dealer, self.red_fives, self.source, place
        )
        hand.dora, hand.deals, hand.events = self.builder.indicators[0], self.builder.deals, self.builder.events
        dice = event.get("dice")
        if isinstance(dice, list) and len(dice) == 2 and all(type(die) is int for die in dice):
            hand.dice = (dice[0], dice[1])
        if isinstance(event.get("shuffle"), str):
            hand.extra["shuffle"] = event["shuffle"]
        self.ura = []

    def carried_scores(self) -> tuple[int, ...]:
        """Scores that the record leaves out: those after the previous hand."""
        if not self.record.hands:
            return (25_000,) * PLAYERS
        last = self.record.hands[-1]
        changes = [win.changes for win in last.wins] + ([last.draw.changes] if last.draw else [])
        paid = [event.player for event in last.events if event.kind == Kind.RIICHI_PAID]
        return tuple(
            last.scores[p] + sum(change[p] for change in changes) - STICK * paid.count(p) for p in range(PLAYERS)
        )

    def end_hand(self) -> None:
        """end_kyoku."""
        if self.hand is None or self.builder is None:
            self.fail("end_kyoku outside a hand: expected start_kyoku first")
        if not self.hand.wins and self.hand.draw is None:
            self.fail("end_kyoku before a result: expected hora or ryukyoku")
        self.builder.complete_wins(self.hand, self.hand.wins, self.ura)
        for win in self.hand.wins:
            name_winds_and_dragons(win, self.hand)
        self.record.hands.append(self.hand)
        self.hand = self.builder = None

    def end_game(self, event: dict[str, Any]) -> None:
        """end_game."""
        if self.hand is not None:
            if not self.hand.wins and self.hand.draw is None:
                self.fail("end_game within a hand: expected its result first")
            self.end_hand()
        self.ended = True
        self.record.final_scores = self.numbers(event, "scores")
        points = event.get("points")
        if isinstance(points, list) and len(points) == PLAYERS and all(type(p) in (int, float) for p in points):
            self.record.final_points = tuple(map(float, points))

    def finish(self) -> GameRecord:
        """The record, when all lines are read."""
        record = self.record
        if self.hand is not None:
            if not self.hand.wins and self.hand.draw is None:
                self.fail("the record ends within a hand: expected its result")
            self.end_hand()
        if not record.hands:
            raise RecordError(self.source, "", "holds no hand: expected start_kyoku")
        record.rules.red_fives = self.red_fives
        first = record.hands[0]
        record.complete = self.ended and first.round == first.honba == 0
        if self.ended and record.final_scores is None:
            record.final_scores = scores_by_play(record)
        take_seeded_ids(record)
        return record

    # Play --------------------------------------------------------------------------------------------------------

    def draw(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """The event `tsumo`."""
        builder.draw(self.player(event), self.tile(event.get("pai")))

    def discard(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """dahai; if `tsumogiri` is missing, a tile like the one just drawn is assumed to be that one."""
        tile = self.tile(event.get("pai"))
        tsumogiri = event.get("tsumogiri")
        if not isinstance(tsumogiri, bool):
            tsumogiri = tile == builder.drawn_tile()
        builder.discard(self.player(event), tile, tsumogiri)

    def call(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """A chi, pon or daiminkan."""
        kind, count = _CALLS[event["type"]]
        own = self.tiles(event, "consumed", count)
        builder.call(kind, self.player(event), self.tile(event.get("pai")), own, self.player(event, "target"))

    def concealed_kan(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """The event `ankan`."""
        builder.concealed_kan(self.player(event), self.tiles(event, "consumed", COPIES))

    def added_kan(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """The event `kakan`."""
        builder.added_kan(self.player(event), self.tile(event.get("pai")))

    def riichi(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """The event `reach`."""
        builder.riichi(self.player(event))

    def riichi_paid(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """reach_accepted."""
        player = self.player(event)
        declared = any(e.kind == Kind.RIICHI and e.player == player for e in builder.events)
        if not declared or player in builder.paid:
            self.fail(f"reach_accepted of player {player}: expected reach first, once")
        builder.pay(player)

    def dora(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """A new indicator."""
        builder.turn_indicator(self.tile(event.get("dora_marker")))

    # Results -----------------------------------------------------------------------------------------------------

    def win(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """Hora; several may follow each other."""
        hand = self.hand
        assert hand is not None
        winner, loser = self.player(event), self.player(event, "target")
        builder.winning_tile(winner, loser)
        if any(other.winner == winner or other.loser != loser for other in hand.wins):
            self.fail(f"player {winner} wins from player {loser} after another win: expected another winner")
        win = WinRecord(winner, loser, self.numbers(event, "deltas") or (0,) * PLAYERS)
        win.fu, win.han = self.optional(event, "fu"), self.optional(event, "fan")
        win.points, win.limit = self.optional(event, "hora_points"), self.optional(event, "limit")
        if isinstance(event.get("liable"), int):
            win.liable = self.player(event, "liable")
        win.yaku = self.yaku(event, "yaku", NUMBER_OF_NAME) or self.yaku(event, "yakus", ORIGINAL_YAKU)
        win.yakuman = tuple(number for number, _ in self.yaku(event, "yakuman", NUMBER_OF_NAME))
        if not win.yakuman:
            win.yakuman = tuple(number for number, _ in win.yaku if number in YAKUMAN)
            win.yaku = () if win.yakuman else win.yaku
        hand.wins.append(win)
        for key in ("ura_markers", "uradora_markers"):
            if event.get(key):
                self.ura = self.tiles(event, key, None)

    def optional(self, event: dict[str, Any], key: str) -> int | None:
        """A whole number, None if the field is missing."""
        return None if event.get(key) is None else self.number(event, key, 0, MAX_NUMBER)

    def yaku(self, event: dict[str, Any], key: str, names: dict[str, int]) -> tuple[tuple[int, int], ...]:
        """Pairs of a yaku and its han; a yakuman may have none."""
        pairs = event.get(key)
        if pairs is None:
            return ()
        if not isinstance(pairs, list):
            self.fail(f"{key} is {pairs!r:.60}, expected pairs of a yaku and its han")
        found = []
        for pair in pairs:
            name, han = (pair, 0) if isinstance(pair, str) else pair if _is_pair(pair) else (None, 0)
            if not isinstance(name, str) or name not in names or type(han) is not int:
                self.fail(f"{key} holds {pair!r:.60}, expected a yaku and its han")
            found.append((names[name], han))
        return tuple(found)

    def exhausted(self, event: dict[str, Any], builder: HandBuilder) -> None:
        """Ryukyoku: a draw of any kind."""
        hand = self.hand
        assert hand is not None
        changes = self.numbers(event, "deltas") or (0,) * PLAYERS
        reason = event.get("reason")
        kind = KIND_OF_REASON.get(reason) if isinstance(reason, str) else None
        if kind is None:
            if isinstance(reason, str):
                self.fail(f"reason is {reason!r:.40}, expected one of {', '.join(KIND_OF_REASON)}")
            kind = kind_of_draw(builder, changes)
        draw = DrawRecord(kind, changes, {}, None, hand.honba, hand.sticks + len(builder.paid))
        if kind in ("exhaustive draw", "nagashi mangan"):
            draw.tenpai = self.tenpai(event, kind, changes)
            if draw.tenpai is None:
                draw.tenpai = builder.tenpai()
        draw.shown = builder.shown(showing(builder, draw))
        hand.draw = draw

    def tenpai(self, event: dict[str, Any], kind: str, changes: tuple[int, ...]) -> tuple[int, ...] | None:
        """Who was tenpai, if the event or the payments show it."""
        tenpais = event.get("tenpais")
        if isinstance(tenpais, list) and len(tenpais) == PLAYERS and all(isinstance(t, bool) for t in tenpais):
            return tuple(player for player in range(PLAYERS) if tenpais[player])
        if kind == "exhaustive draw":
            return tuple(player for player in range(PLAYERS) if changes[player] > 0) or None
        return None


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2


_CALLS: Final = {"chi": (int(Kind.CHI), 2), "pon": (int(Kind.PON), 2), "daiminkan": (int(Kind.OPEN_KAN), 3)}
_HANDLERS: Final[dict[str, Callable[[_Reader, dict[str, Any], HandBuilder], None]]] = {
    "tsumo": _Reader.draw,
    "dahai": _Reader.discard,
    "chi": _Reader.call,
    "pon": _Reader.call,
    "daiminkan": _Reader.call,
    "ankan": _Reader.concealed_kan,
    "kakan": _Reader.added_kan,
    "reach": _Reader.riichi,
    "reach_accepted": _Reader.riichi_paid,
    "dora": _Reader.dora,
    "hora": _Reader.win,
    "ryukyoku": _Reader.exhausted,
}


_RULE_BOUNDS: Final = {"rounds": (1, 4), "level": (0, 3), "tenhou_type": (0, 0xFFFF)}
"""Least and largest numbers of the rules."""


def _read_header(reader: _Reader, event: dict[str, Any]) -> None:
    """What Janshi writes into start_game beyond mjai's fields; fields of another shape are ignored."""
    record = reader.record
    rules = event.get("rules")
    if isinstance(rules, dict):
        for name, kind in RULE_FIELDS.items():
            if type(rules.get(name)) is kind:
                if name in _RULE_BOUNDS:
                    reader.number(rules, name, *_RULE_BOUNDS[name])
                setattr(record.rules, name, rules[name])
        if type(rules.get("red_fives")) is bool:
            reader.red_fives = rules["red_fives"]
    if record.rules.players != PLAYERS:
        reader.fail(f"{record.rules.players} players: expected four")
    record.dans = _four(event, "dan", int)
    record.rates = tuple(map(float, _four(event, "rate", float, int)))
    record.sexes = _four(event, "sx", str)
    if type(event.get("lobby")) is int:
        record.lobby = event["lobby"]
    if isinstance(event.get("ver"), str):
        record.version = event["ver"]
    if isinstance(event.get("ref"), str):
        record.ref = event["ref"]
    title = event.get("title")
    if isinstance(title, list) and all(isinstance(text, str) for text in title):
        record.title = tuple(title)
    shuffle = event.get("shuffle")
    if isinstance(shuffle, list) and len(shuffle) == 2 and all(isinstance(text, str) for text in shuffle):
        record.seed, record.seed_ref = shuffle


def _four(event: dict[str, Any], key: str, *kinds: type) -> tuple[Any, ...]:
    values = event.get(key)
    if not isinstance(values, list) or len(values) != PLAYERS or any(type(value) not in kinds for value in values):
        return ()
    return tuple(values)
