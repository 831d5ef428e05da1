"""Chance events: the pool against a slow count, positions that know nothing of what comes, luck of mean zero."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from effort import effort
from janshi.agents.worths import OUTPUTS
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi.unseen_tiles import NUM_TILES, fill_pool
from janshi.luck.features import TILE, WIDTH
from janshi.luck.fitting.self_play import self_play
from janshi.luck.games import PlayedGames, join_played
from janshi.luck.measure import score_games
from janshi.luck.network import Weights, shapes
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.types import DEAL, DORA, DRAW, KIND_NAMES, PLACES, URA
from janshi.luck.value import ValueFunction
from janshi.luck.walk import new_bench, new_room, walk_hands
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.table import Table

RULES = "riichi/tenhou_east"


@pytest.fixture(scope="module")
def games() -> PlayedGames:
    """Some games of our players."""
    return self_play(RULES, 24, 3)


@pytest.fixture(scope="module")
def value() -> ValueFunction:
    """A value function that knows nothing: random weights, which luck must not mind."""
    return random_value(1)


def random_value(seed: int, wide: int = 24) -> ValueFunction:
    rng = np.random.default_rng(seed)
    made = {n: rng.normal(0, 1 / np.sqrt(s[0]), s).astype(np.float32) for n, s in shapes(wide, 16, 16).items()}
    made["out"] *= 3
    return ValueFunction(Weights(**made))


def walked(games: PlayedGames, hands: slice, whole: bool = True):
    room, used = new_room(32, whole), np.zeros(5, np.int64)
    done = walk_hands(games.hands[hands], games.answers, whole, room, used, new_bench(), *games.frame())
    return room, used, done


# --- the pool


def slow_pool(table: Table) -> Counter[int]:
    """All tiles less what is in hands, melds, rivers (called tiles lie in melds) and among the indicators."""
    pool: Counter[int] = Counter(dict.fromkeys(range(NUM_KINDS), 4))
    for suit in range(3):
        pool[9 * suit + 4] -= 1
        pool[34 + suit] = 1
    seen = list(table.dora_indicators)
    for seat in range(4):
        seen += table.hand(seat)
        seen += [tile for meld in table.melds(seat) for tile in meld.tiles]
        seen += [discard.tile for discard in table.river(seat) if not discard.called]
    pool.subtract(seen)
    return pool


@pytest.mark.parametrize("seed", range(6))
def test_the_pool_is_every_tile_that_nobody_has_seen(seed: int):
    rng = np.random.default_rng(seed)
    table, pool, looked = Table(seed=seed), np.zeros(NUM_TILES, np.int16), 0
    while not table.over and looked < 250:
        if table.asked:
            total = fill_pool(table.state, 1, pool)
            slow = slow_pool(table)
            assert [slow[tile] for tile in range(NUM_TILES)] == pool.tolist()
            assert total == sum(slow.values())
            looked += 1
        table.step({p: int(rng.choice(table.legal_actions(p))) for p in table.asked} or None)
    assert looked == 250


# --- what is recorded of events


def test_every_draw_is_an_event(games: PlayedGames):
    room, used, done = walked(games, slice(0, 20))
    assert done == 20
    chances = room.chances[: used[0]]
    for hand in range(20):
        of_hand = chances[chances["hand"] == hand]
        assert of_hand["kind"][:2].tolist() == [DEAL, DORA]
        draws = of_hand[of_hand["kind"] == DRAW]
        wall = games.hands["wall"][hand][::-1][52:]
        live = draws[np.diff(draws["left"], prepend=71) < 0]
        assert [tile_of(tile) for tile in wall[: len(live)]] == live["tile"].tolist()
        for event in draws:
            assert event["weight"].sum() == pytest.approx(1, abs=1e-5)
            assert event["weight"][event["tile"]] > 0, "what came could come"


def tile_of(tile_id: int) -> int:
    kind = int(tile_id) >> 2
    return 34 + kind // 9 if kind < 27 and kind % 9 == 4 and tile_id % 4 == 0 else kind


@pytest.mark.parametrize("hand", [0, 3, 7])
def test_positions_know_nothing_of_the_tile_that_comes(games: PlayedGames, hand: int):
    """With another tile in place of the drawn one, everything recorded of the event is the same except what came."""
    room, used, _ = walked(games, slice(hand, hand + 1))
    chances = room.chances[: used[0]].copy()
    rows, tiles = room.rows.copy(), room.tiles.copy()
    draws = np.flatnonzero(chances["kind"] == DRAW)
    wall = games.hands["wall"][hand]
    live = 0
    checked = 0
    for number in draws:
        event = chances[number]
        place = 135 - 52 - live
        if wall[place] < 0 or tile_of(wall[place]) != event["tile"]:
            continue  # a tile of the dead wall, after a kan
        live += 1
        other = next(i for i in range(14, place) if wall[i] >> 2 != wall[place] >> 2) if place > 20 else None
        if other is None:
            continue
        changed = games.hands[hand : hand + 1].copy()
        changed["wall"][0, [place, other]] = wall[[other, place]]
        again, count = new_room(2, True), np.zeros(5, np.int64)
        walk_hands(changed, games.answers, True, again, count, new_bench(), *games.frame())
        assert count[0] > number
        for name in ("kind", "player", "turn", "left", "weight", "row", "place", "rows"):
            assert np.array_equal(again.chances[number][name], event[name]), name
        assert np.array_equal(again.rows[event["row"]], rows[event["row"]])
        assert np.array_equal(again.tiles[event["place"]], tiles[event["place"]])
        assert again.chances[number]["tile"] == tile_of(wall[other])
        checked += 1
    assert checked > 5


def test_indicators_and_deals_know_nothing_of_what_comes(games: PlayedGames):
    first = games.hands[:1].copy()
    wall = first["wall"][0]
    other = next(i for i in range(14, 60) if wall[i] >> 2 != wall[FIRST_INDICATOR] >> 2)
    changed = first.copy()
    changed["wall"][0, [FIRST_INDICATOR, other]] = wall[[other, FIRST_INDICATOR]]
    rooms = []
    for hands in (first, changed):
        room, used = new_room(2, True), np.zeros(5, np.int64)
        walk_hands(hands, games.answers, True, room, used, new_bench(), *games.frame())
        rooms.append(room)
    one, two = rooms
    deal, dora = one.chances[:2]
    assert np.array_equal(one.rows[: deal["rows"]], two.rows[: deal["rows"]]), "the deal and others"
    rows = slice(dora["row"], dora["row"] + dora["rows"])
    possible = dora["weight"] > 0
    assert np.array_equal(one.rows[rows][possible], two.rows[rows][possible])
    assert np.array_equal(dora["weight"], two.chances[1]["weight"])
    assert dora["tile"] != two.chances[1]["tile"]


def test_every_deal_is_compared_with_deals_of_its_own(games: PlayedGames):
    """Hands of one situation that shared their independent deals would share the error of these deals' mean."""
    first = games.hands[games.starts[:2]]
    room, used = new_room(4, True), np.zeros(5, np.int64)
    walk_hands(np.concatenate([first, first[:1]]), games.answers, True, room, used, new_bench(), *games.frame())
    deals = room.chances[: used[0]][room.chances[: used[0]]["kind"] == DEAL]
    one, two, again = (room.rows[deal["row"] + 1 : deal["row"] + deal["rows"]] for deal in deals)
    assert len(one) == 32
    assert not (one == two).all(1).any()
    assert np.array_equal(one, again)
    assert len(np.unique(one, axis=0)) == 32


