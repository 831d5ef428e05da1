"""The table as people meet it, in a real browser: opponents, sounds, motion, results, waiting, and what phones show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from access import wider_than_window
from clicking import (
    READY,
    check_result_leaves_hand_visible,
    click_on,
    next_result,
    play_by_itself,
    start_game,
    state_of,
)
from showing import go, speak

from janshi.web.figures import measured
from janshi.web.live.agents import agents_of

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

LANGUAGES = ("en", "ja", "zh")
OpenPage = Callable[..., "Page"]
Shot = Callable[["Page", str], None]
COUNT_SOUNDS = """() => {
    window.sounds = 0;
    for (const name of ["AudioBufferSourceNode", "OscillatorNode"]) {
        const start = window[name].prototype.start;
        window[name].prototype.start = function (...given) { window.sounds += 1; return start.apply(this, given); };
    }
}"""


# --- opponents


def easiest() -> list[str]:
    """The three easiest riichi opponents that try to win, the weakest first."""
    found = [
        one["label"] for one in agents_of("riichi") if one["rating"] and one["name"] not in ("random", "tsumogiri")
    ]
    return found[-3:][::-1]


def names_of(page: Page, labels: list[str]) -> list[str]:
    """What the page calls opponents."""
    return list(
        page.evaluate(
            """async (labels) => {
                const { whoIs } = await import("/js/opponents.js");
                return labels.map((label) => whoIs(label));
            }""",
            labels,
        )
    )


@pytest.mark.parametrize("phone", [False, True])
def test_opponents_in_the_lobby(open_page: OpenPage, shot: Shot, phone: bool) -> None:
    page = open_page(phone=phone)
    for language in LANGUAGES:
        speak(page, language)
        page.wait_for_selector(".opponent")
        check_lobby(page, phone)
        shot(page, f"lobby-{language}-{'phone' if phone else 'desktop'}")


def check_lobby(page: Page, phone: bool) -> None:
    """Opponents are named and rated, and the cards of quick games stand in line."""
    cards = page.locator(".opponent")
    names = names_of(page, easiest())
    assert not set(names) & set(easiest())
    assert page.locator(".opponent strong").all_inner_texts() == names
    assert cards.locator("svg.portrait").count() == 3
    assert cards.locator(".level-dots i.full").count() >= 3
    assert easiest()[0] in page.locator(".opponent-id").first.inner_text()
    ratings = page.locator(".agents-grid select").first.locator("option").all_inner_texts()
    values = [int(text.split(" · ")[2].replace(",", "")) for text in ratings if text.count(" · ") == 2]
    assert values == sorted(values, reverse=True)
    assert len(values) >= 8
    assert wider_than_window(page) <= 0
    tops = page.eval_on_selector_all(".quick-card strong", "all => all.map(one => one.getBoundingClientRect())")
    assert len({round(box["x"]) for box in tops}) == (1 if phone else len(tops))
    lefts = page.eval_on_selector_all(
        ".quick-card", "all => all.map(one => one.querySelector('strong').getBoundingClientRect().x - one.offsetLeft)"
    )
    assert max(lefts) - min(lefts) < 2, "the cards' texts begin at different distances from their edges"
    if phone:
        check_navigation(page)
    else:
        assert len({round(box["y"]) for box in tops}) == 1


def check_navigation(page: Page) -> None:
    """Every page can be reached on a phone."""
    nav = page.evaluate(
        """() => {
            const nav = document.querySelector(".shell-nav");
            return [nav.scrollWidth - nav.clientWidth, nav.children.length];
        }"""
    )
    assert nav[1] >= 5
    assert nav[0] <= 0, "a page's name is cut off"


def test_a_first_game_is_against_the_easiest_and_shows_who_they_are(page: Page, shot: Shot) -> None:
    page.wait_for_selector('[data-quick="first"] .portrait')
    page.click('[data-quick="first"]')
    page.wait_for_selector(READY)
    plates = " ".join(page.locator(".plate").all_inner_texts())
    for name, agent in zip(names_of(page, easiest()), easiest()):
        assert name in plates
        assert agent in plates
    assert page.locator(".plate svg.portrait").count() == 3
    shot(page, "first-game")


def test_equal_opponents_are_numbered(page: Page) -> None:
    start_game(page, "greedy")
    names = sorted(page.locator(".plate-name").all_inner_texts())
    assert names == ["You", "Yuki 1", "Yuki 2", "Yuki 3"]


# --- sound and motion


def test_sounds_are_made_and_can_be_switched_off(page: Page) -> None:
    page.evaluate(COUNT_SOUNDS)
    start_game(page, seed=11)
    for _ in range(2):
        page.wait_for_selector(READY)
        click_on(page)
    page.wait_for_function("() => window.sounds > 0")
    page.get_by_label("Sound", exact=True).uncheck()
    page.wait_for_selector('.game[data-state="asked"]')
    before = page.evaluate("window.sounds")
    tiles = page.locator(".river-tile").count()
    click_on(page)
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n + 2", arg=tiles)
    assert page.evaluate("window.sounds") == before
    page.get_by_label("Settings").click()
    assert not page.get_by_label("Sounds at the table").is_checked()


def test_what_is_heard_of_events(page: Page) -> None:
    heard = page.evaluate(
        """async () => {
            const { soundOf } = await import("/js/sound.js");
            const draw = { type: "draw", seat: 1 };
            const discard = { type: "discard", seat: 1, tile: "1m", tsumogiri: false, riichi: false };
            const own = { own: 1, asked: false };
            return [
                soundOf([draw], own), soundOf([draw], { own: 0, asked: false }), soundOf([discard, draw], own),
                soundOf([discard], { own: 0, asked: true }), soundOf([{ ...discard, riichi: true }], own),
                soundOf([{ type: "call", seat: 2 }], own), soundOf([discard, { type: "win", seat: 2 }], own),
                soundOf([{ type: "end", kind: "exhaustive draw", changes: [] }], own), soundOf([], own),
            ];
        }"""
    )
    assert heard == ["draw", None, "discard", "ask", "riichi", "call", "win", "end", None]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_drawn_tiles_move_unless_motion_is_reduced(open_page: OpenPage, motion: str) -> None:
    page = open_page(reduced_motion=motion)
    start_game(page)
    page.wait_for_selector('.game[data-state="asked"]')
    click_on(page)
    page.wait_for_selector(".hand-tile.drawn.fresh")
    seconds = page.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('.hand-tile.drawn.fresh')).animationDuration)"
    )
    assert seconds > 0.1 if motion == "no-preference" else seconds < 0.001


# --- results


def test_results_leave_the_hand_visible_on_a_phone(open_page: OpenPage, shot: Shot) -> None:
    page = open_page(phone=True)  # test_browser_play.py looks at a desktop's
    start_game(page, seed=11)
    play_by_itself(page)
    page.wait_for_selector('.game[data-state="hand_over"]')
    check_result_leaves_hand_visible(page)
    while state_of(page) != "over":
        next_result(page)
        check_result_leaves_hand_visible(page)
    assert page.locator(".final tbody tr").count() == 4
    shot(page, "final-phone")


def test_indicators_are_called_indicators(page: Page) -> None:
    words = page.evaluate(
        """async () => {
            const words = (await import("/js/words/play.js")).default;
            return ["en", "ja", "zh"].map(one => [words[one]["result.dora"], words[one]["result.ura"]]);
        }"""
    )
    assert words == [
        ["Dora indicators", "Ura-dora indicators"],
        ["ドラ表示牌", "裏ドラ表示牌"],
        ["宝牌指示牌", "里宝牌指示牌"],
    ]


# --- waiting, and boxes that are wide enough


@pytest.mark.parametrize("phone", [False, True])
def test_a_table_that_is_not_ready_says_what_it_waits_for(open_page: OpenPage, shot: Shot, phone: bool) -> None:
    page = open_page(phone=phone)
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    released = False
    waiting = {
        "type": "waiting",
        "code": "getting_ready",
        "values": {
            "doing": {"code": "loading_agent", "values": {"agent": "mdp"}, "message": "the agent mdp"},
            "seconds": 9,
        },
        "message": "Janshi is getting ready (the agent mdp, 9 s)",
    }

    def handle(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            socket.send(message) if released else held.append((socket, message))

        socket.connect_to_server().on_message(pass_on)
        socket.send(json.dumps(waiting))

    page.wait_for_selector(".opponent")
    page.route_web_socket(re.compile(r"/api/live/"), handle)
    page.click('[data-quick="first"]')
    page.locator(".beginning", has_text="Preparing the table").wait_for()
    page.locator(".beginning", has_text="the agent mdp, 9 s").wait_for()
    assert wider_than_window(page) <= 0
    box = page.locator(".beginning").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.evaluate("innerWidth")
    shot(page, f"not-ready-{'phone' if phone else 'desktop'}")
    released = True
    for socket, message in held:
        socket.send(message)
    page.wait_for_selector(".beginning", state="hidden")
    assert page.locator(".hand-tile").count() >= 13


CLIPPED = """() => {
    const measure = document.createElement("canvas").getContext("2d");
    return [...document.querySelectorAll("select")].filter(one => one.checkVisibility()).flatMap(one => {
        const style = getComputedStyle(one);
        measure.font = style.font;
        const arrow = style.appearance === "none" ? 0 : 20;
        const room = one.clientWidth - arrow - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [...one.options].filter(option => measure.measureText(option.text).width > room + 1)
            .map(option => `${option.text} needs more than ${Math.round(room)}`);
    });
}"""


@pytest.mark.parametrize("phone", [False, True])
def test_choices_are_wide_enough_for_their_texts(open_page: OpenPage, phone: bool) -> None:
    page = open_page(phone=phone)
    places = (("play", ".opponent"), ("tools", ".tools-palette"), ("players", ".players-cards"), ("watch", ".opponent"))
    game = ""
    for language in LANGUAGES:
        speak(page, language)
        for place, there in places:
            go(page, f"#/{place}")
            page.wait_for_selector(there)
            assert page.evaluate(CLIPPED) == [], (language, place)
        if game:
            go(page, f"#/play/{game}")
            page.wait_for_selector(READY)
        else:
            game = start_game(page)
        page.wait_for_selector(".hint-panel option", state="attached")
        assert page.evaluate(CLIPPED) == [], (language, "game")


# --- help, logs, players and tools


@pytest.mark.parametrize("phone", [False, True])
def test_help_on_a_phone_is_about_fingers_not_keys(open_page: OpenPage, phone: bool) -> None:
    page = open_page(phone=phone)
    page.wait_for_selector(".opponent")
    page.get_by_label("Settings").click()
    page.locator("dialog[open]").get_by_role("button", name="Help" if phone else "Help and keys").click()
    dialog = page.locator("dialog[open]").last
    dialog.get_by_text("Tap a tile to lift it" if phone else "Everything can be done").first.wait_for()
    assert (dialog.locator("kbd").count() > 0) is not phone


def test_the_upload_page_says_how_to_get_logs(open_page: OpenPage) -> None:
    page = open_page("#/review", phone=True)
    for language, words in zip(LANGUAGES, ("Mahjong Soul", "雀魂", "雀魂"), strict=True):
        speak(page, language)
        page.locator(".getting-logs summary").click()
        page.locator(".getting-logs h3", has_text=words).wait_for()
        text = page.locator(".getting-logs").inner_text()
        assert "tenhou.net/6/?log=" in text
        assert "logs." not in text
        assert wider_than_window(page) <= 0, language


def test_figures_of_players_are_whole_on_a_phone(open_page: OpenPage, shot: Shot) -> None:
    page = open_page("#/players", phone=True)
    for language in LANGUAGES:
        speak(page, language)
        page.wait_for_selector(".players-figures")
        check_figures(page)
        shot(page, f"players-{language}-phone")


def check_figures(page: Page) -> None:
    """Nothing of the players' figures is cut off, and each has a face."""
    cut = page.eval_on_selector_all(
        ".players-figures, .players-card", "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    )
    assert cut == 0
    right = page.eval_on_selector_all(
        ".players-figures td", "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
    )
    assert right <= page.evaluate("innerWidth")
    assert page.locator(".players-card .portrait").count() == page.locator(".players-card").count()
    share = measured()["agreement"]["apprentice"]["share"]
    assert f"{100 * share:.1f}%" in page.locator(".players-card", has_text="apprentice").first.inner_text()


def test_efficiency_has_a_second_step_a_chance_of_winning_and_points(open_page: OpenPage, shot: Shot) -> None:
    page = open_page("#/tools?tool=efficiency&tiles=1348m2267p05s1157z")
    page.wait_for_selector(".tools-discards")
    page.wait_for_selector(".tools-best")
    row = page.locator('[data-discard="1m"]')
    assert "15.3" in row.inner_text()
    win, points = row.locator(".tools-promise").all_inner_texts()
    assert win.endswith("%")
    assert points.startswith("+")
    cut = "() => { const box = document.querySelector('.tools-scroll'); return box.scrollWidth - box.clientWidth; }"
    assert page.evaluate(cut) <= 0, "figures are cut off"
    assert "dealer's first turn" in page.locator(".tools-note").inner_text()
    shot(page, "efficiency")
