"""The script that measures trained policies: its page, its plots, its means."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from script_modules import load_script


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("_rvr_page")


def told(af: float, wr: float) -> dict[str, Any]:
    return {
        "games": 3000,
        "walls": 1000,
        "af": af,
        "af_error": 0.2,
        "wr": wr,
        "wr_error": 0.01,
        "draws": 0.02,
        "self_draws": 0.1,
        "fan_of_win": 2.5,
    }


def figures() -> dict[str, Any]:
    curve = [[0, 0.0, -3.0, 0.1], [1e6, 10.0, -1.0, 0.2], [2e6, 20.0, 0.5, 0.3]]
    runs = ["basic-0", "basic-1", "rl1-0", "rl1-1"]
    return {
        "matches": {
            "simplified": {run: told(0.1 * i, 0.3) for i, run in enumerate(runs)},
            "guobiao": {"rl1-long": told(5, 0.4)},
        },
        "curves": {"simplified": dict.fromkeys(runs, curve), "guobiao": {"rl1-long": curve}},
        "values": {
            "hands": 100,
            "basic": {"discounted": 6.0, "plain": 7.0, "nothing": 9.0, "decisions": 10},
            "rl1": {"discounted": 4.0, "plain": 5.0, "nothing": 9.0, "decisions": 10},
        },
        "wins": {"hands": 10, "wins": 3, "agreed": 3, "fan": 30, "kinds": {"all chows": 2}},
    }


def test_the_page_gets_tables_and_plots(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "rvr.md"
    page.write_text(f"before\n{script.FIRST}\nold\n{script.LAST}\nafter\n")
    monkeypatch.setattr(script, "PAGE", page)
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.write_page(figures())
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert "| RL-1 | 2 | 3,000 | +0.20, +0.30 | +0.25 ± 0.20 | 30.0 ± 1.0 % |" in text
    assert "- RL-1: AF +0.20 ± " in text
    assert "| relative (RL-1) | 4.00 | 5.00 | 4.44 |" in text
    assert "10.0 fan on average" in text
    for name in ("simplified-decisions", "simplified-seconds", "guobiao-decisions", "minutes"):
        assert f"rvr/{name}.svg" in text
        assert ElementTree.parse(tmp_path / f"{name}.svg").getroot().tag.endswith("svg")


def test_the_difference_knows_the_spread_of_seeds(script: Any) -> None:
    rows = [told(af, 0.3) for af in (1.0, 1.2, 1.4)]
    base = [told(af, 0.3) for af in (0.0, 0.2, 0.4)]
    value, error = script.difference(rows, base, "af").split(" ± ")
    assert float(value) == pytest.approx(1.0)
    assert float(error) == pytest.approx(2.776 * np.sqrt(2 * 0.04 / 3), abs=0.02)


def test_axes_hold_all_values(script: Any) -> None:
    axis = script.axis("x", [-3.12, 0.4, 17.9])
    assert axis.low <= -3.12
    assert axis.high >= 17.9
    assert axis.ticks[0] == axis.low
    assert axis.ticks[-1] == axis.high


def test_a_run_without_a_policy_shows_its_last_measurement(tmp_path: Path) -> None:
    measured = {"points": -0.5, "points_error": 0.2, "wins": 0.25, "wins_error": 0.01, "draws": 0.02}
    rows: list[dict[str, Any]] = [{"decisions": 1, **measured}, {"decisions": 2, **measured, "points": 0.5}]
    lines = [json.dumps(row) for row in [*rows, {"decisions": 3, "rate": 1.0}]]
    (tmp_path / "curves.jsonl").write_text("\n".join(lines) + "\n")
    found = load_script("measure_rvr").last_measurement("simplified", tmp_path, 1000)
    assert (found["games"], found["walls"], found["af"], found["wr"]) == (3000, 1000, 0.5, 0.25)


def test_variants_are_compared_wall_by_wall(tmp_path: Path, script: Any) -> None:
    random, walls = np.random.default_rng(1), np.random.default_rng(2).normal(size=400)
    for variant, shift in (("basic", 0.0), ("rl1", 0.5)):
        for seed in range(3):
            folder = tmp_path / f"{variant}-{seed}"
            folder.mkdir()
            points = walls + shift + 0.1 * seed + 0.1 * random.normal(size=400)
            np.savez(folder / "walls.npz", points=points, wins=points > 0)
    found = load_script("measure_rvr").differences(tmp_path)
    mean, by_seed, by_wall = found["rl1"]["points"]
    assert mean == pytest.approx(0.5, abs=0.02)
    assert by_seed == pytest.approx(2.571 * np.sqrt(2 * 0.01 / 3), rel=0.1)
    assert by_wall < 0.02
    assert any("RL-1: AF +0.5" in line for line in script.paired_lines(found))
