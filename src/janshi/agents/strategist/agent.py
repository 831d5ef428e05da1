"""The strategist: takes the option that its own games showed to be worth most.

Its network puts a worth in points on each legal action, from numbers about the position and the option (`options`). It
was learned by policy iteration (`janshi.learn.strategist`): the player meets copies of itself and the search model,
sometimes takes another option, and learns from what followed without the luck of the draws.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.agent import UNIT, digest_of
from janshi.agents.learned.network import find_file
from janshi.agents.loss import HAND_POINTS
from janshi.agents.strategist.options import Options, best_of, options_of, settled
from janshi.agents.strategist.values import read_values, shipped_file
from janshi.models.store import ModelError
from janshi.rules.game import Array, Game
from janshi.rules.registry import find_family


class StrategistAgent(Agent):
    """Weighs every option by what it brought in the player's own games, with the luck of draws removed.

    Options: `file`, other values that training wrote; `temperature`, in points: above 0, options are sampled, and one
    worth this much less is taken e times less often.
    """

    name, version, families = "strategist", "1", ("simplified",)
    gives_values = True

    def __init__(self, game: Game, file: str = "", temperature: float = 0.0) -> None:
        super().__init__(game)
        if temperature < 0:
            raise ValueError(f"agent 'strategist': the temperature must not be negative, but is {temperature}")
        self.file = find_file(Path(file)) if file else shipped_file(game.family.name)
        self.about = options_of(game.family)
        self.values = read_values(self.file, self.about.version)
        if find_family(self.values.card["rules"]) != game.family:
            raise ModelError(f"{self.file} plays {self.values.card['rules']}, not {game.family.name}")
        self._write, self._temperature = self.about.writer(game), temperature
        self.version = f"{type(self).version}-{digest_of(self.file)}"  # type: ignore[misc]  # other weights play otherwise

    def act(self, asked: Asked) -> Array:
        """The option of the highest worth, or one sampled with the decision's word."""
        actions, open_ = settled(asked.masks, self.about.win)
        if open_.any():
            options = self._write(asked.views[open_])
            worths = self.values(options.rows)
            actions[open_] = sampled(options, worths, asked.words[open_], self._temperature)
        return actions

    def explain(self, views: Array) -> list[Explanation]:
        """What each legal action is worth compared with the best one."""
        return [self._explanation(view) for view in np.ascontiguousarray(views).reshape(-1, 1)]

    def _explanation(self, views: Array) -> Explanation:
        legal = np.flatnonzero(self.game.masks_of_views(views)[0])
        options = self._write(views)
        worths = dict(zip(options.actions.tolist(), self.values(options.rows).tolist()))
        best = max(worths.values(), default=0.0)
        lost = {action: best - worths.get(action, best) for action in legal.tolist()}
        order = sorted(lost, key=lambda action: (action != self.about.win, lost[action]))
        return Explanation(tuple(self._choice(action, lost[action]) for action in order), (), unit=HAND_POINTS)

    def _choice(self, action: int, lost: float) -> Choice:
        return Choice(action, self.game.action_names[action], {}, worth=-lost)


def sampled(options: Options, worths: Array, words: Array, temperature: float) -> Array:
    """An action for each decision: the best, or with a temperature one drawn by the decision's word."""
    if not temperature:
        return best_of(options, worths)
    below = np.cumsum(chances_of(options, worths, temperature))
    drawn = np.arange(len(words)) + (words >> np.uint64(11)).astype(np.float64) * UNIT
    rows = np.searchsorted(below, drawn, side="right")
    return np.asarray(options.actions[np.clip(rows, options.first[:-1], options.first[1:] - 1)])


def chances_of(options: Options, worths: Array, temperature: float) -> Array:
    """The probability of each row among the options of its decision, float64[k]."""
    counts = np.diff(options.first)
    most = np.maximum.reduceat(worths, options.first[:-1])
    odds = np.exp((worths - np.repeat(most, counts)).astype(np.float64) / temperature)
    return np.asarray(odds / np.repeat(np.add.reduceat(odds, options.first[:-1]), counts))
