"""Kernels that say what a player may do: on their turn, on another's discard, on another's kan."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.shanten import is_complete, shanten
from janshi.core.tiles import COPIES, EAST, FIRST_RED, FIVE_M, NUM_KINDS, RANKS
from janshi.core.waits import waits_mask
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import find_waits, holds_red, is_closed, kind_of, plain_count
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import MELDS, NONE, PLAYERS, Context
from janshi.rules.riichi.win import CONCEALED_KAN, PON
from janshi.rules.riichi.winning import may_ron, may_tsumo

MAX_KANS = 4
DRAWS_FOR_RIICHI = 4
MIN_TERMINALS = 9


@kernel
def allow(s: Any, player: int, action: int) -> None:
    """Add an action to a player's legal ones."""
    if action < act.HALF:
        s.legal[player, 0] |= 1 << action
    else:
        s.legal[player, 1] |= 1 << (action - act.HALF)


@kernel
def is_legal(s: Any, player: int, action: int) -> bool:
    """Whether a player is asked and may take this action."""
    if (int(s.asked) >> player) & 1 == 0 or action < 0 or action >= act.NUM_ACTIONS:
        return False
    if action < act.HALF:
        return (s.legal[player, 0] >> action) & 1 == 1
    return (s.legal[player, 1] >> (action - act.HALF)) & 1 == 1


@kernel
def discards_mask(s: Any, player: int) -> int:
    """Bit set of tiles (0..36) in the concealed hand besides the drawn one."""
    mask = 0
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0:
            mask |= 1 << kind
    drawn = int(s.drawn)
    if drawn != NONE and plain_count(s, player, kind_of(drawn)) <= (1 if drawn < FIRST_RED else 0):
        mask &= ~(1 << kind_of(drawn))
    reds = int(s.reds[player])
    for suit in range(3):
        if (reds >> suit) & 1:
            five = FIVE_M + RANKS * suit
            if drawn != FIRST_RED + suit:
                mask |= 1 << (FIRST_RED + suit)
            if plain_count(s, player, five) == 0:
                mask &= ~(1 << five)
    return mask


@kernel
def without_banned(mask: int, banned: int) -> int:
    """Remove the kinds under the swap ban, and their red fives, from a discard mask."""
    mask &= ~banned
    for suit in range(3):
        if (banned >> (FIVE_M + RANKS * suit)) & 1:
            mask &= ~(1 << (FIRST_RED + suit))
    return mask


@kernel
def kans_made(s: Any) -> int:
    """Kans by all players."""
    return int(s.kans[0]) + int(s.kans[1]) + int(s.kans[2]) + int(s.kans[3])


@kernel
def may_kan(s: Any) -> bool:
    """Whether any kan is possible: a live tile is left for the dead wall, and a replacement tile."""
    return s.left > 0 and kans_made(s) < MAX_KANS


@kernel
def ask_turn(s: Any, c: Context) -> None:
    """Ask the actor, who has drawn or called, what to do."""
    player = int(s.actor)
    s.legal[player, 0] = 0
    s.legal[player, 1] = 0
    s.asked = 1 << player
    if s.drawn == NONE:
        s.legal[player, 0] = without_banned(discards_mask(s, player), int(s.banned))
        return
    allow(s, player, act.TSUMOGIRI)
    if s.riichi[player]:
        if may_kan(s):
            allow_kan_in_riichi(s, player, c)
    else:
        s.legal[player, 0] |= discards_mask(s, player)
        if may_riichi(s, player, c):
            allow(s, player, act.RIICHI)
        if may_kan(s):
            allow_kans(s, player)
        if s.first_turn[player] and c.rules.nine_terminals and count_terminals(s, player) >= MIN_TERMINALS:
            allow(s, player, act.NINE_TERMINALS)
    if may_tsumo(s, c):
        allow(s, player, act.TSUMO)


@kernel
def may_riichi(s: Any, player: int, c: Context) -> bool:
    """Whether the actor may declare riichi: closed, tenpai after some discard, points and tiles left."""
    if not is_closed(s, player) or s.distance[player] > 1:
        return False
    if c.rules.riichi_needs_points and s.scores[player] < STICK:
        return False
    if s.left < (DRAWS_FOR_RIICHI if c.rules.riichi_needs_draw else 1):
        return False
    return riichi_discards(s, player, c) != 0


