"""Reviews in a real browser: uploads, the biggest mistake, the quiz, and the exported file without a server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from reviewing import finished, sample, upload
from showing import go, speak

from janshi.web.owner import COOKIE
from janshi.web.review.routes import DATABASE
from janshi.web.review.store import DONE, ReviewStore
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST = 12
"""Reviews that a browser may keep."""


@pytest.fixture(scope="module")
def server(start_server: Callable[..., Any]) -> Any:
    """A server that compiles nothing in the background, and keeps a dozen reviews of a browser."""
    return start_server("--no-warm", "--quota-reviews", str(MOST))


@pytest.fixture(scope="module")
def reviewed(server: Any, shared: Path) -> dict[str, Any]:
    """A finished review of seat 1."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "tenhou6"), "ranked.json", agent="mdp:seconds=0.01", seat="1")
        return finished(client, made.json()["id"])


def uploaded(page: Page, server: Any) -> dict[str, Any]:
    """The review that a page makes of an upload, once it is finished and its first decision is shown."""
    page.wait_for_url(re.compile(r"#/review/[\w-]{16}"))
    page.wait_for_selector(".rv-choices tbody tr")
    page.wait_for_selector(".rv-progress:empty", state="attached")
    assert page.locator(".hand-tile").count() >= 13
    assert page.locator(".rv-choices tbody tr").count() >= 2
    before = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != before)
    (id,) = re.findall(r"#/review/([\w-]{16})", page.url)
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        review = finished(client, id)
    go(page, f"#/review/{id}")
    page.wait_for_selector(".rv-choices tbody tr")
    return review


def test_a_file_of_guobiao_is_reviewed_in_points_with_luck(
    open_page: Callable[..., Page], server: Any, shared: Path, tmp_path: Path
):
    page = open_page("#/review")  # test_review_api.py has all formats
    file = tmp_path / "game.json"
    file.write_text(sample(shared, "botzone_log"), "utf-8")
    page.set_input_files("#rv-file", file)
    review = uploaded(page, server)
    assert (review["state"], review["name"]) == ("done", "game.json")
    assert review["unit"] == "hand_points"
    assert all(row["loss"] >= 0 for row in review["rows"])
    heads = page.locator(".rv-choices thead").inner_text()
    assert "Loses (points)" in heads
    assert "rvr chooses" in heads
    assert page.locator(".rv-choices .is-best .rv-loss").inner_text() == "0.00"
    assert "deviated at random" in page.inner_text(".rv-meaning")
    assert "lose 1 or more points" in page.inner_text(".rv-cards")
    page.click("#rv-tab-luck")
    page.wait_for_selector("figure.rv-luck")


def test_a_text_is_reviewed_without_values_and_shows_no_cost(open_page: Callable[..., Page], server: Any, shared: Path):
    page = open_page("#/review")
    page.select_option("#rv-agent", "one_player")
    page.fill("#rv-text", sample(shared, "mjai"))
    page.click("form button.primary")
    review = uploaded(page, server)
    assert (review["state"], review["unit"]) == ("done", "probability")
    assert all(row["loss"] is None for row in review["rows"])
    assert page.locator(".rv-loss").count() == 0
    assert page.locator(".rv-choices .is-best .rv-experts").inner_text().endswith("%")
    assert "nothing about what a choice costs" in page.inner_text(".rv-meaning")
    page.select_option("#rv-player", "2")
    page.click("#rv-tab-rates")
    assert page.locator(".rv-rates").count() == 1  # of the player that is looked at
    page.click("#rv-tab-mistakes")
    assert "places" not in page.inner_text(".rv-mistakes")


def test_a_bad_file_is_refused_in_words(open_page: Callable[..., Page]):
    page = open_page("#/review", tolerant=True)
    page.fill("#rv-text", '{"hello": "world"}')
    page.click("form button.primary")
    page.wait_for_selector(".rv-problem:not([hidden])")
    assert "not a record of a game" in page.inner_text(".rv-problem")


def cookie_of(page: Page) -> str | None:
    """Who the server takes this browser for; nobody before its first answer."""
    return next((one["value"] for one in page.context.cookies() if one["name"] == COOKIE), None)


FULL = (
    ("en", "as many as it may keep", "Clear old reviews"),
    ("ja", "保存できる検討は12件まで", "古い検討を削除"),
    ("zh", "最多保存12份分析", "清除旧的分析"),
)


