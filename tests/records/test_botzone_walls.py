"""Botzone's match logs with `initdata.walltiles`: undrawn tiles come from there, and contradictions are named."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from guobiao_played import played_hand

from janshi.records.botzone import log, text
from janshi.records.botzone.replay import rebuild_wall, replay_any_way
from janshi.records.formats import detect
from janshi.records.model import RecordError


def document(seed: int = 3) -> dict[str, Any]:
    return json.loads(log.write(played_hand(seed)))


def forms() -> dict[str, Any]:
    """The same log as Botzone and its tools store it."""
    whole = document()
    entries, data = whole["log"], whole["initdata"]
    first = {**entries[0], "output": {**entries[0]["output"], "initdata": data}}
    return {
        "object": whole,
        "object with logs": {"_id": whole["_id"], "initdata": data, "logs": entries},
        "initdata as text": {**whole, "initdata": json.dumps(data)},
        "tiles in a list": {**whole, "initdata": {"walltiles": data["walltiles"].split()}},
        "in the first output": {"_id": whole["_id"], "log": [first, *entries[1:]]},
        "in the first entry": {"_id": whole["_id"], "log": [{**entries[0], "initdata": data}, *entries[1:]]},
    }


@pytest.mark.parametrize("form", forms())
def test_walls_are_found_where_logs_have_them(form: str):
    written = json.dumps(forms()[form])
    assert detect(written) == "botzone_log"
    assert log.read(written) == played_hand(3)


@pytest.mark.parametrize(("seed", "rules"), [(7, "botzone"), (3, "match")])
def test_undrawn_tiles_are_those_of_the_wall(seed: int, rules: str):
    hand = played_hand(seed, rules)
    found, table = replay_any_way(log.read(log.write(hand)))
    assert tuple(table.scores) == hand.scores
    assert tuple(rebuild_wall(hand, found)) == hand.wall
    assert tuple(rebuild_wall(replace(hand, wall=()), found)) != hand.wall


def test_a_bare_list_has_no_walls():
    entries = document()["log"]
    hand = log.read(json.dumps(entries))
    assert hand == replace(played_hand(3), match="", wall=())
    assert tuple(replay_any_way(hand)[1].scores) == hand.scores


def test_the_text_has_no_walls():
    hand = played_hand(3)
    assert text.read_all(text.write(hand)) == [replace(hand, wall=())]


def test_tiles_that_the_wall_does_not_have_are_named():
    hand = played_hand(3)
    other = replace(hand, wall=(*hand.wall[:33], hand.wall[34], hand.wall[33], *hand.wall[35:]))
    with pytest.raises(
        RecordError, match=r"wall: the tiles that player 0 was dealt .* not those of initdata\.walltiles"
    ):
        replay_any_way(other)


@pytest.mark.parametrize(
    ("tiles", "problem"),
    [
        ("W1 W2", "initdata.walltiles: found 2 tiles, expected 136, or 144 with flowers"),
        (" ".join(["X1"] * 136), "initdata.walltiles: 'X1' is not a tile"),
        (136, "initdata.walltiles: found 136, expected 136"),
        ([None] * 136, "initdata.walltiles: 'None' is not a tile"),
    ],
)
def test_broken_walls_are_refused(tiles: Any, problem: str):
    with pytest.raises(RecordError) as refused:
        log.read(json.dumps({**document(), "initdata": {"walltiles": tiles}}), "x.json")
    assert f"x.json: {problem}" in str(refused.value)


def test_too_many_of_a_tile_are_refused():
    hand = played_hand(3)
    wall = (0,) * len(hand.wall)
    with pytest.raises(RecordError, match="wall: "):
        replay_any_way(replace(hand, wall=wall))