@kernel
def riichi_discards(s: Any, player: int, c: Context) -> int:
    """Bit set of kinds whose discard leaves the 14-tile hand tenpai."""
    if shanten(s.hand[player], int(s.melds[player]), c.tables) > 0:
        return 0
    mask = 0
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0:
            s.hand[player, kind] -= 1
            if find_waits(s, player, c) != 0:
                mask |= 1 << kind
            s.hand[player, kind] += 1
    return mask


@kernel
def ask_riichi_discard(s: Any, c: Context) -> None:
    """Ask the actor, who has said riichi, which tile to discard."""
    player = int(s.actor)
    allowed = riichi_discards(s, player, c)
    s.legal[player, 0] = without_banned(discards_mask(s, player), ~allowed & ((1 << NUM_KINDS) - 1))
    s.legal[player, 1] = 0
    if (allowed >> kind_of(int(s.drawn))) & 1:
        allow(s, player, act.TSUMOGIRI)
    s.asked = 1 << player


@kernel
def allow_kans(s: Any, player: int) -> None:
    """Allow the concealed and added kans of a player who has drawn."""
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] == COPIES:
            allow(s, player, act.CONCEALED_KAN + kind)
    for meld in range(int(s.melds[player])):
        if s.meld_type[player, meld] == PON and s.hand[player, int(s.meld_kind[player, meld])] > 0:
            allow(s, player, act.ADDED_KAN + int(s.meld_kind[player, meld]))


@kernel
def allow_kan_in_riichi(s: Any, player: int, c: Context) -> None:
    """Allow a concealed kan of the drawn tile if it leaves the waits (and, by the stricter rule, the shape) alone."""
    kind = kind_of(int(s.drawn))
    how = int(c.rules.riichi_kan)
    if how == 0 or s.hand[player, kind] != COPIES:
        return
    s.hand[player, kind] = 0
    waits = np.int64(waits_mask(s.hand[player], int(s.melds[player]) + 1, c.tables))
    s.hand[player, kind] = COPIES
    if waits == int(s.waits[player]) and (how == 1 or shape_is_fixed(s, player, kind, c)):
        allow(s, player, act.CONCEALED_KAN + kind)


@kernel
def shape_is_fixed(s: Any, player: int, kind: int, c: Context) -> bool:
    """Whether, for every wait, three of `kind` are a triplet in every reading of the completed hand."""
    s.hand[player, kind] -= 1
    fixed = True
    for wait in range(NUM_KINDS):
        if (s.waits[player] >> wait) & 1:
            s.hand[player, wait] += 1
            fixed = fixed and not in_some_sequence(s, player, kind, c)
            s.hand[player, wait] -= 1
    s.hand[player, kind] += 1
    return fixed


@kernel
def in_some_sequence(s: Any, player: int, kind: int, c: Context) -> bool:
    """Whether some reading of a complete hand uses `kind` in a sequence."""
    found = False
    rank = kind % RANKS
    if kind < EAST:
        for start in range(max(0, rank - 2), min(rank, RANKS - 3) + 1):
            found = found or complete_without_sequence(s, player, kind - rank + start, c)
    return found


@kernel
def complete_without_sequence(s: Any, player: int, first: int, c: Context) -> bool:
    """Whether a complete hand holds the sequence at `first` and is complete with it set aside."""
    if s.hand[player, first] == 0 or s.hand[player, first + 1] == 0 or s.hand[player, first + 2] == 0:
        return False
    for kind in range(first, first + 3):
        s.hand[player, kind] -= 1
    complete = is_complete(s.hand[player], int(s.melds[player]) + 1, c.tables)
    for kind in range(first, first + 3):
        s.hand[player, kind] += 1
    return complete


@kernel
def count_terminals(s: Any, player: int) -> int:
    """How many kinds of terminals and honours a concealed hand holds."""
    count = 0
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0 and (kind >= EAST or kind % RANKS == 0 or kind % RANKS == RANKS - 1):
            count += 1
    return count


@kernel
def ask_discard_reactions(s: Any, ron_only: bool, c: Context) -> None:
    """Ask the other players who can react to the actor's discard."""
    s.asked = 0
    kind = kind_of(int(s.tile))
    for i in range(1, PLAYERS):
        player = (int(s.actor) + i) % PLAYERS
        s.legal[player, 0] = 0
        s.legal[player, 1] = 0
        if may_ron(s, player, kind, c):
            allow(s, player, act.RON)
        if not ron_only and s.left > 0 and not s.riichi[player]:
            allow_calls(s, player, kind, i == 1, c)
        ask_if_able(s, player)


