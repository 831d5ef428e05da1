"""Writing tenhou.net/6 JSON (see `tenhou6`)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from janshi.core.tiles import COPIES, FIVE_M, NUM_KINDS, RANKS
from janshi.records.final_points import TENHOU, as_tenhou, known_points
from janshi.records.ids import PLAYERS, check_writable, hand_name, tiles_of_ids
from janshi.records.model import Event, GameRecord, GameRules, HandRecord, Kind, RecordError, WinRecord
from janshi.records.tenhou6 import words as w
from janshi.records.tenhou6.order import CODE_OF_TILE, NO_DISCARD, TSUMOGIRI, Entry

MAHJONG_SOUL: Final = "雀魂"
SOUL: Final = "mahjong_soul"
"""The preset of Mahjong Soul's rules, which the text of the rules can name."""
LEVELS: Final = "般上特鳳"
"""The levels of Tenhou's tables."""
CALL_KINDS: Final = (int(Kind.CHI), int(Kind.PON), int(Kind.OPEN_KAN))


def write(record: GameRecord) -> str:
    """Write a game as one line of JSON; raises `RecordError` for what the format cannot hold."""
    return json.dumps(to_object(record), ensure_ascii=False, separators=(",", ":"))


def to_object(record: GameRecord) -> dict[str, Any]:
    """A game as the object that the format writes."""
    if record.rules.players != PLAYERS:
        raise RecordError(record.source, "", f"{record.rules.players} players: expected four")
    kept, words = record.extra.get("tenhou6", {}), record.extra.get("tenhou6 words", {})
    assert isinstance(kept, dict)
    assert isinstance(words, dict)
    game: dict[str, Any] = {}
    if record.title:
        game["title"] = list(record.title)
    game["name"] = list(record.names)
    game["rule"] = write_rule(record.rules)
    game["log"] = [_write_hand(hand, number, record, words) for number, hand in enumerate(record.hands)]
    if record.version:
        game["ver"] = _short(float(record.version)) if _is_number(record.version) else record.version
    if record.site_id:
        game["ref"] = record.site_id
    if record.lobby is not None:
        game["lobby"] = record.lobby
    if record.dans:
        game["dan"] = [w.RANK_WORDS[min(dan, len(w.RANK_WORDS) - 1)] for dan in record.dans]
    if record.rates:
        game["rate"] = list(map(_short, record.rates))
    if record.sexes:
        game["sx"] = list(record.sexes)
    points = known_points(record if record.rules.preset == SOUL else as_tenhou(record))
    if record.final_scores is not None and points is not None:
        game["sc"] = [n for score, point in zip(record.final_scores, points) for n in (score, _short(point))]
    return game | kept


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text) is not None


def _short(number: float) -> float:
    return int(number) if number == int(number) else number


def write_rule(rules: GameRules) -> dict[str, Any]:
    """The rule object of a game."""
    text = rules.text or rule_text(rules)
    red = int(rules.red_fives)
    return {**({"disp": text} if text else {}), "aka53": red, "aka52": red, "aka51": red}


def rule_text(rules: GameRules) -> str:
    """Tenhou's text of rules, such as 鳳南喰赤; without its first letter if the table's level is not known."""
    return "".join(
        (
            MAHJONG_SOUL if rules.preset == SOUL else "",
            "" if rules.level is None else LEVELS[rules.level],
            "東" if rules.rounds == 1 else "南",
            "喰" if rules.open_tanyao else "",
            "赤" if rules.red_fives else "",
            "速" if rules.fast else "",
        )
    )


_SORTED: Final = (*(2 * kind for kind in range(NUM_KINDS)), *(2 * (FIVE_M + RANKS * suit) + 1 for suit in range(3)))
"""The place of a tile (0..36) in a sorted hand: a red five after the other fives, as Tenhou lists them."""


