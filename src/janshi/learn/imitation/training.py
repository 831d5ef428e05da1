"""Imitation: a network learns to predict experts' actions, by cross-entropy over the legal actions.

A run is a folder, and the same command resumes it: `checkpoint.pt` contains the network, the optimiser's moments and
the step; `curve.jsonl` has a line for each report. The learning rate rises for some steps and then falls to zero along
half a cosine. The order of rows is random, determined by the seed and the epoch.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional as F

from janshi.learn.imitation.batches import Batch, DeviceExamples
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.export import load_exported
from janshi.learn.imitation.network import Outputs, RiichiNet, Suits
from janshi.learn.imitation.teachers import average_policy
from janshi.learn.optimisers import make_optimisers

CHECKPOINT: Final = "checkpoint.pt"
CURVE: Final = "curve.jsonl"
VERSION: Final = 3
FORBIDDEN: Final = -1e9
NO_RANK: Final = 4
TILES_SHARE: Final = 0.3
"""Weight of the waits and wins of tenpai opponents, relative to whether they are tenpai and what a win costs."""
SAVE_EVERY: Final = 1000
"""Steps between checkpoints."""


@dataclass
class Losses:
    """The loss and its parts."""

    total: Tensor
    policy: Tensor
    agreement: Tensor
    hidden: Tensor
    outcome: Tensor

    def figures(self) -> dict[str, float]:
        """What the curve shows."""
        return {name: round(float(getattr(self, name)), 4) for name in ("policy", "agreement", "hidden", "outcome")}


def losses(out: Outputs, batch: Batch, config: ImitationConfig) -> Losses:
    """The loss of a batch, with the policy of teachers as a target if there are any."""
    logits = out.policy.masked_fill(~batch.legal, FORBIDDEN)
    policy = F.cross_entropy(logits, batch.action)
    hidden, outcome = hidden_loss(out, batch), outcome_loss(out, batch)
    learned = policy_loss(logits, policy, batch.legal, config.smoothing)
    if batch.taught is not None:
        distance = -(batch.taught * logits.log_softmax(1)).sum(1).mean()
        learned = (1 - config.teaching) * learned + config.teaching * distance
    total = learned + config.hidden_weight * hidden + config.outcome_weight * outcome
    agreement = (logits.argmax(1) == batch.action).float().mean()
    return Losses(total, policy.detach(), agreement, hidden.detach(), outcome.detach())


def policy_loss(logits: Tensor, policy: Tensor, legal: Tensor, smoothing: float) -> Tensor:
    """The cross-entropy with experts' actions, with label smoothing over the legal actions."""
    if not smoothing:
        return policy
    spread = (logits.log_softmax(1) * legal).sum(1) / legal.sum(1)
    return (1 - smoothing) * policy - smoothing * spread.mean()


def hidden_loss(out: Outputs, batch: Batch) -> Tensor:
    """The loss for opponents' hands: tenpai; the waits and wins of tenpai opponents; the value of a win."""
    waiting = (batch.waits.sum(-1) > 0).float()
    tenpai = F.binary_cross_entropy_with_logits(out.tenpai, waiting)
    waits = F.binary_cross_entropy_with_logits(out.waits, batch.waits, reduction="none").sum(-1)
    rons = F.binary_cross_entropy_with_logits(out.rons, batch.rons, reduction="none").sum(-1)
    tiles = ((waits + rons) * waiting).sum() / waiting.sum().clamp(min=1)
    guessed = out.value.gather(2, batch.value_kind[..., None])[..., 0]
    error = (guessed - batch.value).square() * batch.has_value
    return tenpai + TILES_SHARE * tiles + error.sum() / batch.has_value.sum().clamp(min=1)


def outcome_loss(out: Outputs, batch: Batch) -> Tensor:
    """The loss for the end of the hand and the final ranks."""
    end = F.cross_entropy(out.end, batch.end)
    ranks = F.cross_entropy(out.ranks.flatten(0, 1), batch.ranks.flatten(), ignore_index=NO_RANK)
    return end + torch.nan_to_num(ranks)


def rate_at(step: int, config: ImitationConfig) -> float:
    """The learning rate of a step."""
    if step < config.warmup:
        return config.rate * (step + 1) / config.warmup
    done = (step - config.warmup) / max(config.steps - config.warmup, 1)
    return config.rate * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


