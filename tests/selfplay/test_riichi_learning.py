"""Riichi self-play: advantages, learning, resuming, the gate, the exported network, the commands."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from riichi_tables import CPU  # noqa: E402
from tiny_runs import config_of, small_net  # noqa: E402

from janshi.agents.learned.tokens import TokenNetwork  # noqa: E402
from janshi.learn.imitation.export import export, load_exported  # noqa: E402
from janshi.learn.riichi.config import SelfPlayConfig  # noqa: E402
from janshi.learn.riichi.export import export_player  # noqa: E402
from janshi.learn.riichi.learner import Judged, Learner, batches, policy_loss  # noqa: E402
from janshi.learn.riichi.match import Match  # noqa: E402
from janshi.learn.riichi.networks import choose, most_probable  # noqa: E402
from janshi.learn.riichi.returns import Advantages  # noqa: E402
from janshi.learn.riichi.run import (  # noqa: E402
    CURVE,
    FREE,
    STATE,
    VERSION,
    Run,
    gate_due,
    read_state,
    self_play,
    settings_of,
)
from janshi.learn.riichi.self_play import LEARNER, SelfPlay  # noqa: E402
from janshi.rules.riichi.actions import TSUMOGIRI  # noqa: E402


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a tiny network."""
    path = tmp_path_factory.mktemp("base") / "network.npz"
    export(small_net(), path)
    return path


@pytest.fixture(scope="module")
def judged(base: Path) -> tuple[Learner, Judged]:
    """A learner and hands that it has judged."""
    config = config_of(base, decisions=900, rivals=0.5)
    learner = Learner(config, load_exported(base), CPU)
    with torch.no_grad():
        for parameter in learner.player.choices.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    play = SelfPlay(config, learner.player, learner.imitated, learner.past, CPU)
    play.fresh(0)
    play.play(config.decisions)
    return learner, learner.judge(play.finished())


def test_advantages_are_what_is_left_without_luck(judged: tuple[Learner, Judged]) -> None:
    """With its value, a plain advantage is the result; without luck, the result less all later luck."""
    _, found = judged
    hands, luck, results = found.hands, found.luck, found.results
    asked = hands.decisions.asked
    assert len(asked) >= 900
    assert (asked["draws"] > 0).all()
    where = {int(hand): i for i, hand in enumerate(hands.ends["hand"])}
    terms = hands.decisions.term.numpy()
    assert np.abs(terms).max() > 0
    for i in range(0, len(asked), 7):
        hand, seat, draws = where[int(asked["hand"][i])], int(asked["seat"][i]), int(asked["draws"][i])
        first, end = luck.first[hand] + draws, luck.first[hand + 1]
        later = (luck.after - luck.before)[first:end, seat].sum()
        later += results.end[hand, seat] - results.expected[hand, seat]
        for j in np.flatnonzero(asked["hand"] == asked["hand"][i]):
            if j > i:
                later += terms[j] if asked["seat"][j] == seat else -terms[j] / 3
        plain = results.end[hand, seat]
        assert found.advantages.plain[i] + found.advantages.value[i] == pytest.approx(plain, abs=1e-4)
        assert found.advantages.whole[i] + found.advantages.value[i] == pytest.approx(plain - later, abs=1e-4)


def test_chosen_actions_are_legal_and_their_chances_known(judged: tuple[Learner, Judged]) -> None:
    decisions = judged[1].hands.decisions
    word = decisions.action // 60
    bits = decisions.legal.gather(1, word[:, None])[:, 0] >> (decisions.action % 60)
    assert ((bits & 1) == 1).all()
    assert (decisions.log_chance <= 0).all()


def test_exploring_favours_no_action(judged: tuple[Learner, Judged], base: Path) -> None:
    """Good and bad luck of the same size cancel out, also for actions that only an exploring player chooses."""
    config = config_of(base, explore=1.0, explore_temperature=4.0, decisions=200)
    learner = Learner(config, load_exported(base), CPU)
    play = SelfPlay(config, learner.player, learner.imitated, learner.past, CPU)
    play.fresh(0)
    play.play(config.decisions)
    decisions = play.finished().decisions
    assert ((decisions.log_policy - decisions.log_chance).abs() > 0.2).any()
    at, nothing = torch.arange(len(decisions)), torch.zeros(len(decisions))

    def gradient(wanted: float) -> torch.Tensor:
        parts = learner._decision_losses(decisions, at, nothing + wanted, nothing, nothing, nothing + 1)
        (found,) = torch.autograd.grad(parts["policy"], [learner.player.policy.tile_out.weight])
        return found

    lucky, unlucky = gradient(1.0), gradient(-1.0)
    assert float(lucky.abs().max()) > 0
    torch.testing.assert_close(lucky, -unlucky, rtol=1e-3, atol=1e-5 * float(lucky.abs().max()))


