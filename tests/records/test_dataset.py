"""Data sets: what is stored, and decisions rebuilt from it, equal to stepping through the record."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from played import played_game, played_name, played_text

pytest.importorskip("pyarrow", reason="data sets need pyarrow")

from janshi.records.dataset import Dataset, DatasetError, schema
from janshi.records.formats import read_record
from janshi.records.importer import import_records
from janshi.records.replay import Replay, rules_of
from janshi.records.splits import SPLITS, is_held_out
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.actions import HALF

GAMES = 24
EVERYTHING = {"skip_forced": False, "skip_unsure": False, "skip_disconnects": False, "seats": "all"}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Games of built-in players in three shards; every fourth game is of 2023."""
    folder = tmp_path_factory.mktemp("records")
    for seed in range(GAMES):
        year = 2023 if seed % 4 == 0 else 2019
        (folder / played_name(seed, year)).write_bytes(played_text(seed))
    out = tmp_path_factory.mktemp("data") / "set"
    import_records([folder], out, workers=1, unit_games=8)
    return Dataset(out)


def games_in_order() -> list:
    names = sorted((played_name(seed, 2023 if seed % 4 == 0 else 2019), seed) for seed in range(GAMES))
    return [read_record(played_text(seed), name) for name, seed in names]


def legal_actions(view) -> set[int]:
    words = [int(word) for word in view["legal"]]
    return {action for action in range(act.NUM_ACTIONS) if words[action // HALF] >> action % HALF & 1}


def test_rows_are_hands(dataset: Dataset):
    hands = sum(len(played_game(seed).hands) for seed in range(GAMES))
    assert len(dataset) == hands == dataset.summary["hands"]
    assert dataset.summary["games"] == GAMES
    assert len(dataset.shards) == 3
    assert dataset.hands().schema.names == schema().names


def test_columns_tell_what_the_record_tells(dataset: Dataset):
    rows = iter(dataset.hands().to_pylist())
    for record in games_in_order():
        for index, hand in enumerate(record.hands):
            row = next(rows)
            assert row["names"] == list(record.names)
            assert (row["hand"], row["hands"]) == (index, len(record.hands))
            assert (row["kyoku"], row["honba"], row["sticks"]) == (hand.round, hand.honba, hand.sticks)
            assert row["scores"] == list(hand.scores)
            assert sorted(row["winners"]) == sorted(win.winner for win in hand.wins)
            assert len(row["answers"]) == row["decisions"]
            assert sorted(row["wall"]) == list(range(136))
            assert row["final_scores"] == list(record.final_scores)
            if index + 1 < len(record.hands):
                assert [s + c for s, c in zip(row["scores"], row["changes"])] == list(record.hands[index + 1].scores)


def test_decisions_equal_stepping_through_the_record(dataset: Dataset):
    expected = []
    for record in games_in_order():
        for hand in record.hands:
            for table, answers in Replay(hand, rules_of(record)):
                expected += [(table.view(p), table.oracle_view(p), p, a) for p, a in answers.items()]
    views = list(dataset.decisions(500, **EVERYTHING))
    assert [len(batch.actions) for batch in views[:-1]] == [500] * (len(views) - 1)
    rebuilt = np.concatenate([batch.views for batch in views])
    actions = np.concatenate([batch.actions for batch in views])
    infos = np.concatenate([batch.info for batch in views])
    oracle = np.concatenate([batch.views for batch in dataset.decisions(2000, oracle=True, **EVERYTHING)])
    assert len(rebuilt) == len(oracle) == len(expected) == dataset.summary["decisions"]
    for i, (view, behind, player, action) in enumerate(expected):
        assert rebuilt[i] == view
        assert oracle[i] == behind
        assert (infos["player"][i], actions[i]) == (player, action)


def test_actions_are_legal_and_forced_ones_are_marked(dataset: Dataset):
    for views, actions, info in dataset.decisions(1024, **EVERYTHING):
        for view, action, about in zip(views, actions, info):
            legal = legal_actions(view)
            assert action in legal
            assert about["forced"] == (len(legal) == 1)
            assert about["turn"] == view["turns"]


def test_choices_leave_out_what_they_say(dataset: Dataset):
    def count(**choice) -> int:
        return sum(len(batch.actions) for batch in dataset.decisions(1024, **{**EVERYTHING, **choice}))

    info = np.concatenate([batch.info for batch in dataset.decisions(1024, **EVERYTHING)])
    assert count(skip_forced=True) == (~info["forced"]).sum() < len(info)
    assert count(skip_unsure=True) == info["sure"].sum() < len(info)
    assert count(seats="unseen") == info["held_out"].sum()
    assert count(seats="seen") + count(seats="unseen") == len(info)
    assert sum(count(split=split) for split in SPLITS) == len(info)


def test_a_pass_is_unsure_only_behind_a_call_that_goes_first(dataset: Dataset):
    found = 0
    for views, actions, info in dataset.decisions(4096, **EVERYTHING):
        for view, action, about in zip(views, actions, info):
            if not about["sure"]:
                found += 1
                assert action == act.PASS
                assert legal_actions(view) & set(range(act.CHI, act.OPEN_KAN + 1))
    assert found > 0


def test_held_out_players_are_those_of_the_splits(dataset: Dataset):
    names = dataset.hands("names").column("names").to_pylist()
    for batch in dataset.decisions(4096, **EVERYTHING):
        for about in batch.info[::7]:
            assert about["held_out"] == is_held_out(names[about["hand"]][about["player"]])


def test_info_finds_the_decision_again(dataset: Dataset):
    answers = dataset.hands("answers").column("answers").to_pylist()
    for batch in dataset.decisions(1000, **EVERYTHING, shuffle=3):
        for action, about in zip(batch.actions, batch.info):
            assert answers[about["hand"]][about["index"]] == action


def test_shuffled_decisions_are_the_same_in_another_order(dataset: Dataset):
    def keys(**choice) -> list[tuple[int, int]]:
        found = (batch.info for batch in dataset.decisions(700, **EVERYTHING, **choice))
        return [(int(about["hand"]), int(about["index"])) for info in found for about in info]

    plain, mixed, other = keys(), keys(shuffle=1), keys(shuffle=2)
    assert sorted(mixed) == sorted(other) == sorted(plain) == plain
    assert mixed != plain
    assert mixed != other
    assert keys(shuffle=1) == mixed


def test_parts_share_the_shards(dataset: Dataset):
    hands = [{int(h) for b in dataset.decisions(part=(i, 2), **EVERYTHING) for h in b.info["hand"]} for i in range(2)]
    assert not hands[0] & hands[1]
    assert len(hands[0] | hands[1]) == len(dataset)


def test_an_expression_chooses_hands(dataset: Dataset):
    import pyarrow.compute as pc

    kyoku = dataset.column("kyoku")
    for batch in dataset.decisions(where=pc.field("kyoku") == 2, **EVERYTHING):
        assert (kyoku[batch.info["hand"]] == 2).all()
        assert (batch.views["kyoku"] == 2).all()


def test_batches_are_yours_to_keep(dataset: Dataset):
    batches = list(dataset.decisions(256, **EVERYTHING))
    again = list(dataset.decisions(256, **EVERYTHING))
    assert all((a.views == b.views).all() for a, b in zip(batches, again))


def test_duckdb_reads_a_data_set(dataset: Dataset):
    duckdb = pytest.importorskip("duckdb")
    query = f"select count(*), sum(decisions), count(distinct game) from '{dataset.folder}/part-*.parquet'"
    hands, decisions, games = duckdb.sql(query).fetchall()[0]
    assert (hands, decisions, games) == (len(dataset), dataset.summary["decisions"], GAMES)
    sizes = "octet_length(wall), octet_length(answers) - decisions, len(scores)"
    rows = duckdb.sql(f"select {sizes} from '{dataset.folder}/part-*.parquet'").fetchall()
    assert set(rows) == {(136, 0, 4)}


def test_columns_are_arrays(dataset: Dataset):
    assert dataset.column("wall").shape == (len(dataset), 136)
    assert dataset.column("scores").shape == (len(dataset), 4)
    assert dataset.column("kyoku", split="test").shape < dataset.column("kyoku").shape
    assert not dataset.column("wall").flags.owndata


def test_arrays_can_be_mapped_into_memory(dataset: Dataset, tmp_path: Path):
    folder = dataset.write_arrays(tmp_path / "arrays")
    hands = np.load(folder / "hands.npy", mmap_mode="r")
    answers = np.load(folder / "answers.npy", mmap_mode="r")
    stored = dataset.hands("answers").column("answers").to_pylist()
    assert len(hands) == len(dataset)
    for hand, expected in zip(hands, stored):
        assert answers[hand["first"] : hand["first"] + hand["decisions"]].tobytes() == expected


def test_mistakes_are_reported(dataset: Dataset, tmp_path: Path):
    with pytest.raises(DatasetError, match="not a data set"):
        Dataset(tmp_path)
    with pytest.raises(DatasetError, match="no column is called 'tiles'"):
        dataset.hands("tiles")
    with pytest.raises(DatasetError, match="no split is called 'dev'"):
        next(dataset.decisions(split="dev"))
    with pytest.raises(ValueError, match="seats are"):
        next(dataset.decisions(seats="east"))
    with pytest.raises(ValueError, match="at least one decision"):
        next(dataset.decisions(0))


def test_answers_that_do_not_fit_are_refused(dataset: Dataset, tmp_path: Path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(dataset.shards[0])
    answers = [bytes([act.PASS]) + text[1:] for text in table.column("answers").to_pylist()]
    place = table.schema.get_field_index("answers")
    pq.write_table(
        table.set_column(place, table.schema.field(place), pa.array(answers)), tmp_path / "part-00000.parquet"
    )
    with pytest.raises(DatasetError, match="row 0 cannot be replayed"):
        list(Dataset(tmp_path).decisions(**EVERYTHING))


def test_without_pyarrow_the_message_says_what_to_install(tmp_path: Path):
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from janshi.records.dataset import arrow\n"
        "try: arrow()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "janshi[records]" in done.stdout
