"""A second last layer for the worth of choices, and the player that uses it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from janshi.agents.check import check_agent
from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.tokens import ChoiceWorths, TokenNetwork, read_network
from janshi.agents.learned.veteran import VeteranAgent, lost_places
from janshi.agents.learned.worth_layer import WorthLayer, read_layer
from janshi.agents.loss import MOST, RANK
from janshi.models.store import ModelError
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import NUM_ACTIONS, TSUMOGIRI

torch = pytest.importorskip("torch")

from janshi.learn.imitation.config import ImitationConfig  # noqa: E402
from janshi.learn.imitation.export import export  # noqa: E402
from janshi.learn.imitation.network import RiichiNet  # noqa: E402

GAME = make_game("riichi")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A small network with an opinion on everything."""
    torch.manual_seed(1)
    net = RiichiNet(ImitationConfig(width=24, blocks=1, heads=2, hidden=24))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    path = tmp_path_factory.mktemp("veteran") / "network.npz"
    export(net, path)
    return path


def layer_of(file, change=0.0, unit=0.1, size=0.0):
    """The network's own policy as a layer, changed at random."""
    arrays, _ = read_network(file)
    random = np.random.default_rng(3)

    def rows(name, columns):
        own = np.concatenate([arrays[f"{name}_out"], arrays[f"{name}_out_bias"][None]])[:, :columns]
        return own + np.float32(change) * random.normal(size=own.shape).astype(np.float32)

    width = len(arrays["place"][0])
    sizes = np.float32(size) * random.normal(size=(width + 1, 1)).astype(np.float32)
    return WorthLayer(
        rows("tile", 6), rows("question", 14), sizes, {"network": digest_of(file), "worth of a logit": unit}
    )


@pytest.fixture(scope="module")
def layer(file):
    """A layer that differs from the policy."""
    path = file.with_name("layer.npz")
    layer_of(file, change=0.3, size=0.3).save(path)
    return path


@pytest.fixture(scope="module")
def views(small_dataset):
    batches = Dataset(small_dataset).decisions(batch_size=300, seats="all")
    return np.ascontiguousarray(next(iter(batches))[0])


def test_the_networks_own_policy_as_a_layer_gives_its_logits(file, views):
    arrays, card = read_network(file)
    plain, both = TokenNetwork(arrays, card), TokenNetwork(arrays, card, worths=layer_of(file))
    packed = plain.pack(views, GAME.rules.record())
    wanted = plain.ask(packed)
    guess, worths = both.ask_worths(packed)
    for one, other in zip(wanted, guess):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(worths.logits, wanted.policy, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(worths.unit, 0.1, rtol=1e-6)
    np.testing.assert_allclose(both.ask(packed).policy, wanted.policy, rtol=1e-5, atol=1e-5)
    assert both.ask_worths(packed[:0])[1].logits.shape == (0, NUM_ACTIONS)
    with pytest.raises(ModelError, match="no layer"):
        plain.ask_worths(packed)


@pytest.mark.parametrize("name", ["onnx", "torch"])
def test_engines_agree_up_to_rounding(file, layer, views, name):
    if name == "onnx":
        pytest.importorskip("onnxruntime")
    arrays, card = read_network(file)
    own, other = (TokenNetwork(arrays, card, engine, worths=read_layer(layer)) for engine in ("numpy", name))
    packed = own.pack(views, GAME.rules.record())
    for (guess, worths), (guess2, worths2) in [(own.ask_worths(packed), other.ask_worths(packed))]:
        np.testing.assert_allclose(worths.logits, worths2.logits, atol=2e-4)
        np.testing.assert_allclose(worths.unit, worths2.unit, rtol=1e-3)
        np.testing.assert_allclose(guess.policy, guess2.policy, atol=2e-4)
    assert worths.unit.std() > 0.001


def test_losses_are_of_the_layer_and_frequencies_of_experts(file, layer, views):
    veteran, apprentice = VeteranAgent(GAME, str(layer), str(file)), ApprenticeAgent(GAME, str(file))
    chosen = veteran.most_probable(veteran.probabilities(views), views)
    assert (chosen != apprentice.most_probable(apprentice.probabilities(views), views)).mean() > 0.1
    for one, other, action in zip(veteran.values(views), apprentice.values(views), chosen):
        assert one.unit == RANK
        assert one.experts == pytest.approx(other.experts, abs=1e-5)
        assert one.values[int(action)] == pytest.approx(max(one.values.values()))
    explained = veteran.explain(views[:20])
    for one in explained:
        worths = [choice.worth for choice in one.choices]
        assert worths == sorted(worths, reverse=True)
        assert one.unit == RANK
    legal = GAME.masks_of_views(views)
    assert legal[np.arange(len(views)), chosen].all()


def test_what_an_action_loses():
    logits = np.zeros((2, NUM_ACTIONS), np.float32)
    legal = np.zeros((2, NUM_ACTIONS), bool)
    legal[0, [3, 5, TSUMOGIRI]] = True
    logits[0, [3, 5, TSUMOGIRI]] = 1.0, 2.0, 0.5
    legal[1, [7, 8]] = True
    logits[1, [7, 8]] = 0.0, 40.0
    lost = lost_places(ChoiceWorths(logits, np.array([0.1, 2.0], np.float32)), legal, np.array([3, -1]))
    both = np.log(np.exp(1.0) + np.exp(0.5))  # the tile from the hand and the same tile as drawn are one choice
    assert lost[0, 3] == lost[0, TSUMOGIRI] == pytest.approx(0.1 * max(2.0 - both, 0.0), abs=1e-6)
    assert lost[0, 5] == 0
    assert np.isnan(lost[0, 4])
    assert lost[1, 7] == MOST[RANK]  # nothing loses more than there is to lose
    assert lost[1, 8] == 0


def test_it_plays_by_the_rules_of_agents(file, layer):
    check_agent(VeteranAgent(GAME, str(layer), str(file)), GAME)


def test_files_that_do_not_fit_are_named(file, layer, tmp_path):
    other = tmp_path / "other.npz"
    replace(layer_of(file), card={"network": "00000000", "worth of a logit": 1.0}).save(other)
    with pytest.raises(ModelError, match="belongs to another network"):
        VeteranAgent(GAME, str(other), str(file))
    with pytest.raises(ModelError, match="there is no layer"):
        VeteranAgent(GAME, str(tmp_path / "none.npz"), str(file))
    with pytest.raises(ModelError, match=r"has the format .*; this version reads"):
        VeteranAgent(GAME, str(file), str(file))
    np.savez(tmp_path / "old.npz", tile=np.zeros(1), question=np.zeros(1), size=np.zeros(1), card=card_of("layer 0"))
    with pytest.raises(ModelError, match="has the format 'layer 0'"):
        read_layer(tmp_path / "old.npz")
    (tmp_path / "text.npz").write_text("no arrays")
    with pytest.raises(ModelError, match="is not an exported layer: expected a file that policy iteration exported"):
        read_layer(tmp_path / "text.npz")
    again = read_layer(layer)
    assert again.network == digest_of(file)
    assert again.tile.dtype == np.float32


def card_of(form):
    return np.frombuffer(f'{{"format": "{form}"}}'.encode(), np.uint8)


def test_versions_tell_layers_apart(file, layer, tmp_path):
    layer_of(file, change=0.1).save(tmp_path / "second.npz")
    first, second = (VeteranAgent(GAME, str(one), str(file)) for one in (layer, tmp_path / "second.npz"))
    assert first.version != second.version
    assert digest_of(layer) in first.version
