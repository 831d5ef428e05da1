"""Tables played by simple rules, and senseless values of draws, for the tests of self-play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from janshi.agents.worths import OUTPUTS
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi import layout, open_layout
from janshi.features.riichi.unseen_tiles import NUM_TILES
from janshi.learn.riichi.match import no_decisions
from janshi.learn.riichi.self_play import Hands
from janshi.learn.riichi.tables import Course, Step, Tables
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act

CPU = torch.device("cpu")
Choose = Callable[[Step], Array]


def masks_of(packed: Array) -> Array:
    """Legal actions, bool[m, 120]."""
    return np.asarray(((packed["legal"][:, :, None] >> np.arange(60)) & 1).reshape(len(packed), -1), bool)


def eager(seed: int) -> Choose:
    """Wins, declares riichi, never calls, and keeps shanten with a random discard."""
    random = np.random.default_rng(seed)
    width = layout.TILE_SECTION.width

    def choose(step: Step) -> Array:
        packed = step.packed
        liking = np.where(masks_of(packed), random.random((len(packed), act.NUM_ACTIONS)), -1.0)
        liking[:, act.PASS] += 2.0 * (liking[:, act.PASS] >= 0)
        rows, places = np.nonzero(
            (packed["inputs"] < layout.TILE_SECTION.end) & (packed["inputs"] % width == layout.SHANTEN_KEPT)
        )
        kinds = packed["inputs"][rows, places] // width
        liking[rows, kinds] += 3.0 * (liking[rows, kinds] >= 0)
        for action in (act.RIICHI, act.TSUMO, act.RON):
            liking[:, action] += 5.0 * (liking[:, action] >= 0)
        assert (kinds < NUM_KINDS).all()
        return np.asarray(liking.argmax(1))

    return choose


def played(tables: Tables, hands: int, choose: Choose) -> Hands:
    """Finished hands, at least this many; without decisions."""
    course, step = Course(), tables.start()
    course.add(step)
    ended = 0
    while ended < hands:
        step = tables.step(choose(step))
        course.add(step)
        ended += len(step.ends)
    draws, ends, ura = course.finished()
    return Hands(no_decisions(CPU), draws, ends, ura, tables.rules)


def senseless(seed: int, scale: float = 1.5) -> Callable[[Any], Any]:
    """Values of draws that mean nothing: a random function of the inputs and the tile."""
    random = torch.Generator().manual_seed(seed)
    first = torch.randn(open_layout.INPUTS + 1, 12, generator=random) / 8
    second = torch.randn(12, NUM_TILES * OUTPUTS, generator=random) * scale

    def values(inputs: Any) -> Any:
        return (torch.relu(first[inputs].sum(1)) @ second / 4).view(-1, NUM_TILES, OUTPUTS)

    return values
