"""The set of hands Q_S(n, m) against a breadth-first search over tuples, and against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from slow_mdp import TABLES, HandSet, Root, counts_of, defined_set, distance, kind, plus, read_set, slow_set

from janshi.agents.mdp.hands import NOBODY, count_in, find, pack_high, pack_low, unpack
from janshi.agents.mdp.melds import with_meld
from janshi.agents.mdp.space import Space, begin, build_reaction, build_turn, forget, new_space
from janshi.core.tiles import NUM_KINDS

SPACE = new_space(6000)


def build(root: Root, n: int, m: int, space: Space = SPACE) -> bool:
    """Build the set around a root, whose size says whether it is in turn."""
    root.write(space)
    counts = np.array(root.hand, np.int8)
    low, high = pack_low(counts), pack_high(counts)
    if sum(root.hand) % 3 == 2:
        return bool(build_turn(low, high, n, m, space, TABLES[0]))
    return bool(build_reaction(low, high, max(0, distance(root.hand, root.melded)), n, m, space, TABLES[0]))


def compare(root: Root, n: int, m: int, space: Space = SPACE) -> HandSet:
    """The set by the kernels, which must be the slow one."""
    assert build(root, n, m, space)
    found, wanted = read_set(space)[0], slow_set(root, (root.hand, ()), n, m)
    assert found.standing.keys() == wanted.standing.keys()
    for q, node in wanted.standing.items():
        assert found.standing[q] == node, q
    reached = {f for node in wanted.standing.values() for f, _ in (*node.draws.values(), *node.calls.values())}
    for f in reached | ({(root.hand, ())} if sum(root.hand) % 3 == 2 else set()):
        assert found.full[f] == wanted.full[f], f
    return found


def unseen(hand: tuple[int, ...], kinds: str = "", left: int = 4) -> tuple[int, ...]:
    """Unseen tiles: of these kinds only, or of all, as many as may be."""
    counts = counts_of(kinds) if kinds else (1,) * NUM_KINDS
    return tuple(min(left, 4 - n) if some else 0 for n, some in zip(hand, counts))


def clean(space: Space) -> bool:
    tables = (space.standing_table, space.full_table, space.meld_table)
    return all(bool((table == NOBODY).all()) for table in tables)


# --- hands as words


def test_hands_are_packed_and_unpacked():
    chance, out = np.random.default_rng(1), np.zeros(NUM_KINDS, np.int8)
    for _ in range(20):
        counts = np.bincount(chance.choice(136, 14, replace=False) // 4, minlength=NUM_KINDS).astype(np.int8)
        low, high = pack_low(counts), pack_high(counts)
        unpack(low, high, out)
        assert out.tolist() == counts.tolist() == [count_in(low, high, k) for k in range(NUM_KINDS)]
        assert max(low, high) < 1 << 54


# --- the set


@pytest.mark.parametrize(
    ("hand", "n", "m"),
    [
        ("123m456p789s11223z", 0, 0),  # tenpai
        ("123m456p789s11223z", 1, 2),
        ("23m456p2378s11567z", 2, 0),
        ("2344m3467p24688s9m", 2, 0),
        ("1122m3344p5566s17z", 1, 1),  # seven pairs
        ("19m19p19s1234567z1m", 1, 0),  # thirteen orphans
        ("1111m2222p3333s44z", 1, 1),  # all four of kinds
    ],
)
def test_sets_around_a_hand_in_turn(hand: str, n: int, m: int):
    counts = counts_of(hand)
    found = compare(Root(counts, unseen(counts)), n, m)
    assert len(found.standing) >= (1 if n == 0 else 4)


def test_sets_around_a_hand_between_turns():
    counts = counts_of("2334m3467p24688s")
    found = compare(Root(counts, unseen(counts, "25m2358p37s1z")), 3, 0)
    assert len(found.standing) > 400
    assert any(node.shanten == 0 and node.waits for node in found.standing.values())


def test_calls_of_hands_with_a_yaku_in_sight():
    counts = counts_of("234m3467p246688s")
    found = compare(Root(counts, unseen(counts, "2345m2345678p234678s")), 2, 3)
    calls = {(k, call) for node in found.standing.values() for k, call in node.calls}
    assert (kind("5p"), ("chi", kind("3p"))) in calls
    assert (kind("5p"), ("chi", kind("5p"))) in calls
    assert (kind("8s"), ("pon", kind("8s"))) in calls
    assert max(len(hand[1]) for hand in found.standing) == 2
    left = [(k, left) for node in found.standing.values() for (k, _), (_, left) in node.calls.items()]
    assert all(left > 0 for _, left in left)


def test_calls_without_a_yaku_are_left_out():
    counts = counts_of("1299m3467p24688s")
    left = unseen(counts, "39m258p37s")
    closed, opened = (compare(Root(counts, left, open_tanyao=tanyao), 3, 2) for tanyao in (False, True))
    assert all(not node.calls for node in closed.standing.values())
    assert any(node.calls for node in opened.standing.values())
    for hand in opened.standing:
        assert all(call != ("chi", kind("1m")) for call in hand[1])


@pytest.mark.parametrize(
    ("hand", "more"),
    [
        ("12m3467p24s55z", {"melded": 1, "simple": False, "runs": True, "valued": frozenset({kind("5z")})}),
        ("12m3467p24s11z", {"melded": 1, "simple": False, "has_value": True}),
        ("1122m3467p24s", {"melded": 1, "simple": True}),
        ("112455m11z37p", {"melded": 1, "simple": False, "runs": True, "suits": frozenset({0})}),
        ("1122m44p6s", {"melded": 2, "simple": False}),
        ("13m4p6s", {"melded": 3, "has_value": True}),
        ("13m4p66s", {"melded": 3, "has_value": True}),
        ("13m", {"melded": 4, "has_value": True}),
    ],
)
def test_sets_with_melds_at_the_root(hand: str, more: dict[str, Any]):
    counts = counts_of(hand)
    root = Root(counts, unseen(counts, "123456m35678p2345s157z"), **more)
    n = max(1, distance(counts, root.melded)) + (1 if root.melded > 1 else 0)
    found = compare(root, n, 4 - root.melded)
    assert any(node.shanten == 0 for node in found.standing.values())


def test_kinds_of_which_nothing_is_left():
    counts = counts_of("2334m3467p24688s")
    left = list(unseen(counts, "12345m2345678p234678s", left=2))
    for gone in ("5p", "3s"):
        left[kind(gone)] = 0
    found = compare(Root(counts, tuple(left)), 2, 2)
    assert all(kind("5p") not in node.draws for node in found.standing.values())
    assert all(with_gone[0][kind("5p")] == 0 for with_gone in found.standing)


def random_roots(count: int, seed: int) -> list[tuple[Root, int, int]]:
    """Roots from small walls, some unseen tiles of which are gone."""
    chance, out = np.random.default_rng(seed), []
    while len(out) < count:
        kinds = chance.choice(NUM_KINDS, 12, replace=False)
        melded = int(chance.integers(0, 3))
        size = 13 - 3 * melded + int(chance.integers(2))
        tiles = chance.choice(np.repeat(kinds, 4), size, replace=False)
        hand = tuple(int(n) for n in np.bincount(tiles, minlength=NUM_KINDS))
        left = [0] * NUM_KINDS
        for k in kinds:
            left[k] = int(chance.integers(0, 5 - hand[k]))
        if max(hand) > 4 or (n := max(0, distance(hand, melded)) + int(chance.integers(2))) > 2:
            continue
        flags = {name: bool(chance.integers(2)) for name in ("simple", "has_value", "runs", "open_tanyao")}
        flags = flags if melded else {"open_tanyao": flags["open_tanyao"]}
        valued = frozenset({31, 32, 33, 27})
        out.append((Root(hand, tuple(left), melded, valued=valued, **flags), n, int(chance.integers(0, 5 - melded))))
    return out


def test_random_sets():
    sizes = [len(compare(*case).standing) for case in random_roots(40, seed=5)]
    assert max(sizes) > 100


# --- the definition


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("2334m3467p24688s", "2345m258p37s1z"),
        ("2334m3467p24688s1z", "25m58p37s1z"),
        ("1122m3344p5577s7z", "12357m3p9s7z"),
        ("123m456p789s11223z", "1z3z9p4m"),
    ],
)
def test_without_slack_it_is_the_set_of_the_definition(hand: str, kinds: str):
    """Steps (1) to (3) of Sec. VI-D: all hands on ways of at most n exchanges from the root to a tenpai hand."""
    counts = counts_of(hand)
    root = Root(counts, unseen(counts, kinds))
    n = max(0, distance(counts, 0))
    assert build(root, n, 0)
    assert read_set(SPACE)[0].standing.keys() == defined_set(root, n)


def test_with_slack_only_unconnected_draws_are_left_out():
    counts = counts_of("234m34567p2268s9m")
    root = Root(counts, unseen(counts, "125m258p37s1z"))
    assert build(root, 2, 0)
    found, whole = read_set(SPACE)[0].standing.keys(), defined_set(root, 2)
    assert found < whole
    assert all(hand[0][kind("1z")] for hand in whole - found), "what is left out holds a lone honour"


def test_larger_bounds_give_larger_sets():
    counts = counts_of("2334m3467p24688s")
    root, sets = Root(counts, unseen(counts, "25m258p37s", left=2)), {}
    for n, m in ((2, 0), (2, 2), (3, 0), (3, 1)):
        assert build(root, n, m)
        sets[n, m] = set(read_set(SPACE)[0].standing)
    assert sets[2, 0] < sets[2, 2]
    assert sets[2, 0] < sets[3, 0] < sets[3, 1]


# --- room


def test_without_room_nothing_is_built_and_the_next_set_is_right():
    counts = counts_of("2334m3467p24688s")
    root = Root(counts, unseen(counts))
    small = new_space(60)
    for _ in range(2):
        assert not build(root, 3, 4, small)
        tenpai = counts_of("123m456p789s11223z")
        compare(Root(tenpai, unseen(tenpai)), 0, 0, small)
    assert not build(root, 2, 0, new_space(1)), "room for next to nothing"


def test_room_is_used_to_the_last_hand():
    counts = counts_of("123m456p789s11223z")
    root = Root(counts, unseen(counts))
    hands = len(compare(root, 1, 0).standing)
    assert hands == 40
    compare(root, 1, 0, new_space(hands))
    assert not build(root, 1, 0, new_space(hands - 1))


def test_forgetting_leaves_clean_tables():
    space, counts = new_space(3000), counts_of("2334m3467p24688s")
    root = Root(counts, unseen(counts))
    for n, m in ((2, 0), (2, 3), (3, 0), (2, 0)):  # the third finds no room
        build(root, n, m, space)
        assert not clean(space)
        forget(space)
        assert clean(space)
    begin(space, 0, 0)
    assert with_meld(0, 1 + kind("3p"), space) == 1
    assert with_meld(0, 1 + kind("3p"), space) == 1, "the same set of melds again"
    forget(space)
    assert clean(space)


def test_the_same_set_after_others():
    counts = counts_of("2334m3467p24688s")
    root = Root(counts, unseen(counts, "12345m2345678p234678s"))
    assert build(root, 2, 1)
    first = read_set(SPACE)[0]
    compare(*random_roots(1, seed=9)[0])
    assert build(root, 2, 1)
    assert read_set(SPACE)[0] == first


def test_hands_are_found_by_their_words():
    counts = counts_of("2334m3467p24688s")
    root = Root(counts, unseen(counts, "12345m2345678p234678s"))
    assert build(root, 2, 0)
    _, standing, full = read_set(SPACE)
    for number, (hand, _) in enumerate(standing):
        words = (pack_low(np.array(hand, np.int8)), pack_high(np.array(hand, np.int8)))
        assert SPACE.standing_table[find(SPACE.standing, SPACE.standing_table, *words)] == number
    assert len(set(standing)) == len(standing)
    assert len(set(full)) == len(full)
    away = np.array(plus(counts, [kind("7z")] * 4), np.int8)
    assert SPACE.standing_table[find(SPACE.standing, SPACE.standing_table, pack_low(away), pack_high(away))] == NOBODY
