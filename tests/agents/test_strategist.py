"""The strategist: what it sees of options, the network that values them, and how it plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.registry import make_agent
from janshi.agents.strategist.agent import StrategistAgent, sampled
from janshi.agents.strategist.options import Options, best_of, settled
from janshi.agents.strategist.simplified import ABOUT_OPTION, ABOUT_POSITION, SET, WHO, WINDOW_NAMES
from janshi.agents.strategist.values import LAYERS, OptionValues, read_values, shipped_file, write_values
from janshi.models.store import CARD, ModelError
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.simplified import actions as act
from janshi.rules.simplified.table import Table
from janshi.rules.simplified.tiles import NUM_KINDS, parse_kinds

GAME = make_game("simplified/paper")


def rigged(hand: str, draw: str) -> Table:
    """A table where seat 0 holds these tiles, has drawn this one, and the rest lie in order."""
    dealt, drawn = parse_kinds(hand), parse_kinds(draw)
    rest = [k for k in range(NUM_KINDS) for _ in range(3 - (dealt + drawn).count(k))]
    others, wall = rest[-2 * len(dealt) :], rest[: -2 * len(dealt)]
    return Table(wall=[*wall, *reversed(drawn), *reversed(dealt + others)])


def numbers_of(table: Table, player: int, action: str) -> dict[str, float]:
    """The numbers about an option, by name; those about the position have a name of their own."""
    view = table.view(player)
    options = SET.writer(GAME)(np.atleast_1d(view))
    row = options.rows[options.actions.tolist().index(act.parse_action(action))]
    return dict(zip(SET.numbers, row.tolist(), strict=True))


# --- what it sees


def test_every_number_has_a_name_of_its_own() -> None:
    assert len(set(SET.numbers)) == len(ABOUT_POSITION) + len(ABOUT_OPTION)


def test_a_waiting_hand() -> None:
    found = numbers_of(rigged("123p456s1z", "7z"), 0, "discard 7z")
    assert found["waiting"] == 1
    assert found["tiles then missing for any hand"] == 1
    assert found["live winning tiles"] == 2  # two more East
    assert found["live winning tiles, share of the unseen"] == pytest.approx(2 / (42 - 8))
    assert found["fan and 1 of a win, mean"] == 1  # no scoring hand
    assert found["share of the best search's value, logarithm"] == 0  # both honours are the same


def slow_rivers(view: Any, tile: int) -> dict[str, float]:
    """The numbers about a discard in the opponents' rivers and among the unseen tiles, slowly."""
    out: dict[str, float] = {}
    suit = None if tile >= 12 else tile // 6
    for place, name in zip(range(-2, 3), WINDOW_NAMES):
        kind = tile + place
        inside = place == 0 or (suit is not None and kind >= 0 and kind < 12 and kind // 6 == suit)
        out[f"unseen, {name}"] = 3 - int(view["hand"][kind]) - int(view["seen"][kind]) if inside else 0
        for player, who in enumerate(WHO[1:], 1):
            river = view["river"][player][: view["discards"][player]].tolist()
            out[f"in the {who} river, {name}"] = river.count(kind) if inside else 0
    recent = 0
    for player in (1, 2):
        for i in range(int(view["discards"][player])):
            passed = int(view["turns"]) - int(view["river_order"][player][i])
            recent += int(view["river"][player][i] == tile and passed <= 2)
    own = view["river"][0][: view["discards"][0]].tolist()
    return {**out, "in an opponent's river just now": recent, "in the own river": own.count(tile)}


def test_rivers_around_a_discard() -> None:
    batch, compared = Batch(GAME, 200, seed=6), 0
    for step in range(16):
        views = batch.views()
        if step % 3 == 0:
            options = SET.writer(GAME)(views)
            for i, view in enumerate(views):
                for row in range(options.first[i], options.first[i + 1]):
                    action = int(options.actions[row])
                    if action < NUM_KINDS:
                        found = dict(zip(SET.numbers, options.rows[row].tolist()))
                        wanted = slow_rivers(view, action)
                        assert {name: found[name] for name in wanted} == wanted
                        assert found["discard"] == 1
                        compared += wanted["in an opponent's river just now"] > 0
        batch.step(batch.random_actions())
    assert compared > 20, "tiles that were just discarded are among them"


def test_options_are_the_legal_actions_but_a_win() -> None:
    batch = Batch(GAME, 64, seed=5)
    seen = set()
    for _ in range(25):
        views = batch.views()
        options = SET.writer(GAME)(views)
        masks = GAME.masks_of_views(views).copy()
        masks[:, act.HU] = False
        assert np.array_equal(np.diff(options.first), masks.sum(1))
        assert np.array_equal(options.actions, np.nonzero(masks)[1])
        assert np.isfinite(options.rows).all()
        seen |= set(options.actions.tolist())
        batch.step(batch.random_actions())
    assert seen >= {act.PASS, act.PONG, act.CHI}
    assert seen & set(range(act.KONG, act.CHI))


def test_wins_and_single_actions_need_no_choice() -> None:
    masks = np.zeros((3, act.NUM_ACTIONS), np.bool_)
    masks[0, [act.HU, act.PASS]] = masks[1, 5] = masks[2, [2, 3]] = True
    actions, choice = settled(masks, act.HU)
    assert actions[:2].tolist() == [act.HU, 5]
    assert choice.tolist() == [False, False, True]


# --- what it makes of that


def some_weights(random: np.random.Generator, numbers: int, width: int = 8) -> dict[str, Any]:
    sizes = dict(zip(LAYERS, [(numbers, width), (width, width), (width, 1)]))
    found = {"centre": random.normal(size=numbers), "spread": random.uniform(0.5, 2, numbers)}
    for name, (a, b) in sizes.items():
        found |= {f"{name}.weight": random.normal(size=(a, b)), f"{name}.bias": random.normal(size=b)}
    return {name: value.astype(np.float32) for name, value in found.items()}


def test_the_network_is_the_written_out_formula() -> None:
    random = np.random.default_rng(3)
    w = some_weights(random, 7)
    rows = random.normal(size=(20, 7)).astype(np.float32)
    x = (rows - w["centre"]) / w["spread"]
    for name in LAYERS[:2]:
        x = np.maximum(x @ w[f"{name}.weight"] + w[f"{name}.bias"], 0)
    wanted = (x @ w["last.weight"] + w["last.bias"])[:, 0]
    values = OptionValues(w, {})
    assert np.allclose(values(rows), wanted, atol=1e-4)
    assert np.array_equal(values(rows)[5:6], values(rows[5:6])), "the same whatever the batch"


def test_files_of_values(tmp_path: Path) -> None:
    weights = some_weights(np.random.default_rng(1), len(SET.numbers))
    good, other = tmp_path / "good.npz", tmp_path / "other.npz"
    write_values(good, weights, {"rules": GAME.id, "options": SET.version})
    assert make_agent(f"strategist:file={good}", GAME).version.startswith("1-")
    write_values(other, weights, {"rules": GAME.id, "options": "simplified-options-0"})
    with pytest.raises(ModelError, match="train it again"):
        read_values(other, SET.version)
    with pytest.raises(ModelError, match="no values of options at"):
        read_values(tmp_path / "missing.npz", SET.version)
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(ModelError, match="holds no values of options"):
        read_values(tmp_path / "text.npz", SET.version)
    with pytest.raises(ModelError, match="has the format"):
        read_values(shipped_file("simplified").with_name("rvr-simplified.npz"), SET.version)


def test_the_best_option_and_sampled_ones() -> None:
    options = Options(np.array([0, 3, 5]), np.array([4, 6, 9, 1, 2]), np.zeros((5, 1), np.float32))
    worths = np.array([0.0, 0.5, 0.5, -1.0, -1.2], np.float32)
    assert best_of(options, worths).tolist() == [6, 1], "the first of equals"
    words = np.random.default_rng(4).integers(0, 2**64, (4000, 2), np.uint64)
    drawn = np.array([sampled(options, worths, pair, 0.2) for pair in words])
    odds = np.exp((worths[:3] - 0.5) / 0.2)
    for action, share in zip((4, 6, 9), odds / odds.sum()):
        assert abs((drawn[:, 0] == action).mean() - share) < 0.03
    assert abs((drawn[:, 1] == 2).mean() - 1 / (1 + np.e)) < 0.03


# --- how it plays


def test_it_keeps_the_contract_of_agents() -> None:
    assert check_agent("strategist", GAME).decisions > 100
    assert check_agent("strategist:temperature=0.3", GAME, steps=80).decisions > 50


def test_it_takes_wins() -> None:
    table = rigged("123p456s1z", "1z")
    assert make_agent("strategist", GAME).answer(table.view(0)) == act.HU


def test_explanations_begin_with_its_choice() -> None:
    agent, batch = make_agent("strategist", GAME), Batch(GAME, 32, seed=9)
    assert isinstance(agent, StrategistAgent)
    for _ in range(8):
        views = batch.views()
        actions = agent.act(Asked(GAME, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64)))
        for found, action, mask in zip(agent.explain(views), actions, GAME.masks_of_views(views)):
            assert found.best.action == action
            assert sorted(choice.action for choice in found.choices) == np.flatnonzero(mask).tolist()
            assert found.best.worth == 0
            assert all(choice.worth <= 0 for choice in found.choices)
        batch.step(actions)


def test_bad_options_are_refused() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        make_agent("strategist:temperature=-1", GAME)
    with pytest.raises(ValueError, match="plays simplified, not riichi"):
        make_agent("strategist", make_game("riichi/tenhou"))


def test_the_card_says_how_it_was_learned() -> None:
    with np.load(shipped_file("simplified")) as stored:
        card = json.loads(stored[CARD].tobytes())
    assert card["hands"] > 100_000
    assert {"settings", "iterations", "decisions", "command", "figures"} <= set(card)
