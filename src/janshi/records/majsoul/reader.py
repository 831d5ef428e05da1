"""Playing the messages of a Mahjong Soul record into a `GameRecord`.

Names, accounts, levels and the points after uma are left out: what is kept is the game, its rules and its final scores
(final points follow from them by the uma of our rules).
Indicators are turned where the rules turn them; the messages only say which they are. A game of three, a special mode
of the month, a second red five of circles or a message that is not known here is refused.

Not in the format: tile ids, the order of the deal, dice. Not read: the wall (`paishan`), times, emotes, lost
connections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from janshi.core.tiles import FIRST_RED, NUM_KINDS
from janshi.records.final_points import known_points, scores_by_play
from janshi.records.ids import HAND_TILES, PLAYERS, HandBuilder, hand_name
from janshi.records.limits import MOST_COUNTERS
from janshi.records.majsoul.content import Content
from janshi.records.majsoul.results import draw_of, wins_of
from janshi.records.mjai.results import showing
from janshi.records.model import GameRecord, GameRules, HandRecord, Kind, RecordError
from janshi.records.placement import PlacedHand

MAX_NUMBER: Final = 1 << 20
ENDS: Final = ("RecordHule", "RecordNoTile", "RecordLiuJu")
EAST_MODES, SOUTH_MODES, THREE_MODES = (1,), (2,), (11, 12, 13, 14)
"""Numbers of `GameMode.mode`: games of four, East only and South, and games of three."""
MOST_REDS: Final = 3
SPECIAL_MODES: Final = {
    "guyi_mode": "local yaku",
    "dora3_mode": "three dora",
    "begin_open_mode": "open tiles",
    "jiuchao_mode": "nine-tide rules",
    "muyu_mode": "the wooden fish",
    "open_hand": "open hands",
    "xuezhandaodi": "a battle to the end",
    "huansanzhang": "exchange of three tiles",
    "chuanma": "Sichuan rules",
    "reveal_discard": "discards face down",
    "field_spell_mode": "field spells",
    "zhanxing": "divination",
    "tianming_mode": "destiny",
    "yongchang_mode": "chants",
    "hunzhiyiji_mode": "one strike",
}
"""Fields of the detailed rules that change the game, and what they mean."""
TILES: Final = {
    **{f"{rank + 1}{suit}": 9 * s + rank for s, suit in enumerate("mps") for rank in range(9)},
    **{f"{rank + 1}z": NUM_KINDS - 7 + rank for rank in range(7)},
    **{f"0{suit}": FIRST_RED + s for s, suit in enumerate("mps")},
}
_CALLS: Final = (int(Kind.CHI), int(Kind.PON), int(Kind.OPEN_KAN))
ADDED, CONCEALED = 2, 3
"""Types of `RecordAnGangAddGang`."""


def read_content(content: Content, format: str, source: str = "") -> GameRecord:
    """Read a game from its messages; raises `RecordError`."""
    hands = _split(content.records, source)
    if not hands:
        raise RecordError(source, "", "has no hand: expected RecordNewRound")
    rules = _rules(content, source)
    record = GameRecord([], rules, format=format, source=source, exact_ids=False)
    for number, messages in enumerate(hands):
        reader = _Hand(messages, number, rules, source)
        record.hands.append(reader.read())
        if messages[-1][0] not in ENDS and number + 1 < len(hands):
            reader.fail(f"ends with {messages[-1][0]}: expected its result before the next hand")
    record.final_scores = _final_scores(content.head, source) or scores_by_play(record)
    first = record.hands[0]
    record.complete = record.final_scores is not None and messages[-1][0] in ENDS and first.round == first.honba == 0
    record.final_points = known_points(record)
    return record


def _split(records: list[tuple[str, Any]], source: str) -> list[list[tuple[str, Any]]]:
    """The messages hand by hand."""
    hands: list[list[tuple[str, Any]]] = []
    for name, message in records:
        if name == "RecordNewRound":
            hands.append([])
        elif not hands:
            raise RecordError(source, "", f"begins with {name}, expected RecordNewRound")
        hands[-1].append((name, message))
    return hands


# --- the head


def _rules(content: Content, source: str) -> GameRules:
    starts = [message for name, message in content.records if name == "RecordNewRound"]
    if any(len(start.scores) == PLAYERS - 1 for start in starts):
        raise RecordError(source, "", "is a game of three players: expected four")
    rules = GameRules(preset="mahjong_soul")
    rules.rounds = 1 if (starts[-1].chang, starts[-1].ju) == (0, PLAYERS - 1) else 2
    rules.red_fives = any("0" in tile[:1] for name, message in content.records for tile in _tiles_in(name, message))
    if content.head is not None and content.head.HasField("config"):
        _read_config(content.head.config, rules, source)
    rules.text = f"雀魂{'東' if rules.rounds == 1 else '南'}{'喰' if rules.open_tanyao else ''}"
    return rules


def _tiles_in(name: str, message: Any) -> Sequence[str]:
    """The tiles that a message brings in sight."""
    if name == "RecordNewRound":
        return [*message.tiles0, *message.tiles1, *message.tiles2, *message.tiles3, *message.doras, message.dora]
    return [message.tile] if name == "RecordDealTile" else []


def _read_config(config: Any, rules: GameRules, source: str) -> None:
    mode, detail = config.mode.mode, config.mode.detail_rule
    if mode in THREE_MODES:
        raise RecordError(source, "head", "is a game of three players: expected four")
    if mode in EAST_MODES + SOUTH_MODES:
        rules.rounds = 1 if mode in EAST_MODES else 2
    for field, words in SPECIAL_MODES.items():
        if getattr(detail, field):
            raise RecordError(source, "head", f"is played with {words} ({field}): expected the usual rules")
    if config.meta.mode_id or not config.mode.HasField("detail_rule"):
        return
    if detail.dora_count > MOST_REDS:
        raise RecordError(source, "head", f"has {detail.dora_count} red fives: expected 3 or none")
    rules.red_fives = rules.red_fives or detail.dora_count > 0
    rules.open_tanyao = bool(detail.shiduan)


def _final_scores(head: Any, source: str) -> tuple[int, ...] | None:
    """The scores at the end of the game, if the head has them."""
    players = [] if head is None else list(head.result.players)
    if players:
        if sorted(item.seat for item in players) != list(range(PLAYERS)):
            raise RecordError(source, "head", f"the result has {len(players)} players: expected four seats")
        scores = tuple(int(item.part_point_1) for item in sorted(players, key=lambda item: item.seat))
        if any(abs(score) >= MAX_NUMBER for score in scores):
            raise RecordError(source, "head", f"final scores are {scores}: expected less")
        return scores
    return None


# --- a hand


class _Hand:
    """Plays the messages of one hand."""

    def __init__(self, messages: list[tuple[str, Any]], number: int, rules: GameRules, source: str) -> None:
        self.messages, self.rules, self.source = messages, rules, source
        start = messages[0][1]
        if not (start.chang < PLAYERS and start.ju < PLAYERS):
            raise RecordError(source, f"hand {number + 1}", f"round {start.chang}, {start.ju}: expected 0 to 3")
        if max(start.ben, start.liqibang) > MOST_COUNTERS:
            problem = f"honba and sticks are {start.ben}, {start.liqibang}: expected 0 to {MOST_COUNTERS}"
            raise RecordError(source, f"hand {number + 1}", problem)
        round_ = PLAYERS * start.chang + start.ju
        self.place = hand_name(number, round_, start.ben)
        if len(start.scores) != PLAYERS or any(abs(score) >= MAX_NUMBER for score in start.scores):
            self.fail(f"scores are {list(start.scores)}: expected four")
        self.hand = HandRecord(round_, start.ben, start.liqibang, tuple(start.scores), -1, ())
        self.indicators = self._indicators()
        deals = [self.tiles(getattr(start, f"tiles{player}")) for player in range(PLAYERS)]
        dealer = self.hand.dealer
        if len(deals[dealer]) != HAND_TILES + 1:
            self.fail(f"the dealer was dealt {len(deals[dealer])} tiles: expected {HAND_TILES + 1}")
        first = deals[dealer].pop()
        self.builder = HandBuilder(deals, self.indicators[0], dealer, rules.red_fives, source, self.place)
        self.hand.dora, self.hand.deals = self.builder.indicators[0], self.builder.deals
        self.play = PlacedHand(self.builder, self.indicators)
        self.builder.draw(dealer, first)

    def fail(self, problem: str) -> NoReturn:
        """Refuse the record, naming the hand."""
        raise RecordError(self.source, self.place, problem)

    def tile(self, name: str) -> int:
        """A tile by its name."""
        tile = TILES.get(name)
        if tile is None or (tile >= FIRST_RED and not self.rules.red_fives):
            self.fail(f"found {name!r:.20}, expected a tile such as 1m, 0p or 7z")
        return tile

    def tiles(self, names: Sequence[str]) -> list[int]:
        """Tiles by their names."""
        return [self.tile(name) for name in names]

    def _indicators(self) -> list[int]:
        """All dora indicators of the hand, in order; every message that lists them must agree."""
        longest: list[str] = []
        for name, message in self.messages:
            lists = [list(getattr(message, "doras", ()))]
            if name == "RecordNewRound" and message.dora:
                lists.append([message.dora])
            if name == "RecordHule":
                lists += [list(hule.doras) for hule in message.hules]
            for doras in lists:
                shorter, longer = sorted((longest, doras), key=len)
                if longer[: len(shorter)] != shorter:
                    self.fail(f"dora indicators are {' '.join(longest)} and {' '.join(doras)}: expected the same")
                longest = longer
        if not longest:
            self.fail("no dora indicator: expected at least one")
        return self.tiles(longest)

    def read(self) -> HandRecord:
        """Play the whole hand."""
        for name, message in self.messages[1:]:
            if self.hand.wins or self.hand.draw is not None:
                self.fail(f"{name} after the end of the hand: expected RecordNewRound")
            self.play.go_on(won=name == "RecordHule" and not all(hule.zimo for hule in message.hules))
            _HANDLERS[name](self, message)
        self.hand.events = self.builder.events
        return self.hand

    # --- messages

    def deal(self, message: Any) -> None:
        """A draw."""
        self.builder.draw(self._seat(message.seat), self.tile(message.tile))

    def discard(self, message: Any) -> None:
        """A discard, with or without riichi."""
        seat, tile = self._seat(message.seat), self.tile(message.tile)
        # the dealer's fourteen tiles come sorted: nobody knows which of them was the last
        unknown = len(self.builder.events) == 1
        drawn = tile == self.builder.drawn_tile() if unknown else message.moqie
        self.play.discard(seat, tile, drawn, message.is_liqi or message.is_wliqi)

    def call(self, message: Any) -> None:
        """A chi, pon or open kan."""
        seat = self._seat(message.seat)
        taken = [i for i, source in enumerate(message.froms) if source != seat]
        if message.type >= len(_CALLS) or len(taken) != 1 or len(message.froms) != len(message.tiles):
            self.fail(f"a call of type {message.type} with tiles from {list(message.froms)}: expected one called tile")
        (place,) = taken
        tiles = self.tiles(message.tiles)
        called = tiles.pop(place)
        self.play.call(_CALLS[message.type], seat, called, tiles, self._seat(message.froms[place]))

    def kan(self, message: Any) -> None:
        """A concealed or added kan."""
        seat, tile = self._seat(message.seat), self.tile(message.tiles)
        robbed = self.messages[-1][0] == "RecordHule" and self.messages[-2][1] is message
        if message.type == CONCEALED:
            self.play.concealed_kan(seat, tile, self.rules.red_fives, robbed)
        elif message.type == ADDED:
            self.play.added_kan(seat, tile, robbed)
        else:
            self.fail(f"a kan of type {message.type}: expected {ADDED} (added) or {CONCEALED} (concealed)")

    def win(self, message: Any) -> None:
        """One win or several."""
        self.play.end()
        self.hand.wins = wins_of(self, message)

    def draw(self, message: Any) -> None:
        """A hand without a winner."""
        self.play.end()
        self.hand.draw = draw_of(self, message)
        self.hand.draw.sticks = self.hand.sticks + len(self.builder.paid)
        self.hand.draw.shown = self.builder.shown(showing(self.builder, self.hand.draw))

    def kita(self, message: Any) -> None:
        """A north set aside, which only games of three have."""
        self.fail("RecordBaBei of a game of three players: expected four")

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < PLAYERS:
            self.fail(f"seat {seat}: expected 0 to 3")
        return seat


_HANDLERS: Final[dict[str, Callable[[_Hand, Any], None]]] = {
    "RecordDealTile": _Hand.deal,
    "RecordDiscardTile": _Hand.discard,
    "RecordChiPengGang": _Hand.call,
    "RecordAnGangAddGang": _Hand.kan,
    "RecordBaBei": _Hand.kita,
    "RecordHule": _Hand.win,
    "RecordNoTile": _Hand.draw,
    "RecordLiuJu": _Hand.draw,
}
