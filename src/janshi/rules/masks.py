"""Legal actions, which the states of all rule sets keep as bits: expanding them into masks, and checking answers.

States keep the legal actions of each player in words of `LEGAL_BITS` actions, so that no sign bit is touched.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel

LEGAL_BITS: Final = 60
"""Actions in a word."""


@kernel
def find_illegal(asked: Any, legal: Any, first: Any, actions: Any, num_actions: int) -> int:
    """Index of the first decision whose action is not legal, or -1; `legal` is int64[n, players, words]."""
    for i in range(len(asked)):
        at, bits, player = int(first[i]), int(asked[i]), 0
        while bits:
            if bits & 1:
                action = int(actions[at])
                if not 0 <= action < num_actions:
                    return at
                word = action // LEGAL_BITS
                if (legal[i, player, word] >> (action - LEGAL_BITS * word)) & 1 == 0:
                    return at
                at += 1
            bits >>= 1
            player += 1
    return -1


@kernel
def write_masks(asked: Any, legal: Any, tables: Any, players: Any, out: Any) -> None:
    """Write the legal actions of each (table, player) as bool[m, actions]: none where the player is not asked."""
    for i in range(len(tables)):
        table, player = int(tables[i]), int(players[i])
        is_asked = (int(asked[table]) >> player) & 1
        for word in range(legal.shape[2]):
            bits = legal[table, player, word] * is_asked
            at = LEGAL_BITS * word
            if at + LEGAL_BITS <= out.shape[1]:  # a loop of known length is faster
                for place in range(LEGAL_BITS):
                    out[i, at + place] = (bits >> place) & 1
            else:
                for place in range(out.shape[1] - at):
                    out[i, at + place] = (bits >> place) & 1
