"""The simplified game, rule by rule."""

from __future__ import annotations

import pytest
from simplified_rig import play, rig

from janshi.core.tiles import TileError
from janshi.rules.simplified.actions import ACTION_NAMES, ActionError, action_name, parse_action
from janshi.rules.simplified.ruleset import Ruleset, get_ruleset
from janshi.rules.simplified.table import Table
from janshi.rules.simplified.tiles import format_kinds, parse_kinds

IDLE = ("135p24s17z", "246p135s1z", "135p246s7z")
"""Hands of which none can win soon."""


def test_deal_gives_seven_tiles_and_seat_0_draws() -> None:
    table = rig(IDLE, "6p")
    assert [len(table.hand(player)) for player in range(3)] == [8, 7, 7]
    assert table.tiles_left == 42 - 22
    assert (table.asked, table.actor, format_kinds([table.drawn])) == ((0,), 0, "6p")


def test_three_set_preset_gives_ten_tiles() -> None:
    assert [len(Table(rules="three_sets").hand(player)) for player in range(3)] == [11, 10, 10]


def test_chi_is_for_the_next_player_only() -> None:
    table = play(rig(("4p12236s7z", "56p1133s1z", "56p4455s7z"), "7z"), "discard 4p")
    assert table.asked == (1,)
    assert table.legal_names(1) == ["chi low", "pass"]
    play(table, "chi low")
    assert [str(meld) for meld in table.melds(1)] == ["(456p)"]
    assert table.melds(1)[0].source == 0
    assert str(table.river(0)[0]) == "4p^"
    assert not [name for name in table.legal_names(1) if not name.startswith("discard")]


def test_every_place_of_a_chi_is_offered() -> None:
    table = play(rig(("3p12235s7z", "1245p11s1z", "6p4456s17z"), "7z"), "discard 3p")
    assert table.legal_names(1) == ["chi low", "chi middle", "chi high", "pass"]
    play(table, "chi middle")
    assert format_kinds(table.hand(1)) == "15p11s1z"


def test_honours_and_other_suits_make_no_sequence() -> None:
    table = play(rig(("6p12234s1z", "45p11s177z", "45p4556s6p"), "1z"), "discard 6p")
    assert table.legal_names(1) == ["chi high", "pass"]
    table = play(rig(("1s12234p1z", "56p3456s1z", "45p4556s7z"), "1z"), "discard 1s")
    assert table.actor == 1  # nobody was asked


def test_pong_goes_before_chi_and_skips_a_player() -> None:
    table = play(rig(("4p12236s7z", "56p1133s1z", "44p4455s7z"), "7z"), "discard 4p", "1: chi low, 2: pong")
    assert table.actor == 2
    assert [str(meld) for meld in table.melds(2)] == ["(444p)"]
    assert not table.melds(1)


def test_hu_goes_before_pong() -> None:
    table = play(rig(("4p4466s17z", "44p1133s1z", "56p123s77z"), "1z"), "discard 4p", "1: pong, 2: hu")
    assert table.over
    assert table.state["winner"] == 2


def test_of_two_hu_the_nearest_wins() -> None:
    table = play(rig(("4p11223s1z", "56p345s77z", "56p456s66s"), "1z"), "discard 4p", "1: hu, 2: hu")
    assert table.state["winner"] == 1
    assert table.scores == [-2, 4, -2]


def test_pass_lets_the_next_player_draw() -> None:
    table = play(rig(("4p12236s7z", "56p1133s1z", "44p4455s7z"), "7z"), "discard 4p", "1: pass, 2: pass")
    assert (table.actor, table.asked) == (1, (1,))


def test_a_discard_win_costs_the_discarder_the_fan_and_all_the_base() -> None:
    table = play(rig(("1s11223p1z", "246p135s1z", "1s777z456p"), "1z"), "discard 1s", "hu")
    assert str(table.result) == "win on a discard of player 0: player 2, honour pung: 2 fan; scores [-4, -2, 6]"


def test_a_self_draw_costs_both_the_fan() -> None:
    table = play(rig(("1s777z456p", "246p135s1z", "135p246s1z"), "1s"), "hu")
    assert str(table.result) == "self-draw: player 0, honour pung: 2 fan; scores [8, -4, -4]"


@pytest.mark.parametrize(
    ("hand", "drawn", "hands", "fan"),
    [
        ("123p345s5s", "5s", (), 0),
        ("111z345s5s", "5s", ("honour pung",), 2),
        ("123456p1z", "1z", ("straight",), 4),
        ("123456s1p", "1p", ("straight",), 4),
        ("112233p5p", "5p", ("flush",), 6),
        ("111222p3s", "3s", ("all pungs",), 8),
        ("111777z3s", "3s", ("honour pung", "all pungs"), 10),
        ("123456p6p", "6p", ("straight", "flush"), 10),
        ("111222p3p", "3p", ("flush", "all pungs"), 14),
        ("1112223p", "3p", ("flush", "all pungs"), 14),
    ],
)
def test_scoring_hands(hand: str, drawn: str, hands: tuple[str, ...], fan: int) -> None:
    table = play(rig((hand,), drawn), "hu")
    assert table.result is not None
    assert (table.result.hands, table.result.fan) == (hands, fan)


