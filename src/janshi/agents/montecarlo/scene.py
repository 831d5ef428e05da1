"""What a decision knows before its hands are simulated: unseen tiles, opponents' models, rates and worths.

The opponents of the abstracted game hold no tiles. Each is tenpai from the start with the waiting model's probability,
or becomes tenpai at a rate per turn. A tenpai opponent self-draws, or wins on another opponent's discard, at fixed
rates, and wins on the viewer's discards by the winning tile model.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from janshi.agents.payoffs import STANCES, worth_of
from janshi.agents.prospects import note_dora, unseen_reds, value_han
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_IDS, NUM_KINDS, RANKS
from janshi.models.labels import OPPONENTS
from janshi.rules.game import Array
from janshi.rules.riichi.concealed import kind_of, red_of
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import NONE, PLAYERS

HORIZON: Final = 20
"""Maximum number of a player's draws that are simulated."""
BECOMING: Final = np.array(
    [
        [0.004, 0.010, 0.022, 0.036, 0.050, 0.062, 0.072, 0.080, 0.085, 0.088, 0.090, 0.090, 0.090, 0.085, 0.08, 0.08],
        [0.015, 0.025, 0.040, 0.060, 0.080, 0.095, 0.110, 0.120, 0.125, 0.130, 0.130, 0.130, 0.130, 0.125, 0.12, 0.12],
        [0.060, 0.090, 0.120, 0.150, 0.170, 0.180, 0.190, 0.190, 0.190, 0.190, 0.190, 0.180, 0.180, 0.180, 0.18, 0.18],
        [0.200, 0.250, 0.280, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300, 0.30, 0.30],
    ],
    np.float64,
)
"""The chance that a player becomes tenpai in a turn, by melds and discards made."""
DECLARES: Final = 0.75
"""How often a closed opponent who becomes tenpai declares riichi."""
RIICHI_WORTH: Final = 1.25
"""Factor by which riichi raises the payment that the hand score model expects without it."""
LEAST_PAYMENT: Final = 1000.0
LETS_GO: Final = np.array([[0.80, 0.75, 0.65, 0.55], [0.65, 0.55, 0.42, 0.33]], np.float64)
"""How readily opponents discard a tile that the viewer waits for, relative to a uniform draw from the unseen tiles:
without and after riichi, for honours, terminals, twos and eights, and the rest."""


@dataclass(frozen=True)
class Manner:
    """The settings of a Monte Carlo player."""

    courage: float = 0.6
    """A simulated hand folds when a discard costs more than this share of what the hand may still bring."""
    doubt: float = 0.7
    """Standard errors by which a candidate must beat the move of a player without simulation."""
    threat: float = 0.12
    """Safe discards and folding are considered if an opponent is tenpai with at least this chance."""
    becoming: float = 0.8
    """Scales the rates of `BECOMING`."""
    self_draw: float = 0.065
    """The chance that a tenpai opponent draws the winning tile in a turn."""
    others_ron: float = 0.045
    """The chance that a tenpai opponent wins in a go-around on a discard of the other two."""
    others_ron_riichi: float = 0.035
    """The same after riichi."""
    ease: float = 1.0
    """Scales `LETS_GO`."""
    expert: float = 0.0
    """Whether simulated hands follow the one-player model, or useful tiles alone, which is much faster."""


SCENE_DTYPE: Final = record_dtype(
    [
        *((f.name, np.float64) for f in fields(Manner)),
        ("waiting", np.float64, (OPPONENTS,)),
        ("winning", np.float64, (OPPONENTS, NUM_KINDS)),  # chance of winning on a kind, if tenpai
        ("loss", np.float64, (STANCES, OPPONENTS, NUM_KINDS)),  # worth of dealing in with a kind
        ("harm", np.float64, (OPPONENTS, NUM_KINDS)),  # how much worse that is than continuing, at least 0
        ("their_tsumo", np.float64, (STANCES, OPPONENTS)),
        ("their_ron", np.float64, (STANCES, OPPONENTS)),  # from the other two
        ("rates", np.float64, (OPPONENTS, HORIZON)),  # of becoming tenpai
        ("lets_go", np.float64, (2, NUM_KINDS)),
        ("stay", np.float64),  # worth of an even end, the zero of gains and losses
        ("good", np.float64),  # worth of an average win
        ("tiles", np.int64),  # unseen tiles
        ("left", np.int64),  # tiles left in the wall
        ("river", np.int64),  # kinds in the viewer's river
        ("valued", np.int64),  # honours of which a triplet is a yaku
        ("safe", np.int64, (OPPONENTS,)),  # kinds that cannot be won on
        ("riichi", np.int8, (OPPONENTS,)),
        ("closed", np.int8, (OPPONENTS,)),
        ("may_riichi", np.int8),
        ("turns", np.int8),  # discards of the viewer
        ("seat_wind", np.int8),
        ("round_wind", np.int8),
        ("visible", np.int8, (NUM_KINDS,)),  # tiles seen, including the viewer's
        ("dora", np.int8, (NUM_KINDS,)),
        ("pool", np.int8, (NUM_IDS,)),  # unseen tiles
    ]
)
"""What a decision knows, the same for all candidates, after the settings of the player."""


