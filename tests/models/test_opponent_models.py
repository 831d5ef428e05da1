"""The shipped models: sane in known positions, symmetric, the same every time, and quick."""

from __future__ import annotations

import mixed_play
import numpy as np
import pytest
from known_views import kind, make_view

from janshi.models.hand_score import CLASSES, HandScoreModel, class_of
from janshi.models.labels import own_turns, plain_views
from janshi.models.opponents import OpponentModels
from janshi.models.store import ModelError
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE

RIVER = "1z9m1p9p8s4m3z6z"


@pytest.fixture(scope="module")
def waiting():
    return WaitingModel.load()


@pytest.fixture(scope="module")
def winning():
    return WinningTileModel.load()


@pytest.fixture(scope="module")
def score():
    return HandScoreModel.load()


@pytest.fixture(scope="module")
def views():
    return plain_views(mixed_play.positions())


def test_views_without_what_is_hidden():
    hidden = mixed_play.positions()
    views = plain_views(hidden)
    assert views.dtype is VIEW_DTYPE or views.dtype == VIEW_DTYPE
    assert hidden.dtype == ORACLE_DTYPE
    assert own_turns(hidden).all()
    for name in VIEW_DTYPE.names:
        assert (views[name] == hidden[name]).all()


def test_probabilities(waiting, winning, views):
    chances = waiting.predict(views)
    assert chances.shape == (len(views), 3)
    assert ((chances > 0) & (chances <= 1)).all()
    assert (chances[views["riichi"][:, 1:] > 0] == 1).all()
    tiles = winning.predict(views)
    assert tiles.shape == (len(views), 3, 34)
    assert ((tiles >= 0) & (tiles < 1)).all()


# --- waiting


def test_more_melds_and_later_turns_are_nearer_to_tenpai(waiting):
    melds = ["", "(555z)", "(555z) (234p)", "(555z) (234p) (678s)"]
    by_melds = [waiting.predict(make_view(rivers={1: RIVER}, melds={1: m} if m else {}))[0, 0] for m in melds]
    assert by_melds == sorted(by_melds)
    assert by_melds[-1] > 4 * by_melds[1]
    longer = "1z9m1p9p8s4m3z6z2m7p6s3m"
    by_turn = [waiting.predict(make_view(rivers={1: longer[: 2 * n]}))[0, 0] for n in (2, 5, 8, 12)]
    assert by_turn == sorted(by_turn)
    assert by_turn[0] < 0.02


def test_opponents_are_distinguished(waiting):
    view = make_view(rivers={1: RIVER, 2: RIVER, 3: RIVER}, melds={2: "(555z) (234p) (678s)"})
    first, second, third = waiting.predict(view)[0]
    assert second > first
    assert second > third


# --- winning tile


def test_genbutsu_is_exactly_safe(winning):
    view = make_view(rivers={1: RIVER, 2: "2m3m7z7z2s2s5p1s6m", 3: "4p"}, riichi={1: 6})
    chances = winning.predict(view)[0, 0]
    for tile in ("1z", "9m", "1p", "8s", "4m", "6z"):
        assert chances[kind(tile)] == 0
    assert chances[kind("1s")] == 0  # discarded after riichi, and passed
    assert chances[kind("2m")] > 0  # before it
    assert chances[kind("4p")] > 0


def test_what_passed_since_the_last_discard_is_safe_without_riichi(winning):
    view = make_view(rivers={1: "1z9m", 2: "2m7z", 3: "4p3s"}, melds={1: "(555z)"})
    chances = winning.predict(view)[0, 0]
    assert chances[kind("7z")] == chances[kind("3s")] == 0
    assert chances[kind("2m")] > 0


def test_suji_is_safer(winning):
    view = make_view(rivers={1: "1z9m1p5p5s4z"}, riichi={1: 5})
    chances = winning.predict(view)[0, 0]
    for suit in "ps":
        assert chances[kind(f"2{suit}")] < 0.6 * chances[kind("2m")]
        assert chances[kind(f"8{suit}")] < 0.8 * chances[kind("8m")]


def test_honours_nobody_can_hold_a_pair_of_are_safer(winning):
    alive = make_view(hand="123m456p789s1124z", rivers={1: "9m1p9p8s"}, riichi={1: 3})
    dead = make_view(hand="123m456p789s1124z", rivers={1: "9m1p9p8s", 2: "4z", 3: "4z"}, riichi={1: 3})
    assert winning.predict(dead)[0, 0, kind("4z")] < 0.5 * winning.predict(alive)[0, 0, kind("4z")]


def shuffled_suits(views, order, mirror: bool):
    """The same positions with suits exchanged, and turned round."""
    to = np.arange(37)
    for suit in range(3):
        for rank in range(9):
            to[9 * suit + rank] = 9 * order[suit] + (8 - rank if mirror else rank)
        to[34 + suit] = 34 + order[suit]
    to_any = np.append(to, -1)  # -1 stays no tile
    out = views.copy()
    for name in ("hand", "seen"):
        out[name][:, to[:34]] = views[name]
    for name in ("river", "meld_tile"):
        out[name] = to_any[views[name]]
    moved = to_any[views["meld_kind"]]
    out["meld_kind"] = np.where((views["meld_type"] == 1) & mirror, moved - 2, moved)
    pointing = {dora_of(kind): kind for kind in range(34)}
    for i, row in enumerate(views["indicators"]):
        kinds = [4 + 9 * (tile - 34) if tile >= 34 else tile for tile in row]
        out["indicators"][i] = [pointing[to[dora_of(k)]] if k >= 0 else -1 for k in kinds]
    out["reds"] = sum(((views["reds"] >> suit) & 1) << order[suit] for suit in range(3))
    return out, to[:34]


