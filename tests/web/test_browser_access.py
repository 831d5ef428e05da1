"""Every page for everybody: names of controls, order of focus, contrast in light and dark, room on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from access import nameless, pale, tab_through, wider_than_window

from patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from conftest import Server

Open = Callable[..., "Page"]
PLACES = [
    "#/play",
    "#/watch",
    "#/review",
    "#/career",
    "#/tools?tiles=234m406p678s22p567m",
    "#/tools?tool=efficiency&tiles=1348m2267p05s1157z",
    "#/players",
]


def settled(page: Page) -> Page:
    """The page with all that it fetches at first."""
    page.locator("#page > *").first.wait_for()
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("place", PLACES)
def test_names_headings_contrast_and_focus(open_page: Open, place: str) -> None:
    page = settled(open_page(place))
    assert nameless(page) == []
    assert page.locator("#page h1").count() == 1
    assert page.evaluate("() => document.documentElement.lang") == "en"
    assert pale(page) == [], "in light"
    page.emulate_media(color_scheme="dark")
    assert pale(page) == [], "in dark"
    check_focus(tab_through(page))


def check_focus(reached: list[dict[str, Any]]) -> None:
    """Tab reaches the page in order and shows where it is."""
    assert len(reached) > 8
    assert "skip" in reached[0]["what"], "the first stop skips the header"
    for stop in reached[1:]:
        assert stop["width"] > 0, stop
        assert stop["outline"], f"no focus to be seen at {stop['what']}"


@pytest.mark.parametrize("place", PLACES)
def test_a_phone_needs_no_sideways_scrolling(open_page: Open, place: str) -> None:
    assert not wider_than_window(settled(open_page(place, phone=True)))


@pytest.mark.parametrize("rules", ["riichi/tenhou_east", "guobiao/botzone"])
def test_a_table_is_for_everybody_too(open_page: Open, server: Server, rules: str) -> None:
    asked = {"rules": rules, "seats": ["you", "greedy", "greedy", "greedy"], "seed": 1}
    game = httpx.post(f"{server.url}/api/live", json=asked, timeout=PATIENCE).json()
    page = open_page(f"#/play/{game['id']}?key={game['key']}")
    page.locator(".board").wait_for()
    page.get_by_text("Your turn").first.wait_for()
    assert nameless(page) == []
    assert pale(page) == [], "in light"
    page.emulate_media(color_scheme="dark")
    assert pale(page) == [], "in dark"
    assert len(tab_through(page)) > 8
    page.set_viewport_size({"width": 390, "height": 844})
    assert not wider_than_window(page)


def test_the_skip_link_leads_to_the_page(open_page: Open) -> None:
    page = settled(open_page("#/tools"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "page"
