"""One-player mahjong: tables beside plain sums, known positions, learning, speed."""

from __future__ import annotations

import tarfile
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="data sets need pyarrow")

from known_views import kind, make_view
from mixed_play import played, positions

from janshi.core.tables import load_tables, tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.features import calls
from janshi.features.discards import list_discard
from janshi.features.hand_pattern import maps
from janshi.features.own_hand import MOST, new_situation, new_weighing, situate, weigh_hand
from janshi.fitting.one_player.agreement import measure_calls, measure_discards
from janshi.fitting.one_player.training import (
    DiscardLearner,
    Moves,
    OnePlayerConfig,
    OnePlayerTrainer,
    candidate_kinds,
    discarded,
)
from janshi.models.labels import plain_views
from janshi.models.one_player import SIZE, OnePlayerModel, best_call, best_discard, may_call, shipped
from janshi.models.store import ModelError, save
from janshi.records.dataset import Dataset
from janshi.records.importer import import_records
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import answer_views, discardable, new_mind, policy_number, question_of_view

VIEWS = plain_views(positions())
FREE = VIEWS[VIEWS["riichi"][:, 0] == 0]


def unpack(pack: Path, folder: Path, games: int) -> None:
    """Some games of a pack."""
    folder.mkdir()
    with tarfile.open(pack) as archive:
        for member in islice(filter(tarfile.TarInfo.isfile, archive), games):
            stream = archive.extractfile(member)
            assert stream is not None
            (folder / Path(member.name).name).write_bytes(stream.read())


def slow_values(view: Any, weights: Any) -> dict[int, float]:
    """The value of each discard as a plain sum of weights."""
    situation, weighing, out = new_situation(), new_weighing(), np.zeros(MOST, np.int32)
    situate(view, situation[0])
    weigh_hand(view.hand, view.seen, situation[0], load_tables(), weighing[0])
    values = {}
    for number in range(NUM_KINDS):
        if discardable(question_of_view(view)) >> number & 1:
            n = list_discard(view.hand, number, situation[0], load_tables(), maps()[0], weighing[0], out)
            signs = np.where(out[:n] < 0, -1.0, 1.0)
            values[number] = float((signs * weights[np.where(out[:n] < 0, -1 - out[:n], out[:n])]).sum())
    return values


@pytest.mark.parametrize("weights", ["shipped", "random"])
def test_tables_give_the_plain_sum_of_weights(weights):
    model = shipped()
    if weights == "random":
        model = OnePlayerModel(np.random.default_rng(1).normal(size=SIZE).astype(np.float32))
    situation, weighing = new_situation(), new_weighing()
    for view in FREE[:200]:
        expected = slow_values(view, model.record["weights"][0].astype(np.float64))
        situate(view, situation[0])
        kinds = discardable(question_of_view(view))
        given = (situation[0], model.record[0], maps()[0], load_tables(), weighing[0])
        best = best_discard(view.hand, view.seen, kinds, *given)
        assert {k: float(weighing["value"][0, k]) for k in expected} == pytest.approx(expected, abs=1e-3)
        assert expected[best] == pytest.approx(max(expected.values()), abs=1e-3)


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("123m456p1178s22p54z", {"4z", "5z"}),  # an isolated honour, not a part of a set
        ("123456m23p45778s4z", {"4z"}),
        ("234m567p3345s1199m", {"3s"}),  # tenpai with two pairs
        ("123m456p789s1123p9m", {"9m"}),  # tenpai
        ("234567m34567p55s9p", {"9p"}),
        ("112233m445566p1z9s", {"1z", "9s"}),  # seven pairs or two identical sequences
    ],
)
def test_known_positions(hand, best):
    assert shipped().choose(hand, seat_wind=1) in best


def test_complete_sets_are_kept():
    values = shipped().values("123m456p789s1357m4z", seat_wind=1)
    sets = {"2m", "4p", "5p", "6p", "7s", "8s", "9s"}
    assert max(values[tile] for tile in sets) < values["4z"] - 2


