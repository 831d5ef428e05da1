from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from janshi.core.melds import (
    ACROSS,
    ADDED_KAN,
    CHI,
    CONCEALED_KAN,
    LEFT,
    OPEN_KAN,
    PON,
    RIGHT,
    Meld,
    MeldError,
    split_melds,
)
from janshi.core.tiles import kind_of, parse_tiles, red_of


@pytest.mark.parametrize(
    ("text", "words", "meld_type"),
    [
        ("(345m)", "chi 345m", CHI),
        ("(340m)", "chi 340m", CHI),
        ("(777z)", "pon 777z", PON),
        ("(0555p)", "open kan 0555p", OPEN_KAN),
        ("[1111m]", "concealed kan 1111m", CONCEALED_KAN),
        ("(555+0p)", "added kan 5550p", ADDED_KAN),
        ("(055+5p)", "added kan 0555p", ADDED_KAN),
    ],
)
def test_reading_and_writing(text: str, words: str, meld_type: int) -> None:
    meld = Meld.parse(text)
    assert meld.type == meld_type
    assert (str(meld), meld.in_words()) == (text, words)
    assert Meld.parse(words) == meld


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    meld_type = draw(st.integers(CHI, ADDED_KAN))
    if meld_type == CHI:
        first = 9 * draw(st.integers(0, 2)) + draw(st.integers(0, 6))
        tiles = [first, first + 1, first + 2]
    else:
        tiles = [draw(st.integers(0, 33))] * (3 if meld_type == PON else 4)
    reddened = draw(st.integers(0, len(tiles) - 1))
    red = red_of(tiles[reddened])
    if red is not None and draw(st.booleans()):
        tiles[reddened] = red
    return Meld(meld_type, tuple(tiles))


@given(melds())
def test_every_meld_goes_there_and_back(meld: Meld) -> None:
    assert Meld.parse(str(meld)) == meld
    assert Meld.parse(meld.in_words()) == meld
    assert meld.kind == min(kind_of(tile) for tile in meld.tiles)


def test_tiles_are_put_in_order() -> None:
    assert Meld(CHI, tuple(parse_tiles("534m"))) == Meld.parse("(345m)")
    assert Meld.parse("kan 7777z").type == OPEN_KAN


def test_what_a_meld_is() -> None:
    assert [Meld.parse(text).is_open for text in ("(345m)", "[1111m]", "(111+1m)")] == [True, False, True]
    assert [Meld.parse(text).is_kan for text in ("(345m)", "(777z)", "[1111m]")] == [False, False, True]


def test_where_the_called_tile_came_from() -> None:
    tiles = tuple(parse_tiles("345m"))
    assert Meld(CHI, tiles, called=3, source=LEFT).source == 3
    with pytest.raises(MeldError, match="left player's discard only"):
        Meld(CHI, tiles, called=3, source=ACROSS)
    with pytest.raises(MeldError, match="the called tile 9m is not in 345m"):
        Meld(CHI, tiles, called=8)
    with pytest.raises(MeldError, match="a concealed kan calls no tile"):
        Meld(CONCEALED_KAN, (0,) * 4, source=RIGHT)
    with pytest.raises(MeldError, match="4 is not a relative seat"):
        Meld(PON, (0,) * 3, source=4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("345m", "expected a form such as (345m), [1111m] or chi 345m"),
        ("(345m", "expected a form such as"),
        ("(346m)", "'346m' is not a chi: expected three in a row of one suit"),
        ("(567z)", "'567z' is not a chi"),
        ("(89m1p)", "'89m1p' is not a chi"),
        ("(1112m)", "'1112m' is no open kan: expected one kind of tile"),
        ("pon 112m", "'112m' is no pon: expected one kind of tile"),
        ("[111m]", "a concealed kan has 4 tiles, '111m' has 3"),
        ("(13m)", "a chi has 3 tiles, '13m' has 2"),
        ("(11+11m)", "an added kan is written like (555+0p)"),
        ("(1x)", "at position 2, 'x'"),
        ("()", "a chi has 3 tiles"),
        ("(00p5p)", "2 red fives"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(MeldError) as caught:
        Meld.parse(text)
    assert message in str(caught.value)


def test_no_such_type() -> None:
    with pytest.raises(MeldError, match="6 is not a meld type"):
        Meld(6, (0, 0, 0))


def test_splitting_a_hand_from_its_melds() -> None:
    text, laid = split_melds("11z (345m),[1111m]")
    assert text == "11z       ,       "
    assert list(map(str, laid)) == ["(345m)", "[1111m]"]
