"""Statistics: counted by hand on small games, and beside what is published of houou South games."""

from __future__ import annotations

from math import isnan

import pytest
from played import played_game

from janshi.records.formats import read_record
from janshi.records.model import DrawRecord, Event, GameRecord, GameRules, HandRecord, Kind, WinRecord
from janshi.records.stats import Ratio, Stats, as_data, count_game, stats_of, tenpai_players, value_of, wilson

DEALS = tuple(tuple(range(13 * player, 13 * player + 13)) for player in range(4))


def hand(*events: Event, wins: list[WinRecord] | None = None, draw: DrawRecord | None = None, **more) -> HandRecord:
    return HandRecord(
        0, more.get("honba", 0), more.get("sticks", 0), (25000,) * 4, 135, DEALS, list(events), wins or [], draw
    )


def game(*hands: HandRecord, scores: tuple[int, ...] = (40000, 30000, 20000, 10000)) -> GameRecord:
    return GameRecord(list(hands), GameRules(), ("a", "b", "c", "d"), final_scores=scores)


def test_wins_deal_ins_and_what_they_cost():
    won = WinRecord(1, 2, (0, 8600, -7600, 0), points=7700, honba=1)
    seats = count_game(game(hand(wins=[won], honba=1)))
    assert [seat["wins"] for seat in seats] == [0, 1, 0, 0]
    assert [seat["deal_ins"] for seat in seats] == [0, 0, 1, 0]
    assert (seats[1]["win_points"], seats[1]["win_changes"]) == (7700, 8600)
    assert (seats[2]["loss_points"], seats[2]["loss_changes"]) == (7700, 7600)


def test_two_winners_are_one_deal_in():
    wins = [WinRecord(1, 0, (-2000, 2000, 0, 0), points=2000), WinRecord(3, 0, (-8000, 0, 0, 8000), points=8000)]
    seats = count_game(game(hand(wins=wins)))
    assert seats[0]["deal_ins"] == 1
    assert seats[0]["loss_changes"] == 10_000
    assert [seat["wins"] for seat in seats] == [0, 1, 0, 1]


def test_self_draw_is_nobodys_deal_in():
    seats = count_game(game(hand(wins=[WinRecord(0, 0, (6000, -2000, -2000, -2000), points=6000)])))
    assert seats[0]["tsumos"] == 1
    assert sum(seat["deal_ins"] for seat in seats) == 0


def test_riichi_and_calls_count_once_a_hand():
    events = [Event(Kind.RIICHI, 0), Event(Kind.PON, 1), Event(Kind.CHI, 1), Event(Kind.CONCEALED_KAN, 2)]
    seats = count_game(game(hand(*events, draw=DrawRecord("exhaustive draw", (0,) * 4, tenpai=()))))
    assert [seat["riichis"] for seat in seats] == [1, 0, 0, 0]
    assert [seat["calls"] for seat in seats] == [0, 1, 0, 0]
    assert [seat["draws"] for seat in seats] == [1] * 4
    assert [seat["tenpais"] for seat in seats] == [0] * 4


def test_hand_value_where_the_format_does_not_tell_it():
    paid = hand(Event(Kind.RIICHI_PAID, 1), honba=2, sticks=1)
    assert value_of(paid, WinRecord(1, 2, (0, 6500, -4500, 0)), True) == 3900
    assert value_of(paid, WinRecord(3, 2, (0, 0, -2000, 2000)), False) == 2000


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (DrawRecord("exhaustive draw", (0,) * 4, tenpai=(1, 2)), {1, 2}),
        (DrawRecord("exhaustive draw", (0,) * 4, shown={3: (1, 2)}), {3}),
        (DrawRecord("exhaustive draw", (3000, -1000, -1000, -1000)), {0}),
        (DrawRecord("exhaustive draw", (0,) * 4), None),
    ],
)
def test_tenpai_at_a_draw(draw: DrawRecord, expected: set[int] | None):
    assert tenpai_players(draw) == expected


def test_ranks_of_equal_scores_go_by_seat():
    seats = count_game(game(scores=(25000, 25000, 40000, 10000)))
    assert [seat["rank_sum"] for seat in seats] == [2, 3, 1, 4]


def test_unfinished_games_have_no_ranks():
    record = game()
    record.complete = False
    assert count_game(record)[0]["ranked"] == 0


def test_wilson_interval():
    """Worked by hand: 10 of 100 is 10 % (5.5 % to 17.4 %)."""
    found = wilson(10, 100)
    assert found.value == 0.1
    assert (found.low, found.high) == (pytest.approx(0.05523, abs=1e-4), pytest.approx(0.17437, abs=1e-4))
    assert isnan(wilson(0, 0).value)


def test_interval_of_an_average_takes_games_as_clusters():
    """Ten games of two wins each, all equal within a game: the interval is that of ten numbers, not of twenty."""
    values = [float(v) for v in range(10)]
    ratio = Ratio()
    for value in values:
        ratio.add(2 * value, 2)
    found = ratio.estimate(2 * sum(values), 20, 10)
    spread = (sum((v - 4.5) ** 2 for v in values) / 9) ** 0.5
    assert found.value == 4.5
    assert found.high - found.value == pytest.approx(1.959964 * spread / 10**0.5)


def test_players_and_overall_agree():
    stats = stats_of(played_game(seed) for seed in range(8))
    assert stats.overall.games == 8
    assert sum(tally.sums["wins"] for tally in stats.players.values()) == stats.overall.sums["wins"]
    assert stats.overall.estimates()["average rank"].value == 2.5
    assert all(tally.games >= 4 for _, tally in stats.named(min_games=4))


def test_as_data_holds_only_what_json_can():
    import json

    text = json.dumps(as_data(Stats().overall), allow_nan=False)
    assert json.loads(text)["win rate"]["value"] is None


def test_houou_south_games_are_near_what_is_published(pack):
    """Published for 2016: within one percentage point (two for riichi and calls, which the years have changed)."""
    stats = Stats()
    for name, content in pack("houou-2018", 400):
        record = read_record(content, name)
        if record.rules.rounds == 2 and record.rules.level == 3:
            stats.add(record)
    found = stats.overall.estimates()
    assert stats.overall.games > 250
    published = {"win rate": 0.211, "deal-in rate": 0.125, "riichi rate": 0.170, "call rate": 0.344, "draw rate": 0.162}
    for name, value in published.items():
        allowed = 0.02 if name in ("riichi rate", "call rate", "draw rate") else 0.01
        assert found[name].value == pytest.approx(value, abs=allowed), name
    assert found["average win by hand value"].value == pytest.approx(5640, rel=0.05)
    assert found["hands per game"].value == pytest.approx(10.7, abs=0.5)
