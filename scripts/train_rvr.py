"""The training runs behind docs/rvr.md: variants of reward variance reduction with the same budget.

Every variant has its own process, and all run at once on one GPU (with NVIDIA's MPS their kernels run concurrently,
without it they take turns). A process trains its seeds one after another, with the same number of decisions each. With
`--go-on`, one variant then continues training alone until the deadline. Each run has a directory with curves, the
policy and a light checkpoint.

After the deadline (`--seconds`), the same command continues the work: finished runs are left alone (`finished.json`),
the others continue from their light checkpoints, which are also written every `--save` seconds. The last measurement
of a run is stored wall by wall (`walls.npz`), so that runs can be compared in pairs.

    python scripts/train_rvr.py --rules simplified --variants basic rl1 --seeds 3 --decisions 20e6 --out runs
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from janshi.core.files import write_whole

FINISHED = "finished.json"
"""Marks a run that has completed its decisions and its last measurement."""
SIZES: dict[str, dict[str, Any]] = {
    "simplified": {"blocks": 4, "channels": 64, "width": 256, "tables": 8192, "rollout": 131_072, "batch": 2048},
    "guobiao": {"blocks": 6, "channels": 64, "width": 512, "tables": 8192, "rollout": 262_144, "batch": 4096},
}


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True, choices=sorted(SIZES))
    parser.add_argument("--variants", nargs="+", required=True)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument(
        "--save", type=float, default=60.0, help="seconds between light checkpoints; 0: only at the end"
    )
    parser.add_argument("--decisions", type=float, required=True, help="decisions of each run")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--warm-start", default="", help="hands to imitate first, or another run's policy")
    parser.add_argument("--go-on", default="", help="the variant that continues training alone")
    parser.add_argument("--seconds", type=float, default=1e9, help="deadline for everything")
    parser.add_argument("--measurements", type=int, default=8, help="number of measurements during a run")
    parser.add_argument("--walls", type=int, default=300, help="walls of a measurement")
    parser.add_argument("--final-walls", type=int, default=1000, help="walls of the last measurement of a run")
    parser.add_argument("--long-walls", type=int, default=150, help="walls of a measurement while continuing")
    parser.add_argument("--every", type=float, default=45.0, help="seconds between measurements while continuing")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process that step tables")
    parser.add_argument("--search-threads", type=int, default=3, help="threads of each process that play search models")
    parser.add_argument("--set", nargs="*", default=[], help="settings such as rate=1e-3")
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    parser.add_argument("--end", type=float, default=0.0, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Start a process for each variant, or act as one."""
    options = parse()
    if options.worker:
        work(options)
        return
    end = time.time() + options.seconds
    options.out.mkdir(parents=True, exist_ok=True)
    workers = []
    for variant in options.variants:
        log = (options.out / f"{variant}.log").open("a")
        command = [sys.executable, "-u", *sys.argv, "--worker", variant, "--end", str(end)]
        workers.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT))
    failed = [variant for variant, worker in zip(options.variants, workers) if worker.wait() != 0]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}; see their logs in {options.out}")


def work(options: Any) -> None:
    """Train one variant with all seeds."""
    from janshi.learn import checkpoint
    from janshi.learn.config import TrainConfig
    from janshi.learn.ppo import Trainer
    from janshi.learn.training import begin_warm

    config = TrainConfig(
        rules=options.rules, variant=options.worker, threads=options.threads, **SIZES[options.rules]
    ).changed(options.set)
    trainer = Trainer(config)
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        out = options.out / f"{options.worker}-{seed}"
        if (out / FINISHED).is_file():
            continue
        if time.time() >= options.end:
            report(f"no time left for seed {seed}")
            return
        out.mkdir(parents=True, exist_ok=True)
        trainer.restart(seed)
        if (out / checkpoint.LIGHT).is_file():
            checkpoint.go_on_from(trainer, out / checkpoint.LIGHT)
            report(f"seed {seed} continues at {trainer.decisions / 1e6:.1f} M decisions")
        elif options.warm_start:
            begin_warm(trainer, out, options.warm_start, report)
        train(trainer, out, options)
    if options.go_on == options.worker:
        go_on(trainer, options)


def report(line: str) -> None:
    """Print a line at once."""
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def train(trainer: Any, out: Path, options: Any) -> None:
    """One run with the given number of decisions, and measurements."""
    from janshi.learn.curves import Curves
    from janshi.learn.training import Plan, measure, progress_line, save

    trainer.end_decisions = 0 if options.go_on == options.worker else int(options.decisions)
    trainer.begin()
    curves, plan = Curves(out, trainer.rollouts), Plan(walls=options.walls, threads=options.search_threads)
    if not trainer.rollouts:
        measure(trainer, out, plan, curves, report)
    step, saved = options.decisions / options.measurements, time.time()
    due = trainer.decisions + step
    while trainer.decisions < options.decisions and time.time() < options.end:
        trainer.rollout()
        curves.add(trainer.row)
        if options.save and time.time() - saved > options.save:
            save(trainer, out, full=False)
            saved = time.time()
        if due <= trainer.decisions < options.decisions:
            due = trainer.decisions + step
            report(progress_line(trainer, 0.0))
            measure(trainer, out, plan, curves, report)
    if "rate" in trainer.row:  # not if only the last measurement was missing, or the time was over at once
        report(progress_line(trainer, 0.0))
        save(trainer, out, full=False)
    if trainer.decisions >= options.decisions and time.time() < options.end:
        measure(trainer, out, replace(plan, walls=options.final_walls, by_wall=True), curves, report)
        found = {"decisions": trainer.decisions, "hands": trainer.hands, "seconds": round(trainer.seconds, 1)}
        write_whole(out / FINISHED, json.dumps(found).encode())
    curves.close()


def go_on(trainer: Any, options: Any) -> None:
    """Continue training until the deadline; the policy of each measurement is stored."""
    from janshi.learn.curves import BusyMeter, Curves
    from janshi.learn.training import Plan, measure, progress_line, save

    out = options.out / f"{options.worker}-long"
    out.mkdir(parents=True, exist_ok=True)
    curves, plan = Curves(out), Plan(walls=options.long_walls, keep=True)
    left = options.end - time.time()
    trainer.end_seconds = trainer.seconds + left
    measured, said = time.time(), 0.0
    meter = BusyMeter(trainer.device.gpu)
    while time.time() < options.end:
        trainer.rollout()
        curves.add(trainer.row)
        if time.time() - said > 10:
            report(progress_line(trainer, meter.read() or 0.0))
            said = time.time()
        if time.time() - measured > options.every and options.end - time.time() > options.every / 2:
            measure(trainer, out, plan, curves, report)
            measured = time.time()
    meter.close()
    save(trainer, out, full=False)
    measure(trainer, out, replace(plan, walls=options.final_walls), curves, report)
    curves.close()


if __name__ == "__main__":
    main()
