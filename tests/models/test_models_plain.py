"""The models' kernels as plain Python, which checks every index, say what the compiled ones say."""

from __future__ import annotations

import os
import subprocess
import sys

import mixed_play
import numpy as np

from janshi.models.final_rank import predict
from janshi.models.labels import payments, plain_views
from janshi.models.opponents import OpponentModels

CODE = """
import sys
import numpy as np
from janshi.models.final_rank import predict
from janshi.models.labels import payments, plain_views
from janshi.models.opponents import OpponentModels
from janshi.rules.riichi.view import ORACLE_DTYPE

folder = sys.argv[1]
hidden = np.fromfile(f"{folder}/hidden", ORACLE_DTYPE)
said = OpponentModels.load().predict(plain_views(hidden))
ranks = predict([[31000, 27000, 24000, 18000]], 6, 1, 1)
np.savez(f"{folder}/said.npz", *said, payments(hidden, 3), ranks)
"""


def test_plain_python_says_the_same(tmp_path):
    hidden = mixed_play.positions()[:12]
    hidden.tofile(tmp_path / "hidden")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "said.npz") as stored:
        plain = [stored[name] for name in stored.files]
    said = [*OpponentModels.load().predict(plain_views(hidden)), payments(hidden, 3)]
    for one, other in zip(plain, [*said, predict([[31000, 27000, 24000, 18000]], 6, 1, 1)]):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-6)
    assert (said[3] > 0).any()
