"""Live games over a real socket: whole games, reconnecting, undo, clock, auto-options, hints, watching, records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playing import Player, begin, drawn_or_pass, everything
from websockets.exceptions import ConnectionClosed

from janshi.agents.loss import CLOSE
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.records.botzone.text import read_all
from janshi.records.formats import read_record
from janshi.records.replay import replay_game
from janshi.web.app import PAGES, STATIC
from janshi.web.choices import twin_key
from janshi.web.error_words import ENGLISH
from patience import PATIENCE

EAST = "riichi/tenhou_east"
GREEDY = ["you", "greedy", "greedy", "greedy"]


@pytest.fixture(scope="module")
def server(start_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    matches = tmp_path_factory.mktemp("matches")
    plan = Plan("riichi/tenhou_east", ("greedy", "random"), ((0, 1, 1, 1),), 1, seed=4, seating="fixed")
    run_match(plan, matches / "little")
    return start_server("--no-warm", "--matches", str(matches))


def sit(server: Any, client: httpx.Client, policy: Any = drawn_or_pass, **wanted: Any) -> Player:
    game = begin(client, **{"rules": EAST, "seats": GREEDY, **wanted})
    return Player(server.url, game["id"], game["key"], policy)


@pytest.fixture(scope="module")
def east(server: Any) -> Iterator[Player]:
    """A whole East game, played by calling every tile that can be called."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        player = sit(server, client, everything, seats=["careful", "greedy", "you", "greedy"], name="Ann")
        player.play()
        yield player


def states(player: Player) -> list[dict[str, Any]]:
    return [message for message in player.sent if message["type"] == "state"]


# --- whole games


def test_an_east_game_is_played_to_its_end(east: Player):
    final = east.state["position"]["result"]["final"]
    assert sorted(final["ranks"]) == [1, 2, 3, 4]
    assert sum(east.state["position"]["result"]["scores"]) == 100_000
    assert [seat["name"] for seat in east.state["position"]["seats"]] == ["careful", "greedy 1", "Ann", "greedy 2"]
    sent = {message["type"] for message in east.sent} - {"waiting"}  # while kernels are loaded
    assert sent == {"state", "accepted"}


def test_events_tell_the_whole_game(east: Player):
    events = [event for message in states(east) for event in message["events"]]
    rivers: dict[int, list[str]] = {}
    for event in events:
        if event["type"] == "hand":
            rivers = {}
        if event["type"] == "discard":
            rivers.setdefault(event["seat"], []).append(event["tile"])
    seats = east.state["position"]["seats"]
    assert [[discard["tile"] for discard in seat["river"]] for seat in seats] == [rivers.get(s, []) for s in range(4)]
    assert {"discard", "draw", "hand", "end", "over"} <= {event["type"] for event in events}


def test_every_hand_ends_with_a_result_that_adds_up(east: Player):
    ends = [m["position"] for m in states(east) if m["position"]["result"] and m["position"]["phase"] == "hand_over"]
    assert ends
    for position in ends:
        result = position["result"]
        assert [seat["score"] for seat in position["seats"]] == result["scores"]
        for winner in result["winners"]:
            assert sum(line["han"] for line in winner["yaku"]) in (winner["han"], winner["yakuman"])
            assert len(winner["hand"]) + 3 * len(winner["melds"]) == 13


@pytest.mark.parametrize("form", ["mjlog", "tenhou6", "mjai"])
def test_the_record_is_that_game(east: Player, form: str):
    answer = httpx.get(
        f"{east.url}/api/live/{east.id}/record", params={"format": form, "key": east.key}, timeout=PATIENCE
    )
    assert answer.headers["content-disposition"].startswith("attachment")
    game = read_record(answer.content)
    assert list(game.final_scores or ()) == east.state["position"]["result"]["scores"]
    assert game.names[2] == "Ann"
    assert replay_game(game) == []


def test_a_guobiao_hand(server: Any, client: httpx.Client):
    player = sit(server, client, everything, rules="guobiao", seats=["search", "you", "search", "search"])
    state = player.play()
    assert sum(state["position"]["result"]["scores"]) == 0
    text = client.get(f"/api/live/{player.id}/record", params={"key": player.key}).text
    (hand,) = read_all(text)
    assert list(hand.scores) == state["position"]["result"]["scores"]


def test_a_simplified_game_for_three(server: Any, client: httpx.Client):
    player = sit(server, client, everything, rules="simplified", seats=["greedy", "you", "search"])
    state = player.play()
    assert state["over"]
    assert len(state["position"]["seats"]) == 3


