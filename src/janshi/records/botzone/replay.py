"""Replaying recorded Guobiao hands on a table with full checks, and recording hands during play.

>>> from janshi.records.botzone.replay import Recorder, replay
>>> from janshi.rules.guobiao.table import Table
>>> recorder = Recorder(Table(seed=5))
>>> while not recorder.table.hand_over:
...     recorder.step({player: recorder.table.legal_actions(player)[0] for player in recorder.table.asked})
>>> replay(recorder.record("mine")).scores == recorder.table.scores
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.records.botzone.model import (
    BOTZONE_NAMES,
    CLAIMS,
    FLOWERS,
    NO_TILE,
    OUR_NAMES,
    PLAYERS,
    TILE_NAMES,
    Act,
    Event,
    HandRecord,
    is_flower,
)
from janshi.records.model import RecordError
from janshi.rules import events as ev
from janshi.rules.events import EventStream
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao import events as guobiao
from janshi.rules.guobiao.events import deal_turns
from janshi.rules.guobiao.ruleset import BOTZONE, MATCH, Ruleset
from janshi.rules.guobiao.state import PLAIN_TILES, TURN
from janshi.rules.guobiao.table import Table

Answers = dict[int, int]

# --- walls


def rebuild_wall(record: HandRecord, rules: Ruleset = BOTZONE) -> list[int]:
    """A wall that deals and draws as recorded.

    Tiles never drawn are those of the record's wall if it has one; otherwise they are filled in, lowest kinds first.
    """
    draws = [(event.player, event.tile) for event in record.events if event.act == Act.DRAW]
    left = Counter(dict.fromkeys(range(NUM_KINDS), COPIES))
    if rules.flowers:
        left.update({NUM_KINDS + flower: 1 for flower in range(FLOWERS)})
    size = left.total()
    left.subtract(tile for deal in record.deals for tile in deal)
    left.subtract(tile for _, tile in draws)
    over = [TILE_NAMES[tile] for tile, count in left.items() if count < 0]
    if over:
        raise RecordError(record.match, "wall", f"there are too many of {', '.join(over)}")
    rest = list(left.elements())
    if record.wall and len(record.wall) != size:
        raise RecordError(record.match, "wall", f"has {len(record.wall)} tiles, expected {size}")
    if not rules.own_walls:
        return [*_undrawn(record, 0, size, len(rest), rest), *reversed(_common_order(record, draws))]
    wall: list[int] = []
    for player in range(PLAYERS):
        drawn = [*record.deals[player], *(tile for p, tile in draws if p == player)]
        room = size // PLAYERS - len(drawn)
        if room < 0:
            raise RecordError(record.match, "wall", f"player {player} draws more tiles than their own wall has")
        filling = [rest.pop() for _ in range(room)]
        first, end = player * size // PLAYERS, (player + 1) * size // PLAYERS
        if record.wall and list(record.wall[first + room : end]) != drawn[::-1]:
            problem = f"the tiles that player {player} was dealt and drew are not those of initdata.walltiles"
            raise RecordError(record.match, "wall", problem)
        wall += [*_undrawn(record, first, end, room, filling), *reversed(drawn)]
    return wall


def _undrawn(record: HandRecord, first: int, end: int, room: int, filling: list[int]) -> list[int]:
    """The tiles at the beginning of a wall that were never drawn: the record's own, otherwise the filling."""
    if not record.wall:
        return filling
    tiles = list(record.wall[first : first + room])
    if end - first == len(record.wall) and sorted(tiles) != sorted(filling):
        raise RecordError(record.match, "wall", "the tiles dealt and drawn are not those of initdata.walltiles")
    return tiles


def _common_order(record: HandRecord, draws: list[tuple[int, int]]) -> list[int]:
    """All tiles in the order they leave a common wall."""
    hands = [list(deal) for deal in record.deals]
    order: list[int] = []
    for player, tiles in deal_turns(record.dealer):
        while tiles:
            tile = hands[player].pop(0)
            order.append(tile)
            tiles -= 0 if is_flower(tile) else 1
    return [*order, *(tile for _, tile in draws)]


# --- actions and events


def action_of(event: Event, tile: int) -> int:
    """The action of an event; `tile` is the discard it may claim."""
    if event.act == Act.CHI:
        return act.chi_action(event.tile - 1, tile - event.tile + 1)
    if event.act == Act.HU:
        return act.HU
    if event.act in (Act.PENG, Act.KONG):
        return (act.PENG if event.act == Act.PENG else act.KONG) + tile
    first = {Act.PLAY: act.PLAY, Act.CONCEALED_KONG: act.CONCEALED_KONG, Act.ADDED_KONG: act.ADDED_KONG}[event.act]
    return first + event.tile


