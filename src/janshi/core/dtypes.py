"""Structured dtypes that kernels and Python read the same way: `array[i].field`."""

from __future__ import annotations

from typing import Any

import numpy as np


def record_dtype(fields: list[Any]) -> np.dtype[Any]:
    """An aligned structured dtype whose elements are records with attributes.

    Gaps left by alignment become fields (`gap0`, ...), so that copies are equal byte by byte: NumPy does
    not copy bytes that no field covers.

    Always make arrays from this same dtype object: Numba recognises a known dtype by identity in a quarter of a
    microsecond, but compares the fields of any other, at several microseconds a call.
    """
    aligned = np.dtype(fields, align=True)
    covered: list[Any] = []
    at = 0
    for field in fields:
        dtype, offset = (aligned.fields or {})[field[0]][:2]
        if offset > at:
            covered.append((f"gap{at}", np.int8, (offset - at,)))
        covered.append(field)
        at = offset + dtype.itemsize
    if aligned.itemsize > at:
        covered.append((f"gap{at}", np.int8, (aligned.itemsize - at,)))
    return np.dtype((np.record, np.dtype(covered, align=True)))
