"""Uploads: the answer to any content is readable, and no process stays behind."""

from __future__ import annotations

import gzip
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from reviewing import running_app, sample, upload, workers_of

from janshi.web.review import worker
from patience import wait_until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running_app(tmp_path_factory.mktemp("uploads")) as found:
        yield found


def damaged(text: str, seed: int) -> str:
    """A record with some of it changed."""
    dice, letters = random.Random(seed), list(text)
    for _ in range(20):
        at = dice.randrange(len(letters))
        letters[at] = dice.choice(['"', "<", "9", "-", "[", "", "\u2028", "999999999999"])
    return "".join(letters)


ENTITIES = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c SYSTEM "file:///etc/passwd">]>
<mjloggm ver="2.3"><GO type="169"/><UN n0="&b;&c;"/><INIT seed="0"/></mjloggm>"""

HOSTILE = {
    "huge": (b"x" * (3 * 1024 * 1024), 413),
    "bomb": (gzip.compress(b"<mjloggm " + b"0" * (64 * 1024 * 1024)), 413),
    "entities": (ENTITIES.encode(), 422),
    "deep": (b'{"title":["",""],"log":' + b"[" * 200_000, 422),
    "deep closed": (b'{"log":' + b"[" * 20_000 + b"]" * 20_000 + b"}", 422),
    "binary": (bytes(range(256)) * 100, 422),
    "empty": (b"", 422),
    "image": (b"\x89PNG\r\n\x1a\n" + os.urandom(2000), 422),
    "other json": (b'{"hello": [1, 2, 3]}', 422),
    "numbers": (b'{"title":["",""],"log":[[[1e999,-1,0],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]]}', 422),
    "mjai view": (b'{"type":"start_game","names":["?"]}\n{"type":"start_kyoku","tehais":[["?"]]}\n', 422),
    "botzone": (b"Match 1\nWind 0\nPlayer 0 Deal W1\n", 422),
    "botzone log": (b'[{"output":{"command":"request","content":{"0":"0 0 0"}}}]', 422),
    "many zeros": (b'{"log":[' + b"0," * 900_000 + b"0]}", 422),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_uploads_get_a_readable_refusal(client: TestClient, name: str):
    content, status = HOSTILE[name]
    answer = upload(client, content)
    assert answer.status_code == status, answer.text
    message = answer.json()["error"]["message"]
    assert 10 < len(message) < 400
    assert "Traceback" not in message
    wait_until(lambda: not workers_of(os.getpid()), "the worker ends")


def test_truncated_and_damaged_records_never_break_the_server(client: TestClient, shared: Path):
    texts = [sample(shared, format) for format in ("mjlog", "tenhou6", "botzone")]
    for seed, text in enumerate([texts[0][:1500], texts[1][: len(texts[1]) // 2], *map(damaged, texts, range(3))]):
        answer = upload(client, text, seat="0", agent="careful" if seed != 4 else "")
        assert answer.status_code in (201, 422), answer.text
        if answer.status_code == 422:
            assert answer.json()["error"]["message"].startswith(("this game cannot be reviewed", "this"))
        else:
            client.delete(f"/api/reviews/{answer.json()['id']}")


def test_wrong_fields_are_refused(client: TestClient, shared: Path):
    text = sample(shared, "tenhou6")
    assert upload(client, text, agent="os.system").status_code == 422
    assert upload(client, text, seat="7").status_code == 422
    assert upload(client, sample(shared, "botzone"), agent="search").status_code == 422
    assert client.post("/api/reviews").status_code == 422
    assert client.post("/api/reviews", data={"text": "hello"}).status_code == 422
    for path in (
        "/api/reviews/nothing-here",
        "/api/reviews/nothing-here/decisions/0",
        "/api/reviews/nothing-here/export",
    ):
        assert client.get(path).status_code == 404
    assert client.get("/api/reviews/..%2f..%2fetc").status_code in (404, 422)
    assert client.get("/api/reviews").json()["reviews"] == []


def test_a_worker_that_takes_too_much_time_is_ended(monkeypatch: pytest.MonkeyPatch):
    resource = pytest.importorskip("resource")
    set_limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: set_limits.append(limits))
    worker._limit_processor(worker.READ_CPU)
    worker._limit_processor(0)
    assert set_limits[0][0] <= time.process_time() + worker.READ_CPU + 1
    assert set_limits[1] == (worker.THINK_CPU, worker.THINK_CPU)
