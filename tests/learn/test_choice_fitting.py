"""Fitting values of actions to hands of a policy: the same luck as in training, and less variance where they fit."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.features.prospects import choices_of  # noqa: E402
from janshi.learn import choice_fitting  # noqa: E402
from janshi.learn.config import TrainConfig  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.prospect_values import ProspectValues  # noqa: E402
from janshi.learn.variance import frozen  # noqa: E402
from janshi.models.draw_values import ACTIONS, shipped_file  # noqa: E402

TINY = TrainConfig(
    variant="rl5a", blocks=1, channels=8, width=16, tables=64, rollout=1024, batch=128, threads=1, device="cpu"
)


def run() -> Trainer:
    torch.set_num_threads(1)
    names = ("tables", "rollout", "batch", "threads", "device")
    settings = {name: getattr(TINY, name) for name in names}
    return frozen(Trainer(TINY).policy, "simplified", "rl5a", 4, [], gamma=1.0, lam=1.0, **settings)


def arbitrary() -> ProspectValues:
    about = choices_of(TINY.game().family)
    assert about is not None
    torch.manual_seed(2)
    network = ProspectValues(about, 16)
    with torch.no_grad():
        network.last.weight.normal_(std=0.3)
    return network


def test_luck_is_that_of_training() -> None:
    trainer, network = run(), arbitrary()
    assert trainer.luck is not None
    assert trainer.luck.actions is not None
    own = trainer.luck.actions.network
    assert isinstance(own, ProspectValues)
    part = choice_fitting.played(trainer, 20)[-1]
    with torch.no_grad():
        own.last.weight.normal_(std=0.3)
    for _ in trainer.luck.actions.compute():
        pass
    wanted = trainer.luck.of(part.ready)[1]
    np.testing.assert_allclose(choice_fitting.luck_of(own, part), wanted, atol=1e-5)
    assert np.abs(choice_fitting.luck_of(network, part)).max() > 0.01


def test_values_learn_and_take_variance_out_of_what_they_fitted() -> None:
    parts, network, losses = choice_fitting.played(run(), 150), arbitrary(), list[float]()
    before = choice_fitting.share_left(network, parts).value
    choice_fitting.fit(network, parts, passes=4, batch=256, report=lambda _, loss: losses.append(loss))
    assert len(losses) == 4
    assert losses[-1] < losses[0]
    assert choice_fitting.share_left(network, parts).value < before


def test_shipped_values_of_actions_begin_a_run_from_a_policy() -> None:
    assert shipped_file("simplified", ACTIONS).is_file()
    fresh, begun = Trainer(TINY).luck, run().luck
    for luck, least in ((fresh, 0.0), (begun, 0.05)):
        assert luck is not None
        assert luck.actions is not None
        assert isinstance(luck.actions.network, ProspectValues)
        most = float(luck.actions.network.last.weight.detach().abs().max())
        assert most > least
        assert (most > 0.05) == (least > 0)
