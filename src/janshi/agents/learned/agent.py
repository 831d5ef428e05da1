"""Players with a trained policy network: they take the most probable action, or sample from the probabilities.

`policy` plays with any file exported by training; `docs/training.md` explains how to make one.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.network import PolicyNetwork, find_file, read_file
from janshi.features.planes import Encoder
from janshi.rules.game import Array, Game

if TYPE_CHECKING:
    from janshi.agents.learned.engines.planes import TorchPolicy

UNIT = 2.0**-53
"""Multiplied by the upper 53 bits of a word, gives a number from 0 to 1."""


class NetworkAgent(Agent):
    """A player whose network gives each action a probability. Not thread-safe."""

    def __init__(self, game: Game, file: Path, sample: bool, temperature: float, floor: float = 0.0) -> None:
        super().__init__(game)
        if temperature <= 0:
            raise ValueError(f"agent {self.name!r}: the temperature must be more than 0, not {temperature}")
        if not 0 <= floor <= 1:
            raise ValueError(f"agent {self.name!r}: the floor must be from 0 to 1, not {floor}")
        self._sample, self._temperature, self._floor = sample, temperature, floor
        self.file = file
        self._read_network()
        self.version = f"{type(self).version}-{digest_of(self.file)}"  # type: ignore[misc]  # other weights play otherwise

    @abstractmethod
    def _read_network(self) -> None:
        """Read the network from a file; it must have been trained for this game."""

    @property
    @abstractmethod
    def card(self) -> dict[str, Any]:
        """The file's metadata: the network and its training."""

    @abstractmethod
    def logits(self, views: Array) -> Array:
        """Logits of all actions, legal or not, float32[m, num_actions]."""

    def act(self, asked: Asked) -> Array:
        """The most probable action of each decision, or one sampled with the decision's word."""
        chances = self.probabilities(asked.views)
        if not self._sample:
            return self.most_probable(chances, asked.views)
        least = self._floor ** (1 / self._temperature) * chances.max(1, keepdims=True)
        below = np.where(chances < least, 0, chances).cumsum(1)
        drawn = (asked.words >> np.uint64(11)).astype(np.float64) * UNIT * below[:, -1]
        return np.asarray((below <= drawn[:, None]).sum(1), np.int64)

    def most_probable(self, chances: Array, views: Array) -> Array:
        """The action to play when not sampling."""
        return np.asarray(chances.argmax(1), np.int64)

    def probabilities(self, views: Array) -> Array:
        """The probability of each action, float64[m, num_actions]: zero for illegal ones."""
        legal = self.game.masks_of_views(views)
        chances = legal.astype(np.float64)
        free = np.flatnonzero(legal.sum(1) > 1)  # a single legal action needs no thought
        if len(free):
            chances[free] = self.softmax(self.logits(views[free]), legal[free])
        return chances

    def softmax(self, logits: Array, legal: Array) -> Array:
        """Turn logits into probabilities of the legal actions, at the agent's temperature."""
        scaled = np.where(legal, logits.astype(np.float64) / self._temperature, -np.inf)
        odds = np.exp(scaled - scaled.max(1, keepdims=True))
        return np.asarray(odds / odds.sum(1, keepdims=True))


class LearnedAgent(NetworkAgent):
    """Plays with an exported policy network.

    Options: `file`, written by training; `sample`, whether to sample from the probabilities instead of taking the most
    probable action; `temperature`, which divides logits before sampling: below 1, likely actions become more likely;
    `device`, where PyTorch computes the network: `device=cuda` plays thousands of tables at once on a GPU.
    """

    name, version, families = "policy", "1", ("guobiao", "simplified")

    def __init__(
        self, game: Game, file: str = "", sample: bool = False, temperature: float = 1.0, device: str = ""
    ) -> None:
        if not file:
            raise ValueError("agent 'policy' needs a file that training exported: policy:file=weights.npz")
        self._device = device
        super().__init__(game, find_file(Path(file)), sample, temperature)

    def _read_network(self) -> None:
        self._network = _network(self.file, self.game, self._device)

    @property
    def card(self) -> dict[str, Any]:
        """The file's metadata: the policy and its training."""
        return self._network.card

    def logits(self, views: Array) -> Array:
        """Logits of all actions, legal or not."""
        return self._network.logits(self._network.encoder.pack_views(views))

    def explain(self, views: Array) -> list[Explanation]:
        """The probability of each legal action."""
        explanations = []
        for chances, legal in zip(self.probabilities(views), self.game.masks_of_views(views)):
            order = sorted(np.flatnonzero(legal).tolist(), key=lambda action: -chances[action])
            explanations.append(
                Explanation(tuple(self._choice(action, float(chances[action])) for action in order), ())
            )
        return explanations

    def _choice(self, action: int, chance: float) -> Choice:
        """An action and how often the policy takes it, which is not a measure of its worth."""
        return Choice(action, self.game.action_names[action], {"probability": chance}, experts=chance)


def digest_of(file: Path) -> str:
    """Eight hexadecimal digits that identify a file of weights."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def _network(path: Path, game: Game, device: str) -> PolicyNetwork | TorchPolicy:
    """Load a network, in NumPy or on a PyTorch device; raises if it was trained for another game."""
    stamp = path.stat().st_mtime_ns if path.is_file() else 0
    encoder, arrays, card = _read(path, stamp)
    if encoder.name != game.family.name or encoder.num_actions != game.num_actions:
        raise ValueError(f"the policy {path} plays {encoder.name}, not {game.family.name}")
    if device:
        from janshi.agents.learned.engines.planes import TorchPolicy

        return TorchPolicy(encoder, arrays, card, device)
    return PolicyNetwork(encoder, arrays, card)


@lru_cache(maxsize=4)
def _read(path: Path, stamp: int) -> tuple[Encoder, dict[str, Array], dict[str, Any]]:
    """A file's content, cached until the file changes."""
    return read_file(path)
