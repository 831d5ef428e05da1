"""The gradient bench: how well each variant's batches point along the policy gradient of a frozen policy.

All variants first learn their values from the same hands of the frozen policy, and then estimate the advantages of the
same fresh hands (`learn/estimators.py`; variants with duplicate tables have separate hands). Gradients of whole hands
are compared with a reference from many more decisions with γ = λ = 1, whose expectation is the gradient of the score:

- cosine: of a batch's gradient with the reference, for batches of several sizes;
- variance: the variance of a batch's gradient, as a share of the first variant's;
- data: how many times as many decisions the first variant needs for the same cosine: the ratio of squared lengths
  along the reference, over the ratio of variances;
- bias: the angle between the means, corrected for the noise of both, which more data cannot remove. With γ or λ below
  1, every variant has some bias.

Figures have jackknife errors over blocks of hands. Each policy has a file in `--out`, which is updated as figures
arrive, so that a run stopped by `--seconds` or from outside leaves its results so far. The same code runs on a small
scale on a CPU, or on a large scale on a GPU with `--jobs` processes at once:

    python scripts/measure_gradients.py --rules simplified --policies early.npz late.npz --variants basic rl1 --out DIR
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from _page import table, this_machine, today
from janshi.core.files import write_whole
from janshi.learn.config import VARIANTS
from janshi.learn.estimators import Stream
from janshi.learn.network import read_policy
from janshi.learn.ppo import Trainer, masked
from janshi.rules.game import Array

REFERENCE_SEED, DUPLICATE_SEED = 1000, 2000
"""Separate the hands of the reference and of duplicate tables from the others."""
SIZES = (1, 4, 16)
"""Sizes of the compared batches, in units of the smallest one."""
BLOCKS = 10
"""Number of blocks of batches; each is left out once for the jackknife."""
PIECE = 8192
"""Decisions differentiated at once; more would not fit on some devices."""
VALUES_SHARE, REFERENCE_SHARE = 0.3, 0.65
"""Shares of `--seconds` after which values stop learning, and after which the reference ends."""
WRITTEN_EVERY = 5.0
"""Seconds between updates of a policy's file."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--policies", nargs="+", type=Path, required=True, help="exported policies (.npz)")
    parser.add_argument(
        "--variants", nargs="+", default=["basic", "rl1", "rl2", "rl2p", "rl3", "rl3p", "rl4", "rl5", "rl5a"]
    )
    parser.add_argument("--values", type=float, default=2e6, help="decisions in which the value networks learn")
    parser.add_argument("--decisions", type=float, default=2e6, help="decisions of the compared gradients")
    parser.add_argument("--reference", type=float, default=2e7, help="decisions of the reference")
    parser.add_argument("--reference-variant", default="rl1")
    parser.add_argument("--batch", type=int, default=4096, help="decisions of the smallest batches")
    parser.add_argument("--seconds", type=float, default=0.0, help="limit for everything; 0: none")
    parser.add_argument("--jobs", type=int, default=1, help="policies measured at once, each in a separate process")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", nargs="*", default=[], help="settings of training, such as tables=4096")
    parser.add_argument("--out", type=Path, required=True, help="directory for figures")
    parser.add_argument("--end", type=float, default=0.0, help=argparse.SUPPRESS)
    return parser.parse_args()


# --- sums of gradients


@dataclass
class Sums:
    """Sums over gradients of batches: enough for means, noise and cosines without storing any gradient."""

    total: Tensor
    count: int = 0
    squares: Any = 0.0
    """Sum of |g|², a number or a tensor of one."""
    cosines: list[Any] = field(default_factory=list)
    """Cosines with the reference, if there is one; scalars stay on the device, to avoid waiting for it."""

    def add(self, gradient: Tensor, reference: Tensor | None = None) -> None:
        """Add a batch's gradient."""
        self.total += gradient
        self.count += 1
        self.squares = self.squares + gradient.dot(gradient)
        if reference is not None:
            self.cosines.append(gradient.dot(reference) / (gradient.norm() * reference.norm()))

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.total + other.total,
            self.count + other.count,
            self.squares + other.squares,
            self.cosines + other.cosines,
        )

    def __sub__(self, other: Sums) -> Sums:
        return Sums(self.total - other.total, self.count - other.count, self.squares - other.squares)

    @property
    def mean(self) -> Tensor:
        """The mean gradient."""
        return self.total / max(self.count, 1)

    @property
    def signal(self) -> float:
        """|mean|² without bias, from pairs of different batches."""
        pairs = self.count * (self.count - 1)
        return (float(self.total.dot(self.total)) - float(self.squares)) / max(pairs, 1)

    @property
    def noise(self) -> float:
        """Mean |g - mean|² of a batch."""
        return float(self.squares) / max(self.count, 1) - self.signal

    @property
    def own_cosine(self) -> float:
        """Approximate cosine of the mean with its value for infinite data."""
        length = self.signal + self.noise / max(self.count, 1)
        return math.sqrt(max(self.signal, 0.0) / length) if length > 0 else 0.0


