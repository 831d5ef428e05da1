"""Show one page in several languages and at several addresses: that takes a tenth of what a new page takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browsing import console_error

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

GO = """place => {
    for (const one of document.querySelectorAll("#page > *")) one.dataset.left = "";
    if (location.hash === place) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = place;
}"""


def go(page: Page, place: str) -> None:
    """Go to an address of the app in a page that is open, as a link would; returns when the view before has gone."""
    page.evaluate(GO, place)
    page.wait_for_selector("#page > [data-left]", state="detached")


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


class Visit:
    """A page that goes from view to view as a person does, without loading again."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.errors: list[str] = []
        self.open_requests: set[Request] = set()
        page.on("request", lambda request: self.open_requests.add(request))
        page.on("requestfinished", lambda request: self.open_requests.discard(request))
        page.on("requestfailed", lambda request: self.open_requests.discard(request))
        page.on("pageerror", lambda error: self.errors.append(f"error in the page: {error}"))
        page.on("console", lambda said: self.errors.extend(console_error(said.type, said.text)))
        page.goto(url)
        page.wait_for_selector("#page h1")

    def see(self, place: str) -> Page:
        """Go to a view."""
        go(self.page, place)
        assert not self.page.locator("dialog[open]").count(), "a dialog of the page before"
        return self.page

    def settle(self) -> None:
        """Wait until everything was fetched."""
        quiet = 0
        while quiet < 2:
            self.page.wait_for_timeout(50)
            quiet = 0 if self.open_requests else quiet + 1
