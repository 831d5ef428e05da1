"""U: what each outcome of a random event is worth to every player, in one pass (RL-5; `luckless.py`).

The network sees all hands and never the order of the wall. For draws an outcome is the kind of tile that comes, for
decisions the action that is chosen. The same network serves learning and measuring, and is written to a small file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from janshi.features.open_hands import OpenHands
from janshi.features.planes import Encoder
from janshi.learn.network import ValueNet
from janshi.models.store import CARD, ModelError, save

FORMAT: Final = 1
SIZES: Final = ("blocks", "channels", "neck", "width")


class OutcomeValues(nn.Module):
    """From packed inputs to float32[m, outcomes, players], summing to zero over the players, the asked one first.

    The value of an outcome is that of the position, which all outcomes teach, and a difference of its own.
    """

    def __init__(self, encoder: Encoder, outcomes: int, players: int, **sizes: int) -> None:
        super().__init__()
        self.encoder, self.outcomes, self.players = encoder, outcomes, players
        self.net = ValueNet(encoder, (1 + outcomes) * players, hidden=True, wall=False, **sizes)

    def forward(self, private: Tensor, hidden: Tensor) -> Tensor:
        """What each outcome is worth to each player."""
        outputs = self.net(private, hidden, None).float().view(-1, 1 + self.outcomes, self.players)
        values = outputs[:, :1] + outputs[:, 1:]
        return values - values.mean(2, keepdim=True)


def of_picked(values: Tensor, picked: Tensor) -> Tensor:
    """The values of what was picked, (m, players)."""
    return values.gather(1, picked[:, None, None].expand(-1, 1, values.shape[2]))[:, 0]


def terms(values: Tensor, picked: Tensor, weights: Tensor) -> Tensor:
    """The luck of events, float32[m, players]: U of what was picked, less the mean of U by the weights, which add to 1.

    Where all weights are 0 there was no event, and no luck.
    """
    mean = (weights[:, :, None] * values).sum(1)
    there = (weights.sum(1) > 0)[:, None]
    return torch.where(there, of_picked(values, picked) - mean, 0.0)


def write(network: OutcomeValues, path: Path, card: Mapping[str, Any]) -> None:
    """Write a network in float16 with its sizes and anything else a card holds, such as the scale of its rewards."""
    weights = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    full = {
        **card,
        "format": FORMAT,
        "family": network.encoder.name,
        "planes": network.encoder.version,
        "outcomes": network.outcomes,
        "players": network.players,
        **network.net.sizes,
    }
    save(path, weights, full)


def read(path: Path) -> tuple[OutcomeValues, dict[str, Any]]:
    """A network that was written, ready to be asked, and its card."""
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
    network = OutcomeValues(seen, card["outcomes"], card["players"], **{name: card[name] for name in SIZES})
    network.load_state_dict(weights)
    return network.eval().requires_grad_(False), card
