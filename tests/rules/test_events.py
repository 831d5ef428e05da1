"""Events of golden playthroughs: what they report, that it is complete, and what a seat may know of it.

python tests/rules/test_events.py     write the golden texts anew
"""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from event_games import FAMILIES, Playthrough, playthroughs, stems

from janshi.rules import events as ev
from janshi.rules.events import HIDDEN, EventStream
from janshi.rules.game import Game
from janshi.rules.one_table import OneTable
from janshi.rules.registry import make_game
from janshi.rules.simplified.game import SimplifiedGame

FOLDER = Path(__file__).parent / "golden_events"
TOLD = {
    "riichi": ("four_riichi", "head_bump", "liable_player", "nine_terminals", "robbed_kan", "three_kans_and_a_win"),
    "guobiao": ("added_kong", "chi_behind_a_peng", "concealed_kong", "drawn_hand", "win_with_flowers"),
    "simplified": ("draw", "honour_pung_kong", "self_draw"),
}
"""Playthroughs whose events are kept as texts."""
LONG = ("wall", "report", "fans")
"""Fields that would swamp a text."""
FLOWERS = {"riichi": range(0), "guobiao": range(34, 42), "simplified": range(0)}
"""Tiles that everybody sees at once."""


def line(event: ev.Event) -> str:
    """An event as a line; fields at their usual values are left out."""
    values = {f.name: getattr(event, f.name) for f in fields(event) if f.name not in LONG}
    shown = [f"{name}={value}".replace(" ", "") for name, value in values.items() if value is not False and value != ()]
    return " ".join([type(event).__name__, *shown])


def render(playthrough: Playthrough) -> str:
    """All events of a playthrough, a blank line between steps."""
    return "\n\n".join("\n".join(map(line, events)) for events in playthrough.events()) + "\n"


@pytest.mark.parametrize(("family", "stem"), [(family, stem) for family, names in TOLD.items() for stem in names])
def test_events_of_golden_playthroughs(family: str, stem: str):
    path = FOLDER / f"{family}_{stem}.txt"
    text = path.read_text(encoding="utf-8").splitlines()
    now = render(FAMILIES[family](stem)).splitlines()
    diff = list(difflib.unified_diff(text, now, path.name, "told now", lineterm="", n=2))
    assert not diff, "\n".join(["the events have changed; if that is meant, run test_events.py", *diff])


# --- events are complete


class Follower:
    """Knows a game from its events alone."""

    def __init__(self, players: int, flowers: range) -> None:
        self.flowers = flowers
        self.hands: list[Counter[int]] = [Counter() for _ in range(players)]
        self.rivers: list[list[int]] = [[] for _ in range(players)]
        self.melds = [0] * players
        self.scores: tuple[int, ...] = ()
        self.kan: ev.Kan | None = None

    def take(self, event: ev.Event) -> None:
        """Carry out an event; a kan is complete when its player draws again."""
        match event:
            case ev.Deal():
                self.__init__(len(event.hands), self.flowers)  # type: ignore[misc]
                self.hands = [Counter(tile for tile in hand if tile not in self.flowers) for hand in event.hands]
                self.scores = event.scores
            case ev.Draw():
                self.hands[event.seat][event.tile] += 1
            case ev.Discard():
                self.hands[event.seat][event.tile] -= 1
                self.rivers[event.seat].append(event.tile)
            case ev.Call():
                assert self.rivers[event.source][-1] == event.tile
                self.hands[event.seat].subtract(event.own)
                self.melds[event.seat] += 1
            case ev.Kan():
                self.kan = event
            case ev.RiichiPaid():
                self.scores = tuple(score - 1000 * (seat == event.seat) for seat, score in enumerate(self.scores))
            case ev.Scores() | ev.GameOver():  # the sticks left at the end of a game go to the first player
                self.scores = event.scores

    def lay_kan_down(self, table: OneTable) -> None:
        """The kan that was declared is not asked about any more: it is complete, unless it was robbed."""
        if self.kan is not None and sum(self.hands[self.kan.seat].values()) > len(table.hand(self.kan.seat)):
            self.hands[self.kan.seat].subtract(self.kan.own)
            self.melds[self.kan.seat] += self.kan.kind == ev.CONCEALED_KAN
            self.kan = None


