"""The search model in Guobiao."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.agents.search.guobiao import read_view, value_near
from janshi.agents.search.shapes import KNITTED_FAN, LUCK, ORPHANS_FAN, PAIRS_FAN, search_shapes
from janshi.agents.search.targets import BASE, HOPE, SEARCH_DTYPE, SELF_DRAWN, TOTAL, fill_chances
from janshi.core import melds as meld_types
from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS, parse_tiles
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.fans import CLOSED_WAIT, EDGE_WAIT, SINGLE_WAIT
from janshi.rules.guobiao.state import TURN
from janshi.rules.guobiao.view import VIEW_DTYPE
from janshi.rules.guobiao.win import SCORE_DTYPE, WIN_DTYPE
from janshi.rules.registry import make_game

MANY = 1_000_000
TRIES, CALLED = 2.0, 0.7
WAIT_FANS = (EDGE_WAIT, CLOSED_WAIT, SINGLE_WAIT)


def position(hand: str, *melds: str, seen: str = "", tile: str = "", left: int = 12) -> Any:
    """What a player sees who holds these tiles and melds (`345m`, `555z`), with the legal actions of their turn.

    With a `tile`, another player has discarded it, and the legal actions are the player's calls.
    """
    view = np.zeros(1, VIEW_DTYPE)
    v = view.view(np.recarray)[0]
    for kind in parse_tiles(hand):
        v.hand[kind] += 1
    v.left[:], v.drawn, v.tile, v.phase = left, -1, -1, TURN
    v.meld_kind[:] = -1
    v.melds[0] = len(melds)
    for i, meld in enumerate(melds):
        kinds = sorted(parse_tiles(meld))
        kong = meld_types.OPEN_KAN if len(kinds) == 4 else meld_types.PON
        v.meld_type[0, i] = meld_types.CHI if kinds[0] != kinds[1] else kong
        v.meld_kind[0, i] = kinds[0]
        for kind in kinds:
            v.seen[kind] += 1
    for kind in parse_tiles(seen):
        v.seen[kind] += 1
    legal = {act.PLAY + kind for kind in range(NUM_KINDS) if v.hand[kind]}
    if tile:
        v.tile = parse_tiles(tile)[0]
        legal = {act.PASS, *calls(v)}
    for action in legal:
        v.legal[action // act.WORD] |= 1 << action % act.WORD
    return view


def calls(v: Any) -> set[int]:
    tile, found = int(v.tile), set()
    if v.hand[tile] >= 2:
        found.add(act.PENG + tile)
    for place in range(3):
        first = tile - place
        rest = [first + i for i in range(3) if i != place]
        if tile < 27 and 0 <= first % 9 < 7 and first // 9 == tile // 9 and all(v.hand[k] for k in rest):
            found.add(act.chi_action(first, place))
    return found


def answer(view: Array) -> str:
    return act.action_name(make_agent("search", make_game("guobiao/botzone")).answer(view[0]))


# --- the value, slowly


@kernel
def fast_values(views: Array, searches: Array, limit: int) -> None:
    read_view(views[0], searches[0])
    fill_chances(searches[0], TRIES, CALLED)
    value_near(searches[0], limit, MANY)


SETS = [[k // 7 * 9 + k % 7 + i for i in range(3)] for k in range(21)] + [[k] * 3 for k in range(NUM_KINDS)]


PAIRS_PAY, ORPHANS_PAY, KNITTED_PAY = (
    BASE + (1 + 2 * SELF_DRAWN) * fan for fan in (PAIRS_FAN, ORPHANS_FAN, KNITTED_FAN)
)
"""What is paid for shapes: fan are paid by one player, or by three."""


class Slow:
    """The value of an open hand's targets by the definition: every choice of sets and a pair, one by one."""

    def __init__(self, view: Any) -> None:
        v = view.view(np.recarray)[0]
        self.hand = [int(n) for n in v.hand]
        self.live = [4 - int(v.hand[k]) - int(v.seen[k]) for k in range(NUM_KINDS)]
        self.seen = [int(n) for n in v.seen]
        self.win = np.zeros(1, WIN_DTYPE)
        self.win["melds"], self.win["meld_type"] = v.melds[0], v.meld_type[0]
        self.win["meld_kind"] = np.maximum(v.meld_kind[0], 0)
        self.free = 4 - int(v.melds[0])

    def chance(self, kind: int, copy: int, way: float) -> float:
        return 1 - (1 - (self.live[kind] - copy + 1) / sum(self.live)) ** (TRIES * (1 + CALLED * way))

    def fan(self, need: list[int], tile: int, self_drawn: bool, lacking: int) -> int:
        score = np.zeros(1, SCORE_DTYPE)
        self.win["hand"], self.win["win_kind"], self.win["self_drawn"] = need, tile, self_drawn
        self.win["last_of_kind"] = lacking == 1 and self.seen[tile] == 3
        evaluate(self.win[0], score[0])
        waits = 0 if lacking == 1 else sum(int(score["counts"][0][n]) for n in WAIT_FANS)
        return int(score["fan"][0]) - waits

    def value(self, sets: tuple[int, ...], pair: int, limit: int) -> tuple[float, list[int]]:
        """The value of one target and its tiles."""
        need, parts = [0] * NUM_KINDS, []
        for kinds, way in [*((SETS[n], 1.0 if n < 21 else 3.0) for n in sets), ([pair] * 2, 0.0)]:
            lacking = []
            for kind in kinds:
                need[kind] += 1
                if need[kind] > self.hand[kind]:
                    lacking.append((kind, need[kind] - self.hand[kind]))
            parts.append((lacking, way))
        total = sum(len(lacking) for lacking, _ in parts)
        if not 0 < total <= limit or any(n > h + live for n, h, live in zip(need, self.hand, self.live)):
            return 0.0, need
        last = max(i for i, (lacking, _) in enumerate(parts) if lacking)
        product = 1.0
        for i, (lacking, way) in enumerate(parts):
            for j, (kind, copy) in enumerate(lacking):
                final = j == len(lacking) - 1
                product *= self.chance(kind, copy, (3.0 if i == last else way) if final else 0.0)
        tile = parts[last][0][-1][0]
        drawn, claimed = (self.fan(need, tile, mode, total) for mode in (True, False))
        return product * (self.pay(drawn, claimed) or HOPE * drawn), need

    def pay(self, drawn: int, claimed: int) -> float:
        by_draw, by_discard = BASE + 3 * drawn, BASE + claimed
        return SELF_DRAWN * by_draw * (drawn >= 8) + (1 - SELF_DRAWN) * by_discard * (claimed >= 8)

    def values(self, limit: int) -> list[float]:
        """The value of each discard, and of the hand as it is."""
        out = [0.0] * (NUM_KINDS + 1)
        for sets in combinations_with_replacement(range(len(SETS)), self.free):
            lacking = sum(max(n, 0) for n in self.short(sets))
            for pair in range(NUM_KINDS) if lacking <= limit else ():
                value, need = self.value(sets, pair, limit)
                out[TOTAL] += value
                for kind in range(NUM_KINDS):
                    out[kind] += value * (self.hand[kind] > need[kind])
        return out

    def short(self, sets: tuple[int, ...]) -> list[int]:
        need = [-n for n in self.hand]
        for number in sets:
            for kind in SETS[number]:
                need[kind] += 1
        return need


