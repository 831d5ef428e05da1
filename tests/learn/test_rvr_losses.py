"""The networks and losses of the variants."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from janshi.features.planes import encoder  # noqa: E402
from janshi.learn.config import VARIANTS, TrainConfig  # noqa: E402
from janshi.learn.ppo import choose, masked  # noqa: E402
from janshi.learn.rvr import Critic, ExpectedReward, expected_loss, value_loss  # noqa: E402

SMALL = {"blocks": 1, "channels": 8, "width": 16, "tables": 64, "rollout": 512, "batch": 128}


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_critics_tell_one_value_or_values_that_sum_to_zero(variant: str) -> None:
    torch.manual_seed(1)
    rules, players = ("guobiao", 4) if VARIANTS[variant].race else ("simplified", 3)
    planes = encoder(rules)
    critic = Critic(TrainConfig(rules=rules, variant=variant, **SMALL), planes, players)
    private = torch.randint(0, 4, (5, planes.private_bytes), dtype=torch.uint8)
    hidden = torch.randint(0, 4, (5, planes.hidden_bytes), dtype=torch.uint8)
    elsewhere = torch.randn(5, players)
    values = critic(private, hidden, elsewhere)
    if VARIANTS[variant].relative:
        assert values.shape == (5, players)
        assert values.sum(1).abs().max() < 1e-5
    else:
        assert values.shape == (5, 1)
    assert torch.equal(values, critic(private, torch.zeros_like(hidden), elsewhere)) == (not VARIANTS[variant].hidden)
    assert torch.equal(values, critic(private, hidden, elsewhere + 1)) == (not VARIANTS[variant].duplicate)


def test_in_races_a_value_is_relative_to_the_other_tables() -> None:
    planes = encoder("guobiao")
    critic = Critic(TrainConfig(rules="guobiao", variant="race", **SMALL), planes, 4)
    private = torch.randint(0, 4, (5, planes.private_bytes), dtype=torch.uint8)
    hidden = torch.randint(0, 4, (5, planes.hidden_bytes), dtype=torch.uint8)
    elsewhere = torch.randn(5, 4)
    with torch.no_grad():
        critic.net.last.weight.zero_()
        assert torch.equal(critic(private, hidden, elsewhere), elsewhere[:, :1])
        critic.net.last.bias.fill_(0.5)
        assert torch.equal(critic(private, hidden, elsewhere), elsewhere[:, :1] + 0.5)


def test_in_rl4_values_begin_at_how_the_wall_ended_elsewhere_and_sum_to_zero() -> None:
    planes = encoder("simplified")
    critic = Critic(TrainConfig(variant="rl4", **SMALL), planes, 3)
    private = torch.randint(0, 4, (5, planes.private_bytes), dtype=torch.uint8)
    hidden = torch.randint(0, 4, (5, planes.hidden_bytes), dtype=torch.uint8)
    elsewhere = torch.randn(5, 3)
    elsewhere -= elsewhere.mean(1, keepdim=True)
    with torch.no_grad():
        critic.net.last.weight.zero_()
        assert torch.allclose(critic(private, hidden, elsewhere), elsewhere, atol=1e-6)
        critic.net.last.bias.copy_(torch.tensor([0.5, -0.1, -0.1]))
        values = critic(private, hidden, elsewhere)
    assert torch.allclose(values, elsewhere + torch.tensor([0.4, -0.2, -0.2]), atol=1e-6)
    assert not VARIANTS["rl4"].expected


def test_expected_rewards_sum_to_zero() -> None:
    planes = encoder("simplified")
    net = ExpectedReward(TrainConfig(variant="rl2", **SMALL), planes, 3)
    private = torch.randint(0, 4, (5, planes.private_bytes), dtype=torch.uint8)
    hidden = torch.randint(0, 4, (5, planes.hidden_bytes), dtype=torch.uint8)
    assert net(private, hidden).sum(1).abs().max() < 1e-5


def test_value_loss_sums_over_players_and_clips() -> None:
    values, targets = torch.tensor([[1.0, -1.0]]), torch.tensor([[0.0, 0.0]])
    assert value_loss(values, values, targets, 0.0).item() == pytest.approx(2.0)
    old = torch.tensor([[2.0, -1.0]])  # 1 is farther than 0.2 from 2: the loss is that of 1.8
    assert value_loss(values, old, targets, 0.2).item() == pytest.approx(1.8**2 + 1)


def test_expected_loss_is_the_mean_square() -> None:
    told, got = torch.tensor([[1.0, -1.0], [0.0, 0.0]]), torch.tensor([[2.0, -2.0], [0.0, 0.0]])
    assert expected_loss(told, got).item() == pytest.approx(1.0)


def test_illegal_actions_are_never_chosen() -> None:
    torch.manual_seed(0)
    masks = torch.rand(4000, 34) < 0.2
    masks[:, 5] = True
    logits = 20 * torch.randn(4000, 34)
    logs = masked(logits, masks)
    for shares in (torch.rand(4000), torch.zeros(4000), torch.full((4000,), 1 - 2**-24)):
        actions = choose(logs, shares)
        assert masks[torch.arange(4000), actions].all()
    assert torch.isfinite(logs.exp()).all()
    assert (logs.exp()[~masks] == 0).all()


def test_actions_are_drawn_by_their_chances() -> None:
    logs = torch.log(torch.tensor([[0.1, 0.2, 0.7]])).repeat(100_000, 1)
    shares = (torch.arange(100_000) + 0.5) / 100_000
    counts = torch.bincount(choose(logs, shares), minlength=3)
    assert (counts - torch.tensor([10_000, 20_000, 70_000])).abs().max() < 50


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="rl3"):
        TrainConfig(variant="rl9")
    with pytest.raises(ValueError, match="riichi"):
        TrainConfig(rules="riichi/tenhou")
    with pytest.raises(ValueError, match="colour"):
        TrainConfig().changed(["colour=3"])
    with pytest.raises(ValueError, match="rate needs a value of type float"):
        TrainConfig().changed(["rate=fast"])
    with pytest.raises(ValueError, match="one hand"):
        TrainConfig(rules="guobiao/match").game()
    with pytest.raises(ValueError, match="races are for guobiao"):
        TrainConfig(rules="simplified", variant="race")
    with pytest.raises(ValueError, match="past_share must be 0"):
        TrainConfig(rules="guobiao", variant="race", past_share=0.5)
    with pytest.raises(ValueError, match="no seats in variant alone"):
        TrainConfig(variant="alone", past_share=0.5)
    for temperature in (0.0, -1.0):
        with pytest.raises(ValueError, match=f"temperature must be above 0, not {temperature}"):
            TrainConfig(temperature=temperature)
    assert TrainConfig().changed(["rate=1e-3", "compiled=no"]).rate == 1e-3
