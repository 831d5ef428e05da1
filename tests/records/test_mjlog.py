"""Reading and writing Tenhou's mjlog."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from janshi.records import mjai, mjlog, tenhou6
from janshi.records.formats import read_file
from janshi.records.mjlog.writer import DRAW_TYPES
from janshi.records.model import Event, GameRecord, GameRules, Kind, RecordError

HEADER = (
    '<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="169" lobby="0"/>'
    '<UN n0="%41%6e" n1="%E9%BA%BB" n2="c" n3="d" dan="16,17,18,19" rate="2100.50,2000.00,1999.99,2200" sx="M,F,M,C"/>'
    '<TAIKYOKU oya="0"/>'
)
DEALS = [list(range(13 * player, 13 * player + 13)) for player in range(4)]
INIT = (
    '<INIT seed="0,0,0,2,3,135" ten="250,250,250,250" oya="0" '
    + " ".join(f'hai{player}="{",".join(map(str, deal))}"' for player, deal in enumerate(DEALS))
    + "/>"
)
DRAW_SC = 'sc="250,0,250,0,250,0,250,0"'
END = "</mjloggm>"


def game(*tags: str) -> str:
    return "".join((HEADER, INIT, *tags, END))


def events(*tags: str) -> list[Event]:
    return mjlog.read(game(*tags)).hands[0].events


def parsed_tags(text: str) -> list[tuple[str, dict[str, str]]]:
    tags = re.findall(r"<(/?\w+)([^<>]*)>", text)
    return [(name, dict(re.findall(r'(\w+)="([^"]*)"', attributes))) for name, attributes in tags]


def round_trip(text: str, name: str = "") -> GameRecord:
    """Read, write and read again: the model is the same and so is every tag with all its attributes."""
    record = mjlog.read(text, name)
    written = mjlog.write(record)
    assert mjlog.read(written, name) == record, name
    assert parsed_tags(written) == parsed_tags(text), name
    return record


# What is read ---------------------------------------------------------------------------------------------------------


def test_header():
    record = round_trip(game())
    assert record.names == ("An", "麻", "c", "d")
    assert record.dans == (16, 17, 18, 19)
    assert record.rates == (2100.5, 2000.0, 1999.99, 2200.0)
    assert record.sexes == ("M", "F", "M", "C")
    assert (record.version, record.lobby, record.seed, record.format) == ("2.3", 0, "", "mjlog")


def test_situation_of_a_hand():
    hand = mjlog.read(game()).hands[0]
    assert (hand.round, hand.honba, hand.sticks, hand.dealer, hand.dice) == (0, 0, 0, 0, (2, 3))
    assert (hand.scores, hand.dora) == ((25_000,) * 4, 135)
    assert hand.deals == tuple(map(tuple, DEALS))


@pytest.mark.parametrize(
    ("bits", "rules"),
    [
        (0xA9, GameRules(rounds=2, level=3)),
        (0x29, GameRules(rounds=2, level=2)),
        (0xE1, GameRules(rounds=1, level=3, fast=True)),
        (0x81, GameRules(rounds=1, level=1)),
        (0x07, GameRules(rounds=1, level=0, red_fives=False, open_tanyao=False)),
    ],
)
def test_rules_from_the_type_bits(bits: int, rules: GameRules):
    text = game().replace('type="169"', f'type="{bits}"')
    assert round_trip(text).rules == replace(rules, tenhou_type=bits)
    record = mjlog.read(text)
    record.rules.tenhou_type = None
    assert mjlog.read(mjlog.write(record)).rules.tenhou_type == bits | 1


def test_tsumogiri_is_the_tile_just_drawn():
    assert events("<T60/>", "<D60/>", "<U61/>", "<E13/>")[1::2] == [
        Event(Kind.DISCARD, 0, 60, tsumogiri=True),
        Event(Kind.DISCARD, 1, 13, tsumogiri=False),
    ]


def test_riichi_and_its_stick():
    tags = '<T60/><REACH who="0" step="1"/><D60/><REACH who="0" ten="240,250,250,250" step="2"/>'
    assert [event.kind for event in events(tags)] == [Kind.DRAW, Kind.RIICHI, Kind.DISCARD, Kind.RIICHI_PAID]
    round_trip(game(tags))


def test_a_riichi_recorded_after_its_discard_is_put_before_it():
    """As in one of 3,000 real games; conversions gave it to the next player."""
    paid = '<REACH who="0" ten="240,250,250,250" step="2"/>'
    end = '<RYUUKYOKU type="kaze4" ba="0,1" sc="240,0,250,0,250,0,250,0"/>'
    record = round_trip(game(f'<T60/><D60/><REACH who="0" step="1"/>{paid}<U61/><E61/>', end))
    usual = mjlog.read(game(f'<T60/><REACH who="0" step="1"/><D60/>{paid}<U61/><E61/>', end))
    assert record.hands[0].events == usual.hands[0].events
    assert record.hands[0].extra == {"late riichi": [1]}
    for format in (tenhou6, mjai):
        assert format.write(record) == format.write(usual)
        assert [event.kind for event in format.read(format.write(record)).hands[0].events[:2]] == [0, Kind.RIICHI]


def test_riichi_of_old_records_tells_no_scores():
    text = game('<T60/><REACH who="0" step="1"/><D60/><REACH who="0" step="2"/>')
    assert round_trip(text).hands[0].extra == {"riichi scores": False}


def test_pon_added_kan_and_new_indicator():
    pon = 42507  # by player 3 of tile 111 with 109 and 110, from player 2
    swapped = {26: 111, 39: 108, 40: 109, 41: 110}
    init = re.sub(r"(?<=[,\"])(26|39|40|41)(?=,)", lambda found: str(swapped[int(found[0])]), INIT)
    first = f'<T60/><D60/><U61/><E61/><V62/><F111/><N who="3" m="{pon}"/><G42/>'
    second = "<T63/><D63/><U64/><E64/><V65/><F65/><W66/>"
    text = game(first, second, f'<N who="3" m="{pon ^ 0x18}"/><W67/><DORA hai="134"/><G66/>').replace(INIT, init)
    events = round_trip(text).hands[0].events
    assert events[6] == Event(Kind.PON, 3, 111, (109, 110), 2)
    assert events[-4] == Event(Kind.ADDED_KAN, 3, 108, (109, 110, 111), 2)
    assert [event.kind for event in events[-3:]] == [Kind.DRAW, Kind.DORA, Kind.DISCARD]


def test_concealed_kan_keeps_the_tile_its_code_names():
    record = round_trip(game(f'<T60/><N who="0" m="{6 << 8}"/><DORA hai="134"/><T61/><D61/>'))
    assert record.hands[0].events[1] == Event(Kind.CONCEALED_KAN, 0, -1, (4, 5, 6, 7))
    assert record.hands[0].extra == {"concealed kans": {1: 6}}


def test_connections_lost_and_found_anywhere():
    between = '<BYE who="2"/>'
    text = game('<T60/><BYE who="1"/><D60/>', '<UN n1="%E9%BA%BB"/>', f'<RYUUKYOKU ba="0,0" {DRAW_SC}/>', between)
    text = text.replace(INIT, '<BYE who="3"/>' + INIT)
    record = round_trip(text)
    hand = record.hands[0]
    assert [event.kind for event in hand.events] == [
        *(Kind.LEAVE, Kind.DRAW, Kind.LEAVE, Kind.DISCARD, Kind.RETURN, Kind.LEAVE),
    ]
    assert hand.extra == {"before deal": 1, "after result": 1}


@pytest.mark.parametrize("kind", DRAW_TYPES)
def test_hands_without_a_winner(kind: str):
    named = f'type="{DRAW_TYPES[kind]}" ' if DRAW_TYPES[kind] else ""
    text = game("<T60/>", f'<RYUUKYOKU {named}ba="1,2" {DRAW_SC} hai1="13,14"/>')
    draw = round_trip(text).hands[0].draw
    assert draw is not None
    assert (draw.kind, draw.honba, draw.sticks, draw.shown) == (kind, 1, 2, {1: (13, 14)})
    assert draw.tenpai == ((1,) if kind in ("exhaustive draw", "nagashi mangan") else None)


def test_win_with_all_attributes():
    win = (
        '<AGARI ba="0,1" hai="0,1,2,60" m="4215,42507" machi="60" ten="30,7700,0" yaku="1,1,52,2" doraHai="135,134" '
        'doraHaiUra="133,132" who="0" fromWho="1" paoWho="2" sc="250,87,250,-77,250,0,250,0" '
        'owari="337,43.0,173,-27.0,250,5.0,250,-21.0"/>'
    )
    record = round_trip(game("<T61/><D61/><U60/><E60/>", win))
    (read,) = record.hands[0].wins
    assert (read.winner, read.loser, read.liable, read.tile) == (0, 1, 2, 60)
    assert (read.fu, read.points, read.limit, read.han, read.yaku) == (30, 7700, 0, 3, ((1, 1), (52, 2)))
    assert (read.changes, read.honba, read.sticks) == ((8700, -7700, 0, 0), 0, 1)
    assert (read.hand, read.melds, read.dora, read.ura) == ((0, 1, 2, 60), (4215, 42507), (135, 134), (133, 132))
    assert record.final_scores == (33_700, 17_300, 25_000, 25_000)
    assert record.final_points == (43.0, -27.0, 5.0, -21.0)
    assert record.complete


def test_two_winners_of_one_discard():
    first = '<AGARI ba="0,0" hai="1" machi="60" doraHai="135" who="1" fromWho="0" sc="250,-10,250,10,250,0,250,0"/>'
    second = '<AGARI ba="0,0" hai="2" machi="60" doraHai="135" who="2" fromWho="0" sc="240,-20,260,0,250,20,250,0"/>'
    wins = round_trip(game("<T60/><D60/>", first, second)).hands[0].wins
    assert [win.winner for win in wins] == [1, 2]


def test_a_record_may_stop_early():
    record = round_trip(game("<T60/>"))
    assert not record.complete
    assert record.hands[0].draw is None


def test_a_record_may_start_in_the_middle():
    text = game("<U60/>", f'<RYUUKYOKU ba="0,0" {DRAW_SC} owari="250,0,250,0,250,0,250,0"/>')
    text = text.replace('seed="0,0,', 'seed="5,1,').replace('250" oya="0"', '250" oya="1"')
    record = round_trip(text)
    assert record.final_scores is not None
    assert not record.complete


def test_two_discards_in_a_row_are_left_to_the_replay():
    assert [event.tile for event in events("<T60/><D60/><D0/>")] == [60, 60, 0]


def test_space_and_declaration_do_not_matter():
    text = '\n<?xml version="1.0"?>\n' + game("<T60/>").replace("/><", " />\n<") + "\n"
    assert mjlog.looks_like(text)
    assert mjlog.read(text) == mjlog.read(game("<T60/>"))


# What is written ------------------------------------------------------------------------------------------------------


def test_names_that_were_changed_are_written():
    record = mjlog.read(game())
    record.names = ("w", "x y", "麻", '"<>"')
    assert mjlog.read(mjlog.write(record)).names == record.names
    assert "%41%6e" not in mjlog.write(record)


def test_what_another_format_does_not_tell_is_filled_in():
    win = '<AGARI ba="0,0" hai="1" machi="60" doraHai="1" who="0" fromWho="0" sc="250,30,250,-10,250,-10,250,-10"/>'
    record = mjlog.read(game("<T60/>", win))
    record.format = "mjai"
    told = record.hands[0].wins[0]
    record.hands[0].wins[0] = replace(told, hand=(), dora=(), tile=-1)
    (filled,) = mjlog.read(mjlog.write(record)).hands[0].wins
    assert (filled.hand, filled.tile, filled.dora) == ((*range(13), 60), 60, (135,))
    assert (filled.fu, filled.points) == (None, None)


def test_records_of_another_format_become_mjlogs(shared: Path):
    """Who does what with which tile stays the same, and every win gets its hand of fourteen tiles."""
    paths = sorted((shared / "fixtures" / "mjx-project-mjx").glob("*.json"))
    for path in paths:
        record = read_file(path)
        written = mjlog.read(mjlog.write(record), path.name)
        assert [hand.events for hand in written.hands] == [hand.events for hand in record.hands]
        wins = [win for hand in written.hands for win in hand.wins]
        assert all(len(win.hand) + 3 * len(win.melds) == 14 for win in wins)
    assert paths


def test_what_an_mjlog_cannot_hold():
    record = mjlog.read(game("<T60/>"), "a game")
    three = replace(record, rules=replace(record.rules, players=3))
    with pytest.raises(RecordError, match="a game: header: cannot be written as mjlog: it is a game of 3"):
        mjlog.write(three)
    record.hands[0].scores = (25_050, 25_000, 25_000, 24_950)
    with pytest.raises(RecordError, match=r"a game: hand 1: .*25050 points are not a multiple of 100"):
        mjlog.write(record)
    record.hands[0].scores = (25_000,) * 4
    record.hands[0].events.append(Event(Kind.ADDED_KAN, 0, 0, (1, 2, 3), 1))
    with pytest.raises(RecordError, match="a pon that was not made"):
        mjlog.write(record)
    record.hands[0].events[-1] = Event(Kind.DRAW, 0, 136)
    with pytest.raises(RecordError, match="136 is not a tile id"):
        mjlog.write(record)


# Bad input ------------------------------------------------------------------------------------------------------------

RYUUKYOKU = f'<RYUUKYOKU ba="0,0" {DRAW_SC}/>'

BAD = {
    "empty": ("", "no tag found, expected <mjloggm>"),
    "truncated between tags": (HEADER + INIT, "the text ends, expected </mjloggm>"),
    "truncated within a tag": (HEADER + INIT[:40], "the text ends within a tag: found '<INIT"),
    "no hand": (HEADER + END, "no hand found, expected INIT"),
    "no beginning": (INIT + END, "expected <mjloggm> first"),
    "no GO": ('<mjloggm ver="2.3">' + INIT + END, "expected GO first"),
    "two games in one file": (game() + game(), "expected nothing after </mjloggm>"),
    "header twice": (HEADER + HEADER, "another <mjloggm>"),
    "another version": (game().replace("2.3", "3.0"), "ver is '3.0', expected 2.3"),
    "unknown tag": (game("<CHAT/>"), "unknown tag 'CHAT'"),
    "unknown attribute": (game().replace("lobby", "lobbies"), "GO has unknown 'lobbies'"),
    "missing attribute": (game('<N who="1"/>'), "N has no m"),
    "text between tags": (game("hello"), "found 'hello</mjloggm>', expected a tag"),
    "three players": (game().replace('type="169"', 'type="185"'), "a game of three players, expected four"),
    "play before INIT": (HEADER + "<T60/>", "a play outside a hand"),
    "play after the result": (game("<T60/>", RYUUKYOKU, "<D60/>"), "a play outside a hand"),
    "INIT within a hand": (game("<T60/>", INIT), "INIT within a hand, expected its result first"),
    "no such tile": (game("<T136/>"), "unknown tag 'T136'"),
    "tile dealt twice": (game().replace('hai1="13,', 'hai1="0,'), "tile 0 appears twice"),
    "indicator dealt": (game().replace("3,135", "3,5"), "tile 5 appears twice"),
    "twelve tiles": (game().replace('hai1="13,', 'hai1="'), "hai1 has 12 tiles, expected 13"),
    "tile drawn twice": (game("<T60/><D60/><U60/>"), "tile 60 is drawn, expected one that is still in the wall"),
    "indicator seen before": (game('<T60/><DORA hai="60"/>'), "tile 60 appears twice"),
    "draw out of turn": (game("<U60/>"), "player 1 draws out of turn, expected player 0"),
    "second draw": (game("<T60/><T61/>"), "draws out of turn, expected a discard or a result"),
    "discard of a tile not held": (game("<T60/><D61/>"), "player 0 discards tile 61, expected a tile in hand"),
    "discard out of turn": (game("<T60/><E13/>"), "player 1 discards, expected player 0 to act"),
    "no such meld": (game('<T60/><N who="0" m="65535"/>'), "m: 65535 "),
    "call of another tile": (game('<T60/><D60/><N who="1" m="4215"/>'), "expected the last discard"),
    "kan without the tiles": (game('<T60/><N who="0" m="25600"/>'), "melds tile 100, expected a tile in hand"),
    "added kan without a pon": (game('<T60/><N who="0" m="17"/>'), "adds tile 0 to a pon, expected one made before"),
    "step": (game('<T60/><REACH who="0" step="3"/>'), "step is '3', expected 1 or 2"),
    "stick": (
        game('<T60/><REACH who="0" step="1"/><D60/><REACH who="0" ten="250,250,250,250" step="2"/>'),
        "ten is 250,250,250,250, expected",
    ),
    "stick without riichi": (
        game('<T60/><D60/><REACH who="0" step="2"/>'),
        "player 0 pays a riichi stick, expected one",
    ),
    "riichi out of turn": (
        game('<T60/><REACH who="1" step="1"/>'),
        "player 1 declares riichi, expected player 0 to act",
    ),
    "riichi before a draw": (game('<REACH who="0" step="1"/>'), "player 0 declares riichi, expected a draw before it"),
    "riichi twice": (game('<T60/><REACH who="0" step="1"/><REACH who="0" step="1"/>'), "and one riichi each"),
    "win after no discard": (
        game('<T60/><AGARI ba="0,0" hai="1" machi="60" doraHai="1" who="1" fromWho="0" sc="250,0,250,0,250,0,250,0"/>'),
        "player 1 wins from player 0, expected player 0 to have discarded or made a kan",
    ),
    "self-draw after a discard": (
        game('<T60/><D60/><AGARI ba="0,0" hai="1" machi="60" doraHai="1" who="0" fromWho="0" ' + f"{DRAW_SC}/>"),
        "player 0 wins from player 0, expected player 0 to have drawn",
    ),
    "riichi without a discard": (
        game(f'<T60/><REACH who="0" step="1"/>{RYUUKYOKU}'),
        "player 0 has declared riichi, expected a discard",
    ),
    "late riichi of another": (
        game('<T60/><D60/><REACH who="1" step="1"/>'),
        "player 1 declares riichi, expected player 0 to act",
    ),
    "no such seat": (game('<BYE who="4"/>'), "who is '4', expected a seat 0 to 3"),
    "dealer": (game().replace('250" oya="0"', '250" oya="1"'), "oya is 1, expected 0 in round 0"),
    "first dealer": (game().replace('TAIKYOKU oya="0"', 'TAIKYOKU oya="2"'), "seat 0 deals first"),
    "numbers": (game().replace("250,250", "x,250", 1), "ten is 'x,250,250,250', expected whole numbers"),
    "too few numbers": (game().replace("250,250", "250", 1), "ten has 3 numbers, expected 4"),
    "negative honba": (game().replace('seed="0,0', 'seed="0,-1'), "expected no negative number"),
    "dice": (game().replace("2,3,135", "2,6,135"), "two dice of 0 to 5"),
    "scores before": (game("<T60/>", RYUUKYOKU.replace("250", "260", 1)), "sc has scores"),
    "no hand in a win": (
        game('<T60/><AGARI ba="0,0" hai="" machi="60" doraHai="1" who="0" fromWho="0" sc="250,0,250,0,250,0,250,0"/>'),
        "AGARI has an empty hai or doraHai",
    ),
    "kind of draw": (game("<T60/>", RYUUKYOKU.replace("ba", 'type="x" ba')), "type is 'x', expected one of nm"),
    "ratings": (game().replace("2100.50", "nan"), "expected numbers"),
    "who returns": (game('<UN dan="1,1,1,1"/>'), "expected the name of the returning player"),
}


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD)
def test_bad_input_is_explained(text: str, problem: str):
    with pytest.raises(RecordError, match=re.escape(problem)) as told:
        mjlog.read(text, "bad.mjlog")
    assert told.value.source == "bad.mjlog"
    assert re.search(r"tag \d+ \(character [\d,]+\)", told.value.place)


def test_the_place_is_hand_tag_and_character():
    text = game("<T60/>", RYUUKYOKU, INIT, "<T60/><D99/>")
    with pytest.raises(RecordError) as told:
        mjlog.read(text, "x")
    assert told.value.place == f"hand 2, tag 11 (character {text.index('<D99'):,})"
    assert str(told.value) == f"x: {told.value.place}: player 0 discards tile 99, expected a tile in hand"


# Real records ---------------------------------------------------------------------------------------------------------


def test_rare_situations_round_trip(pack):
    records = [round_trip(text.decode(), name) for name, text in pack("houou-cases")]
    assert sum(len(record.hands) for record in records) == 5159
    assert all(record.complete for record in records)


@pytest.mark.parametrize("name", ["houou-2009", "houou-2018", "houou-2022", "tokujou-luckyj"])
def test_records_of_all_ages_round_trip(pack, name: str):
    for file, text in pack(name, 40):
        assert round_trip(text.decode(), file).complete


def test_other_projects_records_round_trip(mjlog_fixtures):
    records = {name: round_trip(text.decode(), name) for name, text in mjlog_fixtures}
    assert sum(record.complete for record in records.values()) == 55
    early = records["2011020401gm-00a9-0000-f6eff225-no-round-end.mjlog"]
    assert not early.complete
    assert not early.hands[-1].wins


def test_records_with_two_discards_in_a_row(pack):
    """The record's own fault: both are kept as they are."""
    found = {}
    for name, text in pack("houou-cases"):
        for i, hand in enumerate(mjlog.read(text.decode(), name).hands):
            kinds = [(event.kind, event.player) for event in hand.events if event.kind != Kind.RIICHI_PAID]
            if any(a == b and a[0] == Kind.DISCARD for a, b in pairwise(kinds)):
                found[name] = i
    assert found == {
        "2010022802gm-00a9-0000-7e62f873.mjlog": 2,
        "2010022802gm-00e1-0000-10d39d93.mjlog": 1,
    }
