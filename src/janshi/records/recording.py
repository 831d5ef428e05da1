"""Writing down a game while it is played: what happens at a table becomes a record.

>>> from janshi.records.recording import Recorder
>>> from janshi.rules.riichi.table import Table
>>> recorder = Recorder(Table(seed=7), ["ann", "bob", "cid", "dee"])
>>> while not recorder.table.over:
...     recorder.step({p: recorder.table.legal_actions(p)[0] for p in recorder.table.asked})
>>> recorder.record().names
('ann', 'bob', 'cid', 'dee')

The recorder stands in for the table's `step`; the table itself is left as it is. `hands` grows as the game goes on, its
last hand event by event, so that whoever keeps a place in it can tell the game live. Tile ids are those of the wall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from janshi.core.tiles import COPIES, FIRST_RED
from janshi.records.ids import tiles_of_ids
from janshi.records.meld_code import called_place, encode_meld
from janshi.records.model import DrawRecord, Event, GameRecord, GameRules, HandRecord, Kind, WinRecord
from janshi.records.walls import BLOCKS
from janshi.rules.answers import read_answers
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.deal import FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.points import YAKUMAN_BASE, ron_payment
from janshi.rules.riichi.result import HandResult, Win
from janshi.rules.riichi.ruleset import PRESETS, STICK, Ruleset
from janshi.rules.riichi.state import (
    LIABLE_DRAGONS,
    LIABLE_KANS,
    LIABLE_WINDS,
    NONE,
    PLAYERS,
    REACTION,
    TURN,
)
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.yaku import DAISANGEN, DAISUUSHII, DORA, RED_DORA, SUUKANTSU, URA_DORA

LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "counted yakuman", "yakuman")
"""Limits in the order of a record's numbers; a counted yakuman has the number of a yakuman."""
MOST_LIMIT: Final = LIMITS.index("counted yakuman")
DRAWS_WITH_TENPAI: Final = ("exhaustive draw", "nagashi mangan")
NO_NAMES: Final = ("",) * PLAYERS
Answers = Mapping[int, int | str] | int | str | None


class Recorder:
    """Steps a table and writes down all that happens, from the first question of a game to its end."""

    def __init__(self, table: Table, names: Sequence[str] = NO_NAMES) -> None:
        if len(names) != PLAYERS:
            raise ValueError(f"a game has {PLAYERS} players, but {len(names)} names were given: {names!r}")
        self.table = table
        self.names = tuple(names)
        self.hands: list[HandRecord] = []
        """All hands so far; the last one may still be in play."""
        self.actions: list[int] = []
        """All answers in the order of asking, by seat within a step: with the seed they are the whole game."""
        self._begin()

    def _begin(self) -> None:
        self._writer = _HandWriter(self.table)
        self.hands.append(self._writer.hand)

    def step(self, answers: Answers = None) -> None:
        """Step the table by the answers of all asked players, or on to the next hand, as `Table.step` does."""
        table = self.table
        if not table.asked:
            table.step(answers)
            if not table.over:
                self._begin()
            return
        chosen = read_answers(table, table.asked, answers, act.ACTION_NAMES, act.parse_action)
        self._writer.step(dict(zip(table.asked, chosen)))
        self.actions += chosen

    def record(self) -> GameRecord:
        """The record of all that was played; of an unfinished game the hands so far."""
        table = self.table
        record = GameRecord(list(self.hands), rules_told(table.rules), self.names)
        record.complete = table.over
        if table.over:
            record.final_scores = tuple(table.scores)
            record.final_points = tuple(round(float(points), 1) for points in table.final_points())
        return record


def record_game(
    rules: Ruleset, seed: int, actions: Sequence[int], names: Sequence[str] = ("",) * PLAYERS
) -> GameRecord:
    """Play a game again from its seed and all its answers, in the order of asking and by seat within a step."""
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


def rules_told(rules: Ruleset) -> GameRules:
    """Rules as a record names them: a preset, with rounds, red fives and open tanyao told apart."""
    told = GameRules(rules.rounds, rules.red_fives, rules.open_tanyao)
    names = (name for name, preset in PRESETS.items() if _with_told(preset, rules) == rules)
    told.preset = next(names, rules.name)
    told.level = 0 if told.preset == "tenhou" else None
    return told


def _with_told(preset: Ruleset, rules: Ruleset) -> Ruleset:
    """A preset with what records tell apart as in other rules."""
    return replace(
        preset, name=rules.name, rounds=rules.rounds, red_fives=rules.red_fives, open_tanyao=rules.open_tanyao
    )


