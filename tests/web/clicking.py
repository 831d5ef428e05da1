"""Playing in a real browser, for tests: games are begun, moves made by mouse, the table read off the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

WINS = ("ron", "tsumo")
EAST = "riichi/tenhou_east"
ANOTHER_RESULT = """said => {
    const over = document.querySelector('.game[data-state="hand_over"], .game[data-state="over"]');
    return over !== null && document.querySelector(".result").innerText !== said;
}"""
OPTIONS = ("Auto win", "No calls", "Auto discard")
READY = '.game[data-state="asked"], .game[data-state="hand_over"], .game[data-state="over"]'


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
    page.wait_for_selector(READY)
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


def play_by_itself(page: Page) -> None:
    """Let the page answer for the player from now on."""
    for name in OPTIONS:
        page.get_by_label(name).click()  # what the server said before may show the box empty once more: not `check`


def next_result(page: Page) -> None:
    """Begin the next hand of a game that plays by itself, and wait until it is over."""
    said = page.inner_text(".result")
    press(page, '[data-kind="next"]')
    page.wait_for_function(ANOTHER_RESULT, arg=said)  # a hand may be over before the page is looked at again


def check_result_leaves_hand_visible(page: Page) -> None:
    """The result stands above the player's tiles."""
    below = page.evaluate("document.querySelector('.result').getBoundingClientRect().bottom")
    hand = page.evaluate("document.querySelector('.own-hand').getBoundingClientRect().top")
    assert below <= hand + 1


def hand_texts(page: Page) -> list[str]:
    """The tiles of the hand below."""
    tiles: list[str] = page.eval_on_selector_all(".hand-tile", "all => all.map(one => one.dataset.tile)")
    return tiles


def rivers(page: Page) -> list[str]:
    """All discards, by their texts."""
    tiles: list[str] = page.eval_on_selector_all(".river-tile", "all => all.map(one => one.dataset.tile)")
    return tiles
