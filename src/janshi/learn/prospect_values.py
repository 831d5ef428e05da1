"""U of draws: the worth of each possible tile to every player, from prospects (RL-5; `luckless.py`).

A prospect describes in numbers how far all hands are from winning and what each tile would do to them
(`features/prospects.py`). From these, a small network learns in thousands of hands what a large one did not learn from
planes in millions. It has two parts: the value of the position, and the difference that a tile makes, with the same
weights for all tiles.

`models/draw_values.py` reads the resulting file without PyTorch, to measure games.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from janshi.features.prospects import ProspectSet
from janshi.models.draw_values import read_weights, seen_by, write_weights

WIDTH: Final = 96
SPREAD: Final = 16.0
"""Divisor of inputs before their spread is known."""
FIRST: Final = 1e-3
"""Initial spread of the last layers' weights."""


class ProspectValues(nn.Module):
    """Maps prospects, uint8[m, bytes], to float32[m, kinds, players], the drawing player first.

    Values sum to zero over the players, and are in units of scaled rewards.
    """

    def __init__(self, about: ProspectSet, width: int = WIDTH) -> None:
        super().__init__()
        self.about, self.width = about, width
        self.outcomes, self.players = about.kinds, about.players
        self.input_bytes = (about.dtype.itemsize,)
        self._split = about.players * len(about.about_players)
        numbers = len(about.about_tiles)
        self.centre: Tensor
        self.spread: Tensor
        self.register_buffer("centre", torch.zeros(self._split + numbers))
        self.register_buffer("spread", torch.full((self._split + numbers,), SPREAD))
        self.of_position = nn.Linear(self._split, width)
        self.position_last = nn.Linear(width, self.players)
        self.of_hands = nn.Linear(self._split, width)
        self.of_tile = nn.Linear(numbers, width, bias=False)
        self.both = nn.Linear(width, width)
        self.last = nn.Linear(width, self.players)
        for layer in (self.position_last, self.last):
            nn.init.normal_(layer.weight, std=FIRST)
            nn.init.zeros_(layer.bias)

    def forward(self, prospects: Tensor) -> Tensor:
        """The worth of each tile to each player."""
        return self._values(*self.numbers(prospects))

    def values_of(self, prospects: Tensor, kinds: Tensor) -> Tensor:
        """The worth of some tiles of each row, int64[m, n], to each player: float32[m, n, players]."""
        hands, tiles = self.numbers(prospects)
        return self._values(hands, tiles.gather(1, kinds[:, :, None].expand(-1, -1, tiles.shape[2])))

    def of_picked(self, prospects: Tensor, kinds: Tensor) -> Tensor:
        """The worth of each row's drawn tile, int64[m], to each player: float32[m, players]."""
        return self.values_of(prospects, kinds[:, None])[:, 0]

    def _values(self, hands: Tensor, tiles: Tensor) -> Tensor:
        position = self.position_last(relu(self.of_position(hands)))  # (m, players)
        together = relu(self.of_hands(hands)[:, None] + self.of_tile(tiles))  # (m, n, width)
        values = position[:, None] + self.last(relu(self.both(together)))
        return (values - values.mean(2, keepdim=True)).float()

    def numbers(self, prospects: Tensor) -> tuple[Tensor, Tensor]:
        """The numbers about all players, float32[m, n], and about each kind, float32[m, kinds, k], scaled."""
        kinds, each = self.about.kinds, len(self.about.about_tiles)
        hands = prospects[:, : self._split].float()
        tiles = prospects[:, self._split : self._split + kinds * each].float().view(-1, kinds, each)
        centre, spread = self.centre, self.spread
        return (
            (hands - centre[: self._split]) / spread[: self._split],
            (tiles - centre[self._split :]) / spread[self._split :],
        )

    def drawn(self, prospects: Tensor) -> Tensor:
        """The kinds drawn, int64[m]; 0 if no tile was drawn."""
        return prospects[:, -1].long()

    def chances(self, prospects: Tensor) -> Tensor:
        """The probability of each kind, float32[m, kinds]; all 0 if no tile was drawn."""
        kinds, each = self.about.kinds, len(self.about.about_tiles)
        counts = prospects[:, self._split : self._split + kinds * each].view(-1, kinds, each)[:, :, -1].float()
        return counts / counts.sum(1, keepdim=True).clamp(min=1)

    @torch.no_grad()
    def scale_by(self, prospects: Tensor) -> None:
        """Scale all numbers by their means and spreads in these prospects."""
        hands = prospects[:, : self._split].float()
        kinds, each = self.about.kinds, len(self.about.about_tiles)
        tiles = prospects[:, self._split : self._split + kinds * each].float().view(-1, each)
        for part, numbers in ((slice(None, self._split), hands), (slice(self._split, None), tiles)):
            self.centre[part] = numbers.mean(0)
            self.spread[part] = numbers.std(0) + 0.1


@torch.no_grad()
def grown(small: ProspectValues, width: int) -> ProspectValues:
    """A wider network with the same values: its new units read the inputs but do not yet affect the output."""
    wide, n = ProspectValues(small.about, width), small.width
    wide.centre.copy_(small.centre)
    wide.spread.copy_(small.spread)
    for name in ("of_position", "of_hands", "of_tile", "both", "position_last", "last"):
        new, old = getattr(wide, name), getattr(small, name)
        rows, columns = old.weight.shape
        if columns == n:
            new.weight[:rows, n:] = 0
        new.weight[:rows, :columns] = old.weight
        if old.bias is not None:
            new.bias[:rows] = old.bias
    return wide


def write(network: ProspectValues, path: Path, card: Mapping[str, Any]) -> None:
    """Write a network with its size and other card entries: rules, the scale of rewards, hands."""
    weights = {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}
    write_weights(path, weights, {**card, "prospects": network.about.version, "width": network.width})


def read(path: Path) -> tuple[ProspectValues, dict[str, Any]]:
    """Load a network and its card; raises `ModelError`."""
    weights, card = read_weights(path)
    network = ProspectValues(seen_by(card), card["width"])
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return network, card
