"""A training run from start to finish: its directory, checkpoints, curves and progress.

A run's directory contains `config.json`, `checkpoint.pt`, `light.pt` (networks only), `curves.jsonl`, `policy.npz`
(the policy for agents to play with), and earlier policies if requested.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from janshi.core.files import write_whole
from janshi.core.interrupt import CtrlC
from janshi.learn import checkpoint
from janshi.learn.config import TrainConfig
from janshi.learn.curves import BusyMeter, Curves
from janshi.learn.evaluation import Strength, results_by_wall, strength_of
from janshi.learn.network import export, holds_policy
from janshi.learn.ppo import Trainer, masked
from janshi.learn.processes import leave, world
from janshi.rules.game import Array

Report = Callable[[str], None]
LINE_SECONDS: Final = 5.0
"""Minimum seconds between two progress lines."""
ANSWER_BATCH: Final = 4096
EVALUATION_SEED: Final = 1_000_003
BY_WALL: Final = "walls.npz"
"""Results of an evaluation on every wall, means over the seats: points and wins."""
WARM_HANDS: Final = 20_000
"""Number of hands that an agent plays for a warm start."""


@dataclass(frozen=True)
class Plan:
    """The length of a run, and what happens along the way."""

    minutes: float = 0.0
    """Total minutes of training, including earlier sessions; 0: no limit."""
    decisions: int = 0
    """Total decisions; 0: no limit."""
    save_minutes: float = 5.0
    """Minutes between checkpoints; one is also written at the end."""
    evaluate_minutes: float = 0.0
    """Minutes of training between evaluations, with another at the end; 0: never."""
    walls: int = 200
    """Walls of an evaluation, each played from every seat."""
    opponent: str = "search"
    threads: int = 0
    """Threads for the opponents in an evaluation; 0: one per core."""
    full: bool = True
    """Write full checkpoints rather than light ones without tables and optimisers."""
    keep: bool = False
    """Store the policy of each evaluation."""
    by_wall: bool = False
    """Store an evaluation's results on every wall in `walls.npz`, for paired comparisons."""


def new_run(config: TrainConfig, out: Path, warm_start: str = "", report: Report = print) -> Trainer:
    """Begin a run in a directory that has none yet."""
    first = world().first
    if first and (out / "config.json").exists():
        raise ValueError(f"{out} already holds a run; use `janshi train --resume {out}` to continue it")
    trainer, fresh = Trainer(config), not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        if warm_start:
            begin_warm(trainer, out, warm_start, report)
    except BaseException:
        if fresh and not any(out.iterdir()):
            out.rmdir()
        raise
    if first:
        checkpoint.save(trainer, out / checkpoint.LIGHT, light=True)  # so that it can continue after any interruption
        _write_json(out / "config.json", config.to_json())
    trainer.begin()
    return trainer


def begin_warm(trainer: Trainer, out: Path, source: str, report: Report) -> None:
    """Start from another run's result, or by imitating recorded hands; a named agent plays these first."""
    from janshi.learn.warm_start import record_hands, warm_up

    path = Path(source)
    if path.is_file() and (path.suffix == ".pt" or holds_policy(path)):
        report(f"warm start: {checkpoint.begin_from(trainer, path)} of {path}")
        return
    if not path.is_file():
        if world().size > 1:
            raise ValueError("several processes cannot record hands for a warm start: use `janshi train hands` first")
        path = out / "warm_hands.npz"
        report(f"warm start: {source} plays {WARM_HANDS:,} hands against itself")
        record_hands(trainer.game, source, WARM_HANDS, trainer.config.seed, path, trainer.config.workers)
    warm_up(trainer, path, report)


def resume(out: Path, changes: dict[str, Any] | None = None) -> Trainer:
    """Continue a run from its last full checkpoint, or from a light one if there is none."""
    full, light = out / checkpoint.FULL, out / checkpoint.LIGHT
    if not full.exists() and not light.exists():
        raise ValueError(f"{out} holds no checkpoint ({checkpoint.FULL} or {checkpoint.LIGHT})")
    alone = world().size == 1  # a full checkpoint has one process's tables
    return checkpoint.load(full if full.exists() and alone else light, changes)


def run(trainer: Trainer, out: Path, plan: Plan, report: Report = print) -> Strength | None:
    """Train until the end of the plan or Ctrl-C; in both cases, finish the rollout and write a checkpoint.

    If there are several processes, all train, and the first reports, measures and writes.
    """
    if world().size > 1:
        return _run_together(trainer, out, plan, report)
    trainer.end_seconds, trainer.end_decisions = 60 * plan.minutes, plan.decisions
    curves, meter = Curves(out, trainer.rollouts), BusyMeter(trainer.device.gpu)
    if not curves.has_board:
        report("TensorBoard is not installed: curves go to curves.jsonl only")
    strength, said = None, 0.0
    saved, measured = trainer.seconds, trainer.seconds
    busy = 0.0
    with closing(meter), closing(curves), CtrlC() as interrupt:
        while not _over(trainer, plan) and not interrupt.asked:
            trainer.rollout()
            now = time.perf_counter()
            if now - said > LINE_SECONDS:
                busy = meter.read() or busy
                report(progress_line(trainer, busy))
                said = now
            curves.add({**trainer.row, "busy": busy})
            if trainer.seconds - saved >= 60 * plan.save_minutes:
                save(trainer, out, plan.full)
                saved = trainer.seconds
            if plan.evaluate_minutes and trainer.seconds - measured >= 60 * plan.evaluate_minutes:
                strength = measure(trainer, out, plan, curves, report)
                measured = trainer.seconds
        if interrupt.asked:
            report("interrupted: writing a checkpoint")
        elif plan.evaluate_minutes:
            strength = measure(trainer, out, plan, curves, report)
        save(trainer, out, plan.full)
    return strength


