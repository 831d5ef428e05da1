"""The parts of a review in a real browser, on a desktop and a phone, in three languages: score card, why, watching."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from reviewing import finished, sample, upload
from showing import speak

from patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

LANGUAGES = [("en", "Rating", "Why"), ("ja", "レーティング", "理由"), ("zh", "评分", "理由")]
PHONES = pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])


@pytest.fixture(scope="module")
def reviewed(server: Any, shared: Path) -> dict[str, Any]:
    """A finished review of seat 1."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "tenhou6"), "ranked.json", agent="mdp:hands=2500", seat="1")
        return finished(client, made.json()["id"])


def dearest(review: dict[str, Any]) -> dict[str, Any]:
    """The decision that loses most."""
    return max(review["rows"], key=lambda row: row["loss"] or 0)  # type: ignore[no-any-return]


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@PHONES
def test_the_score_card_and_why(open_page: Callable[..., Page], reviewed: dict[str, Any], phone: bool):
    row = dearest(reviewed)
    page = open_page(f"#/review/{reviewed['id']}?at={row['number']}", phone=phone)
    for language, rating, why in LANGUAGES:
        speak(page, language)
        page.wait_for_selector(".rv-compare")
        card = reviewed["cards"]["1"]
        figures = page.locator(".rv-figure")
        assert figures.first.locator("dt").inner_text() == rating
        assert float(figures.first.locator("strong").inner_text()) == pytest.approx(card["rating"], abs=0.06)
        assert page.locator(".rv-why h3").inner_text() == why
        assert 1 <= page.locator(".rv-said").count() <= 3
        assert page.locator(".rv-compare thead th").count() == 2
        assert "{" not in page.inner_text(".rv-why")  # every value of a sentence is filled in
        assert fits(page), language


def test_chances_of_the_position_are_not_those_of_declining_a_win(page: Page):
    said = page.evaluate(
        """async () => {
            const { roughly } = await import("/js/review/why.js");
            const outlook = { win: 0.98, lose: 0, draw: 0, other: 0.02 };
            const after = (...kinds) => {
                const choices = kinds.map((kind, action) => ({ kind, action, numbers: {} }));
                return roughly(choices[choices.length - 1], { outlook, choices });
            };
            return [after("ron", "pass"), after("tsumo", "discard"), after("pon", "pass"), after("discard")];
        }"""
    )
    assert said[:2] == [None, None]
    assert [one["win"] for one in said[2:]] == [0.98, 0.98]


def test_only_the_better_half_is_praised(page: Page, reviewed: dict[str, Any]):
    for percentile, praised in ((80, True), (20, False)):
        shown = page.evaluate(
            """async ({ review, percentile }) => {
                const { figures } = await import("/js/review/card.js");
                const of = review.cards["1"].percentiles;
                for (const name of Object.keys(of)) of[name] = percentile;
                return figures(review, 1, null).filter(one => one.better).map(one => one.worse);
            }""",
            {"review": reviewed, "percentile": percentile},
        )
        assert shown
        assert set(shown) == {not praised}


def test_turning_points_lead_to_their_decisions_and_hands_say_what_was_lost(
    open_page: Callable[..., Page], reviewed: dict[str, Any]
):
    page = open_page(f"#/review/{reviewed['id']}")
    page.wait_for_selector(".rv-turning")
    page.evaluate("document.querySelector('.rv-turning').open = true")
    first = reviewed["cards"]["1"]["turning_points"][0]
    page.locator(".rv-turns ol").first.locator("button").first.click()
    page.wait_for_url(re.compile(f"at={first}$"))
    page.wait_for_selector(".rv-hand-loss")
    shown = [abs(float(text.replace("−", "-"))) for text in page.locator(".rv-hand-loss").all_inner_texts()]
    lost = [
        sum(row["loss"] or 0 for row in reviewed["rows"] if row["hand"] == hand)
        for hand in range(len(reviewed["hands"]))
    ]
    assert shown == pytest.approx(lost, abs=0.006)


