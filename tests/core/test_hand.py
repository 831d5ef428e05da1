from __future__ import annotations

import doctest

import numpy as np
import pytest
import slow_reference as slow

import janshi.core.hand
from janshi.core.hand import Hand, HandError
from janshi.core.melds import Meld, MeldError
from janshi.core.tiles import TileError, format_tiles


def test_examples_in_the_docs() -> None:
    assert doctest.testmod(janshi.core.hand).failed == 0


@pytest.mark.parametrize(
    "text", ["23m406p789s11122z", "0p9m3m (345m) (777z) [1111m]1z", "1z (123m) (456m) (789m) (555+0p)"]
)
def test_writing_and_reading(text: str) -> None:
    hand = Hand(text)
    assert Hand(str(hand)) == hand
    assert eval(repr(hand)) == hand
    assert len(hand) == 13


def test_melds_as_texts_objects_and_in_the_string() -> None:
    written = Hand("406p7799s, (345m), [1111m]")
    assert Hand("406p7799s", ["(345m)", Meld.parse("[1111m]")]) == written
    assert str(written) == "406p7799s (345m) [1111m]"
    assert written.unicode() == "🀜🀝🀞🀖🀖🀘🀘 🀉🀊🀋 🀇🀇🀇🀇"


def test_equality_ignores_the_order_of_tiles_but_not_red() -> None:
    assert Hand("23m406p789s11122z") == Hand("11122z23m789s460p")
    assert hash(Hand("23m406p789s11122z")) == hash(Hand("11122z23m789s460p"))
    assert Hand("23m406p789s11122z") != Hand("23m456p789s11122z")
    assert Hand("23m456p789s11122z") != "23m456p789s11122z"


def test_shanten_and_waits() -> None:
    hand = Hand("23m406p789s11122z")
    assert (hand.shanten(), hand.is_tenpai, hand.is_complete) == (0, True, False)
    assert repr(hand.waits()) == "[1m, 4m]"
    assert Hand("147m258p369s1234z").waits() == []


def test_a_wait_for_tiles_all_in_ones_own_melds_is_none() -> None:
    assert Hand("1z (234m) (456p) (789s) (555p)").is_tenpai
    assert format_tiles(Hand("2355m (234m) (456p) [1111m]").waits()) == "4m"
    hand = Hand("1255m (345m) (345m) (789p)")
    assert format_tiles(hand.waits()) == "3m"
    held = Hand("1266m (345m) (333m) (789p)")
    assert held.shanten() == 0
    assert held.waits() == []
    assert not held.is_tenpai


def test_useful_tiles() -> None:
    hand = Hand("23m406p789s11122z")
    assert repr(hand.useful_tiles()) == "{1m: 4, 4m: 4}"
    assert hand.useful_tiles(seen="11m4m") == {0: 2, 3: 3}
    assert hand.useful_tiles(seen="1111m") == {3: 4}
    with pytest.raises(HandError, match="5 tiles 2m"):
        hand.useful_tiles(seen="2222m")


def test_discards_best_first() -> None:
    hand = Hand("23m406p789s11122z5m")
    best, second = hand.discards()
    assert (repr(best.tile), best.shanten, best.left) == ("5m", 0, 8)
    assert (repr(second.tile), repr(second.useful)) == ("2m", "{4m: 4}")
    assert hand.discards(seen="1111m4m")[0].left == 3


def test_a_red_five_is_kept_if_it_can_be() -> None:
    discarded = [repr(d.tile) for d in Hand("05m123p456p789s111z").discards()]
    assert "5m" in discarded
    assert "0m" not in discarded
    assert [repr(d.tile) for d in Hand("0m123p456p789s1122z").discards()] == ["0m"]


def test_counts_of_discards_agree_with_their_tiles() -> None:
    rng = np.random.default_rng(1)
    for counts in slow.random_hands(rng, 50, 14):
        hand = Hand(np.repeat(np.arange(34), counts).tolist())
        discards = hand.discards()
        assert [d.left for d in discards] == sorted((d.left for d in discards), reverse=True)
        assert all(hand.discard(d.tile).shanten() == d.shanten for d in discards)


def test_decompositions() -> None:
    assert list(map(repr, Hand("11122233344455p").decompositions())) == [
        "111p 234p 345p 345p 22p",
        "111p 222p 333p 444p 55p",
        "123p 123p 123p 444p 55p",
        "111p 234p 234p 234p 55p",
    ]
    (only,) = Hand("556677m22z (777z) [1111m]").decompositions()
    assert repr(only) == "567m 567m 22z"


def test_the_other_forms() -> None:
    assert Hand("1122m3344p5566s77z").is_seven_pairs
    assert Hand("19m19p19s12345677z").is_thirteen_orphans
    assert Hand("19m19p19s12345677z").is_complete


def test_draw_and_discard_leave_the_hand_as_it_was() -> None:
    hand = Hand("23m406p789s11122z")
    drawn = hand.draw("1m")
    assert (str(drawn), drawn.is_complete, str(hand)) == ("23m406p789s11122z1m", True, "23m406p789s11122z")
    assert drawn.discard("1m") == hand
    assert str(drawn.discard("5pr").sorted()) == "123m46p789s11122z"
    with pytest.raises(HandError, match="cannot discard 9m: 23m406p789s11122z1m has none"):
        drawn.discard("9m")
    with pytest.raises(HandError, match="5 tiles 1z"):
        Hand("23m406p789s11112z").draw("1z")


def test_open_and_closed() -> None:
    assert Hand("406p7799s11z3s [1111m]").is_closed
    assert not Hand("406p7799s11z1s (345m)").is_closed


def test_subclasses_stay_themselves() -> None:
    class Special(Hand):
        pass

    hand = Special("23m406p789s11122z")
    assert type(hand.draw("1m")) is Special
    assert repr(hand) == "Special('23m406p789s11122z')"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("123m", HandError, "3 concealed tiles with 0 melds: expected 13 or 14"),
        ("123456m (345m) (345m)", HandError, "6 concealed tiles with 2 melds: expected 7 or 8"),
        ("(123m) (123m) (123m) (123m) (456m)", HandError, "5 melds: a hand has at most 4"),
        ("1m77z22p55s [1111m] (345m)", HandError, "5 tiles 1m: there are only 4 of a kind"),
        ("0m77z22p55s [1111m] (340m)", HandError, "2 red fives 5mr: there is only one"),
        ("11111m77z22p55s33s", TileError, "5 tiles 1m"),
        ("12377z22p55s (345m", TileError, "at position 14, '('"),
        ("123m77z22p55s (346m)", MeldError, "'346m' is not a chi"),
    ],
)
def test_impossible_hands(text: str, error: type[ValueError], message: str) -> None:
    with pytest.raises(error) as caught:
        Hand(text)
    assert message in str(caught.value)


def test_questions_asked_at_the_wrong_time() -> None:
    with pytest.raises(HandError, match="waits are asked before the draw, of 13 tiles; this hand has 14"):
        Hand("123m406p789s11122z").waits()
    with pytest.raises(HandError, match="discards are asked after the draw, of 14 tiles; this hand has 13"):
        Hand("23m406p789s11122z").discards()
