"""The player of paper 4 (Li et al. 2022) with the weights of the package; in Guobiao it also says what choices cost."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.agent import LearnedAgent, digest_of
from janshi.agents.learned.network import shipped
from janshi.agents.learned.point_losses import Opinions, PointLosses
from janshi.agents.learned.point_losses import shipped as shipped_losses
from janshi.agents.loss import HAND_POINTS
from janshi.agents.search.agent import SearchAgent
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.family import FAMILY as GUOBIAO


class RvrAgent(LearnedAgent):
    """Self-play reinforcement learning with reward variance reduction: plays by the weights of the package.

    Options: `sample`, `temperature` and `device`, as for `policy`.
    """

    name, version, families = "rvr", "1", LearnedAgent.families
    gives_values = True

    def __init__(self, game: Game, sample: bool = False, temperature: float = 1.0, device: str = "") -> None:
        file = str(shipped("rvr", game.family.name)) if self.plays(game.family) else "none"
        super().__init__(game, file, sample, temperature, device)
        self.gives_values = game.family == GUOBIAO  # type: ignore[misc]  # nothing was fitted to other rules

    @cached_property
    def losses(self) -> PointLosses | None:
        """What choices cost, if that was fitted to the network in the file; read when it is asked for."""
        found = shipped_losses() if self.gives_values else None
        return found if found and found.card.get("network") == digest_of(self.file) else None

    @cached_property
    def _search(self) -> SearchAgent:
        return SearchAgent(self.game)

    def explain(self, views: Array) -> list[Explanation]:
        """How often it takes each legal action; in Guobiao also what the action costs, in points of the hand."""
        if self.losses is None:
            return super().explain(views)
        legal, chances = self.game.masks_of_views(views), self.probabilities(views)
        reach = self._search.action_values(views)
        lost = self.losses.losses(Opinions(chances, legal, reach))
        return [self._explanation(*rows) for rows in zip(legal, chances, reach, lost)]

    def _explanation(self, legal: Array, chances: Array, reach: Array, lost: Array) -> Explanation:
        order = sorted(np.flatnonzero(legal).tolist(), key=lambda action: -chances[action])
        return Explanation(
            tuple(
                Choice(
                    action,
                    self.game.action_names[action],
                    {"in reach": float(reach[action])},
                    worth=-float(lost[action]),
                    experts=float(chances[action]),
                )
                for action in order
            ),
            (),
            unit=HAND_POINTS,
        )
