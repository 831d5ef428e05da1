"""Botzone's match log (JSON): the judge's requests and the players' answers, turn by turn.

A log is a list, or an object with the list under `log` or `logs`. Its entries alternate between the judge's, such as
`{"output": {"command": "request", "content": {"0": "2 W1", "1": "3 0 DRAW", ...}}}`, and the players', such as
`{"0": {"response": "PLAY W1", "verdict": "OK"}, ...}`. The last, `"command": "finish"`, has the scores as its content
and the fan in its display. Hands are read from requests and answers; the display only adds the fan and the winner.
The walls, if recorded, are in `initdata.walltiles`, in the object or in the first entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.records.botzone.model import (
    CLAIMS,
    FLOWERS,
    PLAYERS,
    TILE_NAMES,
    Act,
    Event,
    HandRecord,
    is_flower,
    parse_tile,
    penalised_by,
)
from janshi.records.model import RecordError

PASS = "PASS"
WALL_SIZES = (COPIES * NUM_KINDS, COPIES * NUM_KINDS + FLOWERS)
_BACK = (Act.CHI, Act.PENG)  # claims that are announced together with the play that follows


def looks_like(text: str) -> bool:
    """Whether a text looks like a match log."""
    return text.lstrip()[:1] in ("[", "{") and '"command"' in text and '"request"' in text


# --- reading


def read(text: str, source: str = "") -> HandRecord:
    """Read a log; raises `RecordError`."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise RecordError(source, f"line {wrong.lineno}", f"is not JSON ({wrong.msg})") from wrong
    except (ValueError, RecursionError) as wrong:
        raise RecordError(source, "", "unreadable JSON: a number too long, or nested too deep") from wrong
    name = document.get("_id", "") if isinstance(document, dict) else ""
    entries = document.get("log") or document.get("logs") if isinstance(document, dict) else document
    if not isinstance(entries, list):
        raise RecordError(source, "", "expected a list of turns, or an object with one under log or logs")
    reader = _Reader(str(name), source)
    reader.wall = _wall(document, entries, source)
    for number, entry in enumerate(entries, 1):
        reader.take(entry, f"entry {number}")
    try:
        return reader.finish()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as wrong:
        if isinstance(wrong, RecordError):
            raise
        raise RecordError(source, "end", f"cannot be read ({wrong!r})") from wrong


def read_all(text: str, source: str = "") -> list[HandRecord]:
    """The hand of a log, in a list."""
    return [read(text, source)]


def _wall(document: Any, entries: list[Any], source: str) -> tuple[int, ...]:
    """The tiles of `initdata.walltiles`; none if the log has no such field."""
    first = entries[0] if entries and isinstance(entries[0], dict) else {}
    for holder in (document, first, first.get("output")):
        found = holder.get("initdata") if isinstance(holder, dict) else None
        if isinstance(found, str) and found.lstrip()[:1] == "{":
            found = _loads(found, source, "initdata")
        tiles = found.get("walltiles") if isinstance(found, dict) else None
        if tiles:
            return _wall_tiles(tiles, source)
    return ()


def _wall_tiles(tiles: Any, source: str) -> tuple[int, ...]:
    place = "initdata.walltiles"
    names = tiles.split() if isinstance(tiles, str) else tiles
    if not isinstance(names, list) or len(names) not in WALL_SIZES:
        found = f"{len(names)} tiles" if isinstance(names, list) else repr(tiles)[:40]
        raise RecordError(source, place, f"found {found}, expected 136, or 144 with flowers")
    return tuple(parse_tile(str(name), source, place) for name in names)


