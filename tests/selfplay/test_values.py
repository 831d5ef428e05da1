"""Values of draws and choices to begin a run with: the package's take luck out, files go there and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from riichi_tables import CPU, eager, played  # noqa: E402
from tiny_runs import TINY, config_of, small_net  # noqa: E402

from effort import effort  # noqa: E402
from janshi.learn.imitation.export import export  # noqa: E402
from janshi.learn.riichi.config import SelfPlayConfig  # noqa: E402
from janshi.learn.riichi.learner import some_decisions  # noqa: E402
from janshi.learn.riichi.networks import DrawValues, Player, Tilted, sharpened  # noqa: E402
from janshi.learn.riichi.returns import luck_of, luck_of_hands, results_of  # noqa: E402
from janshi.learn.riichi.run import Run  # noqa: E402
from janshi.learn.riichi.tables import Tables  # noqa: E402
from janshi.learn.riichi.values import FILE, starting_values  # noqa: E402
from janshi.models.store import ModelError  # noqa: E402


def test_the_packages_values_take_luck_out_of_hands_of_other_players() -> None:
    """Of hands of players who always go for the win, and whom they have never seen, at most three quarters is left."""
    values = DrawValues(SelfPlayConfig()).eval()
    values.load_state_dict(starting_values(SelfPlayConfig())[0])
    hands = played(Tables(np.arange(32), 11, stride=32), effort(50, 150), eager(2))
    results = results_of(hands)
    gains = results.end - results.start
    freed = gains - luck_of_hands(luck_of(hands, values, CPU), results)
    assert freed.var() < 0.75 * gains.var()


def test_values_of_a_run_start_another(tmp_path: Path) -> None:
    export(small_net(), tmp_path / "network.npz")
    run = Run(config_of(tmp_path / "network.npz"), CPU)
    run.block(_folder(tmp_path / "first"), lambda line: None)
    run.save(tmp_path / "first")
    for place in (tmp_path / "first", tmp_path / "first" / FILE):
        other = Run(config_of(tmp_path / "network.npz", values=str(place), seed=9), CPU)
        other.take_values()
        for one, two in (
            (run.learner.values, other.learner.values),
            (run.learner.average.choices, other.learner.player.choices),
        ):
            for name, value in one.state_dict().items():
                assert torch.allclose(value, two.state_dict()[name], atol=2e-3), name


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="luck_width': 12"):
        starting_values(replace(TINY, values="package"))
    with pytest.raises(ModelError, match="holds no values"):
        starting_values(replace(TINY, values=str(tmp_path / "nothing.npz")))


def test_a_sharper_network_says_the_same_otherwise() -> None:
    net = small_net()
    inputs, drawn = torch.arange(60).view(2, 30) * 7, torch.tensor([3, -1])
    plain, sharp = net(inputs, drawn), sharpened(net, 2.5)(inputs, drawn)
    assert torch.allclose(sharp.policy, 2.5 * plain.policy, atol=1e-5)
    for name in ("waits", "rons", "tenpai", "value", "ranks", "end"):
        assert torch.equal(getattr(sharp, name), getattr(plain, name)), name


def test_a_tilted_player_leans_to_what_it_values() -> None:
    player = Player(small_net()).eval()
    with torch.no_grad():
        player.choices.tile_out.bias[0] = 3.0  # discards from the hand
    inputs, drawn = torch.arange(60).view(2, 30) * 7, torch.tensor([3, -1])
    moved = Tilted(player, 2.0)(inputs, drawn).policy - player.policy(inputs, drawn).policy
    assert torch.allclose(moved[:, :34], torch.full((2, 34), 6.0), atol=1e-4)
    assert moved[:, 40:].abs().max() < 1e-4


def test_leaving_out_certain_decisions_keeps_the_mean() -> None:
    """Over many draws of which decisions are learned from, their weighted mean is the mean of all."""
    random = np.random.default_rng(3)
    logs = np.log(random.choice([0.3, 0.9, 0.99], 4000))
    numbers = np.where(logs > np.log(0.95), 1.0, 3.0) + random.normal(size=4000)
    means, sizes = [], []
    for _ in range(200):
        kept, weights = some_decisions(logs, 0.1, random)
        means.append((weights[kept] * numbers[kept]).mean())
        sizes.append(len(kept))
    assert abs(np.mean(means) - numbers.mean()) < 5 * np.std(means) / np.sqrt(200)
    assert np.mean(sizes) < 0.75 * 4000


def _folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path
