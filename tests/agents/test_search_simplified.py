"""The search model in the simplified game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import pytest

from effort import effort
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.agents.search.simplified import SELF_DRAWN, action_values, make_hands
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.simplified import actions as act
from janshi.rules.simplified.ruleset import get_ruleset
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD
from janshi.rules.simplified.table import Table
from janshi.rules.simplified.tiles import NUM_KINDS, parse_kinds

SETS = [[3 * (k == at) for k in range(NUM_KINDS)] for at in range(NUM_KINDS)]
SETS += [[int(0 <= k - low < 3) for k in range(NUM_KINDS)] for low in (0, 1, 2, 3, 6, 7, 8, 9)]
DRAWS = 0.25


def rigged(hand: str, draw: str, rules: str = "paper") -> Table:
    """A table where seat 0 holds these tiles, has drawn this one, and the rest lie in order."""
    dealt, drawn = parse_kinds(hand), parse_kinds(draw)
    rest = [k for k in range(NUM_KINDS) for _ in range(3 - (dealt + drawn).count(k))]
    others, wall = rest[-2 * len(dealt) :], rest[: -2 * len(dealt)]
    return Table(rules=rules, wall=[*wall, *reversed(drawn), *reversed(dealt + others)])


def answer(table: Table, player: int = 0) -> str:
    agent = make_agent("search", make_game("simplified/paper"))
    return act.action_name(agent.answer(table.view(player)))


# --- the value, slowly


def slow_chance(lacking: Sequence[int], live: Sequence[int], tries: float) -> float:
    chance = 1.0
    for kind in range(NUM_KINDS):
        for copy in range(lacking[kind]):
            chance *= 1 - (1 - max(live[kind] - copy, 0) / sum(live)) ** tries
    return chance


def slow_points(sets: list[list[int]], counts: Sequence[int], kongs: int) -> float:
    held = [k for k in range(NUM_KINDS) if counts[k] or any(one[k] for one in sets)]
    runs = [next(k for k in range(NUM_KINDS) if one[k]) for one in sets if max(one) == 1]
    fan = kongs
    fan += 2 * any(one[12] == 3 or one[13] == 3 for one in sets)
    fan += 4 * ({0, 3} <= set(runs) or {6, 9} <= set(runs))
    fan += 6 * (max(held) < 6 or (min(held) >= 6 and max(held) < 12))
    fan += 8 * (not runs)
    return 4 + (1 + SELF_DRAWN) * fan


def slow_value(hand: list[int], melds: list[list[int]], kongs: int, live: list[int], tries: float, total: int) -> float:
    """The sum over all complete hands, distinguished by their tiles, each in its best reading."""
    best: dict[tuple[int, ...], float] = {}
    for chosen in combinations_with_replacement(SETS, total - len(melds)):
        for pair in range(NUM_KINDS):
            counts = tuple(sum(one[k] for one in chosen) + 2 * (k == pair) for k in range(NUM_KINDS))
            if max(counts) <= 3:
                points = slow_points([*chosen, *melds], counts, kongs)
                best[counts] = max(points, best.get(counts, 0))
    return sum(
        points * slow_chance([max(c - h, 0) for c, h in zip(counts, hand)], live, tries)
        for counts, points in best.items()
    )


def slow_values(view: np.record, total: int) -> dict[int, float]:
    """Values of all legal actions that are no hu, from the rules in words."""
    hand = [int(n) for n in view["hand"]]
    live = [3 - hand[k] - int(view["seen"][k]) for k in range(NUM_KINDS)]
    melds, kongs = [], 0
    for i in range(int(view["melds"][0])):
        low, run = int(view["meld_kind"][0, i]), view["meld_type"][0, i] == CHI_MELD
        melds.append([int(0 <= k - low < 3) if run else 3 * (k == low) for k in range(NUM_KINDS)])
        kongs += int(view["meld_type"][0, i] == KONG_MELD)
    tries = DRAWS * (1 + int(view["left"]) / 3)

    def best_discard(tiles: list[int], laid: list[list[int]], kongs: int) -> float:
        return max(
            slow_value([n - (k == out) for k, n in enumerate(tiles)], laid, kongs, live, tries, total)
            for out in range(NUM_KINDS)
            if tiles[out]
        )

    found = {}
    for action in range(act.NUM_ACTIONS):
        if not int(view["legal"]) >> action & 1 or action == act.HU:
            continue
        if action < act.KONG:
            left = [n - (k == action) for k, n in enumerate(hand)]
            found[action] = slow_value(left, melds, kongs, live, tries, total)
        elif action == act.PASS:
            found[action] = slow_value(hand, melds, kongs, live, tries + DRAWS, total)
        else:
            tile = int(view["tile"])
            low = {act.PONG: tile}.get(action, tile - (action - act.CHI))
            run = act.CHI <= action < act.PONG
            low = action - act.KONG if action < act.CHI else low
            laid = [int(0 <= k - low < 3) if run else 3 * (k == low) for k in range(NUM_KINDS)]
            called = action >= act.CHI
            left = [n - laid[k] + (called and k == tile) for k, n in enumerate(hand)]
            found[action] = best_discard(left, [*melds, laid], kongs + (not called))
    return found


@pytest.mark.parametrize("seed", range(effort(2, 10)))
def test_values_agree_with_a_slow_sum_over_all_hands(seed: int) -> None:
    batch = Batch(make_game("simplified/paper"), 1, seed=seed)
    hands, out, kinds = make_hands(get_ruleset("paper"), DRAWS), np.zeros(act.NUM_ACTIONS), set()
    for step in range(12):
        views = batch.views()
        for view in views if step % 2 else views[:0]:
            action_values(view, hands, out)
            for action, value in slow_values(view, 2).items():
                assert out[action] == pytest.approx(value), act.action_name(action)
                kinds.add(act.action_name(action).split()[0])
        batch.step(batch.random_actions())
    assert "discard" in kinds


def test_in_the_literal_form_chances_are_shares_and_points_count_once() -> None:
    """One try at each tile is its share of what is left; the plain form's values are checked above."""
    rules, batch = get_ruleset("paper"), Batch(make_game("simplified/paper"), 4, seed=2)
    fan = {name: float(getattr(rules, name)) for name in ("honour_pung", "straight", "flush", "all_pungs", "kong")}
    literal, out, wanted = make_hands(rules, DRAWS, literal=True), *(np.zeros(act.NUM_ACTIONS) for _ in range(2))
    compared = 0
    for _ in range(20):
        for view in batch.views():
            if int(view["legal"]) >> act.PASS & 1:
                continue  # there passing has a draw more in the plain form
            once = make_hands(rules, 1 / (1 + int(view["left"]) / 3))._replace(basic=float(rules.basic), **fan)
            action_values(view, literal, out)
            action_values(view, once, wanted)
            np.testing.assert_allclose(out, wanted)
            compared += 1
        batch.step(batch.random_actions())
    assert compared > 20


