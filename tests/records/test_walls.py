"""Walls from seeds and from records."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from janshi.core.tiles import NAMES, NUM_IDS, id_to_tile
from janshi.records import mjlog, walls
from janshi.records.model import Event, GameRecord, HandRecord, Kind, RecordError
from janshi.rules.riichi.deal import REPLACEMENT_PLACES

SEED = f"{walls.BASE64_KIND},{base64.b64encode(bytes(i % 251 for i in range(4 * 624))).decode()}"


FIRST_UNSEEN = 79
"""Below it, five draws leave the wall unseen, except for the indicator."""


def hand_of(wall: np.ndarray, dealer: int = 0, draws: int = 5) -> HandRecord:
    """A hand played from a wall: `draws` draws and nothing else."""
    deals = tuple(tuple(int(wall[place]) for place in places) for places in walls.dealt_places(dealer))
    events = [Event(Kind.DRAW, (dealer + i) % 4, int(wall[83 - i])) for i in range(draws)]
    return HandRecord(dealer, 0, 0, (25_000,) * 4, int(wall[5]), deals, events)


def test_twister_is_mt19937ar():
    """The first numbers that the authors of mt19937ar publish for init_by_array."""
    twister = np.random.RandomState(np.array([0x123, 0x234, 0x345, 0x456], np.uint32))
    words = np.frombuffer(twister.bytes(20), "<u4")
    assert words.tolist() == [1067595299, 955945823, 477289528, 4107218783, 4228976476]


def test_a_seed_gives_one_wall_for_every_hand():
    made = walls.tenhou_walls(SEED, 3)
    assert [sorted(wall.tolist()) for wall, _ in made] == [list(range(NUM_IDS))] * 3
    assert made[0].wall.dtype == np.uint8
    assert not np.array_equal(made[0].wall, made[1].wall)
    assert np.array_equal(walls.tenhou_walls(SEED, 1)[0].wall, made[0].wall)
    assert all(0 <= die < 6 for _, dice in made for die in dice)


def test_deal_takes_blocks_of_four_from_the_dealer_on():
    places = walls.dealt_places(dealer=2)
    assert places[2] == [135, 134, 133, 132, 119, 118, 117, 116, 103, 102, 101, 100, 87]
    assert places[1] == [123, 122, 121, 120, 107, 106, 105, 104, 91, 90, 89, 88, 84]
    assert sorted(place for row in places for place in row) == list(range(84, NUM_IDS))


def test_wall_from_a_record_holds_what_is_seen_and_fills_the_rest():
    wall = walls.tenhou_walls(SEED, 1)[0].wall
    rebuilt, known = walls.wall_from_record(hand_of(wall))
    assert known.sum() == 52 + 5 + 1
    assert np.array_equal(rebuilt[known], wall[known])
    assert sorted(rebuilt.tolist()) == list(range(NUM_IDS))
    assert (np.diff(rebuilt[~known].astype(int)) > 0).all()


def test_replacement_tiles_and_indicators_have_their_places():
    wall = walls.tenhou_walls(SEED, 1)[0].wall
    hand = hand_of(wall, draws=1)
    for i, place in enumerate(REPLACEMENT_PLACES):
        hand.events.append(Event(Kind.CONCEALED_KAN, 0, -1, (0, 1, 2, 3)))
        hand.events.append(Event(Kind.DORA, -1, int(wall[7 + 2 * i])))
        hand.events.append(Event(Kind.DRAW, 0, int(wall[place])))
    assert walls.check_wall(hand, wall) is None
    rebuilt, known = walls.wall_from_record(hand)
    assert known[[0, 1, 2, 3, 5, 7, 9, 11, 13]].all()
    assert np.array_equal(rebuilt[known], wall[known])


def test_the_first_difference_is_reported():
    wall = walls.tenhou_walls(SEED, 1)[0].wall
    hand = hand_of(wall)
    other = wall.copy()
    other[[81, 20]] = other[[20, 81]]
    told = walls.check_wall(hand, other)
    ours, theirs = (f"{NAMES[id_to_tile(int(tile))]} (id {tile})" for tile in (wall[81], wall[20]))
    assert told == f"draw 3 of player 2: the record has {ours}, the wall {theirs} at place 81"


def test_another_tile_is_reported_before_another_copy():
    wall = walls.tenhou_walls(SEED, 1)[0].wall
    hand = hand_of(wall)
    other = wall.copy()
    copy = next(place for place in range(FIRST_UNSEEN) if wall[place] // 4 == wall[135] // 4)
    other[[135, copy]] = other[[copy, 135]]
    other[[80, 20]] = other[[20, 80]]
    assert walls.check_wall(hand, other).startswith("draw 4 of player 3: ")
    other[[80, 20]] = other[[20, 80]]
    assert walls.check_wall(hand, other).startswith("deal of player 0: ")


def test_records_that_no_wall_fits():
    wall = walls.tenhou_walls(SEED, 1)[0].wall
    twice = hand_of(wall)
    twice.events.append(twice.events[0])
    with pytest.raises(RecordError, match="expected it at 83"):
        walls.wall_from_record(twice)
    endless = hand_of(wall, draws=70)
    endless.events.append(Event(Kind.DRAW, 0, int(wall[13])))
    with pytest.raises(RecordError, match="no tile is left"):
        walls.wall_from_record(endless)
    shown = hand_of(wall)
    shown.events += [Event(Kind.DORA, -1, tile) for tile in range(5)]
    with pytest.raises(RecordError, match="6 tiles for indicator, expected at most 5"):
        walls.wall_from_record(shown)


@pytest.mark.parametrize(
    ("seed", "problem"),
    [
        ("", "is of kind ''"),
        ("mt19937ar,18CE0624", "is of kind 'mt19937ar', expected"),
        (f"{walls.BASE64_KIND},AAAA", "has 3 bytes, expected 2496"),
        (f"{walls.BASE64_KIND},@", "is not a base64 text"),
        (f"{walls.HEX_KIND},18CE0624,XYZ", "expected hexadecimal words"),
        (f"{walls.HEX_KIND},1234567890", "expected hexadecimal words"),
    ],
)
def test_seeds_that_are_none(seed: str, problem: str):
    with pytest.raises(RecordError, match=problem):
        walls.tenhou_walls(seed, 1)


def test_only_2009_seeds_single_hands():
    with pytest.raises(RecordError, match="expected mt19937ar"):
        walls.tenhou_wall_2009(SEED)


def test_records_without_seeds_have_no_walls():
    hand = hand_of(walls.tenhou_walls(SEED, 1)[0].wall)
    assert walls.seeded_walls(GameRecord([hand])) is None
    later = hand_of(walls.tenhou_walls(SEED, 1)[0].wall, dealer=1)
    assert walls.seeded_walls(GameRecord([later], seed=SEED)) is None


def check_game(record: GameRecord) -> int:
    """Compare every hand with its seeded wall and dice; how many hands there were."""
    seeded = walls.seeded_walls(record)
    assert seeded is not None, record.source
    for hand, (wall, dice) in zip(record.hands, seeded, strict=True):
        assert walls.check_wall(hand, wall) is None, record.source
        assert dice == hand.dice
        rebuilt, known = walls.wall_from_record(hand)
        assert np.array_equal(rebuilt[known], wall[known])
    return len(record.hands)


@pytest.mark.parametrize(("name", "games"), [("houou-cases", None), ("houou-2020", 120), ("houou-2009", 120)])
def test_seeds_give_the_walls_that_were_played(pack, name: str, games: int | None):
    """The pack of cases has two games with the seeds of early 2010; that of 2009 has a seed for every hand."""
    files = pack(name, games)
    hands = sum(check_game(mjlog.read(text.decode(), file)) for file, text in files)
    assert hands > 5 * len(files)


def test_seeds_of_other_projects_records(mjlog_fixtures):
    assert sum(check_game(mjlog.read(text.decode(), name)) for name, text in mjlog_fixtures) > 800
