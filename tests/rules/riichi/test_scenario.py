"""The builder of situations that the rule tests use."""

from __future__ import annotations

import doctest

import pytest
import scenario
from scenario import choices, deal, discardable, play, run_out, shown, until_left, until_turn

from janshi.core.tiles import NUM_IDS, format_tiles

HANDS = {0: "123m456p789s1122z", 1: "19m19p19s1234567z", 3: "0m0p0s"}


def test_the_example_runs() -> None:
    assert doctest.testmod(scenario).attempted == 3
    assert doctest.testmod(scenario).failed == 0


@pytest.mark.parametrize("round", range(4))
def test_hands_draws_and_dead_wall_are_as_written(round: int) -> None:
    table = deal(HANDS, draws="? 5z", dora="2p 3p", ura="4p", replacements="8m", last_draws="6s 7s", round=round)
    dealer = round
    for player in (0, 1):
        tiles = table.hand(player)
        if player == dealer:
            tiles.remove(table.drawn)
        assert format_tiles(tiles) == HANDS[player]
    assert shown(table) == "2p"
    assert [table.state.wall[place] // 4 for place in (7, 4, 1, 15, 14)] == [11, 12, 7, 23, 24]
    play(table, f"{dealer} tsumogiri")
    until_turn(table, (dealer + 1) % 4)
    assert format_tiles([table.drawn or 0]) == "5z"


def test_every_tile_is_there_once() -> None:
    assert sorted(deal(HANDS).state.wall) == list(range(NUM_IDS))


def test_the_same_words_give_the_same_wall() -> None:
    assert deal(HANDS, draws="5z") == deal(HANDS, draws="5z")


def test_filled_hands_do_nothing() -> None:
    table = deal({}, draws="1m 9p 5z 3s")
    assert choices(table, 0) <= {"nine terminals"}
    play(table, "0 tsumogiri")
    assert table.asked == (1,)
    assert choices(table, 1) <= {"nine terminals"}


def test_impossible_demands_are_refused() -> None:
    with pytest.raises(ValueError, match="player 2's hand: 14 tiles"):
        deal({2: "123m456p789s11223z"})
    with pytest.raises(ValueError, match="too many tiles 1m"):
        deal({0: "111m", 1: "11m"})
    with pytest.raises(ValueError, match="too many tiles 5pr"):
        deal({0: "0p"}, draws="0p")
    with pytest.raises(ValueError, match="replacements: 5 tiles"):
        deal(replacements="12345m")
    with pytest.raises(ValueError, match="two tiles are wanted"):
        deal(draws="? " * 69 + "1m", last_draws="2m")


def test_play_passes_what_no_move_mentions() -> None:
    table = deal({2: "55z"}, draws="5z 1m")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert table.actor == 2
    with pytest.raises(AssertionError, match="asked now are players"):
        play(table, "3 tsumogiri")


def test_playing_on_quietly() -> None:
    table = deal()
    until_left(table, 50)
    assert (table.tiles_left, table.actor) == (50, 3)
    assert "discard" in table.legal_names(3)[0]
    assert discardable(table, 3) != ""
    run_out(table)
    assert table.hand_over
    assert table.tiles_left == 0
