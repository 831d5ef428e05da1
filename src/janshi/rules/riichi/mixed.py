"""Players with mixed habits, and rigged walls: they produce situations that random play hardly ever reaches.

For fuzzing and for tests: riichi, kans, wins, rare draws, yakuman. A habit is a row of chances: to win, declare riichi,
kan, call, and discard with care.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, EAST, NUM_IDS, NUM_KINDS, RANKS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.policies import Mind, best_discard, choose_random, discard_of
from janshi.rules.riichi.state import NONE, TURN, Context

HABITS: Final = {
    #           win riichi kan call care   of 256
    "random": (0, 0, 0, 0, 0),  # every legal action with equal chance
    "greedy": (256, 256, 0, 0, 256),
    "eager": (250, 240, 200, 60, 250),
    "caller": (200, 100, 256, 180, 230),
    "lazy": (96, 200, 128, 20, 250),  # often declines to win: furiten
    "outside": (128, 0, 40, 8, -1),  # discards terminals and honours first, winds before all: nagashi, four winds
}
WIN, RIICHI, KAN, CALL, CARE = range(5)
CHANCES: Final = np.array(list(HABITS.values()), np.int16)


@kernel
def chance(word: np.uint64, which: int) -> int:
    """One of eight independent chances (0..255) in a random word."""
    return int((rng.mix(word) >> np.uint64(8 * which)) & np.uint64(255))


@kernel
def legal_between(s: Any, player: int, first: int, end: int, skip: int) -> int:
    """A legal action in [first, end), the one `skip` places on from the first; NONE if there is none."""
    count = 0
    for action in range(first, end):
        count += 1 if is_legal(s, player, action) else 0
    if count == 0:
        return NONE
    skip %= count
    for action in range(first, end):
        if is_legal(s, player, action):
            if skip == 0:
                return action
            skip -= 1
    return NONE


@kernel
def choose_by_habit(s: Any, player: int, habit: int, word: np.uint64, c: Context, mind: Mind) -> int:
    """The action of a player with a habit (a row of CHANCES); `word` is a fresh random word."""
    if habit == 0:
        return choose_random(s, player, word)
    skip = chance(word, 7)
    for action in (act.TSUMO, act.RON):
        if is_legal(s, player, action) and chance(word, WIN) < CHANCES[habit, WIN]:
            return action
    if is_legal(s, player, act.RIICHI) and chance(word, RIICHI) < CHANCES[habit, RIICHI]:
        return act.RIICHI
    kan = legal_between(s, player, act.OPEN_KAN, act.TSUMO, skip)
    if kan != NONE and chance(word, KAN) < CHANCES[habit, KAN]:
        return kan
    if s.phase != TURN:
        call = legal_between(s, player, act.CHI, act.OPEN_KAN, skip)
        return call if call != NONE and chance(word, CALL) < CHANCES[habit, CALL] else act.PASS
    if is_legal(s, player, act.NINE_TERMINALS) and chance(word, KAN) < 128:
        return act.NINE_TERMINALS
    return discard_by_habit(s, player, habit, word, c, mind)


@kernel
def discard_by_habit(s: Any, player: int, habit: int, word: np.uint64, c: Context, mind: Mind) -> int:
    """A legal discard."""
    if CHANCES[habit, CARE] < 0:
        return discard_outside(s, player)
    if s.riichi[player] == 0 and chance(word, CARE) < CHANCES[habit, CARE]:
        return discard_of(s, player, best_discard(s, player, c, mind))
    return legal_between(s, player, act.DISCARD, act.RIICHI, chance(word, 6))


@kernel
def discard_outside(s: Any, player: int) -> int:
    """Discard the wind discarded last, else a wind, a dragon, a terminal, else the lowest tile."""
    best, best_value = NONE, -1
    for action in range(act.RIICHI):
        if is_legal(s, player, action):
            kind = kind_of(int(s.drawn) if action == act.TSUMOGIRI else action)
            value = 0
            if kind >= EAST:
                value = 3 if kind < EAST + 4 else 2
                value += 1 if kind == s.tile and s.turns < 4 else 0
            elif kind % RANKS == 0 or kind % RANKS == RANKS - 1:
                value = 1
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def choose_mixed(
    states: Any, tables: Any, players: Any, habits: Any, base: np.uint64, out: Any, mind: Mind, frame: Any, data: Any
) -> None:
    """Choose for each decision (table, player); `habits` int8[n, 4], words are hashed from `base` and the decision.

    `frame` and `data` are the context.
    """
    c = Context(frame[0].rules, data[0], frame[0].win, frame[0].score)
    for i in range(len(tables)):
        s, player = states[tables[i]], int(players[i])
        word = rng.mix(base + rng.GAMMA * np.uint64(i + 1))
        out[i] = choose_by_habit(s, player, int(habits[tables[i], player]), word, c, mind)


def habit_number(name: str) -> int:
    """Find a habit by name."""
    if name not in HABITS:
        raise ValueError(f"no habit is called {name!r}; there are {', '.join(HABITS)}")
    return list(HABITS).index(name)


# --- walls

THEMES: Final = (
    tuple(range(EAST, NUM_KINDS)),
    tuple(range(EAST, EAST + 4)),
    tuple(range(EAST + 4, NUM_KINDS)),
    tuple(kind for kind in range(NUM_KINDS) if kind >= EAST or kind % RANKS in (0, RANKS - 1)),
    tuple(kind for kind in range(EAST) if kind % RANKS in (0, RANKS - 1)),
    (19, 20, 21, 23, 25, EAST + 5),  # the green tiles
    *(tuple(range(RANKS * suit, RANKS * (suit + 1))) for suit in range(3)),
)
"""Kinds of tiles that make up yakuman."""
DEALT: Final = tuple(
    (*(NUM_IDS - 1 - 4 * seat - 16 * block - i for block in range(3) for i in range(4)), NUM_IDS - 49 - seat)
    for seat in range(4)
)
"""Places of the wall dealt to each seat, from the dealer on."""


def rigged_walls(random: np.random.Generator, n: int) -> Any:
    """Walls in which rare hands are likely, uint8[n, 136]: half of them clumped, half with a gift."""
    walls = [clumped_wall(random) if random.random() < 0.5 else gifted_wall(random) for _ in range(n)]
    return np.array(walls, np.uint8).reshape(n, NUM_IDS)


def clumped_wall(random: np.random.Generator) -> Any:
    """A wall in which equal tiles lie near each other, more or less: hands of few kinds are dealt."""
    kinds = random.permutation(NUM_KINDS) if random.random() < 0.5 else np.arange(NUM_KINDS)
    noise = random.exponential(3.0) * random.standard_normal(NUM_IDS)
    return np.argsort(np.repeat(kinds, COPIES) + noise)


def gifted_wall(random: np.random.Generator) -> Any:
    """A wall that deals one player most tiles of a yakuman's kinds, and some of the rest to their first draws."""
    theme = THEMES[random.integers(len(THEMES))]
    tiles = random.permutation([COPIES * kind + copy for kind in theme for copy in range(COPIES)])
    seat = int(random.integers(4))
    draws = [NUM_IDS - 53 - seat - 4 * turn for turn in range(random.integers(10))]
    places = np.array([*DEALT[seat], *draws])
    places = places[random.random(len(places)) < random.uniform(0.5, 1.0)][: len(tiles)]
    wall = np.full(NUM_IDS, -1)
    wall[places] = tiles[: len(places)]
    wall[wall < 0] = random.permutation(np.setdiff1d(np.arange(NUM_IDS), wall))
    return wall