def test_one_tile_is_recorded_as_among_all(games: PlayedGames):
    whole, used, _ = walked(games, slice(0, 8), True)
    single, count, _ = walked(games, slice(0, 8), False)
    draws = whole.chances[: used[0]][whole.chances[: used[0]]["kind"] == DRAW]
    alone = single.chances[: count[0]][single.chances[: count[0]]["kind"] == DRAW]
    assert len(draws) == len(alone)
    assert np.array_equal(whole.rows[draws["row"]], single.rows[alone["row"]])
    assert np.array_equal(whole.tiles[draws["place"], draws["tile"]], single.tiles[alone["place"], 0])
    assert whole.rows.shape[1] == WIDTH
    assert whole.tiles.shape[2] == TILE


# --- luck


def test_luck_of_a_table_sums_to_zero_and_gains_to_the_rank(games: PlayedGames, value: ValueFunction):
    some = games.select(0, 6)
    scored = score_games(some, value)
    assert np.abs(scored.events["luck"][:, PLACES].sum(1)).max() < 1e-4
    gains = gains_of_hands(some)
    for game in range(6):
        assert gains[some.game == game, PLACES].sum(0) == pytest.approx(2.5 - some.ranks[game])
        assert gains[some.game == game, 1].sum(0) == pytest.approx(some.scores[game] - 25000)


