"""Our own random generator: the same walls from the same seed on every platform, forever.

SplitMix64 (Steele, Lea & Flood 2014): a 64-bit counter advanced by the golden gamma and mixed. A stream is keyed
by hashing integers one after the other into its starting counter. Bounded numbers use Lemire's multiply-shift with
rejection, so that they are exactly uniform; a wall is a Fisher-Yates shuffle from the last tile down.
"""

from __future__ import annotations

import numpy as np

from janshi.core._jit import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """SplitMix64's output function: a bijection of 64-bit words that looks random."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@kernel
def key(seed: int | np.uint64, first: int, second: int) -> np.uint64:
    """Hash a seed and two numbers (round, honba) into the start of a stream."""
    state = mix(np.uint64(seed) + GAMMA)
    state = mix(state ^ (np.uint64(first) + GAMMA))
    return mix(state ^ (np.uint64(second) + GAMMA + GAMMA))


@kernel
def draw_word(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Advance a stream: (new state, random 64-bit word)."""
    state = np.uint64(state + GAMMA)
    return state, mix(state)


@kernel
def draw_below(state: np.uint64, bound: int) -> tuple[np.uint64, int]:
    """Advance a stream: (new state, uniform integer in [0, bound)), for 0 < bound < 2**32."""
    n = np.uint64(bound)
    threshold = ((_LOW32 + np.uint64(1)) - n) % n
    while True:
        state, word = draw_word(state)
        product = (word >> _S32) * n
        if (product & _LOW32) >= threshold:
            return state, int(product >> _S32)


@kernel
def shuffle(tiles: np.ndarray, state: np.uint64) -> np.uint64:
    """Shuffle an array in place (Fisher-Yates, last element first); returns the stream's new state."""
    for i in range(len(tiles) - 1, 0, -1):
        state, j = draw_below(state, i + 1)
        kept = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = kept
    return state
