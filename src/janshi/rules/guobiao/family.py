"""Chinese standard mahjong (Guobiao) as a family of rules."""

from __future__ import annotations

from typing import Final

from janshi.rules.family import Family

FAMILY: Final = Family(
    name="guobiao",
    presets="janshi.rules.guobiao.ruleset:PRESETS",
    game="janshi.rules.guobiao.game:GuobiaoGame",
    table="janshi.rules.guobiao.table:Table",
)
