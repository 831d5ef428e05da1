"""The inputs of the riichi network show what a player sees, and nothing that the player cannot know."""

from __future__ import annotations

import doctest
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scenario import deal, play

from janshi.core.tables import tables_array
from janshi.core.tiles import format_tiles
from janshi.features.riichi import layout as at
from janshi.features.riichi.notes import LISTED, new_notes
from janshi.features.riichi.packed import PACKED_DTYPE, ROOM, write_packed
from janshi.models.labels import plain_views
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import MELDS, PLAYERS
from janshi.rules.riichi.view import ORACLE_DTYPE

TENPAI = "123m456p789s22p56m"
EARLY, LATE = "riichi/tenhou", "riichi/tenhou_east"


def pack(views, rules):
    out = np.zeros(len(views), PACKED_DTYPE)
    write_packed(views, rules.record(), np.zeros(len(views), np.int64), tables_array(), new_notes(), out)
    return out


@cache
def positions(rules, tables=16, every=9, steps=320):
    """States of random play, whose hands are long and full of calls: (states, tables, players)."""
    game = make_game(rules)
    batch = Batch(game, tables, seed=7)
    kept = []
    for step in range(steps):
        if step % every == 0:
            kept.append(np.array(batch.states))
        batch.step(batch.random_actions(), check=False)
    states = np.concatenate(kept).view(np.recarray)
    places = np.repeat(np.arange(len(states)), PLAYERS)
    return states, places, np.tile(np.arange(PLAYERS), len(states))


def views_of(rules, states, tables, players):
    game = make_game(rules)
    out = np.zeros(len(tables), game.view_dtype)
    game.views(states, tables, players, out)
    return out


@cache
def packed(rules):
    return pack(views_of(rules, *positions(rules)), make_game(rules).rules)


# --- the list


@pytest.mark.parametrize("rules", [EARLY, LATE])
def test_inputs_are_sorted_and_each_stands_once(rules):
    found = packed(rules)
    counts = found["count"].astype(int)
    assert counts.min() > 100
    assert counts.max() < ROOM
    for row, count in zip(found["inputs"].astype(int), counts):
        assert (np.diff(row[:count]) > 0).all()
        assert row[count - 1] < at.INPUTS
        assert (row[count:] == at.NO_INPUT).all()


def test_no_position_overflows_the_list():
    """The sum of what each group can have at most, before equal inputs are merged."""
    hand, calls, opponents, kinds = 14, PLAYERS * MELDS, PLAYERS - 1, 34
    discards = 70 + calls  # one a draw from the live wall, and one a call
    tiles = 2 * hand + 3 + 1 + kinds + 5 + 5 + PLAYERS + 1 + 1  # hand, reds, drawn, unseen, dora, winds, question
    rivers = 2 * discards + PLAYERS + calls + 3 + PLAYERS + opponents * kinds  # with riichi, called, red, last, safe
    melds = calls * (3 + 2) + 3
    derived = kinds + kinds + 2 + 27 + opponents * 27  # useful or kept, waits, numbers, walls, suji
    scores = PLAYERS * len(at.SCORES) + opponents * len(at.GAPS) + opponents * 3 * len(at.RESULTS)
    players = PLAYERS * 11 + 1
    game_and_question = len(at.GAME.groups) + len(at.QUESTION.groups) + 16
    assert tiles + rivers + melds + derived + scores + players + game_and_question <= LISTED


def test_sections_follow_one_another():
    assert [section.first for section in at.SECTIONS[1:]] == [section.end for section in at.SECTIONS[:-1]]
    assert at.INPUTS < 2**16
    topics = {group.topic for section in at.SECTIONS for group in section.layout.groups}
    assert topics == set(at.TOPICS)
    assert set(at.DERIVED) < topics


# --- what is hidden


@pytest.mark.parametrize("rules", [EARLY, LATE])
def test_hidden_tiles_leave_the_inputs_alone(rules):
    game = make_game(rules)
    states, _, _ = positions(rules)
    changed = 0
    for i in range(0, len(states), 5):
        before, player = states[i : i + 1].copy(), i % PLAYERS
        if game.is_over(before)[0]:
            continue
        after = before.copy()
        game.shuffle_hidden(after[0], player, i)
        changed += before.tobytes() != after.tobytes()
        ours, theirs = (
            pack(views_of(rules, state, np.zeros(1, np.int64), np.array([player])), game.rules)
            for state in (before, after)
        )
        assert ours.tobytes() == theirs.tobytes()
    assert changed > 20


