"""The gradient bench: how well each variant's batches point along the policy gradient, at a frozen policy.

For every variant the value networks first learn while the policy is kept fixed. Then gradients of whole hands are
compared with a reference from many more decisions, made with γ = λ = 1, whose expectation is the gradient of the score:

- cosine: of a batch's gradient with the reference, for batches of several sizes;
- data: how many times as many decisions the first variant needs for the same cosine (its noise over this one's);
- bias: the angle between the means, corrected for the noise of both: more data cannot remove it.

The same code runs small on a CPU or large on a GPU:

    python scripts/measure_gradients.py --rules simplified --policies early.npz late.npz --variants basic rl1 rl3p
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from _page import table
from janshi.learn import variance
from janshi.learn.network import read_policy
from janshi.learn.ppo import Trainer, masked
from janshi.learn.variance import play_until

REFERENCE_SEED = 1000
"""Separates the hands of the reference from those that are compared with it."""
SIZES = (1, 4, 16)
"""Sizes of the compared batches, in units of the smallest one."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--policies", nargs="+", type=Path, required=True, help="exported policies (.npz)")
    parser.add_argument(
        "--variants", nargs="+", default=["basic", "rl1", "rl2", "rl2p", "rl3", "rl3p", "rl4", "rl5", "rl5a"]
    )
    parser.add_argument("--values", type=float, default=2e6, help="decisions in which the value networks learn")
    parser.add_argument("--decisions", type=float, default=2e6, help="decisions of each variant's gradients")
    parser.add_argument("--reference", type=float, default=2e7, help="decisions of the reference")
    parser.add_argument("--reference-variant", default="rl1")
    parser.add_argument("--batch", type=int, default=4096, help="decisions of the smallest batches")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", nargs="*", default=[], help="settings of training, such as tables=4096")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    return parser.parse_args()


# --- sums of gradients


@dataclass
class Sums:
    """Sums over gradients of batches: enough for means, noise and cosines without keeping any gradient."""

    total: Tensor
    count: int = 0
    squares: float = 0.0
    """Sum of |g|²."""
    cosines: list[float] = field(default_factory=list)
    """With the reference, where there is one."""

    def add(self, gradient: Tensor, reference: Tensor | None = None) -> None:
        """Add a batch's gradient."""
        self.total += gradient
        self.count += 1
        self.squares += float(gradient.dot(gradient))
        if reference is not None:
            self.cosines.append(float(gradient.dot(reference) / (gradient.norm() * reference.norm())))

    @property
    def mean(self) -> Tensor:
        """The mean gradient."""
        return self.total / max(self.count, 1)

    @property
    def signal(self) -> float:
        """|mean|² without bias, from pairs of different batches."""
        pairs = self.count * (self.count - 1)
        return (float(self.total.dot(self.total)) - self.squares) / max(pairs, 1)

    @property
    def noise(self) -> float:
        """Mean |g - mean|² of a batch."""
        return self.squares / max(self.count, 1) - self.signal

    @property
    def own_cosine(self) -> float:
        """Approximate cosine of the mean with its value for infinite data."""
        length = self.signal + self.noise / max(self.count, 1)
        return math.sqrt(max(self.signal, 0.0) / length) if length > 0 else 0.0


@dataclass
class Measured:
    """A variant's gradients in batches of several sizes."""

    sums: dict[int, Sums]
    expected_used: bool = False
    """Whether expected rewards replaced scores: they do once they explain enough."""

    def row(self, reference: Sums, base: Measured | None) -> dict[str, Any]:
        """The figures of a variant; data multipliers relative to `base`."""
        small = self.sums[SIZES[0]]
        along = float(small.mean.dot(reference.mean))
        length = math.sqrt(max(small.signal, 0.0) * max(reference.signal, 0.0))
        straight = min(along / length, 1.0) if length > 0 else float("nan")
        row = {
            "batches": small.count,
            "expected_used": self.expected_used,
            "cosines": {size: float(np.mean(sums.cosines)) for size, sums in self.sums.items() if sums.cosines},
            "cosine_errors": {size: standard_error(sums.cosines) for size, sums in self.sums.items() if sums.cosines},
            "noise": small.noise / small.signal if small.signal > 0 else float("nan"),
            "mean_cosine": straight,
            "bias_degrees": math.degrees(math.acos(straight)) if straight == straight else float("nan"),
        }
        if base is not None:
            row["data"] = base.ratio() / self.ratio() if self.ratio() > 0 else float("nan")
        return row

    def ratio(self) -> float:
        """Noise over signal of a batch of the smallest size: how much data it takes to see the gradient."""
        small = self.sums[SIZES[0]]
        return small.noise / small.signal if small.signal > 0 else float("inf")


