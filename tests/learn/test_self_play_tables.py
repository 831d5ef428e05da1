"""Tables of self-play: chains of decisions, slots, and groups that play the same walls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.features.packed import PackedEncoder
from janshi.features.planes import encoder
from janshi.learn.self_play import SelfPlay
from janshi.learn.slots import Slots, turned
from janshi.rules.game import Array
from janshi.rules.registry import make_game


class Play:
    """Random play at some tables, with everything that happened noted the plain way."""

    def __init__(self, rules: str, tables: int = 32, duplicates: int = 1, threads: int = 1, past: float = 0.0) -> None:
        self.game, self.encoder = make_game(rules), encoder(rules)
        self.slots = Slots(tables * 400, self.game.players)
        self.tables = SelfPlay(
            self.game,
            self.encoder,
            self.slots,
            tables,
            seed=3,
            duplicates=duplicates,
            past_share=past,
            threads=threads,
        )
        self.rng = np.random.default_rng(1)
        self.open: dict[int, list[tuple[int, int, bool, bool]]] = {table: [] for table in range(tables)}
        self.ended: list[tuple[int, list[tuple[int, int, bool, bool]], list[int]]] = []

    def step(self) -> None:
        t, open_ = self.tables, self.tables.stepper
        m, tables, players = t.count, open_.tables.copy(), open_.players.copy()
        masks = np.zeros((m, self.game.num_actions), np.bool_)
        self.game.legal_masks(open_.states, tables, players, masks)
        private = np.zeros((m, self.encoder.private_bytes), np.uint8)
        t.pack(private, None)
        assert (self.encoder.masks_numpy(private) == masks).all()
        actions = np.array([self.rng.choice(np.flatnonzero(mask)) for mask in masks], np.int64)
        for i in range(m):
            free = bool(masks[i].sum() > 1 and not t.tables["past"][tables[i], players[i]])
            slot = int(t.decisions["slot"][i])
            self.open[int(tables[i])].append((slot, int(players[i]), free, not masks[i, -1]))
        before = {table: chain for table, chain in self.open.items() if chain}
        t.step(actions)
        going = set(open_.tables.tolist()) if t.duplicates > 1 else set()
        for table, chain in before.items():
            first = t.slots.book.slots["previous"][t.decisions["slot"][: t.count][open_.tables == table]]
            over = (table not in going) if t.duplicates > 1 else bool(len(first)) and bool((first < 0).any())
            if over and t.duplicates == 1:
                self.ended.append((table, chain, t.tables["final"][table].tolist()))
                self.open[table] = []


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
def test_ready_hands_are_what_was_played(rules: str) -> None:
    play = Play(rules, tables=16)
    for _ in range(150):
        play.step()
    assert len(play.ended) >= 10
    ready = play.slots.take(10**6)
    assert len(ready.scores) == len(play.ended)
    for hand, (_, chain, scores) in enumerate(play.ended):
        a, b = ready.first[hand], ready.first[hand + 1]
        learned = [(slot, player) for slot, player, free, _ in chain if free]
        assert list(zip(ready.slot[a:b].tolist(), ready.player[a:b].tolist())) == learned[::-1]
        assert ready.scores[hand].tolist() == scores
        assert sum(scores) == 0


def test_slots_come_back() -> None:
    play = Play("simplified", tables=16)
    for _ in range(60):
        play.step()
        ready = play.slots.take(200)
        play.slots.release(ready.slot)
    in_use = sum(len(chain) for chain in play.open.values()) + play.tables.count
    rest = play.slots.take(10**6)
    play.slots.release(rest.slot)
    assert play.slots.free == play.slots.capacity - in_use
    assert len(play.slots.used()) == in_use


def test_the_last_round_is_the_last_turn_but_one() -> None:
    play = Play("simplified", tables=16)
    for _ in range(100):
        play.step()
    ready = play.slots.take(10**6)
    assert (ready.last_round >= 0).sum() > 10
    for hand, (_, chain, _) in enumerate(play.ended):
        a, b = ready.first[hand], ready.first[hand + 1]
        turns = [(slot, free) for slot, _, free, turn in chain if turn]
        if len(turns) < 2 or not turns[-2][1]:
            assert ready.last_round[hand] < 0
            assert not ready.before[a:b].any()
            continue
        assert ready.last_round[hand] == turns[-2][0]
        place = ready.slot[a:b].tolist().index(turns[-2][0]) + a
        assert not ready.before[a : place + 1].any()
        assert ready.before[place + 1 : b].all()


def test_groups_play_the_same_walls_and_know_each_others_results() -> None:
    play = Play("simplified", tables=16, duplicates=4)
    walls = play.tables.stepper.states["wall"].reshape(4, 4, -1)
    assert (walls == walls[:, :1]).all()
    assert not (walls[0, 0] == walls[1, 0]).all()
    for _ in range(120):
        play.step()
    ready = play.slots.take(10**6)
    assert len(ready.scores) >= 16
    assert len(ready.scores) % 4 == 0
    groups = ready.scores.reshape(-1, 4, 3)
    others = (groups.sum(1, keepdims=True) - groups) / 3
    np.testing.assert_allclose(ready.elsewhere.reshape(-1, 4, 3), others, atol=1e-5)


def test_threads_change_nothing() -> None:
    one, three = Play("guobiao", tables=12), Play("guobiao", tables=12, threads=3)
    for _ in range(80):
        one.step()
        three.step()
    assert (one.tables.stepper.states == three.tables.stepper.states).all()
    count = one.tables.count
    assert (one.tables.decisions[:count] == three.tables.decisions[: three.tables.count]).all()


def test_decisions_of_past_selves_are_not_learned_from() -> None:
    play = Play("simplified", tables=64, past=0.5)
    share = play.tables.tables["past"].any(1).mean()
    assert 0.2 < share < 0.8
    assert (play.tables.tables["past"].sum(1) % 2 == 0).all()  # none, or all but one of three
    for _ in range(60):
        play.step()
    ready = play.slots.take(10**6)
    assert not (play.slots.book.slots["notes"][ready.slot] & 5).any()


@pytest.mark.parametrize("name", ["guobiao", "guobiao+plans", "simplified"])
def test_encoders_keep_the_contract(name: str) -> None:
    assert isinstance(encoder(name), PackedEncoder)


class Tiny:
    """The least that an encoder may be: it packs the legal actions of a view, and nothing else."""

    name, version, num_actions, private_bytes, hidden_bytes = "riichi", "tiny-1", 120, 16, 0

    def pack_states(
        self, states: Array, tables: Array, players: Array, private_out: Array | None, hidden_out: Array | None = None
    ) -> None:
        if private_out is not None:
            private_out[:] = states["legal"][tables, players].copy().view(np.uint8).reshape(len(tables), -1)

    def pack_views(self, views: Array) -> Array:
        return np.ascontiguousarray(views["legal"]).view(np.uint8).reshape(len(views), -1)

    def masks(self, private: Any) -> Any:
        raise NotImplementedError


def test_another_family_is_played_through_its_encoder() -> None:
    """Riichi, of which learning by self-play knows nothing yet: its hands come out whole and in order."""
    game, planes = make_game("riichi/tenhou"), Tiny()
    assert isinstance(planes, PackedEncoder)
    slots = Slots(4000, game.players)
    play, rng = SelfPlay(game, planes, slots, 8, seed=3), np.random.default_rng(1)
    seen: dict[int, int] = {}
    while slots.hands < 6:
        private = np.zeros((play.count, planes.private_bytes), np.uint8)
        play.pack(private, None)
        assert (private == planes.pack_views(play.stepper.views())).all()
        masks = game.masks_of_views(play.stepper.views())
        seen.update(zip(play.decisions["slot"][: play.count].tolist(), play.stepper.players.tolist()))
        play.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks], np.int64))
    ready = slots.take(4000)
    assert len(ready) > 100
    assert [seen[slot] for slot in ready.slot.tolist()] == ready.player.tolist()
    assert set(ready.player.tolist()) == {0, 1, 2, 3}
    assert (ready.scores.sum(1) <= 100_000).all()  # points, less what lies on the table


def test_turning_seats() -> None:
    values = np.array([[10.0, 20.0, 30.0], [1.0, 2.0, 3.0]], np.float32)
    assert turned(values, np.array([1, 2], np.int8)).tolist() == [[20, 30, 10], [3, 1, 2]]


def test_too_few_slots_are_reported() -> None:
    game = make_game("simplified")
    slots = Slots(40, game.players)
    play = SelfPlay(game, encoder("simplified"), slots, 16, seed=1)
    play.step(game.masks_of_views(play.stepper.views()).argmax(1))
    slots.book.counts["free"] = 3
    with pytest.raises(RuntimeError, match="more slots"):
        play.step(game.masks_of_views(play.stepper.views()).argmax(1))