@pytest.mark.parametrize("preset", ["mahjong_soul", "mleague", "tenhou_no_red"])
def test_any_preset_east_or_south(server: Any, client: httpx.Client, preset: str):
    player = sit(server, client, rules=f"riichi/{preset}", rounds=1)
    player.until_asked()
    player.answer()
    assert player.state["position"]["rules"] == {
        "id": f"riichi/{preset}",
        "family": "riichi",
        "name": preset.replace("_", " "),
        "rounds": 1,
        "formats": ["mjlog", "tenhou6", "mjai"],
        "reviewable": True,
    }


# --- reconnecting


def test_a_second_socket_and_a_reload_see_the_same_game(server: Any, client: httpx.Client):
    one = sit(server, client)
    one.until_asked()
    two = Player(server.url, one.id, one.key)
    assert two.until_asked() == one.state["ask"]
    one.answer()
    one.until_asked()
    two.hear_ask(one.state["ask"]["id"])
    assert two.state["position"] == one.state["position"]
    one.close()
    one.open()
    assert one.hear()["position"] == two.state["position"]
    assert client.get(f"/api/live/{one.id}", params={"key": one.key}).json()["position"] == two.state["position"]


def test_games_go_on_without_their_player(server: Any, client: httpx.Client):
    player = sit(server, client)
    player.until_asked()
    ask = player.state["ask"]
    player.say(type="answer", ask=ask["id"], action=player.policy(ask))
    player.close()
    player.open()
    player.hear_ask(ask["id"] + 1)


def test_a_browser_finds_its_own_games(server: Any):
    with (
        httpx.Client(base_url=server.url, timeout=PATIENCE) as mine,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as other,
    ):
        game = begin(mine, rules=EAST, seats=GREEDY)
        assert [row["id"] for row in mine.get("/api/live").json()] == [game["id"]]
        assert mine.get(f"/api/live/{game['id']}").json()["position"]["viewer"] == 0
        assert other.get("/api/live").json() == []
        assert other.get(f"/api/live/{game['id']}").json()["position"]["viewer"] is None
        assert other.delete(f"/api/live/{game['id']}").status_code == 404
        assert mine.delete(f"/api/live/{game['id']}").status_code == 204
        assert mine.get(f"/api/live/{game['id']}").status_code == 404


# --- undo


def test_undo_goes_back_to_the_last_decision_and_the_game_is_the_same(server: Any, client: httpx.Client):
    player = sit(server, client, seed=11)
    positions = []
    for _ in range(4):
        player.until_asked()
        positions.append((player.state["ask"], player.state["position"]))
        player.answer()
    player.until_asked()
    for expected in reversed(positions):
        player.say(type="undo")
        player.hear_type("state")
        player.until_asked()
        assert (player.state["ask"], player.state["position"]) == expected
    assert not player.state["can_undo"]
    player.say(type="undo")
    assert "nothing to take back" in player.hear_type("error")["message"]
    for expected in positions:
        player.until_asked()
        assert (player.state["ask"], player.state["position"]) == expected
        player.answer()


def test_undo_only_in_practice(server: Any, client: httpx.Client):
    player = sit(server, client, practice=False)
    player.until_asked()
    player.answer()
    player.say(type="undo")
    assert "practice" in player.hear_type("error")["message"]


# --- clock and auto-options


def test_out_of_time_the_drawn_tile_is_discarded(server: Any, client: httpx.Client):
    player = sit(server, client, time={"base": 0.5, "extra": 0.5})
    player.until_asked()
    drawn, before = player.state["position"]["seats"][0]["drawn"], len(player.state["position"]["seats"][0]["river"])
    assert player.state["clock"]["base"] == 0.5
    assert player.state["ask"]["deadline"] <= 1.0
    while len(player.state["position"]["seats"][0]["river"]) == before:
        player.hear()
    assert player.state["position"]["seats"][0]["river"][before]["tile"] == drawn
    player.until_asked()
    assert player.state["clock"]["extra"] < 0.1


