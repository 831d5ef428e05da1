"""The 130 fan cases of the shared fixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.fans import FANS
from janshi.rules.guobiao.win import CHI, CONCEALED_KAN, OPEN_KAN, PON, SCORE_DTYPE, WIN_DTYPE

SUITS = {"W": 0, "B": 9, "T": 18, "F": 27}
DRAGONS = {"J1": 33, "J2": 32, "J3": 31}


def kind_of(name: str) -> int:
    """The kind of a tile in Botzone's letters."""
    return DRAGONS[name] if name in DRAGONS else SUITS[name[0]] + int(name[1]) - 1


def meld_of(pack: list[Any]) -> tuple[int, int]:
    """Type and lowest kind of a pack; a chi names its middle tile, a kong from nobody is concealed."""
    name, tile, source = pack
    if name == "CHI":
        return CHI, kind_of(tile) - 1
    return (PON if name == "PENG" else OPEN_KAN if source else CONCEALED_KAN), kind_of(tile)


def win_of(case: dict[str, Any]) -> Any:
    win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
    for tile in (*case["hand"], case["win"]):
        win.hand[kind_of(tile)] += 1
    win.melds = len(case["packs"])
    for i, pack in enumerate(case["packs"]):
        win.meld_type[i], win.meld_kind[i] = meld_of(pack)
    win.win_kind, win.self_drawn = kind_of(case["win"]), case["zimo"]
    win.seat_wind, win.round_wind = case["seat"], case["prevalent"]
    win.last_of_kind, win.last_tile, win.flowers = case["juezhang"], case["last"], case["flowers"]
    win.after_kong, win.robbing = case["gang"] and case["zimo"], case["gang"] and not case["zimo"]
    return win


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    path = shared / "guobiao" / "fan_cases.json"
    if not path.exists():
        pytest.skip("needs the shared fan cases")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_fan_of_every_case(cases: list[dict[str, Any]]) -> None:
    assert len(cases) == 130
    seen: set[str] = set()
    for case in cases:
        out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
        evaluate(win_of(case), out)
        found = {fan.chinese: int(out.counts[fan.number]) for fan in FANS if out.counts[fan.number]}
        assert found in case["expected"], case["input"]
        assert out.total == sum(fan.value * int(out.counts[fan.number]) for fan in FANS)
        assert out.fan == out.total - case["flowers"]
        seen |= found.keys()
    assert seen == {fan.chinese for fan in FANS}
