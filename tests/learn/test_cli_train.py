"""`janshi train` on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app

SMALL = [
    "blocks=1",
    "channels=8",
    "width=16",
    "tables=32",
    "rollout=512",
    "batch=128",
    "expected_batch=8",
    "threads=1",
    "device=cpu",
]


def settings() -> list[str]:
    return [word for setting in SMALL for word in ("--set", setting)]


def test_help_names_what_there_is() -> None:
    told = CliRunner().invoke(app, ["train", "--help"]).output
    assert "rvr" in told
    assert "--resume" in told
    assert "hands" in told
    assert "mean" in told
    assert CliRunner().invoke(app, ["train"]).output.startswith("Usage") or "Usage" in told


def test_train_and_resume(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    out = tmp_path / "run"
    command = ["train", "rvr", "--rules", "simplified", "--variant", "rl3", "--out", str(out), "--minutes", "0"]
    done = CliRunner().invoke(app, [*command, "--decisions", "1200", *settings()])
    assert done.exit_code == 0, done.output
    assert json.loads((out / "config.json").read_text())["variant"] == "rl3"
    assert (out / "checkpoint.pt").exists()
    assert (out / "policy.npz").exists()
    done = CliRunner().invoke(
        app, ["train", "--resume", str(out), "--decisions", "2000", "--evaluate", "1", "--walls", "2"]
    )
    assert done.exit_code == 0, done.output
    assert "against search" in done.output
    rows = [json.loads(line) for line in (out / "curves.jsonl").read_text().splitlines()]
    assert rows[-1]["decisions"] >= 2000
    from janshi.agents.registry import make_agent
    from janshi.rules.registry import make_game

    make_agent(f"policy:file={out / 'policy.npz'}", make_game("simplified"))
    again = CliRunner().invoke(app, [*command, *settings()])
    assert again.exit_code == 2
    assert "--resume" in again.output


def test_mistakes_take_one_line(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    out = str(tmp_path / "run")
    for words, told in (
        (["rvr", "--rules", "simplified", "--variant", "best", "--out", out], "rl3"),
        (["rvr", "--rules", "riichi/tenhou", "--out", out], "simplified"),
        (["rvr", "--rules", "simplified", "--out", out, "--set", "rate"], "rate=1e-3"),
        (["rvr", "--rules", "simplified", "--out", out, "--warm-start", "no.npz"], "there is no file no.npz"),
        (["rvr", "--rules", "simplified", "--out", out, "--set", "rollout=16"], "rollout must hold a batch"),
        (["--resume", str(tmp_path)], "holds no run to continue: it has no config.json"),
        (["hands", "--rules", "simplified", "--out", f"{out}/h.npz"], "there is no folder"),
        (["mean", "a.npz", "--out", f"{out}/m.npz"], "there is no folder"),
    ):
        done = CliRunner().invoke(app, ["train", *words])
        assert done.exit_code == 2, done.output
        assert told in done.output
        assert "Traceback" not in done.output
        assert not list(tmp_path.iterdir())


def test_missing_torch_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    done = CliRunner().invoke(app, ["train", "rvr", "--rules", "simplified", "--out", str(tmp_path / "run")])
    assert done.exit_code == 2
    assert 'pip install "janshi[learn]"' in done.output


def test_recording_hands(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = tmp_path / "hands.npz"
    command = ["train", "hands", "--rules", "simplified", "--count", "10", "--out", str(path), "--threads", "1"]
    command += ["--seed", "-1"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert path.exists()
    assert CliRunner().invoke(app, command).exit_code == 2


def test_the_mean_of_policies_plays(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from janshi.agents.registry import make_agent
    from janshi.features.planes import encoder
    from janshi.learn.network import PolicyNet, export, mean_policy, read_policy
    from janshi.rules.batch import Batch
    from janshi.rules.registry import make_game

    made, out = encoder("simplified"), tmp_path / "mean.npz"
    files = [tmp_path / f"{seed}.npz" for seed in range(2)]
    for seed, file in enumerate(files):
        torch.manual_seed(seed)
        export(PolicyNet(made, blocks=1, channels=8, width=16), file, {"variant": "rl3", "seed": seed, "hands": 7})
    command = ["train", "mean", *map(str, files), "--out", str(out)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "2 policies" in done.output
    game = make_game("simplified")
    agent = make_agent(f"policy:file={out}", game)
    assert agent.card["seed"] == 1
    unknown = {"decisions": None, "seconds": None}
    assert agent.card["mean_of"] == [{"variant": "rl3", "seed": seed, "hands": 7, **unknown} for seed in range(2)]
    batch = Batch(game, 4, seed=1)
    views = batch.views()
    records = torch.from_numpy(made.pack_views(views))
    wanted = mean_policy([read_policy(file) for file in files]).legal_logits(records).softmax(1)
    assert agent.probabilities(views) == pytest.approx(wanted.detach().numpy(), abs=1e-3)
    again = CliRunner().invoke(app, command)
    assert again.exit_code == 2
    assert "already exists" in again.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.npz", "1.npz", "mean.npz"]


def test_policies_without_a_mean_take_one_line(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from janshi.features.planes import encoder
    from janshi.learn.network import PolicyNet, export

    made, out = encoder("simplified"), tmp_path / "mean.npz"
    one = export(PolicyNet(made, blocks=1, channels=8, width=16), tmp_path / "one.npz")
    other = export(PolicyNet(made, blocks=1, channels=8, width=24), tmp_path / "other.npz")
    (tmp_path / "none.npz").write_text("nothing")
    for second, told in ((other, "cannot be averaged"), (tmp_path / "none.npz", "not an exported policy")):
        done = CliRunner().invoke(app, ["train", "mean", str(one), str(second), "--out", str(out)])
        assert done.exit_code == 2, done.output
        assert told in done.output
        assert "Traceback" not in done.output
    assert not out.exists()


def test_a_run_cut_off_at_once_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from janshi.learn.config import TrainConfig
    from janshi.learn.training import new_run

    out = tmp_path / "run"
    new_run(TrainConfig(rules="simplified", variant="rl3").changed(SMALL), out, report=lambda line: None)
    done = CliRunner().invoke(app, ["train", "--resume", str(out), "--decisions", "600", "--minutes", "0"])
    assert done.exit_code == 0, done.output
    assert "error -" not in done.output  # of an expected reward network that has not been asked yet
    assert (out / "checkpoint.pt").exists()


def test_damaged_runs_are_reported_with_their_file(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "config.json").write_text("")
    (tmp_path / "checkpoint.pt").write_bytes(b"PK\x03\x04 cut off")
    told = CliRunner().invoke(app, ["train", "--resume", str(tmp_path)])
    assert "config.json does not hold a run's settings" in told.output
    (tmp_path / "config.json").write_text("{}")
    told = CliRunner().invoke(app, ["train", "--resume", str(tmp_path)])
    assert told.exit_code == 2
    assert "checkpoint.pt is not a checkpoint, or damaged" in told.output


def test_a_failed_warm_start_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "text.npz").write_text("no hands")
    words = ["--warm-start", str(tmp_path / "text.npz"), "--out", str(tmp_path / "run")]
    told = CliRunner().invoke(app, ["train", "rvr", "--rules", "simplified", *words, *settings()])
    assert told.exit_code == 2
    assert "text.npz holds no recorded hands: expected" in told.output
    assert not (tmp_path / "run").exists()
