"""Show one page in several languages and at several addresses: that takes a tenth of what a new page takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def go(page: Page, place: str) -> None:
    """Go to an address of the app in a page that is open."""
    page.evaluate(
        """place => {
            document.getElementById("page").replaceChildren();  // what was there is not taken for what comes
            if (location.hash === place) dispatchEvent(new HashChangeEvent("hashchange"));
            else location.hash = place;
        }""",
        place,
    )


def speak(page: Page, language: str) -> None:
    """Change the language of a page, as its list of languages does; the page is drawn anew."""
    page.evaluate(
        """language => {
            document.getElementById("page").replaceChildren();
            const list = document.getElementById("language");
            list.value = language;
            list.dispatchEvent(new Event("change"));
        }""",
        language,
    )
