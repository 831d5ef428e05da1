"""The look of the app in a real browser: the table, small screens, languages, themes, work of the first view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clicking import READY, offered, play_by_itself, rivers, start_game, state_of
from showing import go, speak

from patience import BROWSER_PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from conftest import Server

MOST_REQUESTS, MOST_BYTES = 60, 500_000
"""Of the first view."""
SMALL_PHONE = {"width": 360, "height": 640}
OpenPage = Callable[..., "Page"]
Shot = Callable[["Page", str], None]


# --- the table itself


@pytest.fixture(scope="module")
def modules(browser: Browser, server: Server) -> Iterator[Page]:
    """One page for tests that only ask its modules."""
    context = browser.new_context(locale="en")
    context.set_default_timeout(BROWSER_PATIENCE)
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_selector(".quick-card")
    yield page
    context.close()


def test_called_tiles_tell_from_whom(modules: Page) -> None:
    calls = {  # seat, from, players, tiles of the meld: place from the left
        (0, 3, 4, 3): 0,
        (0, 2, 4, 3): 1,
        (0, 1, 4, 3): 2,
        (2, 1, 4, 4): 0,
        (2, 3, 4, 4): 3,
        (1, 3, 4, 4): 1,
        (0, 2, 3, 3): 0,
        (0, 1, 3, 3): 2,
    }
    places = modules.evaluate(
        """async (calls) => {
            const { calledPlace } = await import("/js/melds.js");
            return calls.map(([seat, from, players, size]) => calledPlace(seat, from, players, size));
        }""",
        [list(call) for call in calls],
    )
    assert places == list(calls.values())


def test_meld_lies_as_it_was_called(modules: Page) -> None:
    lying = modules.evaluate(
        """async () => {
            const { meldElement } = await import("/js/melds.js");
            const show = (meld) => [...meldElement(meld, 0, 4, String).children].map(one =>
                one.classList.contains("meld-pile") ? [...one.children].map(two => two.dataset.tile).join("/")
                : (one.classList.contains("tile-sideways") ? "<" : "") + one.dataset.tile);
            return [
                show({kind: "chi", tiles: ["3m", "4m", "0m"], called: 1, from: 3}),
                show({kind: "pon", tiles: ["0p", "5p", "5p"], called: 0, from: 1}),
                show({kind: "open_kan", tiles: ["1z", "1z", "1z", "1z"], called: 0, from: 2}),
                show({kind: "added_kan", tiles: ["5s", "5s", "5s", "0s"], called: 1, from: 2}),
                show({kind: "concealed_kan", tiles: ["0s", "5s", "5s", "5s"], called: null, from: null}),
            ];
        }"""
    )
    assert lying == [
        ["<4m", "3m", "0m"],
        ["5p", "5p", "<0p"],
        ["1z", "<1z", "1z", "1z"],
        ["5s", "0s/5s", "5s"],
        ["?", "5s", "5s", "?"],
    ]


def test_places_at_the_table(modules: Page) -> None:
    places = modules.evaluate(
        """async () => {
            const { placeOf } = await import("/js/board.js");
            return [4, 3].map(players => Array.from({length: players}, (_, seat) => placeOf(seat, 1, players)));
        }"""
    )
    assert places == [[3, 0, 1, 2], [3, 0, 1]]


# --- sizes, languages, speed


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_phone(open_page: OpenPage, shot: Shot) -> None:
    page = open_page(phone=True, viewport=SMALL_PHONE, color_scheme="dark")
    page.wait_for_selector(".agents-grid select")
    assert overflow(page) <= 0
    start_game(page, practice=True)
    page.wait_for_selector('.game[data-state="asked"]')
    assert overflow(page) <= 0
    assert page.locator("kbd:visible").count() == 0, "a phone has no keys"
    assert page.evaluate("document.querySelector('.action-bar').getBoundingClientRect().bottom <= innerHeight")
    width = page.evaluate("document.querySelector('.hand-tile').getBoundingClientRect().width")
    assert width >= 23.5
    before = len(rivers(page))
    last = page.locator(".hand-tile:not(.barred)").last
    last.tap()
    page.wait_for_selector(".hand-tile.selected")
    assert len(rivers(page)) == before
    page.locator(".hand-tile.selected").tap()
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n", arg=before)
    shot(page, "phone")
    play_by_itself(page)
    page.wait_for_selector('.game[data-state="hand_over"]')
    assert overflow(page) <= 0
    shot(page, "phone_result")


RAW_KEY = re.compile(
    r"(?<![\w./])(?:act|agent|auto|board|event|family|hint|lobby|nav|play|quick|result|rules|shell|speed|time|tile|watch|wind)\.[a-z_]+"
)


LANGUAGES = {"ja": ("対局", "ヒント", "東1局"), "zh": ("对局", "提示", "东1局"), "en": ("Play", "Hint", "East 1")}


def test_languages(open_page: OpenPage, shot: Shot) -> None:
    page = open_page(locale="zh-CN")
    page.wait_for_selector(".agents-grid select")
    assert page.evaluate("document.documentElement.lang") == "zh", "the browser's language at first"
    game = start_game(page)
    for language, words in LANGUAGES.items():
        go(page, "#/play")
        speak(page, language)
        page.wait_for_selector(".agents-grid select")
        lobby = page.inner_text("body")
        go(page, f"#/play/{game}")
        page.wait_for_selector(READY)
        table = page.inner_text("body")
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open]")
        text = lobby + table + page.inner_text("dialog")
        for word in words:
            assert word in text
        assert not RAW_KEY.search(text), RAW_KEY.findall(text)
        assert page.evaluate("document.documentElement.lang") == language
        shot(page, f"table_{language}")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")


def test_language_can_be_changed(page: Page) -> None:
    page.wait_for_selector(".agents-grid select")
    page.select_option("#language", "ja")
    page.get_by_text("対局開始").wait_for()
    page.reload()
    page.get_by_text("対局開始").wait_for()


def test_every_language_has_every_word(modules: Page) -> None:
    missing = modules.evaluate(
        """async () => {
            const found = [];
            for (const name of ["common", "play", "opponents"]) {
                const words = (await import(`/js/words/${name}.js`)).default;
                for (const language of ["ja", "zh"]) {
                    const own = new Set(Object.keys(words[language]));
                    found.push(...Object.keys(words.en).filter(key => !own.has(key)).map(key => `${language} ${key}`));
                }
            }
            return found;
        }"""
    )
    assert [key for key in missing if "agent." not in key] == []


def test_every_key_in_the_scripts_has_words(modules: Page) -> None:
    known = set(
        modules.evaluate(
            """async () => {
                const names = ["common", "play", "opponents"];
                const words = await Promise.all(names.map(name => import(`/js/words/${name}.js`)));
                return words.flatMap(one => Object.keys(one.default.en));
            }"""
        )
    )
    folder = Path(__file__).parents[2] / "src" / "janshi" / "web" / "static" / "js"
    others = re.compile(r"^(review|tools|players)")
    mine = [path for path in folder.glob("*.js") if not others.match(path.name)]
    used = {key for path in mine for key in re.findall(r'\bt\("([a-z0-9_.]+)"', path.read_text("utf-8"))}
    assert used - known == set()


def test_first_view_needs_little(page: Page) -> None:
    """What a browser loads before the first view is there, in requests and bytes."""
    page.wait_for_selector(".quick-card")
    loaded = page.evaluate(
        """() => performance.getEntriesByType("resource").map(one => [one.name, one.encodedBodySize])"""
    )
    assert 5 < len(loaded) <= MOST_REQUESTS, loaded
    assert 10_000 < sum(size for _, size in loaded) <= MOST_BYTES, loaded


def test_nothing_jumps_while_playing(page: Page) -> None:
    start_game(page)
    page.evaluate(
        """() => {
            window.shifted = 0;
            const add = list => { for (const one of list.getEntries()) window.shifted += one.value; };
            new PerformanceObserver(add).observe({type: "layout-shift", buffered: false});
        }"""
    )
    for _ in range(5):
        page.wait_for_selector(READY)
        if state_of(page) != "asked":
            break
        page.wait_for_timeout(550)  # shifts soon after a press do not count for the browser; ours should not either
        page.keyboard.press("x" if "pass" in offered(page) else "d")
    assert page.evaluate("window.shifted") < 0.02


def test_tiles_are_drawn_and_red_fives_differ(modules: Page) -> None:
    drawn = modules.evaluate(
        """() => {
            const all = [...document.querySelectorAll("svg.tile-symbols symbol")];
            return Object.fromEntries(all.map(one => [one.id, one.innerHTML]));
        }"""
    )
    assert len(drawn) == 37 + 1
    assert len(set(drawn.values())) == len(drawn)
    for suit in "mps":
        assert "ink-gem" in drawn[f"tile-0{suit}"]
        assert "ink-gem" not in drawn[f"tile-5{suit}"]
        assert not re.search("ink-(blue|green)", drawn[f"tile-0{suit}"])


def test_themes(open_page: OpenPage, shot: Shot) -> None:
    page = open_page(color_scheme="dark")
    page.wait_for_selector(".quick-card")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Settings").click()
    page.get_by_label("Light", exact=True).check()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.get_by_label("Numbers in the corners of tiles").check()
    assert page.evaluate("document.documentElement.dataset.corners") == "yes"
    shot(page, "settings")
    page.reload()
    page.wait_for_selector(".quick-card")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light
