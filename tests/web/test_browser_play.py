"""Playing and watching in a real browser: whole games by clicks and keys, reloads, lost connections, small screens."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

    from conftest import Server

SMALL_PHONE = {"width": 360, "height": 640}
WINS = ("ron", "tsumo")
EAST = "riichi/tenhou_east"
READY = '.game[data-state="asked"], .game[data-state="hand_over"], .game[data-state="over"]'
OpenPage = Callable[..., "Page"]
Shot = Callable[["Page", str], None]


def quick_moves(page: Page) -> None:
    """Let moves of the others be shown at once."""
    page.evaluate("localStorage.setItem('janshi.speed', 'instant')")


def start_game(page: Page, agent: str = "greedy", rules: str = EAST, seed: int = 7, **wanted: Any) -> str:
    """Begin a game by the server's interface, as this browser, and go to its table; returns its id."""
    quick_moves(page)
    body = {"rules": rules, "seats": ["you", agent, agent, agent], "seed": seed, **wanted}
    begun = page.evaluate(
        """async (body) => {
            const headers = {"content-type": "application/json"};
            const answer = await fetch("/api/live", {method: "POST", headers, body: JSON.stringify(body)});
            return answer.json();
        }""",
        body,
    )
    page.evaluate("({id, key}) => { location.hash = `#/play/${id}?key=${key}`; }", begun)
    page.wait_for_selector(READY, timeout=120_000)
    return str(begun["id"])


def state_of(page: Page) -> str:
    """What the game waits for."""
    return str(page.get_attribute(".game", "data-state"))


def offered(page: Page) -> list[str]:
    """Kinds of the buttons that are offered."""
    kinds: list[str] = page.eval_on_selector_all(".action-buttons button", "all => all.map(one => one.dataset.kind)")
    return kinds


