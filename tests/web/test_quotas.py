"""What one browser may keep on the server, the messages when it is full, and clearing old reviews."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from janshi.web.app import make_app
from janshi.web.owner import COOKIE
from janshi.web.quotas import MIB, Quotas
from janshi.web.review.store import DONE, ReviewStore
from janshi.web.settings import Settings

OTHER = "another-browser-entirely"
ME = "the-browser-of-this-test"
HEAD = {"format": "mjai", "family": "riichi", "hands": []}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[tuple[TestClient, Settings, ReviewStore]]:
    """A client, its server's settings, and its server's reviews."""
    settings = Settings(tmp_path, warm=False)
    made = make_app(settings)
    with TestClient(made, base_url="http://localhost", cookies={COOKIE: ME}) as client:
        yield client, settings, made.state.reviews.store


def start_game(client: TestClient) -> Any:
    return client.post("/api/live", json={"rules": "simplified/paper", "seats": ["you", "tsumogiri", "tsumogiri"]})


def add_reviews(store: ReviewStore, count: int, text: str = "text", owner: str = ME) -> list[str]:
    made = [store.add(owner, f"game {n}", text, "mdp", [0], HEAD, 0) for n in range(count)]
    for id in made:
        store.set_state(id, DONE)
    return made


def test_a_browser_keeps_a_limited_number_of_games(app: tuple[TestClient, Settings, ReviewStore]):
    client, settings, _ = app
    settings.quotas = Quotas(games=2)
    first = start_game(client)
    assert [first.status_code, start_game(client).status_code] == [201, 201]
    refused = start_game(client)
    assert refused.status_code == 429
    assert refused.json()["error"] == {
        "code": "quota_games",
        "values": {"most": 2},
        "message": "this browser has 2 games here, as many as it may keep: delete some first",
    }
    client.cookies.set(COOKIE, OTHER)
    assert start_game(client).status_code == 201, "another browser has its own quota"
    client.cookies.set(COOKIE, ME)
    assert client.delete(f"/api/live/{first.json()['id']}").status_code == 204
    assert start_game(client).status_code == 201


def test_watching_a_stored_game_counts(app: tuple[TestClient, Settings, ReviewStore], tmp_path: Path):
    from janshi.arena.match import run_match
    from janshi.arena.plan import Plan

    client, settings, _ = app
    plan = Plan("simplified/paper", ("tsumogiri",), ((0, 0, 0),), 1, seed=1, seating="fixed")
    run_match(plan, tmp_path / "matches" / "m")
    settings.quotas = Quotas(games=1)
    wanted = {"match": "m", "game": 0}
    assert [client.post("/api/watch", json=wanted).status_code for _ in range(2)] == [201, 429]


@pytest.mark.parametrize(
    ("quotas", "code", "message"),
    [
        (Quotas(reviews=3), "quota_reviews", "this browser has 3 reviews here"),
        (Quotas(bytes=1 * MIB), "quota_bytes", "this browser's reviews take up all of their 1 MiB"),
    ],
)
def test_a_browser_keeps_a_limited_number_of_reviews_and_bytes(app, quotas: Quotas, code: str, message: str):
    client, settings, store = app
    settings.quotas = quotas
    texts = [json.dumps([hash((n, i)) for i in range(50_000)]) for n in range(3)]  # hardly compressible
    for text in texts:
        add_reviews(store, 1, text)
    add_reviews(store, 5, owner=OTHER)
    for answer in (
        client.post("/api/reviews", data={"text": '{"type":"start_game"}'}),
        client.post(f"/api/reviews/{add_reviews(store, 1, owner=OTHER)[0]}/again", json={}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, code)
        assert message in answer.json()["error"]["message"]
    assert client.delete("/api/reviews").json() == {"deleted": 3}
    assert store.used_by(ME) == (0, 0)
    found = client.post("/api/reviews", data={"text": '{"type":"start_game"}'}).json()["error"]["code"]
    assert not found.startswith("quota"), "the record is bad, but there is room"


def test_all_that_a_review_stores_counts(tmp_path: Path):
    store = ReviewStore(tmp_path / "db")
    (id,) = add_reviews(store, 1)
    _, before = store.used_by(ME)
    decision: dict[str, Any] = dict.fromkeys(
        ("hand", "seat", "turn", "reaction", "agreed", "played", "best", "number"), 0
    )
    decision |= {"kind": "discard", "tag": "", "loss": 0.0, "gap": None, "choices": [{"action": 0, "name": "1m"}]}
    store.add_decision(id, decision)
    _, after = store.used_by(ME)
    assert after > before > 0
    store.set_luck(id, {"available": False})
    assert store.used_by(ME)[1] > after
    store.close()


def test_a_quota_of_zero_is_none():
    Quotas(games=0, reviews=0, bytes=0).check_games(10**9)
    Quotas(games=0, reviews=0, bytes=0).check_reviews(10**9, 10**15)


def test_old_reviews_are_cleared_and_the_newest_and_unfinished_stay(app: tuple[TestClient, Settings, ReviewStore]):
    client, _, store = app
    old, running, new, newest = add_reviews(store, 4)
    store.set_state(running, "thinking")
    (theirs,) = add_reviews(store, 1, owner=OTHER)
    assert client.delete("/api/reviews", params={"keep": 2}).json() == {"deleted": 1}
    left = {one["id"] for one in client.get("/api/reviews").json()["reviews"]}
    assert left == {running, new, newest}
    assert store.get(old) is None
    assert store.get(theirs) is not None
    store.set_state(running, DONE)


def test_quotas_are_options_of_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    from typer.testing import CliRunner

    from janshi.cli import app as command

    seen: list[Settings] = []
    monkeypatch.setattr("janshi.web.server.serve", lambda settings, *_, **__: seen.append(settings))
    options = ["--quota-games", "7", "--quota-reviews", "8", "--quota-mib", "9"]
    for words in ([], options):
        assert CliRunner().invoke(command, ["web", "--data", str(tmp_path), *words]).exit_code == 0
    assert [settings.quotas for settings in seen] == [Quotas(), Quotas(7, 8, 9 * MIB)]
