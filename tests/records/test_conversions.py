"""The same game in several formats: pairs of other projects, golden conversions, real games, random play."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from janshi.core.tiles import COPIES, NUM_IDS, RED_5M, RED_5P, RED_5S
from janshi.records import mjai, mjlog, tenhou6
from janshi.records.conversions import try_conversions, walks_from
from janshi.records.formats import get_format, read_record
from janshi.records.ids import PLAYERS, HandBuilder, tiles_of_ids, without_ids
from janshi.records.model import DrawRecord, Event, GameRecord, HandRecord, Kind, RecordError, WinRecord

GAMES_OF_A_PACK = 20
PACKS = ("houou-2009", "houou-2018", "houou-2020", "houou-cases", "tokujou-luckyj")
NAGASHI_MANGAN = "2019082700gm-00a9-0000-63d1f136.mjlog"
TWO_DISCARDS_IN_A_ROW = ("2010022802gm-00a9-0000-7e62f873.mjlog", "2010022802gm-00e1-0000-10d39d93.mjlog")
"""Real records with a fault of their own, which no order of play explains."""


def play_only(record: GameRecord) -> GameRecord:
    """A record without ids, lost connections and what another format keeps for itself."""
    hands = [replace(hand, events=[e for e in hand.events if e.kind < Kind.LEAVE], extra={}) for hand in record.hands]
    return replace(without_ids(replace(record, hands=hands)), format="", source="", ref="", extra={})


def as_tenhou6_holds(record: GameRecord) -> GameRecord:
    """What tenhou.net/6 can hold of a record; docs/records.md lists the same."""

    def win(w: WinRecord) -> WinRecord:
        return replace(w, fu=None if w.limit else w.fu)

    def hand(h: HandRecord) -> HandRecord:
        return replace(h, dice=None, wins=list(map(win, h.wins)))

    record = play_only(record)
    rules = replace(record.rules, text="")
    return replace(record, hands=list(map(hand, record.hands)), rules=rules, seed=None, seed_ref="")


def sample(pack: Callable[..., list[tuple[str, bytes]]]) -> list[GameRecord]:
    files = [file for name in PACKS for file in pack(name, GAMES_OF_A_PACK)]
    return [mjlog.read(text.decode(), name) for name, text in files if name not in TWO_DISCARDS_IN_A_ROW]


# The same game in two forms ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def pairs(shared: Path) -> list[tuple[GameRecord, str]]:
    """Games as mjlog (read) and as tenhou.net/6, one line a hand."""
    paths = sorted((shared / "fixtures" / "mjx-project-mjx").glob("*.json"))
    if not paths:
        pytest.skip("needs the fixtures of mjx")
    found = []
    for path in paths:
        record = mjlog.read(path.with_suffix(".mjlog").read_text(), path.name)
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        record.hands = record.hands[: len(lines)]  # one of them shows only the first hand
        found.append((record, "\n".join(lines)))
    return found


def test_pairs_agree_as_records(pairs: list[tuple[GameRecord, str]]):
    for record, text in pairs:
        other = as_tenhou6_holds(read_record(text, record.source))
        ours = as_tenhou6_holds(record)
        assert other.hands == ours.hands, record.source
        assert other.rules == ours.rules


def test_mjlog_becomes_the_very_json(pairs: list[tuple[GameRecord, str]]):
    for record, text in pairs:
        expected = [hand for line in text.splitlines() for hand in json.loads(line)["log"]]
        assert tenhou6.to_object(record)["log"] == expected, record.source


def test_mjlog_becomes_the_golden_mjai(shared: Path):
    """The original program's conversion of a game; it has `haipai` events and fewer fields."""
    folder = shared / "fixtures" / "gimite-mjai"
    lines = (folder / "test.mjlog.golden.log").read_text().splitlines()
    golden = [json.loads(line) for line in lines if line[:1] == "{"]
    record = mjlog.read(gzip.decompress((folder / "test.mjlog").read_bytes()).decode())
    written: list[dict[str, Any]] = []
    for line in mjai.write(record).splitlines():
        event = json.loads(line)
        written.append(event)
        if event["type"] == "start_kyoku":
            seats = [(event["oya"] + i) % PLAYERS for i in range(PLAYERS)]
            written += [{"type": "haipai", "actor": seat, "pais": event["tehais"][seat]} for seat in seats]
    assert [event["type"] for event in golden] == [event["type"] for event in written]
    for expected, event in zip(golden, written):
        expected.pop("uri", None)
        assert expected.items() <= event.items()


# Real games ----------------------------------------------------------------------------------------------------------


def test_real_games_through_tenhou6(pack):
    for record in sample(pack):
        text = tenhou6.write(record)
        other = tenhou6.read(text, record.source)
        assert as_tenhou6_holds(other) == as_tenhou6_holds(record), record.source
        assert tenhou6.read(tenhou6.write(other), record.source) == other
        assert json.loads(tenhou6.write(other)) == json.loads(text)


def test_real_games_through_mjai(pack):
    for record in sample(pack):
        text = mjai.write(record)
        other = mjai.read(text, record.source)
        assert play_only(other) == play_only(record), record.source
        assert mjai.write(other) == text


def test_real_games_along_every_walk(pack):
    """Every order of the formats: the results replay, and lose only what is listed."""
    for record in sample(pack)[::10]:
        for walk, problem in try_conversions(record, walks_from("mjlog")):
            assert not problem, (record.source, walk)


def test_tenpai_hands_at_a_nagashi_mangan_follow_from_the_play(pack):
    """tenhou.net/6 does not have them; an mjlog without them would say that nobody was tenpai."""
    record = read_record(dict(pack("houou-cases", None))[NAGASHI_MANGAN], NAGASHI_MANGAN)
    draw = next(hand.draw for hand in record.hands if hand.draw and hand.draw.kind == "nagashi mangan")
    assert draw.tenpai == (0, 3)
    assert not [tried for tried in try_conversions(record, walks_from("mjlog")) if tried.problem]


