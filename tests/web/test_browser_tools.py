"""The tools and the players in a real browser: by clicking, by typing, by keys, on a phone, in three languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from browsing import DESKTOP
from showing import Visit, go, speak

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from patience import BROWSER_PATIENCE, PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from conftest import Server

Open = Callable[..., "Page"]
See = Callable[[str], "Page"]
EMPTY = "#/tools?tool=score&family=riichi&tiles="
"""Without the tiles that were there last."""
HAND = "2m 3m 4m 4p 0p 6p 6s 7s 8s 2p 2p 5m 6m 7m".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """One page for tests that mind neither its language nor what was entered before."""
    context = browser.new_context(locale="en", viewport=DESKTOP)  # type: ignore[arg-type]
    context.set_default_timeout(BROWSER_PATIENCE)
    yield Visit(context.new_page(), server.url)
    context.close()


@pytest.fixture
def see(visit: Visit) -> Iterator[See]:
    """Goes to a view; an error in the page's script fails the test."""
    yield visit.see
    errors, visit.errors[:] = list(visit.errors), []
    assert not errors, "\n".join(errors)


def expect_worth(page: Page, text: str) -> None:
    page.locator(".tools-worth", has_text=text).wait_for()


def press(page: Page, tile: str) -> None:
    page.locator(f'.tools-palette [data-tile="{tile}"]').first.click()


# --- the calculator


def test_a_hand_clicked_together_is_scored(see: See, shot: Callable[[Page, str], None]) -> None:
    page = see(EMPTY)
    for tile in HAND:
        press(page, tile)
    expect_worth(page, "3 han 30 fu · 5,800 points")
    assert page.locator(".tools-hand .tools-tile").count() == len(HAND)
    page.get_by_label("Riichi", exact=True).check()
    page.get_by_label("Self-draw (tsumo)").check()
    expect_worth(page, "5 han 20 fu · mangan · 12,000 points")
    reasons = page.locator(".tools-result tbody").first.inner_text()
    assert "all sequences" in reasons
    assert "A closed hand won on its own draw." in reasons
    assert "Everyone pays" in page.locator(".tools-result").inner_text()
    shot(page, "tools-score")


def test_a_typed_hand_with_melds_and_dora(open_page: Open) -> None:
    page = open_page("#/tools")
    page.get_by_label("Tiles", exact=True).fill("55m111z23s4s (777z) [9999p]")
    expect_worth(page, "fu")
    assert page.locator(".tools-meld").count() == 2
    page.get_by_text("dora indicator").click()
    press(page, "6z")
    page.locator(".tools-result td", has_text="dora").first.wait_for()
    assert page.locator(".tools-list .tools-tile").count() == 1


def test_melds_are_made_by_clicking(see: See) -> None:
    page = see(EMPTY)
    page.get_by_text("pon", exact=True).click()
    press(page, "7z")
    page.get_by_text("chi (from this tile)").click()
    press(page, "3p")
    page.get_by_text("concealed kan", exact=True).click()
    press(page, "1m")
    assert page.get_by_label("Tiles", exact=True).input_value() == "(777z) (345p) [1111m]"
    page.locator(".tools-meld").nth(1).click()
    assert page.get_by_label("Tiles", exact=True).input_value() == "(777z) [1111m]"


def test_guobiao_fan_show_their_tiles(see: See, shot: Callable[[Page, str], None]) -> None:
    page = see("#/tools?family=guobiao&tiles=123456789m55p789s")
    expect_worth(page, "21 fan · 45 points")
    row = page.locator(".tools-result tr", has_text="pure straight")
    assert row.locator(".tile").count() == 9
    assert page.locator('[data-tile^="0"]').count() == 0, "Guobiao has no red fives"
    shot(page, "tools-guobiao")


def test_impossible_hands_are_explained(see: See) -> None:
    page = see(EMPTY + "123m456p789s22z569m")
    page.locator(".tools-refused", has_text="not complete").wait_for()
    page.get_by_label("Tiles", exact=True).fill("hello")
    page.get_by_text("Not understood").wait_for()


def test_refusals_are_in_the_language_of_the_page(open_page: Open) -> None:
    page = open_page("#/tools?tiles=123m456p789s22z569m", locale="ja-JP", tolerant=True)
    page.get_by_text("和了形ではありません").wait_for()
    go(page, "#/review/notthere")
    speak(page, "zh")
    page.get_by_text("没有这份分析，可能已被删除。").wait_for()


def test_words_of_errors_are_loaded_with_the_first_error(open_page: Open) -> None:
    page = open_page("#/tools", locale="ja-JP", tolerant=True)
    page.locator(".tools-columns").wait_for()
    loaded = "performance.getEntriesByType('resource').map(one => one.name).filter(name => name.includes('/errors/'))"
    assert page.evaluate(loaded) == []
    page.goto(page.url.split("#")[0] + "#/tools?tiles=123m456p789s22z569m")
    page.get_by_text("和了形ではありません").wait_for()
    (table,) = page.evaluate(loaded)
    assert table.endswith("/js/words/errors/ja.js")


def test_a_hostile_link_is_only_text(see: See) -> None:
    page = see(EMPTY + "%3Cimg%20src=x%20onerror=alert(1)%3E")
    page.locator(".tools-refused").wait_for()
    assert page.locator("#page img").count() == 0


# --- efficiency


