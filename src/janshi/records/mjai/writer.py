"""Writing mjai JSON lines: Mortal's dialect, with extra fields in its events (see `mjai`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from janshi.core.tiles import NAMES
from janshi.records.ids import PLAYERS, check_writable, tiles_of_ids
from janshi.records.model import DrawRecord, Event, GameRecord, HandRecord, Kind, RecordError, WinRecord
from janshi.rules.riichi.yaku import YAKU

WINDS: Final = "ESWN"
REASONS: Final = {
    "exhaustive draw": "fanpai",
    "nagashi mangan": "nagashimangan",
    "nine terminals": "kyushukyuhai",
    "four winds": "sufonrenta",
    "four riichi": "suchareach",
    "four kans": "sukaikan",
    "triple ron": "sanchaho",
}
"""The original dialect's reason for each kind of draw."""
RULE_FIELDS: Final = {
    "rounds": int,
    "red_fives": bool,
    "open_tanyao": bool,
    "players": int,
    "fast": bool,
    "level": int,
    "tenhou_type": int,
    "preset": str,
    "text": str,
}
"""Fields of the rules that are written, and their types."""


def write(record: GameRecord) -> str:
    """Write a game as JSON lines; raises `RecordError` for what the format cannot hold."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
    return "".join(f"{encode(event)}\n" for event in to_events(record))


def to_events(record: GameRecord) -> list[dict[str, Any]]:
    """The mjai events of a game."""
    if record.rules.players != PLAYERS:
        raise RecordError(record.source, "", f"{record.rules.players} players: expected four")
    names = [NAMES[tile] for tile in tiles_of_ids(record.rules.red_fives)]
    events = [header_of(record)]
    for number, hand in enumerate(record.hands):
        check_writable(hand, number, record.source, "mjai")
        events.append(start_of(hand, names))
        events += [event_of(event, names) for event in hand.events if event.kind < Kind.LEAVE]
        events += result_of(hand, names)
        events.append({"type": "end_kyoku"})
    if record.complete or record.final_scores is not None:
        events.append(end_of(record))
    return events


def event_of(event: Event, names: Sequence[str]) -> dict[str, Any]:
    """The mjai event of what happened in a hand; `names` are those of the 136 tile ids."""
    return _WRITERS[event.kind](event, names)


def result_of(hand: HandRecord, names: Sequence[str]) -> list[dict[str, Any]]:
    """The mjai events of a hand's result: one for each winner, or the draw."""
    events = [_write_win(win, names) for win in hand.wins]
    return events + ([_write_draw(hand.draw)] if hand.draw is not None else [])


def end_of(record: GameRecord) -> dict[str, Any]:
    """The event of a game's end."""
    end: dict[str, Any] = {"type": "end_game"}
    if record.final_scores is not None:
        end["scores"] = list(record.final_scores)
    if record.final_points is not None:
        end["points"] = list(record.final_points)
    return end


def header_of(record: GameRecord) -> dict[str, Any]:
    """The event of a game's start."""
    rules = record.rules
    header: dict[str, Any] = {
        "type": "start_game",
        "names": list(record.names),
        "kyoku_first": PLAYERS if rules.rounds == 1 else 0,
        "aka_flag": rules.red_fives,
        "rules": {name: getattr(rules, name) for name in RULE_FIELDS if getattr(rules, name) not in (None, "")},
    }
    for key, values in (("dan", record.dans), ("rate", record.rates), ("sx", record.sexes), ("title", record.title)):
        if values:
            header[key] = list(values)
    if record.lobby is not None:
        header["lobby"] = record.lobby
    if record.version:
        header["ver"] = record.version
    if record.site_id:
        header["ref"] = record.site_id
    if record.seed is not None:
        header["shuffle"] = [record.seed, record.seed_ref]
    return header


def start_of(hand: HandRecord, names: Sequence[str]) -> dict[str, Any]:
    """The event of a hand's start."""
    start = {
        "type": "start_kyoku",
        "bakaze": WINDS[hand.round // PLAYERS % PLAYERS],
        "dora_marker": names[hand.dora],
        "kyoku": hand.dealer + 1,
        "honba": hand.honba,
        "kyotaku": hand.sticks,
        "oya": hand.dealer,
        "scores": list(hand.scores),
        "tehais": [[names[tile] for tile in deal] for deal in hand.deals],
    }
    if hand.dice is not None:
        start["dice"] = list(hand.dice)
    if "shuffle" in hand.extra:
        start["shuffle"] = hand.extra["shuffle"]
    return start


def _write_call(event: Event, names: Sequence[str]) -> dict[str, Any]:
    return {
        "type": {Kind.CHI: "chi", Kind.PON: "pon", Kind.OPEN_KAN: "daiminkan"}[Kind(event.kind)],
        "actor": event.player,
        "target": event.source,
        "pai": names[event.tile],
        "consumed": [names[tile] for tile in event.tiles],
    }


def _write_added_kan(event: Event, names: Sequence[str]) -> dict[str, Any]:
    consumed = [names[tile] for tile in event.tiles]
    return {"type": "kakan", "actor": event.player, "pai": names[event.tile], "consumed": consumed}


def _write_concealed_kan(event: Event, names: Sequence[str]) -> dict[str, Any]:
    return {"type": "ankan", "actor": event.player, "consumed": [names[tile] for tile in event.tiles]}


def _write_discard(event: Event, names: Sequence[str]) -> dict[str, Any]:
    return {"type": "dahai", "actor": event.player, "pai": names[event.tile], "tsumogiri": event.tsumogiri}


_WRITERS: Final[dict[int, Callable[[Event, Sequence[str]], dict[str, Any]]]] = {
    Kind.DRAW: lambda event, names: {"type": "tsumo", "actor": event.player, "pai": names[event.tile]},
    Kind.DISCARD: _write_discard,
    Kind.CHI: _write_call,
    Kind.PON: _write_call,
    Kind.OPEN_KAN: _write_call,
    Kind.CONCEALED_KAN: _write_concealed_kan,
    Kind.ADDED_KAN: _write_added_kan,
    Kind.RIICHI: lambda event, names: {"type": "reach", "actor": event.player},
    Kind.RIICHI_PAID: lambda event, names: {"type": "reach_accepted", "actor": event.player},
    Kind.DORA: lambda event, names: {"type": "dora", "dora_marker": names[event.tile]},
}


def _write_win(win: WinRecord, names: Sequence[str]) -> dict[str, Any]:
    written: dict[str, Any] = {
        "type": "hora",
        "actor": win.winner,
        "target": win.loser,
        "deltas": list(win.changes),
        "ura_markers": [names[tile] for tile in win.ura],
    }
    if win.tile >= 0:
        written["pai"] = names[win.tile]
    optional = {"fu": win.fu, "fan": win.han, "hora_points": win.points, "limit": win.limit, "liable": win.liable}
    written |= {key: value for key, value in optional.items() if value is not None}
    if win.yaku:
        written["yaku"] = [[YAKU[number].romaji, han] for number, han in win.yaku]
    if win.yakuman:
        written["yakuman"] = [YAKU[number].romaji for number in win.yakuman]
    return written


def _write_draw(draw: DrawRecord) -> dict[str, Any]:
    written: dict[str, Any] = {"type": "ryukyoku", "reason": REASONS[draw.kind], "deltas": list(draw.changes)}
    if draw.tenpai is not None:
        written["tenpais"] = [player in draw.tenpai for player in range(PLAYERS)]
    return written