class _HandWriter:
    """Steps one hand of a table and writes it down; hands and draws are followed by tile id."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.wall = [int(tile) for tile in table.state["wall"]]
        self.tile_of = tiles_of_ids(table.rules.red_fives)
        deals = _deals(self.wall, table.dealer)
        self.hands = [list(deal) for deal in deals]
        situation = (table.round, table.honba, table.sticks, tuple(table.scores))
        self.hand = HandRecord(*situation, self.wall[FIRST_INDICATOR], tuple(map(tuple, deals)))
        self.events = self.hand.events
        self.drawn = NONE
        self._draw()

    def step(self, chosen: dict[int, int]) -> None:
        """Step the table by answers, which are legal, and write down what happened."""
        s = self.table.state
        phase, actor, left, sticks = (int(s[name]) for name in ("phase", "actor", "left", "sticks"))
        shown, pending, melds = int(s["indicators"]), int(s["pending_dora"]), [int(n) for n in s["melds"]]
        self.table.step(chosen)
        if phase == TURN:
            if (
                chosen[actor] <= act.TSUMOGIRI
            ):  # the indicator of an open kan comes before the discard, as Tenhou has it
                shown = self._turn(shown, min(shown + pending, int(s["indicators"])))
            self._own_action(actor, chosen[actor])
        if self._stick_was_paid(sticks):
            self.events.append(Event(Kind.RIICHI_PAID, actor))
        if phase == REACTION:
            for player, before in enumerate(melds):
                if s["melds"][player] > before:
                    self._call(player, actor, chosen[player])
        self._turn(shown, int(s["indicators"]))
        if s["left"] != left:
            self._draw()
        if self.table.hand_over:
            self._end()

    def _stick_was_paid(self, before: int) -> bool:
        return int(self.table.state["sticks"]) == before + 1

    def _turn(self, first: int, end: int) -> int:
        """Write down the dora indicators newly turned; returns how many are shown."""
        for i in range(first, end):
            self.events.append(Event(Kind.DORA, NONE, self.wall[FIRST_INDICATOR + 2 * i]))
        return max(first, end)

    def _draw(self) -> None:
        s = self.table.state
        place = REPLACEMENT_PLACES[int(s["replacements"]) - 1] if s["from_dead_wall"] else int(s["next_draw"]) + 1
        self.drawn = self.wall[place]
        self.hands[self.table.actor].append(self.drawn)
        self.events.append(Event(Kind.DRAW, self.table.actor, self.drawn))

    def _take(self, player: int, tile: int) -> int:
        """Take a tile out of a hand; the one just drawn only if there is no other."""
        ids = [i for i in self.hands[player] if self.tile_of[i] == tile]
        ids.sort(key=lambda i: i == self.drawn)
        self.hands[player].remove(ids[0])
        return ids[0]

    def _take_kind(self, player: int, kind: int, red: bool) -> int:
        """Take a tile of a kind: the red five if wanted and there, another one if not wanted."""
        ids = [i for i in self.hands[player] if i // COPIES == kind]
        ids.sort(key=lambda i: (self.tile_of[i] < FIRST_RED) == red)
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
            ids = sorted(self._take_kind(player, action - act.CONCEALED_KAN, True) for _ in range(COPIES))
            self.events.append(Event(Kind.CONCEALED_KAN, player, NONE, tuple(ids)))
        elif act.ADDED_KAN <= action < act.TSUMO:
            tile = self._take_kind(player, action - act.ADDED_KAN, True)
            pon = self._pon(player, tile // COPIES)
            self.events.append(Event(Kind.ADDED_KAN, player, tile, tuple(sorted((*pon.tiles, pon.tile))), pon.source))

    def _pon(self, player: int, kind: int) -> Event:
        return next(e for e in self.events if e.kind == Kind.PON and e.player == player and e.tile // COPIES == kind)

    def _call(self, player: int, source: int, action: int) -> None:
        called = next(e.tile for e in reversed(self.events) if e.kind == Kind.DISCARD)
        kind = called // COPIES
        red = action == act.PON_RED or act.CHI_RED <= action < act.PON
        if action == act.OPEN_KAN:
            ids = [self._take_kind(player, kind, True) for _ in range(COPIES - 1)]
            event = Kind.OPEN_KAN
        elif action >= act.PON:
            ids = [self._take_kind(player, kind, red), self._take_kind(player, kind, False)]
            event = Kind.PON
        else:
            low = kind - (action - act.CHI) % 3
            ids = [self._take_kind(player, k, red) for k in range(low, low + 3) if k != kind]
            event = Kind.CHI
        self.events.append(Event(event, player, called, tuple(sorted(ids)), source))

    # --- the end of the hand

    def _end(self) -> None:
        result = self.table.result
        assert result is not None
        paid = [sum(e.kind == Kind.RIICHI_PAID and e.player == p for e in self.events) for p in range(PLAYERS)]
        changes = tuple(change + STICK * n for change, n in zip(result.changes, paid))
        if result.wins:
            self.hand.wins = self._wins(result, changes, sum(paid))
        else:
            tenpai = result.tenpai if result.kind in DRAWS_WITH_TENPAI else None
            shown = {player: tuple(sorted(self.hands[player])) for player in self._showing(result)}
            self.hand.draw = DrawRecord(result.kind, changes, shown, tenpai, self.hand.honba, self.table.sticks)

    def _showing(self, result: HandResult) -> Sequence[int]:
        """Whose hands are shown at a draw."""
        if result.kind == "nine terminals":
            return (self.table.actor,)
        if result.kind == "triple ron":
            return [player for player in range(PLAYERS) if player != self.table.actor]
        return range(PLAYERS) if result.kind == "four riichi" else result.tenpai

    def _wins(self, result: HandResult, changes: Sequence[int], paid: int) -> list[WinRecord]:
        """One record for each winner: the first takes honba and sticks."""
        later = [self._changes_of(win) for win in result.wins[1:]]
        first = tuple(change - sum(other[p] for other in later) for p, change in enumerate(changes))
        wins = [self._win(win, told) for win, told in zip(result.wins, [first, *later])]
        wins[0].sticks = self.hand.sticks + paid
        return wins

    def _changes_of(self, win: Win) -> tuple[int, ...]:
        """What a further winner by ron brings about, who takes neither honba nor sticks."""
        assert win.loser is not None
        changes = [0] * PLAYERS
        liable, yakuman = self._liable(win.player)
        half = 0
        if liable not in (NONE, win.loser):
            part = YAKUMAN_BASE * yakuman
            dealer = win.player == self.table.dealer
            half = (win.points if self.table.rules.liability_whole_hand else ron_payment(part, dealer)) // 2
            changes[liable] -= half
        changes[win.loser] -= win.points - half
        changes[win.player] += win.points
        return tuple(changes)

    def _liable(self, winner: int) -> tuple[int, int]:
        """Who is liable for a win and for how many yakuman: (NONE, 0) if nobody is."""
        s, rules = self.table.state, self.table.rules
        rows = (
            (DAISANGEN, LIABLE_DRAGONS, True, 1),
            (DAISUUSHII, LIABLE_WINDS, True, 2 if rules.double_yakuman else 1),
            (SUUKANTSU, LIABLE_KANS, rules.liability_four_kans, 1),
        )
        for yaku, place, counts, yakuman in rows:
            liable = int(s["liable"][winner, place])
            if counts and int(s["win_yaku"][winner]) >> yaku & 1 and liable != NONE:
                return liable, yakuman
        return NONE, 0

    def _win(self, win: Win, changes: tuple[int, ...]) -> WinRecord:
        s, report, p = self.table.state, win.report, win.player
        plays = (Kind.DRAW, Kind.DISCARD, Kind.ADDED_KAN, Kind.CONCEALED_KAN)
        last = next(e for e in reversed(self.events) if e.kind in plays)
        tile = last.tile if last.tile != NONE else last.tiles[-1]
        shown = range(int(s["indicators"]))
        yaku = [(line.yaku.number, line.han) for line in report.yaku]
        counts = ((DORA, report.dora), (URA_DORA, report.ura), (RED_DORA, report.red))
        yakuman = tuple(number for number, _ in yaku) if s["win_yakuman"][p] else ()
        liable, _ = self._liable(p)
        return WinRecord(
            winner=p,
            loser=p if win.loser is None else win.loser,
            changes=changes,
            tile=tile,
            liable=None if liable in (NONE, win.loser) else liable,
            fu=report.fu,
            han=None if yakuman else int(s["win_han"][p]),
            points=win.points,
            limit=min(LIMITS.index(report.limit), MOST_LIMIT),
            yaku=() if yakuman else (*yaku, *(pair for pair in counts if pair[1])),
            yakuman=yakuman,
            hand=tuple(sorted({*self.hands[p], tile})),
            melds=self._meld_codes(p),
            dora=tuple(self.wall[FIRST_INDICATOR + 2 * i] for i in shown),
            ura=tuple(self.wall[FIRST_INDICATOR - 1 + 2 * i] for i in shown) if self._sees_ura(p) else (),
            honba=self.hand.honba,
        )

    def _sees_ura(self, player: int) -> bool:
        return bool(self.table.state["riichi"][player]) and self.table.rules.ura_dora

    def _meld_codes(self, player: int) -> tuple[int, ...]:
        """A player's melds in Tenhou's code, the newest first; an added kan stands in its pon's place."""
        codes: list[int] = []
        robbed = self.table.result is not None and self.events[-1].kind == Kind.ADDED_KAN
        for event in self.events[: -1 if robbed else None]:
            if event.player != player:
                continue
            if event.kind == Kind.ADDED_KAN:
                pon = encode_meld(self._pon(player, event.tile // COPIES))
                codes[codes.index(pon)] = encode_meld(event, called_place(pon))
            elif Kind.CHI <= event.kind <= Kind.CONCEALED_KAN:
                codes.append(encode_meld(event))
        return tuple(reversed(codes))


def _deals(wall: Sequence[int], dealer: int) -> list[list[int]]:
    """The hands that a wall deals, each in the order it is dealt."""
    deals: list[list[int]] = [[] for _ in range(PLAYERS)]
    place = len(wall)
    for block in BLOCKS:
        for i in range(PLAYERS):
            deals[(dealer + i) % PLAYERS] += wall[place - block : place][::-1]
            place -= block
    return deals
