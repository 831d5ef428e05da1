"""What a career keeps of every hand agrees with the statistics of records, and with hands counted by eye."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.career.hands import COUNTS, count_hands
from janshi.core.tiles import parse_tiles, tiles_to_ids
from janshi.records.model import Event, GameRecord, HandRecord, Kind
from janshi.records.stats import count_game
from own_games import played_game


@pytest.mark.parametrize("seed", [0, 3])
def test_counts_are_those_of_the_statistics(seed: int):
    record = played_game(seed)
    counted, sums = count_hands(record), count_game(record)
    for seat in range(4):
        assert {name: int(counted[seat][name].sum()) for name in COUNTS} == {name: sums[seat][name] for name in COUNTS}


def test_changes_lead_from_the_first_scores_to_the_last():
    record = played_game(0)
    changes = count_hands(record)["change"].sum(1)
    assert record.final_scores is not None
    assert (np.array(record.hands[0].scores) + changes).tolist() == list(record.final_scores)


def ids(text: str) -> list[int]:
    return tiles_to_ids(parse_tiles(text))


def hand_of(*events: Event) -> HandRecord:
    """Seat 1 holds a pair of 5p with a red one and 1-shanten shapes; seat 2 will declare riichi. The dora is 6p."""
    mine = ids("123m06p789s1112z3m")
    deals = [ids("147m258p369s1123z"), mine, ids("19m19p19s567z4m4p4s")[:13], ids("22m88p88s447z6m6p6s")[:13]]
    deals[2] += [t for t in range(136) if all(t not in d for d in deals)][: 13 - len(deals[2])]
    deals[3] += [t for t in range(136) if all(t not in d for d in deals)][: 13 - len(deals[3])]
    return HandRecord(0, 0, 0, (25_000,) * 4, ids("5p")[-1], tuple(map(tuple, deals)), list(events))


def counted(hand: HandRecord) -> np.ndarray:
    return count_hands(GameRecord([hand], final_scores=(25_000,) * 4))[:, 0]


def test_the_first_call_has_its_turn_and_its_dora():
    hand = hand_of()
    east = next(t for t in hand.deals[0] if t // 4 == 0)  # 1m, called as a chi with 2m 3m
    two, three = (next(t for t in hand.deals[1] if t // 4 == kind) for kind in (1, 2))
    hand.events += [
        Event(Kind.DRAW, 0, 135),
        Event(Kind.DISCARD, 0, east),
        Event(Kind.CHI, 1, east, (two, three), 0),
    ]
    found = counted(hand)
    assert found["call_turn"].tolist() == [0, 1, 0, 0]
    assert found["call_dora"][1] == 2  # the red five and the 6p
    assert found["calls"].tolist() == [0, 1, 0, 0]


def test_a_push_is_a_discard_that_the_riichi_does_not_show_to_be_safe():
    hand = hand_of()
    river = hand.deals[2][0]
    safe = next(t for t in hand.deals[3] if t // 4 != river // 4)
    mine = hand.deals[1]
    hand.events += [
        Event(Kind.DRAW, 2, 133),
        Event(Kind.RIICHI, 2),
        Event(Kind.DISCARD, 2, river),
        Event(Kind.RIICHI_PAID, 2),
        Event(Kind.DRAW, 3, 132),
        Event(Kind.DISCARD, 3, safe),  # not in the river: a push
        Event(Kind.DRAW, 1, 131),
        Event(Kind.DISCARD, 1, next(t for t in mine if t // 4 not in (river // 4, safe // 4))),
    ]
    found = counted(hand)
    assert found["riichi_turn"].tolist() == [0, 0, 1, 0]
    assert found["faced"].tolist() == [False, True, False, True]
    assert found["pushes"].tolist() == [0, 1, 0, 1]


def test_what_was_discarded_after_the_riichi_is_safe():
    hand = hand_of()
    river, pushed = hand.deals[2][0], next(t for t in hand.deals[3] if t // 4 != hand.deals[2][0] // 4)
    again = next((t for t in range(4 * (pushed // 4), 4 * (pushed // 4) + 4) if t != pushed), pushed)
    hand.events += [
        Event(Kind.DRAW, 2, 133),
        Event(Kind.RIICHI, 2),
        Event(Kind.DISCARD, 2, river),
        Event(Kind.DRAW, 3, 132),
        Event(Kind.DISCARD, 3, pushed),
        Event(Kind.DRAW, 1, again),
        Event(Kind.DISCARD, 1, again),  # the same kind, which nobody won on
    ]
    assert counted(hand)["pushes"].tolist() == [0, 0, 0, 1]
