"""What rates of the table are fitted on, walked through in real games, against slow readings of the same rows."""

from __future__ import annotations

import numpy as np
import pytest
from few_games import source

pytest.importorskip("pyarrow", reason="data sets need pyarrow")

from janshi.fitting.data import TESTING, TRAINING
from janshi.fitting.table_rates.data import hands_of, joined, walk
from janshi.fitting.table_rates.training import (
    Regressed,
    choices_of,
    ends_of,
    fit_calibration,
    fit_tenpai_ahead,
    fit_ura,
    fit_wins,
    others_of,
)
from janshi.models.table_rates.model import TABLE_RATES_DTYPE
from janshi.rules.riichi.state import EXHAUSTIVE_DRAW, NONE, RON_WIN, TSUMO_WIN

__all__ = ["source"]


@pytest.fixture(scope="module")
def walked(source):
    return walk(source, TRAINING, 0.4)


@pytest.fixture(scope="module")
def others(walked):
    return others_of(walked)


def test_only_games_of_the_role(source, walked):
    assert set(walked.ends["hand"]) == set(np.flatnonzero(hands_of(source, TRAINING)))
    assert not source.test[walked.ends["hand"]].any()
    tested = walk(source, TESTING, 0.1)
    assert source.test[tested.ends["hand"]].all()
    assert len(tested.ends) > 10


def test_ends_are_what_the_records_tell(source, walked):
    table = source.dataset.hands("result", "winners", "loser", "tenpai").take(walked.ends["hand"]).to_pylist()
    kinds = {"tsumo": TSUMO_WIN, "ron": RON_WIN, "exhaustive": EXHAUSTIVE_DRAW}
    seen = set()
    for end, row in zip(walked.ends, table):
        for word, result in kinds.items():
            if row["result"].startswith(word):
                seen.add(word)
                assert end["result"] == result
        if end["winners"]:
            assert [seat for seat in range(4) if end["winners"] >> seat & 1] == sorted(row["winners"])
            assert all((end["base"][seat] > 0) == (end["winners"] >> seat & 1) for seat in range(4))
        if end["result"] == RON_WIN:
            assert end["loser"] == row["loser"]
        if end["result"] == EXHAUSTIVE_DRAW:
            assert [seat for seat in range(4) if end["tenpai"] >> seat & 1] == sorted(row["tenpai"])
    assert seen >= {"tsumo", "ron"}


def test_discards_of_a_hand_follow_one_another(walked):
    rows = walked.discards
    for number, end in enumerate(walked.ends):
        part = rows[end["first"] : end["first"] + end["discards"]]
        assert (part["end"] == number).all()
        assert (part["turns"] == np.arange(len(part))).all()
        for seat in range(4):
            own = part[part["seat"] == seat]
            assert (own["discards"] == np.arange(len(own))).all()
            assert (np.diff(own["riichi"].astype(int)) >= 0).all()
            assert (own["tenpai"][own["riichi"] == 1] == 1).all()
            assert ((own["waits"] != 0) == (own["tenpai"] == 1)).all()
            if end["result"] == EXHAUSTIVE_DRAW and len(own):
                assert own["tenpai"][-1] == end["tenpai"] >> seat & 1
        if end["result"] == RON_WIN and not end["robbed"]:
            assert part["seat"][-1] == end["loser"]


def test_views_are_those_before_the_discards(walked):
    rows = walked.discards[walked.rows]
    views = walked.views
    assert len(rows) == len(views)
    assert 0.3 < len(views) / len(walked.discards) < 0.5
    assert (views["seat"] == rows["seat"]).all()
    assert (views["turns"] == rows["turns"]).all()
    assert (views["hand"].sum(1) + 3 * views["melds"][:, 0] == 14).all()
    assert (views["hand"][np.arange(len(views)), rows["kind"]] > 0).all()


def test_others_against_a_slow_reading(walked, others):
    rows = walked.discards
    rng = np.random.default_rng(1)
    for k in rng.integers(len(rows), size=400):
        end = walked.ends[rows["end"][k]]
        hand = rows[end["first"] : end["first"] + end["discards"]]
        at, seat = int(k - end["first"]), int(rows["seat"][k])
        later = hand[at + 1 :]
        mine = np.flatnonzero(later["seat"] == seat)
        assert others.after[k] == len(mine)
        before_mine = later[: mine[0]] if len(mine) else later
        for other in range(3):
            there = (seat + 1 + other) % 4
            past = hand[:at][hand[:at]["seat"] == there]
            state = [(past[name][-1] if len(past) else 0) for name in ("tenpai", "riichi", "melds")]
            found = (others.tenpai, others.riichi, others.melds)
            assert [array[k, other] for array in found] == state
            assert others.made[k, other] == len(past)
            kinds = before_mine["kind"][before_mine["seat"] == there]
            assert others.next[k, other] == (kinds[0] if len(kinds) else NONE)


def test_tables_are_rates(walked, others):
    tables = fit_tenpai_ahead(walked)
    for table in (*tables.values(), fit_ura(walked)):
        assert ((table >= 0) & (table <= 1)).all()
    assert (tables["become"][..., 0] == 0).all()
    assert (tables["stay"][..., 0] == 1).all()
    assert tables["become"][0, 0, 6, 4] > tables["become"][0, 0, 6, 1]
    factors = fit_calibration(walked, others)[..., 1]
    assert 0.3 < factors.min() < factors.max() < 2


def test_regressions_are_fed_what_happened(walked, others):
    weights = np.zeros(1, TABLE_RATES_DTYPE)
    weights["calibration"][..., 1] = 1
    for name, table in fit_tenpai_ahead(walked).items():
        weights[name][0] = table
    data = Regressed(walked, others, weights)
    ends = ends_of(walked, data.rows)
    assert not (ends.mine & ends.other).any()
    assert not (ends.dealt & ends.other).any()
    numbers, happened = data.other_win()
    assert happened.sum() <= ends.other.sum()
    assert len(numbers) == len(happened) > len(data.views)
    assert (numbers[:, :18].sum(1) == 1).all()
    shares, most = data.sigma()[1:]
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (most > 0).all()
    wins = fit_wins(data)
    assert np.allclose(wins["base"].sum(1), 1)
    choices = choices_of(data)
    at = np.arange(len(choices.chosen))
    assert (choices.left[at, choices.chosen] > 0).all()
    assert (choices.counts[at, choices.chosen] >= 3).all()


def test_parts_are_joined_with_their_numbers(source):
    whole = walk(source, TRAINING, 0.2)
    half = [walk(source, TESTING, 0.2), walk(source, TESTING, 0.2)]
    count = len(half[0].discards)
    both = joined(half)
    assert (both.discards["kind"][:count] == both.discards["kind"][count:]).all()
    assert (both.discards["end"][count:] - both.discards["end"][:count] == len(both.ends) // 2).all()
    assert (both.views["turns"] == both.discards["turns"][both.rows]).all()
    assert (whole.views["turns"] == whole.discards["turns"][whole.rows]).all()
