"""Uploads of all kinds to a running server: damaged records, broken forms, too much, cut off. It answers and lives.

What a record may hold is tested without a network in test_review_upload.py; here whole requests are damaged too.
"""

from __future__ import annotations

import gzip
import json
import random
import select
import socket
import time
from typing import TYPE_CHECKING

import httpx
import pytest

from janshi.records.formats import get_format
from janshi.records.recorder import Recorder
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table
from patience import PATIENCE

if TYPE_CHECKING:
    from conftest import Server

FORMATS = ("mjlog", "tenhou6", "mjai")
DAMAGED = 4
"""Damaged records of each format."""


@pytest.fixture(scope="module")
def records() -> dict[str, bytes]:
    """Two hands of a game in every format."""
    table, players = Table(5, TENHOU_EAST), [KernelPlayer("greedy", i) for i in range(4)]
    recorder = Recorder(table, ["ann", "bob", "cid", "dee"])
    while not table.over and not (table.hand_over and len(recorder.hands) == 2):
        recorder.step({player: players[player](table, player) for player in table.asked})
    record = recorder.record()
    record.rules.tenhou_type = 1
    record.dans, record.rates, record.sexes = (10,) * 4, (1500.0,) * 4, ("M",) * 4
    record.lobby, record.version = 0, "2.3"
    return {name: get_format(name).write(record).encode() for name in FORMATS}


def well(server: Server) -> None:
    """The server answers, and has said nothing of an error of its own."""
    assert httpx.get(f"{server.url}/api/rules", timeout=PATIENCE).status_code == 200
    assert "Traceback" not in server.said(), server.said()[-2000:]


def send(server: Server, content: bytes, name: str = "game") -> httpx.Response:
    """Upload a file; a review that begins is deleted at once."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        answer = client.post("/api/reviews", files={"file": (name, content)}, data={"agent": "careful"})
        if answer.status_code == 201:
            client.delete(f"/api/reviews/{answer.json()['id']}")
        return answer


def readable(answer: httpx.Response) -> None:
    """An answer that is a success, or says in words why not."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        message = answer.json()["error"]["message"]
        assert len(message) > 5
        assert "Traceback" not in message


def damage(content: bytes, dice: random.Random) -> bytes:
    """A record with parts of it changed, gone, doubled or exchanged."""
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(content))
        length = dice.randint(1, 80)
        content = dice.choice(
            [
                content[:at] + content[at + length :],
                content[: at + length] + content[at:],
                content[:at] + bytes([dice.randrange(256)]) + content[at + 1 :],
                content[:at] + dice.choice([b"-1", b"999999999999", b'"', b"<", b"[[[[", b"\x00"]) + content[at:],
            ]
        )
    return content


@pytest.mark.parametrize("format", FORMATS)
def test_damaged_records(server: Server, records: dict[str, bytes], format: str) -> None:
    dice = random.Random(format)
    for _ in range(DAMAGED):
        content = damage(records[format], dice)
        readable(send(server, gzip.compress(content) if dice.random() < 0.3 else content))
    well(server)


def test_whole_records_are_taken_and_names_are_only_names(server: Server, records: dict[str, bytes]) -> None:
    for format, name in zip(FORMATS, ["../../etc/passwd", "<script>alert(1)</script>.json", "x" * 500]):
        answer = send(server, records[format], name)
        assert answer.status_code == 201, answer.text
    assert not list(server.data.parent.parent.glob("etc"))
    well(server)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"no boundary at all"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data"),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n\r\n--x--"),
        ("multipart/form-data; boundary=", b"----"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
        ),
        ("application/x-www-form-urlencoded", b"text=%ff%fe&seat=9"),
        ("application/json", b'{"text": "x"}'),
        ("application/json", b"\xff" * 100),
        ("text/plain", b"hello"),
    ],
)
def test_broken_forms(server: Server, kind: str, body: bytes) -> None:
    answer = httpx.post(f"{server.url}/api/reviews", content=body, headers={"content-type": kind}, timeout=PATIENCE)
    assert 400 <= answer.status_code < 500, answer.text
    readable(answer)
    well(server)


def test_too_much_is_refused_before_it_is_kept(server: Server) -> None:
    answer = send(server, b"<mjloggm " + b"x" * (20 * 1024 * 1024))
    assert answer.status_code == 413
    well(server)


def test_a_body_that_never_ends_is_cut_off(server: Server) -> None:
    """Chunks without a length: refused after the bound, however many would come."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        head = f"POST /api/reviews HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n"
        line.sendall(head.encode() + b"Content-Type: multipart/form-data; boundary=x\r\n\r\n")
        part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        line.sendall(b"%x\r\n" % len(part) + part + b"\r\n")
        chunk = b"%x\r\n" % (1 << 16) + b"a" * (1 << 16) + b"\r\n"
        sent, bound = 0, 64 << 20
        while sent < bound and not select.select([line], [], [], 0)[0]:
            line.sendall(chunk)
            sent += 1 << 16
        assert sent < bound, "64 MB were taken without a word"
        assert b" 413 " in line.recv(1000).split(b"\r\n")[0]
    well(server)


def test_a_connection_that_dies_in_the_middle_leaves_nothing(server: Server) -> None:
    before = httpx.get(f"{server.url}/api/reviews", timeout=PATIENCE).json()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
            head = f"POST /api/reviews HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100000\r\n"
            line.sendall(head.encode() + b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n")
    time.sleep(0.2)
    assert httpx.get(f"{server.url}/api/reviews", timeout=PATIENCE).json() == before
    well(server)


@pytest.mark.parametrize("place", ["/api/tools/score", "/api/tools/efficiency", "/api/live"])
def test_json_of_all_kinds(server: Server, place: str) -> None:
    bodies = [b"", b"null", b"[]", b"{", b'"x"', b"1e999", b"[" * 5000, json.dumps({"tiles": "1" * 100_000}).encode()]
    for body in [*bodies, b'{"family": "riichi", "tiles": "\\ud800"}', b'{"family": "riichi", "tiles": 7}']:
        headers = {"content-type": "application/json"}
        answer = httpx.post(server.url + place, content=body, headers=headers, timeout=PATIENCE)
        assert 400 <= answer.status_code < 500, (body[:40], answer.text)
        readable(answer)
    well(server)
