"""Networks that answer positions while tables are played: the same answers for any number of positions."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from tiny_runs import small_net  # noqa: E402

from janshi.features.riichi import layout as at  # noqa: E402
from janshi.features.riichi.packed import ROOM  # noqa: E402
from janshi.learn.imitation.config import ImitationConfig  # noqa: E402
from janshi.learn.imitation.network import RiichiNet  # noqa: E402
from janshi.learn.riichi.answers import SIZES, Answers  # noqa: E402

CPU = torch.device("cpu")


def positions(n: int, device: Any) -> tuple[Any, Any]:
    """Inputs of senseless positions."""
    random = torch.Generator().manual_seed(n)
    inputs = torch.randint(at.INPUTS, (n, ROOM), generator=random).to(torch.int16)
    return inputs.to(device), torch.randint(-1, 34, (n,), generator=random).to(torch.int16).to(device)


def test_answers_are_the_networks_own() -> None:
    net = small_net()
    inputs, drawn = positions(7, CPU)
    (logits,) = Answers(net, CPU, True)(inputs, drawn)
    assert torch.allclose(logits, net(inputs.long(), drawn.long()).policy, atol=1e-5)
    assert not logits.requires_grad


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here: graphs are tested where there is one")
def test_recorded_answers_follow_the_network_as_it_learns() -> None:
    """Any number of positions, also more than the largest size; new weights count without recording again."""
    device = torch.device("cuda")
    net = RiichiNet(ImitationConfig(width=64, blocks=2, heads=2, hidden=64)).to(device).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    recorded, plain = Answers(net, device, True), Answers(net, device, False)
    for _ in range(3):
        for n in (5, SIZES[0], SIZES[0] + 1, SIZES[-1] + 100):
            for _ in range(3):  # more often than work is run before it is recorded
                found, wanted = (answers(*positions(n, device))[0] for answers in (recorded, plain))
                assert found.shape == wanted.shape == (n, 120)
                assert (found - wanted).abs().max() < 0.05 * wanted.abs().max()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter *= 1.1
    assert all(size._work.graphs == 1 for size in recorded._sizes.values())
