"""The riichi network of `janshi.learn.imitation.network` without a learning library.

A kernel sums the weights of the active inputs; the rest is NumPy. Each position goes through a block by itself, always
with the same shapes, so that not even an answer's last bits depend on what else is in the batch.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.blas import one_blas_thread
from janshi.core.tables import tables_array
from janshi.core.tiles import FIVE_M, NUM_KINDS, RANKS, SUITS
from janshi.features.riichi import layout as at
from janshi.features.riichi.encode import PACKED_DTYPE, new_notes, write_packed
from janshi.models.store import CARD, ModelError
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE, PLAYERS

Array = npt.NDArray[Any]

FORMAT: Final = "riichi tokens 1"
"""The file format that this module reads."""
OPPONENTS: Final = PLAYERS - 1
EPSILON: Final = np.float32(np.finfo(np.float32).eps)
TILE_ACTIONS: Final = 6
FARTHEST: Final = np.float32(80)
"""Logits beyond this count as certain."""
PAYMENT_UNIT: Final = 8000.0
CHOICES: Final = "choices."
"""Arrays of the values of choices begin with this; a network that has only imitated has none."""
_SECTIONS: Final = ("tile", "player", "game", "question")


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
    """float32[m, 3]: what a win of each opponent would cost, in points."""
    ranks: Array
    """float32[m, 4, 4]: the chance of each final rank, by player from the viewer on."""
    ends: Array
    """float32[m, 20]: the chance of each end of the hand."""


class TokenNetwork:
    """A network read from a file. Not thread-safe."""

    def __init__(self, arrays: dict[str, Array], card: dict[str, Any]) -> None:
        self.card = card
        self._arrays = arrays
        self._width = arrays["place"].shape[1]
        self._heads = int(card["config"]["heads"])
        self._weights = np.concatenate([arrays[f"{name}_in"] for name in _SECTIONS])  # (channels of all, D)
        self._blocks = [{name: arrays[f"{name}.{i}"] for name in _BLOCK} for i in range(int(card["config"]["blocks"]))]
        self._notes = new_notes()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read an exported network."""
        return cls(*read_network(path))

    def pack(self, views: Array, rules: Array) -> Array:
        """Views under one set of rules (RULES_DTYPE[1]), packed for the network, PACKED_DTYPE[m]."""
        packed = np.zeros(len(views), PACKED_DTYPE)
        write_packed(views, rules, np.zeros(len(views), np.int64), tables_array(), self._notes, packed)
        return packed

    @one_blas_thread
    def ask(self, packed: Array) -> Guess:
        """The network's outputs for positions."""
        if not len(packed):
            return _NONE
        tokens = [self._tokens(one) for one in packed]
        for block in self._blocks:  # block by block, so that its weights stay in the cache
            for x in tokens:
                x += self._attend(block, x)
                x += self._inner(block, x)
        said = [
            self._read(_normed(x, self._arrays["last"]), int(drawn))
            for x, drawn in zip(tokens, packed["drawn"].tolist())
        ]
        return Guess(*(np.stack(parts) for parts in zip(*said)))

    @property
    def has_values(self) -> bool:
        """Whether the network puts values on choices."""
        return f"{CHOICES}last" in self._arrays

    @one_blas_thread
    def choice_values(self, packed: Array) -> Array:
        """The value of each action, legal or not: places, 2.5 - expected final rank, float32[m, 120]."""
        if not self.has_values:
            raise ModelError("this network puts no value on choices: expected one that learned by self-play")
        a = {name.removeprefix(CHOICES): array for name, array in self._arrays.items() if name.startswith(CHOICES)}
        said = []
        for one in packed:
            x = self._tokens(one)
            for block in [*self._blocks, a]:
                x += self._attend(block, x)
                x += self._inner(block, x)
            x = _normed(x, a["last"])
            tiles = x[:NUM_KINDS] @ a["tile_out"] + a["tile_out_bias"]
            question = x[-1] @ a["question_out"] + a["question_out_bias"]
            value = x[-2] @ a["game_out"] + a["game_out_bias"]
            said.append(policy_logits(tiles, question, int(one["drawn"])) + value)
        return np.stack(said) if said else np.zeros((0, act.NUM_ACTIONS), np.float32)

    def _tokens(self, position: Any) -> Array:
        """The tokens of a position before the first block, (T, D)."""
        x = self._arrays["place"].copy()
        add_inputs(position["inputs"], int(position["count"]), self._weights, x)
        return np.asarray(x)

    def _attend(self, block: dict[str, Array], x: Array) -> Array:
        """Self-attention: what each token takes from the others, (T, D)."""
        tokens, width = x.shape
        mixed = _normed(x, block["before_attention"]) @ block["query_key_value"]  # (T, 3 D)
        q, k, v = mixed.reshape(tokens, 3, self._heads, -1).transpose(1, 2, 0, 3)  # (H, T, D / H)
        scores = q @ k.transpose(0, 2, 1)
        scores *= np.float32((width // self._heads) ** -0.5)
        scores += block["places"]
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        return np.asarray((scores @ v).transpose(1, 0, 2).reshape(tokens, width) @ block["joined"])

    def _inner(self, block: dict[str, Array], x: Array) -> Array:
        """The feed-forward part: what each token makes of itself and its neighbours, (T, D)."""
        y = _normed(x, block["before_inner"])
        shift_ranks(y, y.shape[1] // 4)
        hidden = y @ block["first"]
        square_positive(hidden, block["first_bias"])
        return np.asarray(hidden @ block["second"] + block["second_bias"])

    def _read(self, x: Array, drawn: int) -> tuple[Array, ...]:
        a = self._arrays
        tiles = x[:NUM_KINDS] @ a["tile_out"] + a["tile_out_bias"]
        players = x[NUM_KINDS : NUM_KINDS + PLAYERS] @ a["player_out"] + a["player_out_bias"]
        game = x[-2] @ a["game_out"] + a["game_out_bias"]
        question = x[-1] @ a["question_out"] + a["question_out_bias"]
        waits, rons = tiles[:, TILE_ACTIONS : TILE_ACTIONS + OPPONENTS].T, tiles[:, TILE_ACTIONS + OPPONENTS :].T
        return (
            policy_logits(tiles, question, drawn),
            _chance(waits),
            _chance(rons),
            _chance(players[1:, 0]),
            np.exp(players[1:, 1]) * np.float32(PAYMENT_UNIT),
            _shares(players[:, 2:]),
            _shares(game),
        )


_BLOCK: Final = (
    "before_attention",
    "query_key_value",
    "places",
    "joined",
    "before_inner",
    "first",
    "first_bias",
    "second",
    "second_bias",
)
_NONE: Final = Guess(
    np.zeros((0, act.NUM_ACTIONS), np.float32),
    np.zeros((0, OPPONENTS, NUM_KINDS), np.float32),
    np.zeros((0, OPPONENTS, NUM_KINDS), np.float32),
    np.zeros((0, OPPONENTS), np.float32),
    np.zeros((0, OPPONENTS), np.float32),
    np.zeros((0, PLAYERS, PLAYERS), np.float32),
    np.zeros((0, 2 * PLAYERS + PLAYERS * OPPONENTS), np.float32),
)


def policy_logits(tiles: Array, question: Array, drawn: int) -> Array:
    """All 120 logits, from the tile tokens' and the question token's scores of their actions."""
    logits = np.empty(act.NUM_ACTIONS, np.float32)
    logits[:NUM_KINDS] = tiles[:, 0]
    logits[NUM_KINDS : act.TSUMOGIRI] = tiles[FIVE_M : SUITS * RANKS : RANKS, 1]
    red = drawn >= NUM_KINDS
    kind = FIVE_M + RANKS * (drawn - NUM_KINDS) if red else max(drawn, 0)
    logits[act.TSUMOGIRI] = tiles[kind, 3 if red else 2] if drawn != NONE else tiles[0, 2]
    calls = act.CONCEALED_KAN - act.RIICHI
    logits[act.RIICHI : act.CONCEALED_KAN] = question[:calls]
    logits[act.CONCEALED_KAN : act.ADDED_KAN] = tiles[:, 4]
    logits[act.ADDED_KAN : act.TSUMO] = tiles[:, 5]
    logits[act.TSUMO :] = question[calls:]
    return logits


def _normed(x: Array, scale: Array) -> Array:
    """Each row divided by its root mean square, times a scale."""
    mean = np.einsum("td,td->t", x, x)[:, None] / np.float32(x.shape[1])
    return np.asarray(x * (scale / np.sqrt(mean + EPSILON)))


def _chance(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -FARTHEST, FARTHEST))), np.float32)


