"""Write a game as Tenhou mjlog XML 2.3.

A record read from an mjlog is written with the same tags and attributes, in the same order. For a record from another
format, what follows from the events is filled in (winning hands, melds, indicators, sticks); an attribute with an
unknown value, such as a win's points, is left out. Unknown fu are written as 0, which no win has; unknown dice as 0,0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, cast
from urllib.parse import quote, unquote

from janshi.core.tiles import NUM_IDS
from janshi.records.final_points import as_tenhou, known_points
from janshi.records.meld_code import PLAYERS, called_place, encode_meld
from janshi.records.model import DrawRecord, Event, GameRecord, GameRules, HandRecord, Kind, RecordError, WinRecord
from janshi.rules.riichi.ruleset import STICK

VERSION: Final = "2.3"
DRAW_LETTERS: Final = "TUVW"
DISCARD_LETTERS: Final = "DEFG"
UNIT: Final = 100
"""Scores are written in hundreds."""

DRAW_TYPES: Final = {
    "exhaustive draw": "",
    "nagashi mangan": "nm",
    "nine terminals": "yao9",
    "four winds": "kaze4",
    "four riichi": "reach4",
    "four kans": "kan4",
    "triple ron": "ron3",
}
"""`RYUUKYOKU type` of every hand without a winner; an exhaustive draw has none."""

HUMANS, NO_RED, NO_OPEN_TANYAO, SOUTH, THREE_PLAYERS, FAST = 0x01, 0x02, 0x04, 0x08, 0x10, 0x40
"""Bits of `GO type`."""
UNKNOWN_FU: Final = 0
"""Written for the fu of a win from a format that does not have them."""
LIMIT_POINTS: Final = (8000, 12000, 16000, 24000, 32000)
"""What mangan to yakuman are worth to a player who is not the dealer."""
LEVELS: Final = (0x00, 0x80, 0x20, 0xA0)
"""Bits of `GO type` for general, upper, tokujou and houou tables."""


def write(record: GameRecord) -> str:
    """Write a game; raises `RecordError` for what an mjlog cannot hold."""
    place = "header"
    try:
        tags = [*_header(record)]
        for number, hand in enumerate(record.hands, 1):
            place = f"hand {number}"
            if not hand.wins and hand.draw is None and number < len(record.hands):
                raise ValueError("it has no result, and another hand follows")
            tags += _HandWriter(record, hand, is_last=number == len(record.hands)).tags()
    except (ValueError, LookupError) as problem:
        raise RecordError(record.source, place, f"cannot be written as mjlog: {problem}") from problem
    return f'<mjloggm ver="{_version(record)}">{"".join(tags)}</mjloggm>'


def _version(record: GameRecord) -> str:
    return record.version if record.format == "mjlog" and record.version else VERSION


def tag(name: str, **attributes: object) -> str:
    """One tag; attributes that are None are left out."""
    texts = [f'{key}="{value}"' for key, value in attributes.items() if value is not None]
    text = " ".join((name, *texts))
    if text.count('"') != 2 * len(texts) or "<" in text or ">" in text:
        raise ValueError(f"{text!r} holds a character that no attribute can")
    return f"<{text}/>"


def commas(values: Iterable[object]) -> str | None:
    """Values with commas between them, None if there are none."""
    return ",".join(map(str, values)) or None


def hundred(score: int) -> int:
    """A score in hundreds."""
    if score % UNIT:
        raise ValueError(f"{score} points are not a multiple of {UNIT}")
    return score // UNIT


def hundreds(scores: Iterable[int]) -> str:
    """Scores in hundreds, with commas between them."""
    return ",".join(str(hundred(score)) for score in scores)


def go_type(rules: GameRules) -> int:
    """`GO type` of rules."""
    if rules.tenhou_type is not None:
        return rules.tenhou_type
    bits = HUMANS | LEVELS[rules.level or 0]
    bits |= 0 if rules.red_fives else NO_RED
    bits |= 0 if rules.open_tanyao else NO_OPEN_TANYAO
    bits |= SOUTH if rules.rounds > 1 else 0
    return bits | (FAST if rules.fast else 0)


def limit_of_points(points: int, dealer: bool) -> int:
    """The limit (0 none, 1 mangan .. 5 yakuman) of a win worth these points."""
    worth = points * 2 // 3 if dealer else points
    return sum(worth >= least for least in LIMIT_POINTS)


def format_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names, percent-encoded."""
    return tuple(quote(name, safe="", errors="replace") for name in names)


def format_rates(rates: Sequence[float]) -> str:
    """Ratings with two decimals, as since 2010."""
    return ",".join(f"{rate:.2f}" for rate in rates)


