"""Guobiao and the simplified game learned from hands: every source gives the same decisions, and runs go on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from janshi.agents.registry import make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.cli import app
from janshi.features.planes import encoder
from janshi.learn.imitation.planes.config import PlanesConfig
from janshi.learn.imitation.planes.examples import on_device, rebuild
from janshi.learn.imitation.planes.hands import read_played
from janshi.learn.imitation.planes.learner import PlanesImitation
from janshi.learn.imitation.planes.measure import agreement_table, kinds_of_actions
from janshi.learn.imitation.planes.run import split
from janshi.learn.imitation.training import rate_at, read_checkpoint, train
from janshi.learn.warm_start import record_hands
from janshi.records.botzone import text
from janshi.records.botzone.replay import Recorder
from janshi.rules.batch import Batch
from janshi.rules.guobiao.table import Table
from janshi.rules.registry import make_game

CPU = torch.device("cpu")
TINY = PlanesConfig(
    rules="simplified", blocks=1, channels=8, width=16, batch=64, steps=30, warmup=5, rate=1e-2, decay=0.01
)
SMALL = [
    f"{name}={getattr(TINY, name)}" for name in ("blocks", "channels", "width", "batch", "steps", "warmup", "rate")
]


def run(*command):
    return CliRunner().invoke(app, [str(word) for word in command])


def imitate(data, rules, out, *more):
    settings = [word for setting in (*SMALL, *more) for word in ("--set", setting)]
    threads = ["--device", "cpu", "--threads", 1]
    return run("train", "imitate", "--data", data, "--rules", rules, "--out", out, *threads, *settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hands")


@pytest.fixture(scope="module")
def simplified_file(folder):
    path = folder / "simplified.npz"
    record_hands(make_game("simplified"), "greedy", 120, 3, path)
    return path


@pytest.fixture(scope="module")
def match(folder):
    """Three walls, each with four seatings of a player among others."""
    path = folder / "match"
    run_match(Plan("guobiao/botzone", ("greedy", "tsumogiri"), ((0, 1, 1, 1),), 3, 5), path)
    return path


@pytest.fixture(scope="module")
def simplified(simplified_file):
    return read_played(simplified_file, make_game("simplified"))


@pytest.fixture(scope="module")
def learned(simplified):
    return on_device([(some, np.arange(len(some))) for some in simplified], encoder("simplified"), CPU)


def weights(run):
    return torch.cat([parameter.detach().flatten() for parameter in run.net.parameters()])


# --- hands


def played_and_seen(seed):
    """A hand in Botzone's text, and its free decisions: the inputs of their views, and what was done."""
    table, chance, made = Table(seed=seed), np.random.default_rng(seed), encoder("guobiao")
    recorder, inputs, done = Recorder(table), [], []
    views = np.zeros(1, table.game.view_dtype)
    while not table.hand_over:
        legal = {player: table.legal_actions(player) for player in table.asked}
        chosen = {player: int(chance.choice(actions)) for player, actions in legal.items()}
        for player in [player for player, actions in legal.items() if len(actions) > 1]:
            table.game.views(table.states, np.zeros(1, np.int64), np.array([player]), views)
            inputs.append(made.pack_views(views)[0])
            done.append(chosen[player])
        recorder.step(chosen)
    return text.write_all([recorder.record(f"hand{seed}")]), inputs, done


def test_a_botzone_record_gives_the_decisions_that_were_made(folder):
    found = [played_and_seen(seed) for seed in range(4)]
    path = folder / "botzone.txt"
    path.write_text("\n".join(text for text, _, _ in found), encoding="utf-8")
    (hands,) = read_played(path, make_game("guobiao"))
    inputs, done = rebuild(hands, np.array([2]), encoder("guobiao"))
    _, wanted, actions = found[2]
    assert np.array_equal(inputs, wanted)
    assert done.tolist() == actions
    both = on_device([(hands, np.array([0, 2]))], encoder("guobiao"), CPU)
    assert len(both) == len(found[0][2]) + len(found[2][2])
    records = folder / "records"
    records.mkdir()
    for name in ("first", "second"):
        (records / f"{name}.txt").write_text(found[0][0] if name == "first" else found[1][0], encoding="utf-8")
    (hands,) = read_played(records, make_game("guobiao"))
    assert hands.of_sources(("second",)).tolist() == [False, True]
    assert hands.of_sources(("records/first",)).tolist() == [True, False]


