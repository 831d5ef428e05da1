"""Tables with chosen hands and draws, written as people write tiles; and a second, slow reading of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from janshi.rules.simplified import actions as act
from janshi.rules.simplified.table import Table
from janshi.rules.simplified.tiles import COPIES, EAST, NUM_KINDS, RANKS, parse_kinds

Counts = tuple[int, ...]

CHOWS = [tuple(int(0 <= k - low < 3) for k in range(NUM_KINDS)) for low in (0, 1, 2, 3, 6, 7, 8, 9)]
PUNGS = [tuple(COPIES * (k == at) for k in range(NUM_KINDS)) for at in range(NUM_KINDS)]
STRAIGHTS = [{CHOWS[0], CHOWS[3]}, {CHOWS[4], CHOWS[7]}]


def rig(hands: Sequence[str], draws: str = "", rules: str = "paper") -> Table:
    """A table whose players are dealt `hands` and then draw `draws`.

    Other tiles follow in order; players whose hands are not given get some of the last.
    """
    dealt = [kind for hand in hands for kind in parse_kinds(hand)]
    drawn = parse_kinds(draws)
    rest = Counter(dict.fromkeys(range(NUM_KINDS), COPIES))
    rest.subtract(dealt + drawn)
    assert min(rest.values()) >= 0, "more than three tiles of a kind"
    others = sorted(rest.elements())
    for _ in range(3 - len(hands)):
        size = len(parse_kinds(hands[0]))
        dealt, others = dealt + others[-size:], others[:-size]
    return Table(rules=rules, wall=[*reversed(others), *reversed(drawn), *reversed(dealt)])


def play(table: Table, *steps: str) -> Table:
    """Give answers such as `discard 1p` (who is asked) or `1: pong, 2: pass`."""
    for step in steps:
        if ":" in step:
            table.step({int(part[0]): part[3:] for part in step.split(", ")})
        else:
            table.step(step)
    return table


# --- the rules read a second time, from all complete hands


def complete_hands(sets: int, melded: Sequence[Counts] = ()) -> dict[Counts, set[str]]:
    """Every way `sets` more sets and a pair can be held, with the scoring hands it is together with the melds."""
    found: dict[Counts, set[str]] = {}
    for chosen in combinations_with_replacement(CHOWS + PUNGS, sets):
        for pair in range(NUM_KINDS):
            counts = tuple(sum(one[k] for one in chosen) + 2 * (k == pair) for k in range(NUM_KINDS))
            if max(counts) <= COPIES:
                found.setdefault(counts, set()).update(scoring([*chosen, *melded], counts))
    return found


def scoring(sets: list[Counts], concealed: Counts) -> set[str]:
    names = set()
    used = [k for k in range(NUM_KINDS) if concealed[k] or any(one[k] for one in sets)]
    if PUNGS[EAST] in sets or PUNGS[EAST + 1] in sets:
        names.add("honour pung")
    if any(straight <= set(sets) for straight in STRAIGHTS):
        names.add("straight")
    if all(one in PUNGS for one in sets):
        names.add("all pungs")
    if max(used) < RANKS or (min(used) >= RANKS and max(used) < EAST):
        names.add("flush")
    return names


def legal_by_hand(table: Table, player: int, complete: dict[Counts, Any]) -> set[str]:
    """What a player may do now, worked out anew from the rules in words."""
    if player not in table.asked:
        return set()
    held = Counter(table.hand(player))
    if player == table.actor:
        names = {act.action_name(kind) for kind in held}
        if table.state["moment"] > 0:
            names |= {act.action_name(act.KONG + kind) for kind, count in held.items() if count == COPIES}
        if table.state["moment"] == 2 and counts_of(held) in complete:
            names.add("hu")
        return names
    tile = table.last_tile
    assert tile is not None
    names = {"pass"}
    if table.tiles_left:
        names |= {"pong"} if held[tile] == 2 else set()
        names |= chis_by_hand(held, tile) if player == (table.actor + 1) % 3 else set()
    return names | ({"hu"} if counts_of(held + Counter([tile])) in complete else set())


def chis_by_hand(held: Counter[int], tile: int) -> set[str]:
    names = set()
    for place, name in enumerate(("chi low", "chi middle", "chi high")):
        members = [tile - place + i for i in range(3)]
        one_suit = members[0] >= 0 and members[2] < EAST and members[0] // RANKS == members[2] // RANKS
        if tile < EAST and one_suit and all(held[kind] for kind in members if kind != tile):
            names.add(name)
    return names


def counts_of(held: Counter[int]) -> Counts:
    return tuple(held[kind] for kind in range(NUM_KINDS))
