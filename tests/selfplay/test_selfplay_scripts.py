"""The scripts around riichi self-play, on tiny runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tiny_runs import config_of, small_net  # noqa: E402

from janshi.learn.imitation.export import export  # noqa: E402
from janshi.learn.riichi.calibration import groups_of, slope, text_of  # noqa: E402
from janshi.learn.riichi.run import self_play  # noqa: E402
from janshi.models import final_rank  # noqa: E402
from script_modules import load_script as script  # noqa: E402


def run_script(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    script(name).main()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tiny run, with its network beside it."""
    folder = tmp_path_factory.mktemp("selfplay")
    export(small_net(), folder / "network.npz")
    config = config_of(folder / "network.npz", decisions=200)
    assert self_play(folder / "run", config, device="cpu", threads=1, report=lambda line: None)
    return folder / "run"


def test_losses_are_found_by_experiment() -> None:
    """Of results that really differ by half of what is predicted, half is found."""
    random = np.random.default_rng(1)
    lost = np.abs(random.normal(0, 0.05, 40_000)) * random.choice([-1, 1], 40_000)
    results = 0.3 * random.normal(size=40_000) + np.where(lost < 0, 0.5 * lost, 0.0)
    lost[::3] = 0.0  # no trials
    groups = groups_of(lost, results)
    assert len(groups) == 7
    value, error = slope(groups)
    assert abs(value - 0.5) < 4 * error
    assert 0.01 < error < 0.2
    assert "0.04 – 0.08" in text_of(groups)


def test_choices_are_calibrated(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "choices.json"
    arguments = [str(run), "--hands", "12", "--share", "0.5", "--device", "cpu", "--threads", "1", "--out", str(out)]
    run_script("calibrate_choices", arguments, monkeypatch)
    figures = json.loads(out.read_text())
    assert figures["hands"] >= 12
    assert sum(group["decisions"] for group in figures["groups"]) > 20


def test_the_values_of_the_package_are_calibrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "choices.json"
    arguments = ["package", "--hands", "2", "--share", "1", "--half", "--set", "tables=8", "--set", "decisions=64"]
    run_script("calibrate_choices", [*arguments, "--device", "cpu", "--threads", "1", "--out", str(out)], monkeypatch)
    figures = json.loads(out.read_text())
    assert figures["run"] == "package"
    assert sum(group["decisions"] for group in figures["groups"]) > 10


def test_a_page_of_calibrated_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [
        {"low": 0.0, "high": 0.01, "decisions": 900, "predicted": 0.005, "found": 0.004, "error": 0.001},
        {"low": 0.01, "high": 0.02, "decisions": 800, "predicted": 0.015, "found": 0.012, "error": 0.002},
    ]
    figures = {"run": "package", "date": "2026-11-18", "hands": 100, "groups": groups, "slope": 0.8, "slope error": 0.1}
    out, page = tmp_path / "choices.json", tmp_path / "page.md"
    out.write_text(json.dumps(figures))
    page.write_text("before\n<!-- choices: begin -->\nold\n<!-- choices: end -->\nafter\n")
    (tmp_path / "selfplay").mkdir()
    run_script("calibrate_choices", ["--page", str(page), "--out", str(out)], monkeypatch)
    text = page.read_text()
    assert "**0.80 ± 0.20** places lost" in text
    assert "| 0.01 – 0.02 | 800 | 0.0150 | 0.0120 ± 0.0039 |" in text
    assert "old" not in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "found by experiment" in (tmp_path / "selfplay" / "choices.svg").read_text()


def test_a_match_from_files(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, base = tmp_path / "match.json", run.parent / "network.npz"
    arguments = [str(run / "last.npz"), "--against", str(base), "--values", str(run), "--games", "8"]
    arguments += ["--rules", "east", "--device", "cpu", "--threads", "1", "--out", str(out)]
    run_script("measure_selfplay", arguments, monkeypatch)
    figures = json.loads(out.read_text())
    assert figures["games"] == 8
    assert 1 <= figures["rank"]["value"] <= 4
    assert figures["rank without luck"]["walls"] == 2
    assert figures["gains"]["before the last hand"]["low"] < figures["gains"]["before the last hand"]["high"]


def test_a_match_of_a_run_tilted_by_its_values(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, base = tmp_path / "match.json", run.parent / "network.npz"
    arguments = [str(run), "--against", str(base), "--games", "8", "--tilt", "0", "1e5"]
    arguments += ["--rules", "east", "--device", "cpu", "--threads", "1", "--out", str(out)]
    run_script("measure_selfplay", arguments, monkeypatch)
    plain, tilted = json.loads(out.read_text())
    assert (plain["tilt"], tilted["tilt"]) == (0, 1e5)
    assert plain["style"] != tilted["style"]
    with pytest.raises(SystemExit, match="needs the folder"):
        run_script("measure_selfplay", [str(base), "--against", str(base), "--tilt", "2"], monkeypatch)


def test_the_training_script_goes_on(run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    run_script("train_selfplay", [str(run), "--device", "cpu", "--threads", "1"], monkeypatch)
    assert "going on after iteration 2 of 2" in capsys.readouterr().out


def test_final_ranks_that_follow_the_model_agree_with_it() -> None:
    check = script("check_final_rank")
    random = np.random.default_rng(5)
    n = 3000
    scores = 25000 + 100 * random.integers(-100, 101, (n, 4))
    kyoku = random.integers(0, 8, n)
    chances = final_rank.predict(scores, kyoku, 0, 0, 2).astype(np.float64)
    final = np.zeros((n, 4))
    for i in range(n):  # one player after another: the first takes a rank, the others share the rest
        left = [1, 2, 3, 4]
        for player in range(4):
            odds = np.array([chances[i, player, rank - 1] for rank in left])
            final[i, player] = left.pop(int(random.choice(len(left), p=odds / odds.sum())))
    zero = np.zeros(n, np.int64)
    found = check.Situations(scores, kyoku, zero, zero, zero + 2, final, np.arange(n))
    rows = check.compared(found)
    assert len(rows) > 20
    assert sum(row["situations"] for row in rows) > 0.9 * 4 * n
    assert np.median([abs(row["z"]) for row in rows]) < 3


def test_final_ranks_of_played_games(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "ranks.json"
    network = str(run.parent / "network.npz")
    arguments = ["--games", "16", "--network", network, "--device", "cpu", "--threads", "1", "--out", str(out)]
    run_script("check_final_rank", arguments, monkeypatch)
    rows = json.loads(out.read_text())
    assert rows
    assert all(1 <= row["predicted"] <= 4 and 1 <= row["actual"] <= 4 for row in rows)
    with pytest.raises(SystemExit):
        run_script("check_final_rank", [], monkeypatch)


def test_the_command_goes_on_and_refuses_other_settings(run: Path) -> None:
    from typer.testing import CliRunner

    from janshi.cli import app

    command = ["train", "riichi", "--out", str(run), "--device", "cpu", "--threads", "1"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "no candidate did better" in done.output
    refused = CliRunner().invoke(app, [*command, "--returns", "plain"])
    assert refused.exit_code == 2
    assert "began with returns=luckfree" in refused.output
