"""Plans: which games are played on which walls."""

from __future__ import annotations

import pytest

from janshi.arena.plan import Plan, arrangements, rotations

FOUR = ("a", "b", "c", "d")


def test_rotations_give_every_contestant_every_seat_on_the_same_walls():
    plan = Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), walls=3)
    assert len(plan) == 12
    games = [plan.game(number) for number in range(len(plan))]
    for wall in range(3):
        mine = [game for game in games if game.wall == wall]
        assert len({game.seed for game in mine}) == 1
        for who in range(4):
            assert sorted(game.seats.index(who) for game in mine) == [0, 1, 2, 3]
    assert len({game.seed for game in games}) == 3
    assert len({game.stream for game in games}) == 12


def test_permutations_are_all_different_seatings():
    assert len(arrangements((0, 1, 2, 3))) == 24
    assert len(arrangements((0, 1, 2))) == 6
    assert arrangements((0, 1, 1, 1)) == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    assert rotations((0, 0, 0, 0)) == [(0, 0, 0, 0)]
    assert rotations((0, 1, 0, 1)) == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_independent_games_turn_the_seats_and_share_walls_only_with_the_baseline():
    plan = Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3), (3, 3, 3, 3)), 8, seating="independent", baseline=1)
    games = [plan.game(number) for number in range(len(plan))]
    assert len(games) == 16
    played = [game for game in games if game.lineup == 0]
    assert [game.seats.index(0) for game in played] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert len({game.seed for game in played}) == 8
    assert [g.seed for g in games if g.lineup == 1] == [g.seed for g in played]


def test_the_walls_of_a_plan_come_from_its_seed_and_number():
    one, two = (Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), 2, seed=seed) for seed in (1, 2))
    assert one.game(0).seed != two.game(0).seed
    later = Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), 1, seed=1, first_wall=1)
    assert later.game(0).seed == one.game(4).seed


def test_a_plan_survives_json_and_more_walls_keep_its_digest():
    plan = Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), 2, seed=5, seating="permutations")
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert again.game(30) == plan.game(30)
    assert Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), 9, seed=5, seating="permutations").digest == plan.digest
    assert Plan("riichi/tenhou", FOUR, ((0, 1, 2, 3),), 2, seed=6, seating="permutations").digest != plan.digest


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seating": "random"}, "seating must be one of"),
        ({"walls": 0}, "at least one wall set"),
        ({"lineups": ()}, "at least one lineup"),
        ({"lineups": ((0, 1, 2, 9),)}, "not there"),
        ({"baseline": 0}, "copies of one contestant"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(change, told):
    good = {"rules": "riichi/tenhou", "contestants": FOUR, "lineups": ((0, 1, 2, 3),), "walls": 2}
    with pytest.raises(ValueError, match=told):
        Plan(**{**good, **change})
    with pytest.raises(IndexError, match="games 0 to 7"):
        Plan(**good).game(8)
