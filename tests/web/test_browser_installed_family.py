"""A family of rules that was installed is watched and played in the app, over its interface and in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx
import pytest
from playing import Player, begin

from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from conftest import Server


@pytest.fixture(scope="module")
def server(start_server: Callable[..., Server], mini_mahjong: dict[str, str]) -> Server:
    """A server that sees the package, and is ready to play it. Janshi's own families come first, which may compile."""
    found = start_server(env=mini_mahjong)

    def is_ready() -> bool:
        return "mini" in httpx.get(f"{found.url}/api/status", timeout=PATIENCE).json()["ready"]

    wait_until(is_ready, "the installed rules are ready", every=0.2)
    return found


def test_its_rules_and_agents_are_offered(client: httpx.Client) -> None:
    rules = {one["id"]: one for one in client.get("/api/rules").json()}
    assert {"mini/quick", "mini/long"} <= set(rules)
    told = rules["mini/quick"]
    assert (told["family"], told["players"], told["formats"], told["default"]) == ("mini", 2, ["text"], True)
    assert [agent["name"] for agent in client.get("/api/agents?rules=mini").json()] == ["random", "tsumogiri"]
    stated = client.get("/api/families").json()
    assert stated["families"]["mini"] == stated["usual"]


def test_a_game_is_watched_to_its_end(client: httpx.Client, server: Server) -> None:
    """Every message is of the types that the page reads; `Player` looks at that."""
    game = begin(client, rules="mini/quick", seats=["random", "random"], seed=3, pace=0)
    viewer = Player(server.url, game["id"], game["key"])
    while not viewer.state.get("over"):
        viewer.hear()
    viewer.close()
    position = viewer.state["position"]
    assert len(position["seats"]) == 2
    assert position["result"]["final"]["points"] == position["result"]["scores"]
    assert {tile["tile"][1] for seat in position["seats"] for tile in seat["river"]} == {"p"}
    kinds = {event["type"] for message in viewer.sent for event in message.get("events", ())}
    assert "end" in kinds
    record = client.get(f"/api/live/{game['id']}/record").text
    assert record.startswith("players: random 1, random 2\n")


def test_a_person_plays_it(client: httpx.Client, server: Server) -> None:
    game = begin(client, rules="mini", seats=["you", "tsumogiri"], seed=5)
    player = Player(server.url, game["id"], game["key"])
    player.play()
    player.close()
    assert player.state["over"]
    assert player.state["position"]["seats"][1]["hand"] is None or player.state["position"]["result"]["winners"]


def test_it_is_watched_on_the_page(open_page: Callable[..., Page]) -> None:
    page = open_page("#/watch")
    page.wait_for_selector(".agents-grid select")
    page.select_option("select[name=rules]", "mini/quick")
    page.wait_for_function("() => document.querySelectorAll('.agents-grid select').length === 2")
    page.click("button[type=submit]")
    page.wait_for_selector(".river-tile")
    assert page.locator(".side-score").count() == 2
    page.wait_for_selector(".result")
