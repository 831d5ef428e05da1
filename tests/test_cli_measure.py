"""`janshi measure` and the roles of games: any data set can be measured and trained on; nothing chosen is an error."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.cli import app

pytest.importorskip("pyarrow", reason="data sets need pyarrow")
sys.path.insert(0, str(Path(__file__).resolve().parent / "records"))

from played import played_name, played_text

from janshi.fitting.data import Source
from janshi.fitting.one_player.training import OnePlayerConfig, OnePlayerTrainer
from janshi.fitting.opponents import Trainer, TrainingConfig
from janshi.fitting.roles import TESTING, TRAINING, VALIDATING, Roles
from janshi.luck.network import Weights, shapes
from janshi.luck.value import ValueFunction
from janshi.records.dataset import Dataset, DatasetError
from janshi.records.importer import import_records

GAMES = 4


def run(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four games in two packs: `mine`, played in 2019, and `yours`, in 2023."""
    root = tmp_path_factory.mktemp("packs")
    for seed in range(GAMES):
        pack, year = (root / "mine", 2019) if seed < GAMES // 2 else (root / "yours", 2023)
        pack.mkdir(exist_ok=True)
        (pack / played_name(seed, year)).write_bytes(played_text(seed))
    out = root / "set"
    import_records([root / "mine", root / "yours"], out, workers=1)
    return out


