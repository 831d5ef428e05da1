"""How often a player's discards and calls agree with experts'. Kinds are compared, so a red five is a five."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.agents.base import Agent, Asked
from janshi.core.shanten import shanten_batch
from janshi.core.tables import load_tables
from janshi.core.tiles import FIRST_RED, FIVE_M, RANKS
from janshi.fitting.one_player.training import called, discarded, read_moves, threatened
from janshi.fitting.roles import BY_SPLIT, TESTING, Roles, nothing_for
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act

Chooser = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
"""Answers views: with kinds to discard, or with actions when calls are offered."""
SHANTEN: Final = 7


def discards_only(views: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Views of turns in which only discards are legal."""
    out = views.copy()
    out["legal"][:, 0] &= (1 << act.RIICHI) - 1
    out["legal"][:, 1] = 0
    return out


@dataclass
class Agreement:
    """Numbers of positions and of agreements with the expert, by sort of position."""

    positions: dict[str, int] = field(default_factory=dict)
    right: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, place: str, chosen: npt.NDArray[np.bool_], agreed: Mapping[str, npt.NDArray[np.bool_]]) -> None:
        """Count the chosen positions under a name."""
        self.positions[place] = self.positions.get(place, 0) + int(chosen.sum())
        row = self.right.setdefault(place, {})
        for name, same in agreed.items():
            row[name] = row.get(name, 0) + int(same[chosen].sum())

    def share(self, place: str, name: str) -> float:
        """The share of positions under a name on which a player agreed with the expert."""
        return self.right[place][name] / self.positions[place] if self.positions[place] else nan


def agent_actions(agent: Agent) -> Chooser:
    """An agent's actions."""
    game = make_game("riichi/tenhou")
    return lambda views: agent.act(Asked(game, views, np.zeros(len(views), np.uint64), np.arange(len(views))))


def agent_kinds(agent: Agent) -> Chooser:
    """The kinds that an agent discards."""
    actions = agent_actions(agent)

    def choose(views: npt.NDArray[Any]) -> npt.NDArray[Any]:
        answers = actions(views)
        tiles = np.where(answers == act.TSUMOGIRI, views["drawn"], answers)
        return np.where(tiles >= FIRST_RED, RANKS * (tiles - FIRST_RED) + FIVE_M, tiles)

    return choose


def measure_discards(
    dataset: Dataset, players: Mapping[str, Chooser], role: str = TESTING, roles: Roles = BY_SPLIT
) -> Agreement:
    """How often each player agrees with the expert's discard, not in riichi and with a choice of kinds.

    A `DatasetError` if there is no such discard.
    """
    out = Agreement()
    for moves in read_moves(dataset, role, roles=roles):
        kinds = discarded(moves)
        chosen = kinds >= 0
        views, kinds = moves.views[chosen], kinds[chosen]
        agreed = {name: np.asarray(choose(discards_only(views)) == kinds) for name, choose in players.items()}
        threat, distance = threatened(views), shanten_of(views)
        out.add("all", np.ones(len(views), np.bool_), agreed)
        out.add("no threat", ~threat, agreed)
        out.add("threat", threat, agreed)
        for shanten in range(SHANTEN):
            out.add(f"no threat, shanten {shanten}", ~threat & (distance == shanten), agreed)
        is_open = views["melds"][:, 0] > 0
        out.add("no threat, closed", ~threat & ~is_open, agreed)
        out.add("no threat, melded", ~threat & is_open, agreed)
    if not out.positions.get("all"):
        raise nothing_for(role, "no discard with two kinds or more to choose from")
    return out


def shanten_of(views: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """Shanten of the viewers' hands."""
    out = np.zeros(len(views), np.int8)
    shanten_batch(views["hand"].astype(np.uint8), views["melds"][:, 0].astype(np.uint8), load_tables(), out)
    return out


@dataclass
class CallAgreement:
    """Offers of chi or pon: their number, the experts' answers, and a player's answers."""

    offers: int = 0
    calls: int = 0
    """Called by the expert."""
    made: int = 0
    """Called by the player."""
    both: int = 0
    exact: int = 0
    """The share of offers with exactly the expert's answer."""

    @property
    def accuracy(self) -> float:
        """The share of offers to which both called or both passed."""
        return 1 - (self.calls + self.made - 2 * self.both) / self.offers if self.offers else nan

    @property
    def recall(self) -> float:
        """The share of the expert's calls that the player also makes."""
        return self.both / self.calls if self.calls else nan

    @property
    def precision(self) -> float:
        """The share of the player's calls that the expert also made."""
        return self.both / self.made if self.made else nan


def measure_calls(
    dataset: Dataset, player: Chooser, threat: bool | None = None, role: str = TESTING, roles: Roles = BY_SPLIT
) -> CallAgreement:
    """Compare a player's answers to offers of chi or pon with experts'; all, or only with or without a threat.

    A `DatasetError` if there is no offer.
    """
    out = CallAgreement()
    for moves in read_moves(dataset, role, roles=roles):
        actions = called(moves)
        chosen = actions >= 0
        if threat is not None:
            chosen &= threatened(moves.views) == threat
        answers, actions = player(moves.views[chosen]), actions[chosen]
        call, made = actions != act.PASS, answers != act.PASS
        out.offers += len(actions)
        out.calls += int(call.sum())
        out.made += int(made.sum())
        out.both += int((call & made).sum())
        out.exact += int((answers == actions).sum())
    if not out.offers:
        raise nothing_for(role, "no offer of a chi or pon")
    return out
