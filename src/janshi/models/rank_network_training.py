"""Training the recurrent final rank model with PyTorch: whole games, seats turned at random."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from janshi.models.final_rank import ORDERS
from janshi.models.network_data import GAMES, VALIDATE
from janshi.models.rank_network import INPUTS, RankWeights, inputs, linear_logs
from janshi.rules.riichi.state import PLAYERS

Report = Callable[[str], None]
NOT_THERE = -1


@dataclass(frozen=True)
class RankConfig:
    """How the recurrent final rank model is trained."""

    seed: int = 1
    hidden: int = 32
    batch: int = 256
    rate: float = 2e-3
    decay: float = 0.05
    """Pull of weights towards zero."""
    dropout: float = 0.2
    """Part of the hidden state that is left out before the last layer in learning."""

    def describe(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


class Games:
    """Games as padded arrays in a device's memory."""

    def __init__(self, arrays: dict[str, npt.NDArray[Any]], role: int, device: str) -> None:
        chosen = np.nonzero(arrays["role"] == role)[0]
        arrays = {name: array[chosen] for name, array in arrays.items()}
        _, first, counts = np.unique(arrays["game"], return_index=True, return_counts=True)
        size = (len(first), int(counts.max()))
        names = ("scores", "kyoku", "honba", "sticks", "rounds")
        logs = linear_logs(*(arrays[name] for name in names))
        steps = np.zeros((*size, INPUTS), np.float32)
        prior = np.zeros((*size, len(ORDERS)), np.float32)
        ended = np.full(size, NOT_THERE, np.int64)
        for i, (at, count) in enumerate(zip(first, counts)):
            game = slice(at, at + count)
            steps[i, :count] = inputs(*(arrays[name][game] for name in names))
            prior[i, :count] = logs[game]
            ended[i, :count] = _order_numbers(arrays["ended"][game])
        self.steps, self.prior, self.ended = (torch.from_numpy(x).to(device) for x in (steps, prior, ended))


def _order_numbers(ended: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The number among ORDERS of final ranks by seat, int64[n]."""
    wanted = np.argsort(ended, axis=1)
    return np.asarray((ORDERS[None] == wanted[:, None]).all(2).argmax(1))


def turned_orders() -> npt.NDArray[np.int64]:
    """What each order is when every player sits down `turn` seats later, int64[turn, 24]."""
    turned = (ORDERS[None] + np.arange(PLAYERS)[:, None, None]) % PLAYERS
    return np.asarray((turned[:, :, None] == ORDERS[None, None]).all(3).argmax(2))


class RankTrainer:
    """Trains the recurrent final rank model."""

    def __init__(self, config: RankConfig, folder: Path, device: str) -> None:
        with np.load(folder / GAMES, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        self.config = config
        self.train, self.valid = Games(arrays, 1 - VALIDATE, device), Games(arrays, VALIDATE, device)
        torch.manual_seed(config.seed)
        self.gru = nn.GRU(INPUTS, config.hidden, batch_first=True).to(device)
        self.out = nn.Linear(config.hidden, len(ORDERS)).to(device)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        self.parameters = [*self.gru.parameters(), *self.out.parameters()]
        self.optimizer = torch.optim.AdamW(self.parameters, config.rate, weight_decay=config.decay)
        self.turned = torch.from_numpy(turned_orders()).to(device)
        self.seats = torch.arange(PLAYERS, device=device)
        self.curve: list[dict[str, float]] = []
        self.best = float("inf")

    def run(self, seconds: float, epochs: int | None, report: Report, keep: Callable[[RankWeights], None]) -> None:
        """Learn for a time or for a number of epochs; `keep` is given the weights whenever they are the best so far."""
        start = last = time.monotonic()
        epoch, done = 0, 0.0
        self._validate(0, report, keep)
        while done < 1:
            done = epoch / epochs if epochs else (time.monotonic() - start) / seconds
            for group in self.optimizer.param_groups:
                group["lr"] = self.config.rate * max(1 - done, 0.0)
            loss = self._epoch()
            epoch += 1
            quiet = time.monotonic() - last < 10
            if not quiet:
                last = time.monotonic()
                report(f"final rank, epoch {epoch}: log loss of the order {loss:.4f}")
            self._validate(epoch, (lambda text: None) if quiet else report, keep)

    def _epoch(self) -> float:
        losses = []
        order = torch.randperm(len(self.train.ended), device=self.train.ended.device)
        for part in torch.split(order, self.config.batch):
            turn = torch.randint(PLAYERS, (len(part),), device=part.device)
            steps, prior, ended = (x[part] for x in (self.train.steps, self.train.prior, self.train.ended))
            loss = self._loss(*self._turn(steps, prior, ended, turn), self.config.dropout)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    def _turn(self, steps: Tensor, prior: Tensor, ended: Tensor, turn: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same games with every player `turn` seats later."""
        steps = steps.clone()
        source = (self.seats[None] - turn[:, None]) % PLAYERS  # who now sits at a seat
        index = source[:, None, :].expand(-1, steps.shape[1], -1)
        for first in range(0, 3 * PLAYERS, PLAYERS):
            steps[:, :, first : first + PLAYERS] = steps[:, :, first : first + PLAYERS].gather(2, index)
        there = self.turned[turn]  # int[b, 24]: the new number of each order
        moved = torch.zeros_like(prior).scatter_(2, there[:, None].expand_as(prior), prior)
        new = there.gather(1, ended.clamp(min=0))
        return steps, moved, torch.where(ended == NOT_THERE, ended, new)

    def _loss(self, steps: Tensor, prior: Tensor, ended: Tensor, dropout: float) -> Tensor:
        hidden = functional.dropout(self.gru(steps)[0], dropout, dropout > 0)
        logs = self.out(hidden) + prior
        return functional.cross_entropy(logs.flatten(0, 1), ended.flatten(), ignore_index=NOT_THERE)

    @torch.no_grad()
    def _validate(self, epoch: int, report: Report, keep: Callable[[RankWeights], None]) -> None:
        loss = float(self._loss(self.valid.steps, self.valid.prior, self.valid.ended, 0.0))
        self.curve.append({"epoch": epoch, "log loss": loss})
        report(f"final rank, validation: log loss of the order {loss:.4f} after {epoch} epochs")
        if loss < self.best:
            self.best = loss
            keep(self.weights())

    def weights(self) -> RankWeights:
        """The parameters as NumPy arrays."""
        gru, out = self.gru, self.out
        found: tuple[Any, ...] = (
            gru.weight_ih_l0.T,
            gru.weight_hh_l0.T,
            gru.bias_ih_l0,
            gru.bias_hh_l0,
            out.weight.T,
            out.bias,
        )
        return RankWeights(*(value.detach().cpu().numpy().copy() for value in found))