def event_of(player: int, action: int, tile: int) -> Event:
    """The event of an action; `tile` is the tile a hu or a claim is about."""
    if action < act.CHI:
        return Event(player, Act.PLAY, action)
    if action < act.PENG:
        return Event(player, Act.CHI, act.chi_first(action) + 1)
    if action < act.KONG:
        return Event(player, Act.PENG, action - act.PENG)
    if action < act.CONCEALED_KONG:
        return Event(player, Act.KONG, action - act.KONG)
    if action < act.ADDED_KONG:
        return Event(player, Act.CONCEALED_KONG, action - act.CONCEALED_KONG)
    if action < act.HU:
        return Event(player, Act.ADDED_KONG, action - act.ADDED_KONG)
    return Event(player, Act.HU, tile)


def is_chi_of(event: Event, tile: int) -> bool:
    """Whether a chi's sequence holds the tile that it claims."""
    middle = event.tile
    return middle < EAST and 0 < middle % RANKS < RANKS - 1 and abs(middle - tile) <= 1


# --- replaying


def replay(record: HandRecord, rules: Ruleset = BOTZONE) -> Table:
    """Replay a hand: every draw, claim, fan and score must be as recorded, else `RecordError`; the table at its end."""
    table = starting_table(record, rules)
    for _ in _follow(record, table):
        pass
    _check_end(record, table)
    return table


WAYS: Final = (BOTZONE, replace(BOTZONE, flowers=True), MATCH, replace(MATCH, flowers=False))
"""Rules that a recorded hand may have been played by: one's own wall or a common one, with flowers or without."""


def replay_any_way(record: HandRecord) -> tuple[Ruleset, Table]:
    """The rules by which a hand can be replayed, and the table at its end; if none fit, raises the first error."""
    first: RecordError | None = None
    for rules in WAYS:
        try:
            return rules, replay(record, rules)
        except RecordError as refused:
            first = first or refused
        except (ValueError, IndexError) as wrong:
            first = first or RecordError(record.match, "", str(wrong))
    raise first or RecordError(record.match, "", "cannot be replayed")


def decisions(record: HandRecord, rules: Ruleset = BOTZONE) -> Iterator[tuple[Table, Answers]]:
    """Yield the table before each step of a recorded hand with all asked players' answers, then step it."""
    yield from _follow(record, starting_table(record, rules))


def starting_table(record: HandRecord, rules: Ruleset) -> Table:
    """A table at the beginning of a recorded hand, after which its game is over."""
    wall = rebuild_wall(record, rules)
    return Table(rules=rules, wall=wall, wind=record.wind, hand_number=_hand_number(record), one_hand=True)


def _hand_number(record: HandRecord) -> int:
    return record.dealer


def _follow(record: HandRecord, table: Table) -> Iterator[tuple[Table, Answers]]:
    for number, event in enumerate(record.events):
        place = f"event {number + 1} (player {event.player} {event.act})"
        claim = event.act in CLAIMS and not (event.act == Act.HU and _on_turn(table, event.player))
        if table.asked and not _on_turn(table, table.actor):
            answers = _reactions(record, table, event, claim, place)
        elif event.act in (Act.DRAW, Act.FLOWER):
            answers = {}
        else:
            answers = {event.player: _checked(record, table, event, place)}
        if answers:
            if _is_false(record, table, answers):
                table.declare_false_hu(event.player)
                return
            yield table, answers
            table.step(answers)
        if event.act == Act.DRAW and not is_flower(event.tile):
            _check_draw(record, table, event, place)
    if table.asked and record.penalised is not None:
        table.declare_false_hu(record.penalised)
    elif table.asked and not _on_turn(table, table.actor) and record.is_draw:
        answers = dict.fromkeys(table.asked, act.PASS)
        yield table, answers
        table.step(answers)


def _on_turn(table: Table, player: int) -> bool:
    return bool(table.state["phase"] == TURN) and table.actor == player


def _reactions(record: HandRecord, table: Table, event: Event, claim: bool, place: str) -> Answers:
    """The answers to a discard or an added kong, found from the event that follows it."""
    answers = dict.fromkeys(table.asked, act.PASS)
    for other in (event, *event.ignored) if claim else ():
        answers[other.player] = _checked(record, table, other, place)
    return answers


def _checked(record: HandRecord, table: Table, event: Event, place: str) -> int:
    """The action of an event, which must be legal (except a hu that the record penalises)."""
    tile = table.last_tile if table.last_tile is not None else -1
    if event.act == Act.CHI and not is_chi_of(event, tile):
        raise RecordError(record.match, place, f"the sequence around {TILE_NAMES[event.tile]} lacks the discard")
    action = action_of(event, tile)
    if not table.is_legal(event.player, action) and record.penalised != event.player:
        names = ", ".join(table.legal_names(event.player)) or "nothing"
        raise RecordError(record.match, place, f"{act.action_name(action)!r} is not legal; legal are: {names}")
    return action


