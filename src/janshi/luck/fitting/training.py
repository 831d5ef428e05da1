"""Training the value function with PyTorch, which measuring luck does not need.

It is first trained as a critic: from the table before a draw, and the tile that came, it learns to predict how the
hand ended, by cross-entropy. Every pass walks through the hands again (which takes less time than learning from them),
so only walls and answers are stored. `luck.fitting.variance` then minimises the variance of adjusted results directly.

A critic is the right target because the luck terms are uncorrelated: the remaining variance is a constant plus, for
each event, the squared error of its luck term as a forecast of the result.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from janshi.agents.worths import AMOUNT, DRAWN, OUTPUTS, TENPAI, WHO, labels_of
from janshi.luck.agent_styles import STYLED_WIDTH, styles_of, with_styles
from janshi.luck.features import TILE, WIDTH
from janshi.luck.games import PlayedGames
from janshi.luck.network import Weights
from janshi.luck.types import DRAW, Array
from janshi.luck.walk import new_bench, new_room, walk_hands
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS

Report = Callable[[str], None]
CHUNK: Final = 3000
"""Hands walked through together; their examples are mixed."""
CHECKPOINT: Final = "critic.pt"
SAVE_SECONDS: Final = 60.0


@dataclass(frozen=True)
class CriticConfig:
    """How the critic is trained."""

    seed: int = 1
    wide: int = 384
    deep: int = 320
    joint: int = 160
    epochs: float = 5.0
    batch: int = 512
    rate: float = 1.5e-3
    """Initial learning rate of AdamW; it falls along a cosine."""
    last_rate: float = 1e-5
    decay: float = 1e-4
    draws: float = 0.34
    """Share of draws used in each pass, because neighbouring draws carry nearly the same information."""
    amounts: float = 0.3
    """Loss weight of the amount won; who wins has weight 1."""
    tenpai: float = 0.1
    styles: bool = False
    """Whether the input includes the agents' styles, for games between our agents."""
    unknown: float = 0.15
    """Share of players whose style is hidden in training."""
    device: str = "cpu"


class ValueNetwork(nn.Module):
    """The network of `luck.network` in PyTorch, for training."""

    def __init__(self, wide: int, deep: int, joint: int, width: int = WIDTH) -> None:
        super().__init__()
        self.first = nn.Linear(width, wide)
        self.second = nn.Linear(wide, deep)
        self.join = nn.Linear(deep, joint)
        self.tile = nn.Linear(TILE, joint, bias=False)
        self.out = nn.Linear(joint, OUTPUTS)

    def trunk(self, rows: Tensor) -> Tensor:
        """The joint layer's input from tables."""
        hidden = functional.relu(self.first(rows))
        joined: Tensor = self.join(functional.relu(self.second(hidden)))
        return joined

    def forward(self, rows: Tensor, tiles: Tensor) -> Tensor:
        """Outputs for tables with the tile that came, each [n, ...]."""
        out: Tensor = self.out(functional.relu(self.trunk(rows) + self.tile(tiles)))
        return out

    def weights(self) -> Weights:
        """The weights for the NumPy network."""
        found: dict[str, Array] = {}
        for name in ("first", "second", "join", "tile", "out"):
            layer = getattr(self, name)
            found[name] = layer.weight.detach().cpu().numpy().T.copy()
            if layer.bias is not None:
                found[f"{name}_bias"] = layer.bias.detach().cpu().numpy().copy()
        return Weights(**found)

    def take(self, weights: Weights) -> None:
        """Set the weights; extra inputs of the first layer stay zero."""
        with torch.no_grad():
            self.first.weight.zero_()
            for name in ("first", "second", "join", "tile", "out"):
                layer = getattr(self, name)
                matrix = torch.from_numpy(np.array(getattr(weights, name)).T.copy())
                layer.weight[:, : matrix.shape[1]].copy_(matrix)
                if layer.bias is not None:
                    layer.bias.copy_(torch.from_numpy(np.array(getattr(weights, f"{name}_bias"))))


