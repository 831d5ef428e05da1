"""The script that trains in pieces from a policy: each continues the last, and is measured against the start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from janshi.learn.config import TrainConfig  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.training import write_policy  # noqa: E402
from script_modules import load_script  # noqa: E402

TINY = ["tables=32", "rollout=512", "batch=64", "threads=1", "device=cpu", "past_share=0.5", "past_every=1"]


def test_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    config = TrainConfig(variant="rl1", blocks=1, channels=8, width=16, tables=32, rollout=512, batch=64, device="cpu")
    write_policy(Trainer(config), tmp_path / "start.npz")
    script, out = load_script("train_guobiao"), tmp_path / "out"
    words = ["--rules", "simplified", "--start", str(tmp_path / "start.npz"), "--out", str(out), "--walls", "4"]
    words += ["--seconds", "0.01", "--threads", "1", "--judged", "1", "--least", "99", "--set", *TINY]
    monkeypatch.setattr("sys.argv", ["train", *words])
    script.main()
    script.main()
    pieces = json.loads((out / "pieces.json").read_text())
    assert [one["name"] for one in pieces] == ["piece00", "piece01"]
    assert pieces[1]["decisions"] > pieces[0]["decisions"] >= 512
    for one in pieces:
        for which in ("newest", "mean"):
            assert len(one[which]["af"]) == len(one[which]["gain"]) == 2
    assert (out / "piece01" / "mean.npz").is_file()
    said = capsys.readouterr().out
    assert "paired gain" in said
    assert "change course" in said
    monkeypatch.setattr("sys.argv", ["train", *words, "--decisions", "1"])
    with pytest.raises(SystemExit, match="are done"):
        script.main()
