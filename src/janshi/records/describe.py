"""A recorded hand as text, turn by turn: what each player held, drew, discarded and called, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from janshi.core.tiles import format_tiles
from janshi.records.invariants import hand_name
from janshi.records.model import GameRecord, HandRecord, Kind
from janshi.records.replay import Moment, Replay, replay_game, rules_of
from janshi.records.walls import Wall, known_walls
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.result import HandResult, Win
from janshi.rules.riichi.state import PLAYERS
from janshi.rules.riichi.table import WIND_NAMES, Table

LEVELS: Final = ("general", "upper", "tokujou", "houou")


@dataclass(frozen=True, slots=True)
class Step:
    """An action of a player, or (player -1) another event."""

    event: int | None
    """The number of its event in the hand, from 1, as messages name it; None for an action that ends the hand."""
    player: int
    words: str
    """Such as `draws`, `pon`, `riichi, discards`."""
    tile: int | None = None
    """The tile discarded, called or added."""
    mark: str = ""
    """` as drawn` for the tile just drawn, ` from West` for a tile that was called."""
    hand: tuple[int, ...] = ()
    """The player's concealed tiles before it, without the drawn one."""
    drawn: int | None = None
    melds: tuple[str, ...] = ()
    """The player's melds before it, in the usual notation."""


@dataclass(frozen=True, slots=True)
class HandStory:
    """A recorded hand as a story."""

    title: str
    winds: tuple[str, ...]
    """Each player's seat wind."""
    names: tuple[str, ...]
    scores: tuple[int, ...]
    steps: tuple[Step, ...]
    result: tuple[str, ...]

    def seat(self, player: int) -> str:
        """Such as `East (u0123)`."""
        name = self.names[player]
        return f"{self.winds[player]} ({name})" if name else self.winds[player]


def game_title(record: GameRecord) -> str:
    """One line on a game: its rules, players and final scores."""
    rules = record.rules
    level = LEVELS[rules.level] + " table, " if rules.level is not None and rules.level < len(LEVELS) else ""
    words = [f"{level}{'East' if rules.rounds == 1 else 'South'} game"]
    words += [] if rules.red_fives else ["no red fives"]
    words += [] if rules.open_tanyao else ["no open tanyao"]
    words.append(f"{len(record.hands)} hand{'s' if len(record.hands) != 1 else ''}")
    scores = record.final_scores
    players = (
        name or f"player {seat}" if scores is None else f"{name or f'player {seat}'} {scores[seat]:,}"
        for seat, name in enumerate(record.names)
    )
    return f"{', '.join(words)}: {', '.join(players)}"


def hand_story(record: GameRecord, index: int) -> HandStory:
    """The story of one hand of a game."""
    hand = record.hands[index]
    replay = Replay(hand, rules_of(record), _seeded_wall(record, index))
    winds = tuple(WIND_NAMES[(player - hand.dealer) % PLAYERS] for player in range(PLAYERS))
    sticks = f", {hand.sticks} riichi stick{'s' if hand.sticks > 1 else ''}" if hand.sticks else ""
    start = replay.start()
    return HandStory(
        title=f"{hand_name(hand)}{sticks}, dora indicator {format_tiles(start.dora_indicators)}",
        winds=winds,
        names=record.names,
        scores=hand.scores,
        steps=tuple(_steps(replay, winds)),
        result=tuple(_result_lines(replay.end(), record)) if replay.agrees else _parting(record, index),
    )


def _seeded_wall(record: GameRecord, index: int) -> Wall | None:
    walls = known_walls(record)
    return None if walls is None else walls[index].wall


def _parting(record: GameRecord, index: int) -> tuple[str, ...]:
    """Why a hand cannot be shown to its end."""
    found = (str(what) for what in replay_game(record) if what.hand == index)
    return ("The engine cannot follow the record further:", *found)


# --- steps


_ACTIONS: Final = tuple(Kind)[Kind.DISCARD : Kind.RIICHI_PAID]


