"""Take the screenshots of docs/web.md: start the app with a temporary data directory and open every page.

python scripts/screenshots.py                     # all of docs/web/*.png
python scripts/screenshots.py --only play tools   # some of them

Needs chromium ($JANSHI_CHROMIUM names another browser) and a font with Japanese and Chinese characters.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import connect

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "web"
PATIENCE = 300_000.0
"""Milliseconds to wait for the content of a picture."""
ROOT = FOLDER.parent.parent
PACK = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "tokujou-luckyj.tar.xz"
CAREER = "ⓝLuckyJ"
LARGEST = 200 * 1024
"""Maximum size of a picture in bytes."""
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
DESKTOP, PHONE = {"width": 1200, "height": 780}, {"width": 390, "height": 760}
SEATS = ["you", "apprentice", "careful", "greedy"]
SEED = 20
TURNS = 9
"""Number of the person's discards before the picture of a game is taken."""
REVIEWER = "apprentice"
WRONG_TILE = 3
"""The tile that is discarded in the picture of a problem."""
MISTAKES = 4
"""Index of the mistake shown in the picture of a review."""


class App:
    """A running app, used over HTTP and its sockets."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, body: Any = None) -> Any:
        """Ask the interface; with a body, by POST."""
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def upload(self, text: str, agent: str) -> Any:
        """Upload a record for review."""
        form = urllib.parse.urlencode({"text": text, "agent": agent}).encode()
        with urllib.request.urlopen(self.url + "/api/reviews", form, timeout=120) as answer:
            return json.load(answer)

    def import_games(self, archive: Path, name: str) -> None:
        """Import an archive as the games of a player, and wait until their luck is measured."""
        head = f'Content-Disposition: form-data; name="files"; filename="{archive.name}"'
        body = b"".join((b"--games\r\n", head.encode(), b"\r\n\r\n", archive.read_bytes(), b"\r\n--games--\r\n"))
        kind = {"Content-Type": "multipart/form-data; boundary=games"}
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/api/career/files", body, kind), timeout=120).close()
        while self.ask("/api/career/state")["importing"]["uploads"]:
            time.sleep(1)
        names = json.dumps({"names": [name]}).encode()
        asked = urllib.request.Request(
            f"{self.url}/api/career/names", names, {"Content-Type": "application/json"}, method="PUT"
        )
        urllib.request.urlopen(asked, timeout=120).close()
        while self.ask("/api/career/state")["luck"]["waiting"]:
            time.sleep(5)

    def record(self, game: dict[str, str]) -> str:
        """The record of a finished game."""
        address = f"{self.url}/api/live/{game['id']}/record?format=tenhou6&key={game['key']}"
        with urllib.request.urlopen(address, timeout=120) as answer:
            return str(answer.read().decode())

    def play(self, game: dict[str, str], turns: int) -> None:
        """Play on in a game: win, pass, or discard the drawn tile, up to `turns` times."""
        address = f"{self.url.replace('http', 'ws')}/api/live/{game['id']}/socket?key={game['key']}"
        with connect(address, origin=self.url, max_size=None) as line:  # type: ignore[arg-type]
            while turns:
                message = json.loads(line.recv(timeout=180))
                if message.get("over"):
                    return
                if message["type"] == "state" and message["ask"]:
                    line.send(
                        json.dumps({"type": "answer", "ask": message["ask"]["id"], "action": shortest(message["ask"])})
                    )
                    turns -= 1
                elif message["type"] == "state" and message["position"]["phase"] == "hand_over":
                    line.send(json.dumps({"type": "next"}))


def shortest(ask: dict[str, Any]) -> int:
    """The simplest action."""
    kinds = {choice["kind"]: choice["action"] for choice in reversed(ask["choices"])}
    for kind in ("tsumo", "ron", "pass", "tsumogiri"):
        if kind in kinds:
            return int(kinds[kind])
    return int(ask["choices"][-1]["action"])


@contextlib.contextmanager
def running() -> Iterator[App]:
    """The app on a free port, with a temporary data directory."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "janshi", "web", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            app = App(line.split()[-1].rstrip("/"))
            while not {"riichi"} <= set(app.ask("/api/status")["ready"]):
                time.sleep(0.5)
            yield app
        finally:
            server.terminate()
            server.wait(30)


