"""The veteran: the apprentice's network, playing the choices that self-play found best.

The apprentice plays what experts would. The veteran reads the same network with another last layer (`worth_layer`). It
was fitted to the gains of millions of the apprentice's own decisions, with the luck of draws removed. So the veteran
knows both what each choice costs and how often experts make it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.apprentice import ApprenticeAgent, read_cached
from janshi.agents.learned.losses import FARTHEST_GAP, joined, shares
from janshi.agents.learned.network import find_file, shipped
from janshi.agents.learned.opinions import Opinions, opinions, position_of
from janshi.agents.learned.tokens import ChoiceWorths, Guess, TokenNetwork
from janshi.agents.learned.worth_layer import WorthLayer, read_layer
from janshi.agents.loss import MOST, RANK
from janshi.models.store import ModelError
from janshi.rules.game import Array, Game

NAME: Final = "veteran"


class VeteranAgent(ApprenticeAgent):
    """Learned from experts, then from games against itself.

    Options: `layer`, another layer that policy iteration wrote; `file`, the network it belongs to; `sample`, whether to
    sample instead of playing the best choice; `temperature`, which divides logits before sampling; `engine` and
    `device`, as for `apprentice`.
    """

    name, version = NAME, "1"

    def __init__(
        self,
        game: Game,
        layer: str = "",
        file: str = "",
        sample: bool = False,
        temperature: float = 1.0,
        engine: str = "",
        device: str = "",
    ) -> None:
        self._layer_file = find_file(Path(layer)) if layer else shipped(NAME, "riichi")
        super().__init__(game, file, sample, temperature, engine=engine, device=device)
        self.version = f"{self.version}-{digest_of(self._layer_file)}"  # type: ignore[misc]  # other layers play otherwise
        self.gives_values = True  # type: ignore[misc]

    def _read_network(self) -> None:
        self.layer = _layer(self._layer_file, self._layer_file.stat().st_mtime_ns if self._layer_file.is_file() else 0)
        if self.layer.network != digest_of(self.file):
            raise ModelError(f"the layer {self._layer_file} belongs to another network than {self.file}")
        self.network = TokenNetwork(*read_cached(self.file), *self._computed, self.layer)

    def ask(self, views: Array) -> tuple[Guess, ChoiceWorths]:
        """All the network's outputs for some positions, and the worth of choices."""
        return self.network.ask_worths(self.network.pack(views, self._rules))

    def logits(self, views: Array) -> Array:
        """Logits of all actions, legal or not: their worth."""
        return self.ask(views)[1].logits

    def opinions(self, views: Array) -> tuple[Opinions, Guess]:
        """The worth of choices, how often experts make them and their danger; and the network's outputs."""
        guess, worths = self.ask(views)
        at = position_of(views, guess, self.game.masks_of_views(views), self.game.rules)
        return opinions(at, guess, lost_places(worths, at.legal, at.drawn)), guess

    def order(self, found: Opinions, i: int) -> list[int]:
        """The legal actions of a decision in the order of explanations: the best first."""
        return sorted(
            np.flatnonzero(found.legal[i]).tolist(), key=lambda a: (-found.worths[i, a], -found.chances[i, a])
        )


def lost_places(worths: ChoiceWorths, legal: Array, drawn: Array) -> Array:
    """What each legal action loses against the best one, in places, float64[m, 120]; NaN for illegal ones.

    Discards of the drawn tile and of an equal tile count as one choice.
    """
    chances = joined(shares(worths.logits, legal), legal, drawn)
    best = chances.max(1, keepdims=True)
    gap = np.log(best / np.maximum(chances, np.exp(-FARTHEST_GAP) * best))
    return np.where(legal, np.minimum(worths.unit[:, None] * gap, MOST[RANK]), np.nan)


@lru_cache(maxsize=4)
def _layer(path: Path, stamp: int) -> WorthLayer:
    """A layer's file, cached until it changes."""
    return read_layer(path)
