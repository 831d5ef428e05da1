"""Reviews that earlier versions kept can still be read: their shapes are answers of today."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from janshi.web.review.shapes import LuckText, ReviewText

RULES = {"id": "riichi/tenhou_east", "family": "riichi", "name": "tenhou east", "rounds": 1}
RIVER = [{"tile": "1z", "tsumogiri": False, "riichi": False, "called": False}]


def seat(wind: str) -> dict[str, Any]:
    return {
        "name": "",
        "agent": None,
        "wind": wind,
        "score": 25000,
        "rank": 1,
        "hand": ["1m"] * 3,
        "count": 3,
        "drawn": None,
        "melds": [],
        "river": RIVER,
        "riichi": False,
    }


def old_review() -> dict[str, Any]:
    """A review of the first version: no formats among the rules, no code of its problem."""
    result = {"kind": "exhaustive draw", "winners": [], "changes": [0] * 4, "tenpai": [False] * 4}
    end = {
        "rules": RULES,
        "viewer": None,
        "round": 0,
        "honba": 0,
        "sticks": 0,
        "round_name": "East 1",
        "left": 0,
        "dealer": 0,
        "turn": 0,
        "phase": "hand_over",
        "dora": ["1m"],
        "ura": [],
        "last": None,
        "seats": [seat(wind) for wind in "ESWN"],
        "result": {**result, "scores": [25000] * 4, "final": None},
    }
    start = {"rules": RULES, "dealer": 0}
    hand = {"name": "East 1", "honba": 0, "scores": [25000] * 4, "decisions": [1, 0, 0, 0], "start": start, "end": end}
    return {
        "id": "abcdefgh",
        "created": 1.5,
        "name": "game",
        "agent": "mdp:seconds=0.05",
        "unit": "rank",
        "everything": True,
        "bad": 0.02,
        "seats": [0],
        "state": "failed",
        "message": "the worker stopped early",
        "problem": None,
        "ahead": 0,
        "total": 1,
        "done": 0,
        "mine": True,
        "rows": [],
        "plans": [],
        "rates": {},
        "cards": {},
        "norms": None,
        "truth": None,
        "family": "riichi",
        "format": "mjlog",
        "rules": RULES,
        "names": [""] * 4,
        "hands": [hand],
        "problems": [],
    }


def test_a_review_of_the_first_version_is_an_answer_of_today() -> None:
    answers: TypeAdapter[Any] = TypeAdapter(ReviewText)
    assert answers.dump_python(answers.validate_python(old_review())) == old_review()


def test_luck_that_was_refused_in_words_alone_is_an_answer_of_today() -> None:
    answers: TypeAdapter[Any] = TypeAdapter(LuckText)
    kept = {"available": False, "why": "luck is measured in riichi games only"}
    assert answers.dump_python(answers.validate_python({**kept, "phrase": None})) == kept
