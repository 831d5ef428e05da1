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

from janshi.web.app import make_app
from janshi.web.settings import Settings, SettingsError, is_loopback

WS_BYTES: Final = 16 * 1024
"""Longest message of a browser."""
SWITCH: Final = 0.001
"""Seconds that another thread may keep the interpreter when the server has something to do."""
TRIES: Final = 20
"""Ports after the usual one that are tried when it is taken."""
LOCK: Final = "running"
"""A file in the data directory that the running server holds; it tells its address."""
EVERYWHERE: Final = ("0.0.0.0", "::")


def listen(settings: Settings, exactly: bool) -> socket.socket:
    """A socket at the wanted address; the next free port if the usual one is taken and none was asked for."""
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
    import fcntl

    with (settings.data / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            where = file.read(200).strip()
            raise SettingsError(
                f"Janshi runs already{f' at {where}' if where else ''} (data in {settings.data})"
            ) from None
        file.truncate(0)
        file.write(address(settings).partition("?")[0])
        file.flush()
        yield
        file.truncate(0)


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
