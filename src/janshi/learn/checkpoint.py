"""Checkpoints: everything a run needs to continue exactly, in one file that is written atomically.

A *full* checkpoint contains the networks, the optimisers, the tables with all decisions of unfinished hands, and the
counters. A *light* one contains the networks in float16 and the counters; training continues from it with fresh
tables.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from janshi.core.files import replacing
from janshi.learn.config import TrainConfig
from janshi.learn.network import PolicyNet, read_policy
from janshi.learn.ppo import Trainer
from janshi.rules.game import Array

FULL, LIGHT = "checkpoint.pt", "light.pt"
VERSION: Final = 1
COUNTERS: Final = (
    "rollouts",
    "learned",
    "decisions",
    "hands",
    "seconds",
    "end_seconds",
    "end_decisions",
)


def save(trainer: Trainer, path: Path, light: bool = False) -> None:
    """Write a checkpoint under a temporary name, then rename it."""
    state: dict[str, Any] = {
        "version": VERSION,
        "features": trainer.encoder.version,
        "config": trainer.config.to_json(),
        "counters": _counters(trainer),
        "networks": {name: net.state_dict() for name, net in _networks(trainer).items()},
    }
    if light:
        state["networks"] = {name: _halved(weights) for name, weights in state["networks"].items()}
    else:
        state["tables"] = _tables_state(trainer)
        state["optimisers"] = [optimiser.state_dict() for optimiser in trainer.networks.optimisers()]
        state["past_selves"] = trainer.players.past_selves
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as partial:
        torch.save(state, partial)


def load(path: Path, changes: dict[str, Any] | None = None) -> Trainer:
    """Make a trainer that continues from a checkpoint; `changes` are settings other than the networks' sizes."""
    if not path.is_file():
        raise ValueError(f"no checkpoint at {path}")
    state = _read(path)
    config = TrainConfig.from_json({**state["config"], **(changes or {})})
    trainer = Trainer(config)
    if state["features"] != trainer.encoder.version:
        raise ValueError(f"{path} was trained on {state['features']}; these are {trainer.encoder.version}")
    with trainer.device.learning():
        for name, net in _networks(trainer).items():
            if name in state["networks"]:
                net.load_state_dict(state["networks"][name])
        trainer.players.newest.load_state_dict(trainer.policy.state_dict())
        _set_counters(trainer, state["counters"])
        if "optimisers" in state:
            for optimiser, kept in zip(trainer.networks.optimisers(), state["optimisers"]):
                optimiser.load_state_dict(kept)
    trainer.device.synchronize()
    if "tables" in state:
        _load_past(trainer, state["past_selves"])
        _load_tables(trainer, state["tables"])
    else:
        trainer.renew_tables()
        trainer.begin()
    return trainer


def begin_from(trainer: Trainer, path: Path) -> str:
    """Start a run from another run's policy (`policy.npz`), and from its value network too (`light.pt`) if that fits.

    Returns a description of what was copied.
    """
    if path.suffix != ".pt":
        trainer.networks.begin_with(read_policy(path))
        return "the policy"
    networks = _read_networks(trainer, path)
    policy = PolicyNet(trainer.encoder, **trainer.policy.sizes)
    if not _fits(policy, networks["policy"]):
        raise ValueError(f"{path}: its policy is not of the sizes {policy.sizes}")
    policy.load_state_dict(networks["policy"])
    trainer.networks.begin_with(policy)
    if not _fits(trainer.critic, networks["critic"]):
        return "the policy, not the values, which are another variant's,"
    taken = ["the policy", "the values"]
    trainer.critic.load_state_dict(networks["critic"])
    if trainer.expected is not None and _fits(trainer.expected.network, networks.get("expected", {})):
        trainer.expected.network.load_state_dict(networks["expected"])
        taken.append("the expected rewards")
    for name, part in ({} if trainer.luck is None else trainer.luck.parts).items():
        if _fits(part.network, networks.get(name, {})):
            part.network.load_state_dict(networks[name])
            taken.append(f"the values of {name}")
    trainer.device.synchronize()
    return " and ".join([", ".join(taken[:-1]), taken[-1]])


