"""Training the network of opponents with PyTorch, which playing does not need.

All examples are in the device's memory as lists of features; an epoch goes through them in random order. Each suit is
mirrored (1 as 9) in half of the examples. The result is a running mean of the weights, the one with the best
validation loss.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from janshi.core.tiles import EAST, NUM_KINDS, RANKS, SUITS
from janshi.features.network import GLOBAL_ROOM, HONOURS, SCORE_FIRST, SUIT_ROOM, mirror
from janshi.fitting.measures import auc, auc_within
from janshi.fitting.network.data import UNIT, Opponents
from janshi.models.hand_score import BOUNDS, HandScoreModel
from janshi.models.network import LOG_MEAN, LOG_PAYMENT, OUTPUTS, WAITING, WINNING, Sizes, Weights, shapes
from janshi.models.waiting import WaitingModel

Report = Callable[[str], None]
HONOURS_FROM: Final = GLOBAL_ROOM + SUITS * SUIT_ROOM
HIGHEST: Final = 5.0
"""Bound of the logarithm of an expected payment in thousands, for the loss."""


@dataclass(frozen=True)
class NetworkConfig:
    """How the network is trained."""

    seed: int = 1
    sizes: Sizes = field(default_factory=Sizes)
    epochs: float = 4
    """Number of passes over all examples."""
    batch: int = 16384
    rate: float = 3e-3
    """Highest rate of AdamW; it falls to zero along a cosine."""
    decay: float = 0.05
    """Weight decay."""
    dropout: float = 0.1
    """Dropout on the first layer's sums."""
    forget: float = 0.0
    """Dropout on the features of each list."""
    winning: float = 0.3
    """Weight of a kind of a tenpai opponent, relative to 1 for whether an opponent waits."""
    payment: float = 1.0
    """Weight of a kind that would be paid for."""
    mean: float = 0.998
    """Decay of the running mean of the weights at each step."""
    start: bool = False
    """Start from the linear models' weights, for the entries that go straight to the outputs."""
    share: float = 0.6
    """Share of the opponents not in tenpai to learn from."""

    def describe(self) -> dict[str, Any]:
        """The fields by name."""
        return {**asdict(self), "sizes": self.sizes._asdict()}


