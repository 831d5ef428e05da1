"""On a discard hu goes before peng and kong, those before chi; of several hu the nearest downstream wins alone."""

from __future__ import annotations

from gb_scenario import deal, play

HANDS = {1: "123456789m22p45s", 2: "33s147m258p12345z", 3: "123456789m44p45s"}


def discard_3s():
    table = deal(HANDS, {0: "3s"})
    play(table, "0 play 3s")
    assert table.asked == (1, 2, 3)
    return table


def test_nearest_hu_wins_alone():
    table = discard_3s()
    table.step({1: "hu", 2: "peng 3s", 3: "hu"})
    assert table.result is not None
    assert table.result.win is not None
    assert (table.result.win.player, table.result.win.loser) == (1, 0)


def test_farther_hu_wins_over_peng():
    table = discard_3s()
    table.step({1: "chi 345s taking 3s", 2: "peng 3s", 3: "hu"})
    assert table.result is not None
    assert table.result.win is not None
    assert table.result.win.player == 3


def test_peng_goes_before_chi():
    table = discard_3s()
    table.step({1: "chi 345s taking 3s", 2: "peng 3s", 3: "pass"})
    assert (table.actor, str(table.melds(2)[0])) == (2, "(333s)")
    assert table.drawn is None


def test_chi_if_the_others_pass():
    table = discard_3s()
    table.step({1: "chi 345s taking 3s", 2: "pass", 3: "pass"})
    assert (table.actor, str(table.melds(1)[0])) == (1, "(345s)")
    assert all(name.startswith("play") for name in table.legal_names(1))


def test_chi_is_for_the_next_player_only():
    table = deal({2: "45s147m258p12345z"}, {0: "3s"})
    play(table, "0 play 3s")
    assert not any(name.startswith("chi") for name in table.legal_names(2))
