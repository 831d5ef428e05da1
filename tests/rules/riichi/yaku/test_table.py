"""The yaku table itself."""

from __future__ import annotations

from janshi.rules.riichi import yaku as y


def test_numbers_are_positions() -> None:
    assert [item.number for item in y.YAKU] == list(range(55))


def test_names_are_unique() -> None:
    for names in ({i.name for i in y.YAKU}, {i.romaji for i in y.YAKU}, {i.kanji for i in y.YAKU}):
        assert len(names) == len(y.YAKU)


def test_yakuman_are_37_to_51() -> None:
    assert [i.number for i in y.YAKU if i.yakuman] == list(range(37, 52))
    assert [i.number for i in y.YAKU if y.DOUBLE_YAKUMAN >> i.number & 1] == [
        y.SUUANKOU_TANKI,
        y.JUNSEI_CHUUREN,
        y.KOKUSHI_13,
        y.DAISUUSHII,
    ]


def test_an_open_hand_never_gets_more() -> None:
    assert all(i.open_han <= i.closed_han for i in y.YAKU)


def test_bit_planes_hold_the_table() -> None:
    for item in y.YAKU[:37]:
        assert y.han_of(1 << item.number, 1) == item.closed_han
        assert y.han_of(1 << item.number, 0) == item.open_han
