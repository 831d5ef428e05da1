"""The text form of Guobiao hands in which Botzone's human-level data set was published.

    Match 61602cb45ddc087351c04358
    Wind 1
    Player 0 Deal T8 B7 T1 ...
    Player 0 Draw J3
    Player 0 Play T6
    Player 2 Chi T5
    Player 0 Peng W9 Ignore Player 3 Chi W8
    Player 1 Hu B7
    Fan 9 混一色*1+箭刻*1+老少副*1
    Score -8 33 -17 -8

A drawn hand has `Huang` in place of the win. A hand ended by a penalty has neither. Blank lines separate the hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from janshi.records.botzone.model import (
    CLAIMS,
    NO_TILE,
    PLAYERS,
    TILE_NAMES,
    Act,
    Event,
    HandRecord,
    parse_tile,
    penalised_by,
)
from janshi.records.model import RecordError

DRAWN = "Huang"


def looks_like(text: str) -> bool:
    """Whether a text looks like this form."""
    return text.lstrip().startswith("Match ")


def read_all(text: str, source: str = "") -> list[HandRecord]:
    """Read every hand of a text."""
    return list(iter_hands(text.splitlines(), source))


def iter_hands(lines: Iterable[str], source: str = "") -> Iterator[HandRecord]:
    """Read hands one after the other; raises `RecordError`."""
    reader: _Reader | None = None
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        if words[0] == "Match":
            if reader is not None:
                raise RecordError(source, f"line {number}", "a hand begins before the last one has its Score")
            reader = _Reader(words[1] if len(words) > 1 else "", source)
        elif reader is None:
            raise RecordError(source, f"line {number}", f"expected Match, found {words[0]!r}")
        elif reader.take(words, f"line {number}"):
            yield reader.finish(f"line {number}")
            reader = None
    if reader is not None:
        raise RecordError(source, "end", "the last hand has no Score")


class _Reader:
    """Takes the lines of one hand."""

    def __init__(self, match: str, source: str) -> None:
        self.match, self.source = match, source
        self.wind: int | None = None
        self.deals: dict[int, tuple[int, ...]] = {}
        self.events: list[Event] = []
        self.fan: int | None = None
        self.fans: tuple[tuple[str, int], ...] = ()
        self.drawn = False
        self.scores: tuple[int, ...] = ()

    def take(self, words: list[str], place: str) -> bool:
        """Take a line; True if it was the hand's last."""
        first = words[0]
        try:
            if first == "Wind":
                self.wind = _seat(words[1])
            elif first == "Player":
                self._take_player(words, place)
            elif first == "Fan":
                self.fan, self.fans = int(words[1]), _fans(words[2] if len(words) > 2 else "")
            elif first == DRAWN:
                self.drawn = True
            elif first == "Score":
                self.scores = tuple(int(word) for word in words[1 : 1 + PLAYERS])
                return True
            else:
                raise RecordError(self.source, place, f"{first!r} begins no line of this form")
        except (IndexError, ValueError) as wrong:
            if isinstance(wrong, RecordError):
                raise
            raise RecordError(self.source, place, f"cannot be read: {' '.join(words)!r}") from wrong
        return False

    def _take_player(self, words: list[str], place: str) -> None:
        if words[2] == "Deal":
            self.deals[_seat(words[1])] = tuple(parse_tile(name, self.source, place) for name in words[3:])
            return
        claims = _split_claims(words)
        event, *ignored = (self._event(claim, place) for claim in claims)
        if any(other.act not in CLAIMS for other in ignored):
            raise RecordError(self.source, place, "only claims of a discard can be ignored")
        self.events.append(event._replace(ignored=tuple(ignored)))

    def _event(self, words: list[str], place: str) -> Event:
        tile = parse_tile(words[3], self.source, place) if len(words) > 3 else NO_TILE
        return Event(_seat(words[1]), Act(words[2]), tile)

    def finish(self, place: str) -> HandRecord:
        """The hand that was read."""
        if self.wind is None or sorted(self.deals) != list(range(PLAYERS)) or len(self.scores) != PLAYERS:
            raise RecordError(self.source, place, "its Wind, one of four Deals or one of four scores is missing")
        return HandRecord(
            match=self.match,
            wind=self.wind,
            deals=tuple(self.deals[player] for player in range(PLAYERS)),
            events=tuple(self.events),
            scores=self.scores,
            fan=self.fan,
            fans=self.fans,
            penalised=None if self.drawn or self.fan is not None else penalised_by(self.scores),
        )


def _seat(word: str) -> int:
    seat = int(word)
    if not 0 <= seat < PLAYERS:
        raise ValueError(word)
    return seat


def _split_claims(words: list[str]) -> list[list[str]]:
    """The words of an event and of each claim it overrode: every part begins with `Player`."""
    parts: list[list[str]] = []
    for word in words:
        if word == "Player":
            parts.append([])
        if word != "Ignore":
            parts[-1].append(word)
    return parts


def _fans(text: str) -> tuple[tuple[str, int], ...]:
    """Read `混一色*1+箭刻*1`."""
    parts = [part.rpartition("*") for part in text.split("+") if part]
    return tuple((name, int(count)) for name, _, count in parts)


def write(record: HandRecord) -> str:
    """Write one hand, ending in a newline."""
    lines = [f"Match {record.match}", f"Wind {record.wind}"]
    lines += [f"Player {p} Deal {' '.join(TILE_NAMES[tile] for tile in deal)}" for p, deal in enumerate(record.deals)]
    lines += [_event_text(event) for event in record.events]
    if record.fan is not None:
        lines.append(f"Fan {record.fan} {'+'.join(f'{name}*{count}' for name, count in record.fans)}")
    elif record.is_draw:
        lines.append(DRAWN)
    lines.append(f"Score {' '.join(map(str, record.scores))}")
    return "\n".join(lines) + "\n"


def write_all(records: Iterable[HandRecord]) -> str:
    """Write hands one after the other, separated by blank lines."""
    return "\n".join(write(record) for record in records)


def _event_text(event: Event) -> str:
    tile = "" if event.tile == NO_TILE else f" {TILE_NAMES[event.tile]}"
    ignored = "".join(f" Ignore {_event_text(other)}" for other in event.ignored)
    return f"Player {event.player} {event.act}{tile}{ignored}"
