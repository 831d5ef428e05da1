"""Luck terms in training: computed from earlier hands' networks, taken out of advantages, learned, kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from computed_terms import computed_and_wanted  # noqa: E402
from tiny_training import tiny  # noqa: E402

from janshi.agents.learned.network import shipped  # noqa: E402
from janshi.features.open_hands import OpenHands  # noqa: E402
from janshi.features.prospects import prospects_of, undrawn  # noqa: E402
from janshi.learn import checkpoint, outcome_values  # noqa: E402
from janshi.learn.config import TrainConfig  # noqa: E402
from janshi.learn.luck_terms import LuckTerms  # noqa: E402
from janshi.learn.luckless import without_luck  # noqa: E402
from janshi.learn.network import read_policy  # noqa: E402
from janshi.learn.outcome_values import OutcomeValues  # noqa: E402
from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.prospect_values import ProspectValues  # noqa: E402
from janshi.learn.slots import FORCED, Ready  # noqa: E402
from janshi.learn.variance import frozen, measure, play_until  # noqa: E402

TINY = tiny("rl5a", gamma=1.0, lam=1.0)


def trainer_with(config: TrainConfig, entries: int = 600) -> tuple[Trainer, LuckTerms, Ready]:
    """A trainer whose networks of terms are arbitrary, and hands that are ready."""
    trainer = Trainer(config)
    assert trainer.luck is not None
    with torch.no_grad():
        for part in trainer.luck.parts.values():
            last = part.network.last if isinstance(part.network, ProspectValues) else part.network.net.last
            last.weight.normal_(std=0.3)
    trainer.begin()
    play_until(trainer, entries)
    return trainer, trainer.luck, trainer.slots.take(trainer.most)


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
def test_advantages_are_without_luck(rules: str) -> None:
    """With values of zero and γ = λ = 1, they are the results less the terms of all later draws and actions."""
    trainer, luck, ready = trainer_with(replace(TINY, rules=rules, rollout=1024), 500)
    with torch.no_grad():
        for value in trainer.critic.net.last.parameters():
            value.zero_()
    luck.left = 0.5
    advs = trainer.advantages_of(ready)
    draws, actions = luck.of(ready)
    assert actions is not None
    scores = ready.scores * np.float32(trainer.config.scale)
    for hand in range(0, len(scores), 5):
        entries = range(ready.first[hand], ready.first[hand + 1])
        events = range(ready.draws.first[hand], ready.draws.first[hand + 1])
        for i in entries:
            player, place = ready.player[i], i - ready.first[hand]
            wanted = scores[hand, player]
            wanted -= actions[entries.start : i, player].sum()
            wanted -= sum(draws[d, player] for d in events if ready.draws.place[d] <= place)
            assert advs[i] == pytest.approx(wanted, abs=1e-4)
    assert np.abs(draws).max() > 0.01
    assert np.abs(actions).max() > 0.001


def test_terms_are_not_used_while_they_do_not_help() -> None:
    trainer, luck, ready = trainer_with(TINY)
    assert not luck.used
    advs = trainer.advantages_of(ready)
    values = trainer.batch.values[: len(ready), 0].numpy()
    own = ready.seen_by(ready.scores * np.float32(trainer.config.scale))[:, 0]
    np.testing.assert_allclose(advs, own - values, atol=1e-5)
    assert luck.left > 0


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
def test_terms_are_those_of_their_network(rules: str) -> None:
    """The same check as on a GPU (`test_gpu.py`)."""
    trainer, luck, ready = trainer_with(replace(TINY, rules=rules, rollout=1024), 500)
    trainer.advantages_of(ready)
    for part in luck.parts.values():
        found, wanted = computed_and_wanted(part)
        assert len(found) > 10
        assert float(wanted.abs().max()) > 0.001
        assert torch.allclose(found, wanted, atol=1e-5)


def test_mean_terms_of_draws_and_actions_are_zero() -> None:
    """By arbitrary networks, over the hands of self-play, within five standard errors."""
    trainer, luck, ready = trainer_with(replace(TINY, tables=256, rollout=8192), 6000)
    trainer.advantages_of(ready)
    draws, actions = luck.of(ready)
    hand = np.repeat(np.arange(len(ready.scores)), np.diff(ready.draws.first))
    assert actions is not None
    for terms, of in ((draws, hand), (actions, ready.hand)):
        sums = np.stack([np.bincount(of, column, len(ready.scores)) for column in terms.T], 1)
        error = sums.std(0) / np.sqrt(len(sums))
        assert (error > 0).all()
        assert (np.abs(sums.mean(0)) < 5 * error).all()


def test_every_draw_of_a_hand_is_listed() -> None:
    """As many as tiles have left the wall since the deal, whether the decision after it was forced or not."""
    trainer, luck, ready = trainer_with(TINY)
    trainer.gather(ready)
    there = luck.draws.weights[: len(ready.draws)].sum(1).numpy() > 0
    per_hand = np.add.reduceat(there, ready.draws.first[:-1])
    records = luck.draws.inputs[0][: len(ready.draws)].numpy().view(prospects_of(trainer.game.family).dtype)[:, 0]
    left = undrawn(records).sum(1) - 1  # after the draw
    for hand, drawn in enumerate(per_hand):
        last = next(i for i in range(ready.draws.first[hand], ready.draws.first[hand + 1]) if there[i])
        assert 42 - 3 * 7 - left[last] == drawn
    assert luck.draws.weights[: len(ready.draws)][there].sum(1).numpy() == pytest.approx(1)


def test_slots_of_forced_draws_are_freed() -> None:
    trainer, _, ready = trainer_with(replace(TINY, past_share=0.5))
    assert len(ready.draws.extra_slots) > 20
    notes = trainer.slots.book.slots["notes"][ready.draws.extra_slots]
    assert (notes & ~FORCED != 0).any()
    free = trainer.slots.free
    trainer.gather(ready)
    assert trainer.slots.free == free
    trainer.release(ready)
    assert trainer.slots.free == free + len(ready) + len(ready.draws.extra_slots)
    stack = trainer.slots.book.slots["free"][: trainer.slots.free]
    assert len(np.unique(stack)) == len(stack)


def test_networks_learn_only_after_their_terms_were_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(TINY)
    assert trainer.luck is not None
    order = list[str]()

    def noted(name: str) -> Any:
        work = getattr(trainer.luck, name)

        def call(*args: Any) -> Any:
            order.append(name)
            return work(*args)

        return call

    for name in ("take_out", "learn"):
        monkeypatch.setattr(trainer.luck, name, noted(name))
    before = [value.clone() for value in trainer.luck.draws.network.parameters()]
    trainer.begin()
    for _ in range(4):
        trainer.rollout()
    assert order[:2] == ["take_out", "learn"]
    assert len(order) % 2 == 0
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.luck.draws.network.parameters()))
    assert trainer.row["luck_left"] == trainer.luck.left


def test_runs_continue_exactly(tmp_path: Path) -> None:
    whole, first = Trainer(TINY), Trainer(TINY)
    for trainer in (whole, first):
        trainer.begin()
        for _ in range(3):
            trainer.rollout()
    checkpoint.save(first, tmp_path / "run.pt")
    second = checkpoint.load(tmp_path / "run.pt")
    for trainer in (whole, second):
        for _ in range(2):
            trainer.rollout()
    for name, net in whole.networks.named().items():
        for ours, theirs in zip(net.parameters(), second.networks.named()[name].parameters()):
            assert torch.equal(ours, theirs), name
    assert second.luck is not None
    assert whole.luck is not None
    assert second.luck.left == whole.luck.left


def test_files_of_outcome_values(tmp_path: Path) -> None:
    torch.manual_seed(1)
    made = OutcomeValues(OpenHands("simplified").encoder, 18, 3, 18, blocks=1, channels=8, neck=4, width=16)
    with torch.no_grad():
        made.net.last.weight.normal_()
    outcome_values.write(made, tmp_path / "draws.npz", {"scale": 0.1})
    read, card = outcome_values.read(tmp_path / "draws.npz")
    private = torch.randint(0, 3, (5, made.encoder.private_bytes), dtype=torch.uint8)
    hidden = torch.randint(0, 3, (5, made.encoder.hidden_bytes), dtype=torch.uint8)
    with torch.no_grad():
        ours, theirs = made(private, hidden), read(private, hidden)
    assert torch.allclose(ours, theirs, atol=0.05)
    assert ours.shape == (5, 18, 3)
    assert torch.allclose(ours.sum(2), torch.zeros(5, 18), atol=1e-4)
    assert card["scale"] == 0.1


def test_a_run_from_a_policy_begins_with_the_shipped_values_in_its_own_units() -> None:
    """They take luck out from the first hands on; a fresh run's values say nothing yet."""
    policy, shares = read_policy(shipped("rvr", "simplified")), []
    for scale in (0.1, 0.2):
        trainer = frozen(
            policy, "simplified", "rl5", 3, [], **{**small(), "tables": 128, "rollout": 2048}, reward_scale=scale
        )
        play_until(trainer, 2000)
        trainer.advantages_of(trainer.slots.take(trainer.most))
        assert trainer.luck is not None
        shares.append(trainer.luck.left)
    assert shares[0] < 0.95
    assert shares[1] == pytest.approx(shares[0], abs=0.01)
    _, luck, ready = trainer_with(replace(TINY, variant="rl5"))
    fresh = Trainer(replace(TINY, variant="rl5")).luck
    assert fresh is not None
    assert float(fresh.draws.network.last.weight.detach().abs().max()) < 0.02
    assert torch.equal(fresh.draws.network.spread, luck.draws.network.spread)
    assert len(ready.draws)


def test_shares_of_variance() -> None:
    """Terms that forecast the result take variance out; the figures follow `without_luck`."""
    trainer = frozen(Trainer(TINY).policy, "simplified", "rl5a", 1, [], **small())
    found = measure(trainer, 40)
    assert set(found) == {
        "critic, decisions",
        "draws, hands",
        "draws, decisions",
        "draws and actions, hands",
        "draws and actions, decisions",
        "draws and actions, their value as critic, decisions",
    }
    assert found["draws, hands"].value < 4  # by the shipped values, which were made for better players
    _, luck, ready = trainer_with(TINY)
    scores = ready.scores * np.float32(TINY.scale)
    last = np.zeros((len(ready.draws), 3), np.float32)
    last[ready.draws.first[:-1]] = 0.5 * scores  # half the result at each hand's last draw
    start = without_luck(ready, scores, last, None, 1.0).start
    np.testing.assert_allclose(start, 0.5 * scores, atol=1e-6)
    assert luck.left == -1


def small() -> dict[str, Any]:
    names = ("tables", "rollout", "batch", "gamma", "lam", "threads", "device")
    return {name: getattr(TINY, name) for name in names}
