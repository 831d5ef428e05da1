"""The GPU path against the plain one: streams, CUDA graphs, compiled networks and half precision. Needs CUDA."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from computed_terms import computed_and_wanted  # noqa: E402

from janshi.learn.config import TrainConfig  # noqa: E402
from janshi.learn.device import Device, Replayed  # noqa: E402
from janshi.learn.equipment import VALUE_BATCH  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.training import Plan, greedy, new_run, resume, run  # noqa: E402

pytestmark = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="no CUDA device here: the GPU path is tested where there is one"
)
PLAIN = TrainConfig(
    variant="rl3",
    blocks=2,
    channels=16,
    width=32,
    tables=256,
    rollout=8192,
    batch=1024,
    expected_batch=64,
    threads=2,
    device="cuda",
    half_precision=False,
    compiled=False,
    seed=5,
)
RECORDED = replace(PLAIN, compiled=True)
ROLLOUTS = 10


def quiet(_: str) -> None:
    pass


def trained(config: TrainConfig, rollouts: int = ROLLOUTS) -> tuple[Trainer, list[dict[str, float]]]:
    """A run of some rollouts, with their figures."""
    trainer = Trainer(config)
    trainer.begin()
    rows = []
    for _ in range(rollouts):
        trainer.rollout()
        rows.append(trainer.row)
    return trainer, rows


def weights(trainer: Trainer) -> Any:
    parts = [
        value.detach().float().cpu().ravel() for net in trainer.networks.named().values() for value in net.parameters()
    ]
    return torch.cat(parts)


@pytest.fixture(scope="module")
def both() -> tuple[tuple[Trainer, list[dict[str, float]]], tuple[Trainer, list[dict[str, float]]]]:
    """The same run, played plainly and with graphs."""
    return trained(PLAIN), trained(RECORDED)


def test_work_is_recorded_and_replayed_on_new_contents() -> None:
    device = Device("cuda")
    with device.learning():
        x, total = device.zeros((4,)), device.zeros((1,))
    work = Replayed(lambda: total.add_(x.sum()), device.learn_stream, recorded=True, copies=2)
    wanted = 0.0
    for i in range(9):
        with device.learning():
            x.fill_(float(i))
        work()
        wanted += 4.0 * i
    device.synchronize()
    assert work.graphs == 2
    assert float(total) == wanted


def test_graphs_are_really_recorded(both: Any) -> None:
    trainer = both[1][0]
    assert trainer.train_step.graphs == 2
    assert trainer.value_step.graphs == 1
    assert trainer.expected.step.graphs == 1
    assert all(half.replayed.graphs == 1 for half in trainer.halves)
    assert both[0][0].train_step.graphs == 0


def test_graphs_play_and_learn_as_the_plain_path_does(both: Any) -> None:
    (plain, plain_rows), (recorded, recorded_rows) = both
    assert plain.learned > 0
    # the first rollout is played by equal networks, before anything is learned
    assert recorded_rows[0]["hands"] == pytest.approx(plain_rows[0]["hands"], abs=3)
    assert recorded.learned == pytest.approx(plain.learned, rel=0.05)
    for name in ("entropy", "policy_loss", "value_loss", "explained", "draw_rate"):
        ours, theirs = ([row[name] for row in rows[3:]] for rows in (recorded_rows, plain_rows))
        assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.1), name
    assert torch.isfinite(weights(recorded)).all()


def test_one_step_of_learning_is_the_same(both: Any) -> None:
    """From one checkpointed state, a replayed step moves the weights as a plain step does."""
    (plain, _), (recorded, _) = both
    for ours, theirs in zip(recorded.networks.named().values(), plain.networks.named().values()):
        ours.load_state_dict(theirs.state_dict())
    for name in ("private", "hidden", "actions", "logs", "advantages", "values", "targets"):
        getattr(recorded.batch, name).copy_(getattr(plain.batch, name))
    order = torch.arange(PLAIN.batch, device="cuda")
    before = weights(plain)
    moved = []
    for trainer in (plain, recorded):
        trainer.networks.forget_moments()
        trainer.networks.set_rates(1e-3, 1e-3)
        trainer.device.synchronize()
        for _ in range(4):
            trainer.at.copy_(order)
            trainer.device.synchronize()
            trainer.train_step()
            trainer.device.synchronize()
        moved.append(weights(trainer) - before)
    assert moved[0].abs().max() > 1e-4
    angle = torch.nn.functional.cosine_similarity(moved[0], moved[1], dim=0)
    assert float(angle) > 0.95  # where a gradient is nearly zero, rounding decides which way Adam goes
    assert float(moved[1].norm() / moved[0].norm()) == pytest.approx(1, abs=0.05)


def test_values_and_likeliest_actions_are_those_of_the_cpu(both: Any) -> None:
    recorded = both[1][0]
    with torch.no_grad():
        recorded.from_.copy_(torch.arange(VALUE_BATCH, device="cuda"))
        recorded.device.synchronize()
        recorded.value_step()
        recorded.device.synchronize()
        private, hidden, elsewhere = (
            None if x is None else x[:256].cpu() for x in recorded.batch.select(recorded.from_)
        )
        found = recorded.batch.values[:256].cpu()
    twin = Trainer(replace(PLAIN, device="cpu", tables=32, rollout=1024, batch=256))
    for ours, theirs in zip(twin.networks.named().values(), recorded.networks.named().values()):
        ours.load_state_dict({name: value.cpu() for name, value in theirs.state_dict().items()})
    with torch.no_grad():
        wanted = twin.critic(private, hidden, elsewhere)
    assert torch.allclose(found, wanted, atol=2e-2)
    ours, theirs = greedy(recorded, private.numpy()), greedy(twin, private.numpy())
    assert (ours == theirs).mean() > 0.95


@pytest.mark.parametrize("variant", ["basic", "rl4", "rl5a", "alone"])
def test_half_precision_learns_in_every_kind_of_variant(variant: str) -> None:
    trainer, rows = trained(replace(RECORDED, variant=variant, half_precision=True), 6)
    assert trainer.learned > 0
    assert trainer.train_step.graphs == 2
    assert torch.isfinite(weights(trainer)).all()
    assert all(np.isfinite(list(row.values())).all() for row in rows)


def test_luck_terms_are_recorded_and_those_of_the_cpu() -> None:
    trainer, rows = trained(replace(RECORDED, variant="rl5a"), 8)
    assert all(part.step.graphs == 1 for part in trainer.luck.parts.values())
    assert rows[-1]["luck_left"] > 0
    for part in trainer.luck.parts.values():
        found, wanted = computed_and_wanted(part)
        assert torch.allclose(found, wanted, atol=2e-2)


def test_races_learn_on_a_gpu() -> None:
    trainer, _ = trained(replace(RECORDED, rules="guobiao", variant="race", half_precision=True), 5)
    assert trainer.learned > 0
    assert torch.isfinite(weights(trainer)).all()


def test_a_run_is_resumed_from_its_checkpoint(tmp_path: Path) -> None:
    config = replace(RECORDED, half_precision=True)
    trainer = new_run(config, tmp_path, report=quiet)
    run(trainer, tmp_path, Plan(decisions=30_000), quiet)
    again = resume(tmp_path)
    assert torch.equal(weights(again), weights(trainer))
    for half, twin in zip(again.halves, trainer.halves):
        assert half.tables.stepper.states.tobytes() == twin.tables.stepper.states.tobytes()
    again.rollout()
    again.rollout()
    assert again.learned > trainer.learned