def test_luck_is_on_the_card_and_its_table_is_whole(open_page: Callable[..., Page], reviewed: dict[str, Any]):
    page = open_page(f"#/review/{reviewed['id']}", phone=True, locale="ja")
    page.wait_for_selector(".rv-figure:nth-child(6):not(.is-waiting)")  # luck, and the rank without it
    page.click("#rv-tab-luck")
    page.wait_for_selector(".rv-sources")
    assert page.locator(".rv-sources thead th").count() == 5
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.rv-sources td')]
            .filter(cell => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth)
            .length"""
    )
    assert cut == 0
    tall = page.evaluate("() => Math.max(...[...document.querySelectorAll('.rv-sources tr')].map(r => r.offsetHeight))")
    assert tall < 60  # labels are not broken into single characters


def test_the_picture_of_the_card_is_drawn_in_the_page(open_page: Callable[..., Page], reviewed: dict[str, Any]):
    page = open_page(f"#/review/{reviewed['id']}")
    page.click(".rv-picture")
    page.wait_for_selector("dialog img")
    address = page.get_attribute("dialog a[download]", "href") or ""
    assert address.startswith("data:image/png;base64,")
    assert len(address) > 20_000
    size = page.evaluate(
        "async () => { const i = document.querySelector('dialog img'); await i.decode();"
        " return [i.naturalWidth, i.naturalHeight]; }"
    )
    assert size == [1200, 630]


@PHONES
def test_a_quiz_is_answered_with_the_hands_own_tiles(
    open_page: Callable[..., Page], reviewed: dict[str, Any], phone: bool
):
    page = open_page(f"#/review/{reviewed['id']}", phone=phone)
    page.wait_for_selector(".rv-choices tbody tr")
    page.click(".rv-quiz-button")
    page.select_option("#rv-quiz-pick", "all")
    page.click(".rv-quiz button.primary")
    page.wait_for_selector(".rv-answers", state="attached")
    while page.locator(".rv-answers button[data-action]").count() and page.get_by_text("Press a tile").count() == 0:
        page.locator(".rv-answers button").last.click()  # a call: only buttons
        page.click(".rv-side > button.primary")
        page.wait_for_selector(".rv-answers", state="attached")
    tile = page.locator(".hand-tile:not(.barred)").first
    tile.click()
    if phone:
        tile.click()  # the first touch lifts the tile
    page.wait_for_selector(".rv-choices .is-best")
    assert page.locator(".rv-mark.answer").count() >= 1
    page.wait_for_selector(".rv-compare")  # why: the answer, not what was played
    assert "Your answer" in page.locator(".rv-compare thead th").first.inner_text()


@pytest.fixture(scope="module")
def watched(server: Any, shared: Path) -> str:
    """A record to watch without a review."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        return str(upload(client, sample(shared, "mjai"), "game.mjai", seat="none").json()["id"])


@PHONES
def test_a_record_is_watched_without_a_review(open_page: Callable[..., Page], watched: str, phone: bool):
    page = open_page(f"#/review/{watched}", phone=phone)
    page.wait_for_selector(".rv-replay-next:not([disabled])")
    assert page.locator(".edge-hand .tile-down").count() == 0  # open hands
    before = page.inner_text(".rv-where")
    page.click(".rv-replay-next")
    page.wait_for_function("before => document.querySelector('.rv-where').innerText !== before", arg=before)
    page.keyboard.press("o")
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile-down').length > 0")
    page.locator(".rv-hands button").nth(1).click()
    page.wait_for_selector(".rv-hands button:nth-child(2)[aria-current='true']")
    for language, *_ in LANGUAGES:
        speak(page, language)
        page.wait_for_selector(".rv-replay-next:not([disabled])")
        assert fits(page), language
        end = page.get_by_role("slider")
        end.focus()
        end.press("End")
        page.wait_for_selector(".rv-winner")
        yaku = page.locator(".rv-winner .soft").last.inner_text()
        assert re.search("[a-z]", yaku) if language == "en" else not re.search("[A-Za-z]", yaku)