def new_scene(manner: Manner) -> Array:
    """Make a scene for a player's decisions, SCENE_DTYPE[1]."""
    scene = np.zeros(1, SCENE_DTYPE)
    for f in fields(Manner):
        scene[f.name] = getattr(manner, f.name)
    return scene


@kernel
def note_tiles(v: Any, red_fives: int, s: Any) -> None:
    """Note which tiles are unseen, and what is dora."""
    note_dora(v, s.dora)
    reds = unseen_reds(v) if red_fives else 0
    s.tiles = 0
    for kind in range(NUM_KINDS):
        seen = min(COPIES, int(v.seen[kind]) + int(v.hand[kind]))
        s.visible[kind] = seen
        red = red_of(kind)
        for copy in range(COPIES - seen):
            is_red = copy == 0 and red >= 0 and (reds >> (red - FIRST_RED)) & 1 == 1
            s.pool[s.tiles] = red if is_red else kind
            s.tiles += 1


@kernel
def note_game(v: Any, rules: Any, s: Any) -> None:
    """Note winds, the wall, the viewer's river and whether riichi is possible."""
    s.left = int(v.left)
    s.seat_wind = (PLAYERS - int(v.dealer)) % PLAYERS
    s.round_wind = (int(v.kyoku) // PLAYERS) % PLAYERS
    s.may_riichi = 1 if v.riichi[0] == 0 and (v.scores[0] >= STICK or rules.riichi_needs_points == 0) else 0
    s.turns = v.discards[0]
    s.valued = 0
    for kind in range(EAST, NUM_KINDS):
        s.valued |= (1 if value_han(v, kind) else 0) << kind
    s.river = 0
    for i in range(int(v.discards[0])):
        s.river |= 1 << kind_of(int(v.river[0, i]))
    for kind in range(NUM_KINDS):
        group = tile_group(kind)
        s.lets_go[0, kind] = s.ease * LETS_GO[0, group]
        s.lets_go[1, kind] = s.ease * LETS_GO[1, group]


@kernel
def tile_group(kind: int) -> int:
    """0 for honours, 1 for terminals, 2 for twos and eights, 3 for the rest."""
    if kind >= EAST:
        return 0
    return min(3, 1 + min(kind % RANKS, RANKS - 1 - kind % RANKS))


@kernel
def base_of_payment(points: float, dealer: bool) -> float:
    """Base points of what is paid for a ron."""
    return max(points, LEAST_PAYMENT) / (6.0 if dealer else 4.0)


@kernel
def note_opponents(v: Any, said: Any, p: Any, s: Any) -> None:
    """Note the models' output (`said`, a record of OPPONENTS_DTYPE), and its worth by the payoffs `p`."""
    s.stay = p.draw[0, 0]
    s.good = worth_of(p.tsumo[0, 0], 1280.0)
    for other in range(OPPONENTS):
        player = other + 1
        s.waiting[other] = said.waiting[other]
        s.riichi[other] = 1 if v.riichi[player] else 0
        s.closed[other] = 1 if v.melds[player] == 0 else 0
        s.safe[other] = 0
        melds = min(int(v.melds[player]), len(BECOMING) - 1)
        for turn in range(HORIZON):
            s.rates[other, turn] = (
                s.becoming * BECOMING[melds, min(int(v.discards[player]) + turn, BECOMING.shape[1] - 1)]
            )
        note_losses(v, said, p, other, s)


@kernel
def note_losses(v: Any, said: Any, p: Any, other: int, s: Any) -> None:
    """Note the worth of one opponent's wins: on each kind discarded by the viewer, by self-draw, from the others."""
    player, total, weight = other + 1, 0.0, 0.0
    dealer = v.dealer == player
    growth = 1.0 if v.riichi[player] or v.melds[player] > 0 else RIICHI_WORTH
    for kind in range(NUM_KINDS):
        chance = float(said.winning[other, kind])
        paid = growth * float(said.payment[other, kind])
        s.winning[other, kind] = chance
        if chance <= 0.0:
            s.safe[other] |= 1 << kind
        for stance in range(STANCES):
            s.loss[stance, other, kind] = worth_of(p.ron[stance, player, 0], base_of_payment(paid, dealer))
        s.harm[other, kind] = chance * max(0.0, s.stay - s.loss[0, other, kind])
        left = chance * (COPIES - int(s.visible[kind]))
        total += left * paid
        weight += left
    base = base_of_payment(total / weight if weight > 0 else LEAST_PAYMENT, dealer)
    for stance in range(STANCES):
        s.their_tsumo[stance, other] = worth_of(p.tsumo[stance, player], base)
        s.their_ron[stance, other] = 0.0
        for loser in range(1, PLAYERS):
            if loser != player:
                s.their_ron[stance, other] += 0.5 * worth_of(p.ron[stance, player, loser], base)


@kernel
def note_scene(v: Any, said: Any, p: Any, rules: Any, s: Any) -> None:
    """Note everything about a view."""
    note_tiles(v, int(rules.red_fives), s)
    note_game(v, rules, s)
    note_opponents(v, said, p, s)


# --- the course of chance

FATE_DTYPE: Final = record_dtype(
    [
        ("tenpai_at", np.int64, (OPPONENTS,)),  # draws after which an opponent is tenpai
        ("declared", np.int8, (OPPONENTS,)),  # whether everybody sees it (riichi)
        ("draws", np.int8, (HORIZON,)),  # the viewer's tiles
        ("discards", np.int8, (HORIZON, OPPONENTS)),
        ("luck", np.float64, (HORIZON, OPPONENTS)),  # decides whether such a discard may be called
        ("pool", np.int8, (NUM_IDS,)),
    ]
)
"""One course of chance, the same for all candidates: common random numbers."""
NEVER: Final = 1000


@kernel
def cast_fate(s: Any, stream: np.uint64, f: Any) -> None:
    """Draw a course of chance from a random stream."""
    state = stream
    for other in range(OPPONENTS):
        state = cast_tenpai(s, other, state, f)
    for i in range(s.tiles):
        f.pool[i] = s.pool[i]
    count = int(s.tiles)
    for turn in range(HORIZON):
        f.draws[turn] = NONE
        for other in range(OPPONENTS):
            f.discards[turn, other] = NONE
    for turn in range(HORIZON):
        for who in range(PLAYERS):
            if count == 0:
                return
            state = next_state(state)
            at = pick(state, count)
            tile = f.pool[at]
            count -= 1
            f.pool[at] = f.pool[count]
            if who == 0:
                f.draws[turn] = tile
            else:
                f.discards[turn, who - 1] = tile
                f.luck[turn, who - 1] = float(state & np.uint64(0xFFFF)) / 65536.0


@kernel
def cast_tenpai(s: Any, other: int, state: np.uint64, f: Any) -> np.uint64:
    """Draw when an opponent becomes tenpai, and whether with riichi."""
    f.declared[other] = s.riichi[other]
    f.tenpai_at[other] = 0
    state = next_state(state)
    if s.riichi[other] or as_share(state) < s.waiting[other]:
        return state
    state = next_state(state)
    f.declared[other] = 1 if s.closed[other] and as_share(state) < DECLARES else 0
    state = next_state(state)
    never, share = 1.0, as_share(state)
    for turn in range(HORIZON):
        never *= 1.0 - s.rates[other, turn]
        if share > never:
            f.tenpai_at[other] = turn + 1
            return state
    f.tenpai_at[other] = NEVER
    return state


@kernel
def next_state(state: np.uint64) -> np.uint64:
    """Advance a stream (xorshift: cheap and good enough to deal tiles)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state


@kernel
def as_share(state: np.uint64) -> float:
    """A number from 0 to 1."""
    return float(state >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def pick(state: np.uint64, count: int) -> int:
    """A number below `count`."""
    return int(((state >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
