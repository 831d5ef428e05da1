"""Initial values of draws and choices for a run: from the package, a file, or another run.

A run without them spends its first millions of decisions learning how hands end. The shipped file was learned in
self-play of the shipped network; a run continues to train it.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from janshi.features.riichi import open_layout
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.models.store import CARD, FOLDER, ModelError, save

NAME: Final = "selfplay-values-riichi"
DRAWS, CHOICES = "draws.", "choices."
PACKAGE, NOTHING = "package", "none"
FILE: Final = "values.npz"
"""The values in a run's folder."""
SHAPES: Final = ("luck_width", "luck_blocks", "luck_heads", "luck_hidden")
"""Settings that determine the shape of values of draws."""
State = dict[str, Tensor]


def settings_of_values(config: SelfPlayConfig) -> dict[str, int]:
    """The shape settings of a run's values of draws."""
    return {name: value for name, value in asdict(config).items() if name in SHAPES}


def export_values(draws: State, choices: State, config: SelfPlayConfig, path: Path, facts: dict[str, Any]) -> None:
    """Write values in float16, with a card."""
    named = {DRAWS + name: value for name, value in draws.items()} | {
        CHOICES + name: value for name, value in choices.items()
    }
    arrays = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in named.items()}
    card = {
        "inputs": open_layout.VERSION,
        "shape": settings_of_values(config),
        "unit": config.value_unit,
        "sharpness": config.sharpness,
        **facts,
    }
    save(path, arrays, card)


def read_values(path: Path) -> tuple[State, State, dict[str, Any]]:
    """Values of draws, values of choices and the card of a file."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files if name != CARD}
            card = dict(json.loads(stored[CARD].tobytes()))
    except (FileNotFoundError, ValueError, KeyError):
        raise ModelError(f"{path} holds no values of draws and choices: expected a file of a self-play run") from None
    if card["inputs"] != open_layout.VERSION:
        raise ModelError(f"{path.name} was made for inputs {card['inputs']}; these are {open_layout.VERSION}")
    parts = (
        {name.removeprefix(first): value for name, value in arrays.items() if name.startswith(first)}
        for first in (DRAWS, CHOICES)
    )
    draws, choices = parts
    return draws, choices, card


def values_file(values: str) -> Path:
    """The file of values named by a setting: `package`, the folder of a run, or a file."""
    path = FOLDER / f"{NAME}.npz" if values == PACKAGE else Path(values)
    return path / FILE if path.is_dir() else path


def starting_values(config: SelfPlayConfig) -> tuple[State, State]:
    """The values that a new run starts from; raises `ModelError` if they do not fit its settings."""
    path = values_file(config.values)
    draws, choices, card = read_values(path)
    if card["shape"] != settings_of_values(config):
        raise ModelError(f"{path.name} has {card['shape']}, the run {settings_of_values(config)}; or say values=none")
    return draws, {name: value * scale(name, card, config) for name, value in choices.items()}


def scale(name: str, card: dict[str, Any], config: SelfPlayConfig) -> float:
    """Rescale the last layers, which are in units, for a run with another unit."""
    return float(card["unit"] / config.value_unit) if "_out." in name else 1.0