def _shares(logits: Array) -> Array:
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))


TILE_INPUTS: Final = at.TILE_SECTION.end
TILE_WIDTH: Final = at.TILE_SECTION.width
PLAYER_INPUTS: Final = at.PLAYER_SECTION.end
PLAYER_WIDTH: Final = at.PLAYER_SECTION.width
GAME_INPUTS: Final = at.GAME_SECTION.end
GAME_WIDTH: Final = at.GAME_SECTION.width


@kernel
def add_inputs(inputs: Any, count: int, weights: Any, x: Any) -> None:
    """Add the weights of the active inputs to their tokens; `weights` holds those of all sections."""
    for i in range(count):
        number = int(inputs[i])
        if number < TILE_INPUTS:
            token, row = number // TILE_WIDTH, number % TILE_WIDTH
        elif number < PLAYER_INPUTS:
            rest = number - TILE_INPUTS
            token, row = NUM_KINDS + rest // PLAYER_WIDTH, TILE_WIDTH + rest % PLAYER_WIDTH
        elif number < GAME_INPUTS:
            token, row = NUM_KINDS + PLAYERS, TILE_WIDTH + PLAYER_WIDTH + number - PLAYER_INPUTS
        else:
            token = NUM_KINDS + PLAYERS + 1
            row = TILE_WIDTH + PLAYER_WIDTH + GAME_WIDTH + number - GAME_INPUTS
        for d in range(x.shape[1]):
            x[token, d] += weights[row, d]


