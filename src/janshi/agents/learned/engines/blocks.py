"""The blocks of the riichi network: attention between tokens, then a small network on each.

NumPy's BLAS computes the matrix products and kernels do the rest, a few positions at a time. Each position has its own
products, always of the same shape, so that not even the last bits of an answer depend on the rest of the batch.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import RANKS, SUITS
from janshi.features.riichi.layout import TOKENS

Array = npt.NDArray[Any]

TOGETHER: Final = 4
"""Positions that go through a block together: few enough for a block's results to stay in a core's cache."""
EPSILON: Final = np.float32(np.finfo(np.float32).eps)
LANES: Final = 8
"""Number of independent partial sums, so that additions need not wait for one another."""


class Blocks:
    """All blocks of a network, with room for what they compute. Not thread-safe."""

    def __init__(self, arrays: dict[str, Array], count: int, heads: int) -> None:
        self._blocks = [_Weights(arrays, i, heads) for i in range(count)]
        tokens, width = arrays["place"].shape
        n, hidden = TOGETHER, self._blocks[0].first.shape[1] if count else 0
        self._heads = heads
        self._normed, self._added = (np.zeros((n, tokens, width), np.float32) for _ in range(2))
        self._mixed = np.zeros((n, tokens, 3, heads, width // heads), np.float32)
        self._scores = np.zeros((n, heads, tokens, tokens), np.float32)
        self._hidden = np.zeros((n, tokens, hidden), np.float32)

    def apply(self, x: Array) -> None:
        """Take the tokens of positions through all blocks, in place, float32[m, T, D]."""
        for block in self._blocks:  # block by block, so that its weights stay in the cache
            for first in range(0, len(x), TOGETHER):
                some = x[first : first + TOGETHER]
                self._attend(block, some)
                self._work(block, some)

    def _attend(self, block: _Weights, x: Array) -> None:
        """Self-attention: add to each token what it reads from the others."""
        n, tokens, width = x.shape
        normed, mixed, scores, added = self._normed[:n], self._mixed[:n], self._scores[:n], self._added[:n]
        write_normed(x, normed)
        np.matmul(normed, block.query_key_value, mixed.reshape(n, tokens, 3 * width))
        q, k, v = (mixed[:, :, part].transpose(0, 2, 1, 3) for part in range(3))  # (n, H, T, D / H)
        np.matmul(q, k.transpose(0, 1, 3, 2), scores)
        add_places(scores, block.places)
        np.exp(scores, scores)
        share_out(scores)
        np.matmul(scores, v, normed.reshape(n, tokens, self._heads, -1).transpose(0, 2, 1, 3))
        np.matmul(normed, block.joined, added)
        x += added

    def _work(self, block: _Weights, x: Array) -> None:
        """The feed-forward part, which reads each token and its neighbours."""
        n = len(x)
        normed, hidden, added = self._normed[:n], self._hidden[:n], self._added[:n]
        write_normed(x, normed)
        shift_ranks(normed, x.shape[2] // 4)
        np.matmul(normed, block.first, hidden)
        square_positive(hidden, block.first_bias)
        np.matmul(hidden, block.second, added)
        add_with_bias(x, added, block.second_bias)


class _Weights:
    """The weights of a block. Scales are multiplied into the weights of the product that follows them."""

    def __init__(self, arrays: dict[str, Array], number: int, heads: int) -> None:
        def of(name: str) -> Array:
            return arrays[f"{name}.{number}"]

        width = len(of("before_attention"))
        mixed = of("before_attention")[:, None] * of("query_key_value")
        mixed[:, :width] *= np.float32((width // heads) ** -0.5)
        self.query_key_value = np.ascontiguousarray(mixed)
        self.places, self.joined = of("places"), of("joined")
        self.first = np.ascontiguousarray(of("before_inner")[:, None] * of("first"))
        self.first_bias, self.second, self.second_bias = of("first_bias"), of("second"), of("second_bias")


def normed(x: Array) -> Array:
    """Each row divided by its root mean square, float32[m, T, D]."""
    out = np.empty_like(x)
    write_normed(x, out)
    return out


def neighbours(by: int) -> Array:
    """`shift_ranks` as a matrix: each tile token gets what the one `by` ranks away holds, float32[T, T]."""
    moves = np.zeros((TOKENS, TOKENS), np.float32)
    for kind in range(SUITS * RANKS):
        if 0 <= kind % RANKS + by < RANKS:
            moves[kind, kind + by] = 1
    return moves


@kernel
def write_normed(x: Any, out: Any) -> None:
    """Each row divided by its root mean square."""
    positions, tokens, width = x.shape
    for p in range(positions):
        for t in range(tokens):
            row, written = x[p, t], out[p, t]
            factor = np.float32(1) / np.sqrt(_squares(row) / np.float32(width) + EPSILON)
            for d in range(width):
                written[d] = row[d] * factor


@kernel
def _squares(row: Any) -> Any:
    """The sum of the squares of a row."""
    a = b = c = d = e = f = g = h = np.float32(0)
    whole = len(row) - len(row) % LANES
    for i in range(whole, len(row)):
        a += row[i] * row[i]
    for i in range(0, whole, LANES):
        a += row[i] * row[i]
        b += row[i + 1] * row[i + 1]
        c += row[i + 2] * row[i + 2]
        d += row[i + 3] * row[i + 3]
        e += row[i + 4] * row[i + 4]
        f += row[i + 5] * row[i + 5]
        g += row[i + 6] * row[i + 6]
        h += row[i + 7] * row[i + 7]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


@kernel
def add_places(scores: Any, places: Any) -> None:
    """Add the bias of each pair of places; then subtract the largest of each row, in place."""
    positions, heads, tokens, _ = scores.shape
    for p in range(positions):
        for head in range(heads):
            for t in range(tokens):
                row, bias = scores[p, head, t], places[head, t]
                for j in range(tokens):
                    row[j] += bias[j]
                most = _largest(row)
                for j in range(tokens):
                    row[j] -= most


@kernel
def _largest(row: Any) -> Any:
    """The largest number of a row."""
    a, b, c, d = row[0], row[1], row[2], row[3]
    for i in range(4, len(row), 4):  # there are 40 tokens
        a = max(a, row[i])
        b = max(b, row[i + 1])
        c = max(c, row[i + 2])
        d = max(d, row[i + 3])
    return max(max(a, b), max(c, d))


@kernel
def share_out(scores: Any) -> None:
    """Divide each row by its sum, in place."""
    positions, heads, tokens, _ = scores.shape
    for p in range(positions):
        for head in range(heads):
            for t in range(tokens):
                row = scores[p, head, t]
                factor = np.float32(1) / _total(row)
                for j in range(tokens):
                    row[j] *= factor


@kernel
def _total(row: Any) -> Any:
    """The sum of a row."""
    a = b = c = d = e = f = g = h = np.float32(0)
    whole = len(row) - len(row) % LANES
    for i in range(whole, len(row)):
        a += row[i]
    for i in range(0, whole, LANES):
        a += row[i]
        b += row[i + 1]
        c += row[i + 2]
        d += row[i + 3]
        e += row[i + 4]
        f += row[i + 5]
        g += row[i + 6]
        h += row[i + 7]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


@kernel
def square_positive(hidden: Any, bias: Any) -> None:
    """Squared ReLU with a bias, in place: add the bias to each row, square what is positive, set the rest to zero."""
    positions, tokens, width = hidden.shape
    for p in range(positions):
        for t in range(tokens):
            row = hidden[p, t]
            for j in range(width):
                value = max(row[j] + bias[j], np.float32(0))
                row[j] = value * value


@kernel
def shift_ranks(y: Any, part: int) -> None:
    """Move the first part of each suit's tokens one rank up and the second one rank down, in place."""
    for p in range(len(y)):
        x = y[p]
        for token in range(SUITS * RANKS, len(x)):
            x[token, : 2 * part] = 0
        for suit in range(SUITS):
            first = suit * RANKS
            for rank in range(RANKS - 1, 0, -1):
                x[first + rank, :part] = x[first + rank - 1, :part]
            x[first, :part] = 0
            for rank in range(RANKS - 1):
                x[first + rank, part : 2 * part] = x[first + rank + 1, part : 2 * part]
            x[first + RANKS - 1, part : 2 * part] = 0


@kernel
def add_with_bias(x: Any, added: Any, bias: Any) -> None:
    """Add `added` and a bias to each row of x, in place."""
    positions, tokens, width = x.shape
    for p in range(positions):
        for t in range(tokens):
            row, more = x[p, t], added[p, t]
            for d in range(width):
                row[d] += more[d] + bias[d]
