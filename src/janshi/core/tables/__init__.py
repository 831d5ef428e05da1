"""The shanten tables: built by `scripts/build_tables.py`, read once on first use.

A *class* is a number below 180 that encodes what a suit, or several suits joined, still needs: the tiles missing
for m sets, and for m sets with a pair (m = 0..4). Joining two classes gives a class again.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from janshi.core.dtypes import record_dtype

FILE: Final = "shanten.npz"
CLASSES: Final = 180
ROW_BITS: Final = 8
"""`joined` is a square of rows of 256: the class of a and b together is `joined[a << 8 | b]`."""
SETS_BITS: Final = 3
"""`missing` has rows of 8: tiles missing for n sets and a pair are `missing[class << 3 | n]`."""


class TableError(RuntimeError):
    """The shipped tables are missing or damaged."""


TABLES_DTYPE: Final = record_dtype(
    [
        ("high", np.uint32, 1 << 12),  # where the suits with these counts of ranks 6..9 begin
        ("low", np.uint16, 1 << 15),  # which of them has these counts of ranks 1..5
        ("suit", np.uint8, 405_350),  # class of a suit with sequences
        ("honour", np.uint8, 43_130),  # class of the honours, numbered the same way
        ("joined", np.uint8, CLASSES << ROW_BITS),  # class of two classes together
        ("missing", np.uint8, CLASSES << SETS_BITS),  # tiles missing for n sets and a pair
    ]
)

ShantenTables: TypeAlias = np.record
"""What the shanten kernels read as their argument `t`: one record of TABLES_DTYPE.

A record reaches a kernel as one pointer. A tuple of six arrays, forty machine words at every call, made the small
kernels two to four times slower.
"""


def read_checked(content: bytes, checksum: str) -> npt.NDArray[Any]:
    """Read tables from the bytes of the file, after comparing its SHA-256: an array of one record."""
    found = hashlib.sha256(content).hexdigest()
    expected = checksum.split()[0] if checksum.split() else "(none)"
    if found != expected:
        raise TableError(
            f"{FILE} is damaged: its SHA-256 is {found}, expected {expected}; "
            "reinstall janshi or run scripts/build_tables.py"
        )
    with np.load(io.BytesIO(content)) as arrays:
        tables = np.zeros(1, TABLES_DTYPE)
        for name in TABLES_DTYPE.names or ():
            tables[name][0] = arrays[name]
    return tables


def load_tables() -> ShantenTables:
    """The tables, read and checked at the first call."""
    return cast(ShantenTables, tables_array()[0])


@cache
def tables_array() -> npt.NDArray[Any]:
    """The tables as an array of one record, which Numba passes to a kernel faster than the record itself."""
    folder = resources.files(__name__)
    try:
        content = (folder / FILE).read_bytes()
        checksum = (folder / f"{FILE}.sha256").read_text()
    except FileNotFoundError as missing:
        raise TableError(f"{missing.filename} is missing; run scripts/build_tables.py") from missing
    return read_checked(content, checksum)