def test_every_discard_is_listed_and_one_can_be_taken(see: See, shot: Callable[[Page, str], None]) -> None:
    page = see("#/tools?tool=efficiency&family=riichi&tiles=123m456p789s22z57m4s")
    rows = page.locator(".tools-discards tr[data-discard]")
    rows.first.wait_for()
    assert rows.count() == 13
    assert "tenpai" in rows.first.inner_text()
    shot(page, "tools-efficiency")
    rows.first.get_by_role("button", name="Discard 4 of bamboo").click()
    page.get_by_role("heading", name="Waits").wait_for()
    assert page.get_by_label("Tiles", exact=True).input_value() == "123m456p789s22z57m"
    page.get_by_text("tile seen elsewhere").click()
    press(page, "6m")
    page.get_by_text("3 tiles of 1 kinds").wait_for()


def test_distances_stay_on_one_line_on_a_phone(open_page: Open) -> None:
    page = open_page("#/tools?tool=efficiency&tiles=1348m2267p05s1157z", phone=True, locale="ja")
    lines = (
        "cell => { const r = document.createRange(); r.selectNodeContents(cell); return r.getClientRects().length; }"
    )
    for language in ("ja", "zh"):
        speak(page, language)
        page.locator(f"html[lang={language}]").wait_for()
        cell = page.locator(".tools-discards tr[data-discard] td.small").first
        cell.wait_for()
        assert cell.evaluate(lines) == 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_random_hand_can_be_dealt(see: See) -> None:
    page = see("#/tools?tool=efficiency&family=riichi")
    for _ in range(3):
        page.get_by_role("button", name="Random hand").click()
        page.locator(".tools-discards tr[data-discard]").first.wait_for()
        assert page.locator(".tools-hand .tools-tile").count() == 14


def test_the_palette_works_by_keys_alone(see: See) -> None:
    page = see(EMPTY)
    page.get_by_label("Tiles", exact=True).focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.tile ?? ''"):
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.get_by_label("Tiles", exact=True).input_value() == "2m2p"
    assert page.evaluate("() => document.activeElement.dataset.tile") == "2p", "focus stays where it was"


# --- players


@pytest.fixture(scope="module")
def match(server: Server) -> str:
    """A match in the data directory."""
    run_match(Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 10, 5), server.data / "matches" / "friends")
    return "friends"


def test_strength_is_plotted_and_can_be_read(see: See, server: Server, shot: Callable[[Page, str], None]) -> None:
    page = see("#/players")
    plot = page.locator("figure.plot").first
    plot.wait_for()
    told = httpx.get(f"{server.url}/api/players", timeout=PATIENCE).json()
    figures = [
        one
        for player in told
        for one in player["measured"]
        if one["against"] == "careful" and one["rules"].startswith("riichi/") and one["rank"]
    ]
    assert plot.locator(".plot-mark").count() == len(figures)
    plot.locator(".plot-holder").focus()
    page.keyboard.press("ArrowRight")
    best = min(figures, key=lambda one: one["rank"]["value"])
    assert plot.locator(".plot-readout").inner_text().startswith(f"{best['agent']}: {best['rank']['value']:g}")
    plot.get_by_text("As a table").click()
    assert plot.locator("tbody tr").count() == len(figures)
    shot(page, "players")


def test_a_player_with_a_rating_is_not_called_unmeasured(see: See) -> None:
    page = see("#/players")
    card = page.locator(".players-card", has=page.locator("code", has_text=re.compile("^newcomer$")))
    assert re.search(r"rating \d", card.inner_text())
    assert "Not measured yet" not in card.inner_text()


def test_curves_can_be_looked_at_from_both_sides(see: See) -> None:
    page = see("#/players?family=simplified")
    page.locator(".plot-line").first.wait_for()
    assert page.locator(".plot-legend li", has_text="RL-1").count() >= 1
    page.get_by_label("Vertical scale").focus()
    page.get_by_label("Vertical scale").select_option("win")
    page.locator(".plot-text", has_text="hands won, %").wait_for()
    assert page.evaluate("() => document.activeElement.tagName") == "SELECT", "the focus stays"
    page.locator(".players-columns .plot-holder").nth(1).hover()
    assert "RL-" in page.locator(".plot-readout").nth(1).inner_text()


def test_matches_of_this_machine_are_shown(see: See, match: str) -> None:
    page = see("#/players")
    page.locator("summary", has_text=match).click()
    box = page.locator(".players-entry", has_text=match)
    box.locator(".plot-mark").first.wait_for()
    assert "greedy" in box.inner_text()
    assert re.search(r"greedy minus random: rank -\d", box.inner_text())


# --- everywhere


LANGUAGES = {"zh": "算点", "ja": "点数計算", "en": "Hand calculator"}


def test_languages(open_page: Open) -> None:
    page = open_page(locale="zh-CN")
    for language, words in LANGUAGES.items():
        go(page, "#/tools?tiles=234m406p678s22p567m")
        speak(page, language)
        page.get_by_role("button", name=words).wait_for()
        page.locator(".tools-worth").wait_for()
        go(page, "#/players")
        page.locator("figure.plot").first.wait_for()
        text = page.locator("#page").inner_text()
        assert not re.search(r"\b(?:players|tools)\.[a-z]", text), "a word is missing"


def test_changing_the_language_keeps_what_was_entered(open_page: Open) -> None:
    page = open_page("#/tools")
    page.locator("#tools-tiles").fill("234m406p678s22p567m")
    expect_worth(page, "han")
    page.locator("#language").select_option("ja")
    page.locator("#page h1", has_text="ツール").wait_for()
    assert page.locator("#tools-tiles").input_value() == "234m406p678s22p567m"
    go(page, "#/players")
    page.locator("#language").select_option("zh")
    page.locator("#page h1", has_text="牌手").wait_for()
