"""The cost of starting a bot that is restarted for every request, compared with starting its program alone.

Without options: measure everything, print a table, write docs/benchmarks/bots.md.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import rate
from janshi.protocols.botzone.process import BotzoneProcess

BOT = ["/bin/echo", "PASS"]
GIBIBYTE = 1 << 30
INTRO = (
    "A [Botzone](../botzone.md) bot that does not ask to be kept running is started for every request. The bot here is "
    "`/bin/echo PASS`, so almost all of the time is the start: its process, pipes and limits, the threads that read it "
    "and waiting for its end. *subprocess.run* is Python's own way to run the same program. A match has hundreds of "
    "megabytes in use, which a start must not copy."
)


def restarted() -> Callable[[], int]:
    """One request to a bot that is restarted."""
    bot = BotzoneProcess(BOT, io="simple", keep_running=False)

    def once() -> int:
        bot.begin()
        assert bot.answer("0 0 1") == "PASS"
        return 1

    return once


def alone() -> int:
    """The same program by Python's own function."""
    assert subprocess.run(BOT, input=b"1\n0 0 1\n\n\n", capture_output=True, check=True).stdout == b"PASS\n"
    return 1


def measure(memory: str, run: argparse.Namespace) -> Figure:
    """Milliseconds per start, ours and Python's, in turns."""
    once = restarted()
    once()
    runs, plain = [], []
    for _ in range(run.repetitions):
        runs.append(1000 / rate(once, run.seconds))
        plain.append(1000 / rate(alone, run.seconds))
    best, peers = min(runs), {"subprocess.run": min(plain)}
    return Figure(f"restart for a request, {memory}", "ms", best, higher_is_better=False, peers=peers, runs=runs)


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__).parse_args()
    args.seconds, args.repetitions = (0.2, 2) if args.quick else (2.0, 5)
    figures = [measure("nothing else in memory", args)]
    held = np.ones(GIBIBYTE // 8)  # written to, so that a copy of our memory would cost time
    figures.append(measure("1 GiB in use", args))
    assert held[-1] == 1
    report(args, "bots", "Starting bots", "Starting bots", INTRO, figures)


if __name__ == "__main__":
    main()
