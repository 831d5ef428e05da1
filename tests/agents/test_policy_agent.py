"""Learned policies: the network in NumPy says what the one in torch says; the agents keep the contract."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.explain import Explains
from janshi.agents.learned.network import PolicyNetwork, neighbours, read_file, shipped
from janshi.agents.registry import AGENTS, agent_names, make_agent
from janshi.features.planes import encoder
from janshi.learn.network import PolicyNet, export
from janshi.models.store import FOLDER, ModelError
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from patience import PATIENCE

GAMES = ("guobiao/botzone", "guobiao/match", "simplified/paper", "simplified/three_sets")


@cache
def policy(family, blocks=2):
    """A small network with weights large enough that it prefers some actions."""
    torch.manual_seed(5)
    net = PolicyNet(encoder(family), blocks=blocks, channels=16, neck=4, width=32)
    with torch.no_grad():
        net.last.weight *= 2000
        for parameter in net.parameters():
            parameter += 0.05 * torch.randn_like(parameter)
    return net.half().float()  # as it is exported


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policies")
    return {
        family: export(policy(family), folder / f"{family}.npz", {"seed": 5}) for family in ("guobiao", "simplified")
    }


@cache
def asked(rules, steps=30):
    game = make_game(rules)
    batch = Batch(game, 24, seed=2)
    for _ in range(steps):
        batch.step(batch.random_actions())
    words = np.random.default_rng(1).integers(2**64, size=len(batch), dtype=np.uint64)
    return Asked(game, batch.views(), words, batch.tables.copy())


@pytest.mark.parametrize("family", ["guobiao", "simplified"])
@pytest.mark.parametrize("blocks", [0, 3])
def test_numpy_says_what_torch_says(family, blocks, tmp_path):
    net = policy(family, blocks)
    made = encoder(family)
    private = made.pack_views(asked(f"{family}/{'botzone' if family == 'guobiao' else 'paper'}").views)
    with torch.no_grad():
        expected = net(torch.from_numpy(private)).numpy()
    found = PolicyNetwork.load(export(net, tmp_path / "net.npz")).logits(private)
    assert expected.std() > 0.5
    assert np.allclose(found, expected, atol=1e-3 * expected.std())


def test_neighbours_of_a_corner():
    near = neighbours(4, 9)
    assert near[0].tolist() == [36, 36, 36, 36, 0, 1, 36, 9, 10]
    assert near[13].tolist() == [3, 4, 5, 12, 13, 14, 21, 22, 23]


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("options", ["", ",sample=yes,temperature=0.7"])
def test_policies_keep_the_contract(rules, options, files):
    label = f"policy:file={files[rules.partition('/')[0]]}{options}"
    report = check_agent(label, make_game(rules), tables=3, steps=24)
    assert report.decisions > 50


@pytest.mark.parametrize("rules", GAMES)
def test_it_plays_by_its_probabilities(rules, files):
    family, question = rules.partition("/")[0], asked(rules)
    agent = make_agent(f"policy:file={files[family]}", question.game)
    with torch.no_grad():
        logits = policy(family).legal_logits(torch.from_numpy(encoder(family).pack_views(question.views)))
    chances = agent.probabilities(question.views)
    assert np.allclose(chances, logits.softmax(1).numpy(), atol=1e-3)
    assert np.array_equal(agent.act(question), chances.argmax(1))
    assert (chances[~question.masks] == 0).all()


def test_drawn_actions_follow_the_probabilities(files):
    question = asked("simplified/paper")
    agent = make_agent(f"policy:file={files['simplified']},sample=yes,temperature=2", question.game)
    at = int(agent.probabilities(question.views).max(1).argmin())  # the most open decision
    n = 3000
    words = np.random.default_rng(3).integers(2**64, size=n, dtype=np.uint64)
    views = np.repeat(question.views[at : at + 1], 50)
    chances = agent.probabilities(views[:1])[0]
    agent.probabilities = lambda views: np.repeat(chances[None], len(views), 0)
    drawn = np.concatenate(
        [agent.act(Asked(question.game, views, words[i : i + 50], np.zeros(50, np.int64))) for i in range(0, n, 50)]
    )
    found = np.bincount(drawn, minlength=len(chances)) / n
    assert np.abs(found - chances).max() < 4 * np.sqrt(0.25 / n)
    assert (found[chances == 0] == 0).all()


def test_a_low_temperature_draws_the_most_probable(files):
    question = asked("guobiao/botzone")
    best = make_agent(f"policy:file={files['guobiao']}", question.game).act(question)
    cold = make_agent(f"policy:file={files['guobiao']},sample=yes,temperature=0.0001", question.game).act(question)
    assert np.array_equal(best, cold)


def test_explaining_tells_all_probabilities(files):
    question = asked("guobiao/botzone")
    agent = make_agent(f"policy:file={files['guobiao']}", question.game)
    assert isinstance(agent, Explains)
    told = agent.explain(question.views[:6])
    for i, explanation in enumerate(told):
        numbers = [choice.numbers["probability"] for choice in explanation.choices]
        assert numbers == sorted(numbers, reverse=True)
        assert sum(numbers) == pytest.approx(1)
        assert {choice.action for choice in explanation.choices} == set(np.flatnonzero(question.masks[i]))
        assert explanation.best.action == agent.act(question)[i]


def test_other_weights_are_another_version(files, tmp_path):
    game = make_game("simplified/paper")
    other = export(policy("simplified", 1), tmp_path / "other.npz")
    versions = {make_agent(f"policy:file={file}", game).version for file in (files["simplified"], other)}
    assert len(versions) == 2
    assert make_agent(f"policy:file={files['simplified']}", game).card["seed"] == 5


# --- on a device of PyTorch


@pytest.mark.parametrize("rules", GAMES)
def test_a_device_chooses_as_numpy_does(rules, files, monkeypatch):
    from janshi.agents.learned.engines import planes

    monkeypatch.setattr(planes, "MOST", 7)  # several pieces
    question, label = asked(rules), f"policy:file={files[rules.partition('/')[0]]}"
    plain, device = (make_agent(one, question.game) for one in (label, f"{label},device=cpu"))
    expected, found = plain.logits(question.views), device.logits(question.views)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() < 1e-4 * expected.std()
    assert np.array_equal(plain.act(question), device.act(question))
    assert plain.version == device.version


def test_the_shipped_policies_choose_the_same_on_a_device():
    for rules in ("guobiao/botzone", "simplified/paper"):
        question = asked(rules)
        plain, device = (make_agent(label, question.game) for label in ("rvr", "rvr:device=cpu"))
        assert np.allclose(plain.probabilities(question.views), device.probabilities(question.views), atol=1e-4)
        assert np.array_equal(plain.act(question), device.act(question))


def test_a_device_keeps_the_contract(files):
    check_agent(f"policy:file={files['simplified']},device=cpu", make_game("simplified"), tables=3, steps=24)


# --- what goes wrong is said


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("policy", "needs a file"),
        ("policy:file=nowhere.npz", "there is no policy nowhere.npz"),
        ("policy:file={guobiao}", "plays guobiao, not simplified"),
        ("policy:file={simplified},temperature=0", "temperature must be more than 0"),
        ("policy:file={simplified},device=abacus", "there is no device 'abacus'"),
    ],
)
def test_wrong_options(label, message, files):
    with pytest.raises(ValueError, match=message):
        make_agent(label.format(**files), make_game("simplified/paper"))


def test_files_of_other_versions_are_refused(files, tmp_path):
    broken = tmp_path / "broken.npz"
    for length in (0, 1000):
        broken.write_bytes(files["guobiao"].read_bytes()[:length])
        with pytest.raises(ModelError, match="is not an exported policy"):
            read_file(broken)
    net = policy("guobiao")
    version, net.encoder.version = net.encoder.version, "guobiao-planes-0"
    try:
        export(net, tmp_path / "old.npz")
    finally:
        net.encoder.version = version
    with pytest.raises(ModelError, match=f"trained on guobiao-planes-0; this version has {version}"):
        read_file(tmp_path / "old.npz")


def test_rvr_is_listed_where_it_has_weights():
    for family in ("guobiao", "simplified"):
        there = (FOLDER / f"rvr-{family}.npz").is_file()
        assert ("rvr" in agent_names(family)) == there
        assert "policy" not in agent_names(family)
    assert {"rvr", "policy"} <= set(AGENTS) == set(agent_names())
    with pytest.raises(ValueError, match="agent 'rvr' plays guobiao, simplified, not riichi"):
        make_agent("rvr", make_game("riichi"))


def test_missing_weights_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ModelError, match=r"no weights of 'best' for guobiao: best-guobiao.npz is neither in the package"
    ):
        shipped("best", "guobiao")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "best-guobiao.npz").touch()
    assert shipped("best", "guobiao") == Path("data/best-guobiao.npz")


def test_playing_needs_no_learning_library(files):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from janshi.agents.check import check_agent\n"
        "from janshi.rules.registry import make_game\n"
        f"print(check_agent('policy:file={files['simplified']}', make_game('simplified'), tables=2, steps=6).decisions)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


# --- Botzone


def test_a_policy_is_a_botzone_bot(files):
    from janshi.protocols.botzone.judge import play_hand
    from janshi.protocols.botzone.player import make_player
    from janshi.rules.guobiao.table import Table

    label = f"policy:file={files['guobiao']}"
    played = play_hand([make_player(label), *(make_player("random", seed) for seed in range(3))], Table(seed=3))
    assert len(played.turns) > 20


def test_its_bundle_has_the_weights_beside_it(files, tmp_path):
    from janshi.protocols.botzone.bundle import write_bundle

    bot = tmp_path / "bot.py"
    size = write_bundle(f"policy:file={files['guobiao']},sample=yes", bot, io="simple", keep_running=False)
    assert size < 600_000
    assert (tmp_path / "data" / "guobiao.npz").read_bytes() == Path(files["guobiao"]).read_bytes()
    assert str(files["guobiao"].parent) not in bot.read_text()
    hand = "1 0 0 0 0 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 F1 F1 F2"
    text = f"3\n0 2 1\nPASS\n{hand}\nPASS\n2 F3\n\n\n"
    done = subprocess.run(
        [sys.executable, str(bot)],
        input=text,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PLAY ")
