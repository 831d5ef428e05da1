"""The recurrent final rank model: what it adds to the linear one."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.models import rank_network as rn
from janshi.models.final_rank import ORDERS, shipped

GAME = (
    np.array([[25000] * 4, [33000, 17000, 25000, 25000], [33000, 16000, 28900, 22100]]),
    np.array([0, 1, 2]),
    np.array([0, 0, 1]),
    np.array([0, 0, 1]),
    np.array([2, 2, 2]),
)


def random_weights(out: float) -> rn.RankWeights:
    rng = np.random.default_rng(3)
    shapes = [(rn.INPUTS, 24), (8, 24), (24,), (24,), (8, 24), (24,)]
    arrays = [rng.normal(0, 0.5, shape).astype(np.float32) for shape in shapes]
    return rn.RankWeights(*arrays[:4], *(out * array for array in arrays[4:]))


def test_without_a_last_layer_it_is_the_linear_model():
    network = rn.RankNetwork(random_weights(0))
    np.testing.assert_allclose(network.predict(*GAME), shipped().predict(*GAME), atol=1e-5)


def test_ranks_and_players_sum_to_one_and_the_past_matters():
    network = rn.RankNetwork(random_weights(1))
    chances = network.predict(*GAME)
    np.testing.assert_allclose(chances.sum(1), 1, rtol=1e-5)
    np.testing.assert_allclose(chances.sum(2), 1, rtol=1e-5)
    np.testing.assert_allclose(network.predict(*(part[:2] for part in GAME)), chances[:2], atol=1e-6)
    other = (np.array([[25000] * 4, [17000, 33000, 25000, 25000], GAME[0][2]]), *GAME[1:])
    assert np.abs(network.predict(*other)[2] - chances[2]).max() > 1e-3


def test_inputs_tell_changes_and_the_dealer():
    steps = rn.inputs(*GAME)
    np.testing.assert_allclose(steps[1, 4:8], [0.8, -0.8, 0, 0], atol=1e-6)
    np.testing.assert_array_equal(steps[0, 4:8], 0)
    np.testing.assert_array_equal(steps[:, 8:12].argmax(1), [0, 1, 2])


def test_a_step_is_pytorchs():
    torch = pytest.importorskip("torch", reason="training needs PyTorch")
    weights = random_weights(1)
    gru = torch.nn.GRU(rn.INPUTS, 8, batch_first=True)
    with torch.no_grad():
        gru.weight_ih_l0.copy_(torch.from_numpy(weights.weights.T))
        gru.weight_hh_l0.copy_(torch.from_numpy(weights.inner.T))
        gru.bias_ih_l0.copy_(torch.from_numpy(weights.bias))
        gru.bias_hh_l0.copy_(torch.from_numpy(weights.inner_bias))
        steps = rn.inputs(*GAME)
        hidden = gru(torch.from_numpy(steps)[None])[0][0].numpy()
    np.testing.assert_allclose(
        rn.RankNetwork(weights)._added(steps), hidden @ weights.out + weights.out_bias, rtol=1e-4, atol=1e-5
    )


def test_turned_seats_are_the_same_game():
    pytest.importorskip("torch", reason="training needs PyTorch")
    from janshi.models.rank_network_training import turned_orders

    for turn, numbers in enumerate(turned_orders()):
        np.testing.assert_array_equal(ORDERS[numbers], (ORDERS + turn) % 4)
