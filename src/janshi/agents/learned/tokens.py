"""The riichi network of `janshi.learn.imitation.network` without a learning library.

An engine computes the network (`agents.learned.engines`); this module turns its outputs into probabilities, points and
logits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.agents.learned.engines import Scores, make_engine
from janshi.agents.learned.engines.values import ValueEngine, has_values
from janshi.agents.learned.network import read_arrays
from janshi.agents.learned.worth_layer import WorthLayer
from janshi.core.tables import tables_array
from janshi.core.tiles import FIVE_M, NUM_KINDS, RANKS, SUITS
from janshi.features.riichi import layout as at
from janshi.features.riichi.notes import new_notes
from janshi.features.riichi.packed import PACKED_DTYPE, write_packed
from janshi.models.store import ModelError
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS

Array = npt.NDArray[Any]

FORMAT: Final = "riichi tokens 2"
"""The file format that this module reads."""
OPPONENTS: Final = PLAYERS - 1
TILE_ACTIONS: Final = 6
FARTHEST: Final = np.float32(80)
"""Logits beyond this count as certain."""
PAYMENT_UNIT: Final = 8000.0


class Guess(NamedTuple):
    """The network's outputs for some positions."""

    policy: Array
    """float32[m, 120]: logits of all actions, legal or not."""
    waits: Array
    """float32[m, 3, 34]: the chance that each opponent waits for a kind."""
    rons: Array
    """float32[m, 3, 34]: the chance that each opponent can win on it now."""
    tenpai: Array
    """float32[m, 3]: the chance that each opponent is tenpai."""
    value: Array
    """float32[m, 3, 34]: what a win of each opponent on a kind would cost, in points."""
    ranks: Array
    """float32[m, 4, 4]: the chance of each final rank, by player, starting with the viewer."""
    ends: Array
    """float32[m, 20]: the chance of each end of the hand."""


class ChoiceWorths(NamedTuple):
    """What a worth layer says about some positions."""

    logits: Array
    """float32[m, 120]: of all actions, legal or not."""
    unit: Array
    """float32[m]: places per logit."""


class TokenNetwork:
    """A network read from a file, with or without a layer for the worth of choices. Not thread-safe."""

    def __init__(
        self,
        arrays: dict[str, Array],
        card: dict[str, Any],
        engine: str = "",
        device: str = "",
        worths: WorthLayer | None = None,
    ) -> None:
        self.card, self._arrays, self._worths = card, arrays, worths
        self._values: ValueEngine | None = None
        self._engine = make_engine(engine, device, worths.extended(arrays) if worths else arrays, card)
        self._notes = new_notes()

    @classmethod
    def load(cls, path: Path, engine: str = "", device: str = "") -> Self:
        """Read an exported network; `engine` and `device` choose how to compute it (`agents.learned.engines`)."""
        return cls(*read_network(path), engine, device)

    def pack(self, views: Array, rules: Array) -> Array:
        """Pack views under one set of rules (RULES_DTYPE[1]) for the network, PACKED_DTYPE[m]."""
        packed = np.zeros(len(views), PACKED_DTYPE)
        views = np.ascontiguousarray(views)  # kernels compile again for every other layout
        write_packed(views, rules, np.zeros(len(views), np.int64), tables_array(), self._notes, packed)
        return packed

    def ask(self, packed: Array) -> Guess:
        """The network's outputs for positions."""
        if not len(packed):
            return _NONE
        scores, drawn = self._engine.scores(packed), packed["drawn"].astype(np.int64)
        return guess(scores if self._worths is None else self._worths.split(scores)[0], drawn)

    def ask_worths(self, packed: Array) -> tuple[Guess, ChoiceWorths]:
        """The network's outputs for positions, and the worth of choices."""
        if self._worths is None:
            raise ModelError("this network has no layer for the worth of choices")
        if not len(packed):
            return _NONE, ChoiceWorths(_NONE.policy, np.zeros(0, np.float32))
        own, found = self._worths.split(self._engine.scores(packed))
        drawn = packed["drawn"].astype(np.int64)
        return guess(own, drawn), ChoiceWorths(policy_logits(found.tiles, found.question, drawn), found.unit)

    @property
    def has_values(self) -> bool:
        """Whether the network puts values on choices."""
        return has_values(self._arrays)

    def choice_values(self, packed: Array) -> Array:
        """The value of each action, legal or not: places, 2.5 - expected final rank, float32[m, 120]."""
        if not self.has_values:
            raise ModelError("this network puts no value on choices: expected one that learned by self-play")
        if not len(packed):
            return np.zeros((0, act.NUM_ACTIONS), np.float32)
        if self._values is None:
            self._values = ValueEngine(self._arrays, self.card)
        tiles, question, value = self._values.scores(packed)
        return np.asarray(policy_logits(tiles, question, packed["drawn"].astype(np.int64)) + value)


