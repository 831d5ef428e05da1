"""Mistakes that other engines made, one test each: a record that contains the mistake is found out by replay.

Each hand is played at a table and written down, then changed into what a mistaken engine would have played or counted.
(The ambiguous pon of tenhou.net/6 belongs to that format's tests.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from recorder import Recorder
from scenario import deal, may, pass_all, play, run_out, until_left, until_turn

from janshi.core.tiles import COPIES, parse_tiles
from janshi.records.invariants import Invariant
from janshi.records.model import Event, GameRecord, GameRules, HandRecord, Kind, WinRecord
from janshi.records.replay import replay_game
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.yaku import CHANKAN, HAITEI, HOUTEI, RINSHAN, SUUANKOU_TANKI

TENPAI = "123m456p789s22p56m"
FAR = "147m258p369s1234z"


def record_of(table: Table, *moves: str, then: Callable[[Table], None] | None = None) -> HandRecord:
    """Play moves at a table and write the hand down; without `then` it must be over."""
    recorder = Recorder(table)
    play(table, *moves)
    if then is not None:
        then(table)
    return recorder.record()


def broken(hand: HandRecord) -> list[Invariant]:
    """The invariants that do not hold in a hand."""
    return [d.invariant for d in replay_game(game_of(hand))]


def game_of(hand: HandRecord) -> GameRecord:
    return GameRecord([hand], GameRules(), format="mjlog", source="test", complete=False)


def without(hand: HandRecord, kind: int) -> HandRecord:
    """The hand without the events of a kind."""
    return replace(hand, events=[event for event in hand.events if event.kind != kind])


def declare(hand: HandRecord, at: int) -> HandRecord:
    """The hand with a riichi declared at the discard at place `at`."""
    player = hand.events[at].player
    declared = [*hand.events[:at], Event(Kind.RIICHI, player), hand.events[at], Event(Kind.RIICHI_PAID, player)]
    return replace(hand, events=declared + hand.events[at + 1 :])


def first(hand: HandRecord, kind: int, player: int, start: int = 0) -> int:
    """Where a player's first event of a kind stands."""
    return next(i for i, e in enumerate(hand.events) if i >= start and e.kind == kind and e.player == player)


def test_a_hand_as_played_agrees() -> None:
    hand = record_of(deal({0: TENPAI}, draws="1z"), "0 riichi", "0 tsumogiri", then=run_out)
    assert broken(hand) == []


def test_noten_riichi() -> None:
    hand = record_of(deal({0: FAR}), then=run_out)
    assert broken(hand) == []
    assert broken(declare(hand, first(hand, Kind.DISCARD, 0))) == [Invariant.LEGAL]


def test_riichi_with_a_discard_that_leaves_the_hand_noten() -> None:
    hand = record_of(deal({0: TENPAI}, draws="1z"), "0 discard 1m", then=run_out)
    assert broken(hand) == []
    assert broken(declare(hand, first(hand, Kind.DISCARD, 0))) == [Invariant.LEGAL]


@pytest.mark.parametrize(("points", "found"), [(1000, []), (900, [Invariant.LEGAL])])
def test_riichi_below_a_thousand_points(points: int, found: list[Invariant]) -> None:
    scores = (1000, 33000, 33000, 33000)
    table = deal({0: TENPAI}, draws="1z", scores=scores)
    hand = record_of(table, "0 riichi", "0 tsumogiri", then=run_out)
    assert broken(replace(hand, scores=(points, *scores[1:]))) == found


@pytest.mark.parametrize(("left", "found"), [(4, []), (3, [Invariant.LEGAL])])
def test_riichi_with_fewer_than_four_tiles_left(left: int, found: list[Invariant]) -> None:
    player = (69 - left) % 4
    table = deal({player: TENPAI}, last_draws="? ? ? ?")
    hand = record_of(table, then=run_out)
    draws = [i for i, event in enumerate(hand.events) if event.kind == Kind.DRAW]
    at = first(hand, Kind.DISCARD, player, draws[69 - left])
    assert hand.events[at - 1].kind == Kind.DRAW
    differences = replay_game(game_of(declare(hand, at)))
    assert [d.invariant for d in differences if d.invariant is Invariant.LEGAL] == found


def test_a_concealed_kan_on_the_last_tile() -> None:
    table = deal({1: "777m147p258s1234z"}, last_draws="7m")
    hand = record_of(table, then=run_out)
    at = first(hand, Kind.DISCARD, 1, max(i for i, e in enumerate(hand.events) if e.kind == Kind.DRAW))
    kan = Event(Kind.CONCEALED_KAN, 1, -1, tuple(range(4 * parse_tiles("7m")[0], 4 * parse_tiles("7m")[0] + COPIES)))
    spare = next(i for i in range(136) if i not in seen(hand))
    events = [*hand.events[:at], kan, Event(Kind.DRAW, 1, spare), Event(Kind.DISCARD, 1, spare, tsumogiri=True)]
    assert broken(hand) == []
    assert broken(replace(hand, events=events)) == [Invariant.LEGAL]