def river_of(table: OneTable, seat: int) -> list[int]:
    return [discard[0] for discard in table.river(seat)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("family", FAMILIES)
def test_events_alone_tell_hands_rivers_melds_and_scores(family: str):
    seen: set[str] = set()
    for playthrough in playthroughs(family):
        table, follower = playthrough.table, Follower(playthrough.table.game.players, FLOWERS[family])
        for events in playthrough.events():
            for event in events:
                follower.take(event)
                seen.add(type(event).__name__)
            follower.lay_kan_down(table)
            for seat in range(table.game.players):
                where = f"{playthrough.name}, seat {seat}"
                assert +follower.hands[seat] == Counter(table.hand(seat)), where
                assert follower.rivers[seat] == river_of(table, seat), where
                assert follower.melds[seat] == len(table.melds(seat)), where
            assert list(follower.scores) == table.scores, playthrough.name
    common = {"Deal", "Draw", "Discard", "Call", "Kan", "Win", "DrawnHand", "Scores"}
    own = {"riichi": {"Riichi", "RiichiPaid", "Indicator"}, "guobiao": {"Flower"}, "simplified": {"GameOver"}}
    assert seen >= common | own[family]


@pytest.mark.parametrize("family", FAMILIES)
def test_changes_lead_from_score_to_score(family: str):
    for playthrough in playthroughs(family):
        before: tuple[int, ...] = ()
        for event in playthrough.all_events():
            if isinstance(event, ev.Deal):
                before = event.scores
            elif isinstance(event, ev.Scores):
                assert event.scores == tuple(map(sum, zip(before, event.changes))), playthrough.name


def test_a_penalty_is_reported_without_an_answer():
    from janshi.rules.guobiao.table import Table

    table = Table(seed=3)
    table.declare_false_hu(2)
    told = table.game.end_events(table.states)
    assert told == [ev.Penalty(2), ev.Scores("penalty", (10, 10, -30, 10), (10, 10, -30, 10))]


def test_a_refused_answer_tells_nothing():
    stream = EventStream(make_game("riichi/tenhou").family.new_table(1, make_game("riichi/tenhou").rules))
    with pytest.raises(ValueError, match="may not take"):
        stream.step("pass")
    assert stream.actions == []


# --- what a seat may know


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seat_learns_no_hidden_tile(family: str):
    hidden = 0
    for playthrough in playthroughs(family)[:6]:
        for event in playthrough.all_events():
            for seat in (None, *range(playthrough.table.game.players)):
                seen = event.seen_by(seat)
                assert seen is not None
                own = getattr(event, "seat", None) == seat and seat is not None
                if isinstance(event, ev.Deal):
                    assert isinstance(seen, ev.Deal)
                    for p, (shown, hand) in enumerate(zip(seen.hands, event.hands)):
                        allowed = set(hand) if p == seat else {HIDDEN, *FLOWERS[family]}
                        assert set(shown) <= allowed
                        assert len(shown) == len(hand), "how many tiles are dealt is no secret"
                    assert not getattr(seen, "wall", ())
                elif isinstance(seen, ev.Draw):
                    assert (seen.tile == HIDDEN) != own
                    hidden += not own
                elif isinstance(seen, ev.Kan) and seen.hidden:
                    tiles = {seen.tile, seen.action, *seen.own}
                    assert (tiles == {HIDDEN}) != own
                elif isinstance(seen, ev.Call | ev.Win):
                    assert seen.ignored == (), "what others would have done is their secret"
    assert hidden > 100


def test_an_answer_is_known_to_its_player_alone():
    answer = ev.Answer(1, 5)
    assert answer.seen_by(1) == answer
    assert [answer.seen_by(seat) for seat in (None, 0, 2)] == [None] * 3


# --- a game that makes no events of its own


class Silent(SimplifiedGame):
    """A game of a stranger who does not know of events."""

    deal_events = Game.deal_events
    step_events = Game.step_events


def test_any_game_tells_its_answers_and_scores():
    game = Silent()
    table = game.family.new_table(5, game.rules)
    table.game = game
    stream = EventStream(table)
    assert stream.opening == [ev.Deal(0, (), (0, 0, 0))]
    told: list[ev.Event] = []
    while not table.over:
        answers = {seat: table.legal_actions(seat)[0] for seat in table.asked}
        events = stream.step(answers)
        spoken = [event for event in events if isinstance(event, ev.Answer)]
        assert spoken == [ev.Answer(*answer) for answer in answers.items() if answer[1] != game.num_actions - 1]
        told += events
    scores = tuple(table.scores)
    assert told[-2:] == [ev.Scores("", scores, scores), ev.GameOver(scores, tuple(map(float, scores)))]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for family, names in TOLD.items():
        assert set(names) <= set(stems(family))
        for stem in names:
            (FOLDER / f"{family}_{stem}.txt").write_text(render(FAMILIES[family](stem)), encoding="utf-8")
