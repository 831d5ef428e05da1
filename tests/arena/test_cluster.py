"""The same match on a local Ray cluster of several workers, one of them killed in mid-match."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from patience import wait_until

ray = pytest.importorskip("ray")
PLAN = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=2000, seed=5)


@pytest.fixture
def _cluster():
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def worker_pids() -> list[int]:
    """Processes of Ray's actors that play."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    title = file.read().decode(errors="replace")
            except OSError:
                continue
            if title.startswith("ray::Worker.play"):
                found.append(int(name))
    return found


@pytest.mark.usefixtures("_cluster")
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc to find the worker to kill")
def test_a_cluster_gives_the_same_games_though_a_worker_is_killed():
    killed: list[int] = []

    def kill_one() -> None:
        killed.append(wait_until(worker_pids, "a worker plays", every=0.01)[0])
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=kill_one)
    thread.start()
    results = run_match(PLAN, cluster="local", workers=3, options=Options(tables=4))
    thread.join()
    assert killed, "no worker was killed: the match was over too soon"
    assert results.same_games(run_match(PLAN))


def test_an_address_where_nothing_answers_is_reported_before_ray_tries(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ray, "init", lambda *_, **__: pytest.fail("Ray would try for minutes"))
    with pytest.raises(ConnectionError, match=r"no cluster answers at 127\.0\.0\.1:1"):
        run_match(PLAN, cluster="127.0.0.1:1")
