"""Training the network: files made from a data set, the same results by PyTorch and kernels, and learning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="data sets need pyarrow")
pytest.importorskip("torch", reason="training needs PyTorch")

import torch
from few_games import unpack

from janshi.features.network import mirror
from janshi.fitting.data import VALIDATING, Source
from janshi.fitting.network.data import TRAIN, VALIDATE, all_opponents, prepare, read_hands
from janshi.fitting.network.training import Examples, Network, NetworkConfig, NetworkTrainer, start_linear
from janshi.models import network as nw
from janshi.models.waiting import WaitingModel
from janshi.records.dataset import Dataset
from janshi.records.importer import import_records

SMALL = nw.Sizes(32, 16, 32, 16, 16)


def quiet(text: str) -> None:
    """Report nothing."""


@pytest.fixture(scope="module")
def source(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Forty games to train on, four of the test pack."""
    folder = tmp_path_factory.mktemp("games")
    unpack(shared / "records" / "houou-2020.tar.xz", folder / "houou-2020", 40)
    unpack(shared / "records" / "houou-2022.tar.xz", folder / "houou-2022", 4)
    out = tmp_path_factory.mktemp("data") / "set"
    import_records([folder / "houou-2020", folder / "houou-2022"], out, workers=1)
    return Source(Dataset(out))


@pytest.fixture(scope="module")
def data(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("network")
    prepare(source, folder)
    return folder


@pytest.fixture(scope="module")
def examples(data: Path) -> tuple[Examples, Examples]:
    return tuple(Examples(all_opponents(data, role, 0.3, 1, 1, quiet, 150), "cpu") for role in (TRAIN, VALIDATE))


def test_hands_of_the_test_pack_are_left_out(source, data):
    hands, answers, _, roles = read_hands(data)
    assert len(hands) == (~source.test & ~source.disconnect).sum()
    assert len(answers) == hands["decisions"].sum()
    assert set(roles) == {TRAIN, VALIDATE}


def test_what_is_encoded_agrees_with_the_data_set(source, data):
    parts = list(all_opponents(data, VALIDATE, 1.0, 1, 1, quiet))
    positions = list(source.positions(VALIDATING))
    tenpai = np.concatenate([part.tenpai for part in parts])
    assert len(tenpai) == sum(3 * len(some.views) for some in positions)
    assert tenpai.sum() == sum(some.tenpai.sum() for some in positions)
    winning = sum(int((part.payments > 0).sum()) for part in parts)
    assert winning == sum(int((some.payments > 0).sum()) for some in positions)
    for part in parts:
        assert not ((part.payments > 0) & ((part.safe[:, None] >> np.arange(34)) & 1 > 0)).any()


def test_pytorch_and_kernels_say_the_same(source):
    views = next(source.positions(VALIDATING)).views[:200]
    torch.manual_seed(2)
    model = Network(SMALL).eval()
    with torch.no_grad():
        for value in model.parameters():
            value.copy_(torch.randn_like(value) * 0.2)
    said = nw.OpponentNetwork(nw.unpack(nw.pack(model.weights()))).predict(views)
    from test_network import encoded

    lists = np.stack([encoded(views[i : i + 1], player)[0] for i in range(len(views)) for player in (1, 2, 3)])
    with torch.no_grad():
        for value in model.parameters():
            value.copy_(value.half().float())
        outputs, kinds = model(torch.from_numpy(lists).int())
    waiting = torch.sigmoid(outputs[:, 0]).numpy().reshape(-1, 3)
    open_ones = views["riichi"][:, 1:] == 0
    np.testing.assert_allclose(said["waiting"][open_ones], waiting[open_ones], rtol=2e-3, atol=1e-5)
    suits = torch.sigmoid(kinds[:, 0, :27].clamp(-16, 16)).numpy().reshape(-1, 3, 27)
    found = said["winning"][:, :, :27]
    np.testing.assert_allclose(found[found > 0], suits[found > 0], rtol=5e-3, atol=1e-5)


def test_turning_lists_and_outputs_changes_nothing_for_a_turned_table():
    torch.manual_seed(2)
    model = Network(SMALL).eval()
    from janshi.features.network import GLOBAL_ROOM, ROOM, SUIT_ROOM

    lists = torch.randint(1, 80, (6, ROOM)).int()
    turned = torch.tensor([[True, False, True]] * 6)
    suits = slice(GLOBAL_ROOM, GLOBAL_ROOM + 3 * SUIT_ROOM)
    other = lists.clone()
    whole = other[:, suits].view(6, 3, SUIT_ROOM).long()
    other[:, suits] = torch.where(turned[:, :, None], torch.from_numpy(mirror())[whole], whole).flatten(1).int()
    with torch.no_grad():
        plain, flipped = model(other)[1], model(other, turned)[1]
    np.testing.assert_allclose(plain[:, :, :9].flip(2), flipped[:, :, :9])
    np.testing.assert_allclose(plain[:, :, 9:18], flipped[:, :, 9:18])


def test_something_is_learned_and_the_same_every_time(examples):
    torch.set_num_threads(1)
    config = NetworkConfig(sizes=SMALL, batch=256, epochs=1.0)
    kept: list[list[nw.Weights]] = [[], []]
    for weights in kept:
        trainer = NetworkTrainer(config, "cpu", *examples)
        trainer.validate(quiet, weights.append)
        trainer.run(1000, quiet, weights.append)
    first, last = trainer.curve[0], trainer.curve[-1]
    assert last["total"] < first["total"]
    assert last["AUC"] > 0.7
    assert last["ordering"] > 0.55
    for one, other in zip(kept[0][-1], kept[1][-1]):  # MKL's sums depend on where arrays happen to lie in memory
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-6)


def test_started_from_the_linear_model_it_waits_alike(source):
    views = next(source.positions(VALIDATING)).views[:100]
    model = Network(SMALL)
    with torch.no_grad():
        for value in model.parameters():
            value.zero_()
    start_linear(model)
    said = nw.OpponentNetwork(nw.unpack(nw.pack(model.weights()))).predict(views)
    np.testing.assert_allclose(said["waiting"], WaitingModel.load().predict(views), atol=0.01)
