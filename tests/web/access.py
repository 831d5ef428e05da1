"""What tests of accessibility ask a page: names of controls, order of focus, contrast of texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "access.js").read_text(encoding="utf-8").partition("\n")[2].strip().removesuffix(";")


def ask(page: Page, question: str) -> Any:
    """Run one of the functions of `access.js` in a page."""
    return page.evaluate(f"() => {SCRIPT}.{question}()")


def nameless(page: Page) -> list[str]:
    """Controls without a name."""
    return list(ask(page, "nameless"))


def pale(page: Page) -> list[str]:
    """Texts that are hard to see."""
    return list(ask(page, "pale"))


def leave_focus(page: Page) -> None:
    """Let nothing be focused, so that Tab begins at the top."""
    page.evaluate("""() => {
        document.body.tabIndex = -1;
        document.body.focus();  // from here on, wherever the focus was before
        document.body.blur();
        document.body.removeAttribute("tabindex");
    }""")


def tab_through(page: Page, most: int = 60) -> list[dict[str, Any]]:
    """What Tab reaches, in order, until it comes round; each with its size and whether its focus is shown."""
    leave_focus(page)
    reached: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        found = ask(page, "focus")
        if found is None or (reached and found["what"] == reached[0]["what"]):
            break
        reached.append(found)
    return reached


def wider_than_window(page: Page) -> bool:
    """Whether the page has to be scrolled sideways."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth > innerWidth + 1"))
