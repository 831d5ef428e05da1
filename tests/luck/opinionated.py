"""An agent with simple opinions, to judge by: the lower the tile, the better the discard; passing is best of all."""

from __future__ import annotations

from math import nan

from janshi.agents.base import Agent
from janshi.agents.explain import Choice, Explanation
from janshi.rules.riichi import actions as act


class Opinion(Agent):
    """Values a discard by minus its tile, a pass by 5, a win by 100; nothing else."""

    name, version, families = "opinion", "1", ("riichi",)
    gives_values = True

    def act(self, asked):
        return asked.masks.argmax(1)

    def explain(self, views):
        told = []
        for view, legal in zip(views, self.game.masks_of_views(views)):
            choices = [
                Choice(int(a), act.ACTION_NAMES[a], {}, (), value(int(a), int(view["drawn"])))
                for a in legal.nonzero()[0]
            ]
            known = sorted(choices, key=lambda c: -c.worth if c.worth == c.worth else 1e9)
            told.append(Explanation(tuple(known), (), unit="points"))
        return told


def value(action: int, drawn: int) -> float:
    if action < act.TSUMOGIRI:
        return -float(action)
    if action == act.TSUMOGIRI:
        return -float(drawn)
    return {act.PASS: 5.0, act.TSUMO: 100.0, act.RON: 100.0}.get(action, nan)
