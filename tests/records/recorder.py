"""Records of hands played at a table in a test: what a server would have written down."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from janshi.core.tiles import COPIES, FIRST_RED, id_to_tile
from janshi.records.model import DrawRecord, Event, HandRecord, Kind, WinRecord
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.actions import parse_action
from janshi.rules.riichi.deal import FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.result import Win
from janshi.rules.riichi.state import REACTION, TURN
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.yaku import DORA, RED_DORA, URA_DORA

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "rules" / "riichi"))
from scenario import hand_places

KINDS = {act.CONCEALED_KAN: Kind.CONCEALED_KAN, act.ADDED_KAN: Kind.ADDED_KAN}


class Recorder:
    """Writes down every step of a table, from the first question of a hand to its end."""

    def __init__(self, table: Table) -> None:
        s = table.state
        self.table = table
        self.wall = [int(tile) for tile in s["wall"]]
        self.situation = (table.round, table.honba, table.sticks, tuple(table.scores))
        self.deals = [[self.wall[place] for place in hand_places(p, table.dealer)] for p in range(4)]
        self.hands = [list(deal) for deal in self.deals]
        self.events: list[Event] = []
        self._step = table.step
        table.step = self.step  # type: ignore[method-assign]
        self._draw()

    def step(self, answers: Any = None) -> None:
        """Step the table and write down what happened."""
        s = self.table.state
        asked = self.table.asked
        given = dict(answers) if isinstance(answers, Mapping) else {asked[0]: answers}
        chosen = {p: parse_action(a) if isinstance(a, str) else int(a) for p, a in given.items()}
        phase, actor, left, sticks = (int(s[name]) for name in ("phase", "actor", "left", "sticks"))
        shown, pending, melds = int(s["indicators"]), int(s["pending_dora"]), [int(n) for n in s["melds"]]
        self._step(answers)
        if phase == TURN:
            if chosen[actor] <= act.TSUMOGIRI:
                shown += self._turn(shown, shown + pending)
            self._own_action(actor, chosen[actor])
        if s["sticks"] == sticks + 1:
            self.events.append(Event(Kind.RIICHI_PAID, actor))
        if phase == REACTION:
            for player, before in enumerate(melds):
                if s["melds"][player] > before:
                    self._call(player, actor, chosen[player])
        self._turn(shown, int(s["indicators"]))
        if s["left"] != left:
            self._draw()

    def _turn(self, first: int, end: int) -> int:
        for i in range(first, end):
            self.events.append(Event(Kind.DORA, -1, self.wall[FIRST_INDICATOR + 2 * i]))
        return end - first

    def _draw(self) -> None:
        s = self.table.state
        place = REPLACEMENT_PLACES[int(s["replacements"]) - 1] if s["from_dead_wall"] else int(s["next_draw"]) + 1
        self.drawn = self.wall[place]
        self.hands[self.table.actor].append(self.drawn)
        self.events.append(Event(Kind.DRAW, self.table.actor, self.drawn))

    def _take(self, player: int, tile: int) -> int:
        """Take a tile out of a hand; the one just drawn only if there is no other."""
        ids = [i for i in self.hands[player] if id_to_tile(i) == tile]
        ids.sort(key=lambda i: i == self.drawn)
        self.hands[player].remove(ids[0])
        return ids[0]

    def _take_kind(self, player: int, kind: int, red: bool) -> int:
        """Take a tile of a kind, the red five if wanted and there, else any other one."""
        ids = [i for i in self.hands[player] if i // COPIES == kind]
        ids.sort(key=lambda i: (id_to_tile(i) < FIRST_RED) == red)
        self.hands[player].remove(ids[0])
        return ids[0]

    def _own_action(self, player: int, action: int) -> None:
        if action < act.TSUMOGIRI:
            self.events.append(Event(Kind.DISCARD, player, self._take(player, action)))
        elif action == act.TSUMOGIRI:
            self.hands[player].remove(self.drawn)
            self.events.append(Event(Kind.DISCARD, player, self.drawn, tsumogiri=True))
        elif action == act.RIICHI:
            self.events.append(Event(Kind.RIICHI, player))
        elif act.CONCEALED_KAN <= action < act.ADDED_KAN:
            ids = tuple(self._take_kind(player, action - act.CONCEALED_KAN, True) for _ in range(COPIES))
            self.events.append(Event(Kind.CONCEALED_KAN, player, -1, ids))
        elif act.ADDED_KAN <= action < act.TSUMO:
            tile = self._take_kind(player, action - act.ADDED_KAN, True)
            pon = next(e for e in self.events if e.kind == Kind.PON and e.tile // COPIES == tile // COPIES)
            self.events.append(Event(Kind.ADDED_KAN, player, tile, (*pon.tiles, pon.tile), pon.source))

    def _call(self, player: int, source: int, action: int) -> None:
        called = next(e.tile for e in reversed(self.events) if e.kind == Kind.DISCARD)
        kind = called // COPIES
        red = action in (act.PON_RED, *range(act.CHI_RED, act.PON))
        if action >= act.PON:
            count, event = (3, Kind.OPEN_KAN) if action == act.OPEN_KAN else (2, Kind.PON)
            first = [self._take_kind(player, kind, red or count == 3)]
            ids = first + [self._take_kind(player, kind, count == 3) for _ in range(count - 1)]
        else:
            event = Kind.CHI
            low = kind - (action - act.CHI) % 3
            ids = [self._take_kind(player, k, red) for k in range(low, low + 3) if k != kind]
        self.events.append(Event(event, player, called, tuple(ids), source))

    def record(self) -> HandRecord:
        """The record of the hand, which is over."""
        result = self.table.result
        assert result is not None, "the hand is not over"
        round_, honba, sticks, scores = self.situation
        hand = HandRecord(
            round_, honba, sticks, scores, self.wall[FIRST_INDICATOR], tuple(map(tuple, self.deals)), self.events
        )
        paid = [sum(e.kind == Kind.RIICHI_PAID and e.player == p for e in self.events) for p in range(4)]
        changes = tuple(change + 1000 * n for change, n in zip(result.changes, paid))
        if result.wins:
            total = sum(paid) + sticks
            hand.wins = [self._win(win, changes, total if i == 0 else 0) for i, win in enumerate(result.wins)]
            if len(hand.wins) > 1:  # what each loses and wins is told apart from what both do
                hand.wins[1].changes = _ron_changes(result.wins[1])
                hand.wins[0].changes = tuple(a - b for a, b in zip(changes, hand.wins[1].changes))
        else:
            tenpai = result.tenpai if result.kind in ("exhaustive draw", "nagashi mangan") else None
            hand.draw = DrawRecord(result.kind, changes, {}, tenpai, honba, self.table.sticks)
        return hand

    def _win(self, win: Win, changes: tuple[int, ...], sticks: int) -> WinRecord:
        s, report, p = self.table.state, win.report, win.player
        tsumo = win.loser is None
        tile = self.drawn if tsumo else next(e.tile for e in reversed(self.events) if e.tile >= 0 and e.player >= 0)
        shown = range(int(s["indicators"]))
        yaku = [(line.yaku.number, line.han) for line in report.yaku]
        counts = ((DORA, report.dora), (URA_DORA, report.ura), (RED_DORA, report.red))
        extra = [(number, count) for number, count in counts if count]
        yakuman = tuple(n for n, _ in yaku) if s["win_yakuman"][p] else ()
        return WinRecord(
            winner=p,
            loser=p if win.loser is None else win.loser,
            changes=changes,
            tile=tile,
            fu=report.fu,
            han=None if yakuman else int(s["win_han"][p]),
            points=win.points,
            yaku=() if yakuman else (*yaku, *extra),
            yakuman=yakuman,
            hand=tuple(self.hands[p] if tsumo else [*self.hands[p], tile]),
            dora=tuple(self.wall[FIRST_INDICATOR + 2 * i] for i in shown),
            ura=tuple(self.wall[FIRST_INDICATOR - 1 + 2 * i] for i in shown) if s["riichi"][p] else (),
            honba=self.table.honba,
            sticks=sticks,
        )


def _ron_changes(win: Win) -> tuple[int, ...]:
    assert win.loser is not None
    return tuple(win.points * ((p == win.player) - (p == win.loser)) for p in range(4))