class Examples(NamedTuple):
    """Events and how their hands ended; players are in turn order from the one who draws."""

    rows: Array
    tiles: Array
    who: Array
    winner: Array
    amounts: Array
    tenpai: Array


class Walker:
    """Makes examples from hands, in a random order that depends on the seed and the pass."""

    def __init__(
        self, games: PlayedGames, draws: float, chunk: int = CHUNK, styles: bool = False, unknown: float = 0.0
    ) -> None:
        self.draws = draws
        self.styles = styles
        self.unknown = unknown
        self.chunk = chunk
        self._room, self._bench = new_room(chunk + 16, False), new_bench()
        self.take(games)

    def take(self, games: PlayedGames) -> None:
        """Switch to examples from these games."""
        self.games = games
        self._styles = styles_of(games) if self.styles else None
        self._frame = games.frame()

    @property
    def chunks(self) -> int:
        """Number of chunks in a pass."""
        return -(-len(self.games.hands) // self.chunk)

    def examples(self, seed: int, number: int) -> Examples:
        """The examples of a chunk, counted through all passes."""
        order = np.random.default_rng([seed, number // self.chunks]).permutation(len(self.games.hands))
        at = number % self.chunks * self.chunk
        chosen_hands = order[at : at + self.chunk]
        hands = self.games.hands[chosen_hands]
        used = np.zeros(5, np.int64)
        done = walk_hands(hands, self.games.answers, False, self._room, used, self._bench, *self._frame)
        if done != len(hands):
            raise ValueError("a training hand cannot be replayed: its answers do not fit the rules")
        chances, ends = self._room.chances[: used[0]], self._room.ends[: len(hands)]
        rng = np.random.default_rng([seed, number, 1])
        chosen = (chances["kind"] != DRAW) | (rng.random(len(chances)) < self.draws)
        some = chances[rng.permutation(np.flatnonzero(chosen))]
        tiles = np.zeros((len(some), TILE), np.float32)
        drawn = some["kind"] == DRAW
        tiles[drawn] = self._room.tiles[some["place"][drawn], 0]
        labels = labels_of(ends, hands["kyoku"])
        rows = self._room.rows[some["row"]]
        if self._styles is not None:
            styles = self._styles[chosen_hands][some["hand"]]
            styles = np.where(rng.random(styles.shape) < self.unknown, 0, styles)
            rows = with_styles(rows, styles, some["player"].astype(np.int64))
        return turned(rows, tiles, some["player"], some["hand"], labels)


def turned(rows: Array, tiles: Array, player: Array, hand: Array, labels: Any) -> Examples:
    """Examples with the labels of their hands, relative to the player who draws."""
    seat = player.astype(np.int64)
    who = labels.who[hand]
    won = who != DRAWN
    winner, loser = (who // PLAYERS - seat) % PLAYERS, (who % PLAYERS - seat) % PLAYERS
    seats = (seat[:, None] + np.arange(PLAYERS)) % PLAYERS
    tenpai = ((labels.tenpai[hand][:, None] >> seats) & 1).astype(np.float32)
    return Examples(
        rows,
        tiles,
        np.where(won, PLAYERS * winner + loser, DRAWN),
        np.where(won, winner, 0),
        labels.amounts[hand],
        tenpai,
    )


class Losses(NamedTuple):
    """Losses, in nats."""

    who: Tensor
    amounts: Tensor
    tenpai: Tensor


def losses_of(out: Tensor, who: Tensor, winner: Tensor, amounts: Tensor, tenpai: Tensor) -> Losses:
    """The losses of a batch."""
    won = (who != DRAWN).to(out.dtype)
    of_winner = out[:, AMOUNT].view(-1, PLAYERS, AMOUNTS)[torch.arange(len(out), device=out.device), winner]
    amount = -(amounts * functional.log_softmax(of_winner, -1)).sum(-1)
    ready = functional.binary_cross_entropy_with_logits(out[:, TENPAI], tenpai, reduction="none").mean(-1)
    return Losses(functional.cross_entropy(out[:, WHO], who), _mean(amount, won), _mean(ready, 1 - won))


def _mean(losses: Tensor, counted: Tensor) -> Tensor:
    """The mean of the selected values, or zero if there are none. Does not synchronise with the device."""
    return (losses * counted).sum() / counted.sum().clamp(min=1)


class Trainer:
    """A network in training and its folder; subclasses supply the examples."""

    seen: dict[str, int]
    """Counts that a subclass keeps in its checkpoint."""

    def __init__(self, config: CriticConfig, folder: Path) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.folder = folder
        width = STYLED_WIDTH if config.styles else WIDTH
        self.network = ValueNetwork(config.wide, config.deep, config.joint, width).to(config.device)
        fused = config.device.startswith("cuda")
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=config.rate, weight_decay=config.decay, fused=fused
        )
        self.done = 0
        """Chunks learned from."""
        self.seconds = 0.0
        if (folder / CHECKPOINT).is_file():
            self._load()

    def set_rate(self, share: float) -> None:
        """Set the learning rate, given the share of training that is done."""
        high = 0.5 * (1 + np.cos(np.pi * min(share, 1.0)))
        for group in self.optimiser.param_groups:
            group["lr"] = float(self.config.last_rate + (self.config.rate - self.config.last_rate) * high)

    def learn(self, batch: Sequence[Tensor]) -> Losses:
        """Take one step on a batch of examples on the device."""
        losses = losses_of(self.network(batch[0], batch[1]), *batch[2:])
        loss = losses.who + self.config.amounts * losses.amounts + self.config.tenpai * losses.tenpai
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return Losses(*(part.detach() for part in losses))

    def save(self) -> None:
        """Write a checkpoint under another name, then rename it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            "config": asdict(self.config),
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "done": self.done,
            "seconds": self.seconds,
            "seen": self.seen,
        }
        partial = self.folder / f"{CHECKPOINT}.part"
        torch.save(state, partial)
        os.replace(partial, self.folder / CHECKPOINT)

    def _load(self) -> None:
        path = self.folder / CHECKPOINT
        state = torch.load(path, map_location=self.config.device, weights_only=True)
        kept = CriticConfig(**{**state["config"], "device": self.config.device})
        if kept != self.config:
            raise ValueError(f"{path} was trained with other settings: {state['config']}; choose another folder")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.done, self.seconds = int(state["done"]), float(state["seconds"])
        self.seen.update(state.get("seen", {}))


class CriticTrainer(Trainer):
    """A training run on stored games. It can stop and resume."""

    def __init__(self, config: CriticConfig, games: PlayedGames, folder: Path) -> None:
        self.seen = {}
        super().__init__(config, folder)
        self.walker = Walker(games, config.draws, styles=config.styles, unknown=config.unknown)
        self.total = max(1, round(config.epochs * self.walker.chunks))

    def run(self, minutes: float, report: Report = print) -> bool:
        """Train for some minutes; returns whether the run is finished. Progress is saved in the folder."""
        started, saved, seen = time.monotonic(), time.monotonic(), [0.0] * 3
        rows = 0
        while self.done < self.total and time.monotonic() - started < 60 * minutes:
            for step, losses in self._learn_chunk():
                seen = [old + (float(new) - old) / (1 + min(step, 400)) for old, new in zip(seen, losses)]
                rows += self.config.batch
            self.done += 1
            now = time.monotonic()
            if self.done % 10 == 0 or self.done == self.total:
                means = ", ".join(f"{name} {value:.4f}" for name, value in zip(Losses._fields, seen))
                report(f"chunk {self.done} of {self.total}: {means}; {rows / (now - started):,.0f} examples/s")
            if now - saved > SAVE_SECONDS:
                self.seconds += now - saved
                saved = now
                self.save()
        self.seconds += time.monotonic() - saved
        self.save()
        return self.done >= self.total

    def _learn_chunk(self) -> Iterator[tuple[int, Losses]]:
        config = self.config
        examples = self.walker.examples(config.seed, self.done)
        self.set_rate(self.done / self.total)
        for step, at in enumerate(range(0, len(examples.rows) - config.batch + 1, config.batch)):
            some = [torch.from_numpy(column[at : at + config.batch]).to(config.device) for column in examples]
            yield step, self.learn(some)
