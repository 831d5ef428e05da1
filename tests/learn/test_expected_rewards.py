"""The expected reward network: when it is used, what it sees, how it is taught."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tiny_training import tiny  # noqa: E402

from janshi.features.planes import encoder  # noqa: E402
from janshi.learn import checkpoint  # noqa: E402
from janshi.learn.config import VARIANTS, TrainConfig  # noqa: E402
from janshi.learn.expected import USED_FROM, ExpectedRewards  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.rvr import ExpectedReward  # noqa: E402
from janshi.learn.slots import Ready  # noqa: E402
from janshi.learn.training import save  # noqa: E402
from janshi.learn.warm_start import positions, record_hands, warm_up  # noqa: E402
from janshi.rules.game import Game  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402
from janshi.rules.stepper import Stepper  # noqa: E402

TINY = tiny("rl2", expected_batch=8)


def played(config: TrainConfig, hands: int = 40) -> tuple[Trainer, ExpectedRewards, Ready]:
    """A trainer, and hands that are ready to be learned from."""
    trainer = Trainer(config)
    trainer.begin()
    while trainer.slots.hands < hands:
        for half in trainer.halves:
            half.tables.step(half.wait())
            half.submit()
    ready = trainer.slots.take(trainer.most)
    trainer.gather(ready)
    assert trainer.expected is not None
    return trainer, trainer.expected, ready


def test_it_is_used_once_it_explains_a_quarter_of_fresh_hands() -> None:
    _, expected, ready = played(TINY)
    n = len(expected.hands)
    rewards = expected.rewards[:n].clone()
    residual = torch.randn(n, 3, generator=torch.Generator().manual_seed(1))
    residual *= (rewards.var(0, unbiased=False).mean() / residual.square().mean()).sqrt()  # of the results' variance
    for share, used in ((USED_FROM - 0.03, False), (USED_FROM + 0.03, True)):
        outputs = rewards + residual * (1 - share) ** 0.5
        expected._outputs = lambda *_, outputs=outputs: outputs
        expected.error, expected.spread = -1.0, 0.0
        found = expected.expectations(ready)
        assert 1 - expected.error / expected.spread == pytest.approx(share, abs=1e-5)
        assert expected.used == used
        assert (found is not None) == used


def test_used_expectations_take_the_place_of_scores() -> None:
    trainer, expected, ready = played(TINY)
    outputs = 0.9 * expected.rewards[: len(expected.hands)].clone()
    expected._outputs = lambda *_: outputs
    found = expected.expectations(ready)
    assert found is not None
    scores = ready.scores.copy() * trainer.config.scale
    scores[expected.hands] *= 0.9
    np.testing.assert_allclose(found, ready.seen_by(scores), atol=1e-6)
    assert len(expected.hands) > 10


def test_a_fresh_network_is_not_used_and_scores_are_kept() -> None:
    _, expected, ready = played(TINY)
    assert expected.expectations(ready) is None


def test_its_rate_follows_the_schedule() -> None:
    trainer = Trainer(replace(TINY, rate=1e-3, final_rate=1e-4, value_rate=2e-3, values_first=600))
    trainer.end_decisions = 4000
    trainer.begin()
    while trainer.decisions < 4600:
        trainer.rollout()
    assert trainer.expected is not None
    rates = [float(group["lr"]) for one in trainer.networks.optimisers() for group in one.param_groups]
    assert rates == pytest.approx([1e-4, 2e-4, 2e-4])


# --- what it sees


def with_other_wall(game: Game, states: np.ndarray) -> np.ndarray:
    """The same tables with the tiles that are left in another order, among all players' walls."""
    other, rng = states.copy(), np.random.default_rng(3)
    for state in other:
        if game.players == 3:
            places = np.arange(int(state["left"]))
        else:
            size = int(state["wall_size"])
            places = np.concatenate([player * size + np.arange(int(state["left"][player])) for player in range(4)])
        state["wall"][places] = state["wall"][rng.permutation(places)]
    return other


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
@pytest.mark.parametrize("variant", ["rl2", "rl2p", "rl3", "rl3p"])
def test_only_the_literal_form_sees_the_order_of_the_wall(rules: str, variant: str) -> None:
    torch.manual_seed(1)
    game, planes = make_game(rules), encoder(rules)
    tables = Stepper(game, 12)
    tables.start(np.arange(12, dtype=np.uint64))
    for _ in range(8):
        tables.step(game.masks_of_views(tables.views()).argmax(1))
    at, players = tables.tables, tables.players
    net = ExpectedReward(replace(TINY, rules=rules, variant=variant, rollout=1024), planes, game.players)
    with torch.no_grad():
        net.net.last.weight.normal_()
    found = []
    for states in (tables.states, with_other_wall(game, tables.states)):
        private = np.zeros((len(at), planes.private_bytes), np.uint8)
        hidden = np.zeros((len(at), planes.hidden_bytes), np.uint8)
        planes.pack_states(states, at, players, private, hidden)
        with torch.no_grad():
            found.append(net(torch.from_numpy(private), torch.from_numpy(hidden)))
    assert torch.equal(*found) == (not VARIANTS[variant].expected_wall)


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
def test_without_the_wall_it_still_sees_all_hands(rules: str) -> None:
    planes = encoder(rules)
    free = {int(source) for source in planes.wall_free_probes.source}
    fields = planes.planes.hidden_dtype.fields
    assert fields is not None
    for name, (dtype, offset) in ((name, field[:2]) for name, field in fields.items()):
        here = set(range(offset, offset + dtype.itemsize)) & free
        assert bool(here) == (name in ("hands", "concealed", "waits")), name
    assert {int(source) for source in planes.hidden_probes.source} > free


