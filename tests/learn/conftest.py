"""Fixtures of the tests that train."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Let PyTorch use one thread: tests run on all cores already."""
    if importlib.util.find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)
