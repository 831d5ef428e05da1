"""Luck in points, for rules with planes (Guobiao, the simplified game): of the deal and of every draw.

The same values and terms as in training (`learn/outcome_values.py`, RL-5) measure games: games are replayed from their
seeds and answers, all together; every draw is rebuilt from the decision after it. A flower has no luck of its own here;
the tile that replaces it is a draw like any other. The luck of a deal is the value of the position after it, less that
of independent random deals.

Needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch

from janshi.core import rng
from janshi.core.dtypes import record_dtype
from janshi.features.before_draw import BeforeDraw
from janshi.features.open_hands import OpenHands
from janshi.features.planes import encoder
from janshi.learn.outcome_values import OutcomeValues, read, terms
from janshi.models.store import FOLDER, ModelError
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

DEAL, DRAW = 0, 1
"""Kinds of chance events."""
DEALS: Final = 1024
"""Random deals whose mean value a deal is compared with."""
DEALS_STREAM: Final = 501
"""Keeps their walls apart from all others."""
PIECE: Final = 2048
"""Draws whose values are computed at once."""


class Values(NamedTuple):
    """U of draws, and what a point was worth in its training."""

    network: OutcomeValues
    scale: float
    name: str


def shipped_file(family: str) -> Path:
    """The values of draws that come with the package."""
    return FOLDER / f"luckfree-draws-{family}.npz"


def measurable(family: str) -> bool:
    """Whether the package has values of draws for a family of rules."""
    return shipped_file(family).is_file()


def load_values(path: Path) -> Values:
    """Values of draws from a file that training wrote."""
    network, card = read(path)
    if card.get("events") != "draws":
        raise ModelError(f"{path} holds values of {card.get('events')}, not of draws")
    made = f"{card['decisions']:,} decisions" if card["decisions"] else f"{card['fitted']['hands']:,} hands"
    return Values(network, float(card["scale"]), f"{path.stem} {card['rules']}, {made}")


def event_dtype(players: int) -> np.dtype[Any]:
    """A chance event: its game, its kind, who drew, the tile's cell (-1: a deal), and luck in points by seat."""
    return record_dtype(
        [
            ("game", np.int32),
            ("kind", np.int8),
            ("player", np.int8),
            ("tile", np.int8),
            ("luck", np.float32, (players,)),
        ]
    )


class PointLuck:
    """Measures the luck of games of one rule set."""

    def __init__(self, game: Game, values: Values, deals: int = DEALS) -> None:
        self.game, self.values = game, values
        self._plain = encoder(game.family.name)
        self._before, self._open = BeforeDraw(self._plain), OpenHands(game.family.name)
        self._mean_deal = self._mean_of_deals(deals)

    def of_games(
        self, seeds: Sequence[int], answers: Sequence[Array], watch: Callable[[int], None] = lambda done: None
    ) -> tuple[Array, Array]:
        """The chance events of games from their seeds and all their answers, and the games' final scores.

        `watch` is called with the number of games that are over.
        """
        tables = Stepper(self.game, len(seeds))
        tables.start(np.array(seeds, np.uint64))
        at, dealt = np.zeros(len(seeds), np.int64), np.ones(len(seeds), np.bool_)
        found = []
        while True:
            found.append(self._events(tables, dealt))
            dealt = tables.asked == 0
            over = dealt & (tables.states["phase"] == self.game.game_over)
            watch(int(over.sum()))
            if over.all():
                break
            tables.step(_next_answers(tables, answers, at))
        return np.concatenate(found), self.game.scores(tables.states)

    def _events(self, tables: Stepper, dealt: Array) -> Array:
        """The draws that the open decisions follow; at tables where hands were `dealt` just now, the deals too."""
        private, hidden, table, player = self._own_turns(tables)
        if not len(table):
            return np.zeros(0, event_dtype(self.game.players))
        before = self._before(torch.from_numpy(private), torch.from_numpy(hidden))
        drawn, luck, worth = self._terms(before, torch.from_numpy(hidden))
        there = before.counts.sum(1).numpy() > 0
        draws = self._listed(table, player, DRAW, drawn, luck)[there]
        fresh = there & dealt[table]
        deals = self._listed(table, player, DEAL, np.full(len(table), -1), worth - self._mean_deal)[fresh]
        deals["player"] = -1
        return np.concatenate([deals, draws])

    def _own_turns(self, tables: Stepper) -> tuple[Array, Array, Array, Array]:
        """Records of the open decisions on players' own turns, and their tables and players."""
        table, player = tables.tables.copy(), tables.players.copy()
        private = np.zeros((len(table), self._plain.private_bytes), np.uint8)
        self._plain.pack_states(tables.states, table, player, private)
        own = ~self._plain.masks_numpy(private)[:, -1]
        hidden = np.zeros((int(own.sum()), self._plain.hidden_bytes), np.uint8)
        self._plain.pack_states(tables.states, table[own], player[own], None, hidden)
        return private[own], hidden, table[own], player[own]

    @torch.no_grad()
    def _terms(self, before: Any, hidden: torch.Tensor) -> tuple[Array, Array, Array]:
        """What was drawn, the luck of it, and the worth of the positions before it, in points from the drawing seat."""
        weights = before.counts / before.counts.sum(1, keepdim=True).clamp(min=1)
        private, opened = self._open(before.private, hidden)
        luck, worth = [], []
        for a in range(0, len(private), PIECE):
            part = slice(a, a + PIECE)
            values = self.values.network(private[part], opened[part])
            luck.append(terms(values, before.drawn[part], weights[part]))
            worth.append((weights[part, :, None] * values).sum(1))
        points = [torch.cat(some).numpy() / self.values.scale for some in (luck, worth)]
        return before.drawn.numpy(), points[0], points[1]

    def _listed(self, table: Array, player: Array, kind: int, tile: Array, luck: Array) -> Array:
        """Events as records; luck is turned from the drawing seat's order to absolute seats."""
        out = np.zeros(len(table), event_dtype(self.game.players))
        out["game"], out["kind"], out["player"], out["tile"] = table, kind, player, tile
        seats = (np.arange(self.game.players) - player[:, None]) % self.game.players
        out["luck"] = np.take_along_axis(luck, seats, 1)
        return out

    def _mean_of_deals(self, deals: int) -> Array:
        """The mean worth of random deals by seat, counted from who draws first."""
        tables = Stepper(self.game, deals)
        tables.start(np.array([rng.key(np.uint64(0), i, DEALS_STREAM) for i in range(deals)], np.uint64))
        private, hidden, _, _ = self._own_turns(tables)
        before = self._before(torch.from_numpy(private), torch.from_numpy(hidden))
        return np.asarray(self._terms(before, torch.from_numpy(hidden))[2].mean(0))


def _next_answers(tables: Stepper, answers: Sequence[Array], at: Array) -> Array:
    """The next answers of all open decisions; `at` counts those taken at each table."""
    found = np.zeros(len(tables), np.int64)
    for i, table in enumerate(tables.tables.tolist()):
        found[i] = answers[table][at[table]]
        at[table] += 1
    return found


def luck_of_games(events: Array, games: int, players: int, kinds: tuple[int, ...] = (DEAL, DRAW)) -> Array:
    """Luck in points by game and seat, float64[games, players]."""
    total = np.zeros((games, players))
    wanted = np.isin(events["kind"], kinds)
    np.add.at(total, events["game"][wanted], events["luck"][wanted].astype(np.float64))
    return total