class Blocks:
    """Sums of batches in turn over several blocks."""

    def __init__(self, like: Tensor) -> None:
        self.parts = [Sums(torch.zeros_like(like)) for _ in range(BLOCKS)]
        self._next = 0

    def add(self, gradient: Tensor, reference: Tensor | None = None) -> None:
        """Add a batch's gradient to the next block."""
        self.parts[self._next % BLOCKS].add(gradient, reference)
        self._next += 1

    def whole(self) -> Sums:
        """All batches."""
        return sum(self.parts[1:], self.parts[0])

    def without_one(self) -> list[Sums]:
        """For each block, the sums of all other blocks."""
        whole = self.whole()
        return [whole - part for part in self.parts]


class Measured:
    """A variant's gradients in batches of several sizes."""

    def __init__(self, like: Tensor) -> None:
        self.small = Blocks(like)
        """Batches of the smallest size, in blocks."""
        self.sums = {size: Sums(torch.zeros_like(like)) for size in SIZES}
        self.notes: dict[str, float] = {}
        """Other facts about the variant, such as whether expected rewards replaced scores."""
        self._together = {size: torch.zeros_like(like) for size in SIZES}
        self._number = 0

    def add(self, gradient: Tensor, reference: Tensor | None) -> None:
        """Add the gradient of a batch of the smallest size."""
        self._number += 1
        self.small.add(gradient)
        for size, together in self._together.items():
            together += gradient / size
            if self._number % size == 0:
                self.sums[size].add(together, reference)
                together.zero_()

    def row(self, reference: Blocks, base: Measured) -> dict[str, Any]:
        """The figures of a variant; variance and data relative to `base`."""
        found = figures(self.small.whole(), base.small.whole(), reference.whole())
        left_out = [
            figures(*sums)
            for sums in zip(self.small.without_one(), base.small.without_one(), reference.without_one(), strict=True)
        ]
        return {
            "batches": self._number,
            **self.notes,
            "cosines": {size: float(np.mean(numbers(sums))) for size, sums in self.sums.items() if sums.cosines},
            "cosine_errors": {size: standard_error(numbers(sums)) for size, sums in self.sums.items() if sums.cosines},
            **found,
            "errors": {name: jackknife([one[name] for one in left_out]) for name in found},
        }


def figures(mine: Sums, base: Sums, reference: Sums) -> dict[str, float]:
    """Figures of a variant's batches, compared with the base and the reference."""
    length = math.sqrt(max(mine.signal, 0.0) * max(reference.signal, 0.0))
    straight = min(float(mine.mean.dot(reference.mean)) / length, 1.0) if length > 0 else math.nan
    variance = mine.noise / base.noise if base.noise > 0 else math.nan
    along, base_along = (float(one.mean.dot(reference.mean)) for one in (mine, base))
    return {
        "noise": mine.noise / mine.signal if mine.signal > 0 else math.nan,
        "variance": variance,
        "data": (along / base_along) ** 2 / variance if base_along and variance else math.nan,
        "mean_cosine": straight,
        "bias_degrees": math.degrees(math.acos(max(straight, -1.0))) if straight == straight else math.nan,
    }


def known(found: Any) -> Any:
    """Figures for JSON, with null for NaN."""
    if isinstance(found, dict):
        return {name: known(value) for name, value in found.items()}
    return None if isinstance(found, float) and math.isnan(found) else found


def numbers(sums: Sums) -> list[float]:
    """The cosines of batches, read from the device in one transfer."""
    return [] if not sums.cosines else torch.stack(sums.cosines).tolist()


