"""Every page for everybody: names of controls, order of focus, contrast in light and dark, room on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from access import leave_focus, nameless, pale, tab_through, wider_than_window
from browsing import DESKTOP, PHONE
from showing import Visit

from patience import BROWSER_PATIENCE, PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from conftest import Server

PLACES = [
    "#/play",
    "#/watch",
    "#/review",
    "#/career",
    "#/tools?tiles=234m406p678s22p567m",
    "#/tools?tool=efficiency&tiles=1348m2267p05s1157z",
    "#/players",
]


@pytest.fixture(scope="module")
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """One page for all views."""
    context = browser.new_context(locale="en", viewport=DESKTOP)  # type: ignore[arg-type]
    context.set_default_timeout(BROWSER_PATIENCE)
    yield Visit(context.new_page(), server.url)
    context.close()


@pytest.mark.parametrize("place", PLACES)
def test_names_headings_contrast_focus_and_room(visit: Visit, place: str) -> None:
    page = visit.see(place)
    visit.settle()
    assert nameless(page) == []
    assert page.locator("#page h1").count() == 1
    assert page.evaluate("() => document.documentElement.lang") == "en"
    check_contrast(page)
    check_focus(tab_through(page))
    check_room_on_a_phone(page)
    assert visit.errors == []


def check_contrast(page: Page) -> None:
    """No text is hard to see, in light and in dark."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert pale(page) == [], f"in {scheme}"


def check_room_on_a_phone(page: Page) -> None:
    """A phone needs no scrolling sideways."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert not wider_than_window(page)
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def check_focus(reached: list[dict[str, Any]]) -> None:
    """Tab reaches the page in order and shows where it is."""
    assert len(reached) > 8
    assert "skip" in reached[0]["what"], "the first stop skips the header"
    for stop in reached[1:]:
        assert stop["width"] > 0, stop
        assert stop["outline"], f"no focus to be seen at {stop['what']}"


@pytest.mark.parametrize("rules", ["riichi/tenhou_east", "guobiao/botzone"])
def test_a_table_is_for_everybody_too(visit: Visit, rules: str) -> None:
    asked = {"rules": rules, "seats": ["you", "greedy", "greedy", "greedy"], "seed": 1}
    game = httpx.post(f"{visit.url}/api/live", json=asked, timeout=PATIENCE).json()
    page = visit.see(f"#/play/{game['id']}?key={game['key']}")
    page.locator(".board").wait_for()
    page.get_by_text("Your turn").first.wait_for()
    assert nameless(page) == []
    check_contrast(page)
    assert len(tab_through(page)) > 8
    check_room_on_a_phone(page)
    assert visit.errors == []


def test_the_skip_link_leads_to_the_page(visit: Visit) -> None:
    page = visit.see("#/tools")
    visit.settle()
    leave_focus(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "page"
