"""Luck in points of Guobiao and the simplified game: every deal and draw is found, and its mean is zero."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.arena.answers import MatchError
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.features.prospects import prospects_of
from janshi.luck.match_luck import adjust_results
from janshi.luck.points.matches import score_point_match
from janshi.luck.points.measure import DEAL, DRAW, PointLuck, luck_of_games, measurable, shipped_values
from janshi.luck.types import PLACES, POINTS
from janshi.models.draw_values import DrawValues, shipped_file, write_weights
from janshi.models.store import ModelError, save
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.ruleset import MATCH
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

WIDTH = 16


def senseless_weights(game: Game) -> dict[str, Array]:
    """Weights of a network that makes no sense."""
    about, random = prospects_of(game.family), np.random.default_rng(2)
    hands, tile = about.players * len(about.about_players), len(about.about_tiles)
    sizes = {
        "of_position": (WIDTH, hands),
        "position_last": (about.players, WIDTH),
        "of_hands": (WIDTH, hands),
        "both": (WIDTH, WIDTH),
        "last": (about.players, WIDTH),
    }
    made = {f"{name}.weight": random.normal(size=size) for name, size in sizes.items()}
    made |= {f"{name}.bias": random.normal(size=size[0]) for name, size in sizes.items()}
    made |= {"of_tile.weight": random.normal(size=(WIDTH, tile))}
    made |= {"centre": np.zeros(hands + tile), "spread": np.full(hands + tile, 64.0)}
    return {name: value.astype(np.float32) for name, value in made.items()}


def card_of(game: Game, scale: float = 0.1) -> dict[str, Any]:
    about = prospects_of(game.family)
    return {"rules": game.id, "scale": scale, "hands": 0, "prospects": about.version, "width": WIDTH}


def arbitrary(game: Game, scale: float = 0.1) -> DrawValues:
    """Values of draws that make no sense."""
    return DrawValues(senseless_weights(game), card_of(game, scale), "arbitrary")


def random_games(game: Game, n: int, seed: int = 0) -> tuple[list[int], list[Array], Array, Array]:
    """Seeds, answers and final scores of games played at random, and how many tiles were drawn in each."""
    seeds = [1000 * seed + i for i in range(n)]
    tables, random = Stepper(game, n), np.random.default_rng(seed)
    tables.start(np.array(seeds, np.uint64))
    answers: list[list[int]] = [[] for _ in range(n)]
    drawn = np.zeros(n, np.int64)
    while not (tables.states["phase"] == game.game_over).all():
        masks = game.masks_of_views(tables.views())
        actions = np.where(masks, random.random(masks.shape), -1).argmax(1) if len(masks) else np.zeros(0, np.int64)
        for table, action in zip(tables.tables.tolist(), actions.tolist()):
            answers[table].append(action)
        was, hands = tables.states["left"].astype(np.int64).copy(), tables.states["phase"].copy()
        tables.step(actions)
        left = was - tables.states["left"]
        drawn += np.where(hands == _hand_over(game), 0, left.reshape(n, -1).sum(1))
    return seeds, [np.array(some) for some in answers], game.scores(tables.states), drawn


def _hand_over(game: Game) -> int:
    return 4 if game.players == 4 else -1


@pytest.mark.parametrize(
    ("rules", "games", "hands"), [("simplified", 40, 1), ("guobiao", 6, 1), ("with flowers", 3, 2)]
)
def test_every_deal_and_draw_is_found(rules: str, games: int, hands: int) -> None:
    game = GuobiaoGame(replace(MATCH, hands=hands)) if rules == "with flowers" else make_game(rules)
    seeds, answers, scores, drawn = random_games(game, games)
    events, ends = PointLuck(game, arbitrary(game), deals=8).of_games(seeds, answers)
    assert (ends == scores).all()
    assert ((events["kind"] == DEAL).sum(), len(np.unique(events["game"]))) == (games * hands, games)
    draws = events[events["kind"] == DRAW]
    per_game = np.bincount(draws["game"], minlength=games) - hands  # the first draws came with the deals
    if rules == "with flowers":  # they are taken from the wall too, and replaced
        assert (drawn - per_game < 8 * hands).all()
        assert (drawn - per_game).sum() > 0
    else:
        assert (per_game == drawn).all()
    assert (draws["tile"] >= 0).all()
    assert (events["player"][events["kind"] == DEAL] == -1).all()
    np.testing.assert_allclose(events["luck"].sum(1), 0, atol=1e-3)


def test_mean_luck_by_arbitrary_values_is_zero() -> None:
    game = make_game("simplified")
    measure = PointLuck(game, arbitrary(game), deals=500)
    seeds, answers, _, _ = random_games(game, 500, seed=1)
    events, _ = measure.of_games(seeds, answers)
    for kinds in ((DEAL,), (DRAW,)):
        luck = luck_of_games(events, len(seeds), 3, kinds)
        error = luck.std(0) / np.sqrt(len(seeds)) * (1.4 if kinds == (DEAL,) else 1)  # random deals have an error too
        assert (error > 0).all()
        assert (np.abs(luck.mean(0)) < 5 * error).all()


def test_luck_is_in_points() -> None:
    game = make_game("simplified")
    seeds, answers, _, _ = random_games(game, 5)
    one, two = (PointLuck(game, arbitrary(game, scale), 8).of_games(seeds, answers)[0] for scale in (0.1, 0.2))
    np.testing.assert_allclose(one["luck"], 2 * two["luck"], rtol=1e-4, atol=1e-5)


# --- matches


def a_match(tmp_path: Path, keep: bool = True) -> tuple[Plan, Any]:
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 6, 3)
    return plan, run_match(plan, tmp_path / "m", options=Options(keep_actions=keep))


@pytest.mark.parametrize("keep", [True, False])
def test_a_match_in_points(tmp_path: Path, keep: bool) -> None:
    plan, results = a_match(tmp_path, keep)
    values = arbitrary(make_game("simplified"))
    luck, name = score_point_match(plan, results, values)
    assert luck.shape == (18, 2, 3)
    assert np.isnan(luck[:, PLACES]).all()
    found = adjust_results(results, plan, luck, name, measure=POINTS)
    greedy = found.contestants[0]
    seat = results.seats == 0
    assert greedy.raw.value == pytest.approx(results.points[seat].mean())
    assert greedy.adjusted.value == pytest.approx((results.points - luck[:, POINTS])[seat].mean())
    assert greedy.luck == pytest.approx(luck[:, POINTS][seat].mean())
    assert found.left_out == 0
    with pytest.raises(ValueError, match="2 wall sets"):
        adjust_results(results, plan, luck, name)  # places are unknown: no game is left


def test_answers_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    plan, results = a_match(tmp_path)
    results.scores[0] += 1
    with pytest.raises(MatchError, match="do not lead"):
        score_point_match(plan, results, arbitrary(make_game("simplified")))


# --- files


def test_shipped_values_are_of_draws() -> None:
    for family in ("simplified", "guobiao"):
        assert measurable(family)
        values = shipped_values(family)
        assert values.card["rules"].startswith(family)
        assert values.card["hands"] > 1000
        assert shipped_file(family).stat().st_size < 200_000
    assert not measurable("riichi")


@pytest.mark.parametrize(("rules", "hands", "most"), [("simplified", 300, 0.8), ("guobiao", 60, 0.95)])
def test_shipped_values_take_variance_out(rules: str, hands: int, most: float) -> None:
    """Of games of `greedy`, which they were not made for."""
    game = make_game(rules)
    plan = Plan(game.id.rpartition("-")[0], ("greedy",), ((0,) * game.players,), hands, 9)
    results = run_match(plan, None, options=Options(keep_actions=True))
    luck, _ = score_point_match(plan, results)
    freed = results.points - luck[:, POINTS]
    assert freed.var(0).mean() < most * results.points.var(0).mean()


def test_files_keep_values(tmp_path: Path) -> None:
    game = make_game("simplified")
    write_weights(tmp_path / "v.npz", senseless_weights(game), card_of(game))
    seeds, answers, _, _ = random_games(game, 5)
    both = (arbitrary(game), DrawValues.load(tmp_path / "v.npz"))
    ours, theirs = (PointLuck(game, values, 8).of_games(seeds, answers)[0]["luck"] for values in both)
    np.testing.assert_allclose(ours, theirs, rtol=0.05, atol=0.02 * np.abs(ours).max())


def test_other_files_are_refused(tmp_path: Path) -> None:
    game = make_game("simplified")
    save(tmp_path / "v.npz", {"x": np.zeros(1)}, {"events": "actions", "format": 2})
    with pytest.raises(ModelError, match="values of actions"):
        DrawValues.load(tmp_path / "v.npz")
    write_weights(tmp_path / "v.npz", senseless_weights(game), {**card_of(game), "prospects": "older"})
    with pytest.raises(ModelError, match="trained on older"):
        DrawValues.load(tmp_path / "v.npz")
    (tmp_path / "v.npz").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="no values of draws"):
        DrawValues.load(tmp_path / "v.npz")
    with pytest.raises(ModelError, match="there are no values"):
        DrawValues.load(tmp_path / "none.npz")
