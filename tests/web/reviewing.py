"""Samples of every format and an app without a network, for the tests of reviews."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from janshi.records.botzone import log as botzone
from janshi.records.botzone import text as botzone_text
from janshi.records.formats import get_format, read_file
from janshi.web.app import make_app
from janshi.web.settings import Settings
from patience import wait_until

EVERY = 0.25
"""Seconds between questions whether a review is finished: to answer costs the server something, too."""
FORMATS = ("mjlog", "tenhou6", "mjai", "botzone", "botzone_log")


def ranked_game(shared: Path) -> Path:
    """A short riichi game of three hands."""
    return shared / "fixtures" / "Equim-chan-mjai-reviewer" / "ranked_game.json"


def sample(shared: Path, format: str) -> str:
    """A short record of a format."""
    if format.startswith("botzone"):
        hand = next(botzone_text.iter_hands((shared / "guobiao" / "sample_games.txt").read_text("utf-8").splitlines()))
        return botzone_text.write(hand) if format == "botzone" else botzone.write(hand)
    if format == "tenhou6":
        return ranked_game(shared).read_text("utf-8")
    return get_format(format).write(read_file(ranked_game(shared)))


@contextmanager
def running_app(data: Path) -> Iterator[TestClient]:
    """A client of an app of its own."""
    data.mkdir(parents=True, exist_ok=True)
    settings = Settings(data, warm=False)
    with TestClient(make_app(settings), base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client


def upload(client: Any, content: bytes | str, name: str = "game", **fields: str) -> Any:
    """Upload a file."""
    given = content.encode() if isinstance(content, str) else content
    return client.post("/api/reviews", files={"file": (name, given)}, data=fields)


def review_of(client: Any, id: str) -> dict[str, Any]:
    """A review as it stands."""
    return dict(client.get(f"/api/reviews/{id}").json())


def news_of(client: Any, id: str) -> dict[str, Any]:
    """How far a review is, which takes the server less than the whole."""
    return dict(client.get(f"/api/reviews/{id}?short=true&since=100000").json())


def finished(client: Any, id: str) -> dict[str, Any]:
    """A review when all is thought about."""
    wait_until(lambda: news_of(client, id)["state"] not in ("waiting", "thinking"), "the review is finished", EVERY)
    return review_of(client, id)


def wait_for_decisions(client: Any, id: str, count: int = 1) -> None:
    """Wait until some decisions of a review are thought about."""
    wait_until(lambda: news_of(client, id)["done"] >= count, f"{count} decisions are thought about")


def workers_of(pid: int | None = None) -> list[int]:
    """Processes of workers, of a server or of anybody's."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if b"janshi.web.review.worker" in command and pid in (None, parent):
            found.append(int(place.name))
    return found