@PHONES
def test_the_tables_of_opponents_are_whole(open_page: Callable[..., Page], reviewed: dict[str, Any], phone: bool):
    page = open_page(f"#/review/{reviewed['id']}", phone=phone, locale="ja")
    page.click("#rv-tab-opponents")
    page.wait_for_selector(".rv-danger tbody tr")
    cut = page.evaluate(
        "() => [...document.querySelectorAll('.rv-scroll')].filter(b => b.scrollWidth > b.clientWidth).length"
    )
    assert cut == 0
    tabs = page.locator("[role=tab]").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(tabs) <= page.evaluate("innerWidth")


@pytest.fixture(scope="module")
def everybody(server: Any, shared: Path) -> str:
    """A finished review of all players."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "tenhou6"), "ranked.json", agent="careful")
        return str(finished(client, made.json()["id"])["id"])


@PHONES
def test_all_players_are_in_one_table_that_fits(open_page: Callable[..., Page], everybody: str, phone: bool):
    page = open_page(f"#/review/{everybody}", phone=phone, locale="ja")
    page.wait_for_selector(".rv-card")
    page.locator(".rv-top select").first.select_option(index=0)
    page.wait_for_selector(".rv-everybody")
    assert page.locator(".rv-everybody thead th").count() == 4
    assert page.locator(".rv-everybody tbody tr").count() >= 4
    cut = page.evaluate(
        "() => [...document.querySelectorAll('.rv-card .rv-scroll')].some(b => b.scrollWidth > b.clientWidth)"
    )
    assert not cut
    page.locator(".rv-everybody button").nth(2).click()
    page.wait_for_selector(".rv-card-head")


@pytest.fixture(scope="module")
def guobiao(server: Any, shared: Path) -> dict[str, Any]:
    """A finished review of a Guobiao hand."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "botzone"), "hand.txt", seat="0")
        return finished(client, made.json()["id"])


def odd_one_of(review: dict[str, Any]) -> str:
    """The address of a discard that was not the reviewer's."""
    number = next(row["number"] for row in review["rows"] if not row["agreed"] and not row["reaction"])
    return f"#/review/{review['id']}?at={number}"


def check_guobiao_says_why(page: Page, fan: str) -> None:
    """Reasons are told in fan, and fit."""
    page.wait_for_selector(".rv-compare")
    assert fan in page.inner_text(".rv-compare")
    assert page.locator(".rv-said").count() >= 1
    assert "{" not in page.inner_text(".rv-why")
    assert fits(page)


def test_guobiao_says_why_on_a_phone(open_page: Callable[..., Page], guobiao: dict[str, Any]):
    page = open_page(odd_one_of(guobiao), locale="ja", phone=True)
    check_guobiao_says_why(page, "8番まで")
    speak(page, "zh")
    check_guobiao_says_why(page, "距八番")


def test_guobiao_says_why_and_is_played_on(open_page: Callable[..., Page], guobiao: dict[str, Any]):
    page = open_page(odd_one_of(guobiao))
    check_guobiao_says_why(page, "Tiles missing to eight fan")
    hand = page.locator(".hand-tile").evaluate_all("all => all.map(one => one.dataset.tile)")
    page.click(".rv-onward button")
    page.wait_for_selector("#rv-on-others option[value='greedy']", state="attached")
    page.select_option("#rv-on-others", "greedy")
    page.click("dialog button.primary")
    page.wait_for_selector('.game[data-state="asked"]')
    assert page.locator(".hand-tile").evaluate_all("all => all.map(one => one.dataset.tile)") == hand


def test_what_if_a_game_begins_at_the_position(open_page: Callable[..., Page], reviewed: dict[str, Any]):
    row = next(row for row in reviewed["rows"] if row["turn"] >= 4 and not row["reaction"])
    page = open_page(f"#/review/{reviewed['id']}?at={row['number']}")
    page.wait_for_selector(".rv-onward button")
    hand = page.locator(".hand-tile").evaluate_all("all => all.map(one => one.dataset.tile)")
    page.click(".rv-onward button")
    page.wait_for_selector("#rv-on-others")
    page.select_option("#rv-on-others", "greedy")
    page.click("dialog button.primary")
    page.wait_for_selector('.game[data-state="asked"]')
    assert page.locator(".hand-tile").evaluate_all("all => all.map(one => one.dataset.tile)") == hand
    assert page.locator(".river-tile").count() >= 3
