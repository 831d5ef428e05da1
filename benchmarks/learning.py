"""How fast self-play and learning run together: decisions per second on this machine.

Without options: measure, print a table, write docs/benchmarks/learning.md. The targets are for one NVIDIA H200 with 16
cores; a CPU gets a much smaller network, and its figures only show that the same code runs.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from _command import command_line, report
from _report import Figure

TARGETS = {"guobiao": 300_000.0, "simplified": 1_000_000.0}
INTRO = (
    "Decisions a second of PPO by self-play (RL-3: relative value and expected reward networks), playing and learning "
    "together, each decision learned from once. The best of several stretches counts; warming up and compiling do not."
)


def configs() -> dict[str, Any]:
    """The runs to measure, on a GPU and on a CPU."""
    import torch

    from janshi.learn.config import TrainConfig

    if torch.cuda.is_available():
        return {
            "guobiao": TrainConfig(
                rules="guobiao",
                blocks=8,
                channels=128,
                value_blocks=4,
                value_channels=64,
                tables=16384,
                rollout=524288,
                batch=8192,
            ),
            "simplified": TrainConfig(
                rules="simplified", blocks=4, channels=64, width=256, tables=32768, rollout=524288, batch=16384
            ),
        }
    small = TrainConfig(
        blocks=1, channels=8, width=16, tables=128, rollout=1024, batch=256, expected_batch=16, threads=1, device="cpu"
    )
    return {"guobiao": replace(small, rules="guobiao"), "simplified": replace(small, rules="simplified")}


def measure(config: Any, seconds: float, repetitions: int) -> tuple[list[float], str]:
    """Decisions per second in each stretch of at least `seconds` seconds, and a note."""
    from janshi.learn.curves import BusyMeter
    from janshi.learn.ppo import Trainer

    trainer = Trainer(config)
    trainer.begin()
    started = time.perf_counter()
    while not trainer.learned:  # from here on there are hands to learn from
        trainer.rollout()
    for _ in range(2):
        trainer.rollout()
    warm = time.perf_counter() - started
    meter, runs = BusyMeter(trainer.device.gpu), []
    for _ in range(repetitions):
        before, begun = trainer.decisions, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            trainer.rollout()
        runs.append((trainer.decisions - before) / (time.perf_counter() - begun))
    busy = meter.read()
    meter.close()
    shares = ", ".join(f"{what} {100 * share:.0f} %" for what, share in trainer.shares.items())
    note = (
        f"policy {config.blocks} × {config.channels}, values {config.value_blocks or config.blocks} × "
        f"{config.value_channels or config.channels}, batches of {config.batch}, {config.tables} tables; ready after "
        f"{warm:.0f} s; loop: {shares}"
    )
    return runs, note + (f"; GPU busy {100 * busy:.0f} %" if busy is not None else "")


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__).parse_args()
    seconds, repetitions = (1.0, 1) if args.quick else (6.0, 2)
    figures = []
    for rules, config in configs().items():
        runs, note = measure(config, seconds, repetitions)
        metric = f"{rules}: decisions played and learned from"
        figures.append(Figure(metric, "per second", max(runs), TARGETS[rules], True, {}, note, runs))
    report(args, "learning", "Learning by self-play", "Speed of learning", INTRO, figures)


if __name__ == "__main__":
    main()
