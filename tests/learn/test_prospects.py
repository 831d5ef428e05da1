"""Prospects: the position before a draw, independent of the tile that came and of the order of the wall."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_hands import open_draws, undrawn_places

from janshi.features.planes import encoder
from janshi.features.prospects import Prospects, WithProspects, prospects_of, undrawn
from janshi.features.simplified.prospects import NEARLY, worth_of
from janshi.rules.game import Array, Game
from janshi.rules.registry import find_family, make_game
from janshi.rules.simplified.distance import distances, is_complete, meld_facts, scoring_hands
from janshi.rules.simplified.state import KONG_MELD, Context, new_context
from janshi.rules.stepper import Stepper

RULES = ["simplified", "guobiao"]
WINS, COMPLETES = 0, 1
"""Numbers of a tile that both families have in these places."""
WAITS_LATER = "winning tiles undrawn if the drawing player had it, after the best discard"
PAY_LATER = "fan and 1 of a win then if the drawing player had it, mean"


def random_actions(game: Game, tables: Stepper, random: np.random.Generator) -> Array:
    """Legal actions."""
    masks = game.masks_of_views(tables.views())
    return np.array([random.choice(np.flatnonzero(mask)) for mask in masks], np.int64)


def started(game: Game, first: int, n: int = 24) -> Stepper:
    tables = Stepper(game, n)
    tables.start(np.arange(first, first + n, dtype=np.uint64))
    return tables


@pytest.mark.parametrize("rules", RULES)
def test_draws_and_undrawn_tiles_are_those_of_the_state(rules: str) -> None:
    game, random = make_game(rules), np.random.default_rng(1)
    prospects, tables, checked = Prospects(game), started(game, 0), 0
    while len(tables):
        drawn = open_draws(game, prospects, tables)
        everything = prospects.of(tables.states, tables.tables, tables.players)
        assert (undrawn(drawn.prospects) == drawn.counts).all()
        assert (drawn.prospects["drawn"] == drawn.tile).all()
        assert undrawn(everything).any(1).sum() == len(drawn.tile)  # zeros for all other decisions
        checked += len(drawn.tile)
        tables.step(random_actions(game, tables, random))
    assert checked > 200


@pytest.mark.parametrize("rules", RULES)
def test_they_depend_on_neither_the_tile_nor_the_order_of_the_wall(rules: str) -> None:
    """All undrawn tiles change places before a step: the prospects do not depend on the tile drawn then."""
    game, random = make_game(rules), np.random.default_rng(2)
    prospects, tables = Prospects(game), started(game, 100)
    compared = others = 0
    while len(tables):
        actions, shuffled = random_actions(game, tables, random), tables.states.copy()
        for state in shuffled:
            places = undrawn_places(game, state)
            state["wall"][places] = state["wall"][random.permutation(places)]
        other = Stepper.of(game, shuffled)
        for one in (tables, other):
            one.step(actions)
        if not len(tables):
            break
        ours, theirs = (open_draws(game, prospects, one) for one in (tables, other))
        for name in ("players", "tiles"):
            assert (ours.prospects[name] == theirs.prospects[name]).all()
        compared += len(ours.tile)
        others += int((ours.tile != theirs.tile).sum())
    assert compared > 200
    assert others > 100


@pytest.mark.parametrize("rules", RULES)
def test_a_tile_wins_where_the_rules_say_so(rules: str) -> None:
    """The tile that came wins by its prospect exactly if the player may now declare a win."""
    game = make_game(rules)
    win = game.action_names.index("hu")
    prospects, tables, random, wins = Prospects(game), started(game, 0, 400), np.random.default_rng(3), 0
    policy = greedy_actions(game)
    while len(tables):
        rows = np.arange(len(tables))
        masks = game.masks_of_views(tables.views())
        records = prospects.of(tables.states, tables.tables, tables.players)
        there = undrawn(records).any(1)
        may = masks[there, win]
        says = records["tiles"][there][np.arange(there.sum()), records["drawn"][there], WINS] > 0
        if rules == "simplified":
            assert (may == says).all()
        else:  # the last draw of a wall adds fan, which prospects leave out
            assert not (says & ~may).any()
            assert (may & ~says).sum() <= 1
        wins += int(may.sum())
        tables.step(policy(tables, rows, random))
    assert wins > (100 if rules == "simplified" else 3)


def test_waits_a_tile_later_are_those_of_the_best_discard() -> None:
    """For the tile that came: all discards tried, with the tiles that are then undrawn."""
    game, random = make_game("simplified"), np.random.default_rng(4)
    context = new_context(game.rules)
    prospects, tables, shapes, waiting = Prospects(game), started(game, 300, 60), context[1][0], 0
    waits_of, pay_of = (prospects.about.about_tiles.index(name) for name in (WAITS_LATER, PAY_LATER))
    while len(tables):
        drawn = open_draws(game, prospects, tables)
        for row, table, player, tile in zip(drawn.prospects, drawn.table, drawn.player, drawn.tile):
            state = tables.states[table]
            code, undrawn_now = int(state["code"][player]), np.array(row["tiles"][:, -1], int)
            undrawn_now[tile] -= 1
            best = max(
                (pay_of_wait(code - (1 << 2 * kind), undrawn_now, state, player, shapes, game) for kind in held(code)),
                key=lambda found: found[1],
            )
            assert row["tiles"][tile, waits_of] == best[0]
            assert row["tiles"][tile, pay_of] == int(best[1] / max(best[0], 1))
            waiting += best[0] > 0
        tables.step(random_actions(game, tables, random))
    assert waiting > 20


def test_the_discard_that_probably_follows_is_the_best_a_tile_further() -> None:
    """For the tile that came: all discards compared by hand, and what the others would win on the best."""
    game, random = make_game("simplified"), np.random.default_rng(5)
    context = new_context(game.rules)
    c = Context(context[0][0], context[1][0])
    prospects, tables, dangerous = Prospects(game), started(game, 500, 150), 0
    names = prospects.about.about_tiles
    first, others = (
        names.index(f"the next player wins on {what}: fan and 1")
        for what in ("the discard that probably follows", "it")
    )
    while len(tables):
        drawn = open_draws(game, prospects, tables)
        for row, table, player in zip(drawn.prospects, drawn.table, drawn.player):
            state = tables.states[table]
            best = discard_ahead(state, int(player), c)
            for place in (0, 1):
                assert row["tiles"][row["drawn"], first + place] == row["tiles"][best, others + place]
                dangerous += row["tiles"][best, others + place] > 0
        tables.step(random_actions(game, tables, random))
    assert dangerous > 10


def discard_ahead(state: Array, player: int, c: Context) -> int:
    """Of the discards that leave nearly the most worth, the one that leaves the most after one more tile."""
    code, facts, sets = (
        int(state["code"][player]),
        meld_facts(state, player),
        int(c.rules.sets) - int(state["melds"][player]),
    )

    def worth(tiles: int) -> float:
        room = np.zeros(5, np.int64)
        distances(tiles, facts, sets, c.shapes, room)
        return float(worth_of(room, c.rules))

    live = [3 - ((code >> 2 * kind) & 3) - int(state["seen"][kind]) for kind in range(14)]
    worths = {kind: worth(code - (1 << 2 * kind)) for kind in held(code)}
    near = [kind for kind, found in worths.items() if found >= NEARLY * max(worths.values())]
    ahead = [
        sum(n * worth(code - (1 << 2 * kind) + (1 << 2 * t)) for t, n in enumerate(live) if n > 0) for kind in near
    ]
    return near[int(np.argmax(ahead))]


def held(code: int) -> list[int]:
    return [kind for kind in range(14) if (code >> 2 * kind) & 3]


def pay_of_wait(code: int, undrawn_now: Array, state: Array, player: int, shapes: Array, game: Game) -> tuple[int, int]:
    """Undrawn winning tiles of a hand that waits, and what they pay together."""
    facts, rules, count, pay = meld_facts(state, player), game.rules, 0, 0
    kongs = int((state["meld_type"][player, : state["melds"][player]] == KONG_MELD).sum())
    for kind in range(14):
        more = code + (1 << 2 * kind)
        if undrawn_now[kind] > 0 and (code >> 2 * kind) & 3 < 3 and is_complete(more, shapes):
            kinds = scoring_hands(more, facts, shapes)
            fans = (rules.honour_pung, rules.straight, rules.flush, rules.all_pungs)
            fan = rules.kong * kongs + sum(each * (kinds >> place & 1) for place, each in enumerate(fans))
            count, pay = count + int(undrawn_now[kind]), pay + int(undrawn_now[kind]) * (1 + fan)
    return count, pay


def greedy_actions(game: Game):  # type: ignore[no-untyped-def]
    """The answers of the agent `greedy`."""
    from janshi.agents.base import Asked
    from janshi.agents.registry import make_agent

    agent = make_agent("greedy", game)

    def choose(tables: Stepper, rows: Array, random: np.random.Generator) -> Array:
        words = random.integers(0, 2**63, len(rows)).astype(np.uint64)
        return np.asarray(agent.act(Asked(game, tables.views(), words, tables.tables)), np.int64)

    return choose


@pytest.mark.parametrize("choices", [False, True])
def test_an_encoder_with_prospects_ends_hidden_inputs_with_them(choices: bool) -> None:
    game = make_game("simplified")
    tables, plain = started(game, 5), encoder("simplified")
    both = WithProspects(plain, game, choices)
    at, players = tables.tables, tables.players
    private, hidden = (np.zeros((len(at), size), np.uint8) for size in (both.private_bytes, both.hidden_bytes))
    both.pack_states(tables.states, at, players, private, hidden)
    own = np.zeros((len(at), plain.hidden_bytes), np.uint8)
    plain.pack_states(tables.states, at, players, None, own)
    assert (hidden[:, : plain.hidden_bytes] == own).all()
    begin, found = plain.hidden_bytes, []
    for part in both.parts:
        end = begin + part.dtype.itemsize
        found.append(np.ascontiguousarray(hidden[:, begin:end]).view(part.dtype)[:, 0])
        assert (found[-1] == part.of(tables.states, at, players)).all()
        begin = end
    assert begin == both.hidden_bytes
    assert len(found) == 1 + choices
    assert undrawn(found[-1]).any(1).all()


def test_names_of_numbers() -> None:
    for rules in RULES:
        about = prospects_of(find_family(rules))
        for names in (about.about_players, about.about_tiles):
            assert len(set(names)) == len(names)
        assert about.about_tiles[-1] == "undrawn"
    with pytest.raises(ValueError, match="no prospects for riichi"):
        prospects_of(find_family("riichi"))
