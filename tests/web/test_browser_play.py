"""Playing and watching in a real browser: whole games by clicks and keys, reloads, lost connections, practice."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from clicking import (
    EAST,
    OPTIONS,
    READY,
    check_result_leaves_hand_visible,
    click_on,
    drawn_last,
    hand_texts,
    next_result,
    offered,
    play_by_itself,
    play_until,
    quick_moves,
    rivers,
    start_game,
    state_of,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

    from conftest import Server

OpenPage = Callable[..., "Page"]
Shot = Callable[["Page", str], None]


# --- whole games


def test_a_whole_east_game(page: Page, shot: Shot) -> None:
    page.wait_for_selector(".agents-grid select")
    quick_moves(page)
    page.select_option("select[name=rules]", EAST)
    page.get_by_label("Your seat").select_option("0")
    for place in page.locator(".agents-grid select").all():
        place.select_option("greedy")
    page.click("details summary")
    page.fill("input[name=seed]", "14")  # a short game, in this seat
    page.click("button[type=submit]")
    page.wait_for_selector(READY)
    play_until(page, ("hand_over",))  # this hand by mouse, the others by themselves
    check_result(page)
    shot(page, "result")
    hands = 1
    play_by_itself(page)
    while state_of(page) != "over":
        next_result(page)
        check_result(page)
        hands += 1
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


def check_result(page: Page) -> None:
    """A hand's result is shown, with the changes of all scores, above the player's tiles."""
    assert page.locator(".result").is_visible()
    assert page.locator(".result .changes").last.locator("tbody tr").count() == 4
    check_result_leaves_hand_visible(page)


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


def test_three_games_in_progress_are_listed_and_the_others_on_request(page: Page) -> None:
    page.wait_for_selector(".agents-grid select")
    ids = [start_game(page, seed=seed) for seed in range(5)]
    page.evaluate("location.hash = '#/play'")
    page.wait_for_selector(f'.resume a[href="#/play/{ids[-1]}"]')
    assert page.locator(".resume .games a:visible").count() == 3
    page.locator(".resume summary").first.click()
    assert page.locator(".resume .games a:visible").count() == 5


def test_an_unknown_game_is_named_and_no_dead_end(open_page: OpenPage) -> None:
    page = open_page("#/play/nothing_here")
    page.get_by_text("There is no such game").first.wait_for()
    page.get_by_role("link", name="To the start page").click()
    page.wait_for_selector(".agents-grid select")


def test_yaku_of_winds_are_named_plainly_and_strong_players_come_first(open_page: OpenPage) -> None:
    page = open_page("#/players")
    page.wait_for_selector(".players-cards")
    names = page.evaluate("""async () => {
        const { scoreName } = await import("./js/names.js");
        const named = [{ name: "seat wind west", romaji: "jikaze shaa" }, { name: "all simples", romaji: "tanyao" }];
        return named.map(scoreName);
    }""")
    assert names == ["Seat wind: west", "All simples (tanyao)"]
    cards = page.locator(".players-cards h3 code").all_inner_texts()
    assert cards.index("mdp") < cards.index("careful") < cards.index("greedy") < cards.index("random")


# --- keyboard


BY_KEYS = 6
"""Decisions that are made by keys; the rest of the hand is played by options that keys have chosen."""


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
    page.wait_for_selector(READY)
    for _ in range(BY_KEYS):
        page.wait_for_selector(READY)
        if state_of(page) == "asked":
            press_on(page)
    for name in OPTIONS:
        page.get_by_label(name).press("Space")
    page.wait_for_selector('.game:is([data-state="hand_over"], [data-state="over"])')
    page.evaluate("document.activeElement.blur()")  # keys are not for the last option any more
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
    assert "loses compared with the best" in legend
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
    play_by_itself(page)
    page.wait_for_selector('.game[data-state="hand_over"]')
    assert page.locator(".result").is_visible()


def test_clock_runs_and_plays_for_the_late(page: Page) -> None:
    start_game(page, time={"base": 1, "extra": 0}, practice=False)
    page.wait_for_selector(".clock-text:not([hidden])")
    assert page.locator(".undo").is_hidden()
    page.wait_for_selector('.seat-layer[data-place="0"] .river-tile')


# --- watching


def settled_rivers(page: Page, looks: int = 20) -> int:
    """How many discards lie on the table once none has come for a second; fails if that is never so."""
    count, same = -1, 0
    for _ in range(60 * looks):
        count, before = len(rivers(page)), count
        same = same + 1 if count == before else 0
        if same == looks:
            return count
        page.wait_for_timeout(50)
    raise AssertionError("the game goes on though it is paused")


def test_watching_agents(open_page: OpenPage, shot: Shot) -> None:
    page = open_page("#/watch")
    page.wait_for_selector(".agents-grid select")
    for place in page.locator(".agents-grid select").all():
        place.select_option("greedy")
    page.click("button[type=submit]")
    page.wait_for_selector('[data-kind="pause"]')
    page.wait_for_selector(".river-tile")
    page.click('[data-kind="pause"]')
    page.get_by_text("Paused.").wait_for()
    count = settled_rivers(page)
    page.click('[data-kind="step"]')
    page.wait_for_function("(n) => document.querySelectorAll('.river-tile').length > n", arg=count)
    box = page.get_by_label("Open hands")
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
    page.wait_for_selector(".agents-grid select")  # the form moves what is below it
    page.get_by_text("greedy_and_random").click()
    page.locator(".match-games button").first.click()
    page.wait_for_selector(".river-tile")
    page.wait_for_function("() => document.querySelectorAll('.edge-hand .tile-down').length === 0")
