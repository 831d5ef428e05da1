"""Explanations of the MDP player: the numbers are consistent, and its best line can be played."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi import Hand
from janshi.agents.base import Asked
from janshi.agents.explain import FOLD, Explains, Explanation
from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.explanation import SCENARIO_COLUMNS, without_kans
from janshi.agents.registry import make_agent
from janshi.cli import app
from janshi.core.tiles import NUM_KINDS, format_tiles, kind_of, parse_tiles
from janshi.records.positions import Position, table_of_hand
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import TURN

GAME = make_game("riichi/tenhou_east")
HANDS = 3000
CHANCES = list(SCENARIO_COLUMNS)
DANGERS = ["danger right", "danger across", "danger left"]


@pytest.fixture(scope="module")
def agent() -> MDPAgent:
    return MDPAgent(GAME, hands=HANDS)


@pytest.fixture(scope="module")
def played() -> Array:
    """Decisions from the deal to the end of hands in games among careful players."""
    batch, player, found = Batch(GAME, 12, seed=3), make_agent("careful", GAME), []
    for step in range(100):
        views = batch.views()
        if step % 12 == 4:
            found.append(views)
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
    return np.concatenate(found)


@pytest.fixture(scope="module")
def explained(agent: MDPAgent, played: Array) -> list[tuple[Any, Explanation]]:
    return list(zip(played, agent.explain(played)))


NEAR = "234m123s78s56p99m1z3z"
"""Tenpai with 4p, 7p, 6s or 9s."""


def first_turn(hand: str, dora: str = "1p") -> Array:
    """The dealer's first turn with 14 tiles."""
    table = table_of_hand(hand, dora=dora)
    return Position(table, table.actor).views()


def tiles_of(view: Any) -> list[int]:
    return [kind for kind in range(NUM_KINDS) for _ in range(view["hand"][kind])]


# --- numbers


def test_it_explains_itself(agent: MDPAgent):
    assert isinstance(agent, Explains)


def test_the_first_choice_is_what_it_plays(agent: MDPAgent, played: Array, explained):
    asked = Asked(GAME, played, np.zeros(len(played), np.uint64), np.zeros(len(played), np.int64))
    assert [told.best.action for _, told in explained] == agent.act(asked).tolist()
    for view, told in explained:
        mask = GAME.masks_of_views(np.array([view], played.dtype))[0]
        assert all(mask[choice.action] for choice in told.choices), "only what is legal is thought of"
        scores = [choice.numbers["score"] for choice in told.choices[1:]]
        assert scores == sorted(scores, reverse=True)


def test_chances_of_scenarios_sum_to_one(explained):
    told_of = 0
    for _, told in explained:
        for choice in told.choices:
            chances = np.array([choice.numbers[name] for name in CHANCES])
            if np.isnan(chances).any():
                assert np.isnan(chances).all()
                continue
            told_of += 1
            assert chances.sum() == pytest.approx(1.0, abs=1e-3), choice.words
            assert chances.min() > -1e-4
            if FOLD in choice.then:
                assert chances[0] == chances[3] == 0, "a folded hand neither wins nor is tenpai"
    assert told_of > 300


def test_worths_are_ranks_and_points(explained):
    for _, told in explained:
        for choice in told.choices:
            assert 1.0 <= choice.numbers["rank"] <= 4.0
            assert -60_000 < choice.numbers["points"] < 60_000
    best = [told.best.numbers for _, told in explained if len(told.choices) > 3]
    together = np.corrcoef([n["rank"] for n in best], [n["win"] for n in best])[0, 1]
    assert len(best) > 30
    assert not together > 0, "hands that win more do not end in worse ranks"


def test_a_tile_that_was_discarded_against_a_riichi_is_no_danger(explained):
    checked = 0
    for view, told in explained:
        for player in np.flatnonzero(view["riichi"][1:]) + 1:
            river = {kind_of(int(tile)) for tile in view["river"][player, : view["discards"][player]]}
            for choice in told.choices:
                if choice.action < act.TSUMOGIRI and kind_of(choice.action) in river:
                    assert choice.numbers[DANGERS[player - 1]] == 0
                    checked += 1
            assert told.tenpai[player - 1] == 1
    assert checked > 5