def test_self_played_hands_give_the_decisions_that_were_made(simplified, simplified_file):
    (hands,), game = simplified, make_game("simplified")
    inputs, done = rebuild(hands, np.arange(len(hands)), encoder("simplified"))
    legal = encoder("simplified").masks_numpy(inputs)
    assert (legal.sum(1) > 1).all()
    assert legal[np.arange(len(done)), done].all()
    batch = Batch(game, 1, seed=0)  # the first decision is the dealer's discard
    batch.stepper.start(np.load(simplified_file)["seeds"][:1])
    assert np.array_equal(inputs[0], encoder("simplified").pack_views(batch.views())[0])


def test_a_match_is_learned_from_by_player(match):
    game, made = make_game("guobiao"), encoder("guobiao")
    (everybody,) = read_played(match, game)
    (greedy,) = read_played(match, game, ("greedy",))
    assert len(everybody) == 12
    assert set(everybody.walls.tolist()) == {0, 1, 2}
    assert sorted(greedy.seats.tolist()) == [1] * 3 + [2] * 3 + [4] * 3 + [8] * 3
    all_of_them, of_one = (rebuild(hands, np.arange(12), made)[1] for hands in (everybody, greedy))
    assert 0 < len(of_one) < len(all_of_them) / 2
    with pytest.raises(ValueError, match="no player is called careful; there are greedy, tsumogiri"):
        read_played(match, game, ("careful",))


def test_walls_are_held_out_whole(match, simplified):
    hands = read_played(match, make_game("guobiao"))
    numbers = np.arange(len(hands[0]))
    learned, held = (part[0][1] for part in split(hands, replace(TINY, held_out=0.5), ()))
    assert set(learned) | set(held) == set(numbers)
    assert 0 < len(held) < len(numbers)
    assert not set(hands[0].walls[learned]) & set(hands[0].walls[held])
    assert len(held) % 4 == 0
    half, more = (split(simplified, replace(TINY, share=share), ()) for share in (0.5, 1.0))
    assert np.array_equal(half[1][0][1], more[1][0][1]), "what is held out does not depend on the share"
    assert set(half[0][0][1]) < set(more[0][0][1])
    with pytest.raises(ValueError, match=r"no file is called nowhere; there are simplified\.npz"):
        split(simplified, TINY, ("nowhere",))
    with pytest.raises(ValueError, match="no hand is left to learn from"):
        split(simplified, TINY, ("simplified",))


# --- learning


def test_the_loss_falls(learned):
    run = PlanesImitation(TINY, learned, CPU)
    found = [run.learn() for _ in range(TINY.steps)]
    first, last = (sum(float(one.policy) for one in some) / 5 for some in (found[:5], found[-5:]))
    assert last < 0.93 * first
    assert float(found[-1].agreement) > float(found[0].agreement)


def test_a_resumed_run_goes_on_as_if_never_stopped(learned, tmp_path):
    config = replace(TINY, steps=12, whole_moments=True)
    straight, first = (PlanesImitation(config, learned, CPU) for _ in range(2))
    for _ in range(12):
        straight.learn()
    for _ in range(7):
        first.learn()
    first.save(tmp_path)
    second = PlanesImitation(config, learned, CPU)
    second.load(tmp_path)
    for _ in range(5):
        second.learn()
    assert torch.equal(weights(straight), weights(second))


def test_convolutions_and_matrices_decay(learned):
    fresh, plain, decayed = (PlanesImitation(replace(TINY, decay=decay), learned, CPU) for decay in (0.0, 0.0, 5.0))
    plain.learn()
    decayed.learn()
    before, without, found = (dict(run.net.named_parameters()) for run in (fresh, plain, decayed))
    for name, one in found.items():
        expected = 5.0 * rate_at(0, TINY) * before[name] if name.endswith("weight") else torch.zeros_like(one)
        assert torch.allclose(without[name] - one, expected, atol=1e-6), name


