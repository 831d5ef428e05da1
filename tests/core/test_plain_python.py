"""The kernels again without the compiler, and with its bounds checks: same answers, no read outside an array."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

PROGRAM = """
import numpy as np
import slow_reference as slow
from janshi.core.decompose import decompose, is_seven_pairs, is_thirteen_orphans, new_decompositions
from janshi.core.shanten import is_complete, pack, shanten, shanten_batch, shanten_orphans, shanten_pairs
from janshi.core.tables import load_tables
from janshi.core.ukeire import ukeire, ukeire_discards
from janshi.core.waits import waits_mask

np.seterr(all="raise")
t, rng = load_tables(), np.random.default_rng(1)
ways, keys = new_decompositions(), np.zeros(4, np.uint32)
useful, after, left = np.zeros(34, np.uint8), np.zeros(34, np.int8), np.zeros(34, np.int16)
for melds in range(5):
    random = [slow.random_hands(rng, 6, 14 - 3 * melds, kinds) for kinds in (None, list(range(9)), slow.ORPHANS)]
    hands = np.concatenate([*random, slow.near_hands(rng, 12, melds, 0), slow.near_hands(rng, 12, melds, 1, 9)])
    out = np.zeros(len(hands), np.int8)
    shanten_batch(hands, np.full(len(hands), melds, np.uint8), t, out)
    for counts, fewer, batched in zip(hands, slow.drop_one(rng, hands), out):
        pack(counts, keys)
        found = decompose(counts, *ways)
        best = ukeire_discards(counts, melds, counts, t, after, left)
        print(
            int(shanten(counts, melds, t)), int(batched), keys.tolist(), bool(is_complete(counts, melds, t)),
            found, [rows[:found].tolist() for rows in ways], int(best), after.tolist(), left.tolist(),
            int(waits_mask(fewer, melds, t)), int(ukeire(fewer, melds, t, useful)), useful.tolist(),
            int(shanten_pairs(counts)), int(shanten_orphans(counts)),
            bool(is_seven_pairs(counts)), bool(is_thirteen_orphans(counts)),
        )
"""


def answers(**settings: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), **settings}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected() -> str:
    return answers(NUMBA_DISABLE_JIT="1")


def test_compiled_with_bounds_checks_equals_plain_python(expected: str) -> None:
    assert len(expected.splitlines()) > 150
    assert answers(NUMBA_BOUNDSCHECK="1") == expected