def test_dangers_and_chances_of_losing_go_together(explained):
    checked = 0
    for _, told in explained:
        for choice in told.choices:
            risk = 1.0 - np.prod([1.0 - choice.numbers[name] for name in DANGERS])
            if not np.isnan(risk) and not np.isnan(choice.numbers["lose"]):
                assert choice.numbers["lose"] >= risk - 1e-3, "losing at once is a part of losing"
                checked += 1
    assert checked > 100


def test_hands_too_far_to_search_have_no_chances_and_no_line(agent: MDPAgent):
    told = agent.explain(first_turn("147m258p369s1235z7z"))[0]
    assert all(np.isnan(choice.numbers[name]) for choice in told.choices for name in CHANCES)
    assert told.line == ""
    assert len(told.choices) >= 13


def test_scores_are_worths_where_experts_have_no_say():
    view = first_turn("234m067p34067s88p1z")
    for payoff in ("rank", "points"):
        player = MDPAgent(GAME, hands=HANDS, payoff=payoff, experts=0.0)
        for choice in player.explain(view)[0].choices:
            rank, points = -choice.numbers["rank"], choice.numbers["points"] / 1000
            assert choice.numbers["score"] == pytest.approx(rank if payoff == "rank" else points)


# --- lines


def test_the_line_of_a_tenpai_hand_tells_its_waits(agent: MDPAgent):
    told = agent.explain(first_turn("234m567p34567s88p1z"))[0]
    assert told.line == "riichi, discard 1z → waiting 2s 5s 8s (11 tiles)"


def test_the_line_of_a_hand_before_tenpai_leads_there(agent: MDPAgent):
    told = agent.explain(first_turn(NEAR))[0]
    first = re.match(r"(discard 1z|tsumogiri 3z); ", told.line)
    assert first, told.line
    other = {"1z": "3z", "3z": "1z"}[first.group(1)[-2:]]
    assert told.line[first.end() :] in (
        f"draw 4p or 7p (8 tiles), discard {other} → riichi, waiting 6s 9s (8 tiles)",
        f"draw 6s or 9s (8 tiles), discard {other} → riichi, waiting 4p 7p (8 tiles)",
    )


STEP = re.compile(
    r"(?:after (?P<after>\d[mpsz]), )?(?P<way>draw|call|draw or call) (?P<tiles>[\dmpsz, or]+?)(?P<more> or others)? "
    r"\((?P<count>\d+) tiles?\), discard (?P<discard>\d[mpsz])"
)
END = re.compile(r" → (?:riichi, )?waiting (?P<waits>[\dmpsz ]+) \((?P<left>\d+) tiles?\)(?:, which cannot win)?")


def play_line(view: Any, told: Explanation) -> bool:
    """Play the line of a discard by the words alone, on the tiles of a hand; whether it could be checked."""
    begin = re.match(r"(?:riichi, )?(?:discard|tsumogiri) (\d[mpsz])", told.line)
    end = END.search(told.line)
    if begin is None or end is None or view["melds"][0] or "call" in told.line:
        return False
    root, hand = tiles_of(view), tiles_of(view)
    hand.remove(kind_of(parse_tiles(begin.group(1))[0]))
    distance, steps = Hand(format_tiles(hand)).shanten(), list(STEP.finditer(told.line))
    assert len(steps) == distance, "every step leads nearer"
    for i, step in enumerate(steps):
        kinds = [parse_tiles(name)[0] for name in re.findall(r"\d[mpsz]", step["tiles"])]
        unseen = sum(4 - int(view["seen"][kind]) - max(root.count(kind), hand.count(kind)) for kind in kinds)
        assert step["more"] or unseen == int(step["count"])
        follow = parse_tiles(steps[i + 1]["after"]) if i + 1 < len(steps) and steps[i + 1]["after"] else kinds
        discard, ends = parse_tiles(step["discard"])[0], []
        for kind in follow:
            after = sorted([*hand, kind])
            after.remove(discard)
            assert Hand(format_tiles(after)).shanten() == distance - 1
            ends.append(after)
        hand, distance = ends[0], distance - 1
        if distance == 0:
            for after in ends:
                assert " ".join(str(w) for w in Hand(format_tiles(after)).waits()) == end["waits"]
    if not steps:
        assert " ".join(str(w) for w in Hand(format_tiles(hand)).waits()) == end["waits"]
    return True