def standard_error(values: list[float]) -> float:
    """Standard error of the mean of independent values."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else float("nan")


# --- gradients of a frozen policy


def frozen(options: Any, policy: Path, variant: str, seed: int, **changes: Any) -> Trainer:
    """A run at a frozen policy whose value networks have learned."""
    trainer = variance.frozen(read_policy(policy), options.rules, variant, seed, options.set, **changes)
    while trainer.decisions < options.values:
        trainer.rollout()
    return trainer


def gradients(trainer: Trainer, decisions: float, batch: int) -> Iterator[Tensor]:
    """Gradients of whole hands, at least `batch` decisions each, by the variant's advantages; nothing is learned."""
    left = decisions
    while left > 0:
        play_until(trainer, min(trainer.most // 2, max(int(left), batch)))
        ready = trainer.slots.take(trainer.most)
        advs = trainer.advantages_of(ready)
        trainer.device.synchronize()
        first = ready.first
        a = 0
        while a < len(first) - 1:
            b = int(np.searchsorted(first, first[a] + batch, "left"))
            if b >= len(first):
                break  # too few decisions are left for a batch
            yield gradient(trainer, slice(int(first[a]), int(first[b])), advs)
            a = b
        left -= len(ready)


def gradient(trainer: Trainer, rows: slice, advs: Any) -> Tensor:
    """The policy gradient Σ A ∇log π / n of some decisions of the batch, as one vector."""
    policy, b = trainer.policy, trainer.batch
    policy.zero_grad(set_to_none=True)
    weights = torch.from_numpy(np.ascontiguousarray(advs[rows])).to(trainer.device.torch)
    size = 8192  # larger pieces would not fit on some devices
    for a in range(rows.start, rows.stop, size):
        at = slice(a, min(a + size, rows.stop))
        logs = masked(policy(b.private[at]), trainer.encoder.masks(b.private[at]))
        chosen = logs.gather(1, b.actions[at][:, None])[:, 0]
        part = (chosen * weights[at.start - rows.start : at.stop - rows.start]).sum() / len(weights)
        part.backward()  # type: ignore[no-untyped-call]
    return torch.cat([value.grad.ravel() for value in policy.parameters() if value.grad is not None]).double()


def reference_of(options: Any, policy: Path) -> Sums:
    """The reference: γ = λ = 1, values only as a baseline, so that its expectation is the score's gradient."""
    trainer = frozen(options, policy, options.reference_variant, options.seed + REFERENCE_SEED, gamma=1.0, lam=1.0)
    sums: Sums | None = None
    for found in gradients(trainer, options.reference, options.batch):
        sums = Sums(torch.zeros_like(found)) if sums is None else sums
        sums.add(found)
    if sums is None:
        raise SystemExit("the reference has no batch: more decisions are needed")
    return sums


def measured(options: Any, policy: Path, variant: str, reference: Sums) -> Measured:
    """A variant's gradients compared with the reference."""
    trainer = frozen(options, policy, variant, options.seed)
    sums = {size: Sums(torch.zeros_like(reference.total)) for size in SIZES}
    together = {size: torch.zeros_like(reference.total) for size in SIZES}
    for number, found in enumerate(gradients(trainer, options.decisions, options.batch), 1):
        for size in SIZES:
            together[size] += found / size
            if number % size == 0:
                sums[size].add(together[size], reference.mean)
                together[size].zero_()
    return Measured(sums, trainer.expected is not None and trainer.expected.used)


def bench(options: Any, policy: Path) -> dict[str, Any]:
    """All variants at one policy."""
    reference = reference_of(options, policy)
    straight = (
        reference.signal / (reference.signal + reference.noise / reference.count) if reference.signal > 0 else 0.0
    )
    found: dict[str, Any] = {
        "reference": {"batches": reference.count, "own_cosine": math.sqrt(max(straight, 0.0))},
        "variants": {},
    }
    base: Measured | None = None
    for variant in options.variants:
        one = measured(options, policy, variant, reference)
        base = base or one
        found["variants"][variant] = one.row(reference, base)
        print(f"{policy.name} {variant}: {found['variants'][variant]}", flush=True)
    return found


def shown(row: dict[str, Any], size: int) -> str:
    """A cosine with its standard error."""
    if size not in row["cosines"]:
        return ""
    return f"{row['cosines'][size]:.3f} ± {row['cosine_errors'][size]:.3f}"


def page(figures: dict[str, Any], batch: int) -> str:
    """The figures as tables."""
    parts = []
    for policy, found in figures.items():
        heads = ["variant", *(f"cosine, {size * batch:,}" for size in SIZES), "data", "bias"]
        rows = [
            [
                name,
                *(shown(row, size) for size in SIZES),
                f"{row['data']:.2f}",
                f"{row['bias_degrees']:.0f}°",
            ]
            for name, row in found["variants"].items()
        ]
        parts.append(f"{policy} (the reference's own cosine: {found['reference']['own_cosine']:.3f})\n")
        parts.append(table(heads, rows, tight=True) + "\n")
    return "\n".join(parts)


def main() -> None:
    """Measure all policies and print tables."""
    options = parse()
    figures = {policy.name: bench(options, policy) for policy in options.policies}
    if options.out:
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(page(figures, options.batch))


if __name__ == "__main__":
    main()
