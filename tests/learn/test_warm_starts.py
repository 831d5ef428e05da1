"""Runs that begin with what another run learned: its policy.npz, its light.pt, or the mean of policies."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tiny_training import tiny  # noqa: E402

from janshi.features.planes import encoder  # noqa: E402
from janshi.learn import checkpoint  # noqa: E402
from janshi.learn.config import TrainConfig  # noqa: E402
from janshi.learn.network import PolicyNet, arrays_of, export, holds_policy, mean_policy  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.training import new_run, save  # noqa: E402

TINY = tiny("rl1", tables=8, rollout=320, batch=32)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trainer, Path]:
    """A run with weights that a fresh one has not, and its directory."""
    trainer, out = Trainer(TINY), tmp_path_factory.mktemp("learned")
    with torch.no_grad():
        for net in trainer.networks.named().values():
            for weights in net.parameters():
                weights += 0.1 * torch.randn_like(weights)
    save(trainer, out, full=False)
    return trainer, out


def begun(config: TrainConfig, source: Path, out: Path) -> tuple[Trainer, str]:
    """A run that began from a file, and what it said."""
    said: list[str] = []
    return new_run(config, out, str(source), said.append), "\n".join(said)


def assert_close(ours: Any, theirs: Any) -> None:
    """The same weights, but for half precision."""
    ours, theirs = arrays_of(ours), arrays_of(theirs)
    for name, array in theirs.items():
        np.testing.assert_allclose(ours[name], array, rtol=1e-3, atol=1e-5, err_msg=name)


def assert_same(ours: Any, theirs: Any) -> None:
    """Exactly the same weights."""
    mine, its = ours.state_dict(), theirs.state_dict()
    assert all(torch.equal(mine[name], its[name]) for name in its)


@pytest.mark.parametrize(("file", "told"), [("policy.npz", "the policy of"), ("light.pt", "the policy and the values")])
def test_a_run_begins_with_anothers_policy(learned: Any, tmp_path: Path, file: str, told: str) -> None:
    before, source = learned
    trainer, said = begun(replace(TINY, seed=6), source / file, tmp_path)
    assert told in said
    assert str(source / file) in said
    assert_close(trainer.policy, before.policy)
    assert_same(trainer.players.newest, trainer.policy)
    fresh = Trainer(replace(TINY, seed=6)).critic
    if file == "policy.npz":
        assert_same(trainer.critic, fresh)
    else:
        for mine, its in zip(trainer.critic.parameters(), before.critic.parameters()):
            assert torch.allclose(mine, its, rtol=1e-3, atol=1e-5)
    for _ in range(3):
        trainer.rollout()


@pytest.mark.parametrize("file", ["policy.npz", "light.pt"])
def test_a_temperature_divides_the_logits(learned: Any, tmp_path: Path, file: str) -> None:
    _, source = learned
    plain, _ = begun(TINY, source / file, tmp_path / "plain")
    warm, _ = begun(replace(TINY, temperature=2.5), source / file, tmp_path / "warm")
    records = torch.randint(0, 4, (20, plain.encoder.private_bytes), dtype=torch.uint8)
    with torch.no_grad():
        wanted = plain.policy(records) / 2.5
        assert wanted.abs().max() > 0.1
        for net in (warm.policy, warm.players.newest):
            assert torch.allclose(net(records), wanted, rtol=1e-4, atol=1e-5)


def test_values_of_another_variant_are_not_taken(learned: Any, tmp_path: Path) -> None:
    before, source = learned
    config = replace(TINY, variant="basic", seed=6)
    trainer, said = begun(config, source / "light.pt", tmp_path)
    assert "not the values" in said
    assert_close(trainer.policy, before.policy)
    assert_same(trainer.critic, Trainer(config).critic)


def test_policies_that_do_not_fit_are_refused(learned: Any, tmp_path: Path) -> None:
    _, source = learned
    wide, other = Trainer(replace(TINY, width=24)), Trainer(replace(TINY, rules="guobiao"))
    fresh = [value.clone() for value in wide.policy.parameters()]
    for file in ("policy.npz", "light.pt"):
        with pytest.raises(ValueError, match="'width': 24"):
            checkpoint.begin_from(wide, source / file)
        with pytest.raises(ValueError, match=other.encoder.version):
            checkpoint.begin_from(other, source / file)
    assert all(torch.equal(mine, its) for mine, its in zip(wide.policy.parameters(), fresh))
    with pytest.raises(ValueError, match="'width': 24"):
        new_run(replace(TINY, width=24), tmp_path, str(source / "policy.npz"), lambda _: None)
    assert not (tmp_path / "config.json").exists()


def test_checkpoints_of_other_planes_are_refused(learned: Any, tmp_path: Path) -> None:
    before, source = learned
    state = torch.load(source / "light.pt", weights_only=True)
    torch.save({**state, "features": "simplified-0"}, tmp_path / "old.pt")
    with pytest.raises(ValueError, match=f"simplified-0; the run sees {before.encoder.version}"):
        checkpoint.begin_from(Trainer(TINY), tmp_path / "old.pt")


def test_files_that_are_nothing_of_the_kind(tmp_path: Path) -> None:
    trainer = Trainer(TINY)
    whole = io.BytesIO()
    torch.save({"weights": torch.zeros(3)}, whole)
    torch.save(torch.zeros(3), tmp_path / "tensor.pt")
    for name, data in (("text.pt", b"nothing"), ("empty.pt", b""), ("part.pt", whole.getvalue()[:200])):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "foreign.pt").write_bytes(whole.getvalue())
    for file in sorted(tmp_path.glob("*.pt")):
        with pytest.raises(ValueError, match=f"{file.name} is not a checkpoint"):
            checkpoint.begin_from(trainer, file)


def test_files_that_hold_no_policy_are_read_as_recorded_hands(tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays.npz", weights=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "empty.npz").write_bytes(b"")
    for name in ("arrays.npz", "array.npy", "text.npz", "empty.npz", "missing.npz"):
        assert not holds_policy(tmp_path / name)
    for name in ("arrays.npz", "array.npy", "text.npz", "empty.npz"):
        with pytest.raises(ValueError, match=f"{name} holds no recorded hands"):
            begun(TINY, tmp_path / name, tmp_path / name.partition(".")[0])


def test_a_mean_policy_has_the_means_of_all_weights() -> None:
    made, sizes = encoder("simplified"), {"blocks": 2, "channels": 8, "neck": 4, "width": 16}
    policies = [PolicyNet(made, **sizes) for _ in range(3)]
    states = [policy.state_dict() for policy in policies]
    for name, value in mean_policy(policies[:2]).state_dict().items():
        assert torch.allclose(value, (states[0][name] + states[1][name]) / 2)
    for name, value in mean_policy(policies).state_dict().items():
        assert torch.allclose(value, (states[0][name] + states[1][name] + states[2][name]) / 3, atol=1e-6)
    assert_same(mean_policy(policies[:1]), policies[0])


def test_policies_of_different_sizes_or_planes_have_no_mean() -> None:
    made, sizes = encoder("simplified"), {"blocks": 1, "channels": 8, "neck": 4, "width": 16}
    policy = PolicyNet(made, **sizes)
    with pytest.raises(ValueError, match=r"'width': 16.*'width': 24.*cannot be averaged"):
        mean_policy([policy, PolicyNet(made, **{**sizes, "width": 24})])
    other = encoder("guobiao")
    with pytest.raises(ValueError, match=rf"{made.version}.*{other.version}.*cannot be averaged"):
        mean_policy([policy, PolicyNet(other, **sizes)])


def test_an_exported_policy_is_known(tmp_path: Path) -> None:
    policy = PolicyNet(encoder("simplified"), blocks=1, channels=8, neck=4, width=16)
    assert holds_policy(export(policy, tmp_path / "policy.npz"))