def test_lines_can_be_played(explained):
    checked = sum(play_line(view, told) for view, told in explained if view["phase"] == TURN)
    assert checked > 15


def test_a_folded_hand_tells_what_it_discards(explained):
    lines = [told.line for _, told in explained if FOLD in told.best.then]
    assert lines
    assert all(re.search(r"then fold:( \d[mpsz])+( …)?$", line) for line in lines)


def test_a_kan_does_not_hide_the_line(agent: MDPAgent):
    view = first_turn("1111z234m56p34588s")
    assert GAME.masks_of_views(view)[0, act.CONCEALED_KAN + parse_tiles("1z")[0]]
    assert not GAME.masks_of_views(without_kans(view))[0, act.OPEN_KAN]
    assert not GAME.masks_of_views(without_kans(view))[0, act.CONCEALED_KAN : act.TSUMO].any()
    told = agent.explain(view)[0]
    kan = [choice for choice in told.choices if choice.action >= act.CONCEALED_KAN]
    assert len(kan) == 1
    assert np.isnan(kan[0].numbers["win"])
    assert told.best in kan or "waiting" in told.line


def test_the_command_prints_it():
    result = CliRunner().invoke(app, ["explain", NEAR, "--agent", f"mdp:hands={HANDS}", "--dora", "1p"])
    assert result.exit_code == 0, result.output
    assert re.search(r"Best line: (discard 1z|tsumogiri 3z); draw .* → riichi, waiting", result.output)
    for name in ("score", "rank", "points", "win", "deal-in", "others", "noten", "danger"):
        assert name in result.output


# --- options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("payoff=fame", "payoff must be one of rank, points, not 'fame'"),
        ("seconds=0", "seconds must be more than 0, not 0.0"),
        ("seconds=nan", "seconds must be more than 0, not nan"),
        ("hands=5", "hands must be 100 or more, not 5"),
        ("inclusive=-1", "inclusive and reach are shanten, 0 or more, not -1 and"),
        ("reach=-2", "inclusive and reach are shanten, 0 or more, not"),
        ("experts=-1", "experts must be 0 or more, not -1.0"),
        ("dealing=luck", "dealing must be one of paper, linear, mixed, not 'luck'"),
        ("colour=red", "unknown option 'colour=red'; options are: hands=50000, payoff=rank"),
    ],
)
def test_options_that_make_no_player_are_refused(options: str, told: str):
    with pytest.raises(ValueError, match=re.escape(told)):
        make_agent(f"mdp:{options}", GAME)


def test_the_old_option_seconds_sets_the_number_of_hands():
    default, same = make_agent("mdp", GAME), make_agent("mdp:seconds=0.2", GAME)
    assert isinstance(default, MDPAgent)
    assert isinstance(same, MDPAgent)
    assert default.hands == same.hands == 50_000
    assert default.seconds == same.seconds == 0.2
    assert same.label == "mdp:seconds=0.2"
    short, long = (make_agent(f"mdp:seconds={seconds}", GAME) for seconds in (0.02, 0.2))
    assert isinstance(short, MDPAgent)
    assert isinstance(long, MDPAgent)
    assert long.hands == 10 * short.hands


def test_how_the_hand_ends_after_declining_a_win_is_not_known(agent: MDPAgent):
    (found,) = agent.explain(first_turn("123m456p789s22z555m"))
    assert found.best.action == act.TSUMO
    assert found.best.numbers["win"] == 1.0
    assert all(np.isnan(choice.numbers["win"]) for choice in found.choices if choice.action != act.TSUMO)
    assert all(choice.worth <= found.best.worth for choice in found.choices)
