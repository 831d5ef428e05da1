"""Convert a checkpoint to the file that players read without PyTorch, and back: arrays in float16 and a card."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from janshi.agents.learned.tokens import FORMAT, read_network
from janshi.core.files import write_whole
from janshi.features.riichi import layout as at
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.network import RiichiNet
from janshi.models.store import CARD

_TURNED = ("query_key_value", "joined", "first", "second")
_NORMS = ("before_attention", "before_inner")


def export(net: RiichiNet, path: Path, facts: dict[str, Any] | None = None) -> None:
    """Write a network in the format that `agents.learned.tokens` reads; `facts` are extra entries of its card."""
    card = {"format": FORMAT, "inputs": at.VERSION, "config": net.config.to_json(), **(facts or {})}
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in exported_arrays(net).items()}
    arrays[CARD] = np.frombuffer(json.dumps(card).encode(), np.uint8)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    write_whole(path, content.getvalue())


def exported_arrays(net: RiichiNet) -> dict[str, Any]:
    """The arrays of a network; matrices are in the form `x @ matrix`."""
    state = {name: value.detach().float().cpu().numpy() for name, value in net.state_dict().items()}
    arrays: dict[str, Any] = {"place": state["place"], "last": state["last.weight"]}
    for section, scale in zip(("tile", "player", "game", "question"), _kept(net)):
        arrays[f"{section}_in"] = state[f"{section}_in.weight"].T * scale[:, None]
        arrays[f"{section}_out"] = state[f"{section}_out.weight"].T
        arrays[f"{section}_out_bias"] = state[f"{section}_out.bias"]
    for i in range(len(net.blocks)):
        arrays |= block_arrays(state, f"blocks.{i}.", f".{i}")
    return arrays


def block_arrays(state: dict[str, Any], prefix: str, suffix: str) -> dict[str, Any]:
    """The arrays of one block, whose parameters begin with a prefix; their names end with a suffix."""
    arrays = {f"{name}{suffix}": state[f"{prefix}{name}.weight"].T for name in _TURNED}
    arrays |= {f"{name}{suffix}": state[f"{prefix}{name}.weight"] for name in _NORMS}
    arrays |= {f"{name}_bias{suffix}": state[f"{prefix}{name}.bias"] for name in ("first", "second")}
    return {**arrays, f"places{suffix}": state[f"{prefix}places"]}


def load_exported(path: Path) -> RiichiNet:
    """Load the network of an exported file into PyTorch, for inference."""
    arrays, card = read_network(path)
    net = RiichiNet(replace(ImitationConfig.from_json(card["config"]), without=""))
    state = {}
    for name in net.state_dict():
        array = arrays[_stored_name(name)]
        turned = name.endswith("weight") and array.ndim == 2
        state[name] = torch.from_numpy(np.ascontiguousarray(array.T if turned else array))
    net.load_state_dict(state)
    return net.eval()


def _stored_name(name: str) -> str:
    """The array that holds a parameter."""
    if name in ("place", "last.weight"):
        return name.removesuffix(".weight")
    if not name.startswith("blocks."):
        return name.removesuffix(".weight").replace(".bias", "_bias")
    _, number, *rest = name.split(".")
    return f"{rest[0]}_bias.{number}" if rest[-1] == "bias" else f"{rest[0]}.{number}"


def _kept(net: RiichiNet) -> list[Any]:
    """1 for the channels of each section that the network sees, 0 for those of topics left out."""
    kept = net.kept.cpu().numpy()
    return [kept[section.first : section.first + section.width] for section in at.SECTIONS]


def restored(arrays: dict[str, Any], card: dict[str, Any]) -> RiichiNet:
    """The network of an exported file (`agents.learned.tokens.read_network`), for inference."""
    net = RiichiNet(ImitationConfig.from_json(card["config"]))
    state = {"place": arrays["place"], "last.weight": arrays["last"]}
    for section in ("tile", "player", "game", "question"):
        state[f"{section}_in.weight"] = arrays[f"{section}_in"].T
        state[f"{section}_out.weight"] = arrays[f"{section}_out"].T
        state[f"{section}_out.bias"] = arrays[f"{section}_out_bias"]
    for i in range(len(net.blocks)):
        state[f"blocks.{i}.places"] = arrays[f"places.{i}"]
        state.update({f"blocks.{i}.{name}.weight": arrays[f"{name}.{i}"].T for name in _TURNED})
        state.update({f"blocks.{i}.{name}.weight": arrays[f"{name}.{i}"] for name in _NORMS})
        state.update({f"blocks.{i}.{name}.bias": arrays[f"{name}_bias.{i}"] for name in ("first", "second")})
    net.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in state.items()})
    return net.eval()
