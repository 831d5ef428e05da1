from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from janshi.core.tiles import (
    EAST,
    NUM_IDS,
    NUM_KINDS,
    NUM_TILES,
    RED_5P,
    Tile,
    TileError,
    as_tile,
    counts34,
    format_tiles,
    id_to_tile,
    is_red,
    kind_of,
    parse_tiles,
    red_of,
    sort_tiles,
    tile_from_name,
    tile_name,
    tile_to_ids,
    tiles_to_ids,
    to_unicode,
)

dealt = st.lists(st.integers(0, NUM_IDS - 1), unique=True, max_size=34).map(lambda ids: [id_to_tile(i) for i in ids])


def test_reading_keeps_the_order_and_the_red_fives() -> None:
    assert parse_tiles("123m406p77z") == [0, 1, 2, 12, RED_5P, 14, 33, 33]
    assert parse_tiles("3m 1m2p") == [2, 0, 10]
    assert parse_tiles("") == []


def test_writing() -> None:
    assert format_tiles([0, 1, 2, 12, RED_5P, 14, 33, 33]) == "123m406p77z"
    assert format_tiles([2, 0, 10, 1]) == "31m2p2m"


@given(dealt)
def test_peoples_notation_goes_there_and_back(tiles: list[int]) -> None:
    assert parse_tiles(format_tiles(tiles)) == tiles


@given(dealt)
def test_unicode_goes_there_and_back_but_for_red(tiles: list[int]) -> None:
    assert parse_tiles(to_unicode(tiles)) == [kind_of(tile) for tile in tiles]


@given(dealt)
def test_ids_go_there_and_back(tiles: list[int]) -> None:
    ids = tiles_to_ids(tiles)
    assert len(set(ids)) == len(ids)
    assert [id_to_tile(tile_id) for tile_id in ids] == tiles


@pytest.mark.parametrize("tile", range(NUM_TILES))
def test_names_go_there_and_back(tile: int) -> None:
    assert tile_from_name(tile_name(tile)) == tile
    assert as_tile(tile_name(tile)) == tile
    assert as_tile(repr(Tile(tile))) == tile
    assert all(id_to_tile(tile_id) == tile for tile_id in tile_to_ids(tile))


def test_every_id_belongs_to_one_tile() -> None:
    assert sorted(tile_id for tile in range(NUM_TILES) for tile_id in tile_to_ids(tile)) == list(range(NUM_IDS))


def test_mjai_names() -> None:
    assert [tile_name(tile) for tile in parse_tiles("1m0p9s1234567z")] == [
        *("1m", "5pr", "9s"),
        *("E", "S", "W", "N", "P", "F", "C"),
    ]
    assert tile_from_name("1z") == EAST


def test_unicode_tiles() -> None:
    assert to_unicode(parse_tiles("1m1p1s1567z")) == "🀇🀙🀐🀀🀆🀅🀄"
    assert parse_tiles("🀄\ufe0e🀇") == parse_tiles("7z1m")


def test_red_fives_are_fives() -> None:
    assert [kind_of(tile) for tile in parse_tiles("0m0p0s")] == parse_tiles("5m5p5s")
    assert red_of(13) == RED_5P
    assert red_of(12) is None
    assert [is_red(tile) for tile in parse_tiles("50m")] == [False, True]
    assert format_tiles(sort_tiles(parse_tiles("1z6m55m0m4m"))) == "40556m1z"


def test_counts() -> None:
    counts = counts34(parse_tiles("110m5m7z"))
    assert counts.shape == (NUM_KINDS,)
    assert (counts[0], counts[4], counts[33], counts.sum()) == (2, 2, 1, 5)


def test_a_tile_prints_as_people_write_it() -> None:
    assert f"{Tile(2)} {Tile(RED_5P)!r} {[Tile(33)]}" == "3m 0p [7z]"
    assert Tile(2) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12m3", "the tiles '12m3' end after 3 at position 4: expected m, p, s or z"),
        ("m", "at position 1, 'm': expected digits before the suit letter"),
        ("18z", "at position 2, '8': honours are 1z to 7z"),
        ("0z", "at position 1, '0': honours are 1z to 7z"),
        ("12x", "at position 3, 'x': expected a digit or one of the suit letters m, p, s, z"),
        ("12🀇", "at position 3, '🀇': expected a digit or one of the suit letters m, p, s, z"),
        ("1m(2m", "at position 3, '(': expected a digit, a suit letter or a Unicode tile"),
        ("11111m", "5 tiles 1m: there are only 4 of a kind"),
        ("55550s", "5 tiles 5s: there are only 4 of a kind"),
        ("00p", "2 red fives 5pr: there is only one"),
        ("١m", "at position 1"),
    ],
)
def test_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(TileError) as caught:
        parse_tiles(text)
    assert message in str(caught.value)


def test_numbers_and_names_that_are_no_tile() -> None:
    with pytest.raises(TileError, match="37 is not a tile: expected 0 to 36"):
        tile_name(37)
    with pytest.raises(TileError, match="136 is not a tile id: expected 0 to 135"):
        id_to_tile(136)
    with pytest.raises(TileError, match="'9z' is not a tile: expected a name such as 1m"):
        tile_from_name("9z")
    with pytest.raises(TileError, match="'12m' is 2 tiles: expected one"):
        as_tile("12m")
    with pytest.raises(TileError, match="too many tiles 5m: there are only 3 ids for it"):
        tiles_to_ids(parse_tiles("5555m"))
