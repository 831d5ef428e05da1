"""Readings of opponents, against a slow reference on many positions."""

from __future__ import annotations

import mixed_play
import numpy as np
import pytest
import slow_reading as slow

from janshi.core._jit import kernel
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.models.labels import plain_views


@kernel
def read(views, i, player, reading):
    read_table(views[i], reading[0])
    read_opponent(views[i], player, reading[0])


@pytest.fixture(scope="module")
def views():
    return plain_views(mixed_play.positions())


def readings(views, count: int = 400):
    for i in range(count):
        for player in (1, 2, 3):
            reading = new_reading()
            read(views, i, player, reading)
            yield views[i], player, reading[0]


def kinds_in(mask: int) -> set[int]:
    return {kind for kind in range(34) if int(mask) >> kind & 1}


def test_the_positions_are_varied(views):
    assert (views["riichi"] > 0).any(axis=0).all()
    assert set(np.unique(views["melds"])) >= {0, 1, 2, 3}
    assert (views["indicators"][:, 1] >= 0).any()


def test_safe_kinds_and_suji(views):
    for view, player, r in readings(views):
        safe = slow.safe_kinds(view, player)
        assert kinds_in(r["safe"]) == safe
        assert int(r["lines"]) == slow.free_lines(view, player)
        assert kinds_in(r["own"]) == {kind for kind, _, _ in slow.river(view, player)}
        assert all(r["status"][kind] > 0 for kind in safe)


def test_roles_dora_and_copies(views):
    for view, player, r in readings(views, 200):
        assert [int(x) for x in r["role"]] == [slow.role(view, player, kind) for kind in range(34)]
        dora = slow.dora_kinds(view)
        assert [int(x) for x in r["dora"]] == [dora.count(kind) for kind in range(34)]
        left = 4 - view["seen"].astype(int) - view["hand"]
        assert (r["left"] == left).all()
        assert int(r["unseen_dora"]) == sum(int(left[kind]) for kind in dora)


def test_river(views):
    for view, player, r in readings(views):
        river = slow.river(view, player)
        changes = [i for i, (_, flags, _) in enumerate(river) if not flags & slow.TSUMOGIRI]
        assert int(r["last_change"]) == (changes[-1] if changes else -1)
        assert int(r["change_before"]) == (changes[-2] if len(changes) > 1 else -1)
        suits = [sum(kind // 9 == suit for kind, _, _ in river) for suit in range(4)]
        assert [int(x) for x in r["suit_discards"]] == suits
        declared = [i for i, (_, flags, _) in enumerate(river) if flags & slow.RIICHI]
        assert int(r["riichi_at"]) == (declared[-1] if declared else -1)


def test_melds(views):
    for view, player, r in readings(views):
        melds = slow.melds(view, player)
        opened = [kinds for type, kinds in melds if type != slow.CONCEALED_KAN]
        outer = [any(kind >= 27 or kind % 9 in (0, 8) for kind in kinds) for kinds in opened]
        assert int(r["melds"]) == len(opened)
        riichi = bool(view["riichi"][player]) or slow.riichi_order(view, player) is not None
        assert int(r["stance"]) == (0 if riichi else 1 + len(opened))
        assert int(r["meld_dora"]) == slow.meld_dora(view, player)
        han = sum(slow.worth(view, player, kinds[0]) for type, kinds in melds if type != slow.CHI)
        assert int(r["meld_han"]) == han
        if opened:
            assert int(r["simple"]) == (not any(outer))
            assert int(r["outer"]) == all(outer)
            assert int(r["triplets"]) == all(kinds[0] == kinds[1] for kinds in opened)
            suits = {kinds[0] // 9 for _, kinds in melds} - {3}
            if len(suits) == 1:
                assert int(r["flush"]) == suits.pop()
            elif len(suits) > 1:
                assert int(r["flush"]) == -1


def test_let_go_since_the_last_change(views):
    """A kind that others discarded since the last discard from the hand has a status of its own."""
    found = 0
    for view, player, r in readings(views):
        if slow.riichi_order(view, player) is not None:
            continue
        expected = slow.known_kinds(view, player) - slow.safe_kinds(view, player)
        assert {kind for kind in range(34) if r["status"][kind] == 5} == expected
        found += bool(expected)
    assert found > 50
