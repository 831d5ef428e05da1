"""The rules: draw, discard, win. States are records; every function reads or writes those of one table.

Each player holds three tiles for every set and one more, draws one and discards one. A hand of sets (three equal tiles
or three in a row) and a pair wins, on a drawn tile or on the other player's discard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core.dtypes import record_dtype
from janshi.rules.game import Array, Game
from mini_mahjong.family import FAMILY

PLAYERS, KINDS, COPIES = 2, 9, 4
TILES = KINDS * COPIES
RIVER = TILES // PLAYERS
NONE = -1
"""No tile, or no player."""

TURN, REACTION, GAME_OVER = range(3)
WIN, PASS = KINDS, KINDS + 1
"""Actions; those below discard the tile of their number."""
CALLED = 1
"""Flag of a discard that was won on."""

TILE_TEXTS = tuple(f"{rank + 1}p" for rank in range(KINDS))
ACTION_NAMES = (*(f"discard {text}" for text in TILE_TEXTS), "win", "pass")

SHARED: list[Any] = [
    ("scores", np.int32, (PLAYERS,)),
    ("phase", np.int8),
    ("actor", np.int8),  # whose turn it is, or whose discard is reacted to
    ("drawn", np.int8),  # the actor's drawn tile
    ("tile", np.int8),  # the last discard, while it may be won on or when it was
    ("left", np.int8),  # tiles left to draw
    ("river", np.int8, (PLAYERS, RIVER)),
    ("river_flags", np.int8, (PLAYERS, RIVER)),
    ("river_order", np.int8, (PLAYERS, RIVER)),  # its number among all discards
    ("discards", np.int8, (PLAYERS,)),  # length of each river
    ("winner", np.int8),
    ("payer", np.int8),  # who discarded the winning tile
]
STATE_DTYPE = record_dtype(
    [
        ("seed", np.uint64),
        ("legal", np.int64, (PLAYERS,)),  # legal actions of each asked player, as bits
        ("asked", np.int8),  # bit set of players who must answer
        ("wall", np.int8, (TILES,)),  # drawn from the end; what is left stands at wall[:left]
        ("hand", np.int8, (PLAYERS, KINDS)),
        *SHARED,
    ]
)
VIEW_FIELDS = [("legal", np.int64), ("seat", np.int8), ("hand", np.int8, (KINDS,)), *SHARED]
VIEW_DTYPE = record_dtype(VIEW_FIELDS)
ORACLE_DTYPE = record_dtype([("hands", np.int8, (PLAYERS, KINDS)), *VIEW_FIELDS])


class MiniGame(Game):
    """Mini mahjong under one `Ruleset`. A game is one hand."""

    family = FAMILY
    players = PLAYERS
    action_names = ACTION_NAMES
    discards = KINDS
    tile_texts = TILE_TEXTS
    game_over = GAME_OVER
    state_dtype = STATE_DTYPE
    view_dtype = VIEW_DTYPE
    oracle_dtype = ORACLE_DTYPE

    def new_context(self) -> Any:
        """Only the rules are needed."""
        return self.rules

    def start(self, states: Array, seeds: Array, context: Any) -> None:
        """Begin a game on every table from its seed."""
        for i in range(len(states)):
            deal(states[i], int(seeds[i]), context)

    def step(self, states: Array, first: Array, actions: Array, restart: bool, context: Any) -> None:
        """Answer for the asked player of every table, or begin its next game."""
        for i in range(len(states)):
            s = states[i]
            if s["asked"]:
                answer(s, int(actions[first[i]]), context)
            elif restart:
                deal(s, int(rng.key(np.uint64(s["seed"]), 1, 0)), context)

    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player may know."""
        for i in range(len(tables)):
            look(states[tables[i]], int(players[i]), out[i])

    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with both hands."""
        self.views(states, tables, players, out)
        for i in range(len(tables)):
            out[i]["hands"] = np.roll(states[tables[i]]["hand"], -int(players[i]), 0)

    def tile_counts(self, states: Array) -> Array:
        """Count all tiles: in the wall, the hands and the rivers."""
        return np.array([count_tiles(s) for s in states])

    def shuffle_hidden(self, state: Any, player: int, seed: int) -> None:
        """Exchange tiles between the wall and the other player's hand at random."""
        other, left = 1 - player, int(state["left"])
        pool = np.concatenate([state["wall"][:left], np.repeat(np.arange(KINDS), state["hand"][other])])
        np.random.default_rng(seed).shuffle(pool)
        state["wall"][:left] = pool[:left]
        state["hand"][other] = np.bincount(pool[left:], minlength=KINDS)


# --- a game


def deal(s: Any, seed: int, rules: Any) -> None:
    """Shuffle the wall by the seed and deal; player 0 draws."""
    wall = np.repeat(np.arange(KINDS, dtype=np.int8), COPIES)
    rng.shuffle(wall, np.uint64(rng.key(np.uint64(seed), 0, 0)))
    s["seed"], s["wall"], s["left"] = seed, wall, TILES
    for name in ("hand", "scores", "discards", "river_order", "river_flags"):
        s[name] = 0
    for name in ("river", "winner", "payer"):
        s[name] = NONE
    for player in range(PLAYERS):
        for _ in range(3 * rules.sets + 1):
            take(s, player)
    begin_turn(s, 0, rules)


