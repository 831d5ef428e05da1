"""The opponents of the lobby: named, rated from the documented matches, strongest first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from janshi.rules.registry import find_family
from janshi.web import live, ratings
from janshi.web.cast import CAST, persona_of
from janshi.web.families import WEB_LAYER
from janshi.web.figures import measured
from janshi.web.live.agents import adviser_of, agents_of
from janshi.web.ratings import agreement_of, level_of, standing_of, standings

PAGE = Path(live.__file__).parents[1] / "static" / "js"


@pytest.mark.parametrize("family", ["riichi", "guobiao", "simplified"])
def test_opponents_have_names_and_come_strongest_first(family: str) -> None:
    found = agents_of(family)
    ratings = [agent["rating"]["value"] for agent in found if agent["rating"]]
    assert ratings == sorted(ratings, reverse=True)
    assert len({agent["title"] for agent in found}) == len(found)
    for agent in found:
        assert agent["title"] != agent["name"]
        assert agent["style"].endswith(".")
        assert (agent["level"] is None) == (agent["rating"] is None)


def test_every_opponent_of_the_cast_has_words_in_three_languages_and_a_drawing() -> None:
    words = (PAGE / "words" / "opponents.js").read_text(encoding="utf-8")
    drawings = (PAGE / "portraits.js").read_text(encoding="utf-8")
    for label, persona in CAST.items():
        assert len(re.findall(f'"who.{re.escape(label)}": ', words)) == 3
        assert len(re.findall(f'"style.{re.escape(label)}": ', words)) == 3
        assert f'"who.{label}": "{persona.title}"' in words
        assert f'"style.{label}": "{persona.style}"' in words
        assert re.search(rf'\b{label.partition(":")[0]}(: \{{|")', drawings), f"no drawing of {label}"


def test_unknown_agents_keep_their_own_name() -> None:
    assert persona_of("somebody:else=1").title == "somebody"


def test_ratings_follow_the_documented_matches() -> None:
    found = standings("riichi")
    assert found["greedy"].rating.value == 1000
    careful = next(
        row for row in measured()["measured"] if (row["agent"], row["against"]) == ("careful", "greedy") and row["rank"]
    )
    chance = 1 - (careful["rank"]["value"] - 1) / 3
    assert found["careful"].ahead == pytest.approx(chance, abs=0.03)
    assert found["random"].rating.value < 800 < found["greedy"].rating.value < found["careful"].rating.value
    for one in found.values():
        assert one.rating.low <= one.rating.value <= one.rating.high
        assert one.level == level_of(one.ahead, "riichi")
        assert 1 <= one.level <= 5


def test_players_of_the_ladder_are_rated_and_narrower_intervals_count(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"name": "newcomer", "games": 480, "rating": {"value": 880.0, "low": 850.0, "high": 910.0}}
    standings.cache_clear()
    with monkeypatch.context() as change:
        vague = {"name": "careful", "games": 10, "rating": {"value": 2000.0, "low": 1000.0, "high": 3000.0}}
        change.setattr(ratings, "ladder_rows", lambda family: [row, vague])
        found = standings("riichi")
    standings.cache_clear()
    assert (found["newcomer"].rating.value, found["newcomer"].games) == (880.0, 480)
    assert found["careful"].rating.value < 1200
    assert found["newcomer"].ahead == pytest.approx(1 / (1 + 10 ** (120 / 400)), abs=1e-3)
    assert found["newcomer"].level == 1 + (found["newcomer"].ahead >= WEB_LAYER.of(find_family("riichi")).levels[0])


def test_options_that_were_not_measured_are_rated_as_the_agent() -> None:
    assert standing_of("montecarlo:rollouts=1000", "riichi") == standing_of("montecarlo", "riichi")
    assert standing_of("nobody", "riichi") is None


def test_hints_come_from_an_agent_that_says_what_choices_lose() -> None:
    units = {agent["label"]: agent["unit"] for agent in agents_of("riichi")}
    assert units[adviser_of("riichi")] in ("rank", "points")
    assert adviser_of("guobiao") in {agent["label"] for agent in agents_of("guobiao") if agent["explains"]}


def test_agreement_is_the_documented_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "apprentice.md").read_text(encoding="utf-8")
    share = agreement_of("apprentice")
    assert share is not None
    assert f"| all | {100 * share:.2f} |" in page
    assert agreement_of("nobody") is None
