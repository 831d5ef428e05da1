"""A view holds what a player may know, from their own seat, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.core.tiles import kind_of
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import HALF, parse_action
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE


def counts(tiles: list[int]) -> list[int]:
    return np.bincount([kind_of(tile) for tile in tiles], minlength=34).tolist()


def random_table(seed: int, steps: int, rules: str = "tenhou") -> Table:
    table, rng = Table(seed=seed, rules=rules), np.random.default_rng(seed)
    for _ in range(steps):
        table.step({player: rng.choice(table.legal_actions(player)) for player in table.asked} or None)
    return table


@pytest.fixture(params=range(6))
def table(request: pytest.FixtureRequest) -> Table:
    return random_table(request.param, 25 + 14 * request.param)


def test_own_hand_and_legal_actions(table: Table) -> None:
    for player in range(4):
        view = table.view(player)
        assert view["hand"].tolist() == counts(table.hand(player))
        assert view["seat"] == player
        low, high = view["legal"].tolist()
        legal = [a for a in range(HALF) if low >> a & 1] + [HALF + a for a in range(HALF) if high >> a & 1]
        assert legal == table.legal_actions(player)


def test_seats_are_relative(table: Table) -> None:
    for player in range(4):
        view = table.view(player)
        assert view["scores"].tolist() == [table.scores[(player + i) % 4] for i in range(4)]
        assert (player + int(view["dealer"])) % 4 == table.dealer
        assert (player + int(view["actor"])) % 4 == table.actor
        for i in range(4):
            river = [discard.tile for discard in table.river((player + i) % 4)]
            assert view["river"][i].tolist() == river + [-1] * (32 - len(river))
            melds = table.melds((player + i) % 4)
            assert view["melds"][i] == len(melds)
            assert view["meld_kind"][i].tolist() == [meld.kind for meld in melds] + [-1] * (4 - len(melds))


def test_all_see_the_same_table(table: Table) -> None:
    views = [table.view(player) for player in range(4)]
    for name in ("kyoku", "honba", "sticks", "left", "turns", "tile", "phase"):
        assert len({int(view[name]) for view in views}) == 1
    for view in views:
        assert [tile for tile in view["indicators"].tolist() if tile >= 0] == table.dora_indicators
        assert view["seen"].tolist() == views[0]["seen"].tolist()


def test_drawn_tile_is_the_drawer_s_alone() -> None:
    table = Table(seed=4)
    assert table.view(0)["drawn"] == table.drawn
    assert [int(table.view(player)["drawn"]) for player in (1, 2, 3)] == [-1] * 3


def test_declaring_is_seen_by_the_declarer_alone() -> None:
    table = next(t for t in map(Table, range(50_000)) if parse_action("riichi") in t.legal_actions(0))
    table.step("riichi")
    assert [int(table.view(player)["declaring"]) for player in range(4)] == [1, 0, 0, 0]
    table.step(table.legal_actions(0)[0])
    assert table.in_riichi(0)
    assert [table.view(player)["riichi"].tolist()[-player % 4] for player in range(4)] == [2] * 4


@pytest.mark.parametrize("seed", range(12))
def test_views_hold_no_hidden_tile(seed: int) -> None:
    rules = ("tenhou", "tenhou_no_red", "mahjong_soul")[seed % 3]
    table = random_table(seed, 10 + 11 * seed, rules)
    for player in range(4):
        shuffled = table.copy()
        table.game.shuffle_hidden(shuffled.state, player, seed)
        assert shuffled.hand(player) == table.hand(player)
        assert shuffled.view(player).tobytes() == table.view(player).tobytes()
        assert shuffled.oracle_view(player).tobytes() != table.oracle_view(player).tobytes()


def test_oracle_view_is_the_view_with_all_hands(table: Table) -> None:
    for player in range(4):
        view, oracle = table.view(player), table.oracle_view(player)
        for name in VIEW_DTYPE.names or ():
            assert np.array_equal(view[name], oracle[name]), name
        assert oracle["hands"].tolist() == [counts(table.hand((player + i) % 4)) for i in range(4)]


def test_oracle_view_never_tells_the_wall() -> None:
    """Shuffling the wall alone changes nothing an oracle sees."""
    table = random_table(3, 40)
    copy = table.copy()
    live = slice(14, int(copy.state["next_draw"]) + 1)
    wall = copy.state["wall"][live].copy()
    copy.state["wall"][live] = wall[::-1]
    assert not np.array_equal(wall, wall[::-1])
    for player in range(4):
        assert copy.oracle_view(player).tobytes() == table.oracle_view(player).tobytes()


def test_looking_changes_nothing(table: Table) -> None:
    before = table.state.tobytes()
    for player in range(4):
        table.view(player)
        table.oracle_view(player)
    assert table.state.tobytes() == before


def test_batch_views_are_the_tables_views() -> None:
    batch = Batch(make_game("riichi/tenhou"), tables=5, seed=8)
    for _ in range(60):
        batch.step(batch.random_actions())
    views, oracles = batch.views(), batch.oracle_views()
    assert views.dtype.names == VIEW_DTYPE.names
    assert oracles.dtype.names == ORACLE_DTYPE.names
    for i, (table, player) in enumerate(zip(batch.tables, batch.players)):
        out = np.zeros(1, VIEW_DTYPE).view(np.recarray)
        batch.game.views(batch.states, np.array([table]), np.array([player]), out)
        assert out[0].tobytes() == views[i].tobytes()
        assert views["seat"][i] == player


def test_copies_are_equal_byte_for_byte() -> None:
    """Padding between fields would be copied or not as NumPy likes."""
    for seed in range(40):
        table = random_table(seed, 60)
        assert table.copy() == table, f"seed {seed}"