def test_a_full_browser_is_refused_in_words_and_old_reviews_can_be_cleared(open_page: Callable[..., Page], server: Any):
    page = open_page("#/review")
    page.wait_for_selector("#rv-agent option:nth-child(1)", state="attached")
    owner = wait_until(lambda: cookie_of(page), "the browser has its cookie")
    store = ReviewStore(server.data / DATABASE)
    for n in range(MOST):
        made = store.add(owner, f"game {n}", "text", "mdp", [0], {"format": "mjai", "family": "riichi", "hands": []}, 0)
        store.set_state(made, DONE)
    store.close()
    for language, full, clear in FULL:
        speak(page, language)
        page.wait_for_selector(".rv-list li")
        page.fill("#rv-text", '{"type":"start_game"}')
        page.click("form button.primary")
        page.wait_for_selector(".rv-problem:not([hidden])")
        assert full in page.inner_text(".rv-problem")
        assert page.get_by_role("button", name=clear).is_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name=clear).click()
    page.wait_for_function("() => document.querySelectorAll('.rv-list li').length === 10")
    assert "game 11" in page.inner_text(".rv-list")
    assert page.get_by_role("button", name=clear).count() == 0


def dearest(review: dict[str, Any]) -> dict[str, Any]:
    """The mistake that costs most."""
    return max(review["plans"], key=lambda plan: plan["cost"] or 0)  # type: ignore[no-any-return]


def check_biggest_mistake(page: Page, review: dict[str, Any]) -> None:
    """The first of the listed mistakes is the dearest, and pressing it shows it on the board."""
    page.click("#rv-tab-mistakes")
    first = page.locator(".rv-mistake").first
    plan = dearest(review)
    assert first.get_attribute("data-number") == str(plan["worst"])
    assert float(first.locator(".rv-mistake-cost").inner_text()) == pytest.approx(plan["cost"], abs=6e-4)
    first.click()
    page.wait_for_selector(".rv-mistake[aria-current='true']")
    row = review["rows"][plan["worst"]]
    assert f"turn {row['turn']}" in page.inner_text(".rv-where")
    page.click("#rv-tab-choices")
    costs = page.locator(".rv-choices .is-played .rv-loss").first.inner_text()
    assert float(costs.strip()) == pytest.approx(row["loss"], abs=6e-4)
    assert page.locator(".rv-choices .is-best").count() == 1
    assert page.locator(".rv-choices .is-best .rv-experts").inner_text().endswith("%")
    assert "places" in page.inner_text(".rv-meaning")
    assert "does not affect the loss" in page.inner_text(".rv-meaning")


def test_the_biggest_mistake_and_the_panels(
    open_page: Callable[..., Page], reviewed: dict[str, Any], shot: Callable[[Page, str], None]
):
    page = open_page(f"#/review/{reviewed['id']}")
    page.wait_for_selector(".rv-choices tbody tr")
    check_biggest_mistake(page, reviewed)
    shot(page, "review")
    page.click("#rv-tab-mistakes")
    assert page.locator(".rv-mistake-tile .tile").count() > 0
    assert not re.search(r"\d[mpsz]\b", " ".join(page.locator(".rv-mistake .small").all_inner_texts()))
    assert reviewed["names"][1] not in page.inner_text(".rv-mistakes")  # one player's mistakes need no name
    shown = page.locator(".rv-mistake").count()
    page.fill("#rv-threshold", "0")
    page.press("#rv-threshold", "Enter")
    page.wait_for_function("n => document.querySelectorAll('.rv-mistake').length > n", arg=shown)
    for kind in ("discard", "call", "riichi", "fold"):
        page.click(f".rv-kind[data-kind='{kind}']")
    assert page.locator(".rv-mistake .kind-discard").count() == 0
    page.click("#rv-tab-opponents")
    assert page.locator(".rv-tenpai li").count() == 3
    page.click("#rv-tab-rates")
    rate = reviewed["rates"]["1"]["all"]["rate"]
    assert float(page.inner_text("[data-rate='all']")) == pytest.approx(rate, rel=0.01)


def test_steps_by_keyboard(open_page: Callable[..., Page], reviewed: dict[str, Any]):
    page = open_page(f"#/review/{reviewed['id']}?at=5")
    page.wait_for_selector(".rv-choices tbody tr")
    assert "at=5" in page.url
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("at=4"))
    page.keyboard.press("ArrowDown")
    mistakes = [
        row["number"] for row in reviewed["rows"] if not row["agreed"] and (row["loss"] or 0) >= reviewed["bad"]
    ]
    following = min(number for number in mistakes if number > 4)
    page.wait_for_url(re.compile(f"at={following}$"))
    page.keyboard.press("3")
    assert page.get_attribute("#rv-tab-opponents", "aria-selected") == "true"
    assert page.locator(".edge-hand .tile-down").count() > 0
    page.keyboard.press("o")
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile-down').length === 0")


