"""Tenhou's meld codes, both ways."""

from __future__ import annotations

import pytest

from janshi.core.tiles import format_tiles
from janshi.records.meld_code import called_place, concealed_tile, decode_meld, encode_meld
from janshi.records.model import Event, Kind

ALL_CODES = range(1 << 16)


def tiles_of(ids: tuple[int, ...]) -> str:
    return format_tiles([tile // 4 for tile in ids])


def decoded() -> list[tuple[int, Event]]:
    found = []
    for code in ALL_CODES:
        try:
            found.append((code, decode_meld(code, 2)))
        except ValueError:
            continue
    return found


def test_every_code_that_is_a_meld_comes_back():
    for code, event in decoded():
        assert encode_meld(event, called_place(code), concealed_tile(code)) == code


def test_there_are_as_many_codes_as_melds():
    """3 suits of 7 runs of 4³ copies with one of three called; 34 kinds for all others."""
    count = dict.fromkeys((Kind.CHI, Kind.PON, Kind.OPEN_KAN, Kind.CONCEALED_KAN, Kind.ADDED_KAN), 0)
    for _, event in decoded():
        count[Kind(event.kind)] += 1
    assert count == {
        Kind.CHI: 3 * 7 * 4**3 * 3,
        Kind.PON: 34 * 4 * 3 * 3,  # the copy left out, the called place, the source
        Kind.ADDED_KAN: 34 * 4 * 3 * 3,
        Kind.OPEN_KAN: 34 * 4 * 3,
        Kind.CONCEALED_KAN: 34 * 4,  # the code names one of the four tiles
    }


def test_chi_from_the_left():
    event = decode_meld(4215, 2)
    assert (event.kind, event.player, event.source) == (Kind.CHI, 2, 1)
    assert (event.tile, event.tiles) == (11, (6, 12))
    assert tiles_of(tuple(sorted((*event.tiles, event.tile)))) == "234m"


def test_pon_names_the_called_tile_and_its_player():
    event = decode_meld(42507, 3)
    assert (event.kind, event.source) == (Kind.PON, 2)
    assert (event.tile, event.tiles) == (111, (109, 110))


def test_added_kan_keeps_the_source_of_its_pon():
    pon = decode_meld(42507, 3)
    kan = decode_meld(42507 ^ 0x18, 3)
    assert (kan.kind, kan.source, kan.tile) == (Kind.ADDED_KAN, pon.source, 108)
    assert kan.tiles == (109, 110, 111)


def test_kans_of_four():
    assert decode_meld(52 << 8, 0) == Event(Kind.CONCEALED_KAN, 0, -1, (52, 53, 54, 55))
    assert decode_meld(54 << 8, 0) == Event(Kind.CONCEALED_KAN, 0, -1, (52, 53, 54, 55))
    assert decode_meld(54 << 8 | 1, 0) == Event(Kind.OPEN_KAN, 0, 54, (52, 53, 55), 1)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (4215 ^ 1, "left"),  # a chi from across
        (21 * 3 << 10 | 4 | 3, "left"),  # a run after 789s
        (34 * 3 << 9 | 8 | 1, "pon"),
        (136 << 8, "below 136"),
        (120 << 8 | 0x20, "three players"),
        (4215 | 1 << 9, "bits"),
    ],
)
def test_codes_that_no_meld_has(code: int, problem: str):
    with pytest.raises(ValueError, match=problem):
        decode_meld(code, 2)


def test_other_events_have_no_code():
    with pytest.raises(ValueError, match="is not a meld"):
        encode_meld(Event(Kind.DRAW, 0, 5, source=1))
