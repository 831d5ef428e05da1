"""Tables of figures, and tables that fit the terminal: columns are left out from the right rather than cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

BORDERS: Final = 3
"""Characters that a column takes besides its text; one more ends the row."""
LEAST_COLUMNS: Final = 3


def figures_table(heads: Sequence[str], title: str | Text | None = None) -> Table:
    """An empty table of figures: the first column is aligned left, the others right."""
    table = Table(title=title, title_justify="left")
    for column, head in enumerate(heads):
        table.add_column(head, justify="right" if column else "left")
    return table


def fitting_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    width: int,
    title: str | None = None,
    always: Sequence[str] = (),
) -> Table:
    """A table no wider than `width`, if leaving out columns is enough; a line below names the missing ones.

    The first column is aligned left, the others right. Columns named in `always` are never left out.
    """
    widths = [_width(head, [row[column] for row in rows]) for column, head in enumerate(heads)]
    shown = list(range(len(heads)))
    for column in range(len(heads) - 1, LEAST_COLUMNS - 1, -1):
        if sum(widths[i] + BORDERS for i in shown) + 1 > width and heads[column] not in always:
            shown.remove(column)
    left_out = ", ".join(head for column, head in enumerate(heads) if column not in shown)
    caption = f"a wider terminal also shows {left_out}" if left_out else None
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for column in shown:
        justify = "right" if column else "left"
        table.add_column(heads[column], justify=justify, min_width=widths[column] if column else None)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*(row[column] for column in shown))
    return table


def _width(head: str, cells: Sequence[str | Text]) -> int:
    """The width of a column: its widest cell, or the longest word of its head."""
    texts = [cell.plain if isinstance(cell, Text) else cell for cell in cells]
    return max(cell_len(text) for text in [*head.split(), *texts])
