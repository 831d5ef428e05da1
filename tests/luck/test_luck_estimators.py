"""Luck by source, adjusted means and moments, on games whose truth is known."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from simulated import DRAWS, HANDS, simulate

from janshi.arena.sample_size import power_of
from janshi.luck.estimators import (
    SOURCES,
    adjusted_mean,
    adjusted_points,
    adjusted_rank,
    careers,
    deviations,
    everybody,
    games_needed,
    luck_of_games,
    luck_of_hands,
)
from janshi.luck.moments import course, hand_words, moments
from janshi.luck.summary import as_data, game_line, summarise
from janshi.luck.types import DEAL, DORA, DRAW, KAN_DORA, URA

SKILL = (0.5, 0.1, -0.2, -0.4)


@pytest.fixture(scope="module")
def games():
    return simulate(600, np.random.default_rng(1), SKILL)


def test_sums_by_source(games):
    hands, by_game = luck_of_hands(games), luck_of_games(games)
    assert hands.shape == (600 * HANDS, 4, 2, 4)
    for source, kinds in zip(SOURCES, ((DEAL,), (DRAW,), (DORA, KAN_DORA), (URA,))):
        place = SOURCES.index(source)
        assert np.allclose(hands[:, place], games.luck_of_hands(kinds), atol=1e-6)
        assert np.allclose(by_game[:, place], games.luck_of_games(kinds), atol=1e-6)
    assert np.allclose(by_game.sum(3), 0, atol=1e-4)
    slow = sum(e["luck"][0, 2].astype(float) for e in games.events if e["hand"] == 7 and e["kind"] == DRAW)
    assert hands[7, 1, 0, 2] == pytest.approx(slow)


def test_careers_follow_a_player_from_seat_to_seat(games):
    found = careers(games)
    assert set(found) == {"ann", "bob", "cid", "dee"}
    ann = found["ann"]
    assert (len(ann), ann.games) == (600, 600)
    assert ann.seat[:5].tolist() == [0, 1, 2, 3, 0]
    assert ann.rank[1] == games.ranks[1, 1]
    assert ann.points[2] == games.scores[2, 2] - 25000
    assert ann.adjusted_rank[3] == pytest.approx(ann.rank[3] + games.luck_of_games()[3, 0, 3], abs=1e-6)
    assert ann.adjusted_points[3] == pytest.approx(ann.points[3] - games.luck_of_games()[3, 1, 3], abs=0.1)
    everyone = everybody(games)
    assert everyone.rank.mean() == everyone.adjusted_rank.mean().round(6) == 2.5


def test_adjusted_rank_by_hand():
    luck = np.array([[0.5, 0, 0, 0], [0, -0.25, 0, 0], [0, 0, 0.1, 0.15], [0, 0, 0, 0]])  # good luck in places
    found = adjusted_mean([1, 3, 2, 4], -luck, np.arange(4), good=-1)
    assert found.raw.value == 2.5
    assert found.adjusted.value == pytest.approx((1.5 + 2.75 + 2.25 + 4) / 4)
    assert found.luck == pytest.approx(0.125)
    assert found.by_source == pytest.approx({"deal": 0.125, "draws": -0.0625, "dora": 0.025, "ura": 0.0375})
    assert found.ratio.value == pytest.approx(np.var([1.5, 2.75, 2.25, 4]) / np.var([1, 3, 2, 4]))
    assert found.worth == pytest.approx(1 / found.ratio.value)
    assert found.effective_games == pytest.approx(4 / found.ratio.value)


def test_one_game_has_no_interval_and_games_without_result_are_left_out():
    found = adjusted_mean([2.0, np.nan], [[-0.5, 0, 0, 0], [1, 1, 1, 1]], [0, 1], good=-1)
    assert found.adjusted.value == 2.5
    assert isnan(found.adjusted.low)
    assert isnan(found.ratio.value)
    with pytest.raises(ValueError, match="none of the games"):
        adjusted_mean([np.nan], [[0, 0, 0, 0]], [0])
    with pytest.raises(ValueError, match="4 sources"):
        adjusted_mean([1.0, 2.0], [[0, 0], [0, 0]], [0, 1])


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("told", [0.45, -0.2])
def test_adjusted_means_are_unbiased_in_any_unit_of_luck(told, fitted):
    """Also by a value function that gets it wrong way round; then the variance grows, and only fitting saves it."""
    rng = np.random.default_rng(3)
    truth = simulate(40_000, rng, SKILL)
    expected = careers(truth)["ann"].rank.mean()
    held, means, rounds = 0, [], 150
    for _ in range(rounds):
        found = adjusted_rank(careers(simulate(60, rng, SKILL, told=told))["ann"], fitted=fitted)
        held += found.adjusted.low <= expected <= found.adjusted.high
        means.append(found.adjusted.value)
    assert np.mean(means) == pytest.approx(expected, abs=3.5 * np.std(means) / np.sqrt(rounds) + 0.01)
    assert 0.89 <= held / rounds <= 0.99


def test_luck_taken_out_saves_games(games):
    ann = careers(games)["ann"]
    plain, fitted = adjusted_rank(ann), adjusted_rank(ann, fitted=True)
    assert plain.adjusted.half_width < 0.8 * plain.raw.half_width
    assert plain.ratio.high < 0.7
    assert plain.worth == pytest.approx(1 / plain.ratio.value, rel=0.01)
    assert set(plain.coefficients.values()) == {1.0}
    assert fitted.adjusted.error <= plain.adjusted.error * 1.02
    points = adjusted_points(ann)
    assert points.luck == pytest.approx(plain.luck * 8000, rel=1e-4)
    assert points.ratio.value == pytest.approx(plain.ratio.value, rel=0.01)


def test_fitting_finds_the_coefficient_in_any_unit_of_luck():
    half, whole = (
        adjusted_rank(careers(simulate(3000, np.random.default_rng(5), told=told))["bob"], fitted=True)
        for told in (0.2, 0.4)
    )
    assert half.coefficients["draws"] == pytest.approx(2 * whole.coefficients["draws"], rel=1e-3)
    assert half.adjusted.value == pytest.approx(whole.adjusted.value, abs=1e-5)
    slope = np.polyfit(*_luck_and_rank(0.4), 1)[0]
    assert whole.coefficients["draws"] == pytest.approx(-slope, rel=0.1)


def _luck_and_rank(told: float) -> tuple[np.ndarray, np.ndarray]:
    bob = careers(simulate(3000, np.random.default_rng(5), told=told))["bob"]
    return bob.luck[:, :, 0].sum(1), bob.rank


def test_copies_of_a_player_count_together():
    games = simulate(200, np.random.default_rng(6), names=("ann", "bob", "bob", "bob"))
    bob = careers(games)["bob"]
    assert (len(bob), bob.games) == (600, 200)
    found = adjusted_rank(bob)
    assert (found.raw.walls, found.raw.games) == (200, 600)
    assert found.adjusted.value * 3 + adjusted_rank(careers(games)["ann"]).adjusted.value == pytest.approx(10)


def test_games_needed_have_the_power_they_promise(games):
    raw, adjusted = deviations(careers(games)["ann"], everybody(games))
    assert adjusted < raw
    for need in games_needed(raw, adjusted):
        assert need.adjusted < need.raw
        assert power_of(need.raw, need.effect, raw) >= 0.8 > power_of(need.raw - 1, need.effect, raw)
    few = careers(games)["ann"].part(np.arange(5))
    assert deviations(few, everybody(games)) == deviations(everybody(games), everybody(games))


# --- moments


def test_moments_are_the_greatest_events_in_words(games):
    ann = careers(games)["ann"]
    games.events["luck"][5 * 14 * HANDS + 4, 0, 1] = 3.5  # game 5, East 1, third draw, ann at seat 1
    games.events["luck"][6 * 14 * HANDS + 14 + 3, 0, 2] = -3.25  # game 6, East 2, second draw
    games.events["tile"][[5 * 14 * HANDS + 4, 6 * 14 * HANDS + 14 + 3]] = 35, 27
    lucky, unlucky = moments(games, ann, 3)
    assert [m.luck for m in lucky] == sorted((m.luck for m in lucky), reverse=True)
    assert (lucky[0].game, lucky[0].seat, lucky[0].luck, lucky[0].kind) == (5, 1, 3.5, "draw")
    assert lucky[0].words == "East 1, turn 1: bob drew 0p".replace("bob", games.names[5][0])
    drawer = games.names[6][3]
    assert str(unlucky[0]) == f"East 2, turn 1: {drawer} drew 1z, -3.25 places"
    own = [m for m in moments(games, ann, 4000)[0] if ": drew" in m.words]
    assert own
    assert all(games.events["player"][m.event] == m.seat for m in own)


def test_words_of_every_kind(games):
    told = {m.kind: m.words for m in moments(games, careers(games)["bob"], 10**6)[0]}
    assert told["deal"].endswith(": the deal")
    assert ": dora indicator " in told["dora"]
    assert ": kan dora indicator " in told["kan dora"]
    assert ", at the win: ura indicator " in told["ura"]
    games.honba[2], games.kyoku[2] = 1, 6
    assert hand_words(games, 2) == "South 3, honba 1"


def test_the_course_of_luck_ends_at_the_game_s_luck(games):
    found = course(games, 9, 2)
    assert len(found.event) == HANDS * (DRAWS + 4)
    assert found.luck[0].tolist() == [0, 0, 0, 0]
    assert np.allclose(found.luck[-1], luck_of_games(games)[9, :, 0, 2], atol=1e-5)
    assert found.total[-1] == pytest.approx(games.luck_of_games()[9, 0, 2], abs=1e-5)
    assert [start for start, _ in found.hands] == [0, 14, 28, 42]
    with pytest.raises(IndexError):
        course(games, 600, 0)


# --- summaries


def test_a_summary_tells_of_the_player_s_games_only():
    games = simulate(40, np.random.default_rng(8))
    games.names[3] = games.names[17] = ("eve", "fay", "gus", "hal")
    mine = summarise(games, "eve")
    assert (mine.numbers, mine.games, mine.others) == ([3, 17], 2, 0)
    told = as_data(mine)
    assert [game["source"] for game in told["by game"]] == ["game3.mjlog", "game17.mjlog"]
    assert [seat["name"] for game in told["by game"] for seat in game["players"]] == ["eve", "eve"]
    everyone = summarise(games, most=3)
    assert (everyone.games, len(everyone.players), everyone.others) == (40, 3, 5)
    line = game_line(games, 5)
    luck = luck_of_games(games)[5]
    for seat in line.seats:
        assert list(seat.luck.values()) == pytest.approx(luck[:, 0, seat.seat].tolist())
        assert seat.adjusted_points == pytest.approx(seat.points - luck[:, 1, seat.seat].sum())
    with pytest.raises(ValueError, match="no player is called 'zoe' in 40 games"):
        summarise(games, "zoe")
