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
from janshi.learn.riichi.evidence import OPEN, TRACES, Evidence, collect  # noqa: E402
from janshi.learn.riichi.improvement import (  # noqa: E402
    Correction,
    Improved,
    Sizes,
    by_correction,
    fit_sizes,
    judge,
    sizes_of,
    solve,
    sums_of,
)
from janshi.learn.riichi.last_layer import Asked, Behaviour, Reader, corrected, features, last_layer  # noqa: E402
from janshi.learn.riichi.networks import Choices  # noqa: E402

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


@pytest.fixture(scope="module")
def reader(net: RiichiNet) -> Reader:
    return Reader(Asked(net.requires_grad_(False)), BEHAVIOUR)


def test_evidence_knows_the_chances_of_its_actions(reader: Reader, evidence: Evidence) -> None:
    seen = reader(evidence)
    assert float(seen.logits.softmax(1).max()) < OPEN + 1e-3
    assert (unpack_legal(evidence.legal).gather(1, evidence.action[:, None])).all()
    chance = seen.chances.gather(1, evidence.action[:, None])[:, 0]
    torch.testing.assert_close(chance.log(), evidence.log_chance, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(seen.chances.sum(1), torch.ones(len(evidence)))
    assert evidence.gained.shape == (len(evidence), len(TRACES))
    assert float((evidence.gained[:, 0] - evidence.gained[:, -1]).abs().max()) > 0.01


def test_features_give_the_logits(reader: Reader, evidence: Evidence) -> None:
    """The layer times the features of an action is its logit, less the mean over all actions."""
    seen = reader(evidence)
    logits = seen.logits.masked_fill(~unpack_legal(evidence.legal), 0.0)
    wanted = logits.gather(1, evidence.action[:, None])[:, 0] - (seen.chances * logits).sum(1)
    found = features(seen, evidence)[:, :-1] @ last_layer(reader.net).flatten()
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)


def some_choices(net: RiichiNet) -> Choices:
    torch.manual_seed(4)
    choices = Choices(net.config)
    for out in (choices.tile_out, choices.question_out):
        torch.nn.init.normal_(out.weight, std=0.1)
    return choices


def test_a_player_is_what_was_judged(reader: Reader, evidence: Evidence) -> None:
    """The corrected network, and the player tilted by values, have the logits of the candidates."""
    net, choices = reader.net, some_choices(reader.net)
    change = torch.randn_like(last_layer(net))
    made = corrected(net, change)
    torch.testing.assert_close(last_layer(made), last_layer(net) + change)
    sizes = sizes_of(reader, evidence)
    candidate = by_correction(net, Correction(change, 0.0), sizes)
    torch.testing.assert_close(Reader(Asked(made), BEHAVIOUR)(evidence).logits, candidate(reader(evidence), evidence))
    inputs, drawn = evidence.inputs.long(), evidence.drawn.long()
    torch.testing.assert_close(made(inputs, drawn).tenpai, net(inputs, drawn).tenpai)
    tilted = Correction(change, 0.3)
    free = unpack_legal(evidence.legal)
    wanted = by_correction(net, tilted, sizes)(replace_choices(reader, choices)(evidence), evidence)
    found = Improved(net, choices, tilted, sizes)(inputs, drawn).policy
    torch.testing.assert_close(found[free], wanted[free], rtol=1e-3, atol=1e-3)
    assert float((wanted[free] - candidate(reader(evidence), evidence)[free]).detach().abs().max()) > 0.1


def replace_choices(reader: Reader, choices: Choices) -> Reader:
    return replace(reader, choices=choices)


def claimed(reader: Reader, evidence: Evidence, truth: torch.Tensor, trusted: float = 0.0) -> Evidence:
    """Evidence in which gains are what another last layer and values of choices say, and some noise."""
    torch.manual_seed(1)
    x = features(reader(evidence), evidence).detach()
    worth = 0.01 * (x[:, :-1] @ truth.flatten()) + trusted * x[:, -1]
    noise = 0.003 * torch.randn(len(evidence), len(TRACES))
    return replace(evidence, gained=worth[:, None] + noise)