@pytest.mark.parametrize(("order", "mirror"), [((1, 2, 0), False), ((0, 1, 2), True), ((2, 1, 0), True)])
def test_suits_and_mirrored_ranks_are_alike(winning, score, views, order, mirror):
    some = views[:400]
    one_plain_indicator = (some["indicators"][:, 0] < 34) & (some["indicators"][:, 1] < 0)
    some = some[one_plain_indicator & ~tied_flush(some)]
    turned, to = shuffled_suits(some, order, mirror)
    kinds = np.array([k for k in range(34) if not (mirror and k in (4, 13, 22))])  # a five has two sides of its own
    assert np.allclose(winning.predict(turned)[:, :, to[kinds]], winning.predict(some)[:, :, kinds], atol=1e-6)
    if not mirror:  # the hand score model reads a sequence by its low end
        assert np.allclose(score.predict(turned)[:, :, to], score.predict(some), rtol=1e-4)


def tied_flush(views):
    """Positions with honour melds only, whose suit of a flush is a guess that may fall on another suit of as many."""
    kinds = np.where(views["meld_kind"] >= 0, views["meld_kind"], 99)
    return ((kinds >= 27).all(axis=2) & (views["melds"] > 0)).any(axis=1)


# --- hand score


def test_dealers_and_dora_cost_more(score):
    plain = score.predict(make_view(rivers={1: RIVER}, riichi={1: 7}))[0, 0]
    dealer = score.predict(make_view(rivers={1: RIVER}, riichi={1: 7}, dealer=1))[0, 0]
    held = np.array([kind("5p"), kind("2m"), kind("3s")])
    assert (dealer[held] > 1.2 * plain[held]).all()
    cheap = score.predict(make_view(rivers={1: RIVER}, melds={1: "(567p) (234m)"}, indicator="9s"))[0, 0]
    rich = score.predict(make_view(rivers={1: RIVER}, melds={1: "(067p) (234m)"}, indicator="3m"))[0, 0]
    assert (rich[held] > 2 * cheap[held]).all()
    assert (cheap[held] > 900).all()
    assert (cheap[held] < 4000).all()


def test_distribution_agrees_with_the_expectation(score, views):
    some = views[:50]
    chances = score.distribution(some)
    assert chances.shape == (50, 3, 34, CLASSES)
    assert np.allclose(chances.sum(axis=3), 1, atol=1e-5)
    dealer = (some["dealer"][:, None] == np.arange(1, 4)).astype(int)
    expected = (chances * score.worth[dealer][:, :, None]).sum(axis=3)
    said = score.predict(some)
    assert np.allclose(said[said > 0], expected[said > 0], rtol=1e-4)
    assert np.exp(score.log_payment(some)).min() > 500


def test_classes_of_payments():
    pays = np.array([1000, 1500, 2000, 3900, 3900, 7700, 11600, 8000, 12000, 12000, 32000, 48000])
    dealer = np.array([False, True, False, False, True, False, True, False, True, False, False, True])
    classes = class_of(pays, dealer)
    assert classes[0] == classes[1]
    assert classes[5] == classes[6]
    assert classes[7] == classes[8]
    assert classes[10] == classes[11] == CLASSES - 1
    assert len(set(classes.tolist())) == 8


# --- together


def test_together_as_one_by_one(waiting, winning, score, views):
    said = OpponentModels.load().predict(views)
    assert np.array_equal(said.waiting, waiting.predict(views))
    assert np.array_equal(said.winning, winning.predict(views))
    assert np.array_equal(said.payment, score.predict(views))
    loss = (said.waiting[:, :, None] * said.winning * said.payment).sum(axis=1)
    assert np.allclose(said.expected_loss, loss, rtol=1e-4)


def test_answers_do_not_depend_on_the_batch(winning, views):
    whole = winning.predict(views[:20])
    assert all(np.array_equal(winning.predict(views[i : i + 1])[0], whole[i]) for i in range(20))


def test_weights_of_other_features_are_refused(tmp_path, waiting):
    from janshi.models.store import save

    path = tmp_path / "old.npz"
    save(path, {"weights": waiting.weights[:-1]}, {"feature version": 1})
    with pytest.raises(ModelError, match=r"old.npz was made for features of version 1 \(\d+ of them\)"):
        WaitingModel.load(path)
    with pytest.raises(ModelError, match="no weights of the waiting model"):
        WaitingModel.load(tmp_path / "none.npz")


@pytest.mark.parametrize("model", [WaitingModel, WinningTileModel, HandScoreModel])
def test_cards_tell_how_a_model_was_made(model):
    card = model.load().card
    assert card["config"]["seed"] == 1
    assert "houou-2022" in card["training data"]
    assert card["examples"] > 1_000_000