def take(s: Any, player: int) -> int:
    """Move the next tile of the wall into a hand; returns it."""
    s["left"] -= 1
    tile = int(s["wall"][s["left"]])
    s["hand"][player, tile] += 1
    return tile


def begin_turn(s: Any, player: int, rules: Any) -> None:
    """A player draws and is asked what to do."""
    s["actor"], s["tile"] = player, NONE
    s["drawn"] = take(s, player)
    legal = sum(1 << kind for kind in range(KINDS) if s["hand"][player, kind])
    if is_complete(s["hand"][player], rules.sets):
        legal |= 1 << WIN
    ask(s, TURN, player, legal)


def ask(s: Any, phase: int, player: int, legal: int) -> None:
    """Ask one player."""
    s["phase"], s["asked"], s["legal"] = phase, 1 << player, 0
    s["legal"][player] = legal


def answer(s: Any, action: int, rules: Any) -> None:
    """Carry out the answer of the asked player."""
    actor = int(s["actor"])
    if action == WIN:
        win(s, rules)
    elif action == PASS:
        go_on(s, rules)
    else:
        discard(s, actor, action)
        other = 1 - actor
        complete = s["hand"][other].copy()
        complete[action] += 1
        if is_complete(complete, rules.sets):
            ask(s, REACTION, other, 1 << WIN | 1 << PASS)
        else:
            go_on(s, rules)


def discard(s: Any, player: int, tile: int) -> None:
    """Put a tile of the hand into the river."""
    at = int(s["discards"][player])
    s["river"][player, at], s["river_order"][player, at] = tile, s["discards"].sum()
    s["hand"][player, tile] -= 1
    s["discards"][player] += 1
    s["drawn"], s["tile"] = NONE, tile


def go_on(s: Any, rules: Any) -> None:
    """The next player draws, or the wall is exhausted."""
    if s["left"]:
        begin_turn(s, 1 - int(s["actor"]), rules)
    else:
        s["phase"], s["asked"], s["legal"] = GAME_OVER, 0, 0


def win(s: Any, rules: Any) -> None:
    """The asked player wins: on the tile drawn, or on the discard of the actor."""
    actor = int(s["actor"])
    self_drawn = s["phase"] == TURN
    s["winner"] = winner = actor if self_drawn else 1 - actor
    if not self_drawn:
        s["payer"] = actor
        s["river_flags"][actor, s["discards"][actor] - 1] = CALLED
    points = rules.self_drawn if self_drawn else 1
    s["scores"][winner], s["scores"][1 - winner] = points, -points
    s["phase"], s["asked"], s["legal"] = GAME_OVER, 0, 0


def is_complete(counts: Any, sets: int) -> bool:
    """Whether tiles form this many sets and a pair."""
    tiles = [int(count) for count in counts]
    if sum(tiles) != 3 * sets + 2:
        return False
    return any(
        is_sets([count - 2 * (kind == pair) for kind, count in enumerate(tiles)])
        for pair in range(KINDS)
        if tiles[pair] >= 2
    )


def is_sets(tiles: list[int]) -> bool:
    """Whether tiles can be split into sets: the lowest belongs to three equal tiles or to three in a row."""
    lowest = next((kind for kind, count in enumerate(tiles) if count), None)
    if lowest is None:
        return True
    shapes = ((lowest,) * 3, (lowest, lowest + 1, lowest + 2))
    return any(holds(tiles, shape) and is_sets(without(tiles, shape)) for shape in shapes)


def holds(tiles: list[int], shape: tuple[int, ...]) -> bool:
    """Whether tiles contain a set."""
    return shape[-1] < KINDS and all(tiles[kind] >= shape.count(kind) for kind in shape)


def without(tiles: list[int], shape: tuple[int, ...]) -> list[int]:
    """The tiles without a set."""
    return [count - shape.count(kind) for kind, count in enumerate(tiles)]


# --- what players see, and what is counted


def look(s: Any, player: int, v: Any) -> None:
    """Write what a player may know; seats are relative, 0 is the viewer."""
    for name, *_ in SHARED:
        v[name] = np.roll(s[name], -player, 0) if s[name].ndim else s[name]
    for name in ("actor", "winner", "payer"):
        v[name] = NONE if s[name] == NONE else (s[name] - player) % PLAYERS
    v["seat"], v["hand"] = player, s["hand"][player]
    v["drawn"] = s["drawn"] if player == s["actor"] else NONE
    v["legal"] = s["legal"][player]


def count_tiles(s: Any) -> Any:
    """How many tiles of each kind are on a table."""
    rivers = [s["river"][player, : s["discards"][player]] for player in range(PLAYERS)]
    lying = np.concatenate([s["wall"][: s["left"]], *rivers])
    return np.bincount(lying, minlength=KINDS) + s["hand"].sum(0)
