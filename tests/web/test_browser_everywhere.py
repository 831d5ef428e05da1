"""Every view in a real browser, on a desktop and a phone, in three languages: whole, translated, without gaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import showing
from access import wider_than_window
from browsing import DESKTOP, SMALL_PHONE
from clicking import start_game
from reviewing import finished, sample, upload

from patience import BROWSER_PATIENCE, PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
LOCALES = ("en", "ja", "zh")
KEY = re.compile(
    r"(?<![\w./:-])(?:act|agent|auto|board|card|career|event|family|hint|idea|level|lobby|logs|nav|number|on|play|pr|"
    r"players|quick|replay|result|rules|rv|shell|speed|tile|time|tools|unit|watch|why|wind)\.[a-z_]+(?:\.[a-z_]+)*"
)
"""The key of a text without words."""
ENGLISH = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}")
"""Three English words in a row."""
COMMANDS = re.compile(r"[“「「”`]?\bjanshi [a-z -]+")
CUT = """() => [...document.querySelectorAll("#page :is(button, th, td, dt, dd, h2, h3, summary, .chip, .button)")]
    .filter(one => one.checkVisibility() && !one.closest(".visually-hidden, .hand-tile, .board, .rv-hands"))
    .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
        && getComputedStyle(one).textOverflow !== "ellipsis")
    .map(one => one.outerHTML.slice(0, 120))"""


def check(page: Page, locale: str) -> None:
    """The view fits, and all of its texts are words of the language."""
    text = page.inner_text("#page")
    assert not KEY.search(text), f"a text without words: {KEY.findall(text)}"
    assert not re.search(r"\{\w+\}", text), f"a value is missing: {re.findall('.{0,30}{.*?}', text)}"
    assert not re.search(r"\b(undefined|NaN|null)\b", text), text
    if locale != "en":
        foreign = ENGLISH.findall(COMMANDS.sub("", text))
        assert not foreign, f"English: {foreign}"
    assert not wider_than_window(page)
    assert page.evaluate(CUT) == [], "cut off"
    assert page.evaluate(SCROLLED) == [], "wider than its place"


@pytest.fixture(scope="module")
def reviewed(server: Any, shared: Path) -> dict[str, Any]:
    """A finished review of all players, by the recommended reviewer."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "tenhou6"), "ranked.json")
        return finished(client, made.json()["id"])


