"""The simplified three-player game of Li et al. as a family of rules."""

from __future__ import annotations

from typing import Final

from janshi.rules.family import Family

FAMILY: Final = Family(
    name="simplified",
    presets="janshi.rules.simplified.ruleset:PRESETS",
    game="janshi.rules.simplified.game:SimplifiedGame",
    table="janshi.rules.simplified.table:Table",
)
