"""The search's view of a Guobiao decision, weighed by what choices turned out to be worth: an experiment.

It has no weights in the package, because none played better than `search` (`docs/notebook.md`). With a file of weights
(`scripts/fit_weigher.py`) it is `janshi.agents.weigher.agent.WeigherAgent:file=weights.npz`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import HAND_POINTS
from janshi.agents.weigher.features import dangers, favourites, rows_of, sensible
from janshi.agents.weigher.worths import Worths
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.actions import HU

MARGIN: Final = 0.3
"""Points by which an action must be worth more than the search's favourite: smaller differences are mostly noise."""
DIGITS: Final = 6
"""Worths that agree to this many digits are equal: the rest may depend on the size of the batch."""


class WeigherAgent(Agent):
    """Takes every win, else the action that is worth most.

    Options: `margin`, how much more an action must be worth than the search's favourite to be preferred; and `file`,
    other weights than the shipped ones.
    """

    name, version, families = "weigher", "1", ("guobiao",)
    gives_values = True

    def __init__(self, game: Game, file: str, margin: float = MARGIN) -> None:
        super().__init__(game)
        self.margin = margin
        self.worths = Worths.load(Path(file))

    def act(self, asked: Asked) -> Array:
        """Every win; else the sensible action that is worth most, if it is worth enough more than the search's."""
        rows = sensible(rows_of(asked.views, shipped_opponents()))
        worth = np.round(self.worths(rows.about), DIGITS)
        order = np.lexsort((rows.action, worth, rows.decision))
        best = order[np.flatnonzero(np.diff(rows.decision[order], append=len(asked)))]
        usual = favourites(rows)
        chosen = np.where(worth[best] > worth[usual] + self.margin, best, usual)
        return np.where(self.game.masks_of_views(asked.views)[:, HU], HU, rows.action[chosen])

    def explain(self, views: Array) -> list[Explanation]:
        """What each legal action costs in points, the wins within reach after it, and its danger."""
        best = self.act(Asked(self.game, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64)))
        return [self._explanation(views[i : i + 1], int(best[i])) for i in range(len(views))]

    def _explanation(self, view: Array, best: int) -> Explanation:
        """The action taken comes first; others that would be worth more are not sensible, and count as its equals."""
        rows = rows_of(view, shipped_opponents())
        worth = self.worths(rows.about)
        top = worth[rows.action == best] if best != HU else np.full(1, np.nan)
        lost = np.minimum(worth - top, 0.0)
        choices = [
            self._choice(int(action), float(own), float(value), float(danger))
            for action, own, value, danger in zip(rows.action, lost, rows.value, rows.danger)
        ]
        if best == HU:
            choices.append(self._choice(HU, 0.0, np.nan, np.nan))
        choices.sort(key=lambda choice: (choice.action != best, -np.nan_to_num(choice.worth)))
        ready = dangers(view, shipped_opponents())[0][0]
        return Explanation(tuple(choices), tuple(ready.tolist()), unit=HAND_POINTS)

    def _choice(self, action: int, worth: float, value: float, danger: float) -> Choice:
        return Choice(action, self.game.action_names[action], {"in reach": value, "danger": danger}, worth=worth)