def test_training_stops_in_time(learned, tmp_path):
    run = PlanesImitation(replace(TINY, steps=6), learned, CPU)
    assert not train(run, tmp_path, until=0.0, report_every=2, report=lambda line: None)
    assert read_checkpoint(tmp_path / "checkpoint.pt")["step"] == 2


def test_agreement_is_counted_by_kind(learned):
    game, run = make_game("simplified"), PlanesImitation(TINY, learned, CPU)
    with torch.no_grad():
        run.net.last.weight.zero_()
        run.net.last.bias.zero_()
        run.net.last.bias[-1] = 5.0  # it passes whenever it can
    table = agreement_table(run.net, learned, game)
    done, legal = learned.actions.numpy(), encoder("simplified").masks_numpy(learned.private.numpy())
    answers, passing = legal[:, -1], game.num_actions - 1
    assert table["answers to discards"]["decisions"] == answers.sum()
    assert table["answers to discards"]["share"] == pytest.approx((done[answers] == passing).mean())
    chi = kinds_of_actions(game)["chi"]
    possible = legal[:, chi].any(1)
    assert table["chi: yes or no"]["share"] == pytest.approx(1 - np.isin(done[possible], chi).mean())
    assert table["all decisions"]["decisions"] == len(learned)


def test_kinds_of_actions():
    kinds = kinds_of_actions(make_game("guobiao"))
    assert list(kinds) == ["chi", "peng", "kong", "concealed kong", "added kong", "hu"]
    assert sum(map(len, kinds.values())) == make_game("guobiao").num_actions - 34 - 1


# --- the command


@pytest.mark.parametrize("rules", ["simplified", "guobiao"])
def test_learn_and_play(rules, simplified_file, match, tmp_path):
    data = simplified_file if rules == "simplified" else match
    out, more = tmp_path / "run", ("held_out=0.4", "plans=no", "steps=3")
    done = imitate(data, rules, out, *more)
    assert done.exit_code == 0, done.output
    figures = json.loads((out / "figures.json").read_text())
    assert figures["agreement"]["all decisions"]["decisions"] == figures["decisions"] > 0
    agent = make_agent(f"policy:file={out / 'policy.npz'}", make_game(rules))
    assert agent.card["variant"] == "imitation"
    assert agent.card["figures"] == figures["agreement"]
    assert agent.card["learned from"] == {data.name: agent.card["hands"]}
    again = imitate(data, rules, out, *more)
    assert "going on at step 3 of 3" in again.output
    other = imitate(data, rules, out, *more, "width=24")
    assert other.exit_code != 0
    assert "began with width=16" in other.output


def test_a_file_can_be_held_out(simplified_file, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "first.npz").write_bytes(simplified_file.read_bytes())
    record_hands(make_game("simplified"), "greedy", 20, 4, data / "second.npz")
    out = tmp_path / "run"
    command = ("--test-packs", "second")
    done = CliRunner().invoke(
        app,
        [
            *("train", "imitate", "--data", str(data), "--rules", "simplified", "--out", str(out), "--device", "cpu"),
            *(word for setting in (*SMALL, "steps=2") for word in ("--set", setting)),
            *command,
        ],
    )
    assert done.exit_code == 0, done.output
    card = make_agent(f"policy:file={out / 'policy.npz'}", make_game("simplified")).card
    assert card["learned from"] == {"first.npz": 120}
    assert json.loads((out / "figures.json").read_text())["decisions"] < card["decisions"] / 3


@pytest.mark.parametrize(
    ("rules", "more", "told"),
    [
        ("guobiao", (), "recorded hands do not fit these rules"),
        ("simplified", ("heads=3",), "no setting is called 'heads'"),
        ("simplified", ("held_out=1",), "held_out is at least 0 and below 1"),
    ],
)
def test_mistakes_are_named(rules, more, told, simplified_file, tmp_path):
    done = imitate(simplified_file, rules, tmp_path / "run", *more)
    assert done.exit_code != 0
    assert told in done.output
    assert "Traceback" not in done.output


def test_other_games_are_refused(match, tmp_path):
    done = imitate(match, "simplified", tmp_path / "run")
    assert done.exit_code != 0
    assert "holds games of guobiao, not simplified" in done.output
    missing = imitate(tmp_path / "nowhere", "simplified", tmp_path / "run")
    assert "there is no file or folder" in missing.output