def seen(hand: HandRecord) -> set[int]:
    """Every tile id the record shows."""
    return {hand.dora, *(t for d in hand.deals for t in d), *(e.tile for e in hand.events)}


def test_the_tile_of_a_ron() -> None:
    hand = record_of(deal({0: TENPAI}, draws="1z 7m"), "0 tsumogiri", "1 tsumogiri", "0 ron")
    win = hand.wins[0]
    assert broken(hand) == []
    other = next(tile for tile in hand.deals[0] if tile // COPIES != win.tile // COPIES)
    assert broken(with_win(hand, tile=other)) == [Invariant.TILE]


def with_win(hand: HandRecord, **fields: object) -> HandRecord:
    """The hand with changes to its win."""
    told = WinRecord(**{name: getattr(hand.wins[0], name) for name in WinRecord.__slots__} | fields)  # type: ignore
    return replace(hand, wins=[told, *hand.wins[1:]])


def test_furiten_after_a_declined_robbing() -> None:
    """Seat 3 lets seat 1's added kan of 7m go by; seat 2's 4m comes before seat 3's own turn."""
    table = deal({1: "77m147p258s12345z", 3: TENPAI}, draws="7m ? ? ? 7m 4m", replacements="9p")
    recorder = Recorder(table)
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    assert table.asked == (3,)
    pass_all(table)
    play(table, "1 tsumogiri")
    assert table.actor == 2
    play(table, "2 tsumogiri")
    assert not may(table, 3, "ron")
    run_out(table)
    hand = recorder.record()
    assert broken(hand) == []
    at = first(hand, Kind.DISCARD, 2, first(hand, Kind.ADDED_KAN, 1))
    robbed = WinRecord(3, 2, (0, 0, -1000, 1000), hand.events[at].tile)
    mistaken = replace(hand, events=hand.events[: at + 1], wins=[robbed], draw=None)
    assert broken(mistaken) == [Invariant.LEGAL]  # seat 3 is asked, and may chi


def test_double_yakuman_where_the_rules_have_none() -> None:
    hand = record_of(deal({0: "111m222p333s444z5z"}, draws="1p 5z"), "0 tsumogiri", "1 tsumogiri", "0 ron")
    assert hand.wins[0].yakuman == (SUUANKOU_TANKI,)
    assert broken(hand) == []
    doubled = with_win(hand, points=96_000, changes=(96_000, -96_000, 0, 0))
    assert broken(doubled) == [Invariant.POINTS, Invariant.CHANGES]


def three_dragons(*moves: str) -> HandRecord:
    """Seat 0 pons the three dragons, the last from seat 1, then plays the moves."""
    table = deal({0: "556677z9m9p1m34p11s"}, draws="? 5z 6z 7z 2p ? ? 5p", dora="9m")
    recorder = Recorder(table)
    play(table, "0 tsumogiri", "1 tsumogiri", "0 pon", "0 discard 9m")
    play(table, "1 tsumogiri", "0 pon", "0 discard 9p", "1 tsumogiri", "0 pon", "0 discard 1m")
    until_turn(table, 1)
    play(table, *moves)
    return recorder.record()


def test_liability_missed_in_a_self_drawn_win() -> None:
    hand = three_dragons("1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumo")
    assert hand.wins[0].changes == (48_000, -48_000, 0, 0)
    assert broken(with_win(hand, liable=1)) == []
    missed = with_win(hand, liable=None, changes=(48_000, -16_000, -16_000, -16_000))
    assert broken(missed) == [Invariant.LIABLE, Invariant.CHANGES]


def test_a_liable_player_who_discards_the_tile_pays_all() -> None:
    hand = three_dragons("1 tsumogiri", "0 ron")
    assert hand.wins[0].changes == (48_000, -48_000, 0, 0)
    assert broken(hand) == []


def test_last_tile_yaku_in_a_replay() -> None:
    """An engine that counts the wall anew in a replay takes the wrong tile for the last."""
    table = deal({1: TENPAI}, last_draws="7m")
    recorder = Recorder(table)
    until_left(table, 0)
    play(table, "1 tsumo")
    hand = recorder.record()
    assert HAITEI in dict(hand.wins[0].yaku)
    assert broken(hand) == []
    fewer = tuple(pair for pair in hand.wins[0].yaku if pair[0] != HAITEI)
    assert Invariant.YAKU in broken(with_win(hand, yaku=fewer))
    wrong = tuple((HOUTEI if number == HAITEI else number, han) for number, han in hand.wins[0].yaku)
    assert broken(with_win(hand, yaku=wrong)) == [Invariant.YAKU]
    assert {CHANKAN, RINSHAN}.isdisjoint(dict(hand.wins[0].yaku))
