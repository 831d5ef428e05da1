"""The kernels again without the compiler, and with its bounds checks: same answers, no read outside an array."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

pytest.importorskip("MahjongGB")  # the random hands stand beside its cross-check

PROGRAM = """
import random
import numpy as np
import test_distance as distance
import test_guobiao_fans as fans
from janshi.core.tables import load_tables
from janshi.rules.guobiao.distance import shapes_batch
from janshi.rules.guobiao.reach import reaches

np.seterr(all="raise")
rng, t = random.Random(11), load_tables()
for out in fans.evaluated([fans.random_case(rng) for _ in range(300)]):
    print([out[name].tolist() for name in out.dtype.names])
hands, melds = distance.random_hands(rng, 80)
shanten, useful = np.zeros((80, 5), np.int8), np.zeros((80, 5), np.uint64)
shapes_batch(hands, melds, t, shanten, useful)
print(shanten.tolist(), useful.tolist())
for _ in range(4):
    win, left = distance.random_position(rng)
    print(reaches(win, left, 1, t))
"""


def answers(**settings: str) -> str:
    here = Path(__file__).resolve().parent
    path = os.pathsep.join(map(str, (here, here.parents[1], here.parents[1] / "crosscheck")))
    environment = {**os.environ, "PYTHONPATH": path, **settings}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_compiled_with_bounds_checks_equals_plain_python() -> None:
    expected = answers(NUMBA_DISABLE_JIT="1")
    assert len(expected.splitlines()) == 305
    assert answers(NUMBA_BOUNDSCHECK="1") == expected
