"""Practice in a real browser: the daily problem, drills against the clock, on a phone and in three languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from access import wider_than_window
from showing import go, speak

from janshi.web.practice.problems import shipped
from janshi.web.practice.routes import today
from patience import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LANGUAGES = ("en", "ja", "zh")
Open = Callable[..., "Page"]


def press_best(page: Page, id: str) -> None:
    """Press the tile or the button of a problem's best choice."""
    problem = shipped().problems[id]
    best = next(choice for choice in problem["choices"] if choice["action"] == problem["best"])
    discard = best["kind"] in ("discard", "tsumogiri")
    page.locator(
        f'.hand-tile[data-tile="{best["tile"]}"]' if discard else f'[data-action="{best["action"]}"]'
    ).last.click()


def test_the_problem_of_the_day(open_page: Open, shot: Callable[[Page, str], None]) -> None:
    page = open_page("#/practice")
    page.locator('[data-source="daily"] a').click()
    page.locator(".rv-side h2").wait_for()
    shot(page, "practice-question")
    press_best(page, shipped().daily(today()))
    page.locator(".rv-answer.good").wait_for()
    assert page.locator(".rv-choices tbody tr").count() >= 2
    assert "Useful tiles" in page.locator(".rv-why .rv-compare").inner_text()
    shot(page, "practice-answer")
    page.locator(".rv-side a.primary").click()
    page.locator(".pr-boxes").wait_for()
    assert "Solved today" in page.locator('[data-source="daily"]').inner_text()
    shot(page, "practice")


def test_a_drill_is_asked_until_the_time_is_up(open_page: Open) -> None:
    page = open_page("#/practice/efficiency")
    page.clock.install()
    page.get_by_role("button", name="Begin").click()
    page.locator(".pr-hand .pr-tile").first.wait_for()
    assert page.locator(".pr-hand .pr-tile").count() == 14
    page.locator(".pr-hand .pr-tile").first.click()
    page.locator(".pr-clock", has_text="of 1 right").wait_for()
    for _ in range(60):
        page.clock.run_for(1000)
    page.locator(".pr-state", has_text="Time is up").wait_for()
    page.get_by_role("link", name="Back to practice").click()
    page.locator('[data-source="efficiency"]', has_text="Best:").wait_for()


def test_defence_is_asked_at_the_table(open_page: Open) -> None:
    page = open_page("#/practice/defence")
    page.get_by_role("button", name="Begin").click()
    page.locator(".pr-question .hand-tile").first.wait_for()
    assert page.get_by_text("Which discard is the safest?").is_visible()


def press_worst(page: Page, id: str) -> None:
    """Press the tile of a problem's worst discard."""
    discards = [one for one in shipped().problems[id]["choices"] if one["kind"] == "discard" and one["loss"]]
    worst = max(discards, key=lambda one: float(one["loss"]))
    tile = page.locator(f'.hand-tile[data-tile="{worst["tile"]}"]').first
    tile.click()
    if not page.locator(".rv-answer").count():
        tile.click()  # on a phone the first tap lifts the tile


@pytest.mark.parametrize("phone", [False, True])
def test_a_wrong_answer_is_followed_by_reasons(open_page: Open, phone: bool, shot: Callable[[Page, str], None]) -> None:
    page = open_page("#/practice", phone=phone)
    for language in LANGUAGES:
        page.evaluate("() => Object.keys(localStorage).forEach(key => localStorage.removeItem(key))")  # not yet solved
        speak(page, language)
        go(page, "#/practice/daily")
        page.locator(".rv-side h2").wait_for()
        assert not wider_than_window(page), language
        press_worst(page, shipped().daily(today()))
        page.locator(".rv-answer.bad").wait_for()
        reasons = page.locator(".rv-why")
        assert reasons.locator(".rv-compare thead th").count() == 2
        assert reasons.locator(".rv-said").count() >= 1
        assert not any(key in reasons.inner_text() for key in ("why.", "pr.", "rv.", "undefined"))
        assert not wider_than_window(page), language
        shot(page, f"practice-why-{language}{'-phone' if phone else ''}")


def test_it_fits_a_phone_in_every_language(open_page: Open) -> None:
    page = open_page("#/practice", phone=True)
    for language in LANGUAGES:
        speak(page, language)
        page.locator(".pr-card").nth(5).wait_for()
        assert page.locator(".pr-card").count() == 6
        assert "pr." not in page.locator("main, #page").first.inner_text()
        assert not wider_than_window(page), language


def test_a_page_that_is_left_while_it_loads_does_not_come_back(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/practice", lambda route: held.append(route))
    go(page, "#/practice")
    wait_until(lambda: page.wait_for_timeout(20) or held, "the page asks for what it shows")
    page.evaluate("location.hash = '#/practice/efficiency'")
    page.get_by_role("button", name="Begin").wait_for()
    with page.expect_response("**/api/practice"):
        held[0].continue_()
    page.evaluate("() => new Promise(done => setTimeout(done))")
    page.wait_for_load_state("networkidle")
    assert page.get_by_role("button", name="Begin").is_visible()
    assert page.locator(".pr-card").count() == 0
