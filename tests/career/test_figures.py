"""Figures, curves, luck and habits of a person's games; the archive of everything, and deletion."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from janshi.career import curves, figures, habits, summary
from janshi.career.database import DATABASE
from janshi.career.export import export
from janshi.career.games import OwnGames, own_games
from janshi.career.habits import KINDS, Worth
from janshi.career.houou import reference_for, references
from janshi.career.importer import import_paths
from janshi.career.luck import measure_waiting
from janshi.career.store import CareerStore
from janshi.luck.estimators import adjusted_rank, careers
from janshi.luck.measure import score_records
from janshi.records.formats import read_record
from janshi.records.stats import stats_of
from own_games import ME, MINE, OTHERS, played_name, played_text, write_games

SAME = {
    "win": "win rate",
    "deal_in": "deal-in rate",
    "riichi": "riichi rate",
    "call": "call rate",
    "draw": "draw rate",
    "tenpai": "tenpai at exhaustive draw",
    "tsumo": "self-draw share of wins",
    "win_points": "average win by hand value",
    "loss_points": "average deal-in loss by hand value",
    "rank": "average rank",
    "first": "first-rank rate",
    "fourth": "fourth-rank rate",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> CareerStore:
    """Six games of the person, all measured, and two of others."""
    place = tmp_path_factory.mktemp("career")
    made = CareerStore(place / "career")
    import_paths(made, [write_games(place / "games", (*MINE, *OTHERS))])
    made.set_names([ME])
    assert measure_waiting(made) == len(MINE)
    return made


@pytest.fixture
def games(store: CareerStore) -> OwnGames:
    return own_games(store, [ME])


def test_the_table_is_that_of_the_records(games: OwnGames):
    wanted = stats_of(read_record(played_text(seed)) for seed in MINE).players[ME].estimates()
    found = figures.table(games)["all"]
    for ours, theirs in SAME.items():
        assert found[ours] == pytest.approx(wanted[theirs], nan_ok=True), ours


def test_groups_part_the_hands(games: OwnGames):
    table = figures.table(games)
    for groups in (("dealer", "other"), figures.ROUNDS, figures.SEATS):
        assert sum(table[name]["win"].number for name in groups if name in table) == table["all"]["win"].number
    assert "rank" not in table["dealer"]
    assert table["seat0"]["rank"].number == int((games.seat == 0).sum())


def test_rank_without_luck_is_that_of_janshi_luck(games: OwnGames):
    scored = score_records([read_record(played_text(seed), played_name(seed)) for seed in MINE])
    wanted = adjusted_rank(careers(scored)[ME])
    found = summary.luck_of(games)
    assert found is not None
    assert found.rank.adjusted.value == pytest.approx(wanted.adjusted.value, abs=1e-5)
    assert found.rank.adjusted.error == pytest.approx(wanted.adjusted.error, abs=1e-5)
    assert np.nanmean(games.luckless_rank()) == pytest.approx(wanted.adjusted.value, abs=1e-5)


def test_hands_are_worth_what_the_rank_became(games: OwnGames):
    worth = np.bincount(games.game, games.luck["gain"][:, 0])
    assert worth == pytest.approx(2.5 - games.rank, abs=1e-4)


def test_luckiest_and_unluckiest(games: OwnGames):
    best, worst = summary.extremes(games, 2)
    luck = games.luck_of_games()[:, :, 0].sum(1)
    assert [one.place for one in best] == np.argsort(-luck)[:2].tolist()
    assert [one.place for one in worst] == np.argsort(luck)[:2].tolist()
    assert best[0].luck == pytest.approx(sum(best[0].by_source.values()))


def test_curves_are_means_with_their_intervals():
    values = np.tile([1.0, 4.0, np.nan], 40)
    all_ = curves.so_far(values)
    assert (all_[0].game, all_[-1].game) == (14, 120)  # then ten values are known
    last = all_[-1]
    assert last.value == 2.5
    error = 1.959964 * np.nanstd(values, ddof=1) / np.sqrt(80)
    assert (last.low, last.high) == pytest.approx((2.5 - error, 2.5 + error))
    assert curves.latest(values)[0].game == curves.window(120) == 50
    assert curves.running_total(np.array([1.0, np.nan, 2.0]))[-1] == (3, 3.0)


def many(games: OwnGames, times: int, shift: float) -> OwnGames:
    """The games many times over, each hand worth more by `shift` and a little noise."""
    rng, count = np.random.default_rng(3), len(games)
    luck = np.tile(games.luck, times)
    luck["gain"][:, 0] = shift + luck["luck"][:, :, 0].sum(1) + rng.normal(0, 0.02, len(luck))
    return replace(
        games,
        **{name: np.tile(getattr(games, name), times) for name in ("id", "seat", "rank", "score", "won", "points")},
        **{name: np.tile(getattr(games, name), times) for name in ("rounds", "trained", "hands")},
        played=games.played * times,
        names=games.names * times,
        game=np.concatenate([games.game + copy * count for copy in range(times)]),
        luck=luck,
    )


def test_only_habits_that_the_figures_bear_out(games: OwnGames):
    even = {name: Worth(0.0, 0.001, 1000, 0.1) for name in KINDS}
    worse = habits.habits(many(games, 60, -0.05), even)
    assert worse
    assert all(one.significant and one.cost > 0 and one.high < 0 for one in worse)
    assert worse == sorted(worse, key=lambda one: -one.cost)
    assert worse[0].cost_low < worse[0].cost < worse[0].cost_high
    same = habits.habits(many(games, 60, 0.0), even)
    assert len(same) == len(worse)
    assert not any(one.significant for one in same)


def test_few_games_have_no_habits(games: OwnGames):
    assert habits.habits(games, references()[2].worths) == []


def test_houou_players_are_a_sound_reference(games: OwnGames):
    south = references()[2]
    assert south.table["all"]["rank"].value == pytest.approx(2.5)
    assert 0.19 < south.table["all"]["win"].value < 0.23
    assert set(south.worths) == set(KINDS)
    closed, called = south.worths["closed"], south.worths["call_early_dear"]
    assert closed.value < 0 < called.value
    assert reference_for(games).rounds == 1  # these are East games


def test_the_archive_holds_everything_and_can_be_imported_again(store: CareerStore, tmp_path: Path):
    out = tmp_path / "all.zip"
    assert export(store, out) == len(MINE) + len(OTHERS)
    with zipfile.ZipFile(out) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("games.csv").decode())))
        hands = list(csv.DictReader(io.StringIO(archive.read("hands.csv").decode())))
        assert json.loads(archive.read("career.json"))["names"] == [ME]
        assert {"games.parquet", "hands.parquet", "README.txt"} <= set(archive.namelist())
        record = next(name for name in archive.namelist() if name.endswith(played_name(MINE[0])))
        assert archive.read(record) == played_text(MINE[0])
    assert len(rows) == len(MINE)
    assert len(hands) == len(own_games(store, [ME]).hands)
    first = rows[0]
    assert float(first["rank"]) + float(first["luck_places"]) == pytest.approx(
        float(first["rank_without_luck"]), abs=1e-5
    )
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]
    again = CareerStore(tmp_path / "again")
    assert import_paths(again, [out]).games == store.count()


def test_deleting_leaves_nothing(tmp_path: Path):
    store = CareerStore(tmp_path / "career")
    import_paths(store, [write_games(tmp_path / "games", MINE[:2])])
    store.set_names([ME])
    store.delete_everything()
    assert (store.count(), store.names(), store.players(5)) == (0, [], [])
    store.close()
    left = b"".join(path.read_bytes() for path in (tmp_path / "career").glob(f"{DATABASE}*"))
    assert ME.encode() not in left
    assert b"mjlog" not in left


def test_the_first_of_several_names_counts(store: CareerStore):
    """Bob sits after ann in the game of seed 0, and plays alone in that of seed 1."""
    both = own_games(store, ["bob", ME])
    seats = {name: int(seat) for name, seat in zip(both.names, both.seat)}
    assert seats[played_name(0)] == 1
    assert seats[played_name(1)] == 0
    assert {name: int(seat) for name, seat in zip(*_named(own_games(store, [ME, "bob"])))}[played_name(0)] == 0


def _named(games: OwnGames) -> tuple[list[str], list[int]]:
    return games.names, games.seat.tolist()