@kernel
def square_positive(hidden: Any, bias: Any) -> None:
    """Squared ReLU with a bias, in place: add the bias to each row, square what is positive, set the rest to zero."""
    for i in range(hidden.shape[0]):
        for j in range(hidden.shape[1]):
            value = hidden[i, j] + bias[j]
            hidden[i, j] = value * value if value > 0 else np.float32(0)


@kernel
def shift_ranks(y: Any, part: int) -> None:
    """Move the first part of each suit's tokens one rank up and the second one rank down, in place."""
    for token in range(len(y)):
        if token >= SUITS * RANKS:
            y[token, : 2 * part] = 0
    for suit in range(SUITS):
        first = suit * RANKS
        for rank in range(RANKS - 1, 0, -1):
            y[first + rank, :part] = y[first + rank - 1, :part]
        y[first, :part] = 0
        for rank in range(RANKS - 1):
            y[first + rank, part : 2 * part] = y[first + rank + 1, part : 2 * part]
        y[first + RANKS - 1, part : 2 * part] = 0


def read_network(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays (float32) and the card of an exported network."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            card = json.loads(stored[CARD].tobytes())
            arrays = {name: stored[name].astype(np.float32) for name in stored.files if name != CARD}
    except FileNotFoundError:
        raise ModelError(f"there is no network {path}: expected a file that training exported") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is not an exported network: expected a file that training exported") from error
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} has the format {card.get('format')!r}; this version reads {FORMAT!r}")
    if card.get("inputs") != at.VERSION:
        raise ModelError(f"{path} reads the inputs {card.get('inputs')}; this version has {at.VERSION}: train it again")
    return arrays, card
