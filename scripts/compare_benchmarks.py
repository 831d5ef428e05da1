"""Compare this version with an earlier one on the same machine, and write docs/benchmarks/compared.md.

Runs the benchmarks that both versions have (`--quick --json`) alternately: earlier, now, earlier, now. Other work on
the machine slows both down equally, so the ratios are more reliable than the figures. The first turn compiles kernels
and is not counted; bots compile before it, because a bot that compiles during a match answers too late. Without
--base, the earlier version is the last commit before packages replaced prefixes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _page import stamp, table_of_figures, this_machine

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks" / "compared.md"
BASE = "73ff08b"
NEEDED = ("src", "benchmarks")
"""The folders of a version that its benchmarks need."""
DERIVED = "times"
"""The unit of figures that are derived from others or from peers, which are left out."""
BOT = ("-m", "janshi", "bot", "mjai", "--agent", "greedy")
"""The bot of the benchmarks."""
NOISE = 0.1
"""Ratios closer to 1 than this count as equal, because single runs of a quick benchmark differ by as much."""


@dataclass
class Compared:
    """One figure of both versions, turn by turn."""

    benchmark: str
    metric: str
    unit: str
    higher_is_better: bool
    before: list[float] = field(default_factory=list)
    now: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """Ratio of this version to the earlier one in each turn; above 1 is better."""
        pairs = zip(self.before, self.now, strict=True)
        return [now / before if self.higher_is_better else before / now for before, now in pairs]

    @property
    def ratio(self) -> float:
        """The same for the best turn of each version, which other work disturbed the least."""
        best = max if self.higher_is_better else min
        before, now = best(self.before), best(self.now)
        return now / before if self.higher_is_better else before / now

    def cells(self) -> list[str]:
        """A row of the table."""
        best = max if self.higher_is_better else min
        spread = f"{min(self.ratios):.2f} – {max(self.ratios):.2f}"
        values = [f"{readable(best(values))}" for values in (self.before, self.now)]
        return [f"{self.benchmark}: {self.metric}", self.unit, *values, f"{self.ratio:.2f}", spread]


def readable(value: float) -> str:
    """Three significant figures."""
    return f"{value / 1e6:.3g} M" if abs(value) >= 1e6 else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def unpack(revision: str, folder: Path) -> None:
    """Check out the parts of a commit that its benchmarks need."""
    packed = subprocess.run(["git", "archive", revision, *NEEDED], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def benchmarks_of(folder: Path) -> list[str]:
    """Names of the benchmarks in a checkout."""
    return sorted(path.stem for path in (folder / "benchmarks").glob("[a-z]*.py"))


def first_turn() -> str:
    """The lines that an mjai bot reads up to its first decision."""
    hand = ["1m", "2m", "3m", "5m", "7m", "9m", "1p", "2p", "4p", "8p", "E", "E", "C"]
    dealt = {"bakaze": "E", "dora_marker": "1m", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    scores, hidden = [25_000] * 4, [["?"] * len(hand)] * 3
    events: list[dict[str, Any]] = [
        {"type": "start_game", "id": 0, "names": ["a", "b", "c", "d"]},
        {"type": "start_kyoku", **dealt, "scores": scores, "tehais": [hand, *hidden]},
        {"type": "tsumo", "actor": 0, "pai": "6m"},
    ]
    return "".join(json.dumps(event) + "\n" for event in events)


def run(folder: Path, arguments: Sequence[str], text: str = "") -> str:
    """Run Python in a checkout with `text` as input; returns its output."""
    shared = os.environ.get("JANSHI_SHARED", str(ROOT.parent / "shared"))
    no_peers = {"JANSHI_PEERS": os.devnull}  # peers' figures are on each benchmark's own page
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "JANSHI_SHARED": shared, **no_peers}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed in {folder}:\n{done.stderr[-2000:]}")
    return done.stdout


def figures(folder: Path, name: str) -> list[dict[str, Any]]:
    """The figures of one run of a checkout's benchmark."""
    script = str(folder / "benchmarks" / f"{name}.py")
    found: list[dict[str, Any]] = json.loads(run(folder, [script, "--quick", "--json"]))
    return found


def compare(before: Path, name: str, rounds: int) -> list[Compared]:
    """The figures that both versions of a benchmark have."""
    for folder in (before, ROOT):
        figures(folder, name)  # compiles
    found: dict[str, Compared] = {}
    for _ in range(rounds):
        turns = [{one["metric"]: one for one in figures(folder, name)} for folder in (before, ROOT)]
        for metric, now in turns[1].items():
            then = turns[0].get(metric)
            if then is None or not then["ours"] or now["unit"] == DERIVED:
                continue
            one = found.setdefault(metric, Compared(name, metric, now["unit"], now["higher_is_better"]))
            one.before.append(then["ours"])
            one.now.append(now["ours"])
    return list(found.values())


def page(compared: Sequence[Compared], base: str, rounds: int, command: str) -> str:
    """The page."""
    worse = [one for one in compared if one.ratio < 1 - NOISE]
    better = sum(one.ratio > 1 + NOISE for one in compared)
    found = f"Of {len(compared)} figures, {better} are better by more than {NOISE:.0%} and {len(worse)} worse"
    intro = (
        f"Figures of the quick benchmarks of this version and of commit {base}, measured in turn on the same machine. "
        f"The ratio says how many times as good this version is; the last column "
        f"gives its range over the turns.\n\n{found}{named(worse)}."
    )
    head = ["figure", "unit", "before", "now", "ratio", "range"]
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    conditions = f"{stamp(command, this_machine() + load)}\n- Runs of each version: {rounds}; the best counts"
    rows = [one.cells() for one in compared]
    parts = ["# Beside an earlier version", intro, conditions, table_of_figures(head, rows)]
    return "\n\n".join(parts) + "\n"


def named(some: Sequence[Compared]) -> str:
    """Figures by name, for the end of a sentence."""
    return ": " + "; ".join(f"{one.benchmark}, {one.metric}" for one in some) if some else ""


def measured(names: Sequence[str], base: str, rounds: int) -> Iterator[Compared]:
    """Compare one benchmark after the other, and report progress."""
    with tempfile.TemporaryDirectory() as place:
        before = Path(place)
        unpack(base, before)
        for folder in (before, ROOT):
            run(folder, BOT, first_turn())
        for name in names or benchmarks_of(ROOT):
            if name not in benchmarks_of(before):
                print(f"{name}: not in {base}", file=sys.stderr)
                continue
            for one in compare(before, name, rounds):
                print(*one.cells(), sep="  ", flush=True)
                yield one


def main() -> None:
    """Read arguments, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="benchmarks, such as engine; all that both versions have by default")
    parser.add_argument("--base", default=BASE, help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each version")
    parser.add_argument("--dry", action="store_true", help="write no page")
    args = parser.parse_args()
    compared = list(measured(args.names, args.base, args.rounds))
    if not args.dry:
        command = " ".join(["python scripts/compare_benchmarks.py", *args.names])
        PAGE.write_text(page(compared, args.base, args.rounds, command), encoding="utf-8")


if __name__ == "__main__":
    main()
