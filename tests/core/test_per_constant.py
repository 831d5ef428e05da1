"""Kernels under `per_constant` are compiled for each constant that they are called with; others once."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import types

from janshi.core import ukeire
from janshi.core._jit import TESTED, kernel, per_constant
from janshi.core.tables import load_tables
from janshi.rules.riichi import win

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT) or numba.version_info.short not in TESTED,
    reason="kernels have one form: no compiler, or an untested release of Numba",
)


@kernel
def scaled(x: int, factor: int) -> int:
    """A product."""
    return x * factor


@per_constant
@kernel
def unrolled(x: int, times: int) -> int:
    """A power of two times x."""
    for _ in range(times):
        x += x
    return x


def both(x: int) -> int:
    """Calls each with two constants, and one with an unknown number."""
    return scaled(x, 3) + scaled(x, 5) + unrolled(x, 3) + unrolled(x, 5) + unrolled(x, x)


def constants(function, place: int) -> set[int | None]:
    """The constants of an argument that a kernel's inner form was compiled for; None is any value."""
    found = (signature[place] for signature in function.inner.overloads)
    return {one.literal_value if isinstance(one, types.Literal) else None for one in found}


def test_only_kernels_that_say_so_are_compiled_for_constants():
    assert numba.njit(both)(2) == 6 + 10 + 16 + 64 + 8  # not a kernel: code from the cache needs no inner forms
    assert constants(scaled, 1) == {None}
    assert constants(unrolled, 1) == {None, 3, 5}


def test_the_suits_of_useful_tiles_are_constants():
    t = load_tables()
    compiled = numba.njit(ukeire.useful_standard.py_func)
    assert compiled(0o111, 0, 0, 0, 1, 0, t) == ukeire.useful_standard(0o111, 0, 0, 0, 1, 0, t)
    assert constants(ukeire._useful_in_suit, 0) >= {0, 1, 2, 3}


def test_the_copies_of_kinds_are_constants():
    inner = win.kinds_with

    @numba.njit
    def pairs(hand):
        return inner(hand, 2)

    hand = np.zeros(34, np.uint8)
    hand[5] = 2
    assert pairs(hand) == 1 << 5
    assert 2 in constants(win.kinds_with, 1)
