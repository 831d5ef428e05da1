"""Walls and dealing: Tenhou's layout, seeds, and starting from any situation."""

from __future__ import annotations

import pytest
from scenario import deal, ending, format_tiles, play, run_out, until_turn

from janshi.core.tiles import NUM_IDS, id_to_tile, sort_tiles
from janshi.rules.riichi.table import Table

IN_ORDER = list(range(NUM_IDS))
# fmt: off
SEED_7_EAST_1 = (
    71, 51, 59, 40, 33, 38, 122, 101, 20, 92, 14, 107, 73, 125, 70, 115, 84, 48, 61, 102, 34, 104, 2, 32, 89, 112,
    99, 68, 76, 28, 27, 37, 56, 65, 16, 64, 29, 98, 88, 103, 118, 11, 7, 80, 44, 123, 23, 74, 13, 46, 24, 66, 85,
    110, 4, 53, 54, 43, 96, 18, 124, 36, 111, 72, 126, 113, 91, 52, 25, 8, 26, 22, 135, 67, 86, 69, 77, 132, 49,
    119, 10, 39, 106, 41, 57, 114, 75, 120, 1, 63, 130, 93, 83, 50, 19, 105, 55, 58, 3, 127, 35, 21, 30, 108, 17,
    121, 117, 47, 31, 6, 129, 9, 45, 133, 78, 42, 79, 131, 94, 60, 134, 100, 128, 82, 90, 116, 87, 81, 109, 62, 5,
    97, 0, 15, 95, 12,
)
# fmt: on
FOURS = (0, 16, 32)
"""How far from the end of the wall the dealer's first tiles of each four lie."""


def tiles_at(places: list[int]) -> str:
    return format_tiles(sort_tiles(id_to_tile(place) for place in places))


@pytest.mark.parametrize("round", [0, 1, 2, 3, 4, 11])
def test_tiles_are_dealt_by_four_four_four_and_one_from_the_dealer(round: int) -> None:
    table = Table(wall=IN_ORDER, round=round)
    assert table.dealer == round % 4
    for turn in range(4):
        player = (table.dealer + turn) % 4
        places = [135 - start - 4 * turn - i for start in FOURS for i in range(4)] + [135 - 48 - turn]
        if turn == 0:
            places.append(83)
        assert format_tiles(sort_tiles(table.hand(player))) == tiles_at(places)


def test_the_dealer_draws_first_and_play_goes_to_the_right() -> None:
    table = deal(round=2, draws="1m 2m 3m 4m 5m")
    turns = []
    for player in (2, 3, 0, 1, 2):
        until_turn(table, player)
        turns.append((table.actor, format_tiles([table.drawn])))
        play(table, f"{player} tsumogiri")
    assert turns == [(2, "1m"), (3, "2m"), (0, "3m"), (1, "4m"), (2, "5m")]


def test_seventy_tiles_are_drawn() -> None:
    table = deal()
    assert table.tiles_left == 69
    run_out(table)
    assert ending(table) == "exhaustive draw"
    assert [len(table.river(player)) for player in range(4)] == [18, 18, 17, 17]


def test_live_tiles_are_drawn_down_to_the_dead_wall() -> None:
    table = Table(wall=IN_ORDER)
    rivers: list[int] = []
    while table.asked:
        if table.asked == (table.actor,) and table.drawn is not None:
            rivers.append(table.drawn)
            table.step("tsumogiri")
        else:
            table.step(dict.fromkeys(table.asked, "pass"))
    assert rivers == [id_to_tile(place) for place in range(83, 13, -1)]


def test_the_first_dora_indicator_is_at_place_five() -> None:
    assert Table(wall=IN_ORDER).dora_indicators == [1]
    assert format_tiles(deal(dora="7s").dora_indicators) == "7s"


def test_a_seed_gives_the_same_wall_everywhere() -> None:
    assert tuple(Table(seed=7).state.wall) == SEED_7_EAST_1
    assert tuple(Table(seed=7 + 2**64).state.wall) == SEED_7_EAST_1


def test_equal_seeds_equal_games_different_seeds_different_walls() -> None:
    assert Table(seed=3) == Table(seed=3)
    assert list(Table(seed=3).state.wall) != list(Table(seed=4).state.wall)


def test_the_wall_follows_from_seed_round_and_honba() -> None:
    walls = {tuple(Table(seed=7, round=r, honba=h).state.wall) for r in range(3) for h in range(3)}
    assert len(walls) == 9


def test_a_later_hand_of_a_game_can_be_dealt_on_its_own() -> None:
    table = Table(seed=7)
    run_out(table)
    table.step()
    alone = Table(seed=7, round=table.round, honba=table.honba)
    assert list(alone.state.wall) == list(table.state.wall)
    assert [alone.hand(player) for player in range(4)] == [table.hand(player) for player in range(4)]


def test_start_from_any_situation() -> None:
    table = deal(round=6, honba=3, sticks=2, scores=[10_000, 20_000, 30_000, 38_000])
    assert table.round_name == "South 3"
    assert (table.dealer, table.honba, table.sticks) == (2, 3, 2)
    assert table.scores == [10_000, 20_000, 30_000, 38_000]
    assert table.asked == (2,)


def test_one_hand_is_a_whole_game() -> None:
    table = deal(one_hand=True)
    run_out(table)
    assert not table.over
    table.step()
    assert table.over
    assert table.asked == ()
    assert ending(table) == "exhaustive draw"


def test_without_one_hand_the_next_is_dealt() -> None:
    table = deal()
    run_out(table)
    table.step()
    assert not table.over
    assert (table.round, table.honba, table.tiles_left) == (1, 1, 69)