def _is_false(record: HandRecord, table: Table, answers: Mapping[int, int]) -> bool:
    """Whether the penalised player's answer is the illegal one."""
    player = record.penalised
    return player is not None and player in answers and not table.is_legal(player, answers[player])


def _check_draw(record: HandRecord, table: Table, event: Event, place: str) -> None:
    if not _on_turn(table, event.player) or table.drawn != event.tile:
        raise RecordError(record.match, place, f"the table differs: actor {table.actor}, drawn tile {table.drawn}")


def _check_end(record: HandRecord, table: Table) -> None:
    """The hand has ended as recorded."""
    result = table.result
    if result is None:
        raise RecordError(record.match, "end", f"the hand is not over: players {table.asked} are asked")
    if result.is_draw != record.is_draw:
        raise RecordError(record.match, "end", f"the hand ended by {result.kind}")
    if result.win is not None:
        found = {fan.chinese: count for fan, count in result.win.fans}
        recorded = {OUR_NAMES.get(name, name): count for name, count in record.fans}
        if (result.win.total, found) != (record.fan, recorded):
            raise RecordError(record.match, "end", f"fan are {result.win.total} {found}, not {record.fan} {recorded}")
    if result.changes != record.scores:
        raise RecordError(record.match, "end", f"scores are {result.changes}, not {record.scores}")


# --- recording


class Recorder:
    """Steps a table and records what happens. The table must be at the beginning of a hand."""

    def __init__(self, table: Table) -> None:
        if table.hand_over or int(table.state["turns"]) or any(table.melds(p) for p in range(PLAYERS)):
            raise ValueError("a recorder needs a table at the beginning of a hand")
        self.table = table
        size = PLAIN_TILES + FLOWERS * table.rules.flowers
        self.wall = tuple(table.state["wall"][:size].tolist())
        """All tiles of the walls, in the order of `HandRecord.wall`."""
        self._stream = EventStream(table)
        self._writer = HandWriter()
        self._writer.take_all(self._stream.opening)
        self.events = self._writer.events

    def step(self, answers: Mapping[int, int | str]) -> None:
        """Step the table, and record the effect of the answers."""
        self._writer.take_all(self._stream.step(answers))

    def record(self, match: str = "") -> HandRecord:
        """The hand as recorded; it must be over."""
        if not self._writer.over and self.table.result is not None:  # a penalty, which is not an answer
            self._writer.take_all(self.table.game.end_events(self.table.states))
        return self._writer.record(match)


class HandWriter:
    """Turns the events of one hand into a record."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._deal: guobiao.Deal | None = None
        self._win: guobiao.Win | None = None
        self._penalised: int | None = None
        self._scores: tuple[int, ...] = ()
        self._played = NO_TILE

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return bool(self._scores)

    def take_all(self, events: Iterable[ev.Event]) -> None:
        """Note what happened."""
        for event in events:
            self._take(event)

    def _take(self, event: ev.Event) -> None:
        match event:
            case ev.Draw(seat, tile):
                self.events.append(Event(seat, Act.DRAW, tile))
            case ev.Flower(seat, tile):
                self.events += [Event(seat, Act.DRAW, tile), Event(seat, Act.FLOWER, tile)]
            case ev.Discard(seat, tile):
                self._played = tile
                self.events.append(Event(seat, Act.PLAY, tile))
            case ev.Kan():
                self.events.append(event_of(event.seat, event.action, event.tile))
            case ev.Call():
                self._claim(event, event.tile)
            case guobiao.Win():
                self._win = event
                self._claim(event, event.tile if event.loser is not None or self._played < 0 else self._played)
            case guobiao.Deal():
                self._deal = event
            case ev.Penalty(seat):
                self._penalised = seat
            case ev.Scores():
                self._scores = event.changes

    def _claim(self, event: ev.Call | ev.Win, tile: int) -> None:
        """Note who took the tile, and the claims that were ignored."""
        ignored = tuple(event_of(claim.seat, claim.action, tile) for claim in event.ignored)
        self.events.append(event_of(event.seat, event.action, tile)._replace(ignored=ignored))

    def record(self, match: str = "") -> HandRecord:
        """The hand as recorded; it must be over."""
        if not self.over or self._deal is None:
            raise ValueError("the hand is not over")
        fans = [] if self._win is None else [(fan.chinese, count) for fan, count in self._win.fans]
        return HandRecord(
            match=match,
            wind=self._deal.wind,
            deals=self._deal.hands,
            events=tuple(self.events),
            scores=self._scores,
            fan=None if self._win is None else self._win.fan,
            fans=tuple((BOTZONE_NAMES.get(name, name), count) for name, count in fans),
            penalised=self._penalised,
        )
