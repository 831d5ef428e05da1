"""Networks over planes: what they see, how they begin, that they learn, and that files give them back."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import torch

from janshi.features.planes import encoder
from janshi.learn.network import PolicyNet, ValueNet, export, read_policy
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game

RULES = {"guobiao": "guobiao/botzone", "simplified": "simplified/paper"}
SMALL = {"blocks": 2, "channels": 16, "neck": 4, "width": 32}


@pytest.fixture(autouse=True)
def _same_dice():
    torch.manual_seed(1)


@cache
def records(family, tables=32):
    """Private and hidden inputs of the decisions open at some tables, and how many legal actions there are."""
    made = encoder(family)
    batch = Batch(make_game(RULES[family]), tables, seed=4)
    for _ in range(25):
        batch.step(batch.random_actions())
    private = np.zeros((len(batch), made.private_bytes), np.uint8)
    hidden = np.zeros((len(batch), made.hidden_bytes), np.uint8)
    made.pack_states(batch.states, batch.tables, batch.players, private, hidden)
    return torch.from_numpy(private), torch.from_numpy(hidden)


@pytest.mark.parametrize("family", RULES)
def test_networks_see_the_planes(family):
    made = encoder(family)
    private, hidden = records(family)
    own = PolicyNet(made, **SMALL).planes(private)
    both = ValueNet(made, 1, hidden=True, **SMALL).planes(torch.cat([private, hidden], 1))
    for seen, count in ((own, made.private_channels), (both, made.private_channels + made.hidden_channels)):
        assert seen.shape[1] % 8 == 0
        assert seen.is_contiguous(memory_format=torch.channels_last)
        assert seen[:, count:].abs().sum() == 0
    assert torch.equal(own[:, : made.private_channels], made.expand(private))
    assert torch.equal(both[:, : made.private_channels], made.expand(private))
    assert torch.equal(both[:, made.private_channels :][:, : made.hidden_channels], made.expand_hidden(hidden))


def test_in_half_precision_the_last_layer_of_a_policy_is_exact():
    private, hidden = records("simplified")
    policy, value = PolicyNet(encoder("simplified"), **SMALL), ValueNet(encoder("simplified"), 3, hidden=True, **SMALL)
    seen = []
    policy.last.register_forward_hook(lambda _, inputs, output: seen.extend([inputs[0], output]))
    with torch.no_grad():
        for net in (policy, value):
            net.last.weight.normal_(std=3.0)
        with torch.autocast("cpu", torch.bfloat16):
            logits, values = policy(private), value(private, hidden)
    assert [one.dtype for one in seen] == [torch.float32, torch.float32]
    assert torch.equal(logits, policy.last(seen[0]))
    assert logits.abs().max() > 8
    assert (logits != logits.bfloat16().float()).float().mean() > 0.9  # bfloat16 could not say them
    assert torch.equal(values, values.bfloat16().float())


@pytest.mark.parametrize("family", RULES)
def test_a_fresh_network_prefers_nothing(family):
    made = encoder(family)
    private, hidden = records(family)
    with torch.no_grad():
        chances = PolicyNet(made).legal_logits(private).softmax(1)
        values = ValueNet(made, 4, hidden=True)(private, hidden)
    legal = made.masks(private)
    assert (chances[~legal] == 0).all()
    even = legal / legal.sum(1, keepdim=True)
    assert (chances - even).abs().max() < 0.05 * even.max()
    assert values.shape == (len(private), 4)
    assert values.abs().max() < 0.2
    assert values.std() > 0


def test_the_default_is_the_papers_size():
    net = PolicyNet(encoder("guobiao"))
    assert net.sizes == {"blocks": 8, "channels": 128, "neck": 32, "width": 1024}
    assert (net.first.out_features, net.second.out_features, net.last.out_features) == (1024, 1024, 235)
    assert 2 * sum(parameter.numel() for parameter in net.parameters()) < 15 * 2**20


def test_every_weight_learns():
    private, hidden = records("simplified")
    net = ValueNet(encoder("simplified"), 3, hidden=True, extra=2, **SMALL)
    net(private, hidden, torch.randn(len(private), 2)).square().sum().backward()
    still = [name for name, weight in net.named_parameters() if weight.grad is None or not weight.grad.any()]
    # behind second convolutions that begin at zero nothing moves in the first step
    assert all(name.startswith("blocks.") and ".first." in name for name in still), still


@pytest.mark.parametrize("family", RULES)
def test_a_policy_learns_by_heart(family):
    """The planes show which action is the last legal one; a few steps of Adam find it out."""
    private, _ = records(family)
    legal = encoder(family).masks(private)
    private, legal = private[legal.sum(1) > 1], legal[legal.sum(1) > 1]
    wanted = legal.shape[1] - 1 - legal.flip(1).int().argmax(1)
    net = PolicyNet(encoder(family), **SMALL)
    optimiser = torch.optim.Adam(net.parameters(), 3e-3)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(net.legal_logits(private), wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert (net.legal_logits(private).argmax(1) == wanted).float().mean() > 0.9


def test_it_compiles_as_one_graph_and_computes_in_half_precision():
    private, hidden = records("simplified")
    net = ValueNet(encoder("simplified"), 3, hidden=True, **SMALL)
    with torch.no_grad():
        torch.nn.init.normal_(net.last.weight)
        whole = net(private, hidden)
        compiled = torch.compile(net, fullgraph=True, backend="eager")
        assert torch.equal(compiled(private, hidden), whole)
        with torch.autocast("cpu", torch.bfloat16):
            assert net.planes(torch.cat([private, hidden], 1)).dtype == torch.bfloat16
            half = compiled(private, hidden)
    assert half.dtype == torch.float32
    assert not torch.equal(half, whole)
    assert (half - whole).abs().max() < 0.1 * whole.std()


@pytest.mark.parametrize("family", RULES)
def test_an_exported_policy_comes_back(family, tmp_path):
    private, _ = records(family)
    net = PolicyNet(encoder(family), **SMALL)
    with torch.no_grad():
        for weight in net.parameters():
            weight.copy_((weight + 0.1 * torch.randn_like(weight)).half().float())
        path = export(net, tmp_path / "net.npz", {"seed": 3})
        back = read_policy(path)
        assert torch.allclose(back(private), net(private), rtol=1e-5, atol=1e-5)
        assert back.sizes == net.sizes
        net.last.bias[0] = 1e6
    with pytest.raises(ValueError, match="last_bias has weights that are too large"):
        export(net, tmp_path / "large.npz")
    assert not (tmp_path / "large.npz").exists()


def test_wrong_inputs_are_refused():
    private, hidden = records("simplified")
    with pytest.raises(ValueError, match="without hidden inputs"):
        PolicyNet(encoder("simplified"), **SMALL)(private, hidden)
    with pytest.raises(ValueError, match="for hidden inputs"):
        ValueNet(encoder("simplified"), 1, hidden=True, **SMALL)(private)
    with pytest.raises(ValueError, match="0 channels"):
        PolicyNet(encoder("simplified"), channels=0)