class Network(nn.Module):
    """The network in PyTorch; its parameters are named as in `Weights`."""

    global_table: Tensor
    suit_table: Tensor
    honour_table: Tensor
    global_bias: Tensor
    suit_bias: Tensor
    honour_bias: Tensor
    trunk: Tensor
    trunk_bias: Tensor
    branch: Tensor
    branch_bias: Tensor
    opponent: Tensor
    opponent_bias: Tensor
    suit_own: Tensor
    honour_own: Tensor
    suit_out: Tensor
    suit_out_bias: Tensor
    honour_out: Tensor
    honour_out_bias: Tensor

    def __init__(self, sizes: Sizes, dropout: float = 0.0, forget: float = 0.0) -> None:
        super().__init__()
        self.sizes = sizes
        self.dropout, self.forget = dropout, forget
        for name, shape in shapes(sizes).items():
            spread = 0.03 if name.endswith("_table") else 0.0 if name.endswith("_bias") else math.sqrt(2 / shape[0])
            values = torch.randn(shape) * spread
            if name == "global_table":
                values[:, : LOG_PAYMENT + 1] = 0
            if name.endswith("_table"):
                values[0] = 0
            self.register_parameter(name, nn.Parameter(values))
        with torch.no_grad():
            self.opponent_bias[LOG_PAYMENT] = 8.3
            self.opponent_bias[LOG_MEAN] = 1.5
            self.opponent_bias[WAITING] = -2
            for name in ("opponent", "suit_out", "honour_out"):
                getattr(self, name).mul_(0.1)
            self.suit_out_bias[:RANKS] = -2.5
            self.honour_out_bias[:HONOURS] = -3.5

    def forward(self, lists: Tensor, turned: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Outputs of opponents [b, 3 + classes] and of their kinds [b, 3, 34]; honours are counted from the seat wind.

        lists: int[b, ROOM]. turned: bool[b, 3], which suits have been mirrored in the lists.
        """
        part, hidden, head = self.sizes.part, self.sizes.hidden, self.sizes.head
        suits = lists[:, GLOBAL_ROOM:HONOURS_FROM].reshape(-1, SUIT_ROOM)
        whole = self._bag(lists[:, :GLOBAL_ROOM], self.global_table) + self.global_bias
        number = (self._bag(suits, self.suit_table) + self.suit_bias).view(-1, SUITS, part + hidden)
        honour = self._bag(lists[:, HONOURS_FROM:], self.honour_table) + self.honour_bias
        straight = whole[:, : LOG_PAYMENT + 1]
        own, honour_own = torch.relu(number[:, :, :part]), torch.relu(honour[:, :part])
        joined = torch.cat([torch.relu(whole), own.sum(1), honour_own], 1)
        context = torch.relu(self._drop(joined) @ self.trunk + self.trunk_bias)
        branch = context @ self.branch + self.branch_bias
        said = torch.relu(branch[:, :head]) @ self.opponent + self.opponent_bias
        said = said + functional.pad(straight, (0, said.shape[1] - straight.shape[1]))
        inner = torch.relu(number[:, :, part:] + own @ self.suit_own + branch[:, None, head : head + hidden])
        kinds = (self._drop(inner) @ self.suit_out + self.suit_out_bias).view(-1, SUITS, OUTPUTS, RANKS)
        if turned is not None:
            kinds = torch.where(turned[:, :, None, None], kinds.flip(3), kinds)
        inner = torch.relu(honour[:, part:] + honour_own @ self.honour_own + branch[:, head + hidden :])
        honours = (self._drop(inner) @ self.honour_out + self.honour_out_bias).view(-1, OUTPUTS, HONOURS)
        return said, torch.cat([kinds.transpose(1, 2).reshape(-1, OUTPUTS, EAST), honours], 2)

    def _bag(self, lists: Tensor, table: Tensor) -> Tensor:
        """Sums of the rows of lists, in which 0 is padding; with dropout in training."""
        counts = None
        if self.training and self.forget > 0:
            counts = functional.dropout(torch.ones(lists.shape, device=lists.device), self.forget)
        return functional.embedding_bag(lists, table, mode="sum", padding_idx=0, per_sample_weights=counts)

    def _drop(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.dropout, self.training)

    def weights(self) -> Weights:
        """The parameters as NumPy arrays."""
        return Weights(*(getattr(self, name).detach().cpu().numpy().copy() for name in Weights._fields))


def start_linear(network: Network) -> None:
    """Write the linear models' weights of the whole opponent into the entries that go straight to the outputs."""
    table = network.global_table
    waiting = torch.from_numpy(WaitingModel.load().weights).to(table.device)
    payment = torch.from_numpy(HandScoreModel.load().weights).to(table.device)
    with torch.no_grad():
        table[1:SCORE_FIRST, WAITING] = waiting
        table[SCORE_FIRST:, LOG_PAYMENT] = payment
        network.opponent_bias[WAITING] = 0


@torch.no_grad()
def fit_payment_bias(network: Network, batch: dict[str, Tensor]) -> None:
    """Set the bias of the log payment so that it is right on average."""
    network.eval()
    said, kinds = network(batch["lists"].int())
    paid = batch["payments"].float()
    errors = paid.clamp(min=1).mul(UNIT).log() - said[:, LOG_PAYMENT, None] - kinds[:, LOG_PAYMENT]
    network.opponent_bias[LOG_PAYMENT] += errors[paid > 0].mean()


class Examples:
    """Encoded opponents in a device's memory."""

    def __init__(self, parts: Iterable[Opponents], device: str) -> None:
        kept: dict[str, list[Tensor]] = {name: [] for name in Opponents._fields}
        for part in parts:
            for name, array in part._asdict().items():
                kept[name].append(torch.from_numpy(array).to(device))
        self.arrays: dict[str, Tensor] = {}
        for name in list(kept):
            self.arrays[name] = torch.cat(kept.pop(name))

    def __len__(self) -> int:
        return len(self.arrays["safe"])

    def take(self, chosen: Tensor | slice) -> dict[str, Tensor]:
        """A selection."""
        return {name: array[chosen] for name, array in self.arrays.items()}


@cache
def _bounds(device: torch.device) -> Tensor:
    """Upper ends of the classes of payments."""
    return torch.tensor(BOUNDS, dtype=torch.float32, device=device)


class Losses:
    """The losses of a batch: weighted sums and the total weights."""

    NAMES: Final = ("waiting", "winning", "log payment", "mean payment", "classes")

    def __init__(self, said: Tensor, kinds: Tensor, batch: dict[str, Tensor]) -> None:
        open_ones = batch["weight"] * (batch["riichi"] == 0)
        tenpai = batch["tenpai"].float()
        bce = functional.binary_cross_entropy_with_logits
        may = self.possible(batch) * tenpai[:, None]
        paid = batch["payments"].float()
        there = (paid > 0) & (may > 0)
        points = torch.where(there, paid * UNIT, 1000.0)
        log_error = said[:, LOG_PAYMENT, None] + kinds[:, LOG_PAYMENT] - points.log()
        log_mean = (said[:, LOG_MEAN, None] + kinds[:, LOG_MEAN]).clamp(-2, HIGHEST)
        alike = torch.where(batch["dealer"][:, None] > 0, points / 1.5, points)
        classes = torch.bucketize(alike, _bounds(alike.device))
        chances = functional.log_softmax(said[:, OUTPUTS:], 1)
        self.sums = torch.stack(
            [
                (bce(said[:, WAITING], tenpai, reduction="none") * open_ones).sum(),
                (bce(kinds[:, WINNING], (paid > 0).float(), reduction="none") * may).sum(),
                (log_error.square() * there).sum(),
                ((log_mean.exp() - points / 1000 * log_mean) * there).sum(),
                -(chances.gather(1, classes) * there).sum(),
            ]
        )
        self.counts = torch.stack([open_ones.sum(), may.sum(), there.sum(), there.sum(), there.sum()])

    @staticmethod
    def possible(batch: dict[str, Tensor]) -> Tensor:
        """Kinds that furiten does not rule out, float[b, 34]."""
        kinds = torch.arange(NUM_KINDS, device=batch["safe"].device)
        return ((batch["safe"][:, None] >> kinds) & 1 == 0).float()

    @staticmethod
    def scales(config: NetworkConfig, device: str) -> Tensor:
        """The weight of each loss."""
        pay = config.payment
        return torch.tensor([1.0, config.winning, pay, 0.1 * pay, 0.2 * pay], device=device)


class NetworkTrainer:
    """Trains a network on examples in a device's memory."""

    def __init__(
        self, config: NetworkConfig, device: str, train: Examples, valid: Examples, best: float = float("inf")
    ) -> None:
        self.config, self.device, self.train, self.valid = config, device, train, valid
        torch.manual_seed(config.seed)
        self.network = Network(config.sizes, config.dropout, config.forget).to(device)
        if config.start:
            start_linear(self.network)
        fit_payment_bias(self.network, train.take(slice(0, 4 * config.batch)))
        self.mean = Network(config.sizes).to(device)
        self.mean.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), config.rate, weight_decay=config.decay, fused=device != "cpu"
        )
        self.mirror = torch.from_numpy(mirror()).to(device)
        self.scales = Losses.scales(config, device)
        self.steps = 0
        self.curve: list[dict[str, float]] = []
        self.best = best
        """Lowest validation loss so far; better weights are kept."""

    def run(self, seconds: float, report: Report, keep: Callable[[Weights], None]) -> None:
        """Train for the configured epochs, or fewer if `seconds` run out; `keep` gets the best weights so far."""
        torch.manual_seed(self.config.seed)
        start = last = time.monotonic()
        size = min(self.config.batch, len(self.train))
        steps = max(int(self.config.epochs * len(self.train) / size), 1)
        losses = torch.zeros(len(Losses.NAMES), device=self.device)
        counts = torch.zeros_like(losses)
        quarter = 1
        for batch in self._batches(size):
            done = max(self.steps / steps, (time.monotonic() - start) / seconds)
            if done >= quarter / 4:
                self.validate(report, keep)
                quarter = int(4 * done) + 1
            if done >= 1:
                return
            found = self._step(batch, done)
            losses += found.sums.detach()
            counts += found.counts
            if time.monotonic() - last > 10 or self.steps == 1:
                last = time.monotonic()
                text = ", ".join(f"{n} {v:.4f}" for n, v in zip(Losses.NAMES, (losses / counts).tolist()))
                report(f"step {self.steps:,} of {steps:,} ({done:.0%}): {text}")
                losses.zero_()
                counts.zero_()

    def _batches(self, size: int) -> Iterator[dict[str, Tensor]]:
        """Yield batches indefinitely, epoch after epoch."""
        generator = torch.Generator(self.device).manual_seed(self.config.seed)
        while True:
            order = torch.randperm(len(self.train), generator=generator, device=self.device)
            for first in range(0, len(order) - size + 1, size):
                yield self.train.take(order[first : first + size])

    def _step(self, batch: dict[str, Tensor], done: float) -> Losses:
        """Learn from one batch."""
        rate = self.config.rate * min(1.0, (self.steps + 1) / 200) * 0.5 * (1 + math.cos(math.pi * min(done, 1)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        lists = batch["lists"].int()
        turned = torch.rand(len(lists), SUITS, device=self.device) < 0.5
        suits = lists[:, GLOBAL_ROOM:HONOURS_FROM].view(-1, SUITS, SUIT_ROOM)
        lists[:, GLOBAL_ROOM:HONOURS_FROM] = torch.where(
            turned[:, :, None], self.mirror[suits.long()].int(), suits
        ).flatten(1)
        self.network.train()
        said, kinds = self.network(lists, turned)
        found = Losses(said, kinds, batch)
        loss = (found.sums * self.scales).sum() / len(lists)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.steps += 1
        kept = min(self.config.mean, self.steps / (self.steps + 10))
        with torch.no_grad():
            for mean, value in zip(self.mean.parameters(), self.network.parameters()):
                mean.lerp_(value, 1 - kept)
        return found

    @torch.no_grad()
    def validate(self, report: Report, keep: Callable[[Weights], None]) -> None:
        """Measure the running mean on the validation examples; keep it if it is the best so far."""
        sums = torch.zeros(len(Losses.NAMES), device=self.device)
        counts = torch.zeros_like(sums)
        margins, orders = [], []
        for first in range(0, len(self.valid), self.config.batch):
            batch = self.valid.take(slice(first, first + self.config.batch))
            said, kinds = self.mean(batch["lists"].int())
            found = Losses(said, kinds, batch)
            sums += found.sums
            counts += found.counts
            margins.append(said[:, WAITING].cpu().numpy())
            orders.append(_orderings(kinds[:, WINNING], batch).cpu().numpy())
        figures = dict(zip(Losses.NAMES, (sums / counts).tolist()))
        figures |= self._waiting_figures(np.concatenate(margins))
        figures["ordering"] = float(np.concatenate(orders).mean())
        total = float((sums * self.scales).sum() / len(self.valid))
        self.curve.append({"step": self.steps, "total": total, **figures})
        report("validation: " + ", ".join(f"{name} {value:.4f}" for name, value in self.curve[-1].items()))
        if total < self.best:
            self.best = total
            keep(self.mean.weights())

    def _waiting_figures(self, margins: npt.NDArray[np.float32]) -> dict[str, float]:
        arrays = {name: self.valid.arrays[name].cpu().numpy() for name in ("riichi", "tenpai", "group")}
        inside = arrays["riichi"] == 0
        labels, groups = arrays["tenpai"][inside] > 0, arrays["group"][inside]
        return {"AUC": auc(margins[inside], labels), "AUC within": auc_within(margins[inside], labels, groups)}


def _orderings(margins: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """How well the viewers' tiles are ordered (`measure.safer_share`), for positions with tiles of both sorts."""
    tiles, paid = batch["hand"].float(), batch["payments"] > 0
    bad, good = tiles * paid, tiles * ~paid
    fit = (bad.sum(1) > 0) & (good.sum(1) > 0) & (batch["tenpai"] > 0)
    bad, good = bad[fit], good[fit]
    guess = torch.where(Losses.possible(batch) > 0, margins, -torch.inf)[fit]
    safer = (guess[:, None] < guess[:, :, None]).float() + 0.5 * (guess[:, None] == guess[:, :, None]).float()
    return torch.einsum("nb,nbg,ng->n", bad, safer, good) / (bad.sum(1) * good.sum(1))