# --- warm starts


def test_warm_starts_teach_it(tmp_path: Path) -> None:
    path, said = tmp_path / "hands.npz", list[str]()
    hands = record_hands(make_game("simplified"), "greedy", 300, 1, path, threads=1)
    config = replace(TINY, variant="rl3p", channels=16, width=32, rollout=1024)
    trainer = Trainer(config)
    assert trainer.expected is not None
    fresh = explained(trainer, hands)
    warm_up(trainer, path, said.append, epochs=5)
    assert any("expected rewards explain" in line for line in said)
    assert trainer.expected.error >= 0
    assert explained(trainer, hands) > fresh + 0.1


def explained(trainer: Trainer, hands: object) -> float:
    """The share of the variance of recorded hands' results that a run's expected rewards explain."""
    found, expected = positions(trainer, hands, np.arange(300)), trainer.expected  # type: ignore[arg-type]
    assert expected is not None
    assert found.hidden is not None
    with torch.no_grad():
        outputs = expected.network(*(torch.from_numpy(part[found.last]) for part in (found.private, found.hidden)))
    return 1 - float(((outputs.numpy() - found.results) ** 2).mean() / found.results.var(0).mean())


def test_states_before_last_rounds_are_those_of_self_play(tmp_path: Path) -> None:
    """The second-last turn of each hand, with its result, if there was a choice."""
    game = make_game("simplified")
    hands = record_hands(game, "greedy", 30, 3, tmp_path / "hands.npz")
    trainer = Trainer(TINY)
    found = positions(trainer, hands, np.arange(30))
    wanted = []
    for hand in range(30):
        tables = Stepper(game, 1)
        tables.start(hands.seeds[hand : hand + 1])
        answers = hands.actions[hands.lengths[:hand].sum() :][: hands.lengths[hand]].tolist()
        turns = []
        while len(tables):
            masks, players = game.masks_of_views(tables.views()), tables.players.copy()
            for mask, player in zip(masks, players):
                if not mask[-1]:
                    private = np.zeros((1, trainer.encoder.private_bytes), np.uint8)
                    trainer.encoder.pack_states(tables.states, np.zeros(1, np.int64), np.array([player]), private)
                    turns.append((private.tobytes(), int(player), mask.sum() > 1))
            tables.step(np.array([answers.pop(0) for _ in players], np.int64))
        if len(turns) > 1 and turns[-2][2]:
            result = np.roll(hands.scores[hand], -turns[-2][1]) * np.float32(trainer.config.scale)
            wanted.append((turns[-2][0], result.astype(np.float32).tolist()))
    ours = zip(found.private[found.last], found.results)
    assert sorted((record.tobytes(), result.tolist()) for record, result in ours) == sorted(wanted)
    assert len(wanted) > 15


def test_a_run_begins_with_anothers_expected_rewards(tmp_path: Path) -> None:
    config = replace(TINY, variant="rl3p")
    first = Trainer(config)
    assert first.expected is not None
    with torch.no_grad():
        for value in first.expected.network.parameters():
            value += 0.1
    save(first, tmp_path, full=False)
    second = Trainer(replace(config, seed=9))
    assert checkpoint.begin_from(second, tmp_path / "light.pt") == "the policy, the values and the expected rewards"
    assert second.expected is not None
    for ours, theirs in zip(second.expected.network.parameters(), first.expected.network.parameters()):
        assert torch.allclose(ours, theirs, atol=1e-3)
    third = Trainer(replace(config, variant="rl3", seed=9))  # it sees the wall: another network
    assert checkpoint.begin_from(third, tmp_path / "light.pt") == "the policy and the values"
