"""What the terminal drawings show: tiles two cells wide, boards in 80 columns, marks where they belong."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.stats import mean
from janshi.show.board import WIDTH, board, river_text
from janshi.show.columns import fitting_table
from janshi.show.match import LiveMatch, estimate_text, p_text
from janshi.show.picture import (
    BoardPicture,
    MeldPicture,
    ResultPicture,
    RiverTile,
    SeatPicture,
    StandingPicture,
    WinPicture,
)
from janshi.show.result import result_lines, result_panel, standing_lines, standing_panel
from janshi.show.tiles import KANJI, LETTERS, tile_text

ALL_TILES = range(37)
HAND = (0, 4, 34, 9, 13, 35, 18, 22, 36, 27, 31, 32, 33)
NAMES = ("East anna", "South ben", "West carla", "North dan")


def drawn(renderable: object) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=WIDTH, color_system=None).print(renderable)
    return out.getvalue().splitlines()


def make_board(face_down: bool = False) -> BoardPicture:
    river = tuple(RiverTile(tile % 37, tile % 2 == 0, tile == 7, tile == 3) for tile in range(18))
    melds = (
        MeldPicture((1, 2, 3), 0),
        MeldPicture((33, 33, 33), 1),
        MeldPicture((9, 9, 9, 9)),
        MeldPicture((27,) * 4, 2),
    )
    seats = (
        SeatPicture("anna", "East", 24_000, HAND, 5, (), river, riichi=True, active=True, face_down=face_down),
        SeatPicture("ben", "South", 25_000, (28,), None, melds, river[:7]),
        SeatPicture("carla", "West", 25_000, HAND, None, (), river),
        SeatPicture("dan", "North", 25_000, HAND, None, (), ()),
    )
    return BoardPicture("East 1", 0, 1, 52, (27, 5, 6, 7, 8), seats, "anna: riichi")


@pytest.mark.parametrize("style", [KANJI, LETTERS])
def test_every_tile_is_two_cells_wide_and_different(style):
    labels = [style.label(tile) for tile in ALL_TILES]
    assert {cell_len(label) for label in labels} == {2}
    assert len(set(labels)) == len(labels)


def test_red_five_differs_from_a_five_without_colour():
    assert tile_text(34).plain == "0m"
    assert tile_text(4).plain == "5m"


@pytest.mark.parametrize("style", [KANJI, LETTERS])
def test_board_fits_80_columns_and_24_lines(style):
    lines = drawn(board(make_board(), style))
    assert len(lines) <= 24
    assert max(cell_len(line) for line in lines) <= WIDTH
    framed = [line for line in lines if line and line[0] in "│┃"]
    assert {cell_len(line) for line in framed} == {WIDTH}


def test_board_says_what_everybody_reads_first():
    text = "\n".join(drawn(board(make_board())))
    for part in ("East 1", "tiles left 52", "dora 東 6m", "RIICHI", "24,000", "anna: riichi", "▒▒ 1p 1p ▒▒"):
        assert part in text


def test_closed_hands_show_only_backs():
    first_hand = next(line for line in drawn(board(make_board(face_down=True))) if line.startswith("┃"))
    assert "0m" not in first_hand
    assert first_hand.count("▒▒") == 14


def test_river_goes_in_rows_of_six_with_a_mark_on_the_riichi_tile():
    river = tuple(RiverTile(kind, riichi=kind == 6) for kind in range(8))
    assert river_text(river).plain == "1m 2m 3m 4m 5m 6m \n7m▌8m \n"


def test_result_names_winner_yaku_and_changes():
    win = WinPicture(
        0, 1, HAND[:10], 27, (MeldPicture((1, 2, 3), 0),), (("Riichi", "1 han"),), "1 han 40 fu, 2,000", (27,)
    )
    picture = ResultPicture("East 1", NAMES, (2000, -2000, 0, 0), (27_000, 23_000, 25_000, 25_000), wins=(win,))
    for text in ("\n".join(drawn(result_panel(picture))), "\n".join(result_lines(picture))):
        for part in ("East anna wins by ron from South ben", "Riichi", "2,000", "-2,000", "27,000"):
            assert part in text


def test_draw_names_the_tenpai_players():
    picture = ResultPicture("East 1", NAMES, (0,) * 4, (25_000,) * 4, draw="Exhaustive draw", tenpai=(0, 2))
    assert "Exhaustive draw   tenpai: East anna, West carla" in "\n".join(drawn(result_panel(picture)))
    assert "Exhaustive draw, tenpai: East anna, West carla" in "\n".join(result_lines(picture))


def test_standing_is_in_order_of_rank():
    picture = StandingPicture(((1, "anna", 41_000, 61.0), (2, "ben", 9_000, -41.0)))
    text = "\n".join(drawn(standing_panel(picture)))
    assert text.index("anna") < text.index("ben")
    assert standing_lines(picture)[1:] == ["  1. anna 41,000 (+61.0)", "  2. ben 9,000 (-41.0)"]


def test_a_match_says_why_its_first_game_may_be_long_in_coming():
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 2)
    out = io.StringIO()
    with LiveMatch(plan, Console(file=out, width=WIDTH, force_terminal=True)) as live:
        live.live.refresh()
        assert "compiling it the first time" in " ".join(out.getvalue().split())
        out.truncate(0)
        run_match(plan, watch=live)
        live.live.refresh()
        assert "compiled" not in out.getvalue().rpartition("player")[2]


@pytest.mark.parametrize(("width", "shown"), [(200, 8), (WIDTH, 5), (40, 3)])
def test_tables_leave_columns_out_rather_than_cut_numbers(width: int, shown: int):
    heads = ["player", "games", "average rank", "points", "win", "deal-in", "han", "ms"]
    rows = [["greedy", "16", *["-21.14 ± 13.97"] * 6], ["random", "16", *["3.00 ± 0.05"] * 6]]
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(fitting_table(heads, rows, width))
    text = out.getvalue()
    assert "…" not in text
    assert text.count("-21.14 ± 13.97") == shown - 2
    told = " ".join(text.split("a wider terminal also shows ")[-1].split()) if shown < len(heads) else ""
    assert told == ", ".join(heads[shown:])


def test_too_few_wall_sets_show_no_certainty():
    agree = mean([2.0, 2.0, 2.0, 2.0], [0, 0, 1, 1])
    assert estimate_text(agree, 3) == "2.000 ± ?"
    assert estimate_text(agree, percent=True) == "200.0 ± ? %"
    assert p_text(agree) == "–"
    assert estimate_text(mean([1.0, 2.0] * 5, range(10)), 3) == "1.500 ± 0.377"
