"""Bad input at the table: errors that say what was wrong, and a table that stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from scenario import deal, play, run_out

from janshi.core.tiles import NUM_IDS
from janshi.rules.riichi.actions import DISCARD, NUM_ACTIONS, RON, ActionError
from janshi.rules.riichi.table import Table


@contextmanager
def refused(table: Table, *words: str) -> Iterator[None]:
    """An ActionError with all these words, and not one byte of the table changed."""
    before = table.state.tobytes()
    with pytest.raises(ActionError) as caught:
        yield
    for word in words:
        assert word in str(caught.value)
    assert table.state.tobytes() == before


@pytest.fixture
def table() -> Table:
    """The dealer is asked, and holds 19m19p19s1234567z and 5m."""
    return deal({0: "19m19p19s1234567z"}, draws="5m")


@pytest.fixture
def reaction() -> Table:
    """Seats 1 and 2 are asked about seat 0's 7m."""
    table = deal({1: "68m", 2: "77m"}, draws="7m")
    play(table, "0 tsumogiri")
    return table


# --- actions


def test_an_illegal_action_by_name(table: Table) -> None:
    with refused(table, "player 0", "discard 5p", "legal are", "discard 1m", "tsumogiri", "nine terminals"):
        table.step("discard 5p")


def test_an_illegal_action_by_number(table: Table) -> None:
    with refused(table, "player 0", "117", "ron", "discard 9s"):
        table.step(RON)


@pytest.mark.parametrize("number", [-1, NUM_ACTIONS, 1000])
def test_a_number_that_is_no_action(table: Table, number: int) -> None:
    with refused(table, "player 0", str(number), "no such action"):
        table.step(number)


def test_an_unknown_name(table: Table) -> None:
    with refused(table, "'dance'", "discard 5m"):
        table.step("dance")


def test_the_wrong_player(table: Table) -> None:
    with refused(table, "(0,)", "[1]"):
        table.step({1: "tsumogiri"})


def test_a_player_too_many(table: Table) -> None:
    with refused(table, "(0,)", "[0, 2]"):
        table.step({0: "tsumogiri", 2: "pass"})


def test_no_answer(table: Table) -> None:
    with refused(table, "(0,)", "None"):
        table.step()


def test_a_missing_answer(reaction: Table) -> None:
    with refused(reaction, "(1, 2)", "[1]"):
        reaction.step({1: "pass"})


def test_one_answer_where_two_are_asked(reaction: Table) -> None:
    with refused(reaction, "(1, 2)", "mapping"):
        reaction.step("pass")


def test_one_of_several_answers_illegal(reaction: Table) -> None:
    with refused(reaction, "player 2", "chi low", "pon, pass"):
        reaction.step({1: "pass", 2: "chi low"})


def test_the_drawn_tile_goes_by_tsumogiri(table: Table) -> None:
    with refused(table, "discard 5m", "tsumogiri"):
        table.step("discard 5m")


def test_an_answer_when_a_hand_is_over() -> None:
    table = deal()
    run_out(table)
    with refused(table, "nobody is asked", "pass"):
        table.step("pass")


def test_a_step_after_the_end() -> None:
    table = deal(one_hand=True)
    run_out(table)
    table.step()
    with refused(table, "the game is over"):
        table.step()
    with refused(table, "the game is over", "pass"):
        table.step({0: "pass"})


def test_a_legal_action_after_a_refused_one(table: Table) -> None:
    with refused(table):
        table.step("ron")
    table.step(DISCARD)
    assert str(table.river(0)[0]) == "1m"


def test_numbers_and_names_do_the_same(table: Table) -> None:
    other = deal({0: "19m19p19s1234567z"}, draws="5m")
    table.step("discard 1m")
    other.step(DISCARD)
    assert table == other


# --- situations


@pytest.mark.parametrize(
    "wall",
    [
        [],
        list(range(NUM_IDS - 1)),
        list(range(NUM_IDS + 1)),
        [0] * NUM_IDS,
        [*range(NUM_IDS - 1), -1],
        [*range(1, 137)],
    ],
)
def test_malformed_walls(wall: list[int]) -> None:
    with pytest.raises(ValueError, match="wall"):
        Table(wall=wall)


@pytest.mark.parametrize("scores", [[], [25_000] * 3, [25_000] * 5])
def test_malformed_scores(scores: list[int]) -> None:
    with pytest.raises(ValueError, match="4 players"):
        Table(scores=scores)


def test_unknown_rules() -> None:
    with pytest.raises(ValueError, match=r"'washizu'.*tenhou.*mleague"):
        Table(rules="washizu")


@pytest.mark.parametrize("situation", [{"round": -1}, {"honba": -1}, {"sticks": -1}])
def test_impossible_situations(situation: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(situation))):
        Table(**situation)


@pytest.mark.parametrize("answer", [None, "", 0.5])
def test_answers_that_are_no_actions(table: Table, answer: Any) -> None:
    with refused(table):
        table.step({0: answer})
