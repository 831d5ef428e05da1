"""ONNX Runtime and PyTorch answer as NumPy does, up to rounding; wrong choices of an engine are named."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.learned.engines import ENGINES, make_engine
from janshi.agents.learned.network import shipped
from janshi.agents.learned.tokens import TokenNetwork, read_network
from janshi.agents.registry import make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.learn.imitation.examples import Selection, examples
from janshi.rules.batch import Batch
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.registry import make_game

GAME = make_game("riichi/tenhou")
OTHERS = [name for name in ENGINES if name != "numpy"]


@pytest.fixture(scope="module")
def packed(compact_hands):
    found = np.concatenate([packed for packed, _ in examples(compact_hands, Selection(seats="all"))])
    return found[:: max(len(found) // 160, 1)].view(np.recarray)


@pytest.fixture(scope="module")
def network():
    return read_network(shipped("apprentice", "riichi"))


@pytest.fixture(scope="module")
def ours(packed, network):
    """What NumPy says."""
    return TokenNetwork(*network).ask(packed)


def engine_of(name, network):
    if name == "onnx":
        pytest.importorskip("onnxruntime", reason="engine=onnx needs janshi[onnx]")
    return TokenNetwork(*network, engine=name)


@pytest.mark.parametrize("name", OTHERS)
def test_engines_agree_up_to_rounding(packed, network, ours, name):
    theirs = engine_of(name, network).ask(packed)
    for part, one, other in zip(ours._fields, ours, theirs):
        assert one.shape == other.shape, part
        assert np.abs(one - other).max() < 2e-4 * max(1, np.abs(one).max()), part
    legal = ((packed["legal"][:, :, None] >> np.arange(LEGAL_BITS)) & 1).reshape(len(packed), -1) == 1
    chosen = [np.where(legal, said.policy, -np.inf).argmax(1) for said in (ours, theirs)]
    assert np.array_equal(*chosen)


def test_onnx_answers_do_not_depend_on_the_batch(packed, network):
    made = engine_of("onnx", network)
    together = made.ask(packed)
    for part in (packed[3:4], packed[7:20]):
        first = 3 if len(part) == 1 else 7
        for one, other in zip(made.ask(part), together):
            assert np.array_equal(one, other[first : first + len(part)])


def test_a_device_of_torch_cuts_large_batches(packed, network, monkeypatch):
    import janshi.agents.learned.engines.torch as module

    whole = TokenNetwork(*network, device="cpu").ask(packed)
    monkeypatch.setattr(module, "MOST", 48)
    pieces = TokenNetwork(*network, device="cpu").ask(packed)
    for one, other in zip(whole, pieces):
        assert one.shape == other.shape
        assert np.abs(one - other).max() < 2e-4 * max(1, np.abs(one).max())


def test_an_agent_on_a_device_plays_a_match():
    """Many tables in lockstep, every decision of a step in one batch of the device."""
    plan = Plan("riichi/tenhou_east", ("apprentice:device=cpu", "greedy"), ((0, 1, 1, 1),), 1, 11)
    plain = Plan("riichi/tenhou_east", ("apprentice", "greedy"), ((0, 1, 1, 1),), 1, 11)
    ours, theirs = run_match(plan), run_match(plain)
    assert np.array_equal(ours.scores, theirs.scores)


def test_the_agent_on_a_device_answers_like_the_agent():
    batch, greedy = Batch(GAME, 12, seed=3), make_agent("greedy", GAME)
    plain, device = make_agent("apprentice", GAME), make_agent("apprentice:device=cpu", GAME)
    same = total = 0
    for _ in range(24):
        views = batch.views()
        asked = Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)
        same += int((plain.act(asked) == device.act(asked)).sum())
        total += len(views)
        batch.step(greedy.act(asked))
    assert total > 250
    assert same == total


def test_wrong_choices_are_named(network):
    with pytest.raises(ValueError, match="engine is one of numpy, onnx, torch, not 'abacus'"):
        make_engine("abacus", "", *network)
    with pytest.raises(ValueError, match="device=cuda needs engine=torch, not engine=numpy"):
        make_engine("numpy", "cuda", *network)
    with pytest.raises(ValueError, match="there is no device 'cuda:99'"):
        make_agent("apprentice:device=cuda:99", GAME)
    with pytest.raises(ValueError, match="there is no device 'abacus'"):
        make_agent("apprentice:device=abacus", GAME)


def test_a_missing_library_is_named(network, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ValueError, match=r"needs ONNX Runtime: pip install 'janshi\[onnx\]'"):
        make_engine("onnx", "", *network)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"needs PyTorch: pip install 'janshi\[learn\]'"):
        make_engine("", "cpu", *network)
