"""Tanyao: no terminals and no honours; open only where the rules allow it."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.hand import NoYakuError
from janshi.rules.riichi.ruleset import Ruleset


def test_closed_and_open_count_one_han() -> None:
    assert Hand("234m456p678s22p56m7m").score().han_for("tanyao") == 1
    assert Hand("456p678s22p56m7m (234m)").score().han_for("tanyao") == 1
    assert "tanyao" in Hand("456p678s22p56m7m [3333s]").score()


@pytest.mark.parametrize("hand", ["123m456p678s22p56m7m", "234m456p678s99p56m7m", "234m456p678s11z56m7m"])
def test_not_with_a_terminal_or_honour(hand: str) -> None:
    assert "tanyao" not in Hand(hand).score(riichi=True)


def test_not_with_a_terminal_in_a_meld() -> None:
    assert "tanyao" not in Hand("456p678s22p56m7m (123m)").score(last_tile=True)


def test_open_tanyao_can_be_forbidden() -> None:
    rules = Ruleset(open_tanyao=False)
    assert "tanyao" in Hand("234m456p678s22p56m7m").score(rules=rules)
    with pytest.raises(NoYakuError):
        Hand("456p678s22p56m7m (234m)").score(rules=rules)
