"""A recorded Guobiao hand as text, turn by turn: what each player held and did, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from janshi.core.tiles import format_tiles
from janshi.records.botzone.model import PLAYERS, Act, Event, HandRecord
from janshi.records.botzone.replay import decisions, replay_any_way
from janshi.records.model import RecordError
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.result import HandResult
from janshi.rules.guobiao.table import Table

WINDS: Final = ("East", "South", "West", "North")
HELD_WIDTH: Final = 34


def hand_lines(record: HandRecord, number: int, seat: int | None = None) -> Iterator[str]:
    """A hand as plain lines; if a seat is given, the other players' tiles are left out. Hands count from 1."""
    name = f" ({record.match})" if record.match else ""
    yield f"Hand {number}{name}, prevalent wind {WINDS[record.wind]}"
    try:
        rules, end = replay_any_way(record)
    except RecordError as wrong:
        yield f"The engine cannot follow the record: {wrong.place}: {wrong.problem}"
        return
    numbers = (number for number, event in enumerate(record.events, 1) if event.act not in (Act.DRAW, Act.FLOWER))
    for table, answers in decisions(record, rules):
        actions = [(player, action) for player, action in sorted(answers.items()) if action != act.PASS]
        number = next(numbers, 0) if actions else 0
        for player, action in actions:
            yield _line(table, number, player, action, seat)
    if end.result is not None:
        yield from _result_lines(end.result, record)


def _line(table: Table, number: int, player: int, action: int, seat: int | None) -> str:
    """One action with its event's number, for an overridden claim that of the winning one: `  7  South  …`."""
    head = f"{number:>4}  {WINDS[(player - table.dealer) % PLAYERS]:<5}  "
    if seat is not None and player != seat:
        return f"{head}{act.action_name(action)}"
    drawn = table.drawn if player == table.actor else None
    hand = table.hand(player)
    if drawn is not None and drawn in hand:
        hand.remove(drawn)
    held = " ".join([format_tiles(hand), *map(str, table.melds(player))])
    held += "" if drawn is None else f" + {format_tiles([drawn])}"
    return f"{head}{held:<{HELD_WIDTH}}  {act.action_name(action)}"


def _result_lines(result: HandResult, record: HandRecord) -> Iterator[str]:
    if result.win is not None:
        winner = last_winner(record)
        fans = ", ".join(f"{fan.chinese} ×{count}" if count > 1 else fan.chinese for fan, count in result.win.fans)
        yield f"Player {winner} wins: {result.win.total} fan ({fans})"
    elif result.penalised is not None:
        yield f"Player {result.penalised} is penalised: a false hu or an illegal action"
    else:
        yield "Draw: the walls are empty"
    yield "Scores: " + ", ".join(f"player {seat} {change:+}" for seat, change in enumerate(result.changes))


def last_winner(record: HandRecord) -> int:
    """Who won a hand."""
    wins = (event for event in reversed(record.events) if event.act == Act.HU)
    return next(wins, Event(-1, Act.HU)).player
