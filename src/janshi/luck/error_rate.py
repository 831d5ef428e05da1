"""The error rate of a player: the expected final rank, or points, that their decisions lose in an agent's opinion.

After Kume, Kurita and Hoki (2019), equation (9) of Ogami et al.: with Q(s, a) an agent's value of playing a in
situation s, and D the decisions of a player,

    e(D) = 1 / |D| · Σ (max over a' of Q(s, a') - Q(s, a)).

Q is expected final rank or points (`agents.loss`), never experts' preference. The error rate measures decisions, not
luck, and is one agent's opinion. It is not part of any adjusted rank, and it is biased: deviating for reasons that the
agent does not see counts as a loss. Decisions with one legal answer are left out, as are passes pre-empted by another
player's call. Decisions that the agent cannot value (some agents value only discards) are counted but not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.explain import Explains
from janshi.agents.loss import SAME, ActionValues, GivesValues, values_of
from janshi.agents.registry import agent_names, load_agent, make_agent
from janshi.arena.stats import LEVEL, Estimate, rate
from janshi.core.tiles import kind_of
from janshi.luck.estimators import interval_of
from janshi.luck.games import PlayedGames
from janshi.luck.types import Array
from janshi.records.rebuild import INFO_DTYPE, Room, rebuild_hands
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.ruleset import TENHOU, Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS, STATE_DTYPE
from janshi.rules.riichi.view import VIEW_DTYPE

KINDS: Final = ("discard", "riichi or not", "call or not", "kan or not", "win or not", "nine terminals or not")
DISCARDING, DECLARING, CALLING, KAN, WINNING, ABORTING = range(len(KINDS))
RULES: Final = "riichi/tenhou"
"""Rules used to read legal actions, which mean the same in all riichi rule sets."""
BATCH: Final = 32
"""Batch size for agents that can value several decisions quickly."""
UNITS: Final = {"rank": "places", "points": "points"}
"""Names of the units of losses."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An agent's opinion of one decision."""

    game: int
    hand: int
    """Which of all hands."""
    player: int
    turn: int
    """Discards made by all before it."""
    kind: int
    """Place in `KINDS`."""
    action: int
    best: int
    """The action with the highest value; NONE if the agent has no value for its own choice."""
    loss: float
    """How much less the action played is worth; NaN if it has no value."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The error rate over some decisions."""

    decisions: int
    judged: int
    rate: Estimate
    """Mean loss per judged decision, clustered by game; NaN if none is judged."""
    agreed: Estimate
    """Share of judged decisions without loss."""


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """A player's error rate according to one agent, overall and by kind of decision."""

    name: str
    agent: str
    unit: str
    """Unit of losses: places, points, ..."""
    overall: Errors
    kinds: dict[str, Errors]
    judgements: list[Judgement] = field(repr=False)

    def worst(self, count: int) -> list[Judgement]:
        """The decisions with the largest losses, worst first."""
        judged = [j for j in self.judgements if j.loss > SAME]
        return sorted(judged, key=lambda j: -j.loss)[:count]


Report = Callable[[int, int], None]
"""Called with the number of decisions judged so far and the total."""


def error_rate(
    played: PlayedGames,
    agent: str,
    name: str,
    level: float = LEVEL,
    report: Report = lambda done, total: None,
) -> ErrorRate:
    """A player's error rate over all their decisions in some games, judged by an agent that can explain itself."""
    thinkers = {rules: judge(agent, rules) for rules in played.rules}
    seats = [[who == name for who in names] for names in played.names]
    if not any(map(any, seats)):
        raise ValueError(f"no player is called {name!r} in {len(played)} games")
    judgements: list[Judgement] = []
    unit = ""
    everything = list(decisions(played, np.array(seats, np.bool_)))
    total = sum(len(some.views) for some in everything)
    for some in everything:
        thinker = thinkers[some.rules]
        at_once = BATCH if isinstance(thinker, GivesValues) else 1
        for first in range(0, len(some.views), at_once):
            for i, found in enumerate(values_of(thinker, some.views[first : first + at_once]), first):
                unit = unit or UNITS.get(found.unit, "")
                judgements.append(_judgement(some, i, found))
            report(len(judgements), total)
    kinds = {word: [j for j in judgements if j.kind == kind] for kind, word in enumerate(KINDS)}
    return ErrorRate(
        name,
        agent,
        unit,
        summed(judgements, level),
        {word: summed(some, level) for word, some in kinds.items() if some},
        judgements,
    )


def judge(agent: str, rules: Ruleset = TENHOU) -> Any:
    """An agent that can explain itself, by name and options, under the rules of a game."""
    thinker = make_agent(agent, RiichiGame(rules))
    if not isinstance(thinker, Explains) or not thinker.gives_values:
        able = [name for name in agent_names("riichi") if load_agent(name).gives_values]
        raise ValueError(f"agent {agent!r} puts no value on choices; {', '.join(able)} do")
    return thinker


def summed(judgements: Sequence[Judgement], level: float = LEVEL) -> Errors:
    """The error rate of some judgements."""
    judged = [j for j in judgements if not np.isnan(j.loss)]
    nothing = Estimate(nan, nan, nan, nan, level, 0, 0)
    if not judged:
        return Errors(len(judgements), 0, nothing, nothing)
    losses, games = np.array([j.loss for j in judged]), np.array([j.game for j in judged])
    agreed = (losses <= SAME).astype(np.float64)
    several = len(np.unique(games)) > 1
    share = rate(agreed, np.ones(len(agreed)), games, level) if several else interval_of(agreed, games, level)
    return Errors(len(judgements), len(judged), interval_of(losses, games, level), share)


# --- one decision


def loss_of(found: ActionValues, action: int, drawn: int) -> float:
    """Max Q - Q(action) of equation (9); NaN where the agent has no value for the action.

    Discards of the same kind that the agent does not list separately share their value.
    """
    if action in found.values:
        return found.loss(action)
    alike = [value for other, value in found.values.items() if _kind(other, drawn) == _kind(action, drawn) >= 0]
    return found.loss_of_value(max(alike, default=nan))


def _kind(action: int, drawn: int) -> int:
    """The kind that an action discards, or -1."""
    if action > act.TSUMOGIRI:
        return -1
    tile = drawn if action == act.TSUMOGIRI else action
    return int(kind_of(tile)) if tile >= 0 else -1


def kind_of_decision(legal: Array) -> int:
    """The kind of a decision by its legal actions: bool[120] to a place in `KINDS`."""
    if legal[act.TSUMO] or legal[act.RON]:
        return WINNING
    if legal[act.NINE_TERMINALS]:
        return ABORTING
    if legal[act.PASS]:
        return CALLING
    if legal[act.RIICHI]:
        return DECLARING
    return KAN if legal[act.CONCEALED_KAN : act.TSUMO].any() else DISCARDING


def _judgement(some: Decisions, i: int, found: ActionValues) -> Judgement:
    action, view, info = int(some.actions[i]), some.views[i], some.infos[i]
    loss, best = loss_of(found, action, int(view["drawn"])), NONE if found.best is None else found.best
    hand = int(info["hand"])
    kind = kind_of_decision(some.legal[i])
    return Judgement(int(some.game[i]), hand, int(info["player"]), int(info["turn"]), kind, action, best, loss)


# --- decisions of games


class Decisions(NamedTuple):
    """Decisions of one game."""

    views: Array
    """VIEW_DTYPE[n]."""
    actions: Array
    legal: Array
    """bool[n, 120]."""
    infos: Array
    """INFO_DTYPE[n], `hand` being the number of the hand among all."""
    game: Array
    rules: Ruleset
    """Of the game."""


def decisions(played: PlayedGames, seats: Array) -> Iterator[Decisions]:
    """The open decisions of some seats, game by game: seats is bool[games, 4]."""
    frames, tables = played.frame()
    state = np.zeros(1, STATE_DTYPE)
    hands = played.hands.copy()
    hands["row"] = np.arange(len(hands))
    hands["seats"] = (seats @ (1 << np.arange(PLAYERS)))[played.game]
    masks_of = make_game(RULES).masks_of_views
    for game in np.flatnonzero(seats.any(1)):
        mine = hands[played.game == game]
        most = int(mine["decisions"].sum())
        views, actions = np.zeros(most, VIEW_DTYPE), np.zeros(most, np.uint8)
        infos = np.zeros(most, INFO_DTYPE)
        room = Room(views, None, actions, infos)
        end = rebuild_hands(mine, played.answers, 0, True, True, room, state, frames, tables)
        if end < 0:
            raise ValueError(f"{played.sources[game]}: the engine cannot follow hand {-1 - end}")
        numbers, rules = np.full(end, game, np.int64), played.rules[int(mine["rules"][0])]
        yield Decisions(views[:end], actions[:end], masks_of(views[:end]), infos[:end], numbers, rules)
