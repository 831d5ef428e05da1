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


@pytest.fixture(scope="module")
def server(start_server: Callable[..., Any]) -> Any:
    """A server whose career is filled by the first test."""
    return start_server("--no-warm")


def ready(server: Any) -> None:
    """Six games of the person are there and measured."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        if not client.get("/api/career/state").json()["games"]:
            files = [("files", (played_name(seed), played_text(seed))) for seed in (*MINE, *OTHERS)]
            client.post("/api/career/files", files=files)
            wait_until(lambda: not client.get("/api/career/state").json()["importing"]["uploads"], "all is read")
        client.put("/api/career/names", json={"names": [ME]})
        wait_until(lambda: not client.get("/api/career/state").json()["luck"]["waiting"], "luck is measured")


def test_from_dropped_files_to_figures(open_page: Callable[..., Page], start_server: Callable[..., Any]):
    url = start_server("--no-warm").url
    page = open_page("#/career", url=url)
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


def test_a_folder_can_be_chosen(open_page: Callable[..., Page], start_server: Callable[..., Any], tmp_path: Path):
    page = open_page("#/career", url=start_server("--no-warm").url)
    folder = write_games(tmp_path / "mine", MINE[:2])
    (folder / "picture.png").write_bytes(b"no record")
    page.wait_for_selector(".career-drop")
    page.set_input_files("#career-folder", folder)
    page.wait_for_selector(".career-players button")
    assert page.inner_text(".career-counts").startswith("Imported: 2 games. Copies skipped: 0. Unreadable files: 0.")


@pytest.mark.parametrize("locale", TITLES)
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_page_in_every_language(
    open_page: Callable[..., Page], server: Any, shot: Callable[..., None], locale: str, phone: bool
):
    ready(server)
    page = open_page("#/career", phone=phone, locale=locale)
    page.wait_for_selector(".career-games tbody tr")
    assert page.inner_text("h1") == TITLES[locale]
    assert not re.search(r"\b(career|players)\.[a-z_.]+", page.inner_text("#page")), "a text without words"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    shot(page, f"career-{locale}-{'phone' if phone else 'desktop'}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_full_page_is_for_everybody(open_page: Callable[..., Page], server: Any, scheme: str):
    ready(server)
    page = open_page("#/career", color_scheme=scheme)
    page.wait_for_selector(".career-games tbody tr")
    assert nameless(page) == []
    assert pale(page) == []


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
    page.locator(".career-games tbody tr >> text=Review").first.click()
    page.wait_for_url(re.compile(r"#/review/[\w-]{16}"))
    page.wait_for_selector(".rv-choices tbody tr")


def test_everything_can_be_exported_and_deleted(open_page: Callable[..., Page], start_server: Callable[..., Any]):
    server = start_server("--no-warm")
    ready(server)
    page = open_page("#/career", url=server.url)
    with page.expect_download() as started:
        page.click("text=Export everything")
    assert started.value.suggested_filename == "janshi-career.zip"
    page.click(".career-everything >> text=Delete everything")
    page.click("dialog >> text=Keep it")
    page.click(".career-everything >> text=Delete everything")
    page.click("dialog button.primary")
    page.wait_for_selector(".career-drop-title")
    page.wait_for_selector(".career-tiles", state="detached")
