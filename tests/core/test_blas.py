"""Policies use one BLAS thread, unless the user has chosen a number; nothing else is changed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from janshi.core.blas import CHOSEN

SCRIPT = """
import numpy as np
from threadpoolctl import threadpool_info
from janshi.agents.learned.network import PolicyNetwork

def threads():
    return [found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"]

class Spy:
    num_actions = 3
    encoder = property(lambda self: self)
    _ask = lambda self, record: print("inside", *threads()) or np.zeros(3)

print("before", *threads())
PolicyNetwork.logits(Spy(), np.zeros((1, 4), np.uint8))
print("after", *threads())
"""


def threads_seen(**environment: str) -> dict[str, list[int]]:
    """Number of threads before, in and after a policy's answer, in a process of its own."""
    clean = {name: value for name, value in os.environ.items() if name not in CHOSEN}
    out = subprocess.run(
        [sys.executable, "-c", SCRIPT], env={**clean, **environment}, capture_output=True, text=True, check=True
    ).stdout
    return {line.split()[0]: list(map(int, line.split()[1:])) for line in out.splitlines()}


def test_a_policy_answers_with_one_thread_and_leaves_the_rest_alone():
    seen = threads_seen()
    assert set(seen["inside"]) == {1}
    assert seen["after"] == seen["before"]


def test_a_number_that_the_user_chose_is_kept():
    seen = threads_seen(OPENBLAS_NUM_THREADS="2", OMP_NUM_THREADS="2")
    assert seen["inside"] == seen["before"]


def test_the_number_is_set_back_when_the_last_network_has_finished(monkeypatch: pytest.MonkeyPatch):
    from janshi.core import blas

    events: list[str] = []

    class Library:
        def limit(self, limits: int) -> Library:
            events.append(f"limit {limits}")
            return self

        def restore_original_limits(self) -> None:
            events.append("restore")

    monkeypatch.setattr(blas, "_libraries", Library)
    one, inside, leave = blas._OneThread(), threading.Event(), threading.Event()

    def work() -> None:
        with one:
            inside.set()
            leave.wait()

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    with one:
        leave.set()
        thread.join()
        assert events == ["limit 1"]
    assert events == ["limit 1", "restore"]
