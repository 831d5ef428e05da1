"""Concealed kan: four equal tiles in the hand, on one's own turn after a draw."""

from __future__ import annotations

from scenario import choices, deal, format_tiles, held, melded, play, until_turn


def test_with_the_drawn_tile() -> None:
    table = deal({0: "999m147p258s1234z"}, draws="9m")
    assert choices(table, 0) == {"concealed kan 9m"}


def test_with_four_tiles_held_from_before() -> None:
    table = deal({1: "9999m147p258s123z"}, draws="1z 5z")
    play(table, "0 tsumogiri")
    assert choices(table, 1) == {"concealed kan 9m"}
    play(table, "1 tsumogiri")
    until_turn(table, 1)
    assert choices(table, 1) == {"concealed kan 9m"}


def test_three_are_not_enough() -> None:
    table = deal({0: "999m147p258s1234z"}, draws="5z")
    assert choices(table, 0) == set()


def test_the_meld_and_the_replacement() -> None:
    table = deal({0: "999m147p258s1234z"}, draws="9m", replacements="7z")
    play(table, "0 concealed kan 9m")
    (meld,) = table.melds(0)
    assert (meld.in_words(), meld.called, meld.source) == ("concealed kan 9999m", None, None)
    assert held(table, 0) == "147p258s12347z"
    assert format_tiles([table.drawn]) == "7z"
    assert (table.asked, table.tiles_left) == ((0,), 68)


def test_several_kans_can_be_chosen_from() -> None:
    table = deal({0: "9999m1111z258s12p"}, draws="5z")
    assert choices(table, 0) == {"concealed kan 9m", "concealed kan 1z"}
    play(table, "0 concealed kan 1z")
    assert choices(table, 0) == {"concealed kan 9m"}


def test_the_red_five_goes_with_the_rest() -> None:
    table = deal({0: "055m147p258s1234z"}, draws="5m")
    assert choices(table, 0) == {"concealed kan 5m"}
    play(table, "0 concealed kan 5m")
    assert melded(table, 0) == "[0555m]"
    assert "0m" not in held(table, 0)


def test_not_after_a_call() -> None:
    table = deal({1: "9999m66z147p258s1z"}, draws="6z")
    play(table, "0 tsumogiri", "1 pon")
    assert choices(table, 1) == set()


def test_the_hand_stays_closed() -> None:
    table = deal({0: "999m123p456s7894s"}, draws="9m", replacements="6s")
    play(table, "0 concealed kan 9m")
    assert "riichi" in choices(table, 0)


def test_nobody_is_asked_about_it() -> None:
    table = deal({0: "777m147p258s1234z", 1: "123m456p789s22p56m"}, draws="7m")
    play(table, "0 concealed kan 7m")
    assert table.asked == (0,)
    assert melded(table, 0) == "[7777m]"
