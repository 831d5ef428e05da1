"""Who may use the app: hosts, origins, tokens, sizes; and the headers of every response."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from janshi.cli import app
from janshi.core.files import data_folder
from janshi.web.security import Guard
from janshi.web.settings import Settings, SettingsError, is_loopback, make_settings
from janshi.web.store import StoreError, open_database
from patience import PATIENCE

TOKEN = "a-token-of-ours"
GAME = {"rules": "riichi/tenhou_east", "seats": ["you", "greedy", "greedy", "greedy"]}


@pytest.fixture(scope="module")
def guarded(start_server: Callable[..., Any]) -> Any:
    return start_server("--no-warm", "--token", TOKEN)


# --- hosts and origins


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[", "127.0.0.1.nip.io"]
)
def test_other_names_for_this_machine_are_refused(client: httpx.Client, host: str):
    answer = client.get("/api/status", headers={"Host": host})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "localhost:8642", "127.0.0.1", "[::1]:8642", "192.168.1.20:8642"])
def test_own_names_and_numbers_are_let_in(client: httpx.Client, host: str):
    assert client.get("/api/status", headers={"Host": host}).status_code == 200


def test_names_that_were_given_are_let_in():
    guard = Guard(lambda *_: None, Settings(Path(), names=("Mahjong.lan",)))  # type: ignore[arg-type,return-value]
    assert guard.knows("mahjong.lan:8642")
    assert guard.knows(socket.gethostname())
    assert not guard.knows("other.lan")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://", "http://[", "file://"]
)
def test_other_sites_may_not_write(client: httpx.Client, origin: str):
    answer = client.post("/api/live", json=GAME, headers={"Origin": origin})
    assert answer.status_code == 403
    assert "another site" in answer.json()["error"]["message"]


def test_cross_site_requests_without_an_origin_may_not_write(client: httpx.Client):
    assert client.post("/api/live", json=GAME, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_our_page_and_programs_may_write(server: Any, client: httpx.Client):
    assert client.post("/api/live", json=GAME, headers={"Origin": server.url}).status_code == 201
    assert client.post("/api/live", json=GAME).status_code == 201


def test_other_sites_may_not_open_sockets(server: Any, client: httpx.Client):
    game = client.post("/api/live", json=GAME).json()
    place = f"ws://127.0.0.1:{server.port}/api/live/{game['id']}/socket?key={game['key']}"
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
        with pytest.raises((InvalidStatus, ConnectionClosed)), connect(place, additional_headers=headers) as open_:
            open_.recv(5)
    with connect(place, additional_headers={"Origin": server.url}) as open_:
        heard = (json.loads(open_.recv(600)) for _ in range(1000))
        assert next(message["type"] for message in heard if message["type"] != "waiting") == "state"


# --- the token


def test_everything_needs_the_token(guarded: Any):
    with httpx.Client(base_url=guarded.url, timeout=PATIENCE) as client:
        for path in ("/", "/api/status", "/api/openapi.json", "/js/main.js", "/api/live/x"):
            assert client.get(path).status_code == 401
        assert client.post("/api/live", json=GAME).status_code == 401
        assert client.get("/api/status?token=wrong").status_code == 401
        assert client.get("/api/status", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/api/status", headers={"Cookie": "janshi_token=wrong"}).status_code == 401
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(f"ws://127.0.0.1:{guarded.port}/api/live/x/socket") as s,
    ):
        s.recv(5)


def test_browsers_are_asked_in_a_form(guarded: Any):
    answer = httpx.get(f"{guarded.url}/", headers={"Accept": "text/html"}, timeout=PATIENCE)
    assert answer.status_code == 401
    assert 'name="token"' in answer.text
    answer = httpx.get(f'{guarded.url}/"><script>', headers={"Accept": "text/html"}, timeout=PATIENCE)
    assert "<script>" not in answer.text


def test_the_token_becomes_a_cookie_and_leaves_the_address(guarded: Any):
    with httpx.Client(base_url=guarded.url, timeout=PATIENCE) as client:
        answer = client.get(f"/api/status?token={TOKEN}&x=1")
        assert (answer.status_code, answer.headers["location"]) == (303, "/api/status?x=1")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert TOKEN not in cookie
        assert client.get("/api/status").status_code == 200
        assert client.post("/api/live", json=GAME).status_code == 201
    with httpx.Client(timeout=PATIENCE) as client:
        elsewhere = client.get(f"{guarded.url}//evil.example/?token={TOKEN}")
        assert elsewhere.status_code == 303
        assert not elsewhere.headers.get("location", "/").startswith("//")


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example/", "////evil.example/", "/%5Cevil.example/"])
def test_the_way_on_without_the_token_never_leads_elsewhere(guarded: Any, path: str):
    host, port = guarded.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as plain:
        plain.sendall(f"GET {path}?token={TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = plain.makefile("rb").read().decode()
    assert answer.startswith("HTTP/1.1 303")
    assert "location: /evil.example/\r\n" in answer


def test_programs_send_the_token_in_a_header(guarded: Any):
    answer = httpx.get(f"{guarded.url}/api/status", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE)
    assert answer.status_code == 200


# --- sizes and headers


def test_long_bodies_are_refused(client: httpx.Client):
    answer = client.post("/api/live", content=b"x" * 100_000)
    assert answer.status_code == 413
    assert "too long" in answer.json()["error"]["message"]

    def pieces() -> Any:
        for _ in range(100):
            yield b"x" * 1024

    assert client.post("/api/live", content=pieces()).status_code == 413


def test_long_messages_close_the_socket(server: Any, client: httpx.Client):
    game = client.post("/api/live", json=GAME).json()
    with connect(f"ws://127.0.0.1:{server.port}/api/live/{game['id']}/socket?key={game['key']}") as open_:
        open_.recv(10)
        open_.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            list(open_)


@pytest.mark.parametrize("path", ["/", "/api/status", "/nowhere", "/api/nowhere"])
def test_headers_on_every_answer(client: httpx.Client, path: str):
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    ["/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/js/..%2f..%2fstore.py", "/%2fetc/passwd", "/\\..\\app.py"],
)
def test_no_file_outside_the_page_is_served(server: Any, path: str):
    with socket.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert b" 404 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0]
    assert b"import" not in answer


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'{"seats": 1}', b"\xff\xfe", b'{"seed": 1e999}'])
def test_nonsense_is_answered_in_words(client: httpx.Client, body: bytes):
    answer = client.post("/api/live", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


def test_methods_that_are_not_there(client: httpx.Client):
    answer = client.put("/api/live", json={})
    assert answer.status_code in (404, 405)
    assert answer.json()["error"]["message"]


# --- settings


def test_other_hosts_get_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("JANSHI_TOKEN", raising=False)
    assert make_settings(tmp_path).token is None
    made = make_settings(tmp_path, host="0.0.0.0").token
    assert made is not None
    assert len(made) >= 20
    assert make_settings(tmp_path, host="0.0.0.0").token != made
    monkeypatch.setenv("JANSHI_TOKEN", "from-the-environment")
    assert make_settings(tmp_path, host="192.168.0.1").token == "from-the-environment"


def test_loopback_and_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert [is_loopback(h) for h in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "10.0.0.1", "name")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    monkeypatch.setenv("JANSHI_DATA_DIR", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    assert make_settings().database.parent.is_dir()


def test_bad_settings_are_refused_in_words(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be used"):
        make_settings(tmp_path / "file" / "below")
    with pytest.raises(SettingsError, match="8 characters"):
        make_settings(tmp_path, token="short")
    (tmp_path / "games.sqlite").write_text("this is no database, only text")
    with pytest.raises(StoreError, match="cannot be opened"):
        open_database(tmp_path / "games.sqlite")
    result = CliRunner().invoke(app, ["web", "--data", str(tmp_path), "--token", "short"])
    assert result.exit_code == 2
    assert "8 characters" in result.output


def test_a_taken_port_is_reported(server: Any, tmp_path: Path):
    result = CliRunner().invoke(app, ["web", "--data", str(tmp_path), "--port", str(server.port)])
    assert result.exit_code == 2
    assert "cannot listen" in result.output


def test_two_servers_do_not_share_their_data(server: Any):
    result = CliRunner().invoke(app, ["web", "--data", str(server.data), "--port", "0"])
    assert result.exit_code == 2
    assert f"is already running at {server.url}/" in result.output
