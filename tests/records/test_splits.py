"""Splits: fixed for good, by date and by player."""

from __future__ import annotations

from datetime import date

import pytest

from janshi.records.splits import TEST, TRAIN, VALIDATION, held_out_seats, is_held_out, split_of


def test_games_of_2022_and_later_are_for_testing():
    assert split_of("any", date(2022, 1, 1)) == TEST
    assert split_of("any", date(2030, 5, 5)) == TEST
    assert split_of("any", date(2021, 12, 31)) != TEST
    assert split_of("any", None) != TEST


def test_two_in_a_hundred_earlier_games_are_for_validation():
    found = [split_of(f"2018010100gm-00a9-0000-{i:08x}", date(2018, 1, 1)) for i in range(20_000)]
    assert found.count(VALIDATION) / len(found) == pytest.approx(0.02, abs=0.004)
    assert found.count(VALIDATION) + found.count(TRAIN) == len(found)


def test_five_in_a_hundred_players_are_held_out():
    held = sum(is_held_out(f"u{i:012x}") for i in range(20_000))
    assert held / 20_000 == pytest.approx(0.05, abs=0.006)


def test_splits_never_change():
    """These very names were computed when splits were fixed: a change would mix training and test data."""
    games = [f"2018010100gm-00a9-0000-{i:08x}" for i in range(200)]
    assert [i for i, game in enumerate(games) if split_of(game, None) == VALIDATION] == VALIDATION_GAMES
    assert [i for i in range(100) if is_held_out(f"player {i}")] == HELD_OUT_PLAYERS


VALIDATION_GAMES = [12, 152, 166]
HELD_OUT_PLAYERS = [19, 52, 53, 62, 76]


def test_held_out_seats_are_a_bit_set():
    held = f"player {HELD_OUT_PLAYERS[0]}"
    assert held_out_seats(["player 0", held, "", held]) == 0b1010


def test_a_seat_without_a_name_is_never_held_out():
    assert not is_held_out("")