def test_rivals_leave_one_seat_to_the_learner(judged: tuple[Learner, Judged], base: Path) -> None:
    decisions = judged[1].hands.decisions
    assert 0 < decisions.against.mean() < 1
    for hand in np.unique(decisions.asked["hand"]):
        here = decisions.asked["hand"] == hand
        against = decisions.against[here]
        assert against.all() or not against.any()
        assert not against.any() or len(set(decisions.asked["seat"][here].tolist())) == 1
    config = config_of(base, rivals=0.0)
    play = SelfPlay(config, None, None, None, CPU)  # type: ignore[arg-type]
    play._key = np.uint64(5)
    assert (play.owners(decisions.asked)[0] == LEARNER).all()


def test_the_policy_and_the_values_of_choices_learn(judged: tuple[Learner, Judged], base: Path) -> None:
    """If discarding the drawn tile were worth a quarter of a place, it would be chosen more often, and valued so."""
    found = judged[1]
    drew = (found.hands.decisions.action == TSUMOGIRI).numpy()
    worth = np.where(drew, 0.25, -0.1).astype(np.float32)
    claimed = Judged(found.hands, found.luck, found.results, Advantages(worth, worth, worth, 0 * worth))
    learner = Learner(config_of(base, decisions=900, luck_iterations=0, kl=0.0, batch=128), load_exported(base), CPU)
    decisions = found.hands.decisions

    def opinion() -> tuple[float, float]:
        with torch.no_grad():
            logits, _, added = learner.player(decisions.inputs.long(), decisions.drawn.long())
        chance = logits.softmax(1)[:, TSUMOGIRI]
        value = added.gather(1, decisions.action[:, None])[:, 0].numpy() * learner.config.value_unit
        return float(chance.mean()), float(value[drew].mean() - value[~drew].mean())

    learner.left = 0.5
    before = opinion()
    losses = [learner.learn(claimed) for _ in range(3)]
    after = opinion()
    assert after[0] > before[0] * 1.1
    assert after[1] > before[1] + 0.01
    assert losses[-1]["draws"] < losses[0]["draws"] - 0.05
    assert losses[-1]["choices"] < losses[0]["choices"]


def test_the_policy_waits_for_the_values_of_draws(judged: tuple[Learner, Judged], base: Path) -> None:
    learner = Learner(config_of(base, luck_iterations=1, iterations=9), load_exported(base), CPU)
    learner.left = 0.5
    kept = {name: value.clone() for name, value in learner.player.policy.state_dict().items()}
    learner.learn(judged[1])
    assert all(torch.equal(value, kept[name]) for name, value in learner.player.policy.state_dict().items())
    learner.left = 2e9  # values of draws that add noise
    learner.learn(judged[1])
    assert all(torch.equal(value, kept[name]) for name, value in learner.player.policy.state_dict().items())
    learner.left = 0.5
    learner.learn(judged[1])
    assert any(not torch.equal(value, kept[name]) for name, value in learner.player.policy.state_dict().items())


def test_a_resumed_run_equals_one_that_never_stopped(base: Path, tmp_path: Path) -> None:
    config = config_of(base)
    runs = [Run(config, CPU) for _ in range(2)]
    for _ in range(2):
        runs[0].block(_folder(tmp_path / "whole"), lambda line: None)
    runs[1].block(_folder(tmp_path / "parts"), lambda line: None)
    runs[1].save(tmp_path / "parts")
    resumed = Run(config, CPU)
    resumed.load(tmp_path / "parts")
    resumed.block(tmp_path / "parts", lambda line: None)
    for one, other in (
        (runs[0].learner.player, resumed.learner.player),
        (runs[0].learner.values, resumed.learner.values),
    ):
        for name, value in one.state_dict().items():
            assert torch.equal(value, other.state_dict()[name]), name
    assert runs[0].learner.iteration == resumed.learner.iteration == 2


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def test_a_run_from_the_folder_goes_on_with_another_length_and_gate(base: Path, tmp_path: Path) -> None:
    """And exports its network, whose gate is the last thing."""
    play = partial(self_play, tmp_path, device="cpu", threads=1, report=lambda line: None)
    assert play(config_of(base, iterations=1, returns="plain", action_terms=False))
    assert settings_of(tmp_path, []).iterations == 1
    longer = settings_of(tmp_path, ["iterations=3", "gate_games=8", "gate_every=3"])
    assert (longer.iterations, longer.gate_games, longer.gate_every) == (3, 8, 3)
    assert play(longer)
    curve = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    lines = [line for line in curve if "iteration" in line]
    assert [line["iteration"] for line in lines] == [1, 2, 3]
    assert lines[1]["rate"] > lines[2]["rate"]  # rates fall towards the new end
    (gate,) = (line for line in curve if "gate" in line)
    assert (gate["gate"]["iteration"], gate["gate"]["games"]) == (3, 8)
    assert 1 <= gate["gate"]["rank"]["value"] <= 4
    assert gate["kept"] == (tmp_path / "best.npz").exists()
    assert TokenNetwork.load(tmp_path / "last.npz").has_values
    assert max(path.stat().st_size for path in tmp_path.rglob("*")) < 16 * 2**20
    assert settings_of(tmp_path, []) == longer
    assert play(longer)  # nothing is left to do
    assert play(settings_of(tmp_path, ["iterations=2"]))  # has gone further already
    assert read_state(tmp_path)["iteration"] == 3
    with pytest.raises(ValueError, match="began with returns=plain"):
        settings_of(tmp_path, ["returns=luckfree"])


