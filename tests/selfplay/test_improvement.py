"""One step of policy iteration: evidence by self-play, the corrected last layer, and how it is judged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from riichi_tables import CPU  # noqa: E402
from test_selfplay_scripts import run_script  # noqa: E402
from tiny_runs import config_of, small_net  # noqa: E402

from janshi.learn.imitation.batches import unpack_legal  # noqa: E402
from janshi.learn.imitation.export import export, load_exported  # noqa: E402
from janshi.learn.imitation.network import RiichiNet  # noqa: E402
from janshi.learn.riichi.evidence import OPEN, Evidence, collect  # noqa: E402
from janshi.learn.riichi.improvement import (  # noqa: E402
    Behaviour,
    Sizes,
    by_layer,
    corrected,
    features,
    fine_tune,
    fit_sizes,
    judge,
    last_layer,
    seen_by,
    solve,
    sums_of,
)

BEHAVIOUR = Behaviour(0.5, 3.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Evidence of a tiny network, and the network beside it."""
    place = tmp_path_factory.mktemp("evidence")
    export(small_net(), place / "network.npz")
    for seed in (0, 1):
        config = config_of(
            place / "network.npz",
            decisions=700,
            explore=BEHAVIOUR.share,
            explore_temperature=BEHAVIOUR.temperature,
            rivals=0.0,
            action_terms=False,
            sharpness=1.0,
            seed=seed,
        )
        assert collect(config, place, CPU, 1, float("inf"), lambda line: None) > 100
    return place


@pytest.fixture(scope="module")
def net(folder: Path) -> RiichiNet:
    return load_exported(folder / "network.npz")


@pytest.fixture(scope="module")
def evidence(folder: Path) -> Evidence:
    files = sorted(folder.glob("*.pt"))
    assert len(files) == 4
    return Evidence.join([Evidence.load(path) for path in files])


def test_evidence_knows_the_chances_of_its_actions(net: RiichiNet, evidence: Evidence) -> None:
    seen = seen_by(net, evidence, BEHAVIOUR)
    assert float(seen.logits.softmax(1).max()) < OPEN + 1e-3
    assert (unpack_legal(evidence.legal).gather(1, evidence.action[:, None])).all()
    chance = seen.chances.gather(1, evidence.action[:, None])[:, 0]
    torch.testing.assert_close(chance.log(), evidence.log_chance, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(seen.chances.sum(1), torch.ones(len(evidence)))
    assert float((evidence.gained - evidence.whole).abs().max()) > 0.01


def test_features_give_the_logits(net: RiichiNet, evidence: Evidence) -> None:
    """The layer times the features of an action is its logit, less the mean over all actions."""
    seen = seen_by(net, evidence, BEHAVIOUR)
    logits = seen.logits.masked_fill(~unpack_legal(evidence.legal), 0.0)
    wanted = logits.gather(1, evidence.action[:, None])[:, 0] - (seen.chances * logits).sum(1)
    found = features(seen, evidence) @ last_layer(net).flatten()
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)


def test_a_corrected_network_has_the_corrected_layer(net: RiichiNet, evidence: Evidence) -> None:
    change = torch.randn_like(last_layer(net))
    made = corrected(net, change)
    torch.testing.assert_close(last_layer(made), last_layer(net) + change)
    logits = by_layer(last_layer(net) + change)(seen_by(net, evidence, BEHAVIOUR), evidence)
    torch.testing.assert_close(seen_by(made, evidence, BEHAVIOUR).logits, logits, rtol=1e-4, atol=1e-3)
    out = made(evidence.inputs.long(), evidence.drawn.long())
    torch.testing.assert_close(out.tenpai, net(evidence.inputs.long(), evidence.drawn.long()).tenpai)


def claimed(net: RiichiNet, evidence: Evidence, truth: torch.Tensor) -> Evidence:
    """Evidence in which gains are what another last layer says, and some noise."""
    torch.manual_seed(1)
    worth = 0.01 * (features(seen_by(net, evidence, BEHAVIOUR), evidence) @ truth.flatten())
    noise = 0.003 * torch.randn(len(evidence))
    return replace(evidence, gained=worth + noise, whole=worth + noise)


def test_what_choices_are_worth_is_found(net: RiichiNet, evidence: Evidence) -> None:
    """If actions are worth what another layer says, that layer is found, and it is judged to gain."""
    torch.manual_seed(2)
    truth = last_layer(net) + 0.5 * torch.randn_like(last_layer(net))
    true = claimed(net, evidence, truth)
    half = len(true) // 2
    learned, judging = true.take(slice(0, half)), true.take(slice(half, None))
    sizes, sums = sums_of(net, learned, BEHAVIOUR)
    solved = solve(sums, last_layer(net), (1.0, 1e9))
    candidates = {str(name): by_layer(last_layer(net) + change) for name, change in solved.changes.items()}
    found, kept = judge(net, candidates | {"truth": by_layer(truth)}, judging, BEHAVIOUR)[:2]
    assert found.differs > 0.1
    assert found.gain > 3 * found.gain_error
    assert "other choices" in str(found)
    assert kept.differs < 0.05  # a large penalty leaves the layer as it is
    start = corrected(net, solved.changes[1e9])
    tuned = fine_tune(start, net, learned, BEHAVIOUR, solved, sizes, 1e-2, chunk=64)

    def error(one: RiichiNet) -> float:
        seen = seen_by(net, learned, BEHAVIOUR)
        wanted = features(seen, learned) @ truth.flatten()
        return float((features(seen, learned) @ last_layer(one).flatten() - wanted).square().mean())

    assert error(tuned) < error(start)


def test_sizes_follow_what_is_at_stake() -> None:
    torch.manual_seed(3)
    tokens = torch.cat([torch.randn(20_000, 3), torch.ones(20_000, 1)], 1)
    true = torch.exp(0.5 * (0.8 * tokens[:, 0] - 4.0))
    sizes = fit_sizes(tokens, true * torch.randn(20_000))
    assert isinstance(sizes, Sizes)
    torch.testing.assert_close(sizes.weights.float(), torch.tensor([0.8, 0.0, 0.0, -4.0]), rtol=0.0, atol=0.06)


def test_the_script(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = str(folder / "network.npz")
    tiny = ["tables=8", "decisions=200", "games=east", "values=none", "luck_width=12", "luck_blocks=1", "luck_heads=2"]
    settings = [f"--set={one}" for one in (*tiny, "luck_hidden=12", "sharpness=1", f"network={network}")]
    words = ["--device", "cpu", "--threads", "1", *settings]
    run_script("improve_policy", ["collect", str(tmp_path / "e"), *words, "--set", "iterations=2"], monkeypatch)
    out = tmp_path / "improved.npz"
    run_script("improve_policy", ["fit", str(tmp_path / "e"), "--out", str(out), "--rate", "1e-5", *words], monkeypatch)
    facts = json.loads(out.with_suffix(".json").read_text())
    assert facts["judged"]["name"] in {one["name"] for one in facts["all"]}
    assert load_exported(out).config.width == 12
    assert load_exported(tmp_path / "improved-1e-05.npz")
    with pytest.raises(SystemExit, match="0 files of evidence"):
        run_script("improve_policy", ["fit", str(tmp_path), *words], monkeypatch)