def format_owari(scores: Sequence[int], points: Sequence[float]) -> str:
    """Final scores in hundreds and final points, player by player."""
    return ",".join(f"{hundred(score)},{point:.1f}" for score, point in zip(scores, points))


def parse_owari(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Final scores and final points."""
    values = text.split(",")
    return tuple(UNIT * int(score) for score in values[::2]), tuple(float(point) for point in values[1::2])


def _header(record: GameRecord) -> Iterator[str]:
    if record.rules.players != PLAYERS or len(record.names) != PLAYERS:
        raise ValueError(f"it is a game of {record.rules.players} with {len(record.names)} names, expected {PLAYERS}")
    if record.seed is not None:
        yield tag("SHUFFLE", seed=record.seed, ref=record.seed_ref)
    yield tag("GO", type=go_type(record.rules), lobby=record.lobby)
    names = {f"n{player}": name for player, name in enumerate(_names(record))}
    yield tag("UN", **names, dan=commas(record.dans), rate=_rates(record), sx=commas(record.sexes))
    yield tag("TAIKYOKU", oya=0)


def _names(record: GameRecord) -> tuple[str, ...]:
    """Names in the record's own spelling, as long as it still gives the same names."""
    found = cast("tuple[str, ...]", record.extra.get("names", ()))
    return found if tuple(map(unquote, found)) == record.names else format_names(record.names)


def _rates(record: GameRecord) -> str | None:
    found = cast("str | None", record.extra.get("rate"))
    if found is not None and tuple(map(float, found.split(","))) == record.rates:
        return found
    return format_rates(record.rates) or None


def _owari(record: GameRecord) -> str | None:
    points = known_points(as_tenhou(record))
    if record.final_scores is None or points is None:
        return None
    found = cast("str | None", record.extra.get("owari"))
    if found is not None and parse_owari(found) == (record.final_scores, points):
        return found
    return format_owari(record.final_scores, points)


class _HandWriter:
    """Writes one hand and tracks what its tags need: scores, hands, melds, indicators."""

    def __init__(self, record: GameRecord, hand: HandRecord, is_last: bool) -> None:
        self.record, self.hand = record, hand
        self.owari = _owari(record) if is_last else None
        self.scores = list(hand.scores)
        self.held = [set(deal) for deal in hand.deals]
        self.melds: list[list[int]] = [[] for _ in range(PLAYERS)]
        self.indicators = [hand.dora]
        self.sticks = hand.sticks
        self.is_complete = record.format == "mjlog"  # results are complete: there is nothing to fill in

    def tags(self) -> Iterator[str]:
        """Every tag of the hand, those between the hands included."""
        hand = self.hand
        before = cast(int, hand.extra.get("before deal", 0))
        after = len(hand.events) - cast(int, hand.extra.get("after result", 0))
        for event in hand.events[:before]:
            yield self.connection(event)
        yield self.init()
        late = cast("list[int]", hand.extra.get("late riichi", ()))
        for i in range(before, after):
            if i - 1 in late:
                yield self.event(i, hand.events[i]) + self.event(i - 1, hand.events[i - 1])
            elif i not in late:
                yield self.event(i, hand.events[i])
        yield from self.results()
        for event in hand.events[after:]:
            yield self.connection(event)

    def init(self) -> str:
        """INIT."""
        hand = self.hand
        seed = (hand.round, hand.honba, hand.sticks, *(hand.dice or (0, 0)), hand.dora)
        deals = {f"hai{player}": commas(deal) for player, deal in enumerate(hand.deals)}
        shuffle = hand.extra.get("shuffle")
        return tag("INIT", seed=commas(seed), ten=hundreds(hand.scores), oya=hand.dealer, **deals, shuffle=shuffle)

    def event(self, i: int, event: Event) -> str:
        """The tag of an event, whose effects are tracked."""
        kind, player, tile = event.kind, event.player, event.tile
        if kind == Kind.DRAW:
            self.held[player].add(tile)
            return f"<{DRAW_LETTERS[player]}{self.checked(tile)}/>"
        if kind == Kind.DISCARD:
            self.held[player].discard(tile)
            return f"<{DISCARD_LETTERS[player]}{self.checked(tile)}/>"
        if kind == Kind.DORA:
            self.indicators.append(tile)
            return tag("DORA", hai=self.checked(tile))
        if kind == Kind.RIICHI:
            return tag("REACH", who=player, step=1)
        if kind == Kind.RIICHI_PAID:
            return self.riichi_paid(player)
        if kind in (Kind.LEAVE, Kind.RETURN):
            return self.connection(event)
        return self.meld(i, event)

    def checked(self, tile: int) -> int:
        """A tile id, if it is one."""
        if not 0 <= tile < NUM_IDS:
            raise ValueError(f"{tile} is not a tile id")
        return tile

    def connection(self, event: Event) -> str:
        """A player leaves or returns."""
        if event.kind == Kind.LEAVE:
            return tag("BYE", who=event.player)
        return tag("UN", **{f"n{event.player}": _names(self.record)[event.player]})

    def riichi_paid(self, player: int) -> str:
        """REACH step 2: the stick is on the table."""
        self.scores[player] -= STICK
        self.sticks += 1
        with_scores = self.hand.extra.get("riichi scores", True)
        return tag("REACH", who=player, ten=hundreds(self.scores) if with_scores else None, step=2)

    def meld(self, i: int, event: Event) -> str:
        """A chi, pon or kan: its code goes to the player's melds, an added kan's in its pon's place."""
        player = event.player
        named = cast("dict[int, int]", self.hand.extra.get("concealed kans", {})).get(i)
        if event.kind == Kind.ADDED_KAN:
            code = self.added_kan(event)
        else:
            code = encode_meld(event, named=named)
            self.melds[player].insert(0, code)
        self.held[player] -= {event.tile, *event.tiles}
        return tag("N", who=player, m=code)

    def added_kan(self, event: Event) -> int:
        """The code of an added kan, found by the pon it grew from."""
        melds = self.melds[event.player]
        for i, pon in enumerate(melds):
            code = encode_meld(event, called_place(pon))
            if _pon_of(code) == pon:
                melds[i] = code
                return code
        raise ValueError(f"player {event.player} adds tile {event.tile} to a pon that was not made")

    def results(self) -> Iterator[str]:
        """AGARI of every winner, or RYUUKYOKU."""
        hand = self.hand
        for win in hand.wins:
            yield self.win(win, self.owari if win is hand.wins[-1] else None)
        if hand.draw is not None:
            yield self.draw(hand.draw)

    def pay(self, changes: Sequence[int]) -> str:
        """Scores before and changes, in hundreds, player by player; the scores follow."""
        pairs = zip(self.scores, changes, strict=True)
        text = ",".join(f"{hundred(score)},{hundred(change)}" for score, change in pairs)
        self.scores = [score + change for score, change in zip(self.scores, changes)]
        return text

    def table(self, result: WinRecord | DrawRecord) -> str:
        """Honba and sticks on the table; the first winner takes the sticks."""
        if self.is_complete:
            return f"{result.honba},{result.sticks}"
        taken = isinstance(result, WinRecord) and result is not self.hand.wins[0]
        return f"{self.hand.honba},{0 if taken else self.sticks}"

    def completed(self, win: WinRecord) -> WinRecord:
        """A win, completed from the events."""
        if self.is_complete:
            return win
        tile = win.tile if win.tile >= 0 else self.winning_tile()
        return replace(
            win,
            tile=tile,
            hand=win.hand or tuple(sorted(self.held[win.winner] | {tile})),
            melds=win.melds or tuple(self.melds[win.winner]),
            dora=win.dora or tuple(self.indicators),
        )

    def win(self, win: WinRecord, owari: str | None) -> str:
        """AGARI; what neither the record nor its events show is left out."""
        ba = self.table(win)
        win = self.completed(win)
        return tag(
            "AGARI",
            ba=ba,
            hai=commas(win.hand),
            m=commas(win.melds),
            machi=win.tile,
            ten=self.value(win),
            yaku=commas(number for pair in win.yaku for number in pair),
            yakuman=commas(win.yakuman),
            doraHai=commas(win.dora),
            doraHaiUra=commas(win.ura),
            who=win.winner,
            fromWho=win.loser,
            paoWho=win.liable,
            sc=self.pay(win.changes),
            owari=owari,
        )

    def value(self, win: WinRecord) -> str | None:
        """Fu, points and limit; unknown fu are written as 0, an unknown limit follows from the points."""
        if win.points is None:
            return None
        limit = limit_of_points(win.points, win.winner == self.hand.dealer) if win.limit is None else win.limit
        return f"{win.fu or UNKNOWN_FU},{win.points},{limit}"

    def winning_tile(self) -> int:
        """The tile last drawn, discarded or added to a kan."""
        plays = (Kind.DRAW, Kind.DISCARD, Kind.ADDED_KAN)
        return next(event.tile for event in reversed(self.hand.events) if event.kind in plays)

    def draw(self, draw: DrawRecord) -> str:
        """RYUUKYOKU."""
        shown = {f"hai{player}": commas(draw.shown[player]) for player in sorted(draw.shown)}
        return tag(
            "RYUUKYOKU",
            type=DRAW_TYPES[draw.kind] or None,
            ba=self.table(draw),
            sc=self.pay(draw.changes),
            **shown,
            owari=self.owari,
        )


def _pon_of(code: int) -> int:
    """The code of the pon that an added kan's code grew from."""
    return code ^ 0x18
