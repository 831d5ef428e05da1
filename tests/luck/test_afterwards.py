"""What followed decisions without luck: sums of changes between draws, up to the result of the hand."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.luck.afterwards import follow
from janshi.luck.error_rate import decisions
from janshi.luck.games import games_of_records
from janshi.luck.measure import score_games
from janshi.luck.types import DRAW, KAN_DORA, PLACES, URA
from janshi.records.recorder import Recorder
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table


@pytest.fixture(scope="module")
def played():
    table = Table(4, TENHOU_EAST)
    players = [KernelPlayer("greedy", i) for i in range(4)]
    recorder = Recorder(table, ("ann", "bob", "cid", "dee"))
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return games_of_records([recorder.record()])


@pytest.fixture(scope="module")
def some(played):
    (found,) = decisions(played, np.ones((1, 4), np.bool_))
    return found


def test_results_are_what_hands_brought_less_the_luck_after_the_decision(played, some):
    scored = score_games(played)
    found = follow(played, some.views, some.infos)
    for i in range(0, len(some.views), 7):
        hand, seat, left = int(some.infos["hand"][i]), int(some.infos["player"][i]), int(some.views["left"][i])
        events = scored.events[scored.first[hand] : scored.first[hand + 1]]
        later = [e for e in events if e["kind"] == URA or (e["kind"] in (DRAW, KAN_DORA) and e["left"] <= left)]
        slow = scored.gains[: hand + 1, PLACES, seat].sum() - sum(float(e["luck"][PLACES, seat]) for e in later)
        assert found.result[i] == pytest.approx(slow, abs=1e-5)
    assert found.luck == pytest.approx(scored.luck_of_games()[:, PLACES], abs=1e-5)


def test_the_change_until_the_last_draw_is_that_until_the_end(played, some):
    found = follow(played, some.views, some.infos)
    left = some.views["left"].astype(int)
    last = np.array([left[some.infos["hand"] == hand].min() for hand in some.infos["hand"]])
    at_the_end = left == last
    assert at_the_end.any()
    whole = found.result - found.value
    assert found.soon[at_the_end][:, -1] == pytest.approx(whole[at_the_end])
    assert not np.allclose(found.soon[:, 0], whole)
