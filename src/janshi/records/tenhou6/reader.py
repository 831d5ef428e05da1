"""tenhou.net/6 JSON: the format of Tenhou's log viewer, in which Mahjong Soul games are exported too.

`{"title", "name", "rule", "log": [hand, ...]}`, in whole games also `ver`, `ref`, `lobby`, `dan`, `rate`, `sx`, `sc`.
A hand is a list: round, honba and sticks; scores; dora indicators; ura indicators; for each player the deal, what it
took and what it discarded; the result. `order` finds the order of play, `words` has the texts of
results. A text of several lines, one such object with one hand each, is read as one game; so is the address of the
viewer, `https://tenhou.net/6/#json=...`.

Not in the format: tile ids, the order of the deal, dice, seeds, lost connections, fu of a limit hand, when an indicator
was turned (placed where Tenhou turns it). What the model has no field for is kept in `extra["tenhou6"]` and written
back, as are the words of another language in `extra["tenhou6 words"]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote

from janshi.core.tiles import FIRST_RED
from janshi.records.ids import PLAYERS, HandBuilder, hand_name
from janshi.records.limits import LAST_ROUND, MOST_COUNTERS
from janshi.records.model import DrawRecord, GameRecord, GameRules, HandRecord, Kind, RecordError, WinRecord
from janshi.records.tenhou6 import words as w
from janshi.records.tenhou6.order import (
    CALL,
    KAN,
    TAKE,
    TILE_OF_CODE,
    TSUMOGIRI,
    Entry,
    Misfit,
    Step,
    orders,
    parse_call,
)
from janshi.records.tenhou6.writer import CALL_KINDS, LEVELS, MAHJONG_SOUL, SOUL, to_object, write, write_rule
from janshi.rules.riichi.yaku import DOUBLE_RIICHI, RIICHI, ROUND_WIND, SEAT_WIND, URA_DORA

__all__ = ["looks_like", "read", "to_object", "write"]

FIELDS: Final = 17
MAX_ORDERS: Final = 64
"""Orders of play that are tried against the players' hands."""
MAX_NUMBER: Final = 10_000_000
SNIFFED: Final = 4000

_RED_CODES: Final = (51, 52, 53, "r51", "r52", "r53")
_LEVEL_BITS: Final = (0x00, 0x80, 0x20, 0xA0)
_RULE_TEXT: Final = re.compile(rf"(?:{MAHJONG_SOUL})?([般上特鳳]?)(三?)([東南])(喰?)(赤?)(速?)")
_MAHJONG_SOUL: Final = re.compile(r"Room|の間|友人戦|大会戦|段位戦|Friendly|Tou?r?nament|王座|Throne|雀魂|之间|之間")
_OWN_KEYS: Final = frozenset(("title", "name", "rule", "log", "ver", "ref", "lobby", "dan", "rate", "sx", "sc"))


def looks_like(text: str) -> bool:
    """Whether a text looks like tenhou.net/6 JSON or an address of its viewer."""
    start = text[:SNIFFED].lstrip()
    other = '"type"' in start[:200] or '"qipai"' in start  # mjai, majiang
    return (start[:1] == "{" and '"log"' in text and not other) or "#json=" in start[:200]