def test_what_choices_are_worth_is_found(reader: Reader, evidence: Evidence) -> None:
    """If actions are worth what another layer says, that layer is found, and it is judged to gain."""
    torch.manual_seed(2)
    net = reader.net
    truth = last_layer(net) + 0.5 * torch.randn_like(last_layer(net))
    true = claimed(reader, evidence, truth)
    half = len(true) // 2
    learned, judging = true.take(slice(0, half)), true.take(slice(half, None))
    sizes = sizes_of(reader, learned)
    for solved in solve(sums_of(reader, sizes, learned), last_layer(net), (1.0, 1e9)):
        assert solved.trusted == 0
        candidates = {str(name): by_correction(net, one, sizes) for name, one in solved.corrections.items()}
        found, kept = judge(reader, candidates, judging).values()
        assert found[0].differs > 0.1
        assert found[0].gain > 3 * found[0].error
        assert "other choices" in str(found[0])
        assert kept[0].differs < 0.05  # a large penalty leaves the layer as it is
        assert sum(one.gain for one in found[1:]) == pytest.approx(found[0].gain)
        assert sum(one.differs for one in found[1:]) == pytest.approx(found[0].differs)


def test_how_much_of_the_values_is_true_is_found(reader: Reader, evidence: Evidence) -> None:
    """Of values of choices that say too much, as much is taken as is true; and they learn."""
    choices = some_choices(reader.net)
    valued = replace_choices(reader, choices)
    true = claimed(valued, evidence, last_layer(reader.net), trusted=0.4)
    sizes = sizes_of(valued, true)
    sums = sums_of(valued, sizes, true)
    *_, solved = solve(sums, last_layer(reader.net), (1e9,))
    assert 0.3 < solved.trusted < 0.5
    assert abs(solved.corrections[1e9].tilt - solved.trusted / solved.factor) < 1e-3
    *_, without = solve(sums.without_values(), last_layer(reader.net), (1.0,))
    assert without.trusted == without.corrections[1.0].tilt == 0
    tilted = by_correction(reader.net, solved.corrections[1e9], sizes)
    found = judge(valued, {"tilted": tilted}, true)["tilted"][0]
    assert found.gain > 3 * found.error
    before = [one.clone() for one in choices.parameters()]
    sums_of(valued, sizes, true, rate=1e-3)
    assert any((one != old).any() for one, old in zip(choices.parameters(), before))
    assert all(one.grad is None for one in reader.net.parameters())


def test_evidence_of_another_network_serves_as_well(reader: Reader, evidence: Evidence) -> None:
    """Chances are those of the network that played; logits and features are those of the one that is improved."""
    other = Asked(small_net(seed=5).requires_grad_(False))
    seen, own = Reader(other, BEHAVIOUR, collector=reader.asked)(evidence), reader(evidence)
    torch.testing.assert_close(seen.chances, own.chances)
    torch.testing.assert_close(seen.logits, Reader(other, BEHAVIOUR)(evidence).logits)
    assert float((seen.logits - own.logits).abs().max()) > 0.1
    torch.manual_seed(6)
    truth = last_layer(other.net) + 0.5 * torch.randn_like(last_layer(other.net))
    both = Reader(other, BEHAVIOUR, collector=reader.asked)
    true = claimed(both, evidence, truth)
    sizes = sizes_of(both, true)
    *_, solved = solve(sums_of(both, sizes, true), last_layer(other.net), (1.0,))
    found = judge(both, {"found": by_correction(other.net, solved.corrections[1.0], sizes)}, true)["found"][0]
    assert found.differs > 0.1
    assert found.gain > 3 * found.error


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
    run_script("improve_policy", ["fit", str(tmp_path / "e"), "--out", str(out), *words], monkeypatch)
    facts = json.loads(out.with_suffix(".json").read_text())
    assert facts["judged"]["name"] in {one["name"] for one in facts["all"]}
    assert load_exported(out).config.width == 12
    assert not (tmp_path / "improved-valued.npz").exists()
    export(small_net(seed=5), tmp_path / "other.npz")
    words[words.index(f"--set=network={network}")] = f"--set=network={tmp_path / 'other.npz'}"
    out = tmp_path / "other-improved.npz"
    run_script(
        "improve_policy", ["fit", str(tmp_path / "e"), "--out", str(out), "--collector", network, *words], monkeypatch
    )
    assert load_exported(out).config.width == 12
    with pytest.raises(SystemExit, match="0 files of evidence"):
        run_script("improve_policy", ["fit", str(tmp_path), *words], monkeypatch)
