"""The script behind the comparison of variants: it stops at its deadline, and continues where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.learn.ppo import Trainer  # noqa: E402
from script_modules import load_script  # noqa: E402

TINY = ["blocks=1", "channels=8", "width=16", "tables=32", "rollout=512", "batch=64", "device=cpu", "expected_batch=8"]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    torch.set_num_threads(1)
    return load_script("train_rvr")


def options(out: Path, **changes: Any) -> SimpleNamespace:
    known: dict[str, Any] = {
        "rules": "simplified",
        "worker": "rl5",
        "seeds": 2,
        "first_seed": 0,
        "decisions": 1500,
        "out": out,
        "warm_start": "",
        "go_on": "",
        "measurements": 1,
        "walls": 2,
        "final_walls": 3,
        "threads": 1,
        "search_threads": 1,
        "save": 0,
        "set": TINY,
        "end": 1e12,
    }
    return SimpleNamespace(**{**known, **changes})


def test_runs_are_finished_once_and_go_on(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script.work(options(tmp_path, seeds=1))
    done = json.loads((tmp_path / "rl5-0" / "finished.json").read_text())
    assert done["decisions"] >= 1500
    rows = [json.loads(line) for line in (tmp_path / "rl5-0" / "curves.jsonl").read_text().splitlines()]
    assert (rows[-1]["walls"], rows[0]["walls"]) == (3, 2)
    rolled, play = [], Trainer.rollout
    monkeypatch.setattr(Trainer, "rollout", lambda self: (play(self), rolled.append(1)))
    clock = SimpleNamespace(time=lambda: 2e12 if rolled else 0.0, strftime=lambda form: "")
    monkeypatch.setattr(script, "time", clock)  # the deadline passes after the first rollout
    script.work(options(tmp_path))
    assert not (tmp_path / "rl5-1" / "finished.json").exists()
    monkeypatch.undo()
    before = torch.load(tmp_path / "rl5-1" / "light.pt")["counters"]["decisions"]
    assert 0 < before < 1500
    script.work(options(tmp_path))
    after = json.loads((tmp_path / "rl5-1" / "finished.json").read_text())
    assert after["decisions"] >= 1500
    assert (tmp_path / "rl5-0" / "finished.json").read_text() == json.dumps(done)
    rows = [json.loads(line) for line in (tmp_path / "rl5-1" / "curves.jsonl").read_text().splitlines()]
    decisions = [row["decisions"] for row in rows]
    assert decisions == sorted(decisions)
    assert load_script("measure_rvr").walls_of(tmp_path / "rl5-1") == 3


def test_only_the_last_measurement_is_missing(script: Any, tmp_path: Path) -> None:
    out = tmp_path / "basic-0"
    script.work(options(tmp_path, worker="basic", seeds=1))
    (out / "finished.json").unlink()
    (out / "walls.npz").unlink()
    script.work(options(tmp_path, worker="basic", seeds=1))
    assert (out / "finished.json").is_file()
    assert np.load(out / "walls.npz")["points"].shape == (3,)
