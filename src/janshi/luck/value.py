"""The value function V(h): the worth of a table to each player, given all hands but never the wall.

Luck measured with it is unbiased whatever its weights; a better function explains more of the results as luck. It is
frozen: a file of weights with a card, a hash, and fingerprints of the games it was trained on.

>>> from janshi.luck.value import ValueFunction
>>> ValueFunction.load().name.startswith("luck ")
True
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from math import nan
from pathlib import Path
from typing import Any, Final, Self
from zipfile import BadZipFile

import numpy as np

from janshi.agents.worths import Worths
from janshi.core.tiles import NUM_IDS
from janshi.luck import network
from janshi.luck.features import VERSION, WIDTH
from janshi.luck.games import PlayedGames
from janshi.luck.network import Weights
from janshi.luck.types import Array
from janshi.models.store import CARD, ModelError, save
from janshi.rules.riichi.state import PLAYERS

PEOPLE, AGENTS = "luck", "luck_agents"
"""The shipped value functions: one trained on people's games, one on our agents'."""
TRAINED: Final = "trained"
SEEDS: Final = "seeds of self-play"
"""Card entry for the seeds of games played during training, which have no fingerprints."""
DEALT: Final = 13 * PLAYERS


class ValueFunction:
    """A frozen network and its card."""

    def __init__(self, weights: Weights, card: dict[str, Any] | None = None, trained: Array | None = None) -> None:
        self.weights = Weights(*(np.ascontiguousarray(array, np.float32) for array in weights))
        self.card = card or {}
        self.trained = np.zeros(0, np.uint64) if trained is None else np.sort(trained)
        """Fingerprints of the games it was trained on."""

    @classmethod
    def load(cls, path: Path | None = None, name: str = PEOPLE) -> Self:
        """Read a value function: a shipped one by name, or one in a file."""
        if path is None:
            with resources.as_file(resources.files("janshi.models") / "weights" / f"{name}.npz") as shipped:
                return cls._read(shipped)
        return cls._read(path)

    @classmethod
    def _read(cls, path: Path) -> Self:
        try:
            with np.load(path, allow_pickle=False) as stored:
                card = json.loads(stored[CARD].tobytes())
                arrays = {name: stored[name] for name in stored.files if name != CARD}
        except FileNotFoundError:
            raise ModelError(f"no value function: {path} is missing") from None
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ModelError(f"{path} is not a value function: expected the .npz that training writes") from error
        if card.get("feature version") != VERSION:
            found = card.get("feature version")
            raise ModelError(
                f"{path} was made for features of version {found}, this is version {VERSION}: train it again"
            )
        weights = Weights(*(arrays[name] for name in Weights._fields))
        value = cls(weights, card, arrays[TRAINED])
        if card.get("hash") != value.hash:
            raise ModelError(f"{path} has been changed since it was frozen: its card says {card.get('hash')}")
        return value

    def save(self, path: Path) -> None:
        """Freeze: write weights, the games trained on, and the card with the hash."""
        card = {**self.card, "feature version": VERSION, "hash": self.hash}
        save(path, {**self.weights._asdict(), TRAINED: self.trained}, card)

    @property
    def hash(self) -> str:
        """Digest of the weights, sixteen hexadecimal digits."""
        digest = hashlib.sha256()
        for array in self.weights:
            digest.update(np.ascontiguousarray(array, "<f4").tobytes())
        return digest.hexdigest()[:16]

    @property
    def name(self) -> str:
        """Name and hash, as results cite it."""
        return f"{self.card.get('model', PEOPLE)} {self.card.get('version', 'unnamed')} {self.hash}"

    @property
    def ratio(self) -> float:
        """Share of the variance of ranks that remains on its validation games; NaN if the card does not give it."""
        tried = self.card.get("variance ratio on validation games", {})
        return float(tried.get("end", {}).get("all", nan))

    @property
    def styled(self) -> bool:
        """Whether its input includes the agents' styles (`luck.agent_styles`)."""
        return len(self.weights.first) > WIDTH

    def knows(self, games: PlayedGames) -> Array:
        """Whether it was trained on each of these games, bool[games]."""
        return np.isin(fingerprints(games), self.trained)

    @property
    def seeds(self) -> list[int]:
        """Seeds of the self-play it was trained on. A match with one of them would repeat training games."""
        return [int(seed) for seed in self.card.get(SEEDS, [])]

    # --- values, float32[n, t, measures, 4] by absolute seat

    def after_draws(self, rows: Array, tiles: Array, player: Array, worth: Worths, standing: Array) -> Array:
        """Values after each tile that may be drawn."""
        outputs = network.logits(self.weights, network.trunk(self.weights, rows), tiles)
        return network.values(outputs, player, worth, standing)

    def of_tables(self, rows: Array, player: Array, worth: Worths, standing: Array) -> Array:
        """Values of tables before a draw; rows are float32[n, t, WIDTH]."""
        n, t, width = rows.shape
        joined = network.trunk(self.weights, rows.reshape(n * t, width))
        return network.values(network.logits(self.weights, joined, None).reshape(n, t, -1), player, worth, standing)


@cache
def shipped(name: str = PEOPLE) -> ValueFunction:
    """A shipped value function, loaded once."""
    return ValueFunction.load(name=name)


def on_device(value: ValueFunction, device: str | None) -> ValueFunction:
    """A value function that runs in PyTorch on a device such as `cuda`, or `value` itself if `device` is None."""
    if device is None:
        return value
    try:
        from janshi.luck.torch_values import DeviceValue
    except ModuleNotFoundError:
        raise ValueError(f'the device {device!r} needs PyTorch: pip install "janshi[learn]"') from None
    try:
        return DeviceValue(value, device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"PyTorch cannot use the device {device!r}: {str(error).splitlines()[0]}") from None


def fingerprints(games: PlayedGames) -> Array:
    """A hash of each game's first deal, the same for every record format, uint64[games]."""
    out = np.zeros(len(games), np.uint64)
    for i, hand in enumerate(games.starts):
        dealt = games.hands["wall"][hand][NUM_IDS - DEALT :] >> 2
        dealer = int(games.hands["kyoku"][hand]) % PLAYERS
        by_player = [np.sort(kinds).tobytes() for kinds in _deals(dealt[::-1], dealer)]
        out[i] = int.from_bytes(hashlib.sha256(b"".join(by_player)).digest()[:8], "big")
    return out


def _deals(kinds: Array, dealer: int) -> list[Array]:
    """The thirteen kinds dealt to each player, by seat: three times four, then one."""
    order = np.concatenate([np.repeat(np.arange(PLAYERS), 4)] * 3 + [np.arange(PLAYERS)])
    return [kinds[(order + dealer) % PLAYERS == seat] for seat in range(PLAYERS)]