def guess(scores: Scores, drawn: Array) -> Guess:
    """Probabilities, points and logits from the network's outputs; `drawn` is each position's drawn tile."""
    tiles, players = scores.tiles, scores.players
    waits, rons, more = np.split(tiles[:, :, TILE_ACTIONS:].transpose(0, 2, 1), 3, axis=1)
    tenpai = _chance(players[:, 1:, 0])
    return Guess(
        policy_logits(tiles, scores.question, drawn),
        _chance(waits) * tenpai[:, :, None],
        _chance(rons) * tenpai[:, :, None],
        tenpai,
        np.exp(players[:, 1:, 1, None] + more) * np.float32(PAYMENT_UNIT),
        _shares(players[:, :, 2:]),
        _shares(scores.game),
    )


_NONE: Final = Guess(
    np.zeros((0, act.NUM_ACTIONS), np.float32),
    np.zeros((0, OPPONENTS, NUM_KINDS), np.float32),
    np.zeros((0, OPPONENTS, NUM_KINDS), np.float32),
    np.zeros((0, OPPONENTS), np.float32),
    np.zeros((0, OPPONENTS, NUM_KINDS), np.float32),
    np.zeros((0, PLAYERS, PLAYERS), np.float32),
    np.zeros((0, 2 * PLAYERS + PLAYERS * OPPONENTS), np.float32),
)


def policy_logits(tiles: Array, question: Array, drawn: Array) -> Array:
    """All 120 logits of positions, from the action scores of the tile tokens and the question token."""
    logits = np.empty((len(tiles), act.NUM_ACTIONS), np.float32)
    logits[:, :NUM_KINDS] = tiles[:, :, 0]
    logits[:, NUM_KINDS : act.TSUMOGIRI] = tiles[:, FIVE_M : SUITS * RANKS : RANKS, 1]
    red = drawn >= NUM_KINDS
    kind = np.where(red, FIVE_M + RANKS * (drawn - NUM_KINDS), np.maximum(drawn, 0))
    logits[:, act.TSUMOGIRI] = tiles[np.arange(len(tiles)), kind, np.where(red, 3, 2)]
    calls = act.CONCEALED_KAN - act.RIICHI
    logits[:, act.RIICHI : act.CONCEALED_KAN] = question[:, :calls]
    logits[:, act.CONCEALED_KAN : act.ADDED_KAN] = tiles[:, :, 4]
    logits[:, act.ADDED_KAN : act.TSUMO] = tiles[:, :, 5]
    logits[:, act.TSUMO :] = question[:, calls:]
    return logits


def _chance(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -FARTHEST, FARTHEST))), np.float32)


def _shares(logits: Array) -> Array:
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))


def read_network(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays (float32) and the card of an exported network."""
    arrays, card = read_arrays(path, "network")
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} has the format {card.get('format')!r}; this version reads {FORMAT!r}")
    if card.get("inputs") != at.VERSION:
        raise ModelError(f"{path} reads the inputs {card.get('inputs')}; this version has {at.VERSION}: train it again")
    return arrays, card
