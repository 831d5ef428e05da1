"""Measure how fast a player decides on a PyTorch device, and how often its choice differs from NumPy's."""

from __future__ import annotations

import time

import numpy as np

from _report import Figure
from janshi.agents.base import Agent, Asked
from janshi.rules.game import Array


def device_figures(name: str, plain: Agent, agent: Agent, views: Array, size: int, times: int) -> list[Figure]:
    """Figures of batches of about `size` decisions, made of the given views; wall time, views to actions."""
    few, many = (_asked(plain, some) for some in (views, np.concatenate([views] * max(1, size // len(views)))))
    agent.act(many)
    speeds = []
    for _ in range(times):
        begun = time.perf_counter()
        agent.act(many)
        speeds.append(len(many) / (time.perf_counter() - begun))
    other = 100 * float((plain.act(few) != agent.act(few)).mean())
    note = f"{len(many):,} at a time, views to actions, wall time"
    return [
        Figure(f"{name}: decisions", "decisions/s", max(speeds), note=note, runs=speeds),
        Figure(f"{name}: chooses otherwise than NumPy", "%", other, note=f"of {len(views)} decisions"),
    ]


def _asked(agent: Agent, views: Array) -> Asked:
    return Asked(agent.game, views, np.zeros(len(views), np.uint64), np.arange(len(views)))