def test_oracle_views_give_the_same_inputs():
    """Examples are packed from oracle views; the player packs plain ones."""
    game = make_game(EARLY)
    table = deal({0: TENPAI}, draws="1z 9m")
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri")
    for player in range(PLAYERS):
        oracle = np.array([table.oracle_view(player)], ORACLE_DTYPE)
        ours, theirs = pack(oracle, game.rules), pack(plain_views(oracle), game.rules)
        assert ours.tobytes() == theirs.tobytes()
        assert ours.tobytes() == pack(np.array([table.view(player)], game.view_dtype), game.rules).tobytes()


# --- positions made by hand


def told(table, player):
    """The active inputs of a position: (tile, player or section, name of the group, values of its axes)."""
    row = pack(np.array([table.view(player)], make_game(EARLY).view_dtype), table.rules)[0]
    found = set()
    for number in row["inputs"][: row["count"]].tolist():
        section = next(section for section in at.SECTIONS if number < section.end)
        token, channel = divmod(number - section.first, section.width)
        name, values = section.layout.decode(channel)
        where = format_tiles([token]) if section.name == "tile" else token if section.name == "player" else section.name
        found.add((where, name, *(value for axis, value in values.items() if axis not in ("one", "yes"))))
    return found


def of(found, name):
    return {(where, *rest) for where, group, *rest in found if group == name}


def test_own_hand_and_what_may_be_done():
    found = told(deal({0: "1122m340p789s167z"}, draws="5z"), 0)
    assert of(found, "hand") >= {("1m", 1), ("2m", 1), ("3p", 0), ("5p", 0), ("7z", 0)}  # pairs count 2
    assert of(found, "red five in hand") == {("5p",)}
    assert of(found, "drawn") == {("5z", 0)}
    may_discard = ["1m", "2m", "3p", "4p", "7s", "8s", "9s", "1z", "6z", "7z"]
    assert of(found, "may discard") == {(tile,) for tile in may_discard}  # no plain 5p
    assert ("1m", 2) in of(found, "unseen")
    assert of(found, "seat wind") == {("1z", 0), ("2z", 1), ("3z", 2), ("4z", 3)}
    assert of(found, "round wind") == {("1z",)}
    assert of(found, "red fives held") == {("question", 1)}
    assert of(found, "closed hand") == {("question",)}
    assert of(found, "phase") == {("question", 0)}


