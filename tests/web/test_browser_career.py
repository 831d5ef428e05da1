"""My games in a real browser: dropped files, who one is, figures, reviews, deletion; on a phone, in all languages."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from access import nameless, pale
from showing import speak

from own_games import ME, MINE, OTHERS, played_name, played_text, write_games
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

TITLES = {"en": "My games", "ja": "戦績", "zh": "我的战绩"}
DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], name));
  }
  document.querySelector(".career-drop").dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
  );
}"""


def ready(server: Any) -> None:
    """Six games of the person are there and measured."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        if client.get("/api/career/state").json()["games"] < len(MINE) + len(OTHERS):
            files = [("files", (played_name(seed), played_text(seed))) for seed in (*MINE, *OTHERS)]
            client.post("/api/career/files", files=files)
            wait_until(lambda: not client.get("/api/career/state").json()["importing"]["uploads"], "all is read")
        client.put("/api/career/names", json={"names": [ME]})
        wait_until(lambda: not client.get("/api/career/state").json()["luck"]["waiting"], "luck is measured")


def test_from_dropped_files_to_figures_and_to_an_empty_page(
    open_page: Callable[..., Page], server: Any, tmp_path: Path
):
    httpx.delete(f"{server.url}/api/career", timeout=PATIENCE).raise_for_status()  # of other tests
    page = open_page("#/career")
    page.wait_for_selector(".career-drop")
    good = [(played_name(seed), base64.b64encode(played_text(seed)).decode()) for seed in MINE]
    page.evaluate(DROP, [*good, ("notes.json", base64.b64encode(b"{}").decode())])
    page.wait_for_selector(f".career-players button:has-text('{ME}')")
    assert page.locator(".career-counts").inner_text().startswith(f"Imported: {len(MINE)} games.")
    page.locator(".career-bad summary").click()
    assert "notes.json" in page.inner_text(".career-bad")
    page.fill("#career-search", "zzz")
    page.wait_for_selector("text=No player of this name")
    page.fill("#career-search", ME)
    page.locator(f".career-players button:has-text('{ME}')").click()
    page.click("text=That's me")
    page.wait_for_selector(".career-tiles")
    assert ME in page.inner_text(".career-whose")
    page.wait_for_selector(".career-games tbody tr")
    assert page.locator(".career-games tbody tr").count() == len(MINE)
    page.wait_for_selector(".career-sources")  # luck has been measured, and the page shows it by itself
    assert page.locator(".career-figures tbody tr").count() == 16
    export_and_delete_everything(page)
    choose_a_folder(page, tmp_path)


def export_and_delete_everything(page: Page) -> None:
    """A download of all, and after a second question nothing is left."""
    with page.expect_download() as started:
        page.click("text=Export everything")
    assert started.value.suggested_filename == "janshi-career.zip"
    page.click(".career-everything >> text=Delete everything")
    page.click("dialog >> text=Keep it")
    assert page.locator(".career-tiles").count()
    page.click(".career-everything >> text=Delete everything")
    page.click("dialog button.primary")
    page.wait_for_selector(".career-drop-title")
    page.wait_for_selector(".career-tiles", state="detached")


def choose_a_folder(page: Page, place: Path) -> None:
    """The games of a folder are imported, anything else is passed over."""
    folder = write_games(place / "mine", MINE[:2])
    (folder / "picture.png").write_bytes(b"no record")
    page.wait_for_selector(".career-drop")
    page.set_input_files("#career-folder", folder)
    page.wait_for_selector(".career-players button")
    assert page.inner_text(".career-counts").startswith("Imported: 2 games. Copies skipped: 0. Unreadable files: 0.")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_page_in_every_language(
    open_page: Callable[..., Page], server: Any, shot: Callable[..., None], phone: bool
):
    ready(server)
    page = open_page("#/career", phone=phone)
    for locale in TITLES:
        speak(page, locale)
        check_language(page, locale)
        shot(page, f"career-{locale}-{'phone' if phone else 'desktop'}")


def check_language(page: Page, locale: str) -> None:
    """All words are of the language, and everything has room."""
    page.wait_for_selector(".career-games tbody tr")
    assert page.inner_text("h1") == TITLES[locale]
    assert not re.search(r"\b(career|players)\.[a-z_.]+", page.inner_text("#page")), "a text without words"
    lines = "() => Math.max(0, ...[...document.querySelectorAll('.career-extremes li')].map(one => one.offsetHeight))"
    assert page.evaluate(lines) < 120, "a game takes more than three lines"
    assert locale == "en" or "houou" not in page.inner_text("#page"), "English words"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    rows = "() => Math.max(...[...document.querySelectorAll('.career-games tbody tr')].map(one => one.offsetHeight))"
    assert page.evaluate(rows) < 130, "a game of the list takes more than three lines"
    assert page.locator(".career-sort").first.is_visible(), "the list can be sorted"


def test_a_full_page_is_for_everybody(open_page: Callable[..., Page], server: Any):
    ready(server)
    page = open_page("#/career")
    page.wait_for_selector(".career-games tbody tr")
    assert nameless(page) == []
    assert pale(page) == [], "in light"
    page.emulate_media(color_scheme="dark")
    assert pale(page) == [], "in dark"


def test_groups_curves_and_sorting(open_page: Callable[..., Page], server: Any):
    ready(server)
    page = open_page("#/career")
    page.wait_for_selector(".career-games tbody tr")
    page.select_option("#career-group", "dealer")
    assert page.locator(".career-figures tbody tr").count() == 9  # ranks belong to whole games
    page.click(".career-curves >> text=Final points")
    page.wait_for_selector(".career-curves .plot-line")
    page.click(".career-sort:has-text('Luck')")
    page.wait_for_selector("th[aria-sort='descending'] >> text=Luck")
    page.wait_for_function(
        """() => {
          const cells = [...document.querySelectorAll(".career-games tbody td:nth-child(4)")];
          const luck = cells.map((cell) => Number(cell.textContent.replace("−", "-")));
          return luck.length > 1 && luck.every((value, i) => !i || value <= luck[i - 1]);
        }"""
    )


def test_the_review_of_a_game(open_page: Callable[..., Page], server: Any):
    ready(server)
    page = open_page("#/career")
    page.get_by_role("button", name="Review the latest").click()
    page.locator(".career-queue", has_text="waiting").wait_for()  # without a reload
    page.locator(".career-games tbody tr >> text=Review").first.click()
    page.wait_for_url(re.compile(r"#/review/[\w-]{16}"))
    page.wait_for_selector(".rv-choices tbody tr")