@pytest.mark.parametrize(("dora", "other", "indicator"), [("2s", "8s", "1s"), ("8s", "2s", "7s"), ("4z", "3z", "3z")])
def test_dora_is_kept_over_its_equal(dora, other, indicator):
    values = shipped().values("123m456p77m12p28s34z", indicators=indicator, seat_wind=1)
    assert values[dora] < values[other]


def test_red_five_is_kept_over_a_plain_one():
    with_red = shipped().values("123m789p1122s0m5p14z", seat_wind=1)
    assert with_red["5m"] < with_red["5p"]


def test_own_wind_is_worth_more_than_a_guest():
    values = shipped().values("123m456p78s1135m24z", seat_wind=1)
    assert values["2z"] < values["4z"]


def test_values_are_the_same_every_time():
    again = OnePlayerModel.load()
    assert (again.discards(FREE) == shipped().discards(FREE)).all()
    assert (again.discards(FREE[::-1].copy())[::-1] == shipped().discards(FREE)).all()


def test_answers_are_discards_that_may_be_made():
    for view, choice in zip(FREE, shipped().discards(FREE).tolist()):
        assert discardable(question_of_view(view)) >> choice & 1


def test_weights_say_what_they_were_made_for(tmp_path: Path):
    card = shipped().card
    assert card["model"] == "one_player"
    assert card["rules"] == "riichi/tenhou"
    path = tmp_path / "other.npz"
    save(path, {"weights": np.zeros(5, np.float32), "calls": np.zeros(5)}, {**card})
    with pytest.raises(ModelError, match="train it again"):
        OnePlayerModel.load(path)


def test_a_hand_must_have_14_tiles():
    with pytest.raises(ValueError, match="14 tiles, not 13"):
        shipped().values("123m456p789s1122z")


# --- calls


def offers() -> Any:
    hidden = np.concatenate([step.hidden for step in played()])
    views = plain_views(hidden)
    return [view for view in views if not question_of_view(view).turn and may_call(question_of_view(view))]


def test_calls_are_legal_and_worth_more_than_passing():
    scratch = (new_situation()[0], load_tables(), new_weighing()[0], calls.new_calling()[0])
    answers = set()
    for view in offers()[:600]:
        action, value = best_call(view, question_of_view(view), shipped().calls, *scratch)
        assert (action == act.PASS) == (value == 0)
        if action != act.PASS:
            assert value > 0
            assert int(view["legal"][0]) >> action & 1
        answers.add(action)
    assert act.PASS in answers
    assert act.PON in answers


def test_calls_know_the_hand_after_them():
    """Tiles used are gone from the hand and seen, the called tile is not counted twice."""
    s, x, c = new_situation()[0], new_weighing()[0], calls.new_calling()[0]
    for view in offers()[:200]:
        q = question_of_view(view)
        calls.look_before(view, s, load_tables(), x, c)
        for action in range(act.CHI, act.OPEN_KAN):
            if q.low >> action & 1:
                n = calls.list_call(view, action, s, load_tables(), x, c)
                assert c.hand.sum() == view.hand.sum() - 2
                assert (c.hand >= 0).all()
                assert c.seen.sum() == view.seen.sum() + 2
                assert s.melds == view.melds[0] + 1
                assert s.open == 1
                features = c.list[:n]
                assert len(set(features.tolist())) == n
                assert (features >= 0).all()
                assert (features < calls.LAYOUT.size).all()
                said = dict(calls.LAYOUT.decode(feature) for feature in features.tolist())
                assert said["called kind"]["type"] == int(action >= act.PON)