def press(page: Page, selector: str) -> None:
    """Click the last element of a selector with the mouse, where it is now."""
    x, y = page.eval_on_selector_all(
        selector,
        """all => {
            const box = all[all.length - 1].getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
    )
    page.mouse.click(x, y)


def drawn_last(page: Page) -> None:
    """Discard the last tile of the hand that may go."""
    press(page, ".hand-tile:not(.barred)")


def click_on(page: Page) -> str:
    """Make one decision by mouse: win if possible, else riichi, else pass, else discard; returns what was done."""
    kinds = offered(page)
    for kind in (*WINS, "riichi", "pass"):
        if kind in kinds:
            press(page, f'.action-buttons [data-kind="{kind}"]')
            return kind
    drawn_last(page)
    return "discard"


def play_until(page: Page, wanted: tuple[str, ...], decide: Callable[[Page], str] = click_on, most: int = 300) -> int:
    """Play on until the game is in one of the wanted states; returns how many decisions that took."""
    for count in range(most):
        page.wait_for_selector(READY)
        if state_of(page) in wanted:
            return count
        decide(page)  # the page waits from this moment on
    raise AssertionError(f"the game did not come to {wanted} in {most} decisions")


def hand_texts(page: Page) -> list[str]:
    """The tiles of the hand below."""
    tiles: list[str] = page.eval_on_selector_all(".hand-tile", "all => all.map(one => one.dataset.tile)")
    return tiles


def rivers(page: Page) -> list[str]:
    """All discards, by their texts."""
    tiles: list[str] = page.eval_on_selector_all(".river-tile", "all => all.map(one => one.dataset.tile)")
    return tiles


# --- whole games


def test_whole_east_game_by_clicking(page: Page, shot: Shot) -> None:
    page.wait_for_selector(".agents-grid select")
    quick_moves(page)
    page.select_option("select[name=rules]", EAST)
    for place in page.locator(".agents-grid select").all():
        place.select_option("greedy")
    page.click("details summary")
    page.fill("input[name=seed]", "11")
    page.click("button[type=submit]")
    page.wait_for_selector(READY, timeout=120_000)
    hands = 0
    while True:
        play_until(page, ("hand_over", "over"))
        assert page.locator(".result").is_visible()
        changes = page.locator(".result .changes").last.locator("tbody tr")
        assert changes.count() == 4
        hands += 1
        if state_of(page) == "over":
            break
        if hands == 1:
            shot(page, "result")
        page.click('[data-kind="next"]')
        page.wait_for_function("() => document.querySelector('.game').dataset.state !== 'hand_over'")
    assert hands >= 4
    assert page.locator(".final tbody tr").count() == 4
    points = [text.replace("−", "-") for text in page.locator(".final tbody td:last-child").all_inner_texts()]
    assert abs(sum(float(text.replace("+", "")) for text in points)) < 0.05
    shot(page, "final")
    links = page.locator(".downloads a")
    assert links.count() == 3
    for link, start in zip(links.all(), ("<mjloggm", "{", '{"type":"start_game"')):
        address = link.get_attribute("href")
        text = page.evaluate("async (address) => (await fetch(address)).text()", address)
        assert text.lstrip("﻿").replace(" ", "").startswith(start), text[:80]


def test_guobiao_is_played_too(open_page: OpenPage, shot: Shot) -> None:
    page = open_page(locale="zh-CN")
    start_game(page, rules="guobiao/botzone")
    for _ in range(6):
        page.wait_for_selector(READY)
        if state_of(page) != "asked":
            break
        click_on(page)
        page.wait_for_timeout(50)
    assert page.locator(".river-tile").count() >= 8
    assert page.locator(".dora").count() == 0
    shot(page, "guobiao")


# --- reloads and lost connections


def test_reload_in_mid_hand(page: Page) -> None:
    start_game(page)
    for _ in range(4):
        page.wait_for_selector(READY)
        click_on(page)
        page.wait_for_timeout(60)
    page.wait_for_selector('.game[data-state="asked"]')
    hand, table = hand_texts(page), rivers(page)
    assert len(table) >= 8
    page.reload()
    page.wait_for_selector('.game[data-state="asked"]')
    assert hand_texts(page) == hand
    assert rivers(page) == table
    click_on(page)
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n", arg=len(table))


def test_connection_is_lost_and_found(page: Page, shot: Shot) -> None:
    sockets: list[WebSocketRoute] = []
    refuse = False

    def handle(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if refuse:
            socket.close(code=1001)
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile(r"/api/live/"), handle)
    start_game(page)
    page.wait_for_selector('.game[data-state="asked"]')
    hand = hand_texts(page)
    refuse = True
    sockets[-1].close(code=1001)
    page.wait_for_selector(".connection:not([hidden])")
    assert "lost" in page.inner_text(".connection").lower() or "connecting" in page.inner_text(".connection").lower()
    shot(page, "connection_lost")
    drawn_last(page)  # cannot be sent now, and must not be lost silently
    page.wait_for_selector(".toast-error")
    while len(sockets) < 2:
        page.wait_for_timeout(50)
    refuse = False
    page.wait_for_selector('.game[data-connection="open"]')
    page.wait_for_selector(".connection", state="hidden")
    assert len(sockets) >= 3
    assert hand_texts(page) == hand
    page.wait_for_selector('.game[data-state="asked"]')
    before = len(rivers(page))
    click_on(page)
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n", arg=before)


def test_resume_list_leads_back(page: Page) -> None:
    page.wait_for_selector(".agents-grid select")  # from here on the browser has its cookie
    id = start_game(page, name="Resumed")
    page.evaluate("location.hash = '#/play'")
    page.wait_for_selector(f'.resume a[href="#/play/{id}"]')
    page.click(f'.resume a[href="#/play/{id}"]')
    page.wait_for_selector(READY)
    assert "Resumed" in page.inner_text('.plate[data-place="0"]')


# --- keyboard


def press_on(page: Page) -> str:
    """Make one decision by keys alone."""
    kinds = offered(page)
    for kind, key in (("ron", "v"), ("tsumo", "v"), ("riichi", "l"), ("pass", "x")):
        if kind in kinds:
            page.keyboard.press(key)
            return kind
    page.keyboard.press("ArrowLeft")
    assert page.locator(".hand-tile.selected").count() == 1
    assert page.evaluate("document.activeElement.classList.contains('selected')")
    page.keyboard.press("Enter")
    return "discard"


def test_a_hand_by_keyboard_alone(page: Page) -> None:
    page.wait_for_selector(".agents-grid select")
    quick_moves(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.dataset.quick === 'east'"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(READY, timeout=120_000)
    play_until(page, ("hand_over", "over"), press_on)
    assert page.locator(".result").is_visible()
    assert page.locator("#announcer").text_content()
    if state_of(page) == "hand_over":
        page.keyboard.press("Space")
        page.wait_for_function("() => document.querySelector('.game').dataset.state !== 'hand_over'")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] kbd")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")


def test_number_keys_pick_tiles(page: Page) -> None:
    start_game(page)
    page.wait_for_selector('.game[data-state="asked"]')
    hand = hand_texts(page)
    page.keyboard.press("3")
    assert page.locator(".hand-tile.selected").get_attribute("data-index") == "2"
    before = page.locator('.seat-layer[data-place="0"] .river-tile').count()
    page.keyboard.press("3")
    page.wait_for_function(
        "(n) => document.querySelectorAll('.seat-layer[data-place=\"0\"] .river-tile').length > n", arg=before
    )
    assert page.locator('.seat-layer[data-place="0"] .river-tile').last.get_attribute("data-tile") == hand[2]


# --- practice


def test_hints_and_taking_back(page: Page, shot: Shot) -> None:
    start_game(page)
    page.wait_for_selector('.game[data-state="asked"]')
    page.wait_for_selector(".hint-panel option", state="attached")
    page.select_option(".hint-panel select", "careful")
    page.click(".hint-ask")
    page.wait_for_selector(".thought-row")
    assert page.locator(".hand-tile.best").count() >= 1
    rows = page.locator(".thought-row").count()
    assert rows == len(set(hand_texts(page))) or rows > 5
    legend = page.inner_text(".thought-legend")
    assert "loses against the best" in legend
    assert "Chance" in legend
    shot(page, "hint")
    hand = hand_texts(page)
    click_on(page)
    page.wait_for_function(
        "(old) => [...document.querySelectorAll('.hand-tile')].map(one => one.dataset.tile).join() !== old",
        arg=",".join(hand),
    )
    page.wait_for_selector('.game[data-state="asked"]')
    page.click(".undo")
    page.wait_for_function(
        "(old) => [...document.querySelectorAll('.hand-tile')].map(one => one.dataset.tile).join() === old",
        arg=",".join(hand),
    )


def test_auto_options_play_the_hand(page: Page) -> None:
    start_game(page)
    for name in ("Auto win", "No calls", "Auto discard"):
        page.get_by_label(name).check()
    page.wait_for_selector('.game[data-state="hand_over"]', timeout=60_000)
    assert page.locator(".result").is_visible()


def test_clock_runs_and_plays_for_the_late(page: Page) -> None:
    start_game(page, time={"base": 1, "extra": 0}, practice=False)
    page.wait_for_selector(".clock-text:not([hidden])")
    assert page.locator(".undo").is_hidden()
    page.wait_for_selector('.seat-layer[data-place="0"] .river-tile')


# --- watching


def test_watching_agents(open_page: OpenPage, shot: Shot) -> None:
    page = open_page("#/watch")
    page.wait_for_selector(".agents-grid select")
    for place in page.locator(".agents-grid select").all():
        place.select_option("greedy")
    page.click("button[type=submit]")
    page.wait_for_selector('[data-kind="pause"]', timeout=120_000)
    page.wait_for_selector(".river-tile")
    page.click('[data-kind="pause"]')
    page.get_by_text("Paused.").wait_for()
    page.wait_for_timeout(700)
    count = len(rivers(page))
    page.wait_for_timeout(700)
    assert len(rivers(page)) == count
    page.click('[data-kind="step"]')
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n", arg=count)
    box = page.get_by_label("Open hands (O)")
    box.check()
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile-down').length === 0")
    shot(page, "watch_open")
    box.uncheck()
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile:not(.tile-down)').length === 0")


def test_stored_matches_can_be_watched(open_page: OpenPage, server: Server) -> None:
    place = server.data / "matches" / "greedy_and_random"
    command = [sys.executable, "-m", "janshi", "match", "greedy", "--vs", "random", "--rules", EAST, "--walls", "1"]
    subprocess.run([*command, "--out", str(place)], check=True, capture_output=True)
    page = open_page("#/watch")
    page.get_by_text("greedy_and_random").click()
    page.locator(".match-games button").first.click()
    page.wait_for_selector(".river-tile", timeout=60_000)
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile-down').length === 0")


# --- the table itself


def test_called_tiles_tell_from_whom(page: Page) -> None:
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
    places = page.evaluate(
        """async (calls) => {
            const { calledPlace } = await import("/js/melds.js");
            return calls.map(([seat, from, players, size]) => calledPlace(seat, from, players, size));
        }""",
        [list(call) for call in calls],
    )
    assert places == list(calls.values())


def test_meld_lies_as_it_was_called(page: Page) -> None:
    lying = page.evaluate(
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


def test_places_at_the_table(page: Page) -> None:
    places = page.evaluate(
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
    for name in ("Auto win", "No calls", "Auto discard"):
        page.get_by_label(name).check()
    page.wait_for_selector('.game[data-state="hand_over"]', timeout=60_000)
    assert overflow(page) <= 0
    shot(page, "phone_result")


RAW_KEY = re.compile(
    r"(?<![\w./])(?:act|agent|auto|board|event|family|hint|lobby|nav|play|quick|result|rules|shell|speed|time|tile|watch|wind)\.[a-z_]+"
)


@pytest.mark.parametrize(
    ("locale", "words"),
    [("ja", ("対局", "ヒント", "東1局")), ("zh-CN", ("对局", "提示", "东1局")), ("en", ("Play", "Hint", "East 1"))],
)
def test_languages(open_page: OpenPage, locale: str, words: tuple[str, ...], shot: Shot) -> None:
    page = open_page(locale=locale)
    page.wait_for_selector(".agents-grid select")
    lobby = page.inner_text("body")
    start_game(page)
    table = page.inner_text("body")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    text = lobby + table + page.inner_text("dialog")
    for word in words:
        assert word in text
    assert not RAW_KEY.search(text), RAW_KEY.findall(text)
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    shot(page, f"table_{locale[:2]}")


def test_language_can_be_changed(page: Page) -> None:
    page.wait_for_selector(".agents-grid select")
    page.select_option("#language", "ja")
    page.get_by_text("対局開始").wait_for()
    page.reload()
    page.get_by_text("対局開始").wait_for()


def test_every_language_has_every_word(page: Page) -> None:
    missing = page.evaluate(
        """async () => {
            const found = [];
            for (const name of ["common", "play"]) {
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


def test_every_key_in_the_scripts_has_words(page: Page) -> None:
    known = set(
        page.evaluate(
            """async () => {
                const words = await Promise.all(["common", "play"].map(name => import(`/js/words/${name}.js`)));
                return words.flatMap(one => Object.keys(one.default.en));
            }"""
        )
    )
    folder = Path(__file__).parents[2] / "src" / "janshi" / "web" / "static" / "js"
    others = re.compile(r"^(review|tools|players)")
    mine = [path for path in folder.glob("*.js") if not others.match(path.name)]
    used = {key for path in mine for key in re.findall(r'\bt\("([a-z0-9_.]+)"', path.read_text("utf-8"))}
    assert used - known == set()


def test_first_view_is_fast(open_page: OpenPage) -> None:
    """The fastest of a few views: whatever else the machine does is not the page's."""
    times = []
    for _ in range(6):
        page = open_page()
        page.wait_for_selector(".quick-card")
        times.append(page.evaluate("performance.now()"))
        if times[-1] < 1000:
            break
    assert min(times) < 1000


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


def test_tiles_are_drawn_and_red_fives_differ(page: Page) -> None:
    page.wait_for_selector(".quick-card")
    drawn = page.evaluate(
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


def test_unknown_game_is_told_in_words(open_page: OpenPage) -> None:
    page = open_page("#/play/nothing_here")
    page.get_by_text("there is no such game").first.wait_for()
