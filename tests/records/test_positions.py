"""Positions from a hand as people write it, and from records."""

from __future__ import annotations

import pytest

from janshi.core.tiles import format_tiles, parse_tiles
from janshi.records.model import RecordError
from janshi.records.positions import position_of_record, table_of_hand
from janshi.records.recorder import record_game
from janshi.rules.riichi.ruleset import get_ruleset
from janshi.rules.riichi.table import Table

HAND = "123m406p789s1122z5m"


@pytest.mark.parametrize("seat", "ESWN")
@pytest.mark.parametrize("round_wind", "ES")
def test_the_player_holds_the_hand_and_has_drawn_its_last_tile(seat, round_wind):
    table = table_of_hand(HAND, seat=seat, round_wind=round_wind, dora="3p")
    player = "ESWN".index(seat)
    assert table.asked == (player,)
    assert table.drawn == parse_tiles("5m")[0]
    assert sorted(table.hand(player)) == sorted(parse_tiles(HAND))
    assert format_tiles(table.dora_indicators) == "3p"
    assert table.round_name == ("East 1" if round_wind == "E" else "South 1")
    assert sum(len(table.river(p)) for p in range(4)) == player


def test_the_same_seed_gives_the_same_table():
    assert table_of_hand(HAND, seed=3) == table_of_hand(HAND, seed=3)
    assert table_of_hand(HAND, seed=3) != table_of_hand(HAND, seed=4)


@pytest.mark.parametrize(
    ("hand", "options", "told"),
    [
        ("123m", {}, "14 tiles, not 3"),
        ("11111m123456789s", {}, "only 4 of a kind"),
        (HAND, {"seat": "X"}, "one of E, S, W, N"),
        (HAND, {"round_wind": "EE"}, "one of E, S, W, N"),
    ],
)
def test_invalid_positions_are_refused(hand, options, told):
    with pytest.raises(ValueError, match=told):
        table_of_hand(hand, **options)


def test_a_turn_of_a_recorded_game():
    rules = get_ruleset("tenhou_east")
    table, actions = Table(5, rules), []
    while not table.over:
        chosen = {player: table.legal_actions(player)[0] for player in table.asked}
        actions += chosen.values()
        table.step(chosen or None)
    record = record_game(rules, 5, actions)
    position = position_of_record(record, 1, 0, 2)
    assert position.player in position.table.asked
    assert len(position.table.river(0)) == 1
    assert position.table.is_legal(0, position.answer)
    with pytest.raises(RecordError, match="turns there, not 40"):
        position_of_record(record, 1, 0, 40)
    for number in (0, 99):
        with pytest.raises(RecordError, match=f"hand {number}: the game has hands 1 to"):
            position_of_record(record, number, 0, 1)