def test_melds_count_in_scoring_hands() -> None:
    table = rig(("3p11223s1z", "1245p1s77z", "24p4466s1z"), "1z6p")
    play(table, "discard 3p", "chi high", "discard 1s")
    while table.asked != (2,):
        play(table, ", ".join(f"{player}: pass" for player in table.asked))
    play(table, "discard 6p", "hu")
    assert table.result is not None
    assert (table.result.winner, table.result.payer, table.result.hands) == (1, 2, ("straight",))


def test_kong_is_three_tiles_laid_down_without_replacement() -> None:
    table = rig(("777z1245p", "246p135s1z", "135p246s1z"), "6s")
    assert "kong 7z" in table.legal_names(0)
    play(table, "kong 7z")
    assert [str(meld) for meld in table.melds(0)] == ["[777z]"]
    assert (table.asked, table.tiles_left, len(table.hand(0))) == ((0,), 20, 5)
    play(table, "discard 6s")
    assert len(table.hand(0)) == 4


def test_kong_counts_a_fan_but_forgoes_the_win_of_that_turn() -> None:
    table = rig(("777z1244p", "246p135s1z", "135p246s1z"), "3p")
    assert {"hu", "kong 7z"} <= set(table.legal_names(0))
    play(table, "kong 7z")
    assert "hu" not in table.legal_names(0)


def test_kong_in_time_wins_more() -> None:
    table = rig(("777z1244p", "246p135s1z", "135p246s1z"), "6s3p")
    play(table, "kong 7z", "discard 6s")
    while table.asked != (1,):
        play(table, ", ".join(f"{player}: pass" for player in table.asked))
    play(table, "discard 3p", ", ".join(f"{p}: {'hu' if p == 0 else 'pass'}" for p in (0,)))
    assert table.result is not None
    assert (table.result.hands, table.result.kongs, table.result.fan) == (("honour pung",), 1, 3)


def test_no_kong_right_after_a_call() -> None:
    table = rig(("4p12236s7z", "56p444s11z", "135p5566s"), "7z")
    play(table, "discard 4p", "chi low")
    assert "kong 4s" not in table.legal_names(1)


def test_nobody_calls_the_last_discard_and_the_game_is_drawn() -> None:
    table = Table(seed=3)
    while not table.over:
        answers = {}
        for player in table.asked:
            names = table.legal_names(player)
            assert table.tiles_left or not {"pong", "chi low", "chi middle", "chi high"} & set(names)
            answers[player] = "pass" if "pass" in names else names[0]
        table.step(answers)
    assert str(table.result) == "draw; scores [0, 0, 0]"
    assert table.tiles_left == 0


def test_actions_have_names_both_ways() -> None:
    assert [parse_action(name) for name in ACTION_NAMES] == list(range(34))
    assert action_name(13) == "discard 7z"
    with pytest.raises(ActionError, match="no action 34"):
        action_name(34)
    with pytest.raises(ActionError, match="no action is called 'ron'"):
        parse_action("ron")


def test_illegal_answers_are_refused_and_change_nothing() -> None:
    table = Table(seed=1)
    before = table.copy()
    for answer in ("hu", "pass", 99, -1, {1: 0}, {}, None, True):
        with pytest.raises(ActionError):
            table.step(answer)  # type: ignore[arg-type]
    assert table == before


def test_a_finished_game_takes_no_answer() -> None:
    table = play(rig(("1s777z456p", "246p135s1z", "135p246s1z"), "1s"), "hu")
    with pytest.raises(ActionError, match="over"):
        table.step("pass")


def test_bad_walls_rules_and_tiles_are_refused() -> None:
    with pytest.raises(ValueError, match="42 tiles"):
        Table(wall="123p")
    with pytest.raises(ValueError, match="there are paper, three_sets"):
        get_ruleset("four_sets")
    with pytest.raises(ValueError, match="2 or 3 sets"):
        Ruleset(sets=4)
    with pytest.raises(TileError, match="7p is not in the simplified game"):
        parse_kinds("7p")
    with pytest.raises(TileError, match="only 3 of a kind"):
        parse_kinds("1111p")


def test_copies_are_independent() -> None:
    table = Table(seed=5)
    other = table.copy()
    other.step(other.legal_actions(0)[0])
    assert table != other
    assert table == Table(seed=5)
    assert repr(table) == "<Table simplified/paper: 20 tiles left, scores [0, 0, 0]>"
