"""What every peer's script does: prepare a task, repeat it for some seconds, print the rate as JSON.

Runs in the peer's own environment, so it imports only the standard library.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from _timing import rate


class Work(NamedTuple):
    """A prepared task: `once()` does some of it and returns the number of units; `answers` are its results."""

    once: Callable[[], int]
    answers: list[int]


Prepare = Callable[[Any], Work]


def main(package: str, works: dict[str, Prepare]) -> None:
    """Read the command line, do the work, print one JSON object."""
    parser = argparse.ArgumentParser(description=f"Measure {package}; prints one JSON object.")
    parser.add_argument("work", choices=sorted(works))
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to measure")
    parser.add_argument("--data", help="JSON file with the hands to work on")
    args = parser.parse_args()
    data = None
    if args.data:
        with open(args.data, encoding="utf-8") as file:
            data = json.load(file)
    work = works[args.work](data)
    work.once()
    found = {
        "peer": package,
        "version": importlib.metadata.version(package),
        "rate": rate(work.once, args.seconds),
        "answers": work.answers,
    }
    print(json.dumps(found))