def test_valued_pon_is_called():
    """Of a hand one step from tenpai with a pair of red dragons, late: passing would lose the only yaku."""
    views = make_view("234m5678p2255s77z", rivers={1: "1z2z3z9m9p7z"}, dealer=2)
    v = views[0]
    v.phase, v.actor, v.tile = 2, 1, kind("7z")
    v.legal[0], v.legal[1] = 1 << act.PON, 1 << (act.PASS - act.HALF)
    scratch = (new_situation()[0], load_tables(), new_weighing()[0], calls.new_calling()[0])
    assert best_call(v, question_of_view(v), shipped().calls, *scratch)[0] == act.PON


# --- learning


def test_riichi_discards_are_choices_among_all_tiles():
    """What was declared with riichi is learned beside everything else that could have been discarded."""
    hidden = np.concatenate([step.hidden for step in played()])
    actions = np.concatenate([step.actions for step in played()])
    chosen = (hidden["phase"] == 1) & (hidden["declaring"] == 1)
    moves = Moves(plain_views(hidden[chosen]), actions[chosen].astype(np.uint8), np.zeros(chosen.sum(), np.bool_))
    assert len(moves.views) > 20
    for view, choice in zip(moves.views, discarded(moves, declared=True).tolist()):
        assert candidate_kinds(view) == sum(1 << k for k in range(NUM_KINDS) if view.hand[k])
        assert view.hand[choice] > 0
    few = [discardable(question_of_view(view)).bit_count() == 1 for view in moves.views]
    assert ((discarded(moves) == -1) == few).all()


def test_training_and_measuring_on_real_games(shared: Path, tmp_path: Path):
    unpack(shared / "records" / "houou-2020.tar.xz", tmp_path / "houou-2020", 12)
    unpack(shared / "records" / "houou-2022.tar.xz", tmp_path / "houou-2022", 3)
    import_records([tmp_path / "houou-2020", tmp_path / "houou-2022"], tmp_path / "set", workers=1)
    dataset = Dataset(tmp_path / "set")
    trainers = [OnePlayerTrainer(OnePlayerConfig(rates=(0.1, 0.05))) for _ in range(2)]
    for trainer in trainers:
        trainer.run(dataset, lambda text: None)
    assert (trainers[0].discards.means == trainers[1].discards.means).all()
    assert trainers[0].calls.positions > 500
    little = OnePlayerModel(trainers[0].discards.means, trainers[0].calls.means)
    found = measure_discards(dataset, {"little": little.discards, "shipped": shipped().discards})
    assert found.positions["all"] == found.positions["threat"] + found.positions["no threat"] > 500
    assert 0.45 < found.share("no threat", "little") < found.share("no threat", "shipped") < 0.8
    passing = measure_calls(dataset, lambda views: np.full(len(views), act.PASS))
    assert passing.recall == 0
    assert passing.accuracy == pytest.approx(1 - passing.calls / passing.offers)


def test_learning_from_greedy_players():
    """Both ways of learning come to agree with players who discard for shanten and useful tiles."""
    hidden = np.concatenate([step.hidden for step in played()])
    views = plain_views(hidden)
    views = views[(views["phase"] == 1) & (views["riichi"][:, 0] == 0)].copy()
    views["legal"][:, 0] &= (1 << act.RIICHI) - 1
    views["legal"][:, 1] = 0
    actions = np.zeros(len(views), np.int64)
    answer_views(views, policy_number("greedy"), np.zeros(len(views), np.uint64), actions, new_mind(), tables_array())
    kinds = np.where(actions == act.TSUMOGIRI, views["drawn"], actions)
    kinds = np.where(kinds >= 34, 9 * (kinds - 34) + 4, kinds).astype(np.int64)
    cut = 4 * len(views) // 5
    for method, rate in (("perceptron", 1.0), ("softmax", 0.1)):
        learner = DiscardLearner(method)
        for _ in range(2):
            learner.learn(views[:cut], kinds[:cut], rate)
            learner.add_to_means()
        agreed = OnePlayerModel(learner.means).discards(views[cut:]) == kinds[cut:]
        assert agreed.mean() > 0.6, method
        assert learner.right[1] > learner.right[0]