def test_no_other_setting_of_a_run_may_change(base: Path, tmp_path: Path) -> None:
    kept = config_of(base).to_json()
    (tmp_path / STATE).write_text(json.dumps({"version": VERSION, "config": kept}))
    numbers = {name: value for name, value in kept.items() if type(value) is int and name not in FREE}
    others = {name: value + 2 for name, value in numbers.items()} | {"games": "south", "trace": 0.5, "compiled": "no"}
    for name, value in others.items():
        with pytest.raises(ValueError, match=f"began with {name}={kept[name]}: begin another run in another folder"):
            settings_of(tmp_path, ["iterations=9", f"{name}={value}"])


def test_a_network_against_itself_is_even(base: Path) -> None:
    net = load_exported(base)
    result = Match(net, net, CPU).play(8, seed=4, rules="east")
    assert result.games == 8
    assert result.rank.value == 2.5
    assert result.rank_without_luck is None
    assert result.places == (0.25, 0.25, 0.25, 0.25)
    assert set(result.style) == {"hands", "win", "deal-in", "riichi", "open"}


def test_the_exported_network_gives_the_same_values(judged: tuple[Learner, Judged], tmp_path: Path) -> None:
    learner, found = judged
    export_player(learner.player, tmp_path / "player.npz", {}, learner.config.value_unit)
    decisions = found.hands.decisions
    some = slice(0, 20)
    with torch.no_grad():
        _, value, added = learner.player(decisions.inputs[some].long(), decisions.drawn[some].long())
    packed = np.zeros(20, _packed_dtype())
    packed["inputs"] = decisions.inputs[some].numpy().view(np.uint16)
    packed["drawn"] = decisions.drawn[some].numpy()
    packed["count"] = (packed["inputs"] < packed["inputs"].max()).sum(1)
    net = TokenNetwork.load(tmp_path / "player.npz")
    ours = net.choice_values(packed.view(np.recarray))
    theirs = (value[:, None] + added).numpy() * learner.config.value_unit
    assert np.abs(ours - theirs).max() < 5e-3 * max(np.abs(theirs).max(), 1.0)
    with pytest.raises(ValueError, match="no value on choices"):
        TokenNetwork.load(_plain(tmp_path)).choice_values(packed)


def _packed_dtype() -> np.dtype:
    from janshi.features.riichi.packed import PACKED_DTYPE

    return PACKED_DTYPE


def _plain(folder: Path) -> Path:
    export(small_net(), folder / "plain.npz")
    return folder / "plain.npz"


# --- small parts


def test_drawing_actions_follows_the_chances() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.25, 0.25]])).repeat(4, 1)
    chosen, logs = choose(logits, torch.tensor([0.1, 0.6, 0.9, 0.9999]))
    assert chosen.tolist() == [0, 1, 2, 2]
    assert logs.exp().tolist() == pytest.approx([0.5, 0.25, 0.25, 0.25])


def test_the_drawn_tile_and_its_like_count_as_one() -> None:
    chances = torch.zeros(2, 120)
    chances[:, [3, 5, TSUMOGIRI]] = torch.tensor([0.4, 0.35, 0.25])
    assert most_probable(chances, torch.tensor([5, -1]), TSUMOGIRI).tolist() == [5, 3]


def test_ppo_cuts_off_what_moved_far() -> None:
    moved = torch.log(torch.tensor([2.0, 0.5, 1.0]))
    assert float(policy_loss(moved[:1], torch.ones(1), 0.1)) == pytest.approx(-1.1)
    assert float(policy_loss(moved[1:2], -torch.ones(1), 0.1)) == pytest.approx(0.9)
    assert float(policy_loss(moved[2:], torch.ones(1), 0.1)) == pytest.approx(-1.0)


def test_batches_have_one_size() -> None:
    assert [len(rows) for rows in batches(np.arange(10), 4)] == [4, 4]
    assert [len(rows) for rows in batches(np.arange(3), 4)] == [3]


@pytest.mark.parametrize(("before", "now", "due"), [(30, 40, True), (40, 50, False), (190, 200, True), (0, 10, False)])
def test_gates_are_due(before: int, now: int, due: bool) -> None:
    assert gate_due(before, now, SelfPlayConfig(gate_every=40, luck_iterations=12, iterations=200)) == due


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("returns=lucky", "returns must be"),
        ("tables=7", "even number"),
        ("games=west", "mixed, east or south"),
        ("rivals=2", "from 0 to 1"),
        ("nothing=1", "no setting is called"),
    ],
)
def test_wrong_settings_are_errors(setting: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        settings_of(tmp_path, [setting])
    (tmp_path / STATE).write_text("{")
    with pytest.raises(ValueError, match="holds no self-play run"):
        settings_of(tmp_path, [])
