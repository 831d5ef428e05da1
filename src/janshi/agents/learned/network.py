"""Exported policies without a learning library: the network of `janshi.learn.network` in NumPy.

A convolution is one matrix product: the nine neighbours of each place side by side, times the weights. Positions are
evaluated one by one, always with the same shapes, so that not even the last bits of an answer depend on the rest of
the batch.
"""

from __future__ import annotations

import json
import zipfile
from importlib import resources
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core.blas import one_blas_thread
from janshi.features.planes import Encoder, encoder, encoder_of
from janshi.models.store import CARD, ModelError

FORMAT: Final = 1
"""The file format that this module reads."""
NEIGHBOURS: Final = 9
DATA_FOLDERS: Final = (Path("data"), Path("/data"))
"""Where a bot on Botzone finds the files its user has stored."""

Array = npt.NDArray[Any]


class PolicyNetwork:
    """A policy read from a file: it computes logits of all actions from private inputs. Not thread-safe."""

    def __init__(self, made: Encoder, arrays: dict[str, Array], card: dict[str, Any]) -> None:
        self.encoder, self.card = made, card
        cells, channels = made.rows * made.columns, arrays["stem"].shape[2]
        self._stem = arrays["stem"].reshape(-1, channels)
        self._blocks = arrays["blocks"].reshape(-1, NEIGHBOURS * channels, channels)
        self._arrays = arrays
        self._near = neighbours(made.rows, made.columns)
        self._planes = np.zeros((cells + 1, made.private_channels), np.float32)
        self._padded = np.zeros((cells + 1, channels), np.float32)  # the last row is for places off the board
        self._stem_columns = np.zeros((cells, NEIGHBOURS, made.private_channels), np.float32)
        self._columns = np.zeros((cells, NEIGHBOURS, channels), np.float32)
        self._inner = np.zeros((cells, channels), np.float32)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read an exported policy."""
        return cls(*read_file(path))

    @one_blas_thread
    def logits(self, private: Array) -> Array:
        """Logits of all actions, legal or not, float32[m, num_actions], from uint8[m, private_bytes]."""
        out = np.zeros((len(private), self.encoder.num_actions), np.float32)
        for i in range(len(private)):
            out[i] = self._ask(private[i : i + 1])
        return out

    def _ask(self, record: Array) -> Array:
        """Logits of one record."""
        a, x = self._arrays, self._padded[:-1]
        planes = self.encoder.expand_numpy(record)
        self._planes[:-1] = planes.transpose(0, 2, 3, 1).reshape(len(self._near), -1)
        np.take(self._planes, self._near, 0, self._stem_columns, "clip")
        y = self._stem_columns.reshape(len(x), -1) @ self._stem + a["stem_bias"]
        for first, second, bias in zip(
            self._blocks[::2], self._blocks[1::2], a["blocks_bias"].reshape(-1, 2, len(x[0]))
        ):
            np.maximum(y, 0, out=x)
            inner = self._convolve(first)
            inner += bias[0]
            np.maximum(inner, 0, out=x)
            y += self._convolve(second)
            y += bias[1]
        np.maximum(y, 0, out=y)
        z = np.maximum(y @ a["neck"] + a["neck_bias"], 0).ravel()
        z = np.maximum(z @ a["first"] + a["first_bias"], 0)
        z = np.maximum(z @ a["second"] + a["second_bias"], 0)
        return np.asarray(z @ a["last"] + a["last_bias"])

    def _convolve(self, weights: Array) -> Array:
        """The convolution of `_padded`, [cells, channels]; the next call overwrites it."""
        np.take(self._padded, self._near, 0, self._columns, "clip")
        return np.matmul(self._columns.reshape(len(self._near), -1), weights, self._inner)


def neighbours(rows: int, columns: int) -> Array:
    """The places around each place, row by row, int64[cells, 9]; those off the board are numbered `cells`."""
    out = np.full((rows * columns, NEIGHBOURS), rows * columns, np.int64)
    for row in range(rows):
        for column in range(columns):
            for n in range(NEIGHBOURS):
                r, c = row + n // 3 - 1, column + n % 3 - 1
                if 0 <= r < rows and 0 <= c < columns:
                    out[row * columns + column, n] = r * columns + c
    return out


# --- files


def read_file(path: Path) -> tuple[Encoder, dict[str, Array], dict[str, Any]]:
    """The encoder, the arrays (float32) and the card of an exported policy."""
    arrays, card = read_arrays(path, "policy")
    return _check(path, card), arrays, card


def read_arrays(path: Path, kind: str, exporter: str = "training") -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays (float32) and the card of an exported file; errors call it by its kind, and name its exporter."""
    expected = f"expected a file that {exporter} exported"
    try:
        with np.load(path, allow_pickle=False) as stored:
            card = json.loads(stored[CARD].tobytes())
            return {name: stored[name].astype(np.float32) for name in stored.files if name != CARD}, card
    except FileNotFoundError:
        raise ModelError(f"there is no {kind} {path}: {expected}") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is not an exported {kind}: {expected}") from error


def _check(path: Path, card: dict[str, Any]) -> Encoder:
    """The encoder named by a card; raises if this version does not have it."""
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} is of format {card.get('format')}; this version reads format {FORMAT}")
    family = str(card.get("family"))
    made = encoder_of(family, str(card.get("planes")))
    if made is None:
        known = encoder(family).version
        raise ModelError(f"{path} was trained on {card.get('planes')}; this version has {known}: train it again")
    return made


def shipped(name: str, family: str) -> Path:
    """The file of a policy that ships with the package, or that is stored where Botzone keeps bots' files."""
    file = f"{name}-{family}.npz"
    place = resources.files("janshi.models") / "weights" / file
    found = place if isinstance(place, Path) else Path(file)
    found = found if found.is_file() else find_file(Path(file))
    if found.is_file():
        return found
    raise ModelError(
        f"there are no weights of {name!r} for {family}: {file} is neither in the package nor in "
        f"{' or '.join(map(str, DATA_FOLDERS))}; train them (`janshi train rvr --rules {family}`), or play others by "
        "`policy:file=...`"
    )


def find_file(path: Path) -> Path:
    """A file or, if it does not exist, the one of that name where Botzone keeps bots' files."""
    places = [path, *(folder / path.name for folder in DATA_FOLDERS)]
    return next((place for place in places if place.is_file()), path)
