"""Plans: the tiles a hand is missing to each, compared with a slow search; and the planes made of them."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import product

import numpy as np
import pytest
import torch

from janshi.core._jit import kernel
from janshi.core.tables import tables_array
from janshi.features.guobiao import outlook, plans
from janshi.features.planes import encoder, encoder_of
from janshi.rules.batch import Batch
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.distance import keys_of
from janshi.rules.guobiao.reach import RUN_SETS
from janshi.rules.registry import make_game

SETS = [[7 * (s // 7) + 2 * (s // 7) + s % 7 + i for i in range(3)] for s in range(21)]
SETS += [[kind] * 3 for kind in range(34)]
"""The kinds of each set by its number."""


@kernel
def look_at(outlooks, tries, tables):
    for i in range(len(outlooks)):
        outlook.look_at_hand(outlooks[i], True, tries, tables[0])


@kernel
def lacks_of(outlooks, tables, out):
    for i in range(len(outlooks)):
        o = outlooks[i]
        h = outlook.held_of(keys_of(o.hand))
        for plan in range(plans.NUM_PLANS):
            out[i, plan] = outlook.plan_lack(o, h, plan, outlook.FAR - 1, tables[0])


def random_outlook(random, melds):
    """A hand with `melds` melds, mostly of one suit, so that plans are near; some kinds are gone."""
    o = np.zeros(1, outlook.OUTLOOK_DTYPE)[0]
    left = np.full(34, 4)
    weights = np.ones(34)
    weights[9 * int(random.integers(3)) :][:9] *= random.choice([1, 4])
    o["melds"] = melds
    for i in range(melds):
        while True:
            number = int(random.integers(55))
            if all(left[kind] >= SETS[number].count(kind) for kind in SETS[number]):
                break
        for kind in SETS[number]:
            left[kind] -= 1
        o["meld_sets"][i] = number
        o["meld_bits"] |= plans.SET_BITS[number]
    for _ in range(13 - 3 * melds + int(random.integers(2))):
        kind = int(random.choice(34, p=weights * left / (weights * left).sum()))
        o["hand"][kind] += 1
        left[kind] -= 1
    seen = random.integers(0, left + 1) * (random.random(34) < 0.3)
    o["live"] = left - seen
    o["unseen"] = o["live"].sum()
    o["gone"] = sum(int(plans.KIND_BITS[kind]) for kind in range(34) if o["live"][kind] == 0)
    return o


def slow_lack(o, plan):
    """Fewest tiles lacking to a plan of sets, by trying every set and pair beside the fixed ones."""
    melds = [int(number) for number in o["meld_sets"][: o["melds"]]]
    if plan.concealed and melds:
        return outlook.FAR
    if any(kind not in plan.kinds for number in melds for kind in SETS[number]):
        return outlook.FAR
    fixed = list(plan.sets)
    for number in melds:
        if number in fixed:
            fixed.remove(number)
    free = 4 - len(melds) - len(fixed)
    if free < 0:
        return outlook.FAR
    hand = o["hand"].astype(int)
    need = np.zeros(34, int)
    for number in fixed:
        for kind in SETS[number]:
            need[kind] += 1
    if any(need[kind] > hand[kind] and o["live"][kind] == 0 for kind in range(34)):
        return outlook.FAR
    lack = int(np.maximum(need - hand, 0).sum())
    rest = np.maximum(hand - need, 0)
    allowed = [number for number, kinds in enumerate(SETS) if all(kind in plan.kinds for kind in kinds)]
    best = 99
    for chosen in product(allowed, repeat=free):
        if list(chosen) != sorted(chosen):
            continue
        wanted = np.zeros(34, int)
        for number in chosen:
            for kind in SETS[number]:
                wanted[kind] += 1
        lacking = np.maximum(wanted - rest, 0).sum()
        if lacking >= best or wanted.max(initial=0) > 4:
            continue
        for pair in plan.kinds:
            if wanted[pair] <= 2:
                best = min(best, int(lacking + max(0, 2 - max(rest[pair] - wanted[pair], 0))))
    return min(lack + best, outlook.FAR)


def test_lacks_equal_a_slow_search():
    random = np.random.default_rng(3)
    outlooks = np.array([random_outlook(random, i % 4) for i in range(120)])
    found = np.zeros((len(outlooks), plans.NUM_PLANS), np.int64)
    lacks_of(outlooks, tables_array(), found)
    compared = 0
    for o, lacks in zip(outlooks, found):
        for number, plan in enumerate(plans.PLANS):
            free = 4 - int(o["melds"]) - len(plan.sets)
            if plan.form == plans.SETS and free <= 1:
                assert lacks[number] == slow_lack(o, plan), (plan, o["hand"], o["meld_sets"][: o["melds"]])
                compared += lacks[number] < outlook.FAR
    assert compared > 3000


def slow_pungs(o):
    """Fewest tiles lacking to pungs and a pair, by trying all."""
    if any(number < RUN_SETS for number in o["meld_sets"][: o["melds"]]):
        return outlook.FAR
    hand = o["hand"].astype(int)
    costs = sorted((3 - min(hand[kind], 3), kind) for kind in range(34))
    best = 99
    for pair in range(34):
        rest = [cost for cost, kind in costs if kind != pair][: 4 - int(o["melds"])]
        best = min(best, max(0, 2 - hand[pair]) + sum(rest))
    return best


def slow_types(o):
    """Fewest tiles lacking to a set or pair of each of the five categories, by trying all."""
    category = [kind // 9 if kind < 27 else 3 if kind < 31 else 4 for kind in range(34)]
    there = [category[SETS[number][0]] for number in o["meld_sets"][: o["melds"]]]
    if len(set(there)) < len(there):
        return outlook.FAR
    hand = o["hand"].astype(int)
    free = [c for c in range(5) if c not in there]

    def set_cost(c):
        sets = [kinds for kinds in SETS if category[kinds[0]] == c]
        return min(sum(max(0, kinds.count(kind) - hand[kind]) for kind in set(kinds)) for kinds in sets)

    def pair_cost(c):
        return min(max(0, 2 - hand[kind]) for kind in range(34) if category[kind] == c)

    return min(pair_cost(c) + sum(set_cost(other) for other in free if other != c) for c in free)


def test_pungs_and_types_equal_a_slow_search():
    random = np.random.default_rng(4)
    outlooks = np.array([random_outlook(random, i % 4) for i in range(1500)])
    found = np.zeros((len(outlooks), plans.NUM_PLANS), np.int64)
    lacks_of(outlooks, tables_array(), found)
    forms = [plan.form for plan in plans.PLANS]
    pungs, types = forms.index(plans.PUNGS), forms.index(plans.TYPES)
    for o, lacks in zip(outlooks, found):
        assert lacks[pungs] == slow_pungs(o), (o["hand"], o["meld_sets"])
        assert lacks[types] == slow_types(o), (o["hand"], o["meld_sets"])


def test_a_discard_is_never_a_gain_and_kept_tiles_are_needed():
    random = np.random.default_rng(5)
    outlooks = np.array([random_outlook(random, i % 4) for i in range(300)])
    look_at(outlooks, 1.5, tables_array())
    needed = 0
    for o in outlooks:
        total, held = o["worth"][34], o["hand"] > 0
        assert (o["worth"][:34] <= total * (1 + 1e-12)).all()
        assert not o["worth"][:34][~held].any()
        assert total > 0
        for sort in range(plans.NUM_SORTS):
            kept = [kind for kind in range(34) if o["keep"][sort] >> kind & 1]
            for kind in kept:
                assert held[kind]
                less = np.array([o.copy()])
                less["hand"][0, kind] -= 1
                lacks = np.zeros((1, plans.NUM_PLANS), np.int64)
                lacks_of(less, tables_array(), lacks)
                assert lacks[0, o["best"][sort]] > o["lacks"][o["best"][sort]]
                needed += 1
    assert needed > 2000


@cache
def positions():
    game = make_game("guobiao/botzone")
    batch = Batch(game, 24, seed=11)
    kept = []
    for step in range(120):
        if step % 9 == 0:
            kept.append(np.array(batch.states))
        batch.step(batch.random_actions(), check=False)
    states = np.concatenate(kept).view(np.recarray)
    return game, states, np.repeat(np.arange(len(states)), 4), np.tile(np.arange(4), len(states))


def test_records_come_from_the_view_alone():
    game, states, tables, players = positions()
    made = encoder("guobiao+plans")
    private = np.full((len(tables), made.private_bytes), 77, np.uint8)
    hidden = np.full((len(tables), made.hidden_bytes), 77, np.uint8)
    made.pack_states(states, tables, players, private, hidden)
    views = np.zeros(len(tables), game.view_dtype)
    game.views(states, tables, players, views)
    assert np.array_equal(made.pack_views(views), private)
    for i in range(0, len(states), 7):
        state, player = states[i : i + 1].copy(), i % 4
        if game.is_over(state)[0]:
            continue
        game.shuffle_hidden(state[0], player, i)
        one = np.zeros((1, made.private_bytes), np.uint8)
        made.pack_states(state, np.zeros(1, np.int64), np.array([player]), one)
        assert np.array_equal(one[0], private[4 * i + player])


def test_planes_begin_with_those_without_plans_and_tell_the_outlook():
    _, states, tables, players = positions()
    made, plain = encoder("guobiao+plans"), encoder("guobiao")
    private = np.zeros((len(tables), made.private_bytes), np.uint8)
    hidden = np.zeros((len(tables), made.hidden_bytes), np.uint8)
    made.pack_states(states, tables, players, private, hidden)
    base = np.zeros((len(tables), plain.private_bytes), np.uint8)
    plain.pack_states(states, tables, players, base)
    planes = made.expand_numpy(private)
    assert np.array_equal(planes[:, : plain.private_channels], plain.expand_numpy(base))
    assert np.allclose(planes, made.expand(torch.from_numpy(private)).numpy())
    assert np.allclose(made.expand_hidden_numpy(hidden), made.expand_hidden(torch.from_numpy(hidden)).numpy())
    assert np.array_equal(made.masks_numpy(private), plain.masks_numpy(base))
    told = made.decode(planes)
    assert len(set(made.channel_names())) == made.private_channels
    hands = np.minimum(told["own hand"][:, 0, :34], 1)
    assert (told["worth"].reshape(len(tables), -1)[:, :34] <= 255 * hands).all()
    kept = np.concatenate([told["kept for"], told["kept for, further"]], 1).reshape(len(tables), 16, -1)[..., :34]
    assert (kept <= hands[:, None]).all()
    answers = made.masks_numpy(private)[:, act.PASS]
    assert answers.any()
    assert (told["call"][answers].max(1) == 255).all()
    assert not told["call"][~answers].any()


def test_versions_are_distinguished():
    assert encoder_of("guobiao", "guobiao-plans-1") is encoder("guobiao+plans")
    assert encoder_of("guobiao", encoder("guobiao").version) is encoder("guobiao")
    assert encoder_of("guobiao", "guobiao-planes-0") is None
    with pytest.raises(ValueError, match="no planes for 'simplified"):
        encoder("simplified+plans")


PLAIN = """
import sys
import numpy as np
from janshi.features.planes import encoder
from janshi.rules.registry import make_game

made, game = encoder("guobiao+plans"), make_game("guobiao/botzone")
states = np.fromfile(f"{sys.argv[1]}/states", game.state_dtype).view(np.recarray)
private = np.zeros((len(states), made.private_bytes), np.uint8)
made.pack_states(states, np.arange(len(states)), np.arange(len(states)) % 4, private)
np.save(f"{sys.argv[1]}/packed.npy", private)
"""


def test_plain_python_packs_the_same(tmp_path):
    _, states, _, _ = positions()
    some = states[::14].copy()
    some.tofile(tmp_path / "states")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", PLAIN, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = encoder("guobiao+plans")
    ours = np.zeros((len(some), made.private_bytes), np.uint8)
    made.pack_states(some, np.arange(len(some)), np.arange(len(some)) % 4, ours)
    assert np.array_equal(np.load(tmp_path / "packed.npy"), ours)
