"""Weights on disk: one small `.npz` per model, with a card that says how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

CARD: Final = "card"
FOLDER: Final = Path(__file__).parent / "weights"


class ModelError(ValueError):
    """Weights are missing, or were made for another version of the features."""


def save(path: Path, arrays: Mapping[str, npt.NDArray[Any]], card: Mapping[str, Any]) -> None:
    """Write arrays and card atomically."""
    temporary = path.with_name(f".{path.stem}.tmp.npz")
    text = np.frombuffer(json.dumps(dict(card), indent=1).encode(), np.uint8)
    np.savez_compressed(temporary, allow_pickle=False, **{**arrays, CARD: text})
    temporary.replace(path)


def load(name: str, path: Path | None, version: int, size: int) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Read a model's arrays and card; by default those shipped with the package."""
    try:
        if path is None:
            with resources.as_file(resources.files("janshi.models") / "weights" / f"{name}.npz") as shipped:
                return _read(shipped, version, size)
        return _read(path, version, size)
    except FileNotFoundError as missing:
        raise ModelError(f"no weights of the {name} model: {missing.filename} is missing") from missing


def _read(path: Path, version: int, size: int) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    with np.load(path, allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files if key != CARD}
        card = json.loads(stored[CARD].tobytes())
    found = (card["feature version"], len(arrays["weights"]))
    if found != (version, size):
        raise ModelError(
            f"{path.name} was made for features of version {found[0]} ({found[1]} of them); "
            f"this is version {version} ({size}): train it again"
        )
    return arrays, dict(card)
