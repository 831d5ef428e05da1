"""Japanese riichi mahjong as a family of rules."""

from __future__ import annotations

from typing import Final

from janshi.rules.family import Family

FAMILY: Final = Family(
    name="riichi",
    presets="janshi.rules.riichi.ruleset:PRESETS",
    game="janshi.rules.riichi.game:RiichiGame",
    table="janshi.rules.riichi.table:Table",
)
