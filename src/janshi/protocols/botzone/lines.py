"""Botzone's Chinese standard mahjong in lines of text: the judge's requests and the seats' answers.

>>> from janshi.protocols.botzone.lines import Narration, parse_reply, reply_text
>>> from janshi.rules.guobiao.table import Table
>>> narration = Narration.of(Table(seed=7))
>>> narration.turns[0]
('0 0 1', '0 1 1', '0 2 1', '0 3 1')
>>> reply_text(97, discard=33)
'PENG J1'
>>> parse_reply("PENG J1", tile=0)
Reply(action=97, discard=33)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.records.botzone.model import TILE_NAMES, Act, Event, is_flower
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.events import dealt
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import NONE, PLAYERS
from janshi.rules.guobiao.table import Table

PASS: Final = "PASS"
NO_ACTION: Final = -1
"""A valid reply of the protocol that no position allows."""
TILES: Final = {name: tile for tile, name in enumerate(TILE_NAMES)}
KINDS: Final = {name: kind for name, kind in TILES.items() if kind < NUM_KINDS}
Turn = tuple[str, ...]
"""The four seats' request lines of one turn."""


class ReplyError(ValueError):
    """A text that is not an answer of the protocol."""


class Reply(NamedTuple):
    """An answer: our action, and for a chi or peng the tile played after it."""

    action: int
    discard: int = NONE


# --- what the judge sends


class Narration:
    """The requests to the four seats of one hand, turn by turn, from the events of the hand in order.

    A chi or peng is announced together with the tile played after it, a win not at all: the game is then over.
    """

    def __init__(self, wind: int, deals: Sequence[Sequence[int]], rules: Ruleset = BOTZONE) -> None:
        self.rules = rules
        self.turns: list[Turn] = [tuple(f"0 {seat} {wind}" for seat in range(PLAYERS)), _deal_turn(deals)]
        self._claim = ""

    @classmethod
    def of(cls, table: Table) -> Narration:
        """Begin the narration of a hand that has just been dealt, before its first draw."""
        check_rules(table)
        return cls(table.wind, dealt(table.states), table.rules)

    def take(self, event: Event) -> None:
        """Narrate an event."""
        player, name = event.player, TILE_NAMES[event.tile]
        if event.act == Act.DRAW:
            if not is_flower(event.tile):
                others = f"3 {player} DRAW"
                self.turns.append(tuple(f"2 {name}" if seat == player else others for seat in range(PLAYERS)))
        elif event.act in (Act.CHI, Act.PENG):
            self._claim = f"CHI {name}" if event.act == Act.CHI else "PENG"
        elif event.act == Act.PLAY:
            self._to_all(f"3 {player} {self._claim or 'PLAY'} {name}")
            self._claim = ""
        elif event.act in (Act.KONG, Act.CONCEALED_KONG):
            self._to_all(f"3 {player} GANG")
        elif event.act == Act.ADDED_KONG:
            self._to_all(f"3 {player} BUGANG {name}")
        elif event.act == Act.FLOWER:
            self._to_all(f"3 {player} BUHUA {name}")

    def take_all(self, events: Iterable[Event]) -> None:
        """Narrate several events."""
        for event in events:
            self.take(event)

    def _to_all(self, line: str) -> None:
        self.turns.append((line,) * PLAYERS)


def check_rules(table: Table) -> None:
    """The protocol covers only single hands dealt by seat 0; raises `ValueError` for others."""
    if table.rules.hands != 1 or table.dealer != 0:
        raise ValueError(f"Botzone's games are single hands dealt by seat 0, not guobiao/{table.rules.name}")


def _deal_turn(deals: Sequence[Sequence[int]]) -> Turn:
    """The deal as each seat sees it: the number of flowers of every seat, its own 13 tiles, and all flowers."""
    flowers = [[TILE_NAMES[tile] for tile in deal if is_flower(tile)] for deal in deals]
    counts = [str(len(found)) for found in flowers]
    shown = [name for found in flowers for name in found]
    hands = [[TILE_NAMES[tile] for tile in deal if not is_flower(tile)] for deal in deals]
    return tuple(" ".join(["1", *counts, *hand, *shown]) for hand in hands)


