"""Counting all tiles of a table, and shuffling what a player cannot see, to prove that nothing is lost or revealed."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.simplified.state import CALLED_FLAG, CHI_MELD, GAME_OVER, NONE, PLAYERS
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, code_of


@kernel
def count_tiles(states: Any, out: Any) -> None:
    """Count the tiles of each kind in walls, hands, melds and rivers (less what was called), int[n, 14]."""
    for i in range(len(states)):
        s = states[i]
        out[i] = 0
        for place in range(int(s.left)):
            out[i, int(s.wall[place])] += 1
        for player in range(PLAYERS):
            for kind in range(NUM_KINDS):
                out[i, kind] += s.hand[player, kind]
        count_shown(s, out[i])


@kernel
def count_shown(s: Any, out: Any) -> None:
    """Add the tiles that everybody sees."""
    for player in range(PLAYERS):
        for i in range(int(s.melds[player])):
            for step in range(COPIES):
                chi = s.meld_type[player, i] == CHI_MELD
                out[int(s.meld_kind[player, i]) + (step if chi else 0)] += 1
        for at in range(int(s.discards[player])):
            if s.river_flags[player, at] & CALLED_FLAG == 0:
                out[int(s.river[player, at])] += 1


def faults(states: Any, sets: int) -> list[str]:
    """Problems with tables in play, as text: every remembered fact is counted again."""
    found = []
    counted = np.zeros((len(states), NUM_KINDS), np.int64)
    count_tiles(states, counted)
    for i, s in enumerate(states):
        seen = np.zeros(NUM_KINDS, np.int64)
        count_shown(s, seen)
        if (counted[i] != COPIES).any():
            found.append(f"table {i}: {counted[i].tolist()} tiles of each kind")
        if (seen != s["seen"]).any():
            found.append(f"table {i}: seen is {s['seen'].tolist()}, not {seen.tolist()}")
        if s["scores"].sum() != 0:
            found.append(f"table {i}: scores {s['scores'].tolist()} do not sum to zero")
        found += [f"table {i}: {what}" for player in range(PLAYERS) for what in hand_faults(s, player, sets)]
    return found


def hand_faults(s: Any, player: int, sets: int) -> list[str]:
    """What is wrong with one player's hand."""
    found = []
    hand = s["hand"][player]
    if code_of(hand.tolist()) != s["code"][player]:
        found.append(f"player {player}'s code does not match the hand {hand.tolist()}")
    holding = hand.sum() + 3 * s["melds"][player]
    self_drawn = s["phase"] != GAME_OVER or s["payer"] == NONE
    extra = player == s["actor"] and s["tile"] == NONE and self_drawn
    if holding != 3 * sets + 1 + extra:
        found.append(f"player {player} holds {holding} tiles")
    return found


def shuffle_hidden(s: Any, player: int, seed: int) -> None:
    """Exchange at random the tiles of the wall and the other players' hands, in place."""
    others = [p for p in range(PLAYERS) if p != player]
    left = int(s["left"])
    sizes = [int(s["hand"][p].sum()) for p in others]
    pool = s["wall"][:left].tolist()
    for p in others:
        pool += np.repeat(np.arange(NUM_KINDS), s["hand"][p]).tolist()
    np.random.default_rng(seed).shuffle(pool)
    s["wall"][:left] = pool[:left]
    at = left
    for p, size in zip(others, sizes):
        counts = np.bincount(pool[at : at + size], minlength=NUM_KINDS)
        s["hand"][p] = counts
        s["code"][p] = code_of(counts.tolist())
        at += size
