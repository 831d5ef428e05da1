"""Export a self-played network, policy and values of choices, to a file that players read without PyTorch."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents.learned.engines.values import CHOICES
from janshi.agents.learned.tokens import FORMAT
from janshi.core.files import write_whole
from janshi.features.riichi import layout as at
from janshi.learn.imitation.export import block_arrays, exported_arrays
from janshi.learn.riichi.networks import Choices, Player
from janshi.models.store import CARD


def export_player(player: Player, path: Path, facts: dict[str, Any], unit: float) -> None:
    """Write a network, including its values of choices, in the format that `agents.learned.tokens` reads.

    unit: places per unit of its values.
    """
    card = {"format": FORMAT, "inputs": at.VERSION, "config": player.policy.config.to_json(), **facts}
    arrays: dict[str, Any] = {**exported_arrays(player.policy), **choice_arrays(player.choices, unit)}
    arrays = {name: array.astype(np.float16) for name, array in arrays.items()}
    arrays[CARD] = np.frombuffer(json.dumps(card).encode(), np.uint8)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    write_whole(path, content.getvalue())


def choice_arrays(choices: Choices, unit: float) -> dict[str, Any]:
    """The arrays of the values of choices, whose outputs are in places."""
    state = {name: value.detach().float().cpu().numpy() for name, value in choices.state_dict().items()}
    arrays = {**block_arrays(state, "block.", ""), "last": state["last.weight"]}
    for name in ("tile_out", "question_out", "game_out"):
        arrays[name] = state[f"{name}.weight"].T * unit
        arrays[f"{name}_bias"] = state[f"{name}.bias"] * unit
    return {f"{CHOICES}{name}": array for name, array in arrays.items()}
