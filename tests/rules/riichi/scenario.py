"""Situations at a riichi table, written as people write them, and moves to play them with.

>>> table = deal({0: "123m456p789s22p56m"}, draws="1z 9s 7m")   # seat 0 holds these; 0, 1 and 2 draw 1z, 9s and 7m
>>> play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "0 ron")
>>> table.result.kind, won(table)
('ron', {0: ('pinfu',)})

What is left open is filled with tiles that do nothing: hands of unrelated tiles, draws that lie far from the given
hands, indicators that point away from them. The same words always give the same wall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from janshi.core.tiles import (
    COPIES,
    EAST,
    NORTH,
    NUM_IDS,
    NUM_KINDS,
    RANKS,
    RED_DRAGON,
    RED_IDS,
    WHITE,
    format_tiles,
    kind_of,
    parse_tiles,
    sort_tiles,
    tiles_to_ids,
)
from janshi.rules.riichi.ruleset import TENHOU, Ruleset
from janshi.rules.riichi.table import Table

HAND_SIZE = 13
FIRST_DRAW, LAST_DRAW = 83, 14
REPLACEMENT_PLACES = [1, 0, 3, 2]
DORA_PLACES = [5, 7, 9, 11, 13]
URA_PLACES = [4, 6, 8, 10, 12]
ANY = "?"
"""Stands for a tile that does not matter among the draws."""


def deal(
    hands: Mapping[int, str] | None = None,
    draws: str = "",
    *,
    last_draws: str = "",
    replacements: str = "",
    dora: str = "",
    ura: str = "",
    rules: Ruleset | str = TENHOU,
    round: int = 0,
    **situation: Any,
) -> Table:
    """Deal these hands; `draws` come first from the wall, `last_draws` last, `replacements` after kans.

    `dora` and `ura` are indicators in the order they are turned. `honba`, `sticks`, `scores` and `one_hand` go to the
    table as they are. A hand of fewer than 13 tiles is filled up.
    """
    demands: dict[int, int] = {}
    for player, text in (hands or {}).items():
        _demand(demands, hand_places(player, round % 4), text, f"player {player}'s hand")
    _demand(demands, list(range(FIRST_DRAW, LAST_DRAW - 1, -1)), draws, "the draws")
    ending = list(range(LAST_DRAW + len(_tiles(last_draws)) - 1, LAST_DRAW - 1, -1))
    _demand(demands, ending, last_draws, "the last draws")
    _demand(demands, REPLACEMENT_PLACES, replacements, "the replacements")
    _demand(demands, DORA_PLACES, dora, "the dora indicators")
    _demand(demands, URA_PLACES, ura, "the ura indicators")
    return Table(rules=rules, wall=_fill(demands, round % 4), round=round, **situation)


def hand_places(player: int, dealer: int) -> list[int]:
    """Where in the wall a player's hand lies: 4, 4, 4 and 1 tiles from the end, the dealer's first."""
    turn = (player - dealer) % 4
    fours = [NUM_IDS - 1 - 16 * step - 4 * turn - i for step in range(3) for i in range(4)]
    return [*fours, NUM_IDS - 1 - 48 - turn]


def _tiles(text: str) -> list[int | None]:
    tiles: list[int | None] = []
    for word in text.split():
        tiles += [None] if word == ANY else parse_tiles(word)
    return tiles


def _demand(demands: dict[int, int], places: list[int], text: str, what: str) -> None:
    tiles = _tiles(text)
    if len(tiles) > len(places):
        raise ValueError(f"{what}: {len(tiles)} tiles in {text!r}, there is room for {len(places)}")
    for place, tile in zip(places, tiles):
        if tile is not None:
            if place in demands:
                raise ValueError(f"{what}: two tiles are wanted at place {place} of the wall")
            demands[place] = tile


def _fill(demands: dict[int, int], dealer: int) -> list[int]:
    """A whole wall: what is demanded, and quiet tiles for the rest."""
    wall = dict(zip(demands, tiles_to_ids(demands.values())))
    wanted = [kind_of(tile) for tile in demands.values()]
    spare = [i for i in range(NUM_IDS) if i not in set(wall.values())]
    spare.sort(key=lambda i: (i in RED_IDS, _nearness(i // COPIES, wanted), i % COPIES, i))

    def put(place: int, tile_id: int) -> None:
        wall[place] = tile_id
        spare.remove(tile_id)

    for player in range(4):
        places = hand_places(player, dealer)
        for place in (place for place in places if place not in wall):
            held = [wall[p] // COPIES for p in places if p in wall]
            put(place, min(reversed(spare), key=lambda i: (i in RED_IDS, _nearness(i // COPIES, held))))
    for place in (place for place in DORA_PLACES + URA_PLACES if place not in wall):
        put(place, min(spare, key=lambda i: wanted.count(_dora(i // COPIES))))
    for place in (place for place in (*REPLACEMENT_PLACES, *range(FIRST_DRAW, LAST_DRAW - 1, -1)) if place not in wall):
        put(place, spare[0])
    return [wall[place] for place in range(NUM_IDS)]


def _nearness(kind: int, kinds: list[int]) -> int:
    """How many of the kinds could be in one set with this one."""
    suited = [k for k in kinds if kind < EAST and k // RANKS == kind // RANKS and 0 < abs(k - kind) <= 2]
    return len(suited) + kinds.count(kind)


def _dora(kind: int) -> int:
    """The kind an indicator points to."""
    for first, last in ((0, 8), (9, 17), (18, 26), (EAST, NORTH), (WHITE, RED_DRAGON)):
        if kind == last:
            return first
    return (kind + 1) % NUM_KINDS


# --- moves


def play(table: Table, *moves: str) -> None:
    """Make moves such as `"0 discard 5m"` or, by several players at once, `"1 ron, 2 pon"`.

    Chances to react that no move mentions are passed.
    """
    for move in moves:
        answers = {int(part.split()[0]): part.split(maxsplit=1)[1] for part in move.split(",")}
        while _someone_may_pass(table) and any(not may(table, p, action) for p, action in answers.items()):
            pass_all(table)
        missing = set(answers) - set(table.asked)
        assert not missing, f"{move!r}: asked now are players {table.asked}"
        table.step({player: answers.get(player, "pass") for player in table.asked})


def pass_all(table: Table) -> None:
    """Everyone who is asked about a discard or kan passes."""
    table.step(dict.fromkeys(table.asked, "pass"))


def _someone_may_pass(table: Table) -> bool:
    return any(may(table, player, "pass") for player in table.asked)


def quiet_turns(table: Table) -> Iterator[int]:
    """Play on quietly: all pass and discard what they draw; yields the player whose turn it is."""
    while table.asked:
        if _someone_may_pass(table):
            pass_all(table)
        else:
            yield table.actor
            if table.asked:
                table.step("tsumogiri")


def until_turn(table: Table, player: int) -> None:
    """Play on quietly to the player's next turn (the present one counts)."""
    next(turn for turn in quiet_turns(table) if turn == player)