@kernel
def ask_if_able(s: Any, player: int) -> None:
    """Ask a player who has a choice; passing is always possible."""
    if s.legal[player, 0] != 0 or s.legal[player, 1] != 0:
        allow(s, player, act.PASS)
        s.asked |= 1 << player


@kernel
def allow_calls(s: Any, player: int, kind: int, is_next: bool, c: Context) -> None:
    """Allow the pons, kan and chis a player can make of the discarded kind."""
    held = int(s.hand[player, kind])
    if held >= 2:
        allow_pons(s, player, kind, c)
        if held == 3 and may_kan(s):
            allow(s, player, act.OPEN_KAN)
    if is_next and kind < EAST:
        rank = kind % RANKS
        if rank <= 6:
            allow_chi(s, player, kind, 0, kind + 1, kind + 2, c)
        if 1 <= rank <= 7:
            allow_chi(s, player, kind, 1, kind - 1, kind + 1, c)
        if rank >= 2:
            allow_chi(s, player, kind, 2, kind - 2, kind - 1, c)


@kernel
def allow_pons(s: Any, player: int, kind: int, c: Context) -> None:
    """Allow a pon without and with the red five, unless only banned tiles would be left to discard."""
    if not can_discard_after(s, player, kind, kind, swap_ban(kind, -1, c)):
        return
    if plain_count(s, player, kind) >= 2:
        allow(s, player, act.PON)
    if holds_red(s, player, kind):
        allow(s, player, act.PON_RED)


@kernel
def allow_chi(s: Any, player: int, kind: int, place: int, a: int, b: int, c: Context) -> None:
    """Allow a chi with hand tiles of kinds `a` and `b`; `place` is where the called tile stands in the sequence."""
    if s.hand[player, a] == 0 or s.hand[player, b] == 0:
        return
    if not can_discard_after(s, player, a, b, chi_ban(kind, place, c)):
        return
    red_a, red_b = holds_red(s, player, a), holds_red(s, player, b)
    if plain_count(s, player, a) > 0 and plain_count(s, player, b) > 0:
        allow(s, player, act.CHI + place)
    if red_a or red_b:
        allow(s, player, act.CHI_RED + place)


@kernel
def swap_ban(kind: int, other_end: int, c: Context) -> int:
    """Bit set of kinds that may not be discarded after calling `kind`."""
    if not c.rules.swap_ban:
        return 0
    mask = 1 << kind
    if other_end >= 0:
        mask |= 1 << other_end
    return mask


@kernel
def chi_ban(kind: int, place: int, c: Context) -> int:
    """Bit set of kinds banned after a chi: the called kind, and the one at the other end of its sequence."""
    rank = kind % RANKS
    if place == 0 and rank + 3 < RANKS:
        return swap_ban(kind, kind + 3, c)
    if place == 2 and rank >= 3:
        return swap_ban(kind, kind - 3, c)
    return swap_ban(kind, -1, c)


@kernel
def can_discard_after(s: Any, player: int, a: int, b: int, banned: int) -> bool:
    """Whether a hand that gives tiles of kinds `a` and `b` to a meld keeps a tile that may be discarded."""
    if banned == 0 or s.melds[player] < MELDS - 2:
        return True
    s.hand[player, a] -= 1
    s.hand[player, b] -= 1
    free = False
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0 and (banned >> kind) & 1 == 0:
            free = True
    s.hand[player, a] += 1
    s.hand[player, b] += 1
    return free


@kernel
def ask_kan_reactions(s: Any, c: Context) -> None:
    """Ask the other players who can rob the actor's kan: an added one, or a concealed one with thirteen orphans."""
    s.asked = 0
    kind = kind_of(int(s.tile))
    concealed = s.kan_type == CONCEALED_KAN
    for i in range(1, PLAYERS):
        player = (int(s.actor) + i) % PLAYERS
        s.legal[player, 0] = 0
        s.legal[player, 1] = 0
        if concealed and (not c.rules.rob_concealed_kan or not waits_for_orphans(s, player)):
            continue
        if may_ron(s, player, kind, c):
            allow(s, player, act.RON)
        ask_if_able(s, player)


@kernel
def waits_for_orphans(s: Any, player: int) -> bool:
    """Whether a tenpai hand waits for thirteen orphans: 13 concealed tiles, all of them terminals or honours."""
    tiles = 0
    for kind in range(NUM_KINDS):
        if kind >= EAST or kind % RANKS == 0 or kind % RANKS == RANKS - 1:
            tiles += min(int(s.hand[player, kind]), 2)
    return tiles == 13 and count_terminals(s, player) >= 12