def _loads(text: str, source: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as wrong:
        raise RecordError(source, place, f"is not JSON ({wrong})") from wrong
    except RecursionError as deep:
        raise RecordError(source, place, "is nested too deep for a log") from deep


class _Reader:
    """Takes the entries of a log."""

    def __init__(self, match: str, source: str) -> None:
        self.match, self.source = match, source
        self.wind = 0
        self.wall: tuple[int, ...] = ()
        self.deals: list[tuple[int, ...]] = []
        self.events: list[Event] = []
        self.answers: dict[int, list[str]] = {}
        self.tile = -1  # the tile that may be claimed
        self.end: tuple[tuple[int, ...], dict[str, Any]] | None = None

    def take(self, entry: Any, place: str) -> None:
        """Take a request, the answers to one, or the end."""
        if not isinstance(entry, dict):
            raise RecordError(self.source, place, "expected an object")
        try:
            if "output" in entry:
                self._take_output(entry["output"], place)
            elif entry:
                self.answers = {int(seat): str(a.get("response", "")).split() for seat, a in entry.items() if a}
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as wrong:
            if isinstance(wrong, RecordError):
                raise
            raise RecordError(self.source, place, f"cannot be read ({wrong!r})") from wrong

    def _take_output(self, output: Mapping[str, Any], place: str) -> None:
        content = output["content"]
        if output["command"] == "finish":
            display = output.get("display")
            display = json.loads(display) if isinstance(display, str) and display else display
            scores = tuple(int(content[str(player)]) for player in range(PLAYERS))
            self.end = scores, display if isinstance(display, dict) else {}
            return
        requests = [str(content[str(player)]).split() for player in range(PLAYERS)]
        kind = min(int(request[0]) for request in requests)
        if kind == 0:
            self.wind = int(requests[0][2])
        elif kind == 1:
            self.deals = [self._deal(request, place) for request in requests]
        else:
            self._take_turn(requests, place)

    def _deal(self, request: list[str], place: str) -> tuple[int, ...]:
        return tuple(parse_tile(name, self.source, place) for name in request[1 + PLAYERS :])

    def _take_turn(self, requests: list[list[str]], place: str) -> None:
        """An event that the judge announces to the players."""
        drawer = next((player for player, request in enumerate(requests) if request[0] == "2"), None)
        if drawer is not None:
            self.events.append(Event(drawer, Act.DRAW, parse_tile(requests[drawer][1], self.source, place)))
            return
        news = next((request for request in requests if request[0] == "3"), None)
        if news is None:
            raise RecordError(
                self.source, place, "no request says what happened, expected `2 tile` or `3 player action`"
            )
        player, what = int(news[1]), news[2]
        tiles = [parse_tile(name, self.source, place) for name in news[3:]]
        if what == "PLAY":
            self._play(player, tiles[0])
        elif what == "PENG":
            self._claim(Event(player, Act.PENG, self.tile))
            self._play(player, tiles[0])
        elif what == "CHI":
            self._claim(Event(player, Act.CHI, tiles[0]))
            self._play(player, tiles[1])
        elif what == "GANG":
            self._kong(player, place)
        elif what == "BUGANG":
            self.events.append(Event(player, Act.ADDED_KONG, tiles[0]))
            self.tile = tiles[0]
        elif what == "BUHUA":
            self.events += [Event(player, Act.DRAW, tiles[0])] if not self._just_drew(player, tiles[0]) else []
            self.events.append(Event(player, Act.FLOWER, tiles[0]))
        elif what != "DRAW":
            raise RecordError(self.source, place, f"{what!r} is not an action of the protocol")

    def _just_drew(self, player: int, tile: int) -> bool:
        return bool(self.events) and self.events[-1] == Event(player, Act.DRAW, tile)

    def _play(self, player: int, tile: int) -> None:
        self.events.append(Event(player, Act.PLAY, tile))
        self.tile = tile

    def _kong(self, player: int, place: str) -> None:
        """A concealed kong, whose tile only the answer names, or one of the discard."""
        if self.events[-1].act == Act.DRAW:
            tile = parse_tile(self.answers[player][1], self.source, place)
            self.events.append(Event(player, Act.CONCEALED_KONG, tile))
        else:
            self._claim(Event(player, Act.KONG, self.tile))

    def _claim(self, event: Event) -> None:
        """Note a claim, with the other players' claims that it overrode."""
        others = []
        for player, words in sorted(self.answers.items()):
            act = _CLAIM_WORDS.get(words[0]) if words else None
            if player != event.player and act is not None:
                tile = parse_tile(words[1], self.source, "answers") if act == Act.CHI else self.tile
                others.append(Event(player, act, tile))
        self.events.append(event._replace(ignored=tuple(others)))

    def finish(self) -> HandRecord:
        """The hand that was read."""
        if self.end is None or len(self.deals) != PLAYERS or not self.events:
            raise RecordError(self.source, "end", "the deal, the draws or the end of the log is missing")
        scores, display = self.end
        fans = tuple((str(fan["name"]), int(fan["cnt"])) for fan in display.get("fan", ()))
        won = display.get("action") == "HU"
        if won:
            self._win(int(display["player"]))
        return HandRecord(
            match=self.match,
            wind=self.wind,
            deals=tuple(self.deals),
            events=tuple(self.events),
            scores=scores,
            fan=int(display["fanCnt"]) if won else None,
            fans=fans,
            penalised=None if won else penalised_by(scores),
            wall=self.wall,
        )

    def _win(self, player: int) -> None:
        last = self.events[-1]
        if last.act == Act.DRAW and last.player == player:
            self.events.append(Event(player, Act.HU, self.tile if self.tile >= 0 else last.tile))
        else:
            self._claim(Event(player, Act.HU, self.tile))


_CLAIM_WORDS = {"CHI": Act.CHI, "PENG": Act.PENG, "GANG": Act.KONG, "HU": Act.HU}
_PROTOCOL_WORDS = {act: word for word, act in _CLAIM_WORDS.items()}


# --- writing


def write(record: HandRecord) -> str:
    """Write a log. Overridden claims have no tile to play after them: the record does not have it."""
    flowers = " ".join(str(sum(map(is_flower, deal))) for deal in record.deals)
    turns: list[tuple[dict[int, str], dict[int, str]]] = [
        ({p: f"0 {p} {record.wind}" for p in range(PLAYERS)}, {}),
        ({p: f"1 {flowers} {_names(deal)}" for p, deal in enumerate(record.deals)}, {}),
    ]
    for requests, answers in _turns(record):
        turns[-1][1].update(answers)
        if requests:
            turns.append((requests, {}))
    entries: list[Any] = []
    for requests, answers in turns:
        content = {str(p): text for p, text in requests.items()}
        entries.append({"output": {"command": "request", "content": content}, "verdict": "OK"})
        replies = {str(p): answers.get(p, PASS) for p in range(PLAYERS)}
        entries.append({p: {"response": reply, "verdict": "OK"} for p, reply in replies.items()})
    entries.append({"output": _finish(record), "verdict": "OK"})
    walls = {"initdata": {"quan": record.wind, "walltiles": _names(record.wall)}} if record.wall else {}
    return json.dumps({"_id": record.match, **walls, "log": entries}, ensure_ascii=False)


def write_all(records: Iterable[HandRecord]) -> str:
    """Write the log of one hand; several are refused, since a log holds one."""
    first, *more = records
    if more:
        raise RecordError(more[0].match, "", "is a second hand: a Botzone log holds one")
    return write(first)


def _names(tiles: tuple[int, ...]) -> str:
    return " ".join(TILE_NAMES[tile] for tile in tiles)


def _turns(record: HandRecord) -> Iterator[tuple[dict[int, str], dict[int, str]]]:
    """(requests, the answers before them) of each turn."""
    claim: Event | None = None  # a chi or peng, announced together with the play that follows
    for event in record.events:
        name = TILE_NAMES[event.tile]
        ignored = {other.player: _answer(other) for other in event.ignored}
        if event.act == Act.DRAW:
            others = dict.fromkeys(range(PLAYERS), f"3 {event.player} DRAW")
            yield {**others, event.player: f"2 {name}"}, {}
        elif event.act in _BACK:
            claim = event
        elif event.act == Act.PLAY and claim is not None:
            said = _answer(claim)
            text = f"{said} {name}"
            earlier = {other.player: _answer(other) for other in claim.ignored}
            yield _to_all(event.player, text), {event.player: text, **earlier}
            claim = None
        elif event.act == Act.HU:
            yield {}, {event.player: "HU", **ignored}
        else:
            yield _to_all(event.player, _announcement(event)), {event.player: _answer(event), **ignored}


def _answer(event: Event) -> str:
    """The player's answer that does this."""
    name = TILE_NAMES[event.tile]
    if event.act == Act.CHI:
        return f"CHI {name}"
    if event.act in CLAIMS:
        return _PROTOCOL_WORDS[event.act]
    words = {Act.PLAY: "PLAY", Act.CONCEALED_KONG: "GANG", Act.ADDED_KONG: "BUGANG", Act.FLOWER: "PASS"}
    return words[event.act] if event.act == Act.FLOWER else f"{words[event.act]} {name}"


def _announcement(event: Event) -> str:
    """The request to all players: without the tile of a concealed kong."""
    name = TILE_NAMES[event.tile]
    words = {Act.PLAY: f"PLAY {name}", Act.ADDED_KONG: f"BUGANG {name}", Act.FLOWER: f"BUHUA {name}"}
    return words.get(event.act, "GANG")


def _to_all(player: int, text: str) -> dict[int, str]:
    return dict.fromkeys(range(PLAYERS), f"3 {player} {text}")


def _finish(record: HandRecord) -> dict[str, Any]:
    """The end of a log."""
    display: dict[str, Any] = {"action": "HUANG" if record.is_draw else "WA", "score": list(record.scores)}
    if record.fan is not None:
        fans = [{"name": name, "cnt": count} for name, count in record.fans]
        display = {"action": "HU", "player": record.events[-1].player, "fanCnt": record.fan, "fan": fans}
    scores = {str(player): score for player, score in enumerate(record.scores)}
    return {"command": "finish", "content": scores, "display": display}
