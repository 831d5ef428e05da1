"""The player of paper 4 (Li et al. 2022) with the shipped weights. In Guobiao it also estimates what choices cost."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.agent import LearnedAgent, digest_of
from janshi.agents.learned.network import shipped
from janshi.agents.learned.point_ends import ENDS, OTHER, PointEnds
from janshi.agents.learned.point_ends import shipped as shipped_ends
from janshi.agents.learned.point_losses import Opinions, PointLosses, opinions
from janshi.agents.learned.point_losses import shipped as shipped_losses
from janshi.agents.loss import HAND_POINTS
from janshi.agents.search.agent import SearchAgent
from janshi.core.tiles import NUM_KINDS
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.family import FAMILY as GUOBIAO
from janshi.rules.guobiao.state import PLAYERS


class RvrAgent(LearnedAgent):
    """Self-play reinforcement learning with reward variance reduction, using the shipped weights.

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
        """The model of what choices cost, if one was fitted to this file's network; read on first use."""
        found = shipped_losses() if self.gives_values else None
        return found if found and found.card.get("network") == digest_of(self.file) else None

    @cached_property
    def ends(self) -> PointEnds | None:
        """The model of how hands end after choices, if one was fitted to this file's network."""
        found = shipped_ends() if self.gives_values else None
        return found if found and found.card.get("network") == digest_of(self.file) else None

    @cached_property
    def _search(self) -> SearchAgent:
        return SearchAgent(self.game)

    def explain(self, views: Array) -> list[Explanation]:
        """How often it takes each legal action; in Guobiao also what it costs in points, and how the hand may end."""
        if self.losses is None:
            return super().explain(views)
        seen = self._with_own_draws(views)
        said = opinions(seen, self.probabilities(views), self._search.action_values(seen), shipped_opponents())
        lost = self.losses.losses(said)
        ends = np.full((*lost.shape, len(ENDS)), np.nan) if self.ends is None else self.ends.chances(said)
        return [self._explanation(said, i, lost[i], ends[i]) for i in range(len(views))]

    def _with_own_draws(self, views: Array) -> Array:
        """Views whose `left` are the tiles that a player will draw, as losses and ends were fitted.

        A common wall is drawn from in turn.
        """
        if self.game.rules.own_walls:
            return views
        seen = views.copy()
        seen["left"] //= PLAYERS
        return seen

    def _explanation(self, said: Opinions, i: int, lost: Array, ends: Array) -> Explanation:
        chances = said.chances[i]
        order = sorted(np.flatnonzero(said.legal[i]).tolist(), key=lambda action: -chances[action])
        whole = (chances[order, None] * ends[order]).sum(0) / chances[order].sum()
        return Explanation(
            tuple(self._priced(said, i, action, float(lost[action]), ends[action]) for action in order),
            tuple(said.ready[i].tolist()),
            unit=HAND_POINTS,
            ends={} if self.ends is None else dict(zip(ENDS, whole.tolist())),
        )

    def _priced(self, said: Opinions, i: int, action: int, lost: float, ends: Array) -> Choice:
        numbers = {"in reach": float(said.values[i, action])}
        if self.ends is not None:
            numbers |= {name: float(chance) for name, chance in zip(ENDS[:OTHER], ends)}
        numbers["danger"] = float(said.danger[i, action]) if action < NUM_KINDS else np.nan
        name, often = self.game.action_names[action], float(said.chances[i, action])
        return Choice(action, name, numbers, worth=-lost, experts=often)
