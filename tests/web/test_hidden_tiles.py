"""Nobody can learn hidden tiles: not from positions, events, questions, records, errors or counts of anything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playing import Player, begin, everything

from janshi.records.formats import read_record
from janshi.rules import events as ev
from janshi.web.choices import choices
from janshi.web.live.events import written
from janshi.web.live.play import DEALS, Play, game_of
from janshi.web.position import position
from janshi.web.store import Answer
from patience import PATIENCE

ME = 1
GAMES = ("riichi/tenhou_east", "riichi/tenhou_no_red", "guobiao/botzone", "guobiao/match", "simplified/paper")
TILES = {f"{rank}{suit}" for suit in "mps" for rank in range(10)} | {f"{rank}z" for rank in range(1, 8)}


# --- messages do not depend on hidden tiles


def moments(rules: str, seed: int, most: int) -> Iterator[Play]:
    """A game of random players, moment by moment."""
    play, random = Play(game_of(rules), seed), np.random.default_rng(seed)
    for _ in range(most):
        if play.over:
            return
        yield play
        play.take({seat: int(random.choice(play.table.legal_actions(seat))) for seat in play.table.asked})


@pytest.mark.parametrize("rules", GAMES)
def test_positions_and_choices_do_not_depend_on_others_hands(rules: str):
    compared = 0
    games = (play for seed in range(8 if rules.startswith("simplified") else 1) for play in moments(rules, seed, 400))
    for number, play in enumerate(games):
        if play.phase not in ("turn", "reaction"):
            continue
        other = play.table.copy()
        play.game.shuffle_hidden(other.state, ME, number)
        assert position(other, ME) == position(play.table, ME)
        assert choices(other, ME) == choices(play.table, ME)
        compared += position(other, open_hands=True) != position(play.table, open_hands=True)
    assert compared > 20, "the tiles were not exchanged"


@pytest.mark.parametrize("rules", GAMES)
def test_a_spectator_sees_no_hand(rules: str):
    for play in moments(rules, 6, 200):
        if play.phase in ("turn", "reaction"):
            seats = position(play.table)["seats"]
            assert all(seat["hand"] is None and seat["drawn"] in (None, "?") for seat in seats)


def test_events_hide_draws_and_concealed_kongs():
    game = game_of("guobiao/botzone")

    def told(event: ev.Event, viewer: int | None, open_hands: bool = False) -> Any:
        (message,) = written([event], game, viewer, open_hands)
        return message

    draw, kong = ev.Draw(2, 4), ev.Kan(2, ev.CONCEALED_KAN, 4, (4,) * 4, 169, hidden=True)
    assert told(draw, ME) == {"type": "draw", "seat": 2}
    assert told(draw, 2)["tile"] == told(draw, None, True)["tile"] == "5m"
    assert told(kong, ME) == {"type": "kan", "seat": 2, "kind": "concealed_kan", "tile": None}
    assert told(kong, 2)["tile"] == told(kong, None, True)["tile"] == "5m"


# --- all that a player is sent over whole games


def truth(data: Path, id: str) -> tuple[int, list[Answer]]:
    """The seed and the answers of a game, from the server's own database."""
    with sqlite3.connect(f"file:{data / 'games.sqlite'}?mode=ro", uri=True) as db:
        (seed,) = db.execute("SELECT seed FROM games WHERE id = ?", (id,)).fetchone()
        rows = db.execute("SELECT step, seat, action FROM answers WHERE game = ? ORDER BY step, seat", (id,))
        return int(seed), [Answer(*row) for row in rows]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All plain values of a message with their paths; places in lists are left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


MAY_HOLD_TILES = {
    *(".position.dora", ".position.last.tile", ".position.seats.hand", ".position.seats.drawn"),
    *(".position.seats.melds.tiles", ".position.seats.river.tile", ".ask.choices.tile", ".ask.choices.tiles"),
    *(".events.tile", ".events.tiles"),
}
"""Fields of messages that may hold tiles while a hand is being played."""


def check_message(message: dict[str, Any], me: int) -> None:
    """While a hand is played, a message holds tiles only where they may be, and no hand but one's own."""
    place = message["position"]
    if place["phase"] not in ("turn", "reaction"):
        return
    assert place["viewer"] == me
    assert place["result"] is None
    assert place["ura"] == []
    for seat, told in enumerate(place["seats"]):
        if seat != me:
            assert told["hand"] is None
            assert told["drawn"] in (None, "?")
    for event in message["events"]:
        assert not (event["type"] == "draw" and event["seat"] != me and "tile" in event)
    for path, value in leaves({key: message[key] for key in message if key != "events"}):
        assert value not in TILES or path in MAY_HOLD_TILES, f"a tile at {path}"


@pytest.mark.parametrize(
    ("rules", "agent"), [("riichi/tenhou_east", "greedy"), ("guobiao/botzone", "search"), ("simplified", "greedy")]
)
def test_whole_games_tell_a_player_no_hidden_tile(server: Any, client: httpx.Client, rules: str, agent: str):
    seats = [agent, "you", agent] + ([agent] if rules != "simplified" else [])
    game = begin(client, rules=rules, seats=seats)
    player = Player(server.url, game["id"], game["key"], everything)
    player.play()
    states = [message for message in player.sent if message["type"] == "state"]
    for message in states:
        check_message(message, ME)
    seed, _ = truth(server.data, game["id"])
    assert str(seed) not in json.dumps(player.sent)
    assert [m["seq"] for m in states] == sorted({m["seq"] for m in states})