def _run_together(trainer: Trainer, out: Path, plan: Plan, report: Report) -> Strength | None:
    """Train in several processes; checkpoints are light."""
    trainer.end_seconds, trainer.end_decisions = 60 * plan.minutes, plan.decisions
    first, strength, said = world().first, None, 0.0
    saved = measured = trainer.seconds
    with ExitStack() as stack:
        curves = stack.enter_context(closing(Curves(out, trainer.rollouts))) if first else None
        interrupt = stack.enter_context(CtrlC())
        while not _over(trainer, plan) and not world().any(interrupt.asked):
            trainer.rollout()
            ready_to_measure = plan.evaluate_minutes and trainer.seconds - measured >= 60 * plan.evaluate_minutes
            if curves is not None:
                curves.add(trainer.row)
                if time.perf_counter() - said > LINE_SECONDS:
                    report(f"{world().size} processes  {progress_line(trainer, 0.0)}")
                    said = time.perf_counter()
                if trainer.seconds - saved >= 60 * plan.save_minutes:
                    save(trainer, out, full=False)
                if ready_to_measure:
                    strength = measure(trainer, out, plan, curves, report)
            saved = trainer.seconds if trainer.seconds - saved >= 60 * plan.save_minutes else saved
            measured = trainer.seconds if ready_to_measure else measured
        if curves is not None:
            if plan.evaluate_minutes and not interrupt.asked:
                strength = measure(trainer, out, plan, curves, report)
            save(trainer, out, full=False)
    leave()
    return strength


def _over(trainer: Trainer, plan: Plan) -> bool:
    in_time = not plan.minutes or trainer.seconds < 60 * plan.minutes
    in_count = not plan.decisions or trainer.decisions < plan.decisions
    return not (in_time and in_count)


def progress_line(trainer: Trainer, busy: float) -> str:
    """A run's progress, in one line."""
    row = trainer.row
    line = (
        f"{trainer.seconds:7.1f} s  rollout {trainer.rollouts:5d}  {trainer.decisions / 1e6:8.2f} M decisions  "
        f"{row['rate']:10,.0f}/s  won {100 * row['win_rate']:.1f} % by {row['win_points']:.1f} points, "
        f"drawn {100 * row['draw_rate']:.1f} %  entropy {row['entropy']:.3f}  KL {row['kl']:.4f}  "
        f"explained {row['explained']:.3f}"
    )
    if "score" in row:
        line += f"  score {row['score']:+.2f}"
    if "expected_error" in row:
        line += f"  expected reward's error {row['expected_error']:.3f}"
    if "luck_left" in row:
        line += f"  variance without luck {row['luck_left']:.3f}"
    return line + (f"  GPU busy {100 * busy:.0f} %" if trainer.device.gpu else "")


def measure(trainer: Trainer, out: Path, plan: Plan, curves: Curves, report: Report) -> Strength:
    """Measure the current policy, and add the result to the curves. All runs are measured on the same walls."""
    threads = plan.threads or os.cpu_count() or 1
    answer = partial(greedy, trainer)
    found = results_by_wall(answer, trainer.game, plan.opponent, plan.walls, EVALUATION_SEED, threads, trainer.encoder)
    strength = strength_of(found, trainer.game.players)
    if plan.by_wall:
        np.savez_compressed(out / BY_WALL, points=found.points.astype(np.float32), wins=found.wins.astype(np.float32))
    report(f"{trainer.seconds:7.1f} s  against {plan.opponent}: {strength}")
    figures = {
        "points": strength.points,
        "points_error": strength.points_error,
        "wins": strength.wins,
        "wins_error": strength.wins_error,
        "draws": strength.draws,
        "walls": plan.walls,
    }
    curves.add({"rollout": trainer.rollouts, "decisions": trainer.decisions, "seconds": trainer.seconds, **figures})
    if plan.keep:
        write_policy(trainer, out / f"policy-{int(trainer.seconds):05d}.npz")
    return strength


@torch.no_grad()
def greedy(trainer: Trainer, private: Array) -> Array:
    """The most probable action of each record."""
    found = []
    for a in range(0, len(private), ANSWER_BATCH):
        records = torch.from_numpy(private[a : a + ANSWER_BATCH]).to(trainer.device.torch)
        with trainer.device.precision(), trainer.device.any_size():
            logits = trainer.policy(records)
        found.append(masked(logits, trainer.encoder.masks(records)).argmax(1).cpu().numpy())
    return np.concatenate(found)


def save(trainer: Trainer, out: Path, full: bool = True) -> None:
    """Write a checkpoint and the policy."""
    if full:
        checkpoint.save(trainer, out / checkpoint.FULL)
    checkpoint.save(trainer, out / checkpoint.LIGHT, light=True)
    write_policy(trainer, out / "policy.npz")


def write_policy(trainer: Trainer, path: Path) -> None:
    """Export the policy with what a model card needs."""
    config = trainer.config
    card = {
        "rules": trainer.game.id,
        "variant": config.variant,
        "seed": config.seed,
        "decisions": trainer.decisions,
        "hands": trainer.hands,
        "seconds": round(trainer.seconds, 1),
        "config": json.dumps(config.to_json()),
    }
    export(trainer.policy, path, card)


def _write_json(path: Path, data: dict[str, Any]) -> None:
    write_whole(path, (json.dumps(data, indent=1) + "\n").encode())
