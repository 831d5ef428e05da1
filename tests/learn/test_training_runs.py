"""Training runs on the CPU with tiny networks: the same from the same seed, exactly resumed, and learning."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tiny_training import tiny  # noqa: E402

from janshi.agents.registry import make_agent  # noqa: E402
from janshi.learn import curves  # noqa: E402
from janshi.learn.evaluation import evaluate  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.training import Plan, greedy, new_run, resume, run  # noqa: E402
from janshi.learn.warm_start import positions, read_hands, record_hands, warm_up  # noqa: E402
from janshi.rules.batch import Batch  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402

TINY = tiny("rl4", expected_batch=8)


def quiet(_: str) -> None:
    pass


def weights(trainer: Trainer) -> list[torch.Tensor]:
    return [value.clone() for net in trainer.networks.named().values() for value in net.parameters()]


def same(a: list[torch.Tensor], b: list[torch.Tensor]) -> bool:
    return all(torch.equal(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize(("variant", "past"), [("rl4", 0.0), ("basic", 0.3), ("alone", 0.0), ("race", 0.0)])
def test_a_run_cut_in_two_equals_one_that_was_not(tmp_path: Path, variant: str, past: float) -> None:
    rules = "guobiao" if variant == "race" else "simplified"
    config = replace(TINY, rules=rules, variant=variant, past_share=past, past_every=2)
    whole = new_run(config, tmp_path / "whole", report=quiet)
    run(whole, tmp_path / "whole", Plan(decisions=2600), quiet)
    first = new_run(config, tmp_path / "cut", report=quiet)
    run(first, tmp_path / "cut", Plan(decisions=1300), quiet)
    assert not same(weights(whole), weights(first))
    second = resume(tmp_path / "cut")
    assert second.decisions == first.decisions
    run(second, tmp_path / "cut", Plan(decisions=2600), quiet)
    assert second.decisions == whole.decisions
    assert whole.learned == second.learned > 0
    assert same(weights(whole), weights(second))
    rows = [curves.read(tmp_path / name) for name in ("whole", "cut")]
    assert [row["entropy"] for row in rows[0]] == [row["entropy"] for row in rows[1]]
    assert not list(tmp_path.glob("*/.*"))


def play_hands(trainer: Trainer, hands: int) -> None:
    """Play without learning until there are `hands` hands to learn from."""
    while trainer.slots.hands < hands:
        for half in trainer.halves:
            half.tables.step(half.wait())
            half.submit()


def test_wins_and_scores_of_who_learns_are_counted() -> None:
    trainer = Trainer(replace(TINY, variant="alone"))
    trainer.begin()
    play_hands(trainer, 60)
    ready = trainer.slots.take(trainer.slots.capacity)
    learners = [set(ready.player[a:b].tolist()) for a, b in zip(ready.first[:-1], ready.first[1:])]
    own = np.array([scores[seats.pop()] for scores, seats in zip(ready.scores, learners)])
    hands, _, _, _, _, won, score = sum(half.tables.read_tally() for half in trainer.halves)
    assert hands == len(own) >= 60
    assert won == (own > 0).sum() > 0
    assert score == pytest.approx(own.sum())


def test_who_learns_alone_sits_among_an_earlier_self_that_is_sure() -> None:
    trainer = Trainer(replace(TINY, variant="alone", past_every=100))
    trainer.begin()
    for _ in range(3):
        trainer.rollout()
    play_hands(trainer, 40)
    for half in trainer.halves:
        past, learner = half.tables.tables["past"] != 0, half.tables.learner
        assert ((past.sum(1) == 2) & ~past[np.arange(len(past)), learner]).all()
        assert (learner.reshape(-1, 4) == learner[::4, None]).all()  # the same for a whole group
    ready = trainer.slots.take(trainer.most)
    learners = [set(ready.player[a:b].tolist()) for a, b in zip(ready.first[:-1], ready.first[1:])]
    assert all(len(seats) <= 1 for seats in learners)
    assert set.union(*learners) == {0, 1, 2}
    records, slots = trainer.memory.private[ready.slot[:64].astype(np.int64)], torch.full((64,), trainer.slots.capacity)
    past_self = trainer.players.past
    assert past_self is not None
    legal = trainer.encoder.masks(records)
    sure = torch.where(legal, past_self(records), -torch.inf).argmax(1)
    for share in (0.0, 0.5, 0.999):
        shares, others = torch.full((64,), share), torch.ones(64, dtype=torch.bool)
        assert torch.equal(trainer.act(records, None, slots, shares, others), sure)
    trainer.rollout()
    assert not torch.equal(past_self.last.weight, trainer.policy.last.weight)  # renewed only now and then


def test_ctrl_c_ends_the_rollout_and_writes_a_checkpoint(tmp_path: Path) -> None:
    said: list[str] = []

    def interrupt(line: str) -> None:
        said.append(line)
        if "rollout" in line:
            os.kill(os.getpid(), signal.SIGINT)

    trainer, before = new_run(TINY, tmp_path, report=quiet), signal.getsignal(signal.SIGINT)
    run(trainer, tmp_path, Plan(decisions=100_000), interrupt)
    assert said[-1].startswith("interrupted")
    assert trainer.rollouts == 1
    assert signal.getsignal(signal.SIGINT) == before
    again = resume(tmp_path)
    for one in (trainer, again):
        for _ in range(3):
            one.rollout()
    assert same(weights(trainer), weights(again))


def test_the_seed_decides_all_and_restart_is_a_fresh_run() -> None:
    runs = []
    for seed in (5, 6):
        trainer = Trainer(replace(TINY, seed=seed))
        trainer.begin()
        for _ in range(4):
            trainer.rollout()
        runs.append(weights(trainer))
    assert not same(runs[0], runs[1])
    trainer.restart(5)
    trainer.begin()
    for _ in range(4):
        trainer.rollout()
    assert same(runs[0], weights(trainer))


def test_hands_do_not_pile_up() -> None:
    trainer = Trainer(replace(TINY, variant="basic", channels=4, tables=32, rollout=128, batch=64))
    trainer.begin()
    waiting = []
    for _ in range(60):
        trainer.rollout()
        waiting.append(trainer.slots.entries)
    assert max(waiting[40:]) < 2 * max(waiting[5:20])  # before, a quarter of a rollout was added by each


def test_a_light_checkpoint_goes_on_from_the_networks(tmp_path: Path) -> None:
    trainer = new_run(TINY, tmp_path, report=quiet)
    run(trainer, tmp_path, Plan(decisions=1500, full=False), quiet)
    assert not (tmp_path / "checkpoint.pt").exists()
    again = resume(tmp_path)
    assert again.decisions == trainer.decisions
    for new, old in zip(weights(again), weights(trainer)):
        assert torch.allclose(new, old, atol=1e-3, rtol=2e-3)
    walls = [half.tables.stepper.states["wall"] for half in again.halves]
    begun = [half.tables.stepper.states["wall"] for half in Trainer(TINY).halves]
    assert all((one != other).any(1).all() for one, other in zip(walls, begun)), "the first walls are not played again"
    again.rollout()


def test_a_directory_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    new_run(TINY, tmp_path, report=quiet)
    with pytest.raises(ValueError, match="already holds a run"):
        new_run(TINY, tmp_path, report=quiet)
    with pytest.raises(ValueError, match="no checkpoint"):
        resume(tmp_path / "nothing")


def test_it_learns_to_win_in_seconds() -> None:
    config = replace(TINY, variant="rl1", channels=16, width=32, tables=128, rollout=2048, batch=512, rate=3e-3, seed=1)
    trainer = Trainer(config)
    trainer.begin()
    drawn = []
    for _ in range(14):
        trainer.rollout()
        drawn.append(trainer.row["draw_rate"])
    assert np.mean(drawn[-4:]) < np.mean(drawn[2:6]) - 0.05  # fewer hands end without a winner


def test_recorded_hands_are_replayed_and_imitated(tmp_path: Path) -> None:
    game = make_game("simplified")
    path = tmp_path / "hands.npz"
    hands = record_hands(game, "search", 60, 1, path, threads=2)
    assert len(hands.seeds) == 60 == len(set(hands.seeds.tolist()))
    assert hands.lengths.sum() == len(hands.actions)
    assert (hands.scores.sum(1) == 0).all()
    assert (read_hands(path).actions == hands.actions).all()
    trainer = Trainer(replace(TINY, variant="rl1", rate=3e-3, rollout=1024, gamma=1.0))
    found = positions(trainer, hands, np.arange(60))
    assert 0.8 * len(hands.actions) < len(found.actions) <= len(hands.actions)
    assert np.abs(found.returns.sum(1)).max() < 1e-5
    assert set(np.round(found.returns[:, 0] / trainer.config.scale).astype(int)) <= set(
        hands.scores.reshape(-1).tolist()
    )
    before = float((greedy(trainer, found.private) == found.actions).mean())
    warm_up(trainer, path, quiet, epochs=8)
    after = float((greedy(trainer, found.private) == found.actions).mean())
    assert after > before + 0.1
    assert float(trainer.imitate) == 0


def test_evaluation_plays_every_seat_and_knows_a_strong_policy() -> None:
    game = make_game("simplified")
    from janshi.features.planes import encoder

    planes = encoder("simplified")

    def first_legal(private: np.ndarray) -> np.ndarray:
        return planes.masks_numpy(private).argmax(1)

    weak = evaluate(first_legal, game, "search", walls=20, threads=2)
    assert weak.games == 60
    assert weak.points < -1
    assert weak == evaluate(first_legal, game, "search", walls=20, threads=1)
    even = evaluate(first_legal, game, "random", walls=20)
    assert even.points > weak.points


def test_values_learn_before_the_policy_does_and_rates_fall() -> None:
    trainer = Trainer(replace(TINY, variant="rl1", values_first=2000, rate=1e-3, final_rate=1e-4, value_rate=2e-3))
    trainer.end_decisions = 8000
    policy = [value.clone() for value in trainer.policy.parameters()]
    critic = [value.clone() for value in trainer.critic.parameters()]
    trainer.begin()
    while trainer.decisions < 2000:
        trainer.rollout()
    assert trainer.learned > 0
    assert same(policy, list(trainer.policy.parameters()))
    assert not same(critic, list(trainer.critic.parameters()))
    while trainer.decisions < 8600:
        trainer.rollout()
    assert not same(policy, list(trainer.policy.parameters()))
    rates = [float(group["lr"]) for group in trainer.networks.optimiser.param_groups]
    assert rates == pytest.approx([1e-4, 2e-4])


def test_a_policy_that_sees_plans_is_trained_and_plays(tmp_path: Path) -> None:
    config = replace(TINY, rules="guobiao", variant="rl1", plans=True)
    trainer = new_run(config, tmp_path, report=quiet)
    run(trainer, tmp_path, Plan(decisions=1500, full=False), quiet)
    agent = make_agent(f"policy:file={tmp_path / 'policy.npz'}", trainer.game)
    assert agent.card["planes"] == "guobiao-plans-1"
    batch = Batch(trainer.game, 8, seed=2)
    for _ in range(12):
        views = batch.views()
        private = trainer.encoder.pack_views(views)
        ours = greedy(trainer, private)
        chances = agent.probabilities(views)
        rows = np.arange(len(views))
        assert (chances[rows, ours] > chances.max(1) - 1e-3).all()  # weights are stored in half precision
        batch.step(ours, check=False)
    with pytest.raises(ValueError, match="plans are for guobiao"):
        replace(TINY, plans=True)