def go_on_from(trainer: Trainer, path: Path) -> None:
    """Continue a restarted run from its own light checkpoint, with its counters and fresh tables."""
    begin_from(trainer, path)
    _set_counters(trainer, _read(path)["counters"])
    trainer.renew_tables()


def _read_networks(trainer: Trainer, path: Path) -> dict[str, Any]:
    """The networks' weights in a checkpoint whose planes match the run's."""
    state = _read(path)
    if state["features"] != trainer.encoder.version:
        raise ValueError(f"{path} was trained on {state['features']}; the run sees {trainer.encoder.version}")
    return dict(state["networks"])


def _read(path: Path) -> dict[str, Any]:
    """What a checkpoint holds."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError):
        raise ValueError(f"{path} is not a checkpoint, or damaged: expected one that training wrote") from None
    if not isinstance(state, dict) or state.get("version") != VERSION:
        raise ValueError(f"{path} is not a checkpoint of version {VERSION}")
    return state


def _fits(net: Any, weights: dict[str, torch.Tensor]) -> bool:
    shapes = {name: value.shape for name, value in net.state_dict().items()}
    return shapes == {name: value.shape for name, value in weights.items()}


def _halved(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: value.half() if value.is_floating_point() else value for name, value in weights.items()}


def read_config(path: Path) -> TrainConfig:
    """The settings of a run, from its directory."""
    file = path / "config.json"
    try:
        return TrainConfig.from_json(json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} does not hold a run's settings: {error}") from None


def _networks(trainer: Trainer) -> dict[str, Any]:
    past = trainer.players.past
    return trainer.networks.named() | ({} if past is None else {"past": past})


def _counters(trainer: Trainer) -> dict[str, Any]:
    found, expected = {name: getattr(trainer, name) for name in COUNTERS}, trainer.expected
    error, spread = (-1.0, 0.0) if expected is None else (expected.error, expected.spread)
    left = -1.0 if trainer.luck is None else trainer.luck.left
    return {**found, "expected_error": error, "expected_spread": spread, "luck_left": left}


def _set_counters(trainer: Trainer, kept: dict[str, Any]) -> None:
    for name in COUNTERS:
        setattr(trainer, name, kept[name])
    if trainer.expected is not None:
        trainer.expected.error, trainer.expected.spread = kept["expected_error"], kept["expected_spread"]
    if trainer.luck is not None:
        trainer.luck.left = kept["luck_left"]


def _load_past(trainer: Trainer, selves: list[dict[str, Any]]) -> None:
    device = trainer.device.torch
    trainer.players.past_selves = [{name: value.to(device) for name, value in one.items()} for one in selves]


def _tables_state(trainer: Trainer) -> dict[str, Any]:
    """The tables, their stored decisions, and the actions that were just chosen."""
    actions = [_tensor(half.wait().copy()) for half in trainer.halves]
    trainer.device.synchronize()
    used = trainer.slots.used()
    at = torch.from_numpy(used).to(trainer.device.torch)
    kept = {name: room[at].cpu() for name, room in trainer.memory.rooms().items()}
    return {
        "halves": [_tensors(half.tables.state()) for half in trainer.halves],
        "slots": _tensors(trainer.slots.state()),
        "used": _tensor(used),
        "kept": kept,
        "actions": actions,
    }


def _load_tables(trainer: Trainer, state: dict[str, Any]) -> None:
    for half, kept in zip(trainer.halves, state["halves"]):
        half.tables.load({name: value.numpy() for name, value in kept.items()})
    trainer.slots.load({name: value.numpy() for name, value in state["slots"].items()})
    at = state["used"].to(trainer.device.torch)
    for name, room in trainer.memory.rooms().items():
        room[at] = state["kept"][name].to(trainer.device.torch)
    trainer.device.synchronize()
    for half, actions in zip(trainer.halves, state["actions"]):
        half.actions[: len(actions)] = actions


def _tensors(arrays: dict[str, Array]) -> dict[str, torch.Tensor]:
    return {name: _tensor(array) for name, array in arrays.items()}


def _tensor(array: Array) -> torch.Tensor:
    """An array as a tensor; unsigned words are stored as signed ones."""
    return torch.from_numpy(np.ascontiguousarray(array.view(np.int64) if array.dtype == np.uint64 else array))
