"""What agents need to know about a family of rules: its built-in policies, and how to discard the drawn tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.rules.game import Array, Game
from janshi.rules.layer import Layer

ViewsAnswer = Callable[[Array, Array, Array], None]
"""Writes an action for each of (views, words) into its last argument."""
StatesAnswer = Callable[[Array, Array, Array, Array, Array], None]
"""Writes an action for each of (states, tables, players, words) into its last argument."""
HandsPlayer = Callable[[Array, Array, Array, Array], None]
"""Plays every table to the end of its hand, in place: (states, contestant at each seat, streams, decision counts)."""


@dataclass(frozen=True, slots=True)
class AgentsFamily:
    """A family of rules as agents see it. The defaults work for any game, from views alone."""

    policies: tuple[str, ...] = ("random", "tsumogiri")
    """Names of the policies; an agent of the same name plays each."""
    answer_views: Callable[[Game, str], ViewsAnswer] | None = None
    """Answers views by a policy of the family."""
    answer_states: Callable[[Game, str], StatesAnswer] | None = None
    """Answers states directly, reading only what the player may see. Saves writing views."""
    play_hands: Callable[[Game, Sequence[str]], HandsPlayer] | None = None
    """Plays whole hands with the contestants' policies in one call."""
    options: Callable[[], Any] | None = None
    """Loads its `OptionSet` (`agents/strategist/options.py`). None: the strategist cannot play it."""
    drawn_discard: int | None = None
    """The action that discards the drawn tile, if a single action does so for every tile."""


AGENTS_LAYER: Final = Layer("agents", AgentsFamily())


def views_answer(game: Game, policy: str) -> ViewsAnswer:
    """How a policy answers the views of a game."""
    family = AGENTS_LAYER.of(game.family)
    if family.answer_views is not None:
        return family.answer_views(game, policy)
    return {"random": _random, "tsumogiri": _tsumogiri}[policy](game)


def _random(game: Game) -> ViewsAnswer:
    """A uniformly random legal action, drawn with the decision's word."""

    def answer(views: Array, words: Array, out: Array) -> None:
        masks = game.masks_of_views(views)
        skip = (words >> np.uint64(32)) * masks.sum(1).astype(np.uint64) >> np.uint64(32)
        out[:] = (masks.cumsum(1) > skip.astype(np.int64)[:, None]).argmax(1)

    return answer


def _tsumogiri(game: Game) -> ViewsAnswer:
    """The action to play for an absent player."""
    from janshi.agents.substitute import substitute_answer

    def answer(views: Array, words: Array, out: Array) -> None:
        out[:] = [substitute_answer(game, view) for view in views]

    return answer