def test_auto_options_answer_by_themselves(server: Any, client: httpx.Client):
    player = sit(server, client, seats=["you", "random", "random", "random"], seed=3)
    player.until_asked()
    player.say(type="auto", win=True, calls=True, tsumogiri=True)
    player.hear_type("state")
    while player.state["position"]["phase"] not in ("hand_over", "game_over"):
        player.hear()
    assert player.state["auto"] == {"win": True, "calls": True, "tsumogiri": True}
    river = player.state["position"]["seats"][0]["river"]
    assert river
    assert all(discard["tsumogiri"] for discard in river)
    asked = [m for m in states(player) if m["ask"] and m["auto"]["tsumogiri"]]
    assert not asked
    player.say(type="auto", win="yes")
    assert "true or false" in player.hear_type("error")["message"]


# --- hints


@pytest.mark.parametrize(("agent", "unit"), [("careful", "points"), ("montecarlo:rollouts=200", "rank")])
def test_hints_explain_every_choice(server: Any, client: httpx.Client, agent: str, unit: str):
    player = sit(server, client)
    ask = player.until_asked()
    while "pass" in {choice["kind"] for choice in ask["choices"]}:  # calls have no value to some agents
        player.answer()
        ask = player.until_asked()
    player.say(type="hint", agent=agent)
    told = player.hear_type("hint")
    thought = told["thought"]
    assert (told["ask"], thought["unit"], thought["agent"]) == (ask["id"], unit, agent)
    assert {choice["action"] for choice in thought["choices"]} <= {choice["action"] for choice in ask["choices"]}
    assert {twin_key(choice) for choice in thought["choices"]} == {twin_key(choice) for choice in ask["choices"]}
    losses = [choice["loss"] for choice in thought["choices"]]
    assert losses[0] is None or losses[0] <= CLOSE[unit]
    assert all(loss is None or loss >= 0 for loss in losses)
    assert thought["best"] == thought["choices"][0]["action"]


def test_hints_of_guobiao_and_of_agents_that_do_not_explain(server: Any, client: httpx.Client):
    player = sit(server, client, rules="guobiao", seats=["greedy", "greedy", "greedy", "you"])
    player.until_asked()
    player.say(type="hint")
    thought = player.hear_type("hint")["thought"]
    assert thought["unit"] == "hand_points"
    assert min(choice["loss"] for choice in thought["choices"]) == 0
    assert sum(choice["experts"] for choice in thought["choices"]) == pytest.approx(1, abs=1e-3)
    player.say(type="hint", agent="search")
    assert "does not explain" in player.hear_type("error")["message"]
    player.say(type="hint", agent="os.system")
    assert "no agent" in player.hear_type("error")["message"]


# --- watching


def test_agents_are_watched_with_pause_step_and_open_hands(server: Any, client: httpx.Client):
    game = begin(client, rules=EAST, seats=["greedy"] * 4, pace=60)  # the pause comes before the first move
    player = Player(server.url, game["id"], game["key"])
    player.say(type="pause")
    while not (player.state and player.state["watch"]["paused"]):
        player.hear()
    player.say(type="open", open=True)
    while not player.state["watch"]["open"]:
        player.hear()
    assert all(seat["hand"] for seat in player.state["position"]["seats"])
    assert not any(seat["river"] for seat in player.state["position"]["seats"])
    player.say(type="step")
    player.hear_type("state")
    assert sum(len(seat["river"]) for seat in player.state["position"]["seats"]) == 1
    player.say(type="open", open=False)
    while player.state["watch"]["open"]:
        player.hear()
    assert not any(seat["hand"] for seat in player.state["position"]["seats"])
    player.say(type="pace", seconds=0)
    player.say(type="resume")
    while not player.state["over"]:
        player.hear()
    assert client.get(f"/api/live/{player.id}/record").status_code == 200


def test_a_game_of_a_stored_match_is_watched(server: Any, client: httpx.Client):
    (match,) = client.get("/api/matches").json()
    assert (match["name"], match["games"]) == ("little", 1)
    told = client.get("/api/matches/little").json()["games"][0]
    game = client.post("/api/watch", json={"match": "little", "game": 0}).json()
    player = Player(server.url, game["id"], game["key"])
    player.say(type="pace", seconds=0)
    while not player.state or not player.state["over"]:
        player.hear()
    assert player.state["position"]["result"]["scores"] == told["scores"]
    assert client.post("/api/watch", json={"match": "../little", "game": 0}).status_code == 404
    assert client.post("/api/watch", json={"match": "little", "game": 7}).status_code == 404


