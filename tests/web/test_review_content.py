"""What is uploaded is bounded, unpacked and recognised before anything is parsed; reviewers come from a short list."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from reviewing import FORMATS, sample

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "records"))

import majsoul_writer as mw
from played import played_game

from janshi.web.families.riichi import REVIEWED
from janshi.web.review.content import MAX_BYTES, NotARecord, TooLarge, check_depth, find_format, unpack
from janshi.web.review.games import follow
from janshi.web.review.parse import parse
from janshi.web.review.processes import why_ended
from janshi.web.review.reviewers import check_label, menu

MAJIANG = Path(mw.__file__).parent / "majiang_games" / "seed_1.json"


def test_gzip_is_unpacked_up_to_the_bound_only():
    assert unpack(gzip.compress(b"<mjloggm/>")) == "<mjloggm/>"
    bomb = gzip.compress(b" " * (64 * 1024 * 1024))
    assert len(bomb) < MAX_BYTES
    with pytest.raises(TooLarge, match="2,048 KiB"):
        unpack(bomb)
    with pytest.raises(NotARecord, match="stops in the middle"):
        unpack(gzip.compress(b"<mjloggm/>" * 1000)[:-20])


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xff\xfe\x00", b"\x89PNG\r\n", b"a\x00b"])
def test_content_that_is_not_text_is_refused(content: bytes):
    with pytest.raises(NotARecord):
        unpack(content)


def test_deep_json_is_refused_but_brackets_in_texts_are_not():
    with pytest.raises(NotARecord, match="deep"):
        check_depth('{"log":' + "[" * 100_000)
    check_depth(json.dumps({"title": ["[" * 500 + '"{' * 500], "log": [[]]}))


@pytest.mark.parametrize("format", FORMATS)
def test_formats_are_found_by_content(shared: Path, format: str):
    assert find_format(sample(shared, format)) == format


def test_only_reviewers_of_the_menu_are_let_through():
    assert check_label("", "riichi") == "apprentice"
    assert check_label("mdp", "riichi") == "mdp:hands=12500"
    assert check_label("mdp:hands=50000", "riichi") == "mdp:hands=50000"
    assert check_label("montecarlo:seconds=0.1", "riichi") == "montecarlo:seconds=0.1", "links of earlier versions"
    assert check_label("montecarlo", "riichi") == "montecarlo:rollouts=2000"
    assert check_label("careful", "riichi") == "careful"
    for label in (
        *("os.system", "policy:file=/etc/passwd", "mdp:hands=100", "mdp:seconds=9", "careful:seconds=0.1", "rvr"),
        *("greedy", "../mdp", "mdp:seconds=0.05,experts=0", "mdp:hands=9999999", "mdp:rollouts=2000", "mdp:hands=0.5"),
    ):
        with pytest.raises(ValueError, match="review"):
            check_label(label, "riichi")
    with pytest.raises(ValueError, match="cannot say what each choice is worth"):
        check_label("search", "guobiao")
    assert menu()["riichi"]["reviewers"][0]["name"] == "apprentice"


def test_why_a_worker_ended_is_put_into_words():
    assert "took too long" in str(why_ended(-24))
    assert "memory" in str(why_ended(-9))
    assert "code 1" in str(why_ended(1))


def test_games_of_other_sites_are_taken_as_texts_and_as_bytes():
    record = played_game(3)
    record.rules.preset = "mahjong_soul"
    majsoul = mw.protobuf(record, mode=1)
    for content, format, names in (
        (majsoul, "majsoul", ("", "", "", "")),
        (gzip.compress(majsoul), "majsoul", ("", "", "", "")),
        (json.dumps(mw.as_json(record, "actions", mode=1)).encode(), "majsoul", ("", "", "", "")),
        (MAJIANG.read_bytes(), "majiang", ("対面", "上家", "私", "下家")),
    ):
        text = unpack(content)
        assert find_format(text) == format
        assert format in REVIEWED
        recorded = follow(parse(text, format, "x"), format)
        assert recorded.names == names
        assert recorded.problems == []
        assert next(iter(recorded.questions(0))).seat in range(4)
