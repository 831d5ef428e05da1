"""Positions, choices, results and events as JSON: compared with the tables themselves, over random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from janshi.core.melds import TYPE_NAMES
from janshi.core.tiles import format_tiles, parse_tiles
from janshi.rules.events import Deal
from janshi.rules.riichi.table import Table
from janshi.rules.simplified.tiles import CORE_KINDS
from janshi.web.choices import choice, choices
from janshi.web.live.auto import auto_answer, no_options, read_options
from janshi.web.live.play import Play, game_of
from janshi.web.outcome import outcome
from janshi.web.position import position
from janshi.web.store import Answer

GAMES = ("riichi/tenhou_east", "riichi/mleague", "guobiao/botzone", "guobiao/match", "simplified/paper")
MELDS = {"pong": "pon", "kong": "concealed_kan", **{name: name.replace(" ", "_") for name in TYPE_NAMES}}


def walk(rules: str, seed: int, most: int = 600) -> Iterator[Play]:
    """A random game in which calls and kans are frequent, moment by moment; the last one included."""
    play, random = Play(game_of(rules), seed), np.random.default_rng(seed)
    for _ in range(most):
        yield play
        if play.over:
            return
        play.take({seat: pick(play, seat, random) for seat in play.table.asked})


def pick(play: Play, seat: int, random: Any) -> int:
    legal = play.table.legal_actions(seat)
    calls = [c["action"] for c in choices(play.table, seat) if c["kind"] in ("chi", "pon", "kan", "riichi")]
    return int(random.choice(calls if calls and random.random() < 0.5 else legal))


def texts(play: Play, tiles: Any) -> list[str]:
    small = play.game.family.name == "simplified"
    return [format_tiles([CORE_KINDS[t] if small else t]) for t in tiles]


@pytest.mark.parametrize("rules", GAMES)
def test_open_positions_are_the_table(rules: str):
    for seed in range(2):
        for play in walk(rules, seed, 400):
            table, told = play.table, position(play.table, open_hands=True)
            for seat in range(play.game.players):
                check_seat(play, seat, told["seats"][seat])
            assert [s["score"] for s in told["seats"]] == table.scores
            assert sorted(s["rank"] for s in told["seats"]) == list(range(1, play.game.players + 1))
            assert told["turn"] == table.actor
            assert (told["result"] is not None) == (play.phase in ("hand_over", "game_over"))


def check_seat(play: Play, seat: int, told: dict[str, Any]) -> None:
    table = play.table
    held = told["hand"] + ([told["drawn"]] if told["drawn"] else [])
    assert Counter(held) == Counter(texts(play, table.hand(seat)))
    assert told["count"] == len(told["hand"])
    river = table.river(seat)
    assert [d["tile"] for d in told["river"]] == texts(
        play, [getattr(d, "tile", getattr(d, "kind", -1)) for d in river]
    )
    assert [d["called"] for d in told["river"]] == [d.called for d in river]
    melds = table.melds(seat)
    assert len(told["melds"]) == len(melds)
    for shown, meld in zip(told["melds"], melds):
        if play.game.family.name == "simplified":
            assert (MELDS[meld.type], shown["from"]) == (shown["kind"], meld.source)
            assert shown["tiles"] == texts(play, meld.kinds)
        else:
            assert shown["kind"] == MELDS[meld.type_name]
            assert Counter(shown["tiles"]) == Counter(texts(play, meld.tiles))
            source = None if meld.source is None else (seat + meld.source) % 4
            assert shown["from"] == source
        if meld.called is not None:
            assert shown["tiles"][shown["called"]] == texts(play, [meld.called])[0]


@pytest.mark.parametrize("rules", GAMES)
def test_players_see_their_own_hand_and_counts_of_others(rules: str):
    for play in walk(rules, 7, 250):
        everything = position(play.table, open_hands=True)["seats"]
        for viewer in range(play.game.players):
            told = position(play.table, viewer)["seats"]
            assert told[viewer]["hand"] == everything[viewer]["hand"]
            assert told[viewer]["drawn"] == everything[viewer]["drawn"]
            for seat in range(play.game.players):
                assert told[seat]["count"] == everything[seat]["count"]
                if told[seat]["hand"] is None:
                    assert (told[seat]["drawn"] is None) == (everything[seat]["drawn"] is None)


@pytest.mark.parametrize("rules", GAMES)
def test_choices_name_tiles_that_are_there(rules: str):
    kinds: Counter[str] = Counter()
    for seed in range(6):
        for play in walk(rules, seed, 200):
            for seat in play.table.asked:
                found = choices(play.table, seat)
                assert [c["action"] for c in found] == play.table.legal_actions(seat)
                held = Counter(texts(play, play.table.hand(seat)))
                for c in found:
                    kinds[c["kind"]] += 1
                    assert not Counter(c["tiles"]) - held, f"{c} with {held}"
                    if c["kind"] in ("chi", "pon", "ron"):
                        assert c["tile"] == position(play.table, seat)["last"]["tile"]
    assert {"discard", "pass", "chi", "pon", "kan"} <= set(kinds)


def test_red_fives_in_calls():
    play = next(
        play
        for seed in range(200)
        for play in walk("riichi/tenhou_east", seed, 200)
        if any(play.table.is_legal(seat, action) for seat in play.table.asked for action in (42, 43, 44))
    )
    seat, action = next((s, a) for s in play.table.asked for a in (42, 43, 44) if play.table.is_legal(s, a))
    told = choice(play.table, seat, action)
    assert any(tile.startswith("0") for tile in told["tiles"])
    assert not any(tile.startswith("0") for tile in choice(play.table, seat, action - 3)["tiles"])


@pytest.mark.parametrize("rules", GAMES)
def test_playing_the_answers_again_gives_the_same_game(rules: str):
    play, random, answers = Play(game_of(rules), 3), np.random.default_rng(3), []
    events = list(play.stream.opening)
    while not play.over and play.step < 300:
        asked = play.table.asked
        chosen = {seat: pick(play, seat, random) for seat in asked}
        answers += [Answer(play.step, seat, chosen[seat]) for seat in asked] or [Answer(play.step, -1, 0)]
        events += play.take(chosen)
    again = Play(game_of(rules), 3)
    assert again.replay(answers) == {}
    assert again.table == play.table
    assert (again.step, again.asked_before, again.decisions) == (play.step, play.asked_before, play.decisions)
    half = Play(game_of(rules), 3)
    kept = half.replay(answers[: len(answers) // 2])
    assert half.step + bool(kept) in {a.step + 1 for a in answers[: len(answers) // 2]}
    assert next(event for event in events if isinstance(event, Deal)).dealer == 0


def test_a_missing_step_is_noticed():
    play = Play(game_of("riichi/tenhou_east"), 3)
    with pytest.raises(ValueError, match="step 0"):
        play.replay([Answer(1, 0, 37)])


def test_a_win_is_explained():
    wall_play = next(p for seed in range(40) for p in walk_greedy(seed) if p.phase == "hand_over" and won(p))
    result = outcome(wall_play.table)
    assert result is not None
    winner = result["winners"][0]
    report = wall_play.table.result.wins[0].report
    assert (winner["han"], winner["fu"], winner["total"]) == (report.han, report.fu, report.total)
    assert sum(part["fu"] for part in winner["fu_parts"]) <= winner["fu"]
    assert all(line["kanji"] and line["romaji"] for line in winner["yaku"])
    told = position(wall_play.table, (winner["seat"] + 1) % 4)
    assert told["seats"][winner["seat"]]["hand"] == winner["hand"]
    assert sum(parse_tiles(winner["tile"])) >= 0


def walk_greedy(seed: int) -> Iterator[Play]:
    from janshi.agents.registry import make_agent

    play = Play(game_of("riichi/tenhou_east"), seed)
    agent = make_agent("greedy", play.game)
    while not play.over:
        play.take({seat: agent.answer(play.table.view(seat), 1) for seat in play.table.asked})
        yield play


def won(play: Play) -> bool:
    assert isinstance(play.table, Table)
    return bool(play.table.result and play.table.result.wins)


# --- auto-options


@pytest.mark.parametrize(
    ("kinds", "options", "expected"),
    [
        (("discard", "tsumogiri"), {}, None),
        (("tsumogiri",), {}, "tsumogiri"),
        (("discard", "tsumogiri"), {"tsumogiri": True}, "tsumogiri"),
        (("discard", "tsumogiri", "tsumo"), {"tsumogiri": True}, None),
        (("discard", "tsumogiri", "tsumo"), {"win": True}, "tsumo"),
        (("discard", "tsumogiri", "kan"), {"tsumogiri": True}, "tsumogiri"),
        (("chi", "pass"), {"win": True, "tsumogiri": True}, None),
        (("chi", "pass"), {"calls": True}, "pass"),
        (("chi", "ron", "pass"), {"calls": True}, None),
        (("chi", "ron", "pass"), {"win": True}, "ron"),
        (("discard",), {"calls": True}, "discard"),
    ],
)
def test_auto_options(kinds: tuple[str, ...], options: dict[str, bool], expected: str | None):
    found = [{"kind": kind, "action": number, "tile": None} for number, kind in enumerate(kinds)]
    action = auto_answer(found, {**no_options(), **options})
    assert (None if action is None else kinds[action]) == expected


def test_auto_options_are_read():
    assert read_options({"win": True}, no_options())["win"]
    for wrong in ({"fly": True}, {"win": 1}):
        with pytest.raises(ValueError, match="auto-options"):
            read_options(wrong, no_options())