class _Lists:
    """What each player took and gave, gathered from a hand's events."""

    def __init__(self, hand: HandRecord, tile_of: Sequence[int]) -> None:
        self.tile_of = tile_of
        self.code_of = [CODE_OF_TILE[tile] for tile in tile_of]
        self.takes: list[list[Entry]] = [[] for _ in range(PLAYERS)]
        self.gives: list[list[Entry]] = [[] for _ in range(PLAYERS)]
        self.indicators = [hand.dora]
        self.pons: dict[tuple[int, int], Event] = {}
        self.riichi = False
        for event in hand.events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Add an event's entry."""
        kind, player, tile = event.kind, event.player, event.tile
        if kind == Kind.DRAW:
            self.takes[player].append(self.code_of[tile])
        elif kind == Kind.DISCARD:
            code = TSUMOGIRI if event.tsumogiri else self.code_of[tile]
            self.gives[player].append(f"r{code}" if self.riichi else code)
            self.riichi = False
        elif kind == Kind.RIICHI:
            self.riichi = True
        elif kind == Kind.DORA:
            self.indicators.append(tile)
        elif kind in CALL_KINDS:
            self.takes[player].append(_call_text(event, self.tile_of))
            if kind == Kind.PON:
                self.pons[player, tile // COPIES] = event
            elif kind == Kind.OPEN_KAN:
                self.gives[player].append(NO_DISCARD)
        elif kind == Kind.CONCEALED_KAN:
            *own, last = _codes(event.tiles, self.tile_of)
            self.gives[player].append("".join(own) + "a" + last)
        elif kind == Kind.ADDED_KAN:
            pon = self.pons[player, tile // COPIES]
            self.gives[player].append(_call_text(pon, self.tile_of, f"k{self.code_of[tile]}"))


def _write_hand(hand: HandRecord, number: int, record: GameRecord, words: dict[str, str]) -> list[Any]:
    check_writable(hand, number, record.source, "tenhou.net/6")
    tile_of = tiles_of_ids(record.rules.red_fives)
    try:
        lists = _Lists(hand, tile_of)
    except KeyError:
        place = hand_name(number, hand.round, hand.honba)
        raise RecordError(record.source, place, "an added kan without its pon cannot be written") from None
    ura = max((win.ura for win in hand.wins), key=len, default=())
    written: list[Any] = [[hand.round, hand.honba, hand.sticks], list(hand.scores)]
    written += [[lists.code_of[tile] for tile in lists.indicators], [lists.code_of[tile] for tile in ura]]
    for player in range(PLAYERS):
        tiles = [tile_of[tile] for tile in hand.deals[player]]
        if record.format != "tenhou6":
            tiles.sort(key=_SORTED.__getitem__)
        written += [[CODE_OF_TILE[tile] for tile in tiles], lists.takes[player], lists.gives[player]]
    return [*written, _write_result(hand, record.rules, words)]


def _codes(ids: Sequence[int], tile_of: Sequence[int]) -> list[str]:
    """Tiles as two digits each, sorted, a red five after the others of its kind."""
    tiles = sorted((tile_of[tile_id] for tile_id in ids), key=_SORTED.__getitem__)
    return [str(CODE_OF_TILE[tile]) for tile in tiles]


def _call_text(event: Event, tile_of: Sequence[int], letter: str = "") -> str:
    """A call's text: the letter comes before the called tile, and its position shows from whom."""
    letter = letter or {Kind.CHI: "c", Kind.PON: "p", Kind.OPEN_KAN: "m"}[Kind(event.kind)]
    own = _codes(event.tiles, tile_of)
    ahead = (event.source - event.player) % PLAYERS
    place = {3: 0, 2: 1, 1: len(own)}[ahead]
    own.insert(place, f"{letter}{CODE_OF_TILE[tile_of[event.tile]]}")
    return "".join(own)


def _write_result(hand: HandRecord, rules: GameRules, words: dict[str, str]) -> list[Any]:
    draw = hand.draw
    if draw is None:
        result: list[Any] = [words.get(w.WIN_WORD, w.WIN_WORD)]
        for win in hand.wins:
            result += [list(win.changes), _write_win(win, hand, rules, words)]
        return result
    word = w.DRAW_WORDS[draw.kind]
    if draw.kind == "exhaustive draw" and draw.tenpai is not None and len(draw.tenpai) in (0, PLAYERS):
        return [w.ALL_TENPAI if draw.tenpai else w.ALL_NOTEN]
    with_changes = draw.kind in ("exhaustive draw", "nagashi mangan")
    return [words.get(word, word), *([list(draw.changes)] if with_changes else [])]


def _write_win(win: WinRecord, hand: HandRecord, rules: GameRules, words: dict[str, str]) -> list[Any]:
    written: list[Any] = [win.winner, win.loser, win.winner if win.liable is None else win.liable]
    if win.points is None:
        return written
    tsumo, dealer = win.winner == win.loser, win.winner == hand.dealer
    written.append(w.format_points(win.points, win.limit or 0, win.fu, win.han, tsumo, dealer, words))
    empty = rules.preset != TENHOU  # Tenhou does not show ura dora that gave nothing
    written += [w.format_yaku(number, han, words) for number, han in win.yaku if han or empty]
    return written + [w.format_yaku(number, None, words) for number in win.yakuman]