def test_rivers_in_order_from_the_hand_or_drawn():
    table = deal({0: "1122m345p789s167z"}, draws="5z 9m 1p 2z 3z")
    play(table, "0 discard 7z", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    found = told(table, 1)  # players are counted from the viewer on
    assert of(found, "river") == {
        ("7z", 3, 0, 0),
        ("9m", 0, 1, 0),
        ("1p", 1, 1, 0),
        ("2z", 2, 1, 0),
        ("3z", 3, 1, 1),
    }
    assert of(found, "last discard") == {("3z", 3), ("9m", 0), ("1p", 1), ("2z", 2)}
    assert of(found, "age of discard") == {("3z", 3, 0), ("2z", 2, 1), ("1p", 1, 1), ("9m", 0, 1), ("7z", 3, 2)}
    assert of(found, "tsumogiri in a row") == {(0, 1), (1, 1), (2, 1), (3, 1)}
    assert of(found, "discards") == {(0, 1), (1, 1), (2, 1), (3, 2)}


def test_kinds_that_passed_since_riichi_are_safe():
    table = deal({0: TENPAI}, draws="1z 9m 1p 2z 3z")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri")
    before = told(table, 3)
    assert {tile for tile, player in of(before, "safe against") if player == 0} == {"1z"}
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri")
    after = told(table, 3)
    drawn = format_tiles([table.view(3)["river"][2, 1]])
    assert {tile for tile, player in of(after, "safe against") if player == 0} == {"1z", "3z", drawn}
    assert of(after, "riichi tile") == {("3z", 1)}
    assert of(after, "riichi") == {(1, 0)}
    assert of(after, "turn of riichi") == {(1, 1)}
    assert of(after, "opponents in riichi") == {("game", 1)}


def test_melds_with_source_and_called_tile():
    table = deal({0: "1122m345p789s167z", 1: "40p"}, draws="3p")
    play(table, "0 tsumogiri", "1 chi low red")
    found = told(table, 0)
    assert of(found, "chi") == {("3p", 1, 0), ("4p", 1, 0), ("5p", 1, 0)}
    assert of(found, "red five in meld") == {("5p", 1)}
    assert of(found, "called tile") == {("3p", 1, 0)}
    assert of(found, "called away") == {("3p", 0)}
    assert of(found, "open melds") == {(0, 0), (1, 1), (2, 0), (3, 0)}


def overtaking(found, name, player=1):
    return {at.RESULTS[result] for where, result in of(found, name) if where == player}


@pytest.mark.parametrize(("honba", "sticks"), [(0, 0), (2, 0), (0, 3), (2, 3)])
def test_wins_that_overtake(honba, sticks):
    """The viewer (South) is 8,000 behind East, the dealer, who sits before: equal points are not enough."""
    scores = (30_000 - 1000 * sticks, 22_000 - 1000 * sticks, 26_000 + 1000 * sticks, 22_000 + 1000 * sticks)
    table = deal({1: TENPAI}, draws="1z", scores=scores, honba=honba, sticks=0)
    view = table.view(1).copy()
    view["sticks"] = sticks
    found = told_view(view)
    dealer = 3  # from the viewer on
    gap = 8000
    rons = {value for value in at.RESULTS if 2 * (value + 300 * honba) + 1000 * sticks > gap}
    others = {value for value in at.RESULTS if value + 300 * honba + 1000 * sticks > gap}
    tsumos = {value for value in at.RESULTS if value + 300 * honba + 1000 * sticks + value // 2 + 100 * honba > gap}
    assert overtaking(found, "viewer overtakes by ron from", dealer) == rons
    assert overtaking(found, "viewer overtakes by ron from another", dealer) == others
    assert overtaking(found, "viewer overtakes by tsumo", dealer) == tsumos
    assert not overtaking(found, "overtakes the viewer by ron from", dealer)


def told_view(view):
    class Seen:
        rules = make_game(EARLY).rules

        def view(self, player):
            return view

    return told(Seen(), 1)


def test_worked_overtaking():
    """4,000 behind the player before, no honba: a 2,000 ron draws level only, 3,900 passes; from another 5,200 does."""
    scores = (27_000, 23_000, 25_000, 25_000)
    found = told(deal({1: TENPAI}, draws="1z", scores=scores), 1)
    assert min(overtaking(found, "viewer overtakes by ron from", 3)) == 3900
    assert min(overtaking(found, "viewer overtakes by ron from another", 3)) == 5200
    assert min(overtaking(found, "viewer overtakes by tsumo", 3)) == 3900  # 3,900 + 1,950
    found = told(deal({1: TENPAI}, draws="1z", scores=scores, honba=1), 1)
    assert min(overtaking(found, "viewer overtakes by ron from", 3)) == 2000  # 2 × 2,300
    assert min(overtaking(found, "viewer overtakes by ron from another", 3)) == 3900
    behind = told(deal({0: TENPAI}, draws="1z", scores=scores), 0)
    assert min(overtaking(behind, "overtakes the viewer by ron from", 1)) == 3900
    assert of(behind, "rank") == {(0, 0), (1, 3), (2, 1), (3, 2)}


def test_discards_that_keep_the_shanten():
    found = told(deal({0: TENPAI}, draws="1z"), 0)
    assert of(found, "keeps shanten") == {("1z",)}
    assert of(found, "shanten") == {("question", 1)}  # tenpai
    assert of(found, "useful tiles after discard") == {("1z", 2)}  # 4m and 7m: eight are unseen, from 8 to 11
    waiting = told(deal({1: TENPAI}, draws="1z"), 1)
    assert of(waiting, "own wait") == of(waiting, "useful") == {("4m",), ("7m",)}
    assert of(waiting, "kinds waited for") == {("question", 2)}


def test_suji_and_walls():
    table = deal({0: "4444m345p789s117z"}, draws="? 4s")
    play(table, "0 discard 7z", "1 tsumogiri")
    found = told(table, 0)
    assert of(found, "suji") == {("1s", 0, 1), ("7s", 0, 1)}  # all sides that a two-sided wait could have
    assert of(found, "no chance") == {("2m", 1), ("3m", 1), ("5m", 0), ("6m", 0)}


def test_situation_and_rules():
    found = told(deal({0: TENPAI}, draws="1z", round=3, honba=2, sticks=1, rules="tenhou_east"), 3)
    assert of(found, "hand of the game") == {("game", 3)}
    assert of(found, "hands left at least") == {("game", 0)}
    assert of(found, "honba") == {("game", 2)}
    assert of(found, "sticks") == {("game", 1)}
    assert of(found, "rounds") == {("game", 0)}
    assert of(found, "red fives") == {("game",)}
    assert of(found, "wind") == {(0, 0), (1, 1), (2, 2), (3, 3)}
    assert of(found, "acts now") == {(0,)}


def test_the_page_is_current_and_its_example_runs():
    root = Path(__file__).resolve().parent.parent.parent
    script = [sys.executable, "scripts/write_inputs_table.py", "--check"]
    done = subprocess.run(script, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    example = doctest.testfile(str(root / "docs" / "riichi_inputs.md"), module_relative=False)
    assert (example.attempted > 5, example.failed) == (True, 0)
