"""A server that is killed while it reviews: nothing stays behind, and the next one goes on where it was."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from reviewing import finished, sample, upload, workers_of


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_a_killed_server_leaves_nothing_and_the_next_goes_on(start_server: Callable[..., Any], shared: Path):
    server = start_server("--no-warm")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        made = upload(client, sample(shared, "tenhou6"), agent="mdp:seconds=0.05", seat="all").json()
        place = f"/api/reviews/{made['id']}"
        end = time.monotonic() + 60
        while client.get(place).json()["done"] < 10:
            assert time.monotonic() < end
            time.sleep(0.1)
        before = client.get(f"{place}/decisions?first=0&count=10").json()["decisions"]
        (worker,) = workers_of(server.process.pid)
    server.kill()
    end = time.monotonic() + 10
    while worker in workers_of():
        assert time.monotonic() < end, "the worker lives on without its server"
        time.sleep(0.1)
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        told = finished(client, made["id"])
        assert told["state"] == "done"
        assert [row["number"] for row in told["rows"]] == list(range(made["total"]))
        assert client.get(f"{place}/decisions?first=0&count=10").json()["decisions"] == before
    assert not workers_of(server.process.pid)
