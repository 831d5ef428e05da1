"""Curves of a run: one JSON line per entry in `curves.jsonl`, and TensorBoard's files if it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from janshi.rules.game import Array

if TYPE_CHECKING:
    from janshi.learn.ppo import Trainer


class Curves:
    """Writes figures as they arrive; when a run is resumed, rows later than its checkpoint are dropped."""

    def __init__(self, folder: Path, from_rollout: int = 0) -> None:
        self.path = folder / "curves.jsonl"
        rows = [row for row in read(folder) if row["rollout"] <= from_rollout] if from_rollout else []
        self.path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self._board = _tensorboard(folder)
        self.has_board = self._board is not None

    def add(self, row: dict[str, float]) -> None:
        """Note a row."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({name: round(value, 6) for name, value in row.items()}) + "\n")
        if self._board is not None:
            for name, value in row.items():
                if name != "decisions":
                    self._board.add_scalar(name, value, int(row["decisions"]))

    def close(self) -> None:
        """Flush everything."""
        if self._board is not None:
            self._board.close()


def read(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run."""
    path = folder / "curves.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rollout_row(
    trainer: Trainer, figures: dict[str, float], tally: Array, played: int, seconds: float
) -> dict[str, float]:
    """A rollout's figures: sums over batches, events at the tables (`TALLY_DTYPE`), decisions and seconds."""
    hands, won, points, decisions, forced, own, scores = (float(number) for number in tally)
    count = max(figures.pop("batches"), 1.0)
    one = trainer.variant.race or trainer.variant.alone
    row = {
        **{name: value / count for name, value in figures.items()},
        "explained": trainer.row.get("explained", 0.0),
        "rollout": trainer.rollouts,
        "decisions": trainer.decisions,
        "hands": trainer.hands,
        "seconds": round(trainer.seconds, 3),
        "rate": played / seconds,
        "win_rate": (own if one else won / trainer.game.players) / max(hands, 1),
        "draw_rate": 1 - won / hands if hands else 0.0,
        "win_points": points / won if won else 0.0,
        "forced": forced / max(decisions, 1),
        "hand_decisions": played / hands if hands else 0.0,
    }
    if one:
        row["score"] = scores / max(hands, 1)
    if trainer.expected is not None and trainer.expected.spread > 0:
        row["expected_error"] = trainer.expected.error / trainer.expected.spread
        row["expected_used"] = float(trainer.expected.used)
    if trainer.luck is not None and trainer.luck.left >= 0:
        row["luck_left"] = trainer.luck.left
    return row


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))


class BusyMeter:
    """The share of time in which a GPU computes, as reported by its driver."""

    def __init__(self, gpu: bool) -> None:
        self._sum, self._count, self._lock = 0.0, 0, threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        if gpu and shutil.which("nvidia-smi"):
            command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "500"]
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip().isdigit():
                with self._lock:
                    self._sum, self._count = self._sum + int(line) / 100, self._count + 1

    def read(self) -> float | None:
        """The mean since the last reading, or None."""
        with self._lock:
            total, count = self._sum, self._count
            self._sum, self._count = 0.0, 0
        return total / count if count else None

    def close(self) -> None:
        """Stop asking the driver."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