@pytest.fixture(scope="module")
def guobiao(server: Any, shared: Path) -> dict[str, Any]:
    """A finished review of a hand of Guobiao."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        made = upload(client, sample(shared, "botzone"), "hand.txt")
        return finished(client, made.json()["id"])


def dearest(review: dict[str, Any]) -> int:
    """The number of the decision that loses most."""
    return int(max(review["rows"], key=lambda row: row["loss"] or 0)["number"])


SCROLLED = """() => [...document.querySelectorAll("#page *")]
    .filter(one => one.checkVisibility() && !one.matches(".rv-hands, .plot-scroll, textarea"))
    .filter(one => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
    .map(one => `${one.className}: ${one.scrollWidth} > ${one.clientWidth}`)"""
"""Parts of a page that can be scrolled sideways, besides rows of hands and tables of curves."""


class Visit(showing.Visit):
    """A visit in one language on one device."""

    def __init__(self, page: Page, url: str, locale: str) -> None:
        super().__init__(page, url)
        self.locale = locale

    def check(self) -> None:
        """When everything was fetched, the view fits, and all of its texts are words of the language."""
        self.settle()
        check(self.page, self.locale)


@pytest.fixture(scope="module", params=[(locale, phone) for locale in LOCALES for phone in (False, True)], ids=str)
def visit(request: pytest.FixtureRequest, browser: Browser, server: Any) -> Iterator[Visit]:
    """A visit in each language, on a desktop and on a phone as narrow as phones are."""
    locale, phone = request.param
    size = SMALL_PHONE if phone else DESKTOP
    context = browser.new_context(locale=locale, has_touch=phone, is_mobile=phone, viewport=size)  # type: ignore[arg-type]
    context.set_default_timeout(BROWSER_PATIENCE)
    yield Visit(context.new_page(), server.url, locale)
    context.close()


@pytest.fixture(autouse=True)
def no_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """An error in a page's script fails the test that visits it."""
    yield
    if "visit" in request.fixturenames:
        errors: list[str] = request.getfixturevalue("visit").errors
        said, errors[:] = list(errors), []
        assert not said, "\n".join(said)


def test_all_parts_of_a_review(visit: Visit, reviewed: dict[str, Any]) -> None:
    page = visit.see(f"#/review/{reviewed['id']}?at={dearest(reviewed)}")
    page.wait_for_selector(".rv-compare")
    page.wait_for_selector(".rv-figure:nth-child(6):not(.is-waiting)")  # luck has been measured
    for part in page.locator("#page details").all():
        part.evaluate("one => { one.open = true; }")
    visit.check()
    for name in ("mistakes", "opponents", "rates", "luck"):
        page.click(f"#rv-tab-{name}")
        visit.check()
    page.locator("#rv-player").select_option("")
    page.wait_for_selector(".rv-everybody")
    visit.check()


def test_all_parts_of_a_review_of_guobiao(visit: Visit, guobiao: dict[str, Any]) -> None:
    page = visit.see(f"#/review/{guobiao['id']}?at={dearest(guobiao)}")
    page.wait_for_selector(".rv-compare")
    visit.check()
    for name in ("mistakes", "opponents", "rates", "luck"):
        page.click(f"#rv-tab-{name}")
        visit.check()


def test_the_quiz(visit: Visit, reviewed: dict[str, Any]) -> None:
    page = visit.see(f"#/review/{reviewed['id']}")
    page.click(".rv-quiz-button")
    visit.check()
    page.select_option("#rv-quiz-pick", "all")
    page.click(".rv-quiz button.primary")
    page.wait_for_selector(".rv-answers", state="attached")
    visit.check()
    if page.locator(".hand-tile[aria-disabled=true]").count() or not page.locator(".rv-answers button").count():
        page.keyboard.press("1")  # lifts the first tile, as at the table
        page.wait_for_selector(".hand-tile.selected")
        page.keyboard.press("1")
    else:
        page.locator(".rv-answers button").last.click()
    page.wait_for_selector(".rv-answer")
    page.wait_for_selector(".rv-compare")
    visit.check()


def test_watching_a_record_and_playing_on(visit: Visit, reviewed: dict[str, Any]) -> None:
    page = visit.see(f"#/review/{reviewed['id']}")
    page.click(".rv-watch-button")
    page.wait_for_selector(".rv-replay-next:not([disabled])")
    visit.check()
    page.click(".rv-play-on")
    page.wait_for_selector("#rv-on-others option", state="attached")
    names = page.locator("#rv-on-others option").all_inner_texts()
    assert not any(name.startswith(("apprentice", "greedy", "mdp")) for name in names), "opponents have names"
    assert len(set(names)) == len(names)
    words = page.inner_text("dialog")
    assert not KEY.search(words)
    assert visit.locale == "en" or not ENGLISH.search(words)


def test_practice_and_drills(visit: Visit) -> None:
    page = visit.see("#/practice/expert")
    page.wait_for_selector(".rv-side h2")
    visit.check()
    for kind in ("efficiency", "defence"):
        visit.see(f"#/practice/{kind}")
        page.wait_for_selector("#pr-seconds")
        visit.check()
        page.click("button.primary")
        page.wait_for_selector(".pr-question .tile, .pr-question .board")
        visit.check()


@pytest.mark.parametrize("family", ["riichi", "guobiao"])
def test_what_every_discard_leaves(visit: Visit, family: str) -> None:
    tiles = {"riichi": "1348m2267p05s1157z", "guobiao": "147m258p36s12345z1m"}[family]
    page = visit.see(f"#/tools?tool=efficiency&family={family}&tiles={tiles}")
    page.wait_for_selector(".tools-wins strong")  # what a win is worth
    if family == "riichi":
        page.wait_for_selector(".tools-best")  # the chances of winning
    visit.check()


@pytest.mark.parametrize("hand", ["riichi&tiles=234m406p678s22p567m", "guobiao&tiles=123456789m55p789s"])
def test_what_a_hand_is_worth(visit: Visit, hand: str) -> None:
    page = visit.see(f"#/tools?tool=score&family={hand}")
    page.wait_for_selector(".tools-worth")
    visit.check()
    if visit.locale != "en":
        assert not re.search(r"[a-z]{4,}", page.inner_text(".tools-result")), "names in the language of the page alone"


@pytest.mark.parametrize("place", ["#/play", "#/watch", "#/review", "#/career", "#/practice", "#/players"])
def test_pages(visit: Visit, reviewed: dict[str, Any], place: str) -> None:
    page = visit.see(place)
    page.wait_for_selector("#page h1")
    visit.check()


def test_watching_agents_and_the_switch_for_sound(visit: Visit) -> None:
    page = visit.see("#/play")
    page.wait_for_selector(".opponent")
    begun = page.evaluate(
        """async () => {
            const headers = {"content-type": "application/json"};
            const seats = Array(4).fill("greedy");
            const body = JSON.stringify({rules: "riichi/tenhou_east", seats, seed: 3, pace: 60});
            return (await fetch("/api/live", {method: "POST", headers, body})).json();
        }"""
    )
    page.evaluate("({id, key}) => { location.hash = `#/watch/${id}?key=${key}`; }", begun)
    page.wait_for_selector(".board")
    page.locator("details.panel summary").first.wait_for()
    assert page.locator(".auto-row .chip input").is_checked(), "sound is on until it is switched off"
    visit.check()


def test_a_table_with_a_hint(visit: Visit) -> None:
    page = visit.see("#/play")
    page.wait_for_selector(".opponent")
    start_game(page, practice=True)
    page.wait_for_selector('.game[data-state="asked"]')
    page.wait_for_selector(".hint-ask:not([disabled])")
    page.locator(".hint-ask").click()
    page.wait_for_selector(".thought-row")
    visit.check()


def test_a_queued_review_says_so_in_the_list(open_page: Open) -> None:
    """No value of a text is missing while a review waits."""
    page = open_page()
    waiting = {"id": "x" * 16, "created": 1.7e9, "name": "game.mjlog", "format": "mjlog", "family": "riichi"}
    waiting |= {"agent": "apprentice", "seats": [0], "message": "", "total": 9, "done": 0, "worst": None}
    listed = [waiting | {"state": state} for state in ("waiting", "thinking", "failed", "cancelled")]
    page.route("**/api/reviews", lambda route: route.fulfill(json={"reviews": listed}))
    page.evaluate("location.hash = '#/review'")
    page.wait_for_selector(".rv-list li")
    assert "{" not in page.inner_text(".rv-list")
    assert "Stopped by an error" in page.inner_text(".rv-list")


def test_a_drill_is_answered_by_keys(open_page: Open) -> None:
    page = open_page("#/practice/efficiency")
    page.click("button.primary")
    page.wait_for_selector(".pr-hand .pr-tile")
    page.keyboard.press("1")
    page.locator(".pr-clock", has_text="of 1 right").wait_for()


def test_agents_are_called_in_reviews_as_at_the_table(open_page: Open) -> None:
    page = open_page("#/review")
    page.wait_for_selector("#page h1")
    said = page.evaluate(
        """async () => {
            const { playerName } = await import("/js/review/words.js");
            const names = (all) => all.map((_, seat) => playerName({ names: all }, seat));
            return [names(["You", "greedy", "greedy 2", "careful"]), names(["careful", "Ann", "", "random"])];
        }"""
    )
    assert said == [["You", "Yuki", "Yuki 2", "Ken"], ["careful", "Ann", "Seat 3", "random"]]