def until_left(table: Table, tiles: int) -> None:
    """Play on quietly until `tiles` tiles are left to draw; the player who drew is asked."""
    next(turn for turn in quiet_turns(table) if table.tiles_left == tiles)


def run_out(table: Table) -> None:
    """Play the hand quietly to its end."""
    for _ in quiet_turns(table):
        pass


# --- what to look at


def may(table: Table, player: int, action: str) -> bool:
    """Whether a player may do this now."""
    return action in table.legal_names(player)


def choices(table: Table, player: int) -> set[str]:
    """What a player may do now beside discarding."""
    return {name for name in table.legal_names(player) if not name.startswith("discard") and name != "tsumogiri"}


def discardable(table: Table, player: int) -> str:
    """The tiles a player may discard from the hand now, as `123m0p7z`."""
    names = [name for name in table.legal_names(player) if name.startswith("discard")]
    return format_tiles(sort_tiles(parse_tiles(name.split()[1])[0] for name in names))


def held(table: Table, player: int) -> str:
    """A player's concealed tiles."""
    return format_tiles(sort_tiles(table.hand(player)))


def melded(table: Table, player: int) -> str:
    """A player's melds, as `(345m) [1111z]`."""
    return " ".join(str(meld) for meld in table.melds(player))


def shown(table: Table) -> str:
    """The dora indicators."""
    return " ".join(format_tiles([tile]) for tile in table.dora_indicators)


def won(table: Table) -> dict[int, tuple[str, ...]]:
    """The winners in order, with their yaku."""
    assert table.result is not None, "the hand is not over"
    return {win.player: win.report.names for win in table.result.wins}


def changes(table: Table) -> tuple[int, ...]:
    """The score changes of the finished hand."""
    assert table.result is not None, "the hand is not over"
    return table.result.changes


def ending(table: Table) -> str:
    """How the hand ended."""
    assert table.result is not None, "the hand is not over"
    return table.result.kind
