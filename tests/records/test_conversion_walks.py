"""Conversions from format to format to format: what comes out replays, and only what is listed is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from played import played_game, seeded_game

from janshi.records import mjai, mjlog, tenhou6
from janshi.records.conversions import try_conversions, walks_from
from janshi.records.formats import FORMATS
from janshi.records.invariants import Invariant
from janshi.records.losses import LOSSES, Loss, without
from janshi.records.model import GameRecord, GameRules, RecordError
from janshi.records.recorder import Recorder
from janshi.records.replay import replay_game
from janshi.rules.riichi.family import FAMILY as RIICHI
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import PRESETS, get_ruleset
from janshi.rules.riichi.table import Table

YEARS = (2009, 2020)


def problems(record: GameRecord, start: str = "mjlog") -> list[str]:
    return [problem for _, problem in try_conversions(record, walks_from(start)) if problem]


def test_walks_hold_every_order_of_formats():
    walks = walks_from("mjlog")
    assert len(walks) == 2 + 4 + 8
    assert ("mjlog", "mjai", "tenhou6", "mjlog") in walks
    assert all(name != after for walk in walks for name, after in pairwise(walk))


@pytest.mark.parametrize("year", YEARS)
def test_seeded_games_survive_every_walk(year: int):
    assert problems(seeded_game(year=year)) == []


@pytest.mark.parametrize("start", LOSSES)
def test_played_games_survive_every_walk(start: str):
    module = {"mjlog": mjlog, "tenhou6": tenhou6, "mjai": mjai}[start]
    record = module.read(module.write(played_game(4)), "game")
    assert problems(record, start) == []


def test_a_plain_mjai_game_survives_every_walk():
    """As other programs write it: no rules, names or final points, and no yaku."""
    kept = ("type", "actor", "target", "pai", "tsumogiri", "consumed", "dora_marker", "deltas", "ura_markers", "bakaze")
    kept += ("kyoku", "honba", "kyotaku", "oya", "scores", "tehais")
    events = (json.loads(line) for line in mjai.write(played_game(4)).splitlines())
    lines = (json.dumps({key: event[key] for key in kept if key in event}) for event in events)
    record = mjai.read("\n".join(lines).replace('"start_game"', '"start_game","kyoku_first":4'), "game")
    assert record.final_points is None
    assert record.rules.rounds == 1
    assert problems(record, "mjai") == []


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "mleague"])
def test_games_by_other_presets_survive_every_walk(preset: str):
    """Where a format cannot hold the rules, final points are Tenhou's, so that the game is valid again.

    Hands and games of the M-League also end otherwise than Tenhou's.
    """
    table = Table(3, get_ruleset(preset))
    players = [KernelPlayer("greedy", seat) for seat in range(4)]
    recorder = Recorder(table, ["ann", "bob", "cid", "dee"])
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    record = mjai.read(mjai.write(recorder.record()), "game.jsonl")
    assert replay_game(record) == []
    assert problems(record, "mjai") == []
    assert replay_game(mjlog.read(mjlog.write(record), "game.mjlog")) == []


def test_final_scores_that_mjai_does_not_have_follow_from_the_play():
    lines = mjai.write(played_game(4)).splitlines()
    plain = mjai.read("\n".join([*lines[:-1], '{"type":"end_game"}']), "game")
    assert (plain.complete, plain.final_scores) == (True, played_game(4).final_scores)
    cut = mjai.read("\n".join(lines[: lines.index('{"type":"end_kyoku"}') + 1]), "game")
    assert (cut.complete, cut.final_scores) == (False, None)
    early = mjai.read("\n".join([*lines[: lines.index('{"type":"end_kyoku"}') + 1], '{"type":"end_game"}']), "game")
    assert early.final_scores is None, "the game is not over"
    assert problems(early, "mjai") == []


def test_a_hand_without_a_result_is_written_only_as_the_last():
    record = played_game(4)
    cut = replace(record.hands[0], wins=[], draw=None)
    with pytest.raises(RecordError, match="hand 1: cannot be written as mjlog: it has no result, and another hand"):
        mjlog.write(replace(record, hands=[cut, *record.hands[1:]]))


def test_a_wrong_conversion_is_found(monkeypatch):
    """The checks of a conversion see a riichi stick that goes to the wrong player, and a field that is dropped."""
    record = seeded_game()
    write = mjai.write
    monkeypatch.setattr(mjai, "write", lambda record: write(replace(record, lobby=None, dans=())))
    assert problems(replace(record, dans=(10,) * 4))[0] == "lost: dans"
    monkeypatch.setattr(mjai, "write", lambda record: write(record).replace('"tsumogiri":true', '"tsumogiri":false'))
    assert problems(record)[0].startswith(("lost: hand 1, events", "refused", "replayed"))


def test_losses_are_listed_for_the_formats_that_convert():
    assert set(LOSSES) <= {name for name, known in FORMATS.items() if known.family == RIICHI and known.writes}
    assert {loss for losses in LOSSES.values() for loss in losses} == set(Loss)


def test_only_what_is_lost_is_taken_out():
    record = played_game(4)
    assert without(record, ()).hands == record.hands
    assert without(record, [Loss.TITLE]).hands == record.hands
    assert without(record, [Loss.DICE, Loss.COPIES]).hands != record.hands


# Seeds ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("year", YEARS)
def test_a_seeded_game_keeps_its_tile_ids_in_mjai(year: int):
    record = seeded_game(year=year)
    other = mjai.read(mjai.write(record), "seeded.jsonl")
    assert replay_game(other) == []
    back = mjlog.read(mjlog.write(other), "back.mjlog")
    assert replay_game(back) == []
    assert back.seed == record.seed
    for ours, theirs in zip(record.hands, back.hands, strict=True):
        assert (theirs.deals, theirs.dora, theirs.dice) == (ours.deals, ours.dora, ours.dice)
        assert [e for e in theirs.events if e.kind == 0] == [e for e in ours.events if e.kind == 0]
        assert theirs.extra.get("shuffle") == ours.extra.get("shuffle")


def test_dice_of_a_seeded_game_without_dice_come_from_the_seed():
    record = seeded_game()
    lines = [json.loads(line) for line in mjai.write(record).splitlines()]
    text = "\n".join(json.dumps({key: value for key, value in line.items() if key != "dice"}) for line in lines)
    assert [hand.dice for hand in mjai.read(text).hands] == [hand.dice for hand in record.hands]


def test_a_tile_that_the_seed_does_not_have_is_named():
    record = seeded_game()
    seed = record.seed[:-20] + "A" * 16 + record.seed[-4:]
    other = mjai.read(mjai.write(replace(record, seed=seed)), "other.jsonl")
    found = replay_game(other)
    assert [what.invariant for what in found if what.invariant != Invariant.DICE] == [Invariant.SEED] * 3
    first = next(str(what) for what in found if what.invariant == Invariant.SEED)
    assert first.startswith("other.jsonl: hand 1 (East 1, honba 0), deal: check failed: the wall made from the seed")
    assert "(id " in first


def test_recorded_dice_are_compared_with_the_seed():
    record = seeded_game()
    first, second = record.hands[1].dice
    record = replace(record, hands=[record.hands[0], replace(record.hands[1], dice=((first + 1) % 6, second))])
    (found,) = replay_game(record)
    assert found.invariant == Invariant.DICE
    assert found.place.startswith("hand 2 (")
    assert found.place.endswith(", deal")


# What a format lacks -------------------------------------------------------------------------------------------------


def test_limit_hands_keep_their_points_through_tenhou6():
    record = next(record for seed in range(20) if any_limit(record := played_game(seed)))
    there = tenhou6.read(tenhou6.write(record))
    text = mjlog.write(there)
    back = mjlog.read(text)
    for ours, theirs in zip(record.hands, back.hands, strict=True):
        for win, other in zip(ours.wins, theirs.wins, strict=True):
            assert (other.points, other.limit) == (win.points, win.limit)
            assert other.fu == (None if win.limit else win.fu)
    assert text.count(' ten="0,') == sum(bool(win.limit) for hand in record.hands for win in hand.wins)


def any_limit(record: GameRecord) -> bool:
    return any(win.limit for hand in record.hands for win in hand.wins)


@pytest.mark.parametrize(
    ("points", "dealer", "limit"),
    [
        *(
            (7700, False, 0),
            (7900, False, 0),
            (8000, False, 1),
            (12000, False, 2),
            (16000, False, 3),
            (24000, False, 4),
        ),
        *((32000, False, 5), (64000, False, 5), (11600, True, 0), (11700, True, 0), (12000, True, 1), (48000, True, 5)),
    ],
)
def test_an_unknown_limit_follows_from_the_points(points: int, dealer: bool, limit: int):
    assert mjlog.writer.limit_of_points(points, dealer) == limit


def test_the_game_id_keeps_the_date_in_a_renamed_file():
    """Old rules depend on the date, which an mjlog has only in its name."""
    name = "2009030816gm-00e1-0000-cd82703e.mjlog"
    record = replace(played_game(4), source=name)
    for module in (tenhou6, mjai):
        other = module.read(module.write(record), "renamed")
        assert other.ref == name.removesuffix(".mjlog")
        assert module.read(module.write(other), "again").ref == other.ref


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("preset", ["tenhou", "mahjong_soul"])
def test_rules_without_a_level_survive_tenhou6(preset: str, rounds: int):
    rules = GameRules(rounds=rounds, preset=preset, open_tanyao=False)
    other = tenhou6.read(tenhou6.write(replace(played_game(4), rules=rules))).rules
    assert (other.preset, other.rounds, other.open_tanyao, other.level) == (preset, rounds, False, None)
