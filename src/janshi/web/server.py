"""Serving the app: a socket, an address to open, and an end at Ctrl-C."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import uvicorn
from filelock import FileLock, Timeout

from janshi.web.app import make_app
from janshi.web.settings import Settings, SettingsError, is_loopback

WS_BYTES: Final = 16 * 1024
"""Maximum size of a browser's message."""
SWITCH: Final = 0.001
"""Seconds that another thread may keep the interpreter when the server has something to do."""
TRIES: Final = 20
"""Number of further ports tried if the default one is taken."""
LOCK: Final = "running"
"""A file in the data directory that the running server holds."""
ADDRESS: Final = "address"
"""A file next to it with the server's address."""
EVERYWHERE: Final = ("0.0.0.0", "::")


def listen(settings: Settings, exactly: bool) -> socket.socket:
    """A socket at the given address; the next free port if the default one is taken and none was requested."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    ports = [settings.port] if exactly or settings.port == 0 else range(settings.port, settings.port + TRIES)
    for port in ports:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((settings.host, port))
            sock.listen(2048)
        except OSError as error:
            sock.close()
            failure = error
            continue
        settings.port = sock.getsockname()[1]
        return sock
    raise SettingsError(f"cannot listen at {settings.host}, port {settings.port}: {failure.strerror or failure}")


def address(settings: Settings) -> str:
    """Where to open the app, with the token if there is one."""
    host = settings.host
    if host in EVERYWHERE:
        host = socket.gethostname()
    elif ":" in host:
        host = f"[{host}]"
    place = f"http://{host}:{settings.port}/"
    return f"{place}?token={settings.token}" if settings.token else place


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """Hold the data directory: two servers would play the same games twice."""
    where = settings.data / ADDRESS
    try:
        held = FileLock(settings.data / LOCK).acquire(blocking=False)
    except Timeout:
        found = f" at {where.read_text(encoding='utf-8')}" if where.exists() else ""
        raise SettingsError(f"Janshi is already running{found} (data in {settings.data})") from None
    with held:
        where.write_text(address(settings).partition("?")[0], encoding="utf-8")
        try:
            yield
        finally:
            where.unlink(missing_ok=True)


def serve(settings: Settings, say: Callable[[str], None], exactly: bool = False, browser: bool = False) -> None:
    """Serve until stopped."""
    sock = listen(settings, exactly)
    with alone(settings):
        _serve(settings, sock, say, browser)


def _serve(settings: Settings, sock: socket.socket, say: Callable[[str], None], browser: bool) -> None:
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=WS_BYTES,
        ws_max_queue=32,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=30,
    )
    where = address(settings)
    say(f"Janshi is at {where}")
    if settings.token and not is_loopback(settings.host):
        say("Others who can reach this machine need the address with its token. Traffic is not encrypted.")
    say("Stop it with Ctrl-C.")
    sys.stdout.flush()
    sys.setswitchinterval(SWITCH)
    if browser:
        threading.Timer(0.5, webbrowser.open, [where]).start()
    with sock, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[sock])