def quiz_is_silent(page: Page) -> None:
    """Nothing on the page shows what was played or what the agent thinks."""
    for secret in (".rv-choices", ".rv-verdict", ".is-best", ".is-played", ".hand-tile.best", ".hand-tile.played"):
        assert page.locator(secret).count() == 0


def answer_quiz(page: Page) -> None:
    """Answer a question: by a button if there is one, else with a tile of the hand."""
    page.wait_for_selector(".rv-answers", state="attached")
    buttons = page.locator(".rv-answers button")
    if buttons.count():
        buttons.last.click()
    else:
        page.locator(".hand-tile:not(.barred)").first.click()
    page.wait_for_selector(".rv-choices .is-best")


def test_the_quiz_hides_the_answer_and_keeps_score(open_page: Callable[..., Page], reviewed: dict[str, Any]):
    page = open_page(f"#/review/{reviewed['id']}")
    page.wait_for_selector(".rv-choices tbody tr")
    page.click(".rv-quiz-button")
    page.click(".rv-quiz button.primary")
    for asked in (1, 2):
        page.wait_for_selector(".rv-answers", state="attached")
        quiz_is_silent(page)
        answer_quiz(page)
        assert page.locator(".rv-mark.answer").count() == 1
        assert f"of {asked} right" in page.inner_text(".rv-score")
        page.click(".rv-side > button.primary")
    page.click(".rv-top > button")
    page.wait_for_selector(".rv-steps")


def test_phone_and_languages(
    open_page: Callable[..., Page], reviewed: dict[str, Any], shot: Callable[[Page, str], None]
):
    page = open_page(f"#/review/{reviewed['id']}", phone=True, locale="ja")
    page.wait_for_selector(".rv-choices tbody tr")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.inner_text("#rv-tab-mistakes") == "ミス"
    assert not page.locator(".rv-keys").is_visible(), "a phone has no keys"
    shot(page, "review-phone")
    page.click(".rv-next")
    page.wait_for_url(re.compile("at=1"))
    go(page, "#/review")
    speak(page, "zh")
    page.wait_for_selector(".rv-drop")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "拖到这里" in page.inner_text(".rv-drop")


def test_the_reviewer_speaks_the_language_of_the_page(
    open_page: Callable[..., Page], server: Any, reviewed: dict[str, Any]
):
    place = f"{server.url}/api/reviews/{reviewed['id']}/decisions?count=100"
    told = httpx.get(place, timeout=PATIENCE).json()["decisions"]
    number = next(one["number"] for one in told if one["steps"] and any(choice["then"] for choice in one["choices"]))
    known = {"mdp", "AI", *(word for name in reviewed["names"] for word in re.findall("[A-Za-z]{2,}", name))}
    page = open_page(f"#/review/{reviewed['id']}?at={number}", locale="ja")
    for language in ("ja", "zh"):
        speak(page, language)
        page.wait_for_selector(".rv-line")
        page.click(".rv-all summary")
        words = page.locator(".rv-choices, .rv-verdict, .rv-line, .rv-meant, .rv-all").all_inner_texts()
        page.click("#rv-tab-mistakes")
        words += page.locator(".rv-mistake").all_inner_texts()
        assert len(words) > 5
        assert {word for text in words for word in re.findall("[A-Za-z]{2,}", text)} <= known


def test_the_exported_file_works_without_a_server(
    open_page: Callable[..., Page], reviewed: dict[str, Any], tmp_path: Path, shot: Callable[[Page, str], None]
):
    page = open_page(f"#/review/{reviewed['id']}")
    page.wait_for_selector(".rv-choices tbody tr")
    with page.expect_download() as download:
        page.click(".rv-export")
    file = tmp_path / "review.html"
    download.value.save_as(file)
    alone = page.context.browser.new_context(offline=True, locale="en").new_page()  # type: ignore[union-attr]
    asked: list[str] = []
    errors: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda error: errors.append(str(error)))
    alone.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    try:
        alone.goto(file.as_uri())
        alone.wait_for_selector(".rv-choices tbody tr")
        check_biggest_mistake(alone, reviewed)
        shot(alone, "review-exported")
        alone.click(".rv-quiz-button")
        alone.click(".rv-quiz button.primary")
        alone.wait_for_selector(".rv-answers", state="attached")
        quiz_is_silent(alone)
        answer_quiz(alone)
        assert "of 1 right" in alone.inner_text(".rv-score")
        assert {url.split(":")[0] for url in asked} <= {"file", "data"}
        assert errors == []
    finally:
        alone.context.close()