class Literal(Slow):
    """As the paper words it: a tile's chance is its share of what is left, a hand's worth its fan."""

    def chance(self, kind: int, copy: int, way: float) -> float:
        return (self.live[kind] - copy + 1) / sum(self.live)

    def pay(self, drawn: int, claimed: int) -> float:
        return SELF_DRAWN * drawn * (drawn >= 8) + (1 - SELF_DRAWN) * claimed * (claimed >= 8)


@pytest.mark.parametrize("slow_search", [Slow, Literal])
@pytest.mark.parametrize(
    ("hand", "melds", "limit"),
    [
        ("45p35677s1z", ("345m", "234p"), 2),
        ("22345577s", ("111s", "999s"), 2),
        ("5567z", ("123m", "456m", "11z1z"), 3),
        ("46m556p779s", ("345m", "5555z"), 3),
    ],
)
def test_values_agree_with_a_slow_search(
    hand: str, melds: tuple[str, ...], limit: int, slow_search: type[Slow]
) -> None:
    """Two or three open melds, so that neither concealed targets nor other shapes come in."""
    view, search = position(hand, *melds, seen="7s99m4p"), np.zeros(1, SEARCH_DTYPE)
    search["literal"] = slow_search is Literal
    fast_values(view, search, limit)
    slow = slow_search(view).values(limit)
    assert slow[TOTAL] > 0
    np.testing.assert_allclose(search["values"][0], slow, rtol=1e-9)


@kernel
def shape_values(views: Array, searches: Array, limit: int) -> None:
    read_view(views[0], searches[0])
    fill_chances(searches[0], TRIES, CALLED)
    search_shapes(searches[0], limit)


def test_seven_pairs_are_summed_over_all_choices() -> None:
    """Five pairs and three single tiles: two of the three must be paired, or all three in place of a pair."""
    view, search = position("1199m2288p55s147z", seen="1z"), np.zeros(1, SEARCH_DTYPE)
    shape_values(view, search, 2)
    slow = Slow(view)
    east, north, red = (slow.chance(kind, 1, 0.0) for kind in parse_tiles("147z"))
    choices = east * north + east * red + north * red + 5 * east * north * red
    assert search["values"][0][TOTAL] == pytest.approx(LUCK * PAIRS_PAY * choices)
    assert search["values"][0][parse_tiles("1z")[0]] == pytest.approx(LUCK * PAIRS_PAY * north * red)
    assert search["values"][0][0] == 0, "without a pair three are lacking"


def test_shapes_are_worth_their_fan_in_the_literal_form() -> None:
    view, search = position("19m19p19s1234567z", seen="1z"), np.zeros(1, SEARCH_DTYPE)
    search["literal"] = 1
    shape_values(view, search, 1)
    literal = Literal(view)
    waits = sum(literal.chance(kind, 1, 0.0) for kind in parse_tiles("19m19p19s1234567z"))
    assert search["values"][0][TOTAL] == pytest.approx(88 * waits)


