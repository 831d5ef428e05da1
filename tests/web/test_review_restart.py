"""A server that is killed while it reviews: nothing stays behind, and the next one continues where it stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from reviewing import finished, sample, upload, wait_for_decisions, workers_of

from patience import PATIENCE, wait_until


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_a_killed_server_leaves_nothing_and_the_next_goes_on(start_server: Callable[..., Any], shared: Path):
    server = start_server("--no-warm")
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "tenhou6"), agent="mdp:seconds=0.05", seat="1").json()
        place = f"/api/reviews/{made['id']}"
        wait_for_decisions(client, made["id"], 10)
        before = client.get(f"{place}/decisions?first=0&count=10").json()["decisions"]
        (worker,) = workers_of(server.process.pid)
    server.kill()
    wait_until(lambda: worker not in workers_of(), "the worker ends with its server")
    server.start()
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        told = finished(client, made["id"])
        assert told["state"] == "done"
        assert [row["number"] for row in told["rows"]] == list(range(made["total"]))
        assert client.get(f"{place}/decisions?first=0&count=10").json()["decisions"] == before
    wait_until(lambda: not workers_of(server.process.pid), "the worker ends with its review")
