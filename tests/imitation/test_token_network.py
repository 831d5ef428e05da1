"""The riichi network in NumPy gives the same answers as in PyTorch, independent of the rest of the batch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from janshi.agents.learned.tokens import PAYMENT_UNIT, TokenNetwork, read_network
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection, examples
from janshi.learn.imitation.export import export, exported_arrays, restored
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.imitation.training import load_net
from janshi.models.store import ModelError

SMALL = ImitationConfig(width=36, blocks=2, heads=3, hidden=20)


def lively(config=SMALL):
    """A small network that prefers some actions: all its weights are random."""
    torch.manual_seed(5)
    net = RiichiNet(config)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    return net.eval()


@pytest.fixture(scope="module")
def packed(compact_hands):
    """Positions of all kinds: own turns and reactions, drawn tiles red and not."""
    found = np.concatenate([packed for packed, _ in examples(compact_hands, Selection(seats="all"))])
    return found[:: max(len(found) // 96, 1)].view(np.recarray)


def said_by_torch(net, packed):
    with torch.inference_mode():
        out = net(
            torch.from_numpy(packed["inputs"].astype(np.int64)), torch.from_numpy(packed["drawn"].astype(np.int64))
        )
    tenpai = out.tenpai.sigmoid()
    return {
        "policy": out.policy,
        "waits": out.waits.sigmoid() * tenpai[..., None],
        "rons": out.rons.sigmoid() * tenpai[..., None],
        "tenpai": tenpai,
        "value": out.value.exp() * PAYMENT_UNIT,
        "ranks": out.ranks.softmax(-1),
        "ends": out.end.softmax(-1),
    }


@pytest.mark.parametrize("without", ["", "standing,danger"])
def test_numpy_equals_torch(packed, without):
    net = lively(ImitationConfig(**{**SMALL.to_json(), "without": without}))
    ours = TokenNetwork(exported_arrays(net), {"config": net.config.to_json()}).ask(packed)._asdict()
    for name, theirs in said_by_torch(net, packed).items():
        scale = max(float(theirs.abs().max()), 1.0)
        assert ours[name].shape == tuple(theirs.shape), name
        assert np.abs(ours[name] - theirs.numpy()).max() < 1e-4 * scale, name
    assert len(set(ours["policy"].argmax(1).tolist())) > 5


@pytest.mark.parametrize("without", ["", "standing,danger"])
def test_an_exported_network_is_read_back(packed, without, tmp_path):
    net = lively(ImitationConfig(**{**SMALL.to_json(), "without": without}))
    export(net, tmp_path / "network.npz")
    ours, theirs = said_by_torch(load_net(tmp_path / "network.npz"), packed), said_by_torch(net, packed)
    for name in theirs:
        scale = max(float(theirs[name].abs().max()), 1.0)
        assert float((ours[name] - theirs[name]).abs().max()) < 0.02 * scale, name  # weights are kept in float16


def test_left_out_topics_change_nothing(packed):
    net = lively(ImitationConfig(**{**SMALL.to_json(), "without": "hand"}))
    from janshi.features.riichi import layout as at

    hands = [
        section.first + group.first
        for section in at.SECTIONS[:1]
        for group in section.layout.groups
        if group.topic == "hand"
    ]
    inputs = torch.from_numpy(packed["inputs"].astype(np.int64))
    drawn = torch.from_numpy(packed["drawn"].astype(np.int64))
    held = torch.isin(inputs % at.TILE_SECTION.width, torch.tensor(hands)) & (inputs < at.TILE_SECTION.end)
    assert held.any()
    with torch.inference_mode():
        assert torch.equal(net(inputs, drawn).policy, net(inputs.masked_fill(held, at.NO_INPUT), drawn).policy)


def test_float16_keeps_the_choices(packed, tmp_path):
    net = lively()
    export(net, tmp_path / "net.npz", {"seed": 5})
    network = TokenNetwork.load(tmp_path / "net.npz")
    assert (network.card["seed"], network.card["config"]) == (5, SMALL.to_json())
    theirs = said_by_torch(net, packed)["policy"].numpy()
    assert np.array_equal(network.ask(packed).policy.argmax(1), theirs.argmax(1))


def test_answers_do_not_depend_on_the_batch(packed):
    network = TokenNetwork(exported_arrays(lively()), {"config": SMALL.to_json()})
    together = network.ask(packed)
    for i in (0, 7, 31):
        alone = network.ask(packed[i : i + 1])
        assert all(np.array_equal(one[0], all_of_them[i]) for one, all_of_them in zip(alone, together))
    turned = network.ask(packed[::-1])
    assert all(np.array_equal(one[::-1], other) for one, other in zip(turned, together))
    assert [part.shape[0] for part in network.ask(packed[:0])] == [0] * 7


def test_wrong_files_are_named(tmp_path):
    with pytest.raises(ModelError, match=r"there is no network .*none\.npz"):
        read_network(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no network")
    with pytest.raises(ModelError, match=r"text\.npz is not an exported network"):
        read_network(tmp_path / "text.npz")
    export(lively(), tmp_path / "old.npz", {"inputs": "riichi-0"})
    with pytest.raises(ModelError, match=r"old\.npz reads the inputs riichi-0"):
        read_network(tmp_path / "old.npz")


def test_an_exported_network_goes_back_to_torch(packed, tmp_path):
    net = lively()
    export(net, tmp_path / "net.npz")
    again = restored(*read_network(tmp_path / "net.npz"))
    told = said_by_torch(again, packed[:16])
    for name, said in said_by_torch(net, packed[:16]).items():
        np.testing.assert_allclose(told[name], said, rtol=0.05, atol=0.05)
