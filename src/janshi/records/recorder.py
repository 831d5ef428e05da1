"""Recording a game while it is played.

>>> from janshi.records.recorder import Recorder
>>> from janshi.rules.riichi.table import Table
>>> recorder = Recorder(Table(seed=7), ["ann", "bob", "cid", "dee"])
>>> while not recorder.table.over:
...     recorder.step({p: recorder.table.legal_actions(p)[0] for p in recorder.table.asked})
>>> recorder.record().names
('ann', 'bob', 'cid', 'dee')

Step the recorder instead of the table; the table itself is unchanged. `hands` grows as the game continues, its last
hand event by event, so that a reader that remembers its place can follow the game live. Tile ids are those of the wall.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from janshi.core.tiles import COPIES
from janshi.records.ids import tiles_of_ids
from janshi.records.meld_code import called_place, encode_meld
from janshi.records.model import DrawRecord, Event, GameRecord, GameRules, HandRecord, Kind, WinRecord
from janshi.records.walls import FIRST_DRAW
from janshi.rules import events as ev
from janshi.rules.events import Answers, EventStream
from janshi.rules.riichi import events as riichi
from janshi.rules.riichi.deal import FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.ruleset import PRESETS, Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.yaku import DORA, RED_DORA, URA_DORA

LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "counted yakuman", "yakuman")
"""Limits in the order of a record's numbers; a counted yakuman has the number of a yakuman."""
MOST_LIMIT: Final = LIMITS.index("counted yakuman")
NO_NAMES: Final = ("",) * PLAYERS
CALLS: Final = {ev.CHI: Kind.CHI, ev.PON: Kind.PON, ev.OPEN_KAN: Kind.OPEN_KAN}


class Recorder:
    """Steps a table and records everything that happens, from the first question of a game to its end."""

    def __init__(self, table: Table, names: Sequence[str] = NO_NAMES) -> None:
        self.table = table
        self._stream = EventStream(table)
        self._writer = RecordWriter(table.rules, names)
        self._writer.take_all(self._stream.opening)
        self.hands = self._writer.hands
        """All hands so far; the last one may still be in play."""
        self.actions = self._stream.actions
        """All answers in the order of asking, by seat within a step: together with the seed they are the whole game."""

    def step(self, answers: Answers = None) -> None:
        """Step the table by the answers of all asked players, or on to the next hand, as `Table.step` does."""
        self._writer.take_all(self._stream.step(answers))

    def record(self) -> GameRecord:
        """The record of the game; of an unfinished game, the hands so far."""
        return self._writer.record()


def record_game(
    rules: Ruleset, seed: int, actions: Sequence[int], names: Sequence[str] = ("",) * PLAYERS
) -> GameRecord:
    """Replay a game from its seed and all its answers, in the order of asking and by seat within a step."""
    recorder = Recorder(Table(seed, rules), names)
    table, at = recorder.table, 0
    while not table.over:
        asked = table.asked
        if at + len(asked) > len(actions):
            break
        recorder.step(dict(zip(asked, map(int, actions[at : at + len(asked)]))) if asked else None)
        at += len(asked)
    if at != len(actions):
        raise ValueError(f"{len(actions)} answers were given, but the game of seed {seed} took only {at}")
    return recorder.record()


def recorded_rules(rules: Ruleset) -> GameRules:
    """Rules as a record names them: a preset, and separately the rounds, red fives and open tanyao."""
    recorded = GameRules(rules.rounds, rules.red_fives, rules.open_tanyao)
    names = (name for name, preset in PRESETS.items() if _with_recorded(preset, rules) == rules)
    recorded.preset = next(names, rules.name)
    recorded.level = 0 if recorded.preset == "tenhou" else None
    return recorded


def _with_recorded(preset: Ruleset, rules: Ruleset) -> Ruleset:
    """A preset with the fields that records store separately taken from other rules."""
    return replace(
        preset, name=rules.name, rounds=rules.rounds, red_fives=rules.red_fives, open_tanyao=rules.open_tanyao
    )


