"""The measured figures of the players: `data/measured.json`, which `scripts/write_players.py` writes."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from pydantic import BaseModel


class Figure(BaseModel):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


@cache
def measured() -> dict[str, Any]:
    """The measured figures in the package."""
    text = (resources.files("janshi.web") / "data" / "measured.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
