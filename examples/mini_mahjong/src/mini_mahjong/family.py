"""Mini mahjong as a family of rules: what the entry point names."""

from __future__ import annotations

from janshi.rules.family import Family

FAMILY = Family(
    name="mini",
    presets="mini_mahjong.ruleset:PRESETS",
    game="mini_mahjong.game:MiniGame",
    table="mini_mahjong.table:Table",
    layers={"arena": "mini_mahjong.arena:FAMILY"},
)