def test_the_literal_form_is_an_option_and_another_player() -> None:
    game = make_game("guobiao/botzone")
    batch, differ = Batch(game, 8, seed=3, restart=False), 0
    plain, literal = make_agent("search:most=500", game), make_agent("search:most=500,literal=yes", game)
    for _ in range(60):
        if not len(batch):
            break
        words = np.zeros(len(batch), np.uint64)
        asked = Asked(game, batch.views(), words, np.zeros(len(batch), np.int64))
        ours, theirs = plain.act(asked), literal.act(asked)
        differ += int((ours != theirs).sum())
        batch.step(theirs)
    assert differ > 5


def test_thirteen_orphans_and_knitted_tiles() -> None:
    view, search = position("19m19p19s1234567z", seen="1z"), np.zeros(1, SEARCH_DTYPE)
    shape_values(view, search, 1)
    slow = Slow(view)
    waits = sum(slow.chance(kind, 1, 0.0) for kind in parse_tiles("19m19p19s1234567z"))
    assert search["values"][0][TOTAL] == pytest.approx(LUCK * ORPHANS_PAY * waits)
    view, search = position("147m258p36s12345z"), np.zeros(1, SEARCH_DTYPE)
    shape_values(view, search, 1)
    slow = Slow(view)
    nine, green, red = (slow.chance(kind, 1, 0.0) for kind in parse_tiles("9s67z"))
    assert search["values"][0][TOTAL] == pytest.approx(LUCK * KNITTED_PAY * knitted_sum(nine, green, red))


def knitted_sum(nine: float, green: float, red: float) -> float:
    """Fourteen of sixteen kinds of which thirteen are held: leave out two, of the three lacking or of those held."""
    both = nine * green + nine * red + green * red
    return nine + green + red + 13 * both + 78 * nine * green * red


# --- tactics


def test_it_wins() -> None:
    view = position("123456789m55p567s")
    view["legal"][0, act.HU // act.WORD] |= 1 << act.HU % act.WORD
    assert answer(view) == "hu"


def test_it_keeps_the_wait_with_more_tiles() -> None:
    """67s waits for 5s and 8s, 79s only for 8s; a pure straight either way."""
    assert answer(position("123456789m55p679s")) == "play 9s"


def test_it_looks_at_what_is_gone() -> None:
    """A single wait for 1s or for 9s: two of one are gone."""
    assert answer(position("123456789m345p19s", seen="99s")) == "play 9s"
    assert answer(position("123456789m345p19s", seen="11s")) == "play 1s"


def test_it_keeps_the_way_to_eight_fan() -> None:
    """35s waits for 4s, three sequences of 345; 57s waits for as many 6s, but 345m 345p 567s 678p are too little."""
    assert answer(position("345678p357s99s", "345m")) == "play 7s"


def test_it_waits_for_more_fan() -> None:
    """23s with 234m and 234p waits for 4s and 8 fan (and for 1s), 35s for 4s and less."""
    assert answer(position("234789m23455p235s")) == "play 5s"


def test_it_calls_for_eight_fan() -> None:
    """123m 456p stand, 78s waits for the straight's end, and 4m is of no use."""
    assert answer(position("123m456p78s22s45m1z", tile="9s")) == "chi 789s taking 9s"


def test_it_does_not_open_a_hand_for_nothing() -> None:
    """Six pairs wait for a seventh: no pung is worth as much."""
    assert answer(position("1133m5577p2288s1z", tile="1m")) == "pass"


def test_it_passes_what_leaves_no_fan() -> None:
    """Waiting concealed for a pure straight; a chi would break it."""
    assert answer(position("12345678m55p456s", tile="3m")) == "pass"


# --- play


def asked_of(game: Any, views: Array) -> Asked:
    return Asked(game, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64))


@pytest.mark.parametrize("rules", ["guobiao/botzone", "guobiao/match"])
def test_whole_games_are_legal_and_won(rules: str) -> None:
    """`Batch.step` refuses what is illegal. Four of them seldom leave a hand drawn."""
    game = make_game(rules)
    agent = make_agent("search", game)
    batch = Batch(game, 16, seed=11, restart=False)
    decisions = 0
    for _ in range(400):
        if batch.over.all() or (rules.endswith("match") and decisions > 1500):
            break
        asked = asked_of(game, batch.views())
        batch.step(agent.act(asked))
        decisions += len(asked)
    if rules.endswith("botzone"):
        assert batch.over.all()
        assert (batch.states.winner >= 0).mean() > 0.6


def test_answers_do_not_depend_on_the_batch() -> None:
    game = make_game("guobiao/botzone")
    agent = make_agent("search", game)
    batch = Batch(game, 8, seed=5)
    for _ in range(6):
        batch.step(batch.random_actions())
    views = batch.views()
    together = agent.act(asked_of(game, views))
    assert [agent.answer(view) for view in views] == together.tolist()
    assert agent.act(asked_of(game, views[::-1])).tolist() == together.tolist()[::-1]