def test_luck_does_not_depend_on_threads(games: PlayedGames, value: ValueFunction):
    one, three = (score_games(games.select(0, 8), value, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.events["luck"], three.events["luck"])


def test_luck_does_not_depend_on_other_games(games: PlayedGames, value: ValueFunction):
    """Up to rounding: on some processors, BLAS adds in an order that depends on a row's place in the batch."""
    whole, part = score_games(games.select(0, 8), value), score_games(games.select(5, 8), value)
    theirs = whole.events["luck"][np.isin(whole.game[whole.events["hand"]], [5, 6, 7])]
    for measure, tolerance in enumerate((1e-5, 0.1)):  # places, points
        np.testing.assert_allclose(part.events["luck"][:, measure], theirs[:, measure], rtol=1e-4, atol=tolerance)


def test_luck_is_zero_on_average_for_any_value_function():
    """`scripts/check_luck.py` does this with a hundred thousand hands."""
    scored = score_games(self_play(RULES, effort(65, 260), 11), random_value(4))
    checked = 0
    for kind, name in enumerate(KIND_NAMES):
        luck = scored.events["luck"][scored.events["kind"] == kind][:, PLACES].astype(np.float64)
        if len(luck) > 100:
            error = luck.std(0) / np.sqrt(len(luck))
            assert (np.abs(luck.mean(0)) < 4 * error + 1e-7).all(), name
            assert luck.std() > 1e-4, f"{name}: a random function has opinions"
            checked += 1
    assert checked >= 4


def test_luck_is_exactly_zero_over_all_ways_a_hand_can_end(value: ValueFunction):
    """The last two tiles of a hand in which everybody discards what they draw, in every order the pool allows.

    The mean of the two draws' luck, weighed by the exact chances of each way, is zero, and so the mean of the adjusted
    result is that of the result.
    """
    table = Table(seed=5, rules="tenhou_east", one_hand=True)
    wall = np.array(table.state["wall"])
    hands, weights = every_last_two(wall)
    scored = score_games(hands, value)
    last = np.zeros((len(hands), 4))
    for game in range(len(hands)):
        events = scored.events[scored.first[game] : scored.first[game + 1]]
        last[game] = events[events["kind"] == DRAW]["luck"][-2:, PLACES].sum(0)
    assert np.abs(last).max() > 1e-3
    assert weights.sum() == pytest.approx(1)
    assert np.abs(weights @ last).max() < 1e-6


def every_last_two(wall: np.ndarray) -> tuple[PlayedGames, np.ndarray]:
    """The hand on this wall with each ordered pair of tiles as its last two draws, and how likely each is."""
    unseen = [i for i in range(16) if i != FIRST_INDICATOR]  # places: the last two live tiles and the dead wall
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    counts: Counter[tuple[int, int]] = Counter()
    for one in unseen:
        for two in unseen:
            if one != two:
                key = (tile_of(wall[one]), tile_of(wall[two]))
                pairs.setdefault(key, (one, two))
                counts[key] += 1
    games = [played_out(with_last(wall, *pairs[key])) for key in pairs]
    weights = np.array([counts[key] for key in pairs], np.float64)
    return join_played(games), weights / weights.sum()


def with_last(wall: np.ndarray, one: int, two: int) -> np.ndarray:
    """The wall with the tiles of two places as the last two that are drawn."""
    order = [i for i in range(16) if i not in (one, two, FIRST_INDICATOR)]
    places = [i for i in range(16) if i not in (14, 15, FIRST_INDICATOR)]
    changed = wall.copy()
    changed[15], changed[14] = wall[one], wall[two]
    changed[places] = wall[order]
    return changed


def played_out(wall: np.ndarray) -> PlayedGames:
    """One hand in which everybody discards what they draw and calls nothing, as a game."""
    from janshi.records.rebuild import STORED_DTYPE
    from janshi.rules.riichi.actions import PASS, TSUMOGIRI
    from janshi.rules.riichi.final import ranks

    table = Table(rules="tenhou_east", wall=wall.tolist(), one_hand=True)
    answers: list[int] = []
    while table.asked:
        step = {p: TSUMOGIRI if table.is_legal(p, TSUMOGIRI) else PASS for p in table.asked}
        answers += step.values()
        table.step(step)
    assert table.tiles_left == 0
    hand = np.zeros(1, STORED_DTYPE)
    hand["wall"], hand["decisions"], hand["scores"] = wall, len(answers), 25000
    scores = np.array([table.scores], np.int32)
    final = (ranks(scores) + 1).astype(np.float32)
    game = np.zeros(1, np.int32)
    return PlayedGames(hand, np.array(answers, np.uint8), game, final, scores, [table.rules], [("",) * 4], [""])


def test_ura_luck_is_what_the_indicator_brought_against_all_others(games: PlayedGames, value: ValueFunction):
    """In points, by playing the hand again at a table with every other ura indicator of the pool."""
    scored = score_games(games, value)
    ura = scored.events[scored.events["kind"] == URA]
    checked = 0
    for event in ura[:12]:
        hand = games.hands[event["hand"]]
        before = replayed(games, hand, hand["wall"], -1)
        if len(before.dora_indicators) != 1:
            continue
        unseen = [i for i in range(int(before.state["next_draw"]) + 1) if i != FIRST_INDICATOR]
        mean = np.zeros(4)
        for place in unseen:
            wall = hand["wall"].copy()
            wall[[FIRST_INDICATOR - 1, place]] = wall[[place, FIRST_INDICATOR - 1]]
            mean += np.array(replayed(games, hand, wall).scores) / len(unseen)
        came = np.array(replayed(games, hand, hand["wall"]).scores)
        assert event["luck"][1] == pytest.approx(came - mean, abs=0.05)
        checked += 1
    assert checked > 8


def replayed(games: PlayedGames, hand: np.void, wall: np.ndarray, end: int = 0) -> Table:
    """The table after a hand's answers, or before the last of them: `end` is -1."""
    situation = {"round": int(hand["kyoku"]), "honba": int(hand["honba"]), "sticks": int(hand["sticks"])}
    table = Table(rules="tenhou_east", wall=wall.tolist(), scores=hand["scores"].tolist(), one_hand=True, **situation)
    answers = games.answers[hand["first"] : hand["first"] + hand["decisions"]].tolist()
    kept, at = table, 0
    while table.asked:
        kept = table.copy()
        table.step(dict(zip(table.asked, answers[at : at + len(table.asked)])))
        at += len(kept.asked)
    return kept if end else table


def test_outputs_have_their_width():
    assert shapes(8, 8, 8)["out"] == (8, OUTPUTS)