def test_nobody_learns_that_others_were_asked(server: Any, client: httpx.Client):
    """Only players who could call a discard are asked. Neither numbers nor phases may reveal that others were."""
    game = begin(client, rules="riichi/tenhou_east", seats=["greedy", "you", "greedy", "careful"])
    player = Player(server.url, game["id"], game["key"])
    player.play()
    seed, answers = truth(server.data, game["id"])
    play, silent = Play(game_of("riichi/tenhou_east"), seed), 0
    by_step: dict[int, list[Answer]] = {}
    for answer in answers:
        by_step.setdefault(answer.step, []).append(answer)
    for step in sorted(by_step):
        asked = play.table.asked
        silent += play.phase == "reaction" and ME not in asked
        play.take({a.seat: a.action for a in by_step[step]} if asked else {})
    assert silent > 5, "nobody else was ever asked in this game"
    told = [m for m in player.sent if m["type"] == "state"]
    assert not [m for m in told if m["position"]["phase"] == "reaction" and not m["ask"] and m["events"]]
    asks = list(dict.fromkeys(m["ask"]["id"] for m in told if m["ask"]))
    own = [a for a in answers if a.seat == ME]
    assert asks == sorted(asks)
    assert asks[-1] < len(own)
    assert all(m["thinking"] in ([], [m["position"]["turn"]]) for m in told)


# --- every other address


def test_no_address_tells_more_while_the_game_runs(server: Any):
    with (
        httpx.Client(base_url=server.url, timeout=PATIENCE) as mine,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as other,
    ):
        ended = True
        while ended:  # a first hand may be won before three answers; its record is there then
            game = begin(mine, rules="riichi/tenhou_east", seats=["greedy", "you", "greedy", "greedy"])
            place = f"/api/live/{game['id']}"
            player = Player(server.url, game["id"], game["key"])
            spectator = Player(server.url, game["id"])
            for _ in range(3):
                player.until_asked()
                player.answer()
            player.until_asked()
            seed, answers = truth(server.data, game["id"])
            ended = any(answer.seat == DEALS for answer in answers)
        asked = [
            *(mine.get(place), mine.get("/api/live"), mine.get(f"{place}/record"), mine.get("/api/status")),
            *(other.get(place), other.get(f"{place}/record"), other.get(f"{place}?key=nonsense")),
            *(other.get("/api/live"), mine.get(f"{place}?open=true&open_hands=1&viewer=0")),
        ]
        assert mine.get(f"{place}/record").status_code == 409
        assert other.get(f"{place}/record").status_code == 403
        spectator.say(type="open", open=True)
        assert "open only" in spectator.hear_type("error")["message"]
        for kind in ("answer", "next", "undo", "hint", "auto", "pause", "step", "resume", "pace"):
            spectator.say(type=kind, ask=0, action=0, seconds=1)
            assert spectator.hear_type("error")
        for answer in asked:
            assert str(seed) not in answer.text
            check_json(answer)
        for message in spectator.sent:
            if message["type"] == "state":
                check_message_of_spectator(message)
        play = Play(game_of("riichi/tenhou_east"), seed)
        play.replay(answers)
        player.say(type="answer", ask=player.state["ask"]["id"], action=60)
        hidden = [play.game.tile_texts[t] for seat in (0, 2, 3) for t in play.table.hand(seat)]
        shown = player.state["position"]["seats"][ME]
        error = player.hear_type("error")["message"]
        legal = {*shown["hand"], shown["drawn"]}
        assert not [t for t in set(hidden) - legal if f"discard {t}" in error]


def check_json(answer: httpx.Response) -> None:
    """A response with a state holds no hand but the viewer's."""
    told = answer.json()
    if isinstance(told, dict) and "position" in told:
        viewer = told["position"]["viewer"]
        assert all(seat["hand"] is None for i, seat in enumerate(told["position"]["seats"]) if i != viewer)


def check_message_of_spectator(message: dict[str, Any]) -> None:
    assert message["ask"] is None
    if message["position"]["phase"] in ("turn", "reaction"):
        assert all(seat["hand"] is None for seat in message["position"]["seats"])
        assert not [e for e in message["events"] if e["type"] == "draw" and "tile" in e]


def test_the_record_of_a_running_game_ends_before_the_hand_in_play(server: Any, client: httpx.Client):
    game = begin(client, rules="riichi/tenhou_east", seats=["greedy", "you", "greedy", "greedy"], seed=2)
    player = Player(server.url, game["id"], game["key"])
    ends: list[Any] = []
    while len(ends) < 2:
        player.until_asked()
        if player.state["over"]:
            pytest.fail("choose another seed: the game was over too soon")
        player.answer()
        ends = [e for m in player.sent for e in m.get("events", ()) if e["type"] == "end"]
    player.until_asked()
    ends = [e for m in player.sent for e in m.get("events", ()) if e["type"] == "end"]
    assert not player.state["over"], "choose another seed: the game was over too soon"
    record = read_record(client.get(f"/api/live/{player.id}/record?format=mjai").content)
    assert len(record.hands) == len(ends)
    assert not record.complete


def test_several_people_at_a_table_see_only_their_own_hands(server: Any, client: httpx.Client):
    game = begin(client, rules="riichi/tenhou_east", seats=["you", "you", "greedy", "greedy"])
    two = [Player(server.url, game["id"], game["keys"][seat]) for seat in ("0", "1")]
    for player in two:
        player.hear_type("state")
    for _ in range(6):
        for player in two:
            while True:
                try:
                    player.hear(0.15)
                except TimeoutError:
                    break
            if player.state["ask"]:
                player.answer()
    for seat, player in enumerate(two):
        for message in player.sent:
            if message["type"] == "state":
                check_message(message, seat)
    for player in two:
        player.say(type="hint", agent="careful")
        assert player.hear_type("error")["message"]
