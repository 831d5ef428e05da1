"""A running server, a client of its interface and a real browser, for the tests of the app.

The server is a process of its own on a free port with a data directory that is thrown away. The browser is Debian's
chromium, as a headless shell if that is installed, or whatever `$JANSHI_CHROMIUM` names; without one, tests of the page
are skipped and say so. With `$JANSHI_SCREENSHOTS` set to a folder, `shot(page, "name")` keeps pictures there; else it
does nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from browsing import DESKTOP, PHONE, console_error

from patience import BROWSER_PATIENCE, PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first draws no windows of a browser around its pages, which takes a third less processor time."""
BROWSER_ARGUMENTS = (
    *("--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"),
    *("--renderer-process-limit=1", "--disable-site-isolation-trials", "--disable-gpu"),  # fewer processes
)


def free_port() -> int:
    """A port of the loopback address that nobody listens on just now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A server process: `url`, `data`; can be killed and started again on the same data."""

    def __init__(self, data: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.data, self.arguments, self.env = data, arguments, env or {}
        self.port = free_port()
        self.log = data.with_name(data.name + ".log")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address of the server, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """How the server is started."""
        head = [sys.executable, "-m", "janshi", "web", "--port", str(self.port), "--data", str(self.data)]
        return [*head, *self.arguments]

    def start(self) -> Server:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, **self.env}
            )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            with contextlib.suppress(httpx.TransportError):
                httpx.get(self.url, timeout=5)
                return self
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"the server did not start; it said:\n{self.said()}")

    def said(self) -> str:
        """What it printed."""
        return self.log.read_text("utf-8", errors="replace") if self.log.exists() else ""

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Ask it to end; insist if it does not."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture(scope="module")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Starts servers: `start_server("--token", "abc", env={...})`; all of them end with the file."""
    servers: list[Server] = []

    def start(*arguments: str, env: dict[str, str] | None = None, data: Path | None = None) -> Server:
        place = data or tmp_path_factory.mktemp("server") / "data"
        servers.append(Server(place, *arguments, env=env))
        return servers[-1].start()

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def server(start_server: Callable[..., Server]) -> Server:
    """A server for all tests of a file. It loads agents when they are first asked for, not before."""
    return start_server("--no-warm")


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    """A client of the server's interface."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as found:
        yield found


# --- the browser


def find_browser() -> str | None:
    """A chromium of this machine: `$JANSHI_CHROMIUM`, else by its usual names."""
    named = os.environ.get("JANSHI_CHROMIUM")
    names = [named] if named else BROWSERS
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless chromium. Of one file only: while it lives, no other event loop may run in this thread."""
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed ($JANSHI_CHROMIUM names another)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield found
        found.close()


class Contexts:
    """Browser contexts that the tests of a file use in turn, emptied in between.

    A page in a new context costs a process of its own, as much as everything a test does there. So a blank page keeps
    that of each context alive.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = {}
        self.taken: list[tuple[str, BrowserContext]] = []

    def take(self, **options: Any) -> BrowserContext:
        """A context with these options and nothing in it."""
        key = repr(sorted(options.items()))
        free = self.free.setdefault(key, [])
        if free:
            context = free.pop()
        else:
            context = self.browser.new_context(**options)
            context.set_default_timeout(BROWSER_PATIENCE)
            context.new_page()
        self.taken.append((key, context))
        return context

    def give_back(self, origins: set[str]) -> None:
        """Close the pages of all contexts in use, and empty what these origins keep in them."""
        for key, context in self.taken:
            blank, *pages = context.pages
            for page in pages:
                page.close()
            context.clear_cookies()
            devtools = context.new_cdp_session(blank)
            for origin in origins:
                devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
            devtools.detach()
            self.free[key].append(context)
        self.taken.clear()


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Contexts:
    """The browser's contexts."""
    return Contexts(browser)


@pytest.fixture
def open_page(contexts: Contexts, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens pages: `open_page("#/tools", phone=True, locale="ja")`; an error in a page's script fails the test.

    Each page is of a browser of its own: it shares no cookies and no storage with others.
    """
    errors: list[str] = []
    origins = {server.url}

    def open_one(
        place: str = "",
        *,
        phone: bool = False,
        locale: str = "en",
        url: str = "",
        tolerant: bool = False,
        **options: Any,
    ) -> Page:
        options.setdefault("viewport", PHONE if phone else DESKTOP)
        page = contexts.take(locale=locale, has_touch=phone, is_mobile=phone, **options).new_page()
        if not tolerant:
            page.on("pageerror", lambda error: errors.append(f"error in the page: {error}"))
            page.on("console", lambda said: errors.extend(console_error(said.type, said.text)))
        origins.add(url or server.url)
        page.goto(f"{url or server.url}/{place}")
        return page

    yield open_one
    contexts.give_back(origins)
    assert not errors, "\n".join(errors)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """The start page of the server at a desktop's size."""
    return open_page()


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Keeps a picture of a page where `$JANSHI_SCREENSHOTS` says; does nothing without it."""
    folder = os.environ.get("JANSHI_SCREENSHOTS")

    def keep(page: Page, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep
