"""A game as its answers make it: the table, what happened in each step, and the way back. No clock, no network.

A game is its rules, its seed and its answers, step by step; a *step* is the answers of all asked players, or the
dealing of the next hand. Playing the answers again gives the very game, which is how games survive a restart and how
moves are taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.rules.game import Game
from janshi.rules.registry import make_game
from janshi.rules.riichi.ruleset import Ruleset as RiichiRules
from janshi.web.choices import choice_of_view
from janshi.web.families import GAME_OVER, HAND_OVER, REACTION, family_of
from janshi.web.outcome import outcome
from janshi.web.store import Answer

DEALS: Final = -1
"""The "seat" of the step that deals the next hand."""
STREAM: Final = 104
"""Keeps the random words of agents in live games apart from the walls."""
Event = dict[str, Any]
"""What happened, for everybody; `tile` of a draw is for the player who drew alone (see `for_viewer`)."""


@lru_cache(maxsize=64)
def game_of(rules: str, rounds: int = 0) -> Game:
    """The game of a name, with so many rounds where riichi allows it (0: as the preset has it)."""
    game = make_game(rules)
    if rounds and isinstance(game.rules, RiichiRules) and rounds != game.rules.rounds:
        return type(game)(replace(game.rules, rounds=rounds))
    return game


class Play:
    """A table, and all the answers that brought it where it is."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.family = family_of(game)
        self.table: Any = self.family.new_table(seed, game.rules)
        self.table.game = game
        self.step = 0
        """How many steps were made."""
        self.asked_before = [0] * game.players
        """How often each player has answered."""
        self.decisions = 0
        self.opening = self._new_hand()
        """The events of the first deal."""

    @property
    def phase(self) -> str:
        """`turn`, `reaction`, `hand_over` or `game_over`."""
        return self.family.phases[int(self.table.state["phase"])]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.phase == GAME_OVER

    @property
    def between_hands(self) -> bool:
        """Whether the next hand waits to be dealt."""
        return self.phase == HAND_OVER

    @property
    def is_last_hand(self) -> bool:
        """Between hands: whether the game is over now."""
        after = self.table.copy()
        after.step()
        return bool(after.over)

    def word(self, seat: int) -> int:
        """The random word of an agent's decision: the same whenever the game comes to this point."""
        return int(rng.key(np.uint64(rng.key(np.uint64(self.seed), seat, STREAM)), self.step, self.decisions))

    def take(self, answers: Mapping[int, int]) -> list[Event]:
        """Make a step by the answers of all asked players (or none, between hands); what happened."""
        table = self.table
        if not table.asked:
            table.step()
            events = [{"type": "over"}] if self.over else self._new_hand()
        else:
            events = self._played(dict(answers))
            for seat in answers:
                self.asked_before[seat] += 1
            self.decisions += len(answers)
        self.step += 1
        return events

    def replay(self, answers: Iterable[Answer]) -> dict[int, Answer]:
        """Make all whole steps of a list of answers; returns those of a step that is not whole yet."""
        steps: dict[int, dict[int, Answer]] = {}
        for answer in answers:
            steps.setdefault(answer.step, {})[answer.seat] = answer
        for number in sorted(steps):
            given = steps[number]
            if number != self.step:
                raise ValueError(f"step {self.step} of the game is missing")
            asked = set(self.table.asked) or {DEALS}
            if not asked <= set(given):
                return given
            self.take({} if DEALS in given else {seat: given[seat].action for seat in asked})
        return {}

    # --- what happened

    def _new_hand(self) -> list[Event]:
        """The events of a hand that has just been dealt."""
        return [{"type": "hand", "seat": int(self.table.actor)}, *self._draw()]

    def _draw(self) -> list[Event]:
        """The draw of the player on turn, if there was one."""
        s = self.table.state
        drawn = int(s["drawn"])
        if drawn < 0 or self.phase != "turn":
            return []
        return [{"type": "draw", "seat": int(self.table.actor), "tile": self.family.text(drawn)}]

    def _played(self, answers: dict[int, int]) -> list[Event]:
        table, s = self.table, self.table.state
        reaction, actor = self.phase == REACTION, int(table.actor)
        told = {seat: choice_of_view(self.game, table.view(seat), action) for seat, action in answers.items()}
        melds, shown, left = s["melds"].tolist(), self._indicators(), self._left()
        table.step(answers)
        events: list[Event] = []
        for seat, choice in told.items():
            events += self._own(seat, choice) if not reaction else self._call(seat, actor, choice, melds)
        if self._indicators() > shown:
            events += [{"type": "dora", "tile": self.family.text(t)} for t in table.dora_indicators[shown:]]
        if self._left() != left:
            events += self._draw()
        return events + self._end()

    def _own(self, seat: int, choice: dict[str, Any]) -> list[Event]:
        """What a player did on their turn; a win is told with the end of the hand."""
        kind = choice["kind"]
        if kind in ("discard", "tsumogiri"):
            flags = int(self.table.state["river_flags"][seat, int(self.table.state["discards"][seat]) - 1])
            riichi = self.family.name == "riichi" and bool(flags & 2)
            return [
                {
                    "type": "discard",
                    "seat": seat,
                    "tile": choice["tile"],
                    "tsumogiri": kind == "tsumogiri",
                    "riichi": riichi,
                }
            ]
        if kind == "riichi":
            return [{"type": "riichi", "seat": seat}]
        if kind == "kan":
            hidden = self.family.name == "guobiao" and choice["kan"] == "concealed_kan"
            return [{"type": "kan", "seat": seat, "kind": choice["kan"], "tile": choice["tile"], "hidden": hidden}]
        return []

    def _call(self, seat: int, source: int, choice: dict[str, Any], melds: list[int]) -> list[Event]:
        """A call that was carried out: others may have come first."""
        if int(self.table.state["melds"][seat]) <= melds[seat]:
            return []
        what = {"kind": choice.get("kan", choice["kind"]), "tile": choice["tile"], "tiles": choice["tiles"]}
        return [{"type": "call", "seat": seat, "from": source, **what}]

    def _indicators(self) -> int:
        return int(self.table.state["indicators"]) if self.family.name == "riichi" else 0

    def _left(self) -> int:
        return int(self.table.state["left"].sum())

    def _end(self) -> list[Event]:
        """Wins and the end of a hand."""
        if self.phase not in (HAND_OVER, GAME_OVER):
            return []
        result = outcome(self.table, self.family)
        assert result is not None
        wins = [
            {"type": "win", "seat": w["seat"], "loser": w["loser"], "tile": w["tile"], "points": w["points"]}
            for w in result["winners"]
        ]
        return [*wins, {"type": "end", "kind": result["kind"], "changes": result["changes"]}]


def for_viewer(event: Event, viewer: int | None, open_hands: bool) -> Event:
    """An event as a viewer may know it: draws and hidden kongs of others without their tile."""
    if event["type"] == "kan":
        told = {key: value for key, value in event.items() if key != "hidden"}
        hides = event["hidden"] and not open_hands and event["seat"] != viewer
        return {**told, "tile": None} if hides else told
    if event["type"] == "draw" and not open_hands and event["seat"] != viewer:
        return {"type": "draw", "seat": event["seat"]}
    return event
