"""Legal actions against RiichiEnv (PyPI `riichienv`), at every decision of real games.

`scripts/conformance.py --menus 2000` does the same for thousands of games; docs/conformance.md has the result. There
are no known differences.
"""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="needs the peer RiichiEnv: pip install riichienv==0.4.11")
import riichienv_menus as peer

from janshi.records.formats import read_record
from janshi.records.model import GameRecord
from janshi.records.replay import Moment
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.table import Table

PACKS = {"houou-cases": 20, "houou-2018": 5, "tokujou-suphx": 5}


def games(path: Path, count: int) -> list[GameRecord]:
    records: list[GameRecord] = []
    with tarfile.open(path, "r:xz") as pack:
        for entry in pack:
            if len(records) == count:
                break
            content = pack.extractfile(entry) if entry.isfile() else None
            if content is not None:
                records.append(read_record(content.read(), Path(entry.name).name))
    return records


@pytest.mark.parametrize("pack", PACKS)
def test_menus_are_equal_at_every_decision(shared: Path, pack: str) -> None:
    offered: Counter[str] = Counter()
    path = shared / "records" / f"{pack}.tar.xz"
    found = [str(d) for record in games(path, PACKS[pack]) for d in peer.compare_game(record, offered)]
    assert found == []
    assert offered["decision"] > 400 * PACKS[pack]
    assert all(offered[family] for family in ("riichi", "riichi discard", "chi", "pon", "tsumo", "ron"))


def test_a_difference_is_seen() -> None:
    table = Table(seed=1)
    theirs: dict[int, object] = dict.fromkeys(table.legal_actions(0))
    moment = Moment(table, {0: act.TSUMOGIRI})
    assert list(peer.differences(moment, {0: theirs})) == []
    ((player, ours, other),) = peer.differences(moment, {0: theirs | {act.TSUMO: None}})
    assert (player, other - ours) == (0, {act.TSUMO})
    ((player, ours, other),) = peer.differences(moment, {0: theirs, 2: {act.RON: None, act.PASS: None}})
    assert (player, ours) == (2, set())


def test_actions_read_as_ours() -> None:
    """A red five, a chi by place, a tile drawn."""
    action, kind = peer.Action, peer.ActionType
    assert peer.as_ours(action(kind.DISCARD, 16, []), drawn=None) == act.parse_action("discard 0m")
    assert peer.as_ours(action(kind.DISCARD, 16, []), drawn=16) == act.TSUMOGIRI
    assert peer.as_ours(action(kind.CHI, 12, [16, 20]), drawn=None) == act.parse_action("chi low red")
    assert peer.as_ours(action(kind.CHI, 24, [17, 20]), drawn=None) == act.parse_action("chi high")
    assert peer.as_ours(action(kind.PON, 18, [16, 17]), drawn=None) == act.PON_RED