# --- what goes wrong


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[1]", "type"),
        ('{"type": "fly"}', "no message is called 'fly'"),
        ('{"type": "answer", "ask": "0", "action": 1}', "whole number"),
        ('{"type": "answer", "ask": 99, "action": 1}', "not open"),
        ('{"type": "answer", "ask": 0, "action": 119}', "not possible now"),
        ('{"type": "next"}', "not over"),
        ('{"type": "pace", "seconds": 1}', "started this table"),
        ('{"type": "open", "open": true}', "open only when"),
        ("[" * 9000, "not JSON"),
    ],
)
def test_bad_messages_get_an_error_and_the_game_goes_on(server: Any, client: httpx.Client, text: str, words: str):
    player = sit(server, client, seed=1)
    player.until_asked()
    player.socket.send(text)
    error = player.hear_type("error")
    assert words in error["message"]
    assert error["message"] == ENGLISH[error["code"]].format(**error["values"])
    player.answer()
    assert player.state["type"] == "state"


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"rules": "chess"}, "no rules are called"),
        ({"seats": ["you", "greedy", "greedy"]}, "4 seats"),
        ({"seats": ["you", "greedy", "greedy", "nobody"]}, "no agent"),
        ({"seats": ["you", "greedy", "greedy", "search"]}, "no agent for riichi"),
        ({"seats": ["you", "greedy", "greedy", "policy:file=/etc/passwd"]}, "no agent"),
        ({"seats": ["you", "greedy", "greedy", "mdp:seconds=500"]}, "3 at most"),
        ({"seats": ["you", "greedy", "greedy", "mdp:hands=nan"]}, "at most"),
        ({"seats": ["you", "greedy", "greedy", "mdp:color=red"]}, "unknown option"),
        ({"seats": ["you", "you", "greedy", "greedy"], "seed": 3}, "alone"),
        ({"time": {"base": -1}}, "greater than or equal"),
        ({"colour": 1}, "colour"),
    ],
)
def test_games_that_cannot_be_are_refused_in_words(client: httpx.Client, wanted: dict[str, Any], words: str):
    answer = client.post("/api/live", json={"rules": EAST, "seats": GREEDY, **wanted})
    assert answer.status_code == 422
    assert words in answer.json()["error"]["message"]


def test_pages_asked_for_without_their_hash_are_shown(client: httpx.Client):
    routes = (STATIC / "js" / "router.js").read_text(encoding="utf-8")
    assert tuple(re.findall(r'\bname: "(\w+)",\s*load', routes)) == PAGES
    for name in PAGES:
        answer = client.get(f"/{name}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (307, f"/#/{name}")


def test_unknown_games_and_keys(server: Any, client: httpx.Client):
    assert client.get("/api/live/nothing").status_code == 404
    nowhere = {"code": "not_found", "values": {"path": "/api/nowhere"}, "message": "there is nothing at /api/nowhere"}
    assert client.get("/api/nowhere").json() == {"error": nowhere}
    player = Player(server.url, "nothing")
    assert player.hear()["type"] == "error"
    with pytest.raises(ConnectionClosed):
        player.hear()
    game = begin(client, rules=EAST, seats=GREEDY)
    stranger = Player(server.url, game["id"], "wrong")
    assert "key" in stranger.hear()["message"]
    assert client.get(f"/api/live/{game['id']}", params={"key": "wrong"}).status_code == 403


def test_a_game_can_be_asked_for_as_its_socket_tells_it(server: Any, client: httpx.Client):
    player = sit(server, client, seed=1)
    player.until_asked()
    asked = client.get(f"/api/live/{player.id}", params={"key": player.key}).json()
    assert asked == {**player.state, "events": []}


def test_rules_and_agents_to_choose_from(client: httpx.Client):
    rules = {rule["id"]: rule for rule in client.get("/api/rules").json()}
    assert rules["riichi/tenhou_east"]["rounds"] == 1
    assert rules["guobiao/botzone"]["formats"] == ["botzone"]
    agents = {agent["name"]: agent for agent in client.get("/api/agents", params={"rules": "riichi/tenhou"}).json()}
    assert agents["mdp"]["label"] == "mdp"
    assert "policy" not in agents
    assert client.get("/api/agents", params={"rules": "go"}).status_code == 422


def test_data_directory_is_the_users_own(server: Any):
    assert Path(server.data).stat().st_mode & 0o077 == 0


def test_the_bot_of_the_documentation_plays(server: Any, capsys: pytest.CaptureFixture[str]):
    page = Path(__file__).parents[2] / "docs" / "web_api.md"
    code = page.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    exec(code.replace("127.0.0.1:8642", f"127.0.0.1:{server.port}"), {})
    assert "'ranks'" in capsys.readouterr().out