@pytest.fixture(scope="module")
def value(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A value function that knows nothing, and no game."""
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes(8, 8, 8).items()}
    path = tmp_path_factory.mktemp("value") / "value.npz"
    ValueFunction(Weights(**arrays), {"version": "of chance"}).save(path)
    return path


# --- roles


def test_roles_follow_the_splits_or_the_packs(data):
    dataset = Dataset(data)
    sources = dataset.hands("source").column("source").cast("string").to_pylist()
    yours = np.array(["yours" in source for source in sources])
    assert (Roles().mask(dataset, TESTING) == yours).all()
    assert (Roles().mask(dataset, TRAINING) == ~yours).all()
    swapped = Roles(("mine",))
    assert (swapped.mask(dataset, TESTING) == ~yours).all()
    assert (swapped.mask(dataset, TRAINING) == yours).all()
    assert Roles(test_split="all").mask(dataset, TESTING).all()
    one = Roles(test_split="all").limited(dataset, 1)
    assert len(set(dataset.column("game")[one.mask(dataset, TESTING)])) == 1


def test_a_role_without_games_is_an_error(data):
    dataset = Dataset(data)
    with pytest.raises(DatasetError, match=r"nothing for validating: of .* hands none is of the validation split"):
        Roles().need(dataset, VALIDATING)
    with pytest.raises(DatasetError, match=r"nothing for testing: .* from theirs"):
        list(Source(dataset, Roles(("theirs",))).positions(TESTING))
    everything = Roles(test_split="all")
    with pytest.raises(DatasetError, match="nothing for training"):
        Trainer(TrainingConfig(rates=(0.1,))).run(Source(dataset, everything), print)
    with pytest.raises(DatasetError, match="nothing for training"):
        OnePlayerTrainer(OnePlayerConfig(rates=(0.1,))).run(dataset, print, everything)
    with pytest.raises(DatasetError, match="no split is called 'tset'"):
        Roles(test_split="tset")


def test_training_takes_the_games_that_are_for_training(data):
    trainer = OnePlayerTrainer(OnePlayerConfig(rates=(0.1,)))
    trainer.run(Dataset(data), print, Roles(("mine",)))
    others = OnePlayerTrainer(OnePlayerConfig(rates=(0.1,)))
    others.run(Dataset(data), print)
    assert trainer.discards.positions > 0
    assert others.discards.positions > 0
    assert not np.array_equal(trainer.discards.means, others.discards.means)


# --- models


def test_models_are_measured_on_any_data_set(data):
    told = json.loads(run("measure", "models", data, "--json", "--players", "greedy"))
    sections = {section["title"]: section for section in told["sections"]}
    assert set(sections) == {
        "Waiting",
        "Winning tile",
        "Hand score",
        "Final rank",
        "Discards as the players",
        "Calls as the players",
    }
    discards = {row[""]: row for row in sections["Discards as the players"]["rows"]}
    assert float(discards["all"]["greedy"]) == 1.0, "greedy players discard as greedy players"
    assert float(discards["all"]["one_player"]) < 1.0
    model, even = sections["Final rank"]["rows"]
    assert even["log loss of a player's rank"]["value"] == pytest.approx(np.log(4))
    assert model["log loss of a player's rank"]["examples"] == even["log loss of a player's rank"]["examples"] > 0


def test_a_part_is_measured_on_its_own_games(data):
    def ranked(*words: object) -> int:
        told = json.loads(run("measure", "models", data, "--json", "--players", "", *words))
        (section,) = (section for section in told["sections"] if section["title"] == "Final rank")
        return int(section["rows"][0]["log loss of a player's rank"]["examples"])

    mine, yours = ranked("--pack", "mine"), ranked("--split", "test")
    assert mine > 0 < yours
    assert ranked() == mine + yours
    assert 0 < ranked("--games", "1") < mine


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--split", "validation"), "nothing for testing: of"),
        (("--split", "some"), "no split is called 'some'"),
        (("--pack", "theirs"), "none is from theirs"),
        (("--players", "nobody"), "nobody"),
    ],
)
def test_nothing_to_measure_is_an_error(data, words, told):
    assert told in run("measure", "models", data, *words, code=2)


def test_a_folder_that_is_no_data_set_is_an_error(tmp_path):
    assert "measure:" in run("measure", "models", tmp_path, code=2)
    assert "measure:" in run("measure", "luck", tmp_path, code=2)


# --- luck


def test_luck_is_measured_on_any_data_set(data, value):
    told = json.loads(run("measure", "luck", data, "--json", "--value", value))
    assert told["games"] == GAMES
    assert set(told["steps"]) == {"draws", "+ deal", "+ dora", "+ ura (all)"}
    raw = [rank for rank in (1, 2, 3, 4) for _ in range(GAMES)]
    assert told["steps"]["draws"]["raw variance"] == pytest.approx(np.var(raw, ddof=1))
    assert sum(mean for mean, _ in told["tests"]["by seat"]) == pytest.approx(0, abs=1e-4)
    text = run("measure", "luck", data, "--value", value)
    assert f"{GAMES} games" in text
    assert f"{told['steps']['draws']['variance']:.4f}" in text


def test_luck_of_too_few_games_is_an_error(data, value):
    assert "luck is measured on 3 games or more, not on 2" in run(
        "measure", "luck", data, "--value", value, "--pack", "mine", code=2
    )
    assert "no finished game to measure" in run("measure", "luck", data, "--value", value, "--pack", "theirs", code=2)
    assert "no split is called 'some'" in run("measure", "luck", data, "--value", value, "--split", "some", code=2)


def test_games_that_the_value_function_learned_from_are_left_out(data, value, monkeypatch):
    def knows(_: ValueFunction, games: object) -> np.ndarray:
        return np.arange(len(games)) == 0  # type: ignore[arg-type]

    monkeypatch.setattr(ValueFunction, "knows", knows)
    out = run("measure", "luck", data, "--value", value)
    assert "left out: 1 game that the value function was trained on" in out
    assert f"{GAMES - 1} games" in out


def test_games_with_lost_connections_are_left_out_and_counted(tmp_path, value):
    for seed in range(GAMES):
        text = played_text(seed)
        lost = text.replace(b"<T", b'<BYE who="1"/><T', 1) if seed == 0 else text
        (tmp_path / played_name(seed)).write_bytes(lost)
    import_records([tmp_path], tmp_path / "set", workers=1)
    out = run("measure", "luck", tmp_path / "set", "--value", value)
    assert "left out: 1 game in which a player lost the connection" in out
    assert f"{GAMES - 1} games" in out
