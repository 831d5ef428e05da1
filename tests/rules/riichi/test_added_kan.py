"""Added kan: the fourth tile laid on one's own pon, after a draw."""

from __future__ import annotations

import pytest
from scenario import choices, deal, format_tiles, held, melded, play, until_turn

from janshi.core.melds import LEFT


def test_with_the_drawn_tile() -> None:
    table = deal({1: "99m147p258s12345z"}, draws="9m ? ? ? 9m", replacements="7z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    assert choices(table, 1) == {"added kan 9m"}
    play(table, "1 added kan 9m")
    (meld,) = table.melds(1)
    assert (meld.in_words(), meld.called, meld.source) == ("added kan 9999m", 8, LEFT)
    assert held(table, 1) == "147p258s23457z"
    assert format_tiles([table.drawn]) == "7z"


def test_with_a_tile_held_from_before() -> None:
    table = deal({1: "999m147p258s1234z"}, draws="9m ? ? ? 6z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    assert choices(table, 1) == {"added kan 9m"}
    play(table, "1 tsumogiri")
    until_turn(table, 1)
    assert choices(table, 1) == {"added kan 9m"}


def test_not_in_the_turn_of_the_pon() -> None:
    table = deal({1: "999m147p258s1234z"}, draws="9m")
    play(table, "0 tsumogiri", "1 pon")
    assert choices(table, 1) == set()


def test_not_on_a_chi_nor_without_the_tile() -> None:
    table = deal({1: "78m147p258s12345z"}, draws="9m ? ? ? 9m")
    play(table, "0 tsumogiri", "1 chi high", "1 discard 1z")
    until_turn(table, 1)
    assert choices(table, 1) == set()


def test_not_anothers_discard() -> None:
    table = deal({1: "99m147p258s12345z"}, draws="9m ? 9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri")
    assert table.asked == (0,)


def test_it_takes_a_tile_from_the_live_wall() -> None:
    table = deal({1: "99m147p258s12345z"}, draws="9m ? ? ? 9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    left = table.tiles_left
    play(table, "1 added kan 9m")
    assert table.tiles_left == left - 1


@pytest.mark.parametrize(("hand", "called", "drawn"), [("55p", "5p", "0p"), ("05p", "5p", "5p"), ("55p", "0p", "5p")])
def test_the_red_five_counts_wherever_it_came_from(hand: str, called: str, drawn: str) -> None:
    table = deal({1: hand + "147m258s12345z"}, draws=f"{called} ? ? ? {drawn}")
    play(table, "0 tsumogiri", "1 pon red" if "0" in hand else "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 5p")
    assert melded(table, 1) == ("(555+0p)" if drawn == "0p" else "(055+5p)")
    assert "p" not in held(table, 1).replace(format_tiles([table.drawn]), "")


def test_the_added_tile_is_the_last_tile_for_others() -> None:
    table = deal({1: "99m147p258s12345z", 3: "123p456p78m22s123s"}, draws="9m ? ? ? 9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 9m")
    assert (table.asked, table.actor) == ((3,), 1)
    assert format_tiles([table.last_tile]) == "9m"
