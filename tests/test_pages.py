"""What scripts share that write figures into pages: the forms of tables, and text between two marks of a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from script_modules import load_script

BEGIN, END = "<!-- some: begin -->", "<!-- some: end -->"


pages = load_script("_page")


def test_tables_have_a_line_below_the_head() -> None:
    head, rows = ["player", "games", "rank"], [["`greedy`", 40, 2.5], ("`careful`", "1,000", "")]
    body = ["| `greedy` | 40 | 2.5 |", "| `careful` | 1,000 |  |"]
    first = "| player | games | rank |"
    assert pages.table(head, rows).splitlines() == [first, "| --- | --- | --- |", *body]
    assert pages.table(head, rows, tight=True).splitlines() == [first, "|---|---|---|", *body]
    assert pages.table_of_figures(head, rows).splitlines() == [first, "| --- | ---: | ---: |", *body]
    assert pages.table_of_figures(head, rows) == pages.table(head, rows, right=True)


def test_a_table_may_have_one_column_or_no_rows() -> None:
    assert pages.table(["player"], [["a"]], right=True) == "| player |\n| --- |\n| a |"
    assert pages.table(["a", "b"], [], tight=True) == "| a | b |\n|---|---|"


def test_a_stamp_tells_another_machine_if_there_is_one() -> None:
    date, machine, command = pages.stamp("python scripts/some.py").splitlines()
    assert re.fullmatch(r"- Date: \d{4}-\d\d-\d\d", date)
    assert machine == f"- Machine: {pages.this_machine()}"
    assert command == "- Command: `python scripts/some.py`"
    assert pages.stamp("x", "an abacus").splitlines()[1] == "- Machine: an abacus"
    assert pages.when_and_where() == f"{pages.today()}, {pages.this_machine()}"


def test_text_between_marks_is_replaced_and_the_rest_kept(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Ü\n\n{BEGIN}\nold\nlines\n{END}\n\nafter, no newline", encoding="utf-8")
    for lines in ("one", "\n- two\n", "three\n\n| a |"):
        pages.write_between(page, BEGIN, END, lines)
        assert page.read_text(encoding="utf-8") == f"# Ü\n\n{BEGIN}\n{lines}\n{END}\n\nafter, no newline"
    assert list(tmp_path.iterdir()) == [page], "nothing is left beside it"


def test_what_stands_between_marks_is_found() -> None:
    text = f"before{BEGIN}\nfigures\n{END}after"
    assert pages.split_at_marks(text, BEGIN, END, "page.md") == ("before", "\nfigures\n", "after")


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (f"text\n{END}\n", BEGIN),
        (f"text\n{BEGIN}\n", END),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", BEGIN),
        (f"{BEGIN}\n{END}\ntext\n{END}\n", END),
        (f"{END}\n{BEGIN}\n", END),
    ],
    ids=["no begin", "no end", "two begins", "two ends", "end first"],
)
def test_a_page_without_its_marks_is_refused_and_stays(text: str, mark: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"page.md: expected the mark {mark}"):
        pages.write_between(page, BEGIN, END, "figures")
    assert page.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [page]
