"""One step of policy iteration: evidence by self-play, the corrected last layer, and how it is judged."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from riichi_tables import CPU  # noqa: E402
from test_selfplay_scripts import run_script  # noqa: E402
from tiny_runs import config_of, small_net  # noqa: E402

from janshi.agents.learned.agent import digest_of  # noqa: E402
from janshi.agents.learned.worth_layer import read_layer  # noqa: E402
from janshi.learn.imitation.batches import unpack_legal  # noqa: E402
from janshi.learn.imitation.export import export, load_exported  # noqa: E402
from janshi.learn.imitation.network import RiichiNet  # noqa: E402
from janshi.learn.riichi.choice_worth import calibration, slope  # noqa: E402
from janshi.learn.riichi.evidence import (  # noqa: E402
    OPEN,
    TRACES,
    Evidence,
    collect,
    evidence_file,
    evidence_files,
    policy_file,
)
from janshi.learn.riichi.improvement import (  # noqa: E402
    Sizes,
    Sums,
    by_layer,
    cross_fitted,
    fit_sizes,
    judge,
    sizes_of,
    solve,
    sums_of,
)
from janshi.learn.riichi.last_layer import (  # noqa: E402
    Behaviour,
    Evaluator,
    Reader,
    features,
    last_layer,
    with_layer,
)
from janshi.learn.riichi.policy_iteration import PROGRESS, Improver, iterate, layer_file  # noqa: E402
from patience import PATIENCE  # noqa: E402

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
        assert collect(config, place, CPU, 1, inf, lambda line: None) > 100
    return place


@pytest.fixture(scope="module")
def net(folder: Path) -> RiichiNet:
    return load_exported(folder / "network.npz")


@pytest.fixture(scope="module")
def evidence(folder: Path) -> Evidence:
    files = sorted(folder.glob("*.pt"))
    assert len(files) == 4
    return Evidence.join([Evidence.load(path) for path in files])


class Remembering(Evaluator):
    """A network that is asked only once about the same rows of the same evidence."""

    @cached_property
    def said(self) -> dict[Any, tuple[Evidence, tuple[torch.Tensor, torch.Tensor]]]:
        """What it said of evidence, which is kept so that no other lies where it lay."""
        return {}

    def __call__(self, some: Evidence) -> tuple[torch.Tensor, torch.Tensor]:
        key = some.inputs.data_ptr(), some.inputs.shape, some.inputs.stride()
        if key not in self.said:
            self.said[key] = some, super().__call__(some)
        return self.said[key][1]


@pytest.fixture(scope="module")
def reader(net: RiichiNet) -> Reader:
    return Reader(Remembering(net.requires_grad_(False)), BEHAVIOUR)


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
    found = features(seen, evidence) @ last_layer(reader.net).flatten()
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)


def test_a_player_is_what_was_judged(reader: Reader, evidence: Evidence) -> None:
    """The network with another last layer has the logits of the candidate, and nothing else changes."""
    net = reader.net
    layer = last_layer(net) + torch.randn_like(last_layer(net))
    made = with_layer(net, layer)
    torch.testing.assert_close(last_layer(made), layer)
    wanted = by_layer(layer)(reader(evidence), evidence)
    torch.testing.assert_close(Reader(Evaluator(made), BEHAVIOUR)(evidence).logits, wanted)
    inputs, drawn = evidence.inputs.long(), evidence.drawn.long()
    torch.testing.assert_close(made(inputs, drawn).tenpai, net(inputs, drawn).tenpai)


def other_layer(reader: Reader, seed: int = 2) -> torch.Tensor:
    torch.manual_seed(seed)
    layer = last_layer(reader.net)
    return layer + 0.5 * torch.randn_like(layer)


def claimed(reader: Reader, evidence: Evidence, truth: torch.Tensor) -> Evidence:
    """Evidence in which gains are what another last layer says, and some noise."""
    torch.manual_seed(1)
    worth = 0.01 * (features(reader(evidence), evidence).detach() @ truth.flatten())
    noise = 0.003 * torch.randn(len(evidence), len(TRACES))
    return replace(evidence, gained=worth[:, None] + noise)


def test_what_choices_are_worth_is_found(reader: Reader, evidence: Evidence) -> None:
    """If actions are worth what another layer says, that layer is found, and it is judged to gain."""
    base, true = last_layer(reader.net), claimed(reader, evidence, other_layer(reader))
    half = len(true) // 2
    learned, judging = true.take(slice(0, half)), true.take(slice(half, None))
    sizes = sizes_of(reader, learned)
    for solved in solve(sums_of(reader, sizes, learned), base, (1.0, 1e9)):
        candidates = {str(name): by_layer(base + change) for name, change in solved.corrections.items()}
        found, kept = judge(reader, candidates, judging).values()
        assert found[0].differs > 0.1
        assert found[0].gain > 3 * found[0].error
        assert "other choices" in str(found[0])
        assert kept[0].differs < 0.05  # a large penalty leaves the layer as it is
        assert sum(one.gain for one in found[1:]) == pytest.approx(found[0].gain)
        assert sum(one.differs for one in found[1:]) == pytest.approx(found[0].differs)


def test_ridge_regression_is_what_it_says(reader: Reader, evidence: Evidence) -> None:
    """The answer minimises squared errors plus the penalty, with the worth of a logit found first."""
    base, true = last_layer(reader.net), claimed(reader, evidence, other_layer(reader))
    sizes = sizes_of(reader, true)
    seen = reader(true)
    x = features(seen, true).double()
    y = true.gained.double() / sizes(seen)[:, None]
    for i, solved in enumerate(solve(sums_of(reader, sizes, true), base, (3.0,))):
        line = x @ base.double().flatten()
        assert solved.factor == pytest.approx(float(line @ y[:, i] / (line @ line)), rel=1e-4)
        d = solved.factor * solved.corrections[3.0].double().flatten()
        slope = x.T @ (x @ d + solved.factor * line - y[:, i]) + 3.0 * d
        assert float(slope.abs().max()) < 1e-3 * float((x.T @ y[:, i]).abs().max())


def test_corrections_are_judged_by_evidence_they_were_not_fitted_to(reader: Reader, evidence: Evidence) -> None:
    """With gains that are noise only, the best of many candidates seems to gain next to nothing; with a truth, much."""
    torch.manual_seed(8)
    noise = replace(evidence, gained=0.1 * torch.randn(len(evidence), len(TRACES)))
    true = claimed(reader, evidence, other_layer(reader))
    found = {}
    for name, one in (("noise", noise), ("truth", true)):
        folds = [one.take(slice(i, None, 3)) for i in range(3)]
        sizes = sizes_of(reader, *folds)
        sums = [sums_of(reader, sizes, fold) for fold in folds]
        found[name] = cross_fitted(reader, last_layer(reader.net), sums, folds, None, (1.0, 100.0))
        own = judge(reader, {"own": by_layer(found[name].layer)}, one)["own"][0]
        assert own.gain >= found[name].judged.gain - 3 * own.error
    assert found["noise"].judged.gain < 3 * found["noise"].judged.error
    assert found["truth"].judged.gain > 5 * found["truth"].judged.error
    assert found["truth"].factor > 0


def test_earlier_evidence_counts(reader: Reader, evidence: Evidence) -> None:
    """Evidence of an earlier policy of the same network improves the correction of the next one."""
    base, truth = last_layer(reader.net), other_layer(reader)
    true = claimed(reader, evidence, truth)
    sizes = sizes_of(reader, true)
    few, rest = true.take(slice(0, None, 10)), true.take(slice(5, None, 10))
    folds = [few.take(slice(i, None, 2)) for i in range(2)]
    sums = [sums_of(reader, sizes, fold) for fold in folds]
    alone = cross_fitted(reader, base, sums, folds, None, (10.0,))
    more = sums_of(reader, sizes, true.take(slice(1, None, 2)))
    helped = cross_fitted(reader, base, sums, folds, more, (10.0,))
    layers = alone.layer, helped.layer
    x = features(reader(rest), rest)
    near = [float(torch.corrcoef(torch.stack([x @ one.flatten(), x @ truth.flatten()]))[0, 1]) for one in layers]
    assert near[1] > near[0] + 0.01
    whole: Sums = sums[0] + sums[1]
    torch.testing.assert_close((whole - sums[1]).gram, sums[0].gram)


def test_evidence_of_another_network_serves_as_well(reader: Reader, evidence: Evidence) -> None:
    """Probabilities are those of the network that played; logits and features are those of the one to be improved."""
    other = Remembering(small_net(seed=5).requires_grad_(False))
    seen, own = Reader(other, BEHAVIOUR, collector=reader.evaluator)(evidence), reader(evidence)
    torch.testing.assert_close(seen.chances, own.chances)
    torch.testing.assert_close(seen.logits, Reader(other, BEHAVIOUR)(evidence).logits)
    assert float((seen.logits - own.logits).abs().max()) > 0.1
    both = Reader(other, BEHAVIOUR, collector=reader.evaluator)
    true = claimed(both, evidence, other_layer(both, seed=6))
    base, sizes = last_layer(other.net), sizes_of(both, true)
    *_, solved = solve(sums_of(both, sizes, true), base, (1.0,))
    found = judge(both, {"found": by_layer(base + solved.corrections[1.0])}, true)["found"][0]
    assert found.differs > 0.1
    assert found.gain > 3 * found.error


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_losses_are_measured(reader: Reader, evidence: Evidence, share: float) -> None:
    """If choices really lose `share` of what is predicted, that is what the groups show, whatever the noise."""
    truth = other_layer(reader)
    sizes = sizes_of(reader, evidence)
    seen = reader(evidence)
    usual = sizes(seen)
    lost = share * 0.2 * usual * (features(seen, evidence).detach() @ truth.flatten())
    torch.manual_seed(5)
    true = replace(evidence, gained=(lost + 0.002 * torch.randn(len(lost)))[:, None].expand(-1, len(TRACES)))
    groups = calibration(reader, by_layer(truth), 0.2, sizes, true)
    assert len(groups) > 3
    assert [one.predicted for one in groups] == sorted(one.predicted for one in groups)
    assert all(abs(one.measured - share * one.predicted) < 4 * one.error for one in groups)
    value, error = slope(groups)
    assert abs(value - share) < 4 * error
    assert error < 0.2
    assert groups[0].to_json()["alternatives"] == groups[0].alternatives


def test_sizes_follow_what_is_at_stake() -> None:
    torch.manual_seed(3)
    tokens = torch.cat([torch.randn(20_000, 3), torch.ones(20_000, 1)], 1)
    true = torch.exp(0.5 * (0.8 * tokens[:, 0] - 4.0))
    sizes = fit_sizes(tokens, true * torch.randn(20_000))
    assert isinstance(sizes, Sizes)
    torch.testing.assert_close(sizes.weights.float(), torch.tensor([0.8, 0.0, 0.0, -4.0]), rtol=0.0, atol=0.06)


# --- policy iteration


def played(folder: Path, network: Path, generation: int, evidence: Evidence, files: int = 3) -> None:
    """Evidence as the collectors of a generation would leave it."""
    for i in range(files):
        evidence.take(slice(i, None, files)).save(evidence_file(folder, generation, i, 0))


def test_generations_improve_on_each_other(folder: Path, reader: Reader, evidence: Evidence, tmp_path: Path) -> None:
    config = config_of(folder / "network.npz", sharpness=1.0, explore=BEHAVIOUR.share)
    config = replace(config, explore_temperature=BEHAVIOUR.temperature, iterations=1)
    true = claimed(reader, evidence, other_layer(reader))
    played(tmp_path, folder, 0, true)
    lines: list[str] = []
    assert iterate(config, tmp_path, CPU, inf, len(evidence), lines.append) == 1
    first = load_exported(policy_file(tmp_path, 1))
    assert not evidence_files(tmp_path)
    progress = [json.loads(line) for line in (tmp_path / PROGRESS).read_text().splitlines()]
    assert progress[0]["adopted"]
    assert progress[0]["open decisions"] == len(evidence)
    assert "generation 1: trace" in lines[0]
    assert float((last_layer(first) - last_layer(reader.net)).abs().max()) > 0.01
    # a later session continues with the newest policy, and ignores evidence of others
    played(tmp_path, folder, 0, true)
    noise = replace(true, gained=torch.randn_like(true.gained)).take(slice(1, None))
    played(tmp_path, folder, 1, noise)
    config = replace(config, iterations=2)
    assert iterate(config, tmp_path, CPU, -inf, 1, lines.append) == 1
    assert iterate(config, tmp_path, CPU, inf, 1, lines.append) == 2
    assert len(evidence_files(tmp_path)) == len(evidence_files(tmp_path, 0)) == 3
    second = load_exported(policy_file(tmp_path, 2))
    progress = [json.loads(line) for line in (tmp_path / PROGRESS).read_text().splitlines()]
    assert progress[1]["open decisions"] == len(noise)
    changed = float((last_layer(second) - last_layer(first)).abs().max()) > 1e-3
    assert changed == progress[1]["adopted"]


def test_only_a_sure_gain_is_adopted(folder: Path, reader: Reader, evidence: Evidence) -> None:
    config = config_of(folder / "network.npz", sharpness=1.0)
    improver = Improver(config, CPU)
    folds = [evidence.take(slice(i, None, 2)) for i in range(2)]
    found = improver.improve(folds)
    unsure = replace(found.judged, gains=[0.0] * len(TRACES))
    before = improver.layer.clone()
    improver.adopt(found._replace(judged=unsure, layer=before + 1))
    assert torch.equal(improver.layer, before)
    improver.adopt(found._replace(judged=replace(unsure, gains=[1.0] * len(TRACES)), layer=before + 1))
    assert torch.equal(improver.layer, before + 1)
    assert improver.rows == len(evidence)
    improver.add(folds)
    assert improver.rows == 2 * len(evidence)


def test_collectors_follow_the_newest_policy(folder: Path, tmp_path: Path) -> None:
    """They play with it from the next round on, and say so in the names of their files."""
    config = config_of(
        folder / "network.npz", decisions=300, rivals=0.0, action_terms=False, sharpness=1.0, iterations=2, explore=0.0
    )
    other = small_net(seed=9)
    export(other, policy_file(tmp_path, 3))
    assert collect(config, tmp_path, CPU, 1, inf, lambda line: None, follow=True) > 20
    files = evidence_files(tmp_path, 3)
    assert len(files) == 2
    found = Evidence.join([Evidence.load(path) for path in files])
    _, logits = Evaluator(load_exported(policy_file(tmp_path, 3)))(found)
    chance = logits.log_softmax(1).gather(1, found.action[:, None])[:, 0]
    differs = (chance - found.log_chance).abs() > 1e-3  # only in hands too long for the round that is dropped
    assert float(differs.float().mean()) < 0.03


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
    assert len(facts["sizes"]) == 13
    assert len(facts["losses"]["slope"]) == 2
    assert load_exported(out).config.width == 12
    export(small_net(seed=5), tmp_path / "other.npz")
    words[words.index(f"--set=network={network}")] = f"--set=network={tmp_path / 'other.npz'}"
    out = tmp_path / "other-improved.npz"
    run_script(
        "improve_policy", ["fit", str(tmp_path / "e"), "--out", str(out), "--collector", network, *words], monkeypatch
    )
    assert load_exported(out).config.width == 12
    with pytest.raises(SystemExit, match="0 files of evidence"):
        run_script("improve_policy", ["fit", str(tmp_path), *words], monkeypatch)
    enough = ["--seconds", str(PATIENCE), "--enough", "10", "--set", "iterations=1"]
    run_script("improve_policy", ["iterate", str(tmp_path / "e"), *words, *enough], monkeypatch)
    policy = policy_file(tmp_path / "e", 1)
    layer = read_layer(layer_file(policy))
    net = load_exported(policy)
    torch.testing.assert_close(torch.from_numpy(layer.tile.T), last_layer(net)[:6], rtol=2e-3, atol=2e-3)
    torch.testing.assert_close(torch.from_numpy(layer.question.T), last_layer(net)[6:], rtol=2e-3, atol=2e-3)
    assert layer.network == digest_of(tmp_path / "other.npz")
    assert layer.card["worth of a logit"] == json.loads(policy.with_suffix(".json").read_text())["worth of the layer"]