def test_records_with_two_discards_in_a_row_are_refused(pack):
    files = dict(pack("houou-cases", None))
    for name in TWO_DISCARDS_IN_A_ROW:
        record = mjlog.read(files[name].decode(), name)
        for module in (tenhou6, mjai):
            with pytest.raises(RecordError, match=r"player \d discards without a draw or call before it, a fault of"):
                module.write(record)
        assert mjlog.read(mjlog.write(record), name) == record


# Random play ---------------------------------------------------------------------------------------------------------


def random_hand(chance: random.Random, red_fives: bool) -> HandRecord:
    """A hand played without a plan, with as many calls as can be."""
    wall = list(range(NUM_IDS))
    chance.shuffle(wall)
    tile_of = tiles_of_ids(red_fives)
    round_ = chance.randrange(8)
    tiles = [tile_of[tile_id] for tile_id in wall]
    deals = [tiles[13 * player : 13 * player + 13] for player in range(PLAYERS)]
    builder = HandBuilder(deals, tiles[-1], round_ % PLAYERS, red_fives, "random", "hand")
    live, turned = iter(tiles[52:110]), iter(tiles[110:114])
    player = round_ % PLAYERS
    builder.draw(player, next(live))
    while True:
        may_kan = builder.drawn >= 0 and len(builder.kans) < 4 and chance.random() < 0.5
        if may_kan and random_kan(builder, player, turned):
            builder.draw(player, next(live))
            continue
        tile_id = chance.choice(sorted(builder.hands[player]))
        builder.discard(player, tile_of[tile_id], tile_id == builder.drawn)
        caller = random_call(chance, builder, tile_of)
        tile = next(live, None)
        if tile is None:
            break
        player = (player + 1) % PLAYERS if caller is None else caller
        if caller is None:
            builder.draw(player, tile)
    hand = HandRecord(round_, chance.randrange(5), 0, (25000,) * PLAYERS, builder.indicators[0], builder.deals)
    hand.events = builder.events
    hand.draw = DrawRecord("exhaustive draw", (3000, -1000, -1000, -1000), builder.shown([0]), (0,), hand.honba)
    return hand


def random_kan(builder: HandBuilder, player: int, turned: Any) -> bool:
    """Lay a concealed kan if the player can."""
    held = [tile_id // COPIES for tile_id in builder.hands[player]]
    kind = next((kind for kind in held if held.count(kind) == COPIES), None)
    if kind is None:
        return False
    red_fives = any(builder.held(player, red) >= 0 for red in (RED_5M, RED_5P, RED_5S))
    tile_of = tiles_of_ids(red_fives)
    builder.concealed_kan(player, [tile_of[COPIES * kind + copy] for copy in range(COPIES)])
    builder.turn_indicator(next(turned))
    return True


def random_call(chance: random.Random, builder: HandBuilder, tile_of: tuple[int, ...]) -> int | None:
    """Someone calls the last discard, if anyone can and chance wants it."""
    last = builder.events[-1]
    for player in chance.sample(range(PLAYERS), PLAYERS):
        if player == last.player or len(builder.hands[player]) < 4 or chance.random() < 0.3:
            continue
        same = [tile for tile in builder.hands[player] if tile // COPIES == last.tile // COPIES]
        if len(same) >= 2:
            own = [tile_of[tile] for tile in chance.sample(same, 2)]
            builder.call(Kind.PON, player, tile_of[last.tile], own, last.player)
            return player
    return None


@pytest.mark.parametrize("red_fives", [False, True])
def test_random_play_is_put_back_in_order(red_fives: bool):
    chance = random.Random(5)
    record = GameRecord([random_hand(chance, red_fives) for _ in range(60)], exact_ids=False)
    record.rules.red_fives = red_fives
    text = tenhou6.write(record)
    other = tenhou6.read(text)
    assert tenhou6.to_object(replace(other, format=""))["log"] == json.loads(text)["log"]
    assert mjai.read(mjai.write(record)).hands == record.hands
    same = sum(ours.events == theirs.events for ours, theirs in zip(record.hands, other.hands))
    assert same >= len(record.hands) - 2, "now and then two orders of play explain the same lists"


def test_ids_are_the_lowest_copies():
    chance = random.Random(6)
    for hand in (random_hand(chance, True) for _ in range(10)):
        seen: dict[int, list[int]] = {}
        tile_of = tiles_of_ids(True)
        ids = [hand.dora, *(tile for deal in hand.deals for tile in deal)]
        ids += [event.tile for event in hand.events if event.kind in (Kind.DRAW, Kind.DORA)]
        for tile_id in ids:
            seen.setdefault(tile_of[tile_id], []).append(tile_id)
        for copies in seen.values():
            assert copies == list(range(copies[0], copies[0] + len(copies)))
        assert all(e.tile in ids for e in hand.events if e.kind == Kind.DISCARD)


def test_every_format_names_itself():
    for name in ("tenhou6", "mjai"):
        module = get_format(name)
        hand = random_hand(random.Random(7), True)
        text = module.write(GameRecord([hand], names=("a", "b", "c", "d")))
        assert module.looks_like(text)
        assert read_record(text).format == name


def test_comparison_without_ids_sees_every_event():
    hand = random_hand(random.Random(8), True)
    record = GameRecord([hand])
    other = GameRecord([replace(hand, events=[*hand.events[:-1], Event(Kind.DISCARD, 0, 0)])])
    assert without_ids(record) == without_ids(record)
    assert without_ids(record) != without_ids(other)