def test_values_of_a_kong_and_calls() -> None:
    hands, out = make_hands(get_ruleset("paper"), DRAWS), np.zeros(act.NUM_ACTIONS)
    kong = rigged("1113p24s7z", "7z").view(0)
    action_values(kong, hands, out)
    for action, value in slow_values(kong, 2).items():
        assert out[action] == pytest.approx(value), act.action_name(action)
    table = Table(seed=0)
    calls = 0
    for seed in range(30):
        table = Table(seed=seed)
        while not table.over and calls < 3:
            for player in table.asked:
                view = table.view(player)
                if int(view["legal"]) >> act.CHI & 0b1111:
                    action_values(view, hands, out)
                    for action, value in slow_values(view, 2).items():
                        assert out[action] == pytest.approx(value), act.action_name(action)
                    calls += 1
            table.step({player: table.legal_actions(player)[-1] for player in table.asked})
    assert calls == 3


# --- tactics


def test_it_wins() -> None:
    assert answer(rigged("123p456p1s", "1s")) == "hu"


def test_it_keeps_the_wait_with_more_tiles() -> None:
    """Without 6s, 23s waits for 1s and 4s; without 3s, 26s would wait for nothing."""
    assert answer(rigged("123p11z23s", "6s")) == "discard 6s"


def test_it_waits_for_the_straight() -> None:
    """Without 4s it waits for 3p and 6p, the latter a straight; without 1s or the pair it is farther away."""
    assert answer(rigged("123p45p11s", "4s")) == "discard 4s"


def test_it_takes_the_flush_that_is_as_near() -> None:
    """A pair of 1p or of East beside the same waits: with 1p it is a flush."""
    assert answer(rigged("11p234p56p", "1z")) == "discard 1z"


# --- play


@pytest.mark.parametrize("rules", ["paper", "three_sets"])
def test_whole_games_are_legal_and_won(rules: str) -> None:
    game = make_game(f"simplified/{rules}")
    agent = make_agent("search", game)
    batch = Batch(game, 60, seed=3, restart=False)
    while not batch.over.all():
        views = batch.views()
        count = len(views)
        asked = Asked(game, views, np.zeros(count, np.uint64), np.zeros(count, np.int64))
        batch.step(agent.act(asked))
    assert (batch.states.winner >= 0).mean() > 0.8
