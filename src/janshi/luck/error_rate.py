"""The error rate of a player: how much less an agent makes of what was played than of the best choice.

After Kume, Kurita and Hoki (2019), equation (9) of Ogami et al.: with Q(s, a) what an agent makes of playing a in
situation s, and D the decisions of a player,

    e(D) = 1 / |D| · Σ (max over a' of Q(s, a') - Q(s, a)).

This is an opinion of one agent on decisions. It is no luck, it is not part of any adjusted rank, and it is not
unbiased: whoever plays differently for reasons that the agent does not see is charged for it. Decisions with one legal
answer are left out, as are passes of players who could not have spoken before another's call. Decisions that the agent
has no value for (most agents value discards only) are counted, but not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.base import Agent
from janshi.agents.explain import Explains, Explanation
from janshi.agents.registry import agent_names, load_agent, make_agent
from janshi.arena.stats import LEVEL, Estimate, rate
from janshi.core.tiles import kind_of
from janshi.luck.estimators import interval_of
from janshi.luck.games import PlayedGames
from janshi.luck.types import Array
from janshi.records.rebuild import INFO_DTYPE, rebuild_hands
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS, STATE_DTYPE
from janshi.rules.riichi.view import VIEW_DTYPE

KINDS: Final = ("discard", "riichi or not", "call or not", "kan or not", "win or not", "nine terminals or not")
DISCARDING, DECLARING, CALLING, KAN, WINNING, ABORTING = range(len(KINDS))
RULES: Final = "riichi/tenhou"
"""Agents are made for these rules; views tell what else differs."""
SAME: Final = 1e-9
"""Losses below this are none."""
UNITS: Final = {"rank": "places", "points": "thousand points"}
"""What the score of an agent is counted in, by its payoff."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An agent's opinion on one decision."""

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
    """What the agent makes most of."""
    loss: float
    """How much less it makes of what was played; NaN if it has no value for it."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The error rate over some decisions."""

    decisions: int
    judged: int
    rate: Estimate
    """Mean loss a judged decision, games being clusters; NaN if none is judged."""
    agreed: Estimate
    """Share of judged decisions without loss."""


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """A player's error rate by one agent, over all and by kind of decision."""

    name: str
    agent: str
    unit: str
    """What losses are counted in: places, points, ..."""
    overall: Errors
    kinds: dict[str, Errors]
    judgements: list[Judgement] = field(repr=False)

    def worst(self, count: int) -> list[Judgement]:
        """The dearest decisions, the worst first."""
        judged = [j for j in self.judgements if j.loss > SAME]
        return sorted(judged, key=lambda j: -j.loss)[:count]


Report = Callable[[int, int], None]
"""Is told how many decisions are judged, and how many there are."""


def error_rate(
    played: PlayedGames,
    agent: str,
    name: str,
    level: float = LEVEL,
    report: Report = lambda done, total: None,
) -> ErrorRate:
    """A player's error rate by an agent that can explain itself, over all their decisions in some games."""
    thinker = judge(agent)
    seats = [[who == name for who in names] for names in played.names]
    if not any(map(any, seats)):
        raise ValueError(f"no player is called {name!r} in {len(played)} games")
    judgements: list[Judgement] = []
    unit = ""
    everything = list(decisions(played, np.array(seats, np.bool_)))
    total = sum(len(some.views) for some in everything)
    for some in everything:
        for i in range(len(some.views)):
            (told,) = thinker.explain(some.views[i : i + 1])
            unit = unit or unit_of(thinker, told)
            judgements.append(_judgement(some, i, told))
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


def judge(agent: str) -> Any:
    """An agent that can explain itself, by name and options."""
    thinker = make_agent(agent, make_game(RULES))
    if not isinstance(thinker, Explains):
        able = [name for name in agent_names("riichi") if hasattr(load_agent(name), "explain")]
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


def value_name(told: Explanation) -> str:
    """The number that stands for Q: the first that the agent tells."""
    return next(iter(told.choices[0].numbers))


def unit_of(agent: Agent, told: Explanation) -> str:
    """What Q is counted in, in words."""
    name = value_name(told)
    return UNITS.get(getattr(agent, "payoff", ""), name) if name == "score" else name


def loss_of(told: Explanation, action: int, drawn: int) -> tuple[float, int]:
    """Max Q - Q(action) of equation (9), and the best action; NaN where the agent has no value for the action.

    Ways of going on after one action count as the best of them; discards of the same kind that the agent does not list
    apart share their value.
    """
    name = value_name(told)
    values: dict[int, float] = {}
    for choice in told.choices:
        value = choice.numbers.get(name, nan)
        if value == value:
            values[choice.action] = max(value, values.get(choice.action, value))
    if told.best.action not in values:  # what the agent would do has no value to compare with
        return nan, told.best.action
    best = max(values, key=lambda other: values[other])
    played = values.get(action)
    if played is None:
        alike = [value for other, value in values.items() if _kind(other, drawn) == _kind(action, drawn) >= 0]
        played = max(alike, default=nan)
    return values[best] - played, best


def _kind(action: int, drawn: int) -> int:
    """The kind that an action discards, or -1."""
    if action > act.TSUMOGIRI:
        return -1
    tile = drawn if action == act.TSUMOGIRI else action
    return int(kind_of(tile)) if tile >= 0 else -1


def kind_of_decision(legal: Array) -> int:
    """What a decision is about, by what was legal: bool[120] to a place in `KINDS`."""
    if legal[act.TSUMO] or legal[act.RON]:
        return WINNING
    if legal[act.NINE_TERMINALS]:
        return ABORTING
    if legal[act.PASS]:
        return CALLING
    if legal[act.RIICHI]:
        return DECLARING
    return KAN if legal[act.CONCEALED_KAN : act.TSUMO].any() else DISCARDING


def _judgement(some: Decisions, i: int, told: Explanation) -> Judgement:
    action, view, info = int(some.actions[i]), some.views[i], some.infos[i]
    loss, best = loss_of(told, action, int(view["drawn"]))
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
        end = rebuild_hands(mine, played.answers, 0, True, True, views, None, actions, infos, state, frames, tables)
        if end < 0:
            raise ValueError(f"{played.sources[game]}: the engine cannot follow hand {-1 - end}")
        yield Decisions(views[:end], actions[:end], masks_of(views[:end]), infos[:end], np.full(end, game, np.int64))