def read(text: str, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    try:
        return _read(_load(text, source), source)
    except RecursionError as deep:
        raise RecordError(source, "", "is nested too deep for a game") from deep


def _read(objects: list[dict[str, Any]], source: str) -> GameRecord:
    first = objects[0]
    logs = [hand for number, game in enumerate(objects) for hand in _log(game, number, source)]
    words: dict[str, str] = {}
    rules = _read_rules(first, logs, source)
    hands = [_read_hand(hand, number, rules, words, source) for number, hand in enumerate(logs)]
    if not hands:
        raise RecordError(source, '"log"', "holds no hand: expected at least one")
    record = GameRecord(hands, rules, format="tenhou6", source=source, exact_ids=False)
    _read_header(record, first, source)
    if words:
        record.extra["tenhou6 words"] = words
    record.complete = record.final_scores is not None and hands[0].round == hands[0].honba == 0
    return record


def _load(text: str, source: str) -> list[dict[str, Any]]:
    """The JSON objects of a text: one, or one per line."""
    head, mark, _ = text[:SNIFFED].partition("#json=")
    if mark and "{" not in head:
        text = unquote(text[text.index(mark) + len(mark) :])
    try:
        try:
            objects = [json.loads(text)]
        except json.JSONDecodeError:
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
                raise
            objects = [json.loads(line) for line in lines]
    except json.JSONDecodeError as wrong:
        raise RecordError(source, f"line {wrong.lineno} column {wrong.colno}", f"not JSON: {wrong.msg}") from wrong
    except ValueError as wrong:
        raise RecordError(source, "", "unreadable JSON: a number is too long") from wrong
    for game in objects:
        if not isinstance(game, dict):
            raise RecordError(source, "", f"found {type(game).__name__}, expected an object with a log")
    return objects


def _log(game: dict[str, Any], number: int, source: str) -> list[Any]:
    log = game.get("log")
    if not isinstance(log, list):
        raise RecordError(source, f"game object {number + 1}", 'expected "log", a list of hands')
    return log


# Header --------------------------------------------------------------------------------------------------------------


def _read_rules(game: dict[str, Any], logs: list[Any], source: str) -> GameRules:
    rule = game.get("rule", {})
    if not isinstance(rule, dict):
        raise RecordError(source, '"rule"', f"found {rule!r:.60}, expected an object")
    text = rule.get("disp", "")
    if not isinstance(text, str):
        raise RecordError(source, '"rule"', f"disp is {text!r:.60}, expected a text")
    names = game.get("name", ())
    if "三" in text or "3-Player" in text or (isinstance(names, list) and len(names) == 3):
        raise RecordError(source, '"rule"', f"is a game of three players ({text!r:.60}): expected four")
    rules = GameRules(text=text, red_fives=_red_fives(rule, logs))
    if _MAHJONG_SOUL.search(text):
        rules.preset = SOUL
    rules.rounds = 1 if "東" in text or "East" in text else 2
    match = _RULE_TEXT.fullmatch(text)
    if match is not None:
        rules.open_tanyao, rules.fast = bool(match[4]), bool(match[6])
    if match is not None and match[1]:
        rules.level = level = LEVELS.index(match[1])
        bits = 0x01 | _LEVEL_BITS[level] | (0 if rules.red_fives else 0x02) | (0 if match[4] else 0x04)
        rules.tenhou_type = bits | (0x08 if rules.rounds == 2 else 0) | (0x40 if match[6] else 0)
    return rules


def _red_fives(rule: dict[str, Any], logs: list[Any]) -> bool:
    """Whether there are red fives: as the rule says, or if it does not say, whether any appears."""
    flags = [rule[key] for key in ("aka", "aka51", "aka52", "aka53") if key in rule]
    if flags:
        return any(flags)
    fields = [field for hand in logs if isinstance(hand, list) for field in hand[2:] if isinstance(field, list)]
    entries = [entry for field in fields for entry in field]
    calls = [parse_call(entry) for entry in entries if isinstance(entry, str)]
    called = any(call is not None and max(call.tile, *call.own) >= FIRST_RED for call in calls)
    return called or any(code in entries for code in _RED_CODES)


def _read_header(record: GameRecord, game: dict[str, Any], source: str) -> None:
    if "name" in game:
        record.names = _texts(game, "name", PLAYERS, source)
    if "title" in game:
        record.title = _texts(game, "title", None, source)
    if "sx" in game:
        record.sexes = _texts(game, "sx", PLAYERS, source)
    if "ver" in game:
        record.version = str(game["ver"])
    if "ref" in game:
        (record.ref,) = _texts({"ref": [game["ref"]]}, "ref", 1, source)
    lobby = game.get("lobby")
    if isinstance(lobby, int):
        record.lobby = lobby
    ranks = _texts(game, "dan", PLAYERS, source) if "dan" in game else ()
    if all(rank in w.RANK_WORDS for rank in ranks):
        record.dans = tuple(map(w.RANK_WORDS.index, ranks))
    if "rate" in game:
        record.rates = tuple(map(float, _numbers(game, "rate", PLAYERS, source)))
    if "sc" in game:
        numbers = _numbers(game, "sc", 2 * PLAYERS, source)
        record.final_scores = tuple(map(round, numbers[::2]))
        record.final_points = tuple(map(float, numbers[1::2]))
    kept = {key: value for key, value in game.items() if key not in _OWN_KEYS}
    if ranks and not record.dans:
        kept["dan"] = game["dan"]
    if "rule" in game and game["rule"] != write_rule(record.rules):
        kept["rule"] = game["rule"]
    if kept:
        record.extra["tenhou6"] = kept


def _texts(game: dict[str, Any], key: str, count: int | None, source: str) -> tuple[str, ...]:
    texts = game[key]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError(source, f'"{key}"', f"found {texts!r:.60}, expected a list of texts")
    if count is not None and len(texts) != count:
        raise RecordError(source, f'"{key}"', f"found {len(texts)} texts, expected {count}")
    return tuple(texts)


def _numbers(game: dict[str, Any], key: str, count: int, source: str) -> list[float]:
    numbers = game[key]
    fine = isinstance(numbers, list) and len(numbers) == count
    if not fine or not all(type(n) in (int, float) and -MAX_NUMBER < n < MAX_NUMBER for n in numbers):
        raise RecordError(source, f'"{key}"', f"found {numbers!r:.60}, expected {count} numbers")
    return list(numbers)


# Hands ---------------------------------------------------------------------------------------------------------------


def _read_hand(hand: Any, number: int, rules: GameRules, words: dict[str, str], source: str) -> HandRecord:
    if not isinstance(hand, list) or len(hand) != FIELDS or not all(isinstance(field, list) for field in hand):
        raise RecordError(source, f"hand {number + 1}", f"expected {FIELDS} lists")
    place = f"hand {number + 1}"
    round_, honba, sticks = _whole(hand[0], 3, "round, honba and sticks", place, source)
    if not 0 <= round_ <= LAST_ROUND or min(honba, sticks) < 0 or max(honba, sticks) > MOST_COUNTERS:
        expected = f"expected round 0 to {LAST_ROUND}, the others 0 to {MOST_COUNTERS}"
        raise RecordError(source, place, f"round, honba and sticks are {hand[0]!r:.60}: {expected}")
    place = hand_name(number, round_, honba)
    scores = tuple(_whole(hand[1], PLAYERS, "scores", place, source))
    indicators = _tiles(hand[2], "dora indicators", place, source)
    ura = _tiles(hand[3], "ura indicators", place, source)
    if not indicators:
        raise RecordError(source, place, "no dora indicator: expected at least one")
    deals = [_tiles(hand[4 + 3 * player], f"player {player}'s deal", place, source) for player in range(PLAYERS)]
    if not deals[-1]:
        raise RecordError(source, place, "player 3 has no tiles, as in a game of three: expected four players")
    takes = [_entries(hand[5 + 3 * player], f"player {player}'s draws", place, source) for player in range(PLAYERS)]
    gives = [_entries(hand[6 + 3 * player], f"player {player}'s discards", place, source) for player in range(PLAYERS)]
    record = HandRecord(round_, honba, sticks, scores, -1, ())
    result = _Result(hand[16], record, rules, words, place, source)
    failure: RecordError | None = None
    try:
        for tried, steps in enumerate(orders(takes, gives, record.dealer)):
            builder = HandBuilder(deals, indicators[0], record.dealer, rules.red_fives, source, place)
            try:
                _play(builder, steps, indicators[1:], result.ronned)
                result.check(builder)
            except RecordError as wrong:
                failure = failure or wrong
                if tried < MAX_ORDERS:
                    continue
                break
            record.dora, record.deals, record.events = builder.indicators[0], builder.deals, builder.events
            result.finish(builder, ura)
            return record
    except Misfit as misfit:
        raise RecordError(source, place, str(misfit)) from misfit
    assert failure is not None
    raise failure


def _whole(numbers: list[Any], count: int, name: str, place: str, source: str) -> list[int]:
    if len(numbers) != count or not all(type(n) is int and -MAX_NUMBER < n < MAX_NUMBER for n in numbers):
        raise RecordError(source, place, f"{name} are {numbers!r:.60}: expected {count} whole numbers")
    return numbers


def _tiles(codes: list[Any], name: str, place: str, source: str) -> list[int]:
    try:
        return [TILE_OF_CODE[code] for code in codes]
    except (KeyError, TypeError):
        raise RecordError(source, place, f"{name} are {codes!r:.100}: expected tiles such as 11, 47 or 51") from None


def _entries(entries: list[Any], name: str, place: str, source: str) -> list[Entry]:
    for entry in entries:
        if type(entry) is not int and type(entry) is not str:
            raise RecordError(source, place, f"{name} hold {entry!r:.60}: expected tiles and calls")
    return entries


def _play(builder: HandBuilder, steps: Sequence[Step], indicators: Sequence[int], ronned: bool) -> None:
    """Play the steps of a hand; indicators are turned as Tenhou turns them.

    At once after a concealed kan; after other kans, before the player's next discard or when the next kan is made.
    """
    pending, riichi, last = 0, -1, len(steps) - 1
    turned = iter(indicators)
    for number, (step, player, entry) in enumerate(steps):
        if riichi >= 0:
            builder.pay(riichi)
            riichi = -1
        if step == TAKE:
            builder.draw(player, _tile(builder, entry))
        elif step == CALL:
            pending += _play_call(builder, player, str(entry))
        elif step == KAN:
            concealed = _play_kan(builder, player, str(entry))
            if number < last:  # a kan that was robbed turns nothing
                pending = _turn(builder, turned, pending + concealed) + (not concealed)
            else:
                pending += 1
        else:
            pending = _turn(builder, turned, pending)
            riichi = _play_discard(builder, player, entry)
    if riichi >= 0 and not ronned:
        builder.pay(riichi)
    _turn(builder, turned, pending)
    for _ in turned:
        builder.fail(f"{len(indicators) + 1} dora indicators: expected at most {len(builder.kans) + 1}")


def _turn(builder: HandBuilder, turned: Any, pending: int) -> int:
    """Turn as many indicators as are due and known; none is due afterwards."""
    for _ in range(pending):
        tile = next(turned, None)
        if tile is not None:
            builder.turn_indicator(tile)
    return 0


def _tile(builder: HandBuilder, entry: Entry) -> int:
    tile = TILE_OF_CODE.get(entry) if isinstance(entry, int) else None
    if tile is None:
        builder.fail(f"found {entry!r}, expected a tile such as 11, 47 or 51")
    return tile


def _play_discard(builder: HandBuilder, player: int, entry: Entry) -> int:
    """Play a discard; returns the player if riichi was declared with it, or -1."""
    declared = isinstance(entry, str)
    if isinstance(entry, str):
        digits = entry[1:]
        if len(digits) != 2 or not (digits.isascii() and digits.isdigit()):
            builder.fail(f"found {entry!r}, expected a riichi such as r60 or r47")
        entry = int(digits)
        builder.riichi(player)
    if entry == TSUMOGIRI:
        tile = builder.drawn_tile()
        if tile < 0:
            builder.fail(f"player {player} discards the tile just drawn, but drew none")
        builder.discard(player, tile, True)
    else:
        builder.discard(player, _tile(builder, entry), False)
    return player if declared else -1


def _play_call(builder: HandBuilder, player: int, text: str) -> bool:
    """Play a call; returns whether it is an open kan."""
    call = parse_call(text)
    if call is None or call.kind not in CALL_KINDS:
        builder.fail(f"found {text!r:.40}, expected a call such as c171516, 47p4747 or m39393939")
    builder.call(call.kind, player, call.tile, call.own, (player + call.source) % PLAYERS)
    return call.kind == Kind.OPEN_KAN


def _play_kan(builder: HandBuilder, player: int, text: str) -> bool:
    """Play a kan on one's own turn; returns whether it is concealed."""
    call = parse_call(text)
    if call is None or call.kind in CALL_KINDS:
        builder.fail(f"found {text!r:.40}, expected a discard or a kan such as 222222a22 or k51151515")
    if call.kind == Kind.CONCEALED_KAN:
        builder.concealed_kan(player, (call.tile, *call.own))
        return True
    builder.added_kan(player, call.tile)
    return False


# Results -------------------------------------------------------------------------------------------------------------


class _Result:
    """The result of a hand: read before the play, completed after it."""

    def __init__(
        self, result: list[Any], hand: HandRecord, rules: GameRules, words: dict[str, str], place: str, source: str
    ) -> None:
        self.hand, self.rules, self.words, self.place, self.source = hand, rules, words, place, source
        if not result or not isinstance(result[0], str):
            self.fail(f"found {result!r:.60}, expected a result such as 和了 or 流局")
        word = w.tenhou_word(result[0])
        self.note(((word, result[0]),) if word != result[0] else ())
        self.tenpai: tuple[int, ...] | None = None
        self.kind = ""
        if word == w.WIN_WORD:
            self.read_wins(result)
        else:
            self.read_draw(word, result)
        self.ronned = self.kind == "triple ron" or any(win.winner != win.loser for win in hand.wins)

    def fail(self, problem: str) -> Any:
        """Refuse the result."""
        raise RecordError(self.source, f"{self.place}, result", problem)

    def note(self, words: w.Words) -> None:
        """Remember which words replace Tenhou's."""
        self.words.update(words)

    def changes(self, numbers: Any) -> tuple[int, ...]:
        """Score changes."""
        if not isinstance(numbers, list):
            self.fail(f"found {numbers!r:.60}, expected four score changes")
        return tuple(_whole(numbers, PLAYERS, "score changes", f"{self.place}, result", self.source))

    def read_wins(self, result: list[Any]) -> None:
        """和了, then for each win the changes and who, from whom, who is liable, points, yaku."""
        if len(result) < 3 or len(result) % 2 == 0 or len(result) > 2 * PLAYERS:
            self.fail(f"found {len(result)} parts, expected changes and a description for each win")
        for numbers, parts in zip(result[1::2], result[2::2]):
            changes = self.changes(numbers)
            if not isinstance(parts, list) or len(parts) < 3 or any(type(p) is not int for p in parts[:3]):
                self.fail(f"found {parts!r:.60}, expected winner, discarder, liable player, points and yaku")
            winner, loser, liable = parts[:3]
            if not all(0 <= player < PLAYERS for player in parts[:3]):
                self.fail(f"players are {parts[:3]}: expected 0 to 3")
            win = WinRecord(winner, loser, changes, liable=None if liable == winner else liable)
            self.read_texts(win, parts[3:])
            self.hand.wins.append(win)
        if len({win.loser for win in self.hand.wins}) > 1:
            self.fail("several wins from different players: expected one discarder")

    def read_texts(self, win: WinRecord, texts: list[Any]) -> None:
        """The points and the yaku."""
        if not all(isinstance(text, str) for text in texts):
            self.fail(f"found {texts!r:.60}, expected texts such as 30符4飜7700点 and 立直(1飜)")
        if not texts:
            return
        try:
            points, yaku = w.parse_points(texts[0]), [w.parse_yaku(text) for text in texts[1:]]
        except ValueError as wrong:
            self.fail(str(wrong))
        win.fu, win.han, win.limit, win.points = points.fu, points.han, points.limit, points.points
        self.note(points.words)
        numbered = [(self.number(win, text), text.han) for text in yaku]
        win.yaku = tuple((number, han) for number, han in numbered if han is not None)
        win.yakuman = tuple(number for number, han in numbered if han is None)
        numbers = {number for number, _ in win.yaku}
        if self.rules.preset == "tenhou" and numbers & {RIICHI, DOUBLE_RIICHI} and URA_DORA not in numbers:
            win.yaku += ((URA_DORA, 0),)  # which Tenhou counts, but does not show
        if win.yaku:
            win.han = sum(han for _, han in win.yaku)

    def number(self, win: WinRecord, text: w.YakuText) -> int:
        """A yaku's number; a wind that is not named is found by the winner's seat or the round."""
        self.note(text.words)
        if text.number >= 0:
            return text.number
        if text.name in (w.SEAT_WIND_WORD, "Seat Wind"):
            number = SEAT_WIND + (win.winner - self.hand.dealer) % PLAYERS
        else:
            number = ROUND_WIND + self.hand.round // PLAYERS
        self.note(((w.YAKU_WORDS[number], text.name),))
        return number

    def read_draw(self, word: str, result: list[Any]) -> None:
        """流局 and the other draws, with or without changes."""
        self.kind = w.DRAW_OF_WORD.get(word, "exhaustive draw" if word in (w.ALL_TENPAI, w.ALL_NOTEN) else "")
        if not self.kind or len(result) > 2:
            self.fail(f"found {result!r:.60}, expected 和了, 流局 or another draw")
        changes = self.changes(result[1]) if len(result) == 2 else (0,) * PLAYERS
        if self.kind == "exhaustive draw":
            self.tenpai = tuple(player for player in range(PLAYERS) if changes[player] > 0) or None
            if word in (w.ALL_TENPAI, w.ALL_NOTEN):
                self.tenpai = tuple(range(PLAYERS)) if word == w.ALL_TENPAI else ()
        self.hand.draw = DrawRecord(self.kind, changes, {}, self.tenpai, self.hand.honba)

    def check(self, builder: HandBuilder) -> None:
        """Refuse an order of play that does not end in the result."""
        for win in self.hand.wins:
            builder.winning_tile(win.winner, win.loser)

    def finish(self, builder: HandBuilder, ura: Sequence[int]) -> None:
        """Fill in what the play shows."""
        draw = self.hand.draw
        if draw is None:
            builder.complete_wins(self.hand, self.hand.wins, ura)
            return
        if ura:
            self.fail("ura indicators at a draw: expected none")
        draw.sticks = self.hand.sticks + len(builder.paid)
        if draw.tenpai is None and self.kind in ("exhaustive draw", "nagashi mangan"):
            draw.tenpai = self.tenpai = builder.tenpai()
        draw.shown = builder.shown(self.showing(builder))

    def showing(self, builder: HandBuilder) -> Sequence[int]:
        """Whose hands are shown."""
        if self.kind == "nine terminals":
            return [player for player in range(PLAYERS) if builder.drawn in builder.hands[player]]
        if self.kind == "triple ron":
            return [player for player in range(PLAYERS) if builder.last and player != builder.last.player]
        return range(PLAYERS) if self.kind == "four riichi" else self.tenpai or ()