class RecordWriter:
    """Turns the events of a game into a record."""

    def __init__(self, rules: Ruleset, names: Sequence[str] = NO_NAMES) -> None:
        if len(names) != PLAYERS:
            raise ValueError(f"a game has {PLAYERS} players, but {len(names)} names were given: {names!r}")
        self.rules, self.names = rules, tuple(names)
        self.hands: list[HandRecord] = []
        """All hands so far; the last one may still be in play."""
        self._end: ev.GameOver | None = None

    def take_all(self, events: Sequence[ev.Event]) -> None:
        """Record what happened."""
        for event in events:
            if isinstance(event, riichi.Deal):
                self._hand = _HandWriter(event, tiles_of_ids(self.rules.red_fives))
                self.hands.append(self._hand.hand)
            elif isinstance(event, ev.GameOver):
                self._end = event
            else:
                self._hand.take(event)

    def record(self) -> GameRecord:
        """The record of the game; of an unfinished game, the hands so far."""
        record = GameRecord(list(self.hands), recorded_rules(self.rules), self.names)
        record.complete = self._end is not None
        if self._end is not None:
            record.final_scores = self._end.scores
            record.final_points = tuple(round(points, 1) for points in self._end.points)
        return record


class _HandWriter:
    """Records the events of one hand; hands and draws are tracked by the tile ids of the wall."""

    def __init__(self, deal: riichi.Deal, tile_of: Sequence[int]) -> None:
        self.wall, self.tile_of = deal.wall, tile_of
        self.hands = riichi.dealt_ids(deal.wall, deal.dealer)
        deals = tuple(map(tuple, self.hands))
        situation = (deal.round, deal.honba, deal.sticks, deal.scores)
        self.hand = HandRecord(*situation, self.wall[FIRST_INDICATOR], deals)
        self.events = self.hand.events
        self.shown = 1
        """Dora indicators that are shown."""
        self.replacements = 0
        self.next_draw = FIRST_DRAW
        self.drawn = self.last = NONE
        """The tile drawn last, and the tile that can be won on."""

    def take(self, event: ev.Event) -> None:
        """Record an event; scores follow from the events that change them."""
        write = _WRITERS.get(type(event))
        if write is not None:
            write(self, event)

    def _draw(self, event: ev.Draw) -> None:
        if event.replacement:
            place = REPLACEMENT_PLACES[self.replacements]
            self.replacements += 1
        else:
            place = self.next_draw
            self.next_draw -= 1
        self.drawn = self.last = self.wall[place]
        self.hands[event.seat].append(self.drawn)
        self.events.append(Event(Kind.DRAW, event.seat, self.drawn))

    def _discard(self, event: ev.Discard) -> None:
        self.last = self.drawn if event.drawn else self._take(event.seat, event.tile)
        if event.drawn:
            self.hands[event.seat].remove(self.drawn)
        self.events.append(Event(Kind.DISCARD, event.seat, self.last, tsumogiri=event.drawn))

    def _indicator(self, event: ev.Indicator) -> None:
        """Record a turned indicator: one that waited for a discard comes before it, as on Tenhou."""
        turned = Event(Kind.DORA, NONE, self.wall[FIRST_INDICATOR + 2 * self.shown])
        self.shown += 1
        self.events.insert(len(self.events) - (self.events[-1].kind == Kind.DISCARD), turned)

    def _riichi(self, event: ev.Riichi) -> None:
        self.events.append(Event(Kind.RIICHI, event.seat))

    def _riichi_paid(self, event: ev.RiichiPaid) -> None:
        self.events.append(Event(Kind.RIICHI_PAID, event.seat))

    def _call(self, event: ev.Call) -> None:
        ids = tuple(sorted(self._take(event.seat, tile) for tile in event.own))
        self.events.append(Event(CALLS[event.kind], event.seat, self.last, ids, event.source))

    def _kan(self, event: ev.Kan) -> None:
        ids = sorted(self._take(event.seat, tile) for tile in event.own)
        self.last = ids[-1]
        if event.kind == ev.CONCEALED_KAN:
            self.events.append(Event(Kind.CONCEALED_KAN, event.seat, NONE, tuple(ids)))
        else:
            pon = self._pon(event.seat, self.last // COPIES)
            tiles = tuple(sorted((*pon.tiles, pon.tile)))
            self.events.append(Event(Kind.ADDED_KAN, event.seat, self.last, tiles, pon.source))

    def _take(self, player: int, tile: int) -> int:
        """Take a tile out of a hand, the one just drawn only if there is no other."""
        ids = [i for i in self.hands[player] if self.tile_of[i] == tile]
        ids.sort(key=lambda i: i == self.drawn)
        self.hands[player].remove(ids[0])
        return ids[0]

    def _pon(self, player: int, kind: int) -> Event:
        return next(e for e in self.events if e.kind == Kind.PON and e.player == player and e.tile // COPIES == kind)

    # --- the end of the hand

    def _drawn_hand(self, event: riichi.DrawnHand) -> None:
        shown = {player: tuple(sorted(self.hands[player])) for player in event.shown}
        self.hand.draw = DrawRecord(event.kind, event.changes, shown, event.tenpai, self.hand.honba, event.sticks)

    def _win(self, event: riichi.Win) -> None:
        report, p, tile = event.report, event.seat, self.last
        yaku = [(line.yaku.number, line.han) for line in report.yaku]
        counts = ((DORA, report.dora), (URA_DORA, report.ura), (RED_DORA, report.red))
        yakuman = () if event.han else tuple(number for number, _ in yaku)
        win = WinRecord(
            winner=p,
            loser=p if event.loser is None else event.loser,
            changes=event.changes,
            tile=tile,
            liable=event.liable,
            fu=report.fu,
            han=event.han or None,
            points=event.points,
            limit=min(LIMITS.index(report.limit), MOST_LIMIT),
            yaku=() if yakuman else (*yaku, *(pair for pair in counts if pair[1])),
            yakuman=yakuman,
            hand=tuple(sorted({*self.hands[p], tile})),
            melds=self._meld_codes(p),
            dora=self._turned(FIRST_INDICATOR),
            ura=self._turned(FIRST_INDICATOR - 1) if event.ura else (),
            honba=self.hand.honba,
            sticks=event.sticks,
        )
        self.hand.wins.append(win)

    def _turned(self, first: int) -> tuple[int, ...]:
        """The tile ids of indicators, or of those under them, from the first on."""
        return tuple(self.wall[first + 2 * i] for i in range(self.shown))

    def _meld_codes(self, player: int) -> tuple[int, ...]:
        """A player's melds in Tenhou's code, the newest first; an added kan takes its pon's place."""
        codes: list[int] = []
        robbed = self.events[-1].kind == Kind.ADDED_KAN
        for event in self.events[: -1 if robbed else None]:
            if event.player != player:
                continue
            if event.kind == Kind.ADDED_KAN:
                pon = encode_meld(self._pon(player, event.tile // COPIES))
                codes[codes.index(pon)] = encode_meld(event, called_place(pon))
            elif Kind.CHI <= event.kind <= Kind.CONCEALED_KAN:
                codes.append(encode_meld(event))
        return tuple(reversed(codes))


_WRITERS: Final[dict[type[ev.Event], Callable[[_HandWriter, Any], None]]] = {
    ev.Draw: _HandWriter._draw,
    ev.Discard: _HandWriter._discard,
    ev.Indicator: _HandWriter._indicator,
    ev.Riichi: _HandWriter._riichi,
    ev.RiichiPaid: _HandWriter._riichi_paid,
    ev.Call: _HandWriter._call,
    ev.Kan: _HandWriter._kan,
    riichi.DrawnHand: _HandWriter._drawn_hand,
    riichi.Win: _HandWriter._win,
}
