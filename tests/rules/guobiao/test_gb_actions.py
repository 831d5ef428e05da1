"""The action space: 235 fixed numbers with names."""

from __future__ import annotations

import pytest

from janshi.rules.guobiao.actions import (
    ACTION_NAMES,
    CHI,
    PENG,
    ActionError,
    action_name,
    chi_action,
    chi_first,
    chi_place,
    parse_action,
)


def test_counts_are_those_of_the_papers_table():
    words = [name.rsplit(" ", 1)[0] if not name.startswith("chi") else "chi" for name in ACTION_NAMES]
    assert len(ACTION_NAMES) == 235
    assert {word: words.count(word) for word in dict.fromkeys(words)} == {
        "play": 34,
        "chi": 63,
        "peng": 34,
        "kong": 34,
        "concealed kong": 34,
        "added kong": 34,
        "hu": 1,
        "pass": 1,
    }


def test_names_and_numbers_agree():
    assert [parse_action(action_name(action)) for action in range(235)] == list(range(235))
    assert action_name(0) == "play 1m"
    assert action_name(chi_action(2, 1)) == "chi 345m taking 4m"


def test_chi_numbers_are_sequence_and_place():
    for action in range(CHI, PENG):
        assert chi_action(chi_first(action), chi_place(action)) == action


def test_unknown_actions_are_refused():
    with pytest.raises(ActionError, match="no action 235"):
        action_name(235)
    with pytest.raises(ActionError, match="no action is called 'pon'"):
        parse_action("pon")
