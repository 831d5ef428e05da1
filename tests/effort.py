"""How much random tests try: a sample in `make test`, much more in `make fuzz`, which sets `JANSHI_LONG=1`."""

from __future__ import annotations

import os

LONG = os.environ.get("JANSHI_LONG") == "1"


def effort(sample: int, long: int) -> int:
    """How many cases to try."""
    return long if LONG else sample