def standard_error(values: Sequence[float]) -> float:
    """Standard error of the mean of independent values."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def jackknife(values: Sequence[float]) -> float:
    """The standard error of a figure, from its values with each block left out."""
    n = len(values)
    return float(math.sqrt((n - 1) / n * np.sum((np.array(values) - np.mean(values)) ** 2)))


# --- gradients of a frozen policy


def gradients(stream: Stream, decisions: int, batch: int) -> Iterator[Tensor]:
    """Yield gradients of every estimator, float64[estimators, weights], for batches of whole hands, without learning.

    Plays about `decisions` decisions. Batches have at least `batch` decisions each, with the same hands for all
    estimators.
    """
    ready, advs = stream.estimates(decisions)
    first, a = ready.first, 0
    while a < len(first) - 1:
        b = int(np.searchsorted(first, first[a] + batch, "left"))
        if b >= len(first):
            return  # too few decisions are left for a batch
        yield gradient(stream.host, slice(int(first[a]), int(first[b])), advs[:, first[a] : first[b]])
        a = b


def gradient(host: Trainer, rows: slice, advs: Array) -> Tensor:
    """The policy gradients Σ A ∇log π / n of some decisions of the batch, for each row of advantages: float64[e, p]."""
    policy, b, device = host.policy, host.batch, host.device
    weights = [value for value in policy.parameters() if value.requires_grad]
    with device.learning():
        factors = device.upload(advs / np.float32(advs.shape[1]))  # (estimators, n)
        found = [torch.zeros(sum(value.numel() for value in weights), device=device.torch) for _ in factors]
        for a in range(rows.start, rows.stop, PIECE):
            at = slice(a, min(a + PIECE, rows.stop))
            with device.precision():
                logits = policy(b.private[at])
            logs = masked(logits, host.encoder.masks(b.private[at]))
            chosen = logs.gather(1, b.actions[at][:, None])[:, 0]
            for number, factor in enumerate(factors[:, at.start - rows.start : at.stop - rows.start]):
                parts = torch.autograd.grad((chosen * factor).sum(), weights, retain_graph=number + 1 < len(factors))
                found[number] += torch.cat([part.ravel() for part in parts])
        return torch.stack(found).double()


# --- the bench


class Bench:
    """The bench for one policy: streams of hands, the reference, and the variants compared with it."""

    def __init__(self, options: Any, policy: Path, begun: float, end: float) -> None:
        self.options, self.name, self.begun, self.end = options, policy.stem, begun, end
        net = read_policy(policy)
        given = (options.rules, options.seed, options.set)
        self.reference_stream = stream_of(net, given, [options.reference_variant], REFERENCE_SEED, gamma=1.0, lam=1.0)
        kinds = (
            [name for name in options.variants if VARIANTS[name].duplicate is grouped] for grouped in (False, True)
        )
        self.streams = [
            stream_of(net, given, kind, seed) for kind, seed in zip(kinds, (0, DUPLICATE_SEED), strict=True) if kind
        ]
        self.reference: Blocks | None = None
        self._reference_mean: Tensor | None = None
        self.measured: dict[str, Measured] = {}
        self.seconds: dict[str, float] = {"started": time.time() - begun}
        self._written = 0.0
        self.cut = False
        """Whether time ran out before all decisions were played."""

    def run(self) -> None:
        """Learn values, compute the reference, and compare; writes figures along the way."""
        o = self.options
        for stream in (self.reference_stream, *self.streams):
            for one in stream.estimators.values():
                one.end_decisions = int(o.values)
        together = (self.reference_stream, *self.streams)
        self._repeat(together, int(o.values), VALUES_SHARE, "values", lambda s, n: s.learn(n))
        before = self.reference_stream.played
        self._repeat([self.reference_stream], before + int(o.reference), REFERENCE_SHARE, "reference", self._refer)
        if self.reference is None:
            raise SystemExit("the reference has no batch: more decisions are needed")
        goals = max(stream.played for stream in self.streams) + int(o.decisions)
        self._repeat(self.streams, goals, 1.0, "compared", self._compare)
        self.write(complete=not self.cut)

    def _repeat(
        self, streams: Sequence[Stream], goal: int, share: float, what: str, work: Callable[[Stream, int], None]
    ) -> None:
        """Run all streams in turn until each has played `goal` decisions, or this share of the time has passed."""
        started, end = time.time(), self.begun + share * (self.end - self.begun) if self.end else math.inf
        first = True
        while any(stream.played < goal for stream in streams) and (first or time.time() < end):
            for stream in streams:
                if stream.played < goal:
                    work(stream, min(goal - stream.played, self.size))
            first = False
            if self.measured and time.time() - self._written > WRITTEN_EVERY:
                self.write()
        self.cut |= any(stream.played < goal for stream in streams)
        for stream in streams:
            stream.host.device.synchronize()
        self.seconds[what] = time.time() - started
        played = ", ".join(f"{stream.played / 1e6:.2f} M" for stream in streams)
        print(f"{self.name}: {what} after {time.time() - self.begun:.0f} s, {played} decisions", flush=True)

    @property
    def size(self) -> int:
        """Decisions that are taken at once."""
        return max(self.reference_stream.host.most // 2, self.options.batch)

    def _refer(self, stream: Stream, decisions: int) -> None:
        for (found,) in gradients(stream, max(decisions, 2 * self.options.batch), self.options.batch):
            with stream.host.device.learning():
                self.reference = self.reference or Blocks(found)
                self.reference.add(found)

    def _compare(self, stream: Stream, decisions: int) -> None:
        assert self.reference is not None
        with stream.host.device.learning():
            mean = self._mean()
        for found in gradients(stream, max(decisions, 2 * self.options.batch), self.options.batch):
            with stream.host.device.learning():
                for name, one in zip(stream.estimators, found, strict=True):
                    self.measured.setdefault(name, Measured(one)).add(one, mean)
        for name, estimator in stream.estimators.items():
            if name in self.measured:
                self.measured[name].notes = notes(estimator)

    def _mean(self) -> Tensor:
        assert self.reference is not None
        if self._reference_mean is None:
            self._reference_mean = self.reference.whole().mean
        return self._reference_mean

    def write(self, complete: bool = False) -> None:
        """Write the figures found so far."""
        assert self.reference is not None
        for stream in self.streams:
            stream.host.device.synchronize()
        reference, o = self.reference.whole(), self.options
        base = self.measured.get(o.variants[0])
        rows = {} if base is None else {name: one.row(self.reference, base) for name, one in self.measured.items()}
        found = {
            "policy": self.name,
            "rules": o.rules,
            "date": today(),
            "machine": this_machine(),
            "complete": complete,
            "batch": o.batch,
            "settings": o.set,
            "decisions": {"values": int(o.values), "reference": reference.count * o.batch},
            "seconds": {**self.seconds, "all": time.time() - self.begun},
            "reference": {"batches": reference.count, "own_cosine": reference.own_cosine},
            "variants": {name: rows[name] for name in o.variants if name in rows},
        }
        write_whole(o.out / f"{self.name}.json", (json.dumps(known(found), indent=1) + "\n").encode())
        self._written = time.time()


def stream_of(net: Any, given: tuple[str, int, list[str]], variants: list[str], seed: int, **changes: Any) -> Stream:
    """A stream for some variants; by default not compiled, which would take longer than it saves."""
    rules, first, settings = given
    return Stream(net, rules, variants, first + seed, settings, **{"compiled": False, **changes})


def notes(estimator: Trainer) -> dict[str, float]:
    """Facts about an estimator: whether expected rewards are used, and the variance that remains without luck."""
    found = {"explained": estimator.row.get("explained", math.nan)}
    if estimator.expected is not None:
        found["expected_used"] = float(estimator.expected.used)
        found["expected_error"] = estimator.expected.error / max(estimator.expected.spread, 1e-9)
    if estimator.luck is not None:
        found |= {"luck_used": float(estimator.luck.used), "luck_left": estimator.luck.left}
    return found


# --- the page


def shown(row: dict[str, Any], name: str, digits: int, sign: str = "") -> str:
    """A figure with its standard error."""
    if row[name] is None or row["errors"][name] is None:
        return "–"
    return f"{row[name]:.{digits}f}{sign} ± {row['errors'][name]:.{digits}f}"


def page(found: dict[str, Any]) -> str:
    """A policy's figures as a table."""
    sizes = [size for size in SIZES if all(str(size) in row["cosines"] for row in found["variants"].values())]
    heads = ["variant", *(f"cosine, {size * found['batch']:,}" for size in sizes), "variance", "data", "bias"]
    rows = [
        [
            name,
            *(f"{row['cosines'][str(size)]:.3f} ± {row['cosine_errors'][str(size)]:.3f}" for size in sizes),
            shown(row, "variance", 3),
            shown(row, "data", 2),
            shown(row, "bias_degrees", 0, "°"),
        ]
        for name, row in found["variants"].items()
    ]
    reference = found["reference"]
    about = f"{found['policy']}: reference of {reference['batches'] * found['batch'] / 1e6:.1f} million decisions"
    return f"{about}, whose own cosine is {reference['own_cosine']:.3f}\n\n{table(heads, rows, tight=True)}\n"


def measure_all(options: Any) -> None:
    """Measure every policy in a separate process, `--jobs` at once."""
    end = time.time() + (options.seconds or math.inf)
    waiting, running = list(options.policies), list[subprocess.Popen[bytes]]()
    failed = False
    while waiting or running:
        while waiting and len(running) < options.jobs:
            command = [
                sys.executable,
                "-u",
                *sys.argv,
                "--jobs",
                "1",
                "--end",
                str(end),
                "--policies",
                str(waiting.pop(0)),
            ]
            running.append(subprocess.Popen(command))
        failed |= running.pop(0).wait() != 0
    if failed:
        raise SystemExit("a process failed; figures of the others are in the directory")


def main() -> None:
    """Measure all policies and print tables."""
    options, begun = parse(), time.time()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.jobs > 1:
        measure_all(options)
    else:
        end = options.end or (begun + options.seconds if options.seconds else 0.0)
        for number, policy in enumerate(options.policies):
            now = time.time()
            share = (end - now) / (len(options.policies) - number) if end else 0.0
            Bench(options, policy, now, now + share if end else 0.0).run()
    for policy in options.policies if not options.end else []:
        print(page(json.loads((options.out / f"{policy.stem}.json").read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
