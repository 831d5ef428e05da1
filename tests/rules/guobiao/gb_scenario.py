"""Situations at a Guobiao table, written as people write them, and moves to play them with.

>>> table = deal({0: "123456789m22p45s"}, {1: "3s"})      # seat 0 holds these; seat 1 draws 3s first
>>> play(table, "0 play 3s")                              # players not named pass, or play what they drew

What is left open is filled with what tiles remain, in order. The same words always give the same walls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from janshi.core.tiles import COPIES, NUM_KINDS, parse_tiles
from janshi.rules.guobiao.actions import PASS, parse_action
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import TURN
from janshi.rules.guobiao.table import Table

HAND, OWN_WALL = 13, 34
LONGEST = 200


def walls(hands: Mapping[int, str], draws: Mapping[int, str]) -> list[int]:
    """Own walls that deal these hands (13 tiles or none given) and these draws first."""
    given = {seat: parse_tiles(hands.get(seat, "")) for seat in range(4)}
    drawn = {seat: parse_tiles(draws.get(seat, "")) for seat in range(4)}
    left = Counter(dict.fromkeys(range(NUM_KINDS), COPIES))
    left.subtract(tile for tiles in (*given.values(), *drawn.values()) for tile in tiles)
    assert min(left.values()) >= 0, "a tile is used five times"
    copies = ((copy, kind * 7 % NUM_KINDS, kind) for kind, count in left.items() for copy in range(count))
    rest = [kind for _, _, kind in sorted(copies)]
    wall: list[int] = []
    for seat in range(4):
        hand = given[seat] or [rest.pop() for _ in range(HAND)]
        assert len(hand) == HAND, f"seat {seat} has {len(hand)} tiles"
        order = [*hand, *drawn[seat]]
        order += [rest.pop() for _ in range(OWN_WALL - len(order))]
        wall += reversed(order)
    return wall


def deal(
    hands: Mapping[int, str] | None = None,
    draws: Mapping[int, str] | None = None,
    *,
    rules: Ruleset = BOTZONE,
    wind: int = 0,
    **situation: Any,
) -> Table:
    """Deal these hands from own walls, with these draws first."""
    return Table(rules=rules, wall=walls(hands or {}, draws or {}), wind=wind, **situation)


def default(table: Table, player: int) -> int:
    """Pass, or play the tile drawn, or after a call the first that may be played."""
    if table.state["phase"] != TURN:
        return PASS
    return table.drawn if table.drawn is not None else table.legal_actions(player)[0]


def play(table: Table, *moves: str) -> None:
    """Play moves such as `0 play 3s` or `1 hu, 2 peng 3s`, each as soon as it is legal; others do the default."""
    for move in moves:
        wanted = {int(part.strip()[0]): parse_action(part.strip()[2:]) for part in move.split(",")}
        for _ in range(LONGEST):
            if all(table.is_legal(player, action) for player, action in wanted.items()):
                break
            assert table.asked, f"{move!r} never became legal"
            table.step({player: default(table, player) for player in table.asked})
        table.step({player: wanted.get(player, default(table, player)) for player in table.asked})


def leave(table: Table, left: Mapping[int, int]) -> None:
    """Shorten players' own walls to `left` tiles each; those drawn next stay."""
    wall = table.state["wall"]
    for seat, tiles in left.items():
        first, end = OWN_WALL * seat, OWN_WALL * seat + int(table.state["left"][seat])
        wall[first : first + tiles] = wall[end - tiles : end].copy()
        table.state["left"][seat] = tiles


def fans(table: Table) -> dict[str, int]:
    """The fan of the finished hand, in Chinese."""
    result = table.result
    assert result is not None
    assert result.win is not None
    return {fan.chinese: count for fan, count in result.win.fans}
