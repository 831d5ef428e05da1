"""Learning from records: the loss falls, runs go on where they stopped, suits are exchanged consistently."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from janshi.learn.imitation.batches import on_device
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.export import export
from janshi.learn.imitation.network import Suits
from janshi.learn.imitation.training import Imitation, policy_loss, rate_at, read_checkpoint, train

CPU = torch.device("cpu")
TINY = ImitationConfig(width=16, blocks=1, heads=2, hidden=16, batch=64, steps=30, warmup=5, rate=1e-2, decay=0.01)


@pytest.fixture(scope="module")
def learned(compact_hands):
    return on_device(compact_hands, Selection(), CPU, 1)


def weights(run):
    return torch.cat([parameter.detach().flatten() for parameter in run.net.parameters()])


def test_the_loss_falls(learned):
    run = Imitation(TINY, learned, CPU)
    found = [run.learn() for _ in range(TINY.steps)]
    for part in ("total", "policy", "hidden", "outcome"):
        first, last = (sum(float(getattr(one, part).detach()) for one in some) / 5 for some in (found[:5], found[-5:]))
        assert last < first, part
    assert float(found[-1].agreement) > float(found[0].agreement)


@pytest.mark.parametrize("whole", [True, False])
def test_a_resumed_run_goes_on_as_if_never_stopped(learned, tmp_path, whole):
    config = replace(TINY, steps=12, whole_moments=whole)
    straight = Imitation(config, learned, CPU)
    for _ in range(12):
        straight.learn()
    first = Imitation(config, learned, CPU)
    for _ in range(7):
        first.learn()
    first.save(tmp_path)
    torch.manual_seed(99)
    second = Imitation(config, learned, CPU)
    second.load(tmp_path)
    assert second.step == 7
    for _ in range(5):
        second.learn()
    if whole:
        assert torch.equal(weights(straight), weights(second))
    else:  # moments lose their last bits
        assert float((weights(straight) - weights(second)).abs().max()) < 0.05
        assert float((weights(straight) - weights(second)).abs().mean()) < 1e-3


def test_dropout_only_while_learning(learned):
    run = Imitation(replace(TINY, dropout=0.2, input_dropout=0.2), learned, CPU)
    run.learn()  # the last layers begin at zero
    batch = learned.batch(torch.arange(8))
    assert not torch.equal(run.net(batch.inputs, batch.drawn).policy, run.net(batch.inputs, batch.drawn).policy)
    run.net.eval()
    plain = Imitation(replace(TINY, dropout=0.0), learned, CPU)
    plain.net.load_state_dict(run.net.state_dict())
    assert torch.equal(run.net(batch.inputs, batch.drawn).policy, plain.net(batch.inputs, batch.drawn).policy)


def test_smoothing_spreads_over_legal_actions_only():
    logits = torch.tensor([[2.0, 1.0, -1e9, 0.0]])
    legal = torch.tensor([[True, True, False, True]])
    wanted = torch.tensor([[0.9 + 0.1 / 3, 0.1 / 3, 0.0, 0.1 / 3]])
    policy = torch.nn.functional.cross_entropy(logits, torch.tensor([0]))
    found = policy_loss(logits, policy, legal, 0.1)
    assert float(found) == pytest.approx(float(-(wanted * logits.log_softmax(1))[legal].sum()), abs=1e-6)
    assert policy_loss(logits, policy, legal, 0.0) is policy


def test_a_student_learns_its_teachers_policy(learned, tmp_path):
    teacher = Imitation(TINY, learned, CPU)
    assert train(teacher, tmp_path, report=lambda line: None)
    taught = f"{tmp_path}/checkpoint.pt,{tmp_path}/checkpoint.pt"
    config = replace(TINY, seed=1, teachers=taught, teaching=1.0, hidden_weight=0.0, outcome_weight=0.0)
    student = Imitation(config, learned, CPU)
    rows = torch.arange(len(learned))
    batch = student.examples.batch(rows)
    wanted = batch.taught
    assert learned.taught is None
    assert float(wanted.sum(1).sub(1).abs().max()) < 5e-3
    assert float(wanted[~batch.legal].max()) == 0
    assert torch.allclose(wanted, teacher_policy(teacher, batch), atol=1e-3)
    moved = student.examples.batch(rows, Suits(), torch.Generator().manual_seed(0))
    assert torch.equal(moved.taught.sort(1).values, wanted.sort(1).values)
    assert float(moved.taught[~moved.legal].max()) == 0
    assert torch.equal(taken(moved), taken(batch))

    def distance():
        with torch.no_grad():
            logits = student.net(batch.inputs, batch.drawn).policy.masked_fill(~batch.legal, -1e9)
        return float((wanted * (wanted.clamp(min=1e-9).log() - logits.log_softmax(1))).sum(1).mean())

    before = distance()
    for _ in range(TINY.steps):
        student.learn()
    assert distance() < before / 2


def test_a_run_can_start_from_another(learned, tmp_path):
    first = Imitation(TINY, learned, CPU)
    assert train(first, tmp_path, report=lambda line: None)
    export(first.net, tmp_path / "network.npz")
    for name, tolerance in (("checkpoint.pt", 0.0), ("network.npz", 1e-3)):
        second = Imitation(replace(TINY, seed=1, start=str(tmp_path / name)), learned, CPU)
        assert second.step == 0
        for one, other in zip(first.net.parameters(), second.net.parameters()):
            assert torch.allclose(one, other, atol=tolerance)
    with pytest.raises(ValueError, match="another size"):
        Imitation(replace(TINY, blocks=TINY.blocks + 1, start=str(tmp_path / "checkpoint.pt")), learned, CPU)


def taken(batch):
    """The teachers' probability of the expert's action."""
    return batch.taught.gather(1, batch.action[:, None])


def teacher_policy(teacher, batch):
    with torch.no_grad():
        logits = teacher.net.eval()(batch.inputs, batch.drawn).policy
    return logits.masked_fill(~batch.legal, -1e9).softmax(1)


def test_training_writes_a_curve_and_stops_in_time(learned, tmp_path):
    run = Imitation(replace(TINY, steps=6), learned, CPU)
    assert not train(run, tmp_path, until=0.0, report_every=2, report=lambda line: None)
    assert run.step == 2
    assert read_checkpoint(tmp_path / "checkpoint.pt")["step"] == 2
    assert train(run, tmp_path, report_every=2, report=lambda line: None)
    rows = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == [2, 4, 6]


def test_every_epoch_sees_each_example_once(learned):
    run = Imitation(replace(TINY, batch=len(learned) // 4), learned, CPU)
    orders = []
    for epoch in range(2):
        rows = []
        for place in range(4):
            run.step = 4 * epoch + place
            rows.append(run.rows())
        orders.append(torch.cat(rows))
        assert len(torch.unique(orders[-1])) == len(orders[-1]) == 4 * (len(learned) // 4)
    assert not torch.equal(*orders)


def test_the_rate_rises_and_falls_to_zero():
    rates = [rate_at(step, TINY) for step in range(TINY.steps + 1)]
    assert rates.index(max(rates)) in (TINY.warmup - 1, TINY.warmup)
    assert max(rates) == TINY.rate
    assert rates[-1] == pytest.approx(0, abs=1e-12)


def test_exchanged_suits_keep_an_example_consistent(learned):
    rows = torch.arange(min(256, len(learned)))
    suits = Suits()
    plain = learned.batch(rows)
    mixed = learned.batch(rows, suits, torch.Generator().manual_seed(1))
    order = suits.draw(len(rows), torch.Generator().manual_seed(1))
    assert len(set(order.tolist())) == 6
    assert mixed.legal.gather(1, mixed.action[:, None]).all()
    assert torch.equal(mixed.legal.sum(1), plain.legal.sum(1))
    assert torch.equal(mixed.waits.sum(-1), plain.waits.sum(-1))
    for i in range(0, len(rows), 16):  # the maps of `suit_maps` are tested against exchanged hands
        assert mixed.action[i] == suits.actions[order[i], plain.action[i]]
        assert torch.equal(mixed.waits[i], plain.waits[i][:, suits.kinds[order[i]]])
        assert torch.equal(mixed.inputs[i].sort().values, suits.inputs[order[i]][plain.inputs[i]].sort().values)
    unchanged = order == next(i for i in range(6) if torch.equal(suits.kinds[i], torch.arange(34)))
    assert torch.equal(mixed.inputs[unchanged], plain.inputs[unchanged])


def test_settings():
    changed = ImitationConfig().changed(["width=32", "rate=0.5", "suits=no", "without=danger"])
    assert (changed.width, changed.rate, changed.suits, changed.without) == (32, 0.5, False, "danger")
    assert ImitationConfig.from_json(changed.to_json()) == changed
    for wrong, told in (
        ("breadth=3", "no setting is called 'breadth'"),
        ("width=wide", "width needs"),
        ("suits=maybe", "suits needs yes or no"),
    ):
        with pytest.raises(ValueError, match=told):
            ImitationConfig().changed([wrong])
    with pytest.raises(ValueError, match="no setting is called 'breadth'"):
        ImitationConfig.from_json({"breadth": 3})
    with pytest.raises(ValueError, match="no topic is called 'weather'"):
        Imitation(replace(TINY, without="weather"), None, CPU)  # type: ignore[arg-type]


def test_wrong_checkpoints_are_named(tmp_path):
    with pytest.raises(ValueError, match="no checkpoint at"):
        read_checkpoint(tmp_path / "checkpoint.pt")
    torch.save({"version": 0}, tmp_path / "checkpoint.pt")
    with pytest.raises(ValueError, match="is not a checkpoint of version 3"):
        read_checkpoint(tmp_path / "checkpoint.pt")
