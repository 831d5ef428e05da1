"""`janshi luck` for Guobiao and the simplified game: Botzone's records and directories of matches, in points."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.played import gather, in_points
from janshi.arena.units import Options
from janshi.cli import app
from janshi.luck.points.flowers import FLOWERS, WORTH, counted, luck_of_flowers
from janshi.luck.points.measure import FLOWER, PointLuck, luck_of_games, shipped_values
from janshi.luck.points.summary import score
from janshi.records.botzone import log, text
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.ruleset import BOTZONE, MATCH
from janshi.rules.guobiao.table import Table
from janshi.rules.stepper import Stepper


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


def a_hand(seed: int, flowers: bool = False):  # type: ignore[no-untyped-def]
    """A recorded Guobiao hand of `greedy` players."""
    table = Table(seed, replace(BOTZONE, flowers=flowers, any_wind=False))
    recorder, players = Recorder(table), [KernelPlayer("greedy", seat) for seat in range(4)]
    while not table.hand_over:
        recorder.step({seat: players[seat](table, seat) for seat in table.asked})
    return recorder.record(f"hand{seed}")


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands in Botzone's text, and one as a match log."""
    folder = tmp_path_factory.mktemp("botzone")
    (folder / "hands.txt").write_text(text.write_all([a_hand(1), a_hand(2, flowers=True)]), encoding="utf-8")
    (folder / "match.json").write_text(log.write_all([a_hand(3)]), encoding="utf-8")
    return folder


def test_botzone_records(hands: Path) -> None:
    out = run("luck", str(hands), "--quiet")
    for word in ("hands.txt#1", "hands.txt#2", "match.json", "seat 0", "deal", "draws", "flowers", "In total: 3 games"):
        assert word in out
    assert re.search(r"Luckiest: +seat \d: .*drew \d[mpsz], [+]\d+\.\d points", out)
    assert "Luck measured by: luckfree-draws-guobiao" in out
    assert "too few games" in out


def test_numbers_add_up(hands: Path) -> None:
    data = json.loads(run("luck", str(hands), "--json", "--quiet"))
    assert (data["games"], data["unit"], data["problems"]) == (3, "points", [])
    for game in data["by game"]:
        for seat in game["players"]:
            assert seat["adjusted points"] == pytest.approx(seat["points"] - sum(seat["luck"].values()))
        assert sum(sum(seat["luck"].values()) for seat in game["players"]) == pytest.approx(0, abs=1e-3)
        assert sum(seat["points"] for seat in game["players"]) == 0
    mine = json.loads(run("luck", str(hands), "--json", "--quiet", "--player", "seat 2"))
    points = [game["players"][0]["points"] for game in mine["by game"]]
    assert mine["players"][0]["points"]["raw"]["value"] == pytest.approx(np.mean(points))
    assert [len(game["players"]) for game in mine["by game"]] == [1, 1, 1]


def test_scores_are_those_of_the_records(hands: Path) -> None:
    found = score(gather([hands / "hands.txt"]))
    assert [tuple(seat.points for seat in game.seats) for game in found.games] == [
        a_hand(1).scores,
        a_hand(2, True).scores,
    ]


def test_a_match_directory(tmp_path: Path) -> None:
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 12, 3)
    results = run_match(plan, tmp_path / "m", options=Options(keep_actions=True))
    assert in_points([tmp_path / "m"])
    data = json.loads(run("luck", str(tmp_path / "m"), "--json", "--quiet"))
    assert data["games"] == len(results) == 36
    by_name = {line["name"]: line for line in data["players"]}
    assert by_name["greedy"]["points"]["raw"]["value"] == pytest.approx(results.points[results.seats == 0].mean())
    assert by_name["greedy"]["points"]["variance ratio"] is None  # 12 walls are too few
    assert by_name["random"]["seats held"] == 72
    limited = json.loads(run("luck", str(tmp_path / "m"), "--json", "--quiet", "--limit", "5"))
    assert limited["games"] == 5


def test_what_cannot_be_done_is_said(hands: Path, tmp_path: Path) -> None:
    out = CliRunner().invoke(app, ["luck", str(hands), "--html", str(tmp_path / "x.html")])
    assert out.exit_code == 2
    assert "--html is for riichi games" in out.output
    assert not (tmp_path / "x.html").exists()
    out = CliRunner().invoke(app, ["luck", str(hands), "--player", "nobody"])
    assert (out.exit_code, "no game of a player called 'nobody'" in out.output) == (2, True)


def test_a_broken_hand_is_named_and_left_out(hands: Path, tmp_path: Path) -> None:
    lines = (hands / "hands.txt").read_text(encoding="utf-8")
    (tmp_path / "hands.txt").write_text(lines.replace("Score ", "Score 9", 1), encoding="utf-8")
    (tmp_path / "match.json").write_text((hands / "match.json").read_text(encoding="utf-8"), encoding="utf-8")
    found = gather([tmp_path])
    assert len(found) < 3
    assert found.problems


# --- flowers


def test_the_luck_of_flowers() -> None:
    """With F flowers among N tiles, no flower is worth -F / N, and one flower and then none the sum of two draws."""
    states = GuobiaoGame(MATCH).new_states(2)
    states["own_walls"], states["left"], states["left"][:, 0] = 0, 0, 50
    states["flowers"][:, 1] = [0b1, 0b11]
    before = counted(states)
    before[1, 1] = 1
    luck = luck_of_flowers(states, np.array([0, 1]), np.array([1, 1]), before)
    f = FLOWERS - 2
    assert luck.tolist() == pytest.approx([-WORTH * 7 / 51, WORTH * (1 - (f + 1) / 52 - f / 51)])
    states["left"][:, 0] = 3  # flowers could use up the wall: they count nothing
    assert not luck_of_flowers(states, np.array([0, 1]), np.array([1, 1]), before).any()


def test_flowers_have_mean_zero() -> None:
    game, n = GuobiaoGame(replace(MATCH, hands=1)), 60
    tables, random = Stepper(game, n), np.random.default_rng(4)
    tables.start(np.arange(n, dtype=np.uint64))
    answers: list[list[int]] = [[] for _ in range(n)]
    while len(tables):
        masks = game.masks_of_views(tables.views())
        actions = np.where(masks, random.random(masks.shape), -1).argmax(1)
        for table, action in zip(tables.tables.tolist(), actions.tolist()):
            answers[table].append(action)
        tables.step(actions)
    measure = PointLuck(game, shipped_values("guobiao"), deals=8)
    events, _ = measure.of_games(range(n), [np.array(some) for some in answers])
    flowers = luck_of_games(events, n, 4, (FLOWER,))
    assert (events["kind"] == FLOWER).any()
    assert np.abs(flowers.mean(0)).max() < 5 * flowers.std(0).max() / np.sqrt(n)
    assert flowers.std() > 0.05