class Imitation:
    """A run in memory: the network, its optimiser, the examples and its progress."""

    def __init__(self, config: ImitationConfig, examples: DeviceExamples, device: torch.device) -> None:
        self.config, self.examples, self.device = config, examples, device
        torch.manual_seed(config.seed)
        self.make_networks()
        self.examples = self.with_teachers(examples)
        self.optimisers = make_optimisers(self.net, config.rate, config.decay, config.optimiser == "muon", device)
        self.step = 0
        self.generator = torch.Generator(device).manual_seed(config.seed)
        self._epoch, self._order = -1, torch.zeros(0, dtype=torch.int64, device=device)
        cuda = device.type == "cuda"
        self._losses: Callable[..., Losses] = torch.compile(self.losses, dynamic=False) if cuda else self.losses
        if cuda:
            torch.set_float32_matmul_precision("high")

    def make_networks(self) -> None:
        """The network and its suit permutations; other games override this (`imitation.planes`)."""
        self.net: Any = RiichiNet(self.config).to(self.device)
        if self.config.start:
            self.net.load_state_dict(starting_weights(self.net, Path(self.config.start)))
        self.suits = Suits().to(self.device) if self.config.suits else None

    def with_teachers(self, examples: DeviceExamples) -> DeviceExamples:
        """The examples, with the policy of the teachers if there are any."""
        teachers = [load_net(Path(one), self.device) for one in self.config.teachers.split(",") if one]
        return replace(examples, taught=average_policy(teachers, examples, self.device)) if teachers else examples

    def rows(self) -> Tensor:
        """The rows of the next batch; every epoch goes through all examples in a new order."""
        size = min(self.config.batch, len(self.examples))
        per_epoch = len(self.examples) // size
        epoch, place = divmod(self.step, per_epoch)
        if epoch != self._epoch:
            order = torch.Generator(self.device).manual_seed(self.config.seed * 1_000_003 + epoch)
            self._order = torch.randperm(len(self.examples), generator=order, device=self.device)
            self._epoch = epoch
        return self._order[place * size : (place + 1) * size]

    def learn(self) -> Losses:
        """One step."""
        found = self._losses(self.examples.batch(self.rows(), self.suits, self.generator))
        self.optimisers.zero_grad()
        found.total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.clip)
        self.optimisers.step(rate_at(self.step, self.config))
        self.step += 1
        return found

    def losses(self, batch: Batch) -> Losses:
        """The losses of a batch."""
        with self._half():
            out = self.net(batch.inputs, batch.drawn)
        return losses(out, batch, self.config)

    def _half(self) -> Any:
        """Half precision on a GPU."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    # --- checkpoints

    def save(self, folder: Path) -> None:
        """Write the checkpoint atomically; moments are saved in bfloat16 unless the settings say otherwise."""
        kind = torch.float32 if self.config.whole_moments else torch.bfloat16
        state = {
            "version": VERSION,
            "config": self.config.to_json(),
            "step": self.step,
            "net": self.net.state_dict(),
            "moments": self.optimisers.moments(kind),
            "generator": self.generator.get_state(),
            "dropout": torch.get_rng_state(),
        }
        partial = folder / f"{CHECKPOINT}.part"
        torch.save(state, partial)
        os.replace(partial, folder / CHECKPOINT)

    def load(self, folder: Path) -> None:
        """Go on from a checkpoint."""
        state = read_checkpoint(folder / CHECKPOINT)
        self.net.load_state_dict(state["net"])
        self.optimisers.load_moments(state["moments"])
        self.step = state["step"]
        if self.device.type == "cpu":
            self.generator.set_state(state["generator"])
            torch.set_rng_state(state["dropout"])
        else:
            self.generator.manual_seed(self.config.seed * 7_919 + self.step)
            torch.manual_seed(self.config.seed * 7_919 + self.step)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The contents of a checkpoint, on the CPU."""
    if not path.is_file():
        raise ValueError(f"no checkpoint at {path}")
    state = torch.load(path, map_location="cpu", weights_only=True)
    if not isinstance(state, dict) or state.get("version") != VERSION:
        raise ValueError(f"{path} is not a checkpoint of version {VERSION}")
    return state


def load_net(path: Path, device: torch.device | str = "cpu") -> RiichiNet:
    """The network of a checkpoint or of an exported file (.npz), for inference."""
    if path.suffix == ".npz":
        return load_exported(path).to(device)
    state = read_checkpoint(path)
    net = RiichiNet(ImitationConfig.from_json(state["config"]))
    net.load_state_dict(state["net"])
    return net.to(device).eval()


def starting_weights(net: RiichiNet, path: Path) -> dict[str, Tensor]:
    """The weights of another run, which must have the same shapes as a network's."""
    weights = load_net(path).state_dict()
    shapes = [{name: one.shape for name, one in state.items()} for state in (net.state_dict(), weights)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"start={path} is a network of another size: width, blocks, heads and hidden must be the same")
    return weights


def train(
    run: Imitation,
    folder: Path,
    until: float | None = None,
    report_every: int = 200,
    report: Callable[[str], None] = print,
) -> bool:
    """Train until the last step or until a time (of `time.monotonic`); returns whether the run is finished."""
    began, steps = time.monotonic(), 0
    while run.step < run.config.steps:
        found = run.learn()
        steps += 1
        if run.step % report_every == 0 or run.step == run.config.steps:
            _report(run, folder, found, time.monotonic() - began, steps, report)
            if until is not None and time.monotonic() > until:
                break
            if run.step % SAVE_EVERY == 0:
                run.save(folder)
    run.save(folder)
    return run.step >= run.config.steps


def _report(
    run: Imitation, folder: Path, found: Losses, seconds: float, steps: int, report: Callable[[str], None]
) -> None:
    speed = steps * min(run.config.batch, len(run.examples)) / max(seconds, 1e-9)
    line = {
        "step": run.step,
        "rate": rate_at(run.step, run.config),
        **found.figures(),
        "decisions_per_second": round(speed),
    }
    with (folder / CURVE).open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(line) + "\n")
    report(" ".join(f"{name} {value}" for name, value in line.items()))