def _steps(replay: Replay, winds: tuple[str, ...]) -> Iterator[Step]:
    shown = 1
    actions, indicators = _numbers(replay.hand, _ACTIONS), _numbers(replay.hand, (Kind.DORA,))
    for moment in replay:
        table = moment.table
        for tile in table.dora_indicators[shown:]:
            yield Step(next(indicators, None), -1, "new dora indicator", tile)
        shown = len(table.dora_indicators)
        for player, action in moment.answers.items():
            if action != act.PASS:
                yield _step(moment, next(actions, None), player, action, winds)


def _numbers(hand: HandRecord, kinds: Sequence[int]) -> Iterator[int]:
    """The numbers of a hand's events of some kinds, from 1."""
    return (number for number, event in enumerate(hand.events, 1) if event.kind in kinds)


def _step(moment: Moment, event: int | None, player: int, action: int, winds: tuple[str, ...]) -> Step:
    table = moment.table
    hand = table.hand(player)
    drawn = table.drawn if player == table.actor else None
    if drawn is not None:
        hand.remove(drawn)
    words, tile, mark = _words(table, action, winds)
    melds = tuple(str(meld) for meld in table.melds(player))
    return Step(event, player, words, tile, mark, tuple(hand), drawn, melds)


def _words(table: Table, action: int, winds: tuple[str, ...]) -> tuple[str, int | None, str]:
    """The name of an action, its tile, and a mark."""
    if action == act.TSUMOGIRI:
        return "discards", table.drawn, " as drawn"
    if action < act.TSUMOGIRI:
        return "discards", action, ""
    if act.CHI <= action <= act.OPEN_KAN or action == act.RON:
        return act.action_name(action), table.last_tile, f" from {winds[table.actor]}"
    if action == act.TSUMO:
        return "tsumo", table.drawn, ""
    return act.action_name(action), None, ""


# --- the end


def _result_lines(table: Table, record: GameRecord) -> Iterator[str]:
    result = table.result
    if result is None:
        return
    for win in result.wins:
        yield from _win_lines(win, record.names)
    if result.is_draw:
        yield _draw_line(result, record.names)
    yield "Score changes: " + ", ".join(
        f"{_name(record.names, player)} {change:+,}" for player, change in enumerate(result.changes)
    )


def _name(names: tuple[str, ...], player: int) -> str:
    return names[player] or f"player {player}"


def _win_lines(win: Win, names: tuple[str, ...]) -> Iterator[str]:
    how = "by tsumo" if win.loser is None else f"by ron from {_name(names, win.loser)}"
    yield f"{_name(names, win.player)} wins {how}: {win.points:,} points"
    yield from (f"  {line}" for line in str(win.report).splitlines())


def _draw_line(result: HandResult, names: tuple[str, ...]) -> str:
    paid = f" for {', '.join(_name(names, p) for p in result.nagashi)}" if result.nagashi else ""
    tenpai = f", tenpai: {', '.join(_name(names, p) for p in result.tenpai)}" if result.tenpai else ""
    return f"{result.kind.capitalize()}{paid}{tenpai}"


# --- plain text


def story_lines(story: HandStory, player: int | None = None) -> Iterator[str]:
    """A hand as plain lines; if a player is given, the other players' hands are left out."""
    yield story.title
    for seat in range(PLAYERS):
        yield f"  {seat} {story.seat(seat)} {story.scores[seat]:,}"
    for step in story.steps:
        yield step_line(story, step, player)
    yield from story.result


def step_line(story: HandStory, step: Step, player: int | None = None) -> str:
    """One step as a plain line, after its event's number: `  7  South  406p6634s7z + 5m  discards 7z`."""
    said = f"{step.words} {format_tiles([step.tile]) if step.tile is not None else ''}".rstrip() + step.mark
    number = "" if step.event is None else step.event
    if step.player < 0:
        return f"{number:>4}  {said}"
    head = f"{number:>4}  {story.winds[step.player]:<5}  "
    if player is not None and step.player != player:
        return f"{head}{said}"
    held = " ".join([format_tiles(step.hand), *step.melds])
    return f"{head}{held + (f' + {format_tiles([step.drawn])}' if step.drawn is not None else ''):<34}  {said}"