def taken(page: Page, name: str) -> None:
    """Save a picture unless it is too large."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    content = smaller(page.screenshot(type="png", animations="disabled"))
    if len(content) > LARGEST:
        raise SystemExit(f"{name}.png would have {len(content) // 1024} KB; at most {LARGEST // 1024} are wanted")
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.png").write_bytes(content)
    print(f"docs/web/{name}.png  {len(content) // 1024} KB", flush=True)


def smaller(content: bytes) -> bytes:
    """Reduce the picture to 256 colours if Pillow is installed: a third of the size, with no visible difference."""
    try:
        from PIL import Image
    except ImportError:
        return content
    out = io.BytesIO()
    Image.open(io.BytesIO(content)).convert("RGB").quantize(256).save(out, "PNG", optimize=True)
    return out.getvalue()


def opened(browser: Browser, address: str, **options: Any) -> Page:
    """A page in a separate context, in English."""
    options = {"viewport": DESKTOP, "locale": "en-GB", "color_scheme": "light", **options}
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator("#page h1, #page .board").first.wait_for(timeout=PATIENCE)
    return page


# --- the pictures


def play(app: App, browser: Browser) -> None:
    """A game with a hint, and the same on a phone in the dark."""
    game = app.ask("/api/live", {"rules": "riichi/tenhou_east", "seats": SEATS, "seed": SEED, "practice": True})
    app.play(game, TURNS)
    address = f"{app.url}/#/play/{game['id']}?key={game['key']}"
    page = opened(browser, address)
    page.locator(".board").wait_for()
    page.locator(".hint-panel option").first.wait_for(state="attached")
    page.keyboard.press("h")
    page.locator(".thought-row").first.wait_for()
    taken(page, "play")
    taken(opened(browser, address, viewport=PHONE, is_mobile=True, has_touch=True, color_scheme="dark"), "play-phone")


def lobby(app: App, browser: Browser) -> None:
    """The lobby."""
    page = opened(browser, f"{app.url}/#/play")
    page.locator(".opponent").first.wait_for()
    page.locator(".quick-faces .portrait").first.wait_for()
    page.locator(".getting-ready").wait_for(state="hidden")
    taken(page, "lobby")


def watch(app: App, browser: Browser) -> None:
    """Four agents with open hands."""
    seats = ["apprentice", "careful", "one_player", "greedy"]
    game = app.ask("/api/live", {"rules": "riichi/tenhou_east", "seats": seats, "seed": 3, "pace": 0.15})
    page = opened(browser, f"{app.url}/#/watch/{game['id']}?key={game['key']}")
    page.wait_for_timeout(12_000)
    taken(page, "watch")


def review(app: App, browser: Browser) -> None:
    """A game that was played here, reviewed: score card, why, luck; watched; on a phone."""
    game = app.ask("/api/live", {"rules": "riichi/tenhou_east", "seats": SEATS, "seed": 4, "practice": False})
    app.play(game, 10_000)
    made = app.upload(app.record(game), REVIEWER)
    while app.ask(f"/api/reviews/{made['id']}")["state"] in ("waiting", "thinking"):
        time.sleep(1)
    page = opened(browser, f"{app.url}/#/review/{made['id']}")
    for _ in range(MISTAKES):
        page.get_by_role("button", name="Next mistake").click()
    page.locator(".rv-compare").wait_for()
    page.locator(".rv-figure:not(.is-waiting)").nth(5).wait_for()
    page.locator(".rv-turning > summary").click()
    taken(page, "review-card")
    page.locator(".rv-layout").evaluate("layout => scrollTo(0, layout.offsetTop - 60)")
    taken(page, "review")
    phone = opened(browser, page.url, viewport=PHONE, is_mobile=True, has_touch=True, color_scheme="dark")
    phone.locator(".rv-compare").wait_for()
    phone.locator(".rv-side").evaluate("side => scrollTo(0, side.offsetTop - 60)")
    taken(phone, "review-phone")
    page.get_by_role("tab", name="Luck").click()
    page.locator(".rv-luck").wait_for()
    page.locator(".rv-luck").scroll_into_view_if_needed()
    taken(page, "luck")
    page.locator(".rv-watch-button").click()
    page.locator(".rv-replay-next:not([disabled])").wait_for()
    for _ in range(TURNS * 4):
        page.keyboard.press("ArrowRight")
    taken(page, "review-watch")


def tools(app: App, browser: Browser) -> None:
    """The calculator and the efficiency of a hand."""
    page = opened(browser, f"{app.url}/#/tools?tiles=234m406p678s22p567m")
    page.get_by_label("Riichi", exact=True).check()
    page.locator(".tools-worth").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    taken(page, "tools-score")
    page = opened(browser, f"{app.url}/#/tools?tool=efficiency&tiles=1348m2267p05s1157z")
    page.locator(".tools-best").wait_for()
    taken(page, "tools-efficiency")


def players(app: App, browser: Browser) -> None:
    """Strength and curves."""
    page = opened(browser, f"{app.url}/#/players")
    page.locator("figure.plot").first.wait_for()
    taken(page, "players")


def career(app: App, browser: Browser) -> None:
    """The games of an AI on Tenhou, if the shared test data is available; otherwise nothing."""
    if not PACK.exists():
        print(f"no {PACK.name}: no picture of a career")
        return
    if not app.ask("/api/career/state")["games"]:
        app.import_games(PACK, CAREER)
    tall = {"width": 1200, "height": 1560}
    page = opened(browser, f"{app.url}/#/career", viewport=tall)
    page.locator(".career-games tbody tr").first.wait_for()
    taken(page, "career")
    phone = {"viewport": PHONE, "is_mobile": True, "has_touch": True, "color_scheme": "dark"}
    page = opened(browser, f"{app.url}/#/career", **phone)
    page.locator(".career-games tbody tr").first.wait_for()
    taken(page, "career-phone")


def practice(app: App, browser: Browser) -> None:
    """A problem that was answered wrongly, with the reasons; the overview on a phone."""
    page = opened(browser, f"{app.url}/#/practice/daily")
    page.locator(".hand-tile").first.wait_for()
    page.locator(".hand-tile").nth(WRONG_TILE).click()
    page.locator(".rv-compare").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    taken(page, "practice")
    phone = opened(browser, f"{app.url}/#/practice", viewport=PHONE, is_mobile=True, has_touch=True, locale="zh-CN")
    phone.locator(".pr-card").nth(5).wait_for()
    taken(phone, "practice-phone-zh")


def japanese(app: App, browser: Browser) -> None:
    """A review in Japanese on a phone."""
    game = app.ask("/api/live", {"rules": "riichi/tenhou_east", "seats": SEATS, "seed": 4, "practice": False})
    app.play(game, 10_000)
    made = app.upload(app.record(game), REVIEWER)
    while app.ask(f"/api/reviews/{made['id']}")["state"] in ("waiting", "thinking"):
        time.sleep(1)
    options = {"viewport": PHONE, "is_mobile": True, "has_touch": True, "locale": "ja"}
    page = opened(browser, f"{app.url}/#/review/{made['id']}", **options)
    page.locator(".rv-figure:not(.is-waiting)").nth(5).wait_for()
    taken(page, "review-phone-ja")


PICTURES: dict[str, Callable[[App, Browser], None]] = {
    "lobby": lobby,
    "play": play,
    "watch": watch,
    "review": review,
    "career": career,
    "practice": practice,
    "japanese": japanese,
    "tools": tools,
    "players": players,
}


def main() -> int:
    """Take the requested pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", nargs="+", choices=PICTURES, default=[*PICTURES])
    only = parser.parse_args().only
    named = os.environ.get("JANSHI_CHROMIUM")
    path = next((found for name in ([named] if named else BROWSERS) if (found := shutil.which(name))), None)
    if path is None:
        raise SystemExit(f"no browser: none of {', '.join(BROWSERS)} is installed ($JANSHI_CHROMIUM names another)")
    with running() as app, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in only:
            PICTURES[name](app, browser)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