# --- what the seats answer


def reply_text(action: int, discard: int = NONE) -> str:
    """The reply of an action; for a chi or peng with the tile to play after it."""
    if action == act.PASS:
        return PASS
    if action == act.HU:
        return "HU"
    if action < act.CHI:
        return f"PLAY {TILE_NAMES[action]}"
    if action < act.KONG:
        if discard == NONE:
            raise ValueError(f"{act.action_name(action)!r} needs the tile played after it")
        claim = f"CHI {TILE_NAMES[act.chi_first(action) + 1]}" if action < act.PENG else "PENG"
        return f"{claim} {TILE_NAMES[discard]}"
    if action < act.CONCEALED_KONG:
        return "GANG"
    if action < act.ADDED_KONG:
        return f"GANG {TILE_NAMES[action - act.CONCEALED_KONG]}"
    return f"BUGANG {TILE_NAMES[action - act.ADDED_KONG]}"


def parse_reply(text: str, tile: int = NONE) -> Reply:
    """Read an answer; `tile` is the tile it may claim. Raises `ReplyError` if the protocol has no such answer."""
    words = text.split()
    head, tiles = words[0] if words else "", [_kind(word, text) for word in words[1:]]
    if (head, len(tiles)) not in _FORMS:
        forms = "PASS, HU, PLAY T, GANG, GANG T, BUGANG T, PENG T or CHI M T"
        raise ReplyError(f"{text[:80]!r} is not an answer: expected {forms}, T being a tile such as W1")
    if head == "PASS":
        return Reply(act.PASS)
    if head == "HU":
        return Reply(act.HU)
    if head == "PLAY":
        return Reply(act.PLAY + tiles[0])
    if head == "BUGANG":
        return Reply(act.ADDED_KONG + tiles[0])
    if head == "GANG" and tiles:
        return Reply(act.CONCEALED_KONG + tiles[0])
    if tile == NONE:
        return Reply(NO_ACTION)
    if head == "GANG":
        return Reply(act.KONG + tile)
    if head == "PENG":
        return Reply(act.PENG + tile, tiles[0])
    return _chi(tiles[0], tiles[1], tile)


_FORMS: Final = {
    ("PASS", 0), ("HU", 0), ("PLAY", 1), ("GANG", 0), ("GANG", 1), ("BUGANG", 1), ("PENG", 1), ("CHI", 2)
}  # fmt: skip


def _kind(name: str, text: str) -> int:
    if name not in KINDS:
        raise ReplyError(f"{name[:20]!r} in {text[:80]!r} is not a tile: expected one such as W1, B9, T5, F1 or J3")
    return KINDS[name]


def _chi(middle: int, discard: int, tile: int) -> Reply:
    if middle >= EAST or middle % RANKS in (0, RANKS - 1) or abs(middle - tile) > 1:
        return Reply(NO_ACTION)
    return Reply(int(act.chi_action(middle - 1, tile - middle + 1)), discard)


def is_allowed(table: Table, seat: int, reply: Reply) -> bool:
    """Whether a seat's answer is legal now; a seat that is not asked may only pass, and must hold what it plays."""
    if seat not in table.asked:
        return reply.action == act.PASS
    if not table.is_legal(seat, reply.action):
        return False
    if not act.CHI <= reply.action < act.KONG:
        return True
    return reply.discard in hand_after_call(table.hand(seat), reply.action, table.last_tile)


def hand_after_call(hand: Sequence[int], action: int, tile: int | None) -> list[int]:
    """The concealed tiles left after a chi or peng of `tile`."""
    rest = list(hand)
    if action >= act.PENG:
        used = [action - act.PENG] * (COPIES - 2)
    else:
        first = int(act.chi_first(action))
        used = [kind for kind in range(first, first + 3) if kind != tile]
    for kind in used:
        rest.remove(kind)
    return rest
