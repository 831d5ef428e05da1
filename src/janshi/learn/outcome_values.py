"""U of decisions: the worth of each action to every player, in one pass (RL-5a; `luckless.py`).

The network sees all hands and never the order of the wall. Draws have separate values (`prospect_values.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from janshi.features.open_hands import OpenHands
from janshi.features.planes import Encoder
from janshi.learn.network import SMALL, ValueNet
from janshi.models.store import CARD, ModelError, save

FORMAT: Final = 2
TILE_WIDTH: Final = 64
"""Size of the hidden layer at each tile's place, which also sees as many numbers about the whole position."""
SIZES: Final = ("blocks", "channels", "neck", "width")


class OutcomeValues(nn.Module):
    """Maps packed inputs to float32[m, outcomes, players], summing to zero over the players, the asked one first.

    The first `tiles` outcomes discard a tile. The value of an outcome is the value of the position, which is learned
    from all outcomes, plus its own difference. For a tile, part of the difference is computed at its place in the
    planes, with weights shared by all tiles, which need less data than separate ones; part depends on whose hand it
    completes.
    """

    def __init__(self, encoder: Encoder, outcomes: int, players: int, tiles: int, **sizes: int) -> None:
        super().__init__()
        self.encoder, self.outcomes, self.players, self.tiles = encoder, outcomes, players, tiles
        self.input_bytes = (encoder.private_bytes, encoder.hidden_bytes)
        outputs = (1 + outcomes) * players + TILE_WIDTH
        self.net = ValueNet(encoder, outputs, hidden=True, wall=False, **sizes)
        self.tile = nn.Conv2d(self.net.sizes["channels"], TILE_WIDTH, 1)
        self.tile_last = nn.Conv2d(TILE_WIDTH, players, 1)
        self.direct = nn.Parameter(torch.zeros(players, players))
        """The worth to player j of a tile that completes player i's hand."""
        self._waits = _field(encoder, "waits")
        nn.init.kaiming_normal_(self.tile.weight, nonlinearity="relu")
        nn.init.normal_(self.tile_last.weight, std=SMALL / TILE_WIDTH**0.5)

    def forward(self, private: Tensor, hidden: Tensor) -> Tensor:
        """The worth of each outcome to each player."""
        maps = self.net.maps(private, hidden)
        numbers = self.net.numbers(maps)
        outputs = numbers[:, TILE_WIDTH:].view(-1, 1 + self.outcomes, self.players)
        at_tiles = functional.relu(self.tile(maps) + numbers[:, :TILE_WIDTH, None, None])
        of_tiles = self.tile_last(at_tiles).flatten(2).transpose(1, 2).float()[:, : self.tiles]  # (m, tiles, players)
        of_tiles = of_tiles + self.waits(hidden)[:, : self.tiles] @ self.direct
        values = outputs[:, :1] + outputs[:, 1:] + functional.pad(of_tiles, (0, 0, 0, self.outcomes - self.tiles))
        return values - values.mean(2, keepdim=True)

    def of_picked(self, private: Tensor, hidden: Tensor, picked: Tensor) -> Tensor:
        """The worth of the picked outcome to each player, float32[m, players]."""
        return of_picked(self(private, hidden), picked)

    def waits(self, hidden: Tensor) -> Tensor:
        """Whether the tile of each place completes the hand of each player, float32[m, cells, players]."""
        bits = torch.arange(self.players, dtype=torch.uint8, device=hidden.device)
        return (hidden[:, self._waits, None] >> bits & 1).float()


def _field(encoder: Encoder, name: str) -> slice:
    """The bytes of a field of hidden inputs."""
    fields = encoder.planes.hidden_dtype.fields
    assert fields is not None
    return slice(int(fields[name][1]), int(fields[name][1]) + int(fields[name][0].itemsize))


def of_picked(values: Tensor, picked: Tensor) -> Tensor:
    """The values of the picked outcomes, (m, players)."""
    return values.gather(1, picked[:, None, None].expand(-1, 1, values.shape[2]))[:, 0]


def terms(values: Tensor, picked: Tensor, weights: Tensor) -> Tensor:
    """The luck of events, float32[m, players]: U of the picked outcome minus the mean of U with weights summing to 1.

    If all weights are 0, there was no event and no luck.
    """
    mean = (weights[:, :, None] * values).sum(1)
    there = (weights.sum(1) > 0)[:, None]
    return torch.where(there, of_picked(values, picked) - mean, 0.0)


def write(network: OutcomeValues, path: Path, card: Mapping[str, Any]) -> None:
    """Write a network in float16 with its sizes and other card entries, such as the scale of its rewards."""
    weights = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    full = {
        **card,
        "format": FORMAT,
        "family": network.encoder.name,
        "planes": network.encoder.version,
        "outcomes": network.outcomes,
        "players": network.players,
        "tiles": network.tiles,
        **network.net.sizes,
    }
    save(path, weights, full)


def read(path: Path) -> tuple[OutcomeValues, dict[str, Any]]:
    """Load a network and its card, for inference."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            card = json.loads(stored[CARD].tobytes())
            weights = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files if name != CARD}
    except FileNotFoundError:
        raise ModelError(f"there are no outcome values at {path}") from None
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} is of format {card.get('format')}; this version reads format {FORMAT}")
    seen = OpenHands(card["family"]).encoder
    if seen.version != card["planes"]:
        raise ModelError(f"{path} was trained on {card['planes']}; this version has {seen.version}: train it again")
    counts = (card[name] for name in ("outcomes", "players", "tiles"))
    network = OutcomeValues(seen, *counts, **{name: card[name] for name in SIZES})
    network.load_state_dict(weights)
    return network.eval().requires_grad_(False), card
