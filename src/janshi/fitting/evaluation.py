"""Test positions, sampled fairly, and the predictions of models (or their variants) for them.

- *waiting*: two random turns from every hand (any player, any time), and one opponent without riichi at each.
- *winning tile*: two random turns from every hand on which the player holds both tiles that a tenpai opponent would
  win on and other tiles.
- *hand score*: two random triples (turn, opponent, kind) from every hand for which a payment would be due. Actual
  deal-ins are measured separately.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import NUM_KINDS
from janshi.fitting.data import TESTING, Positions, Source, join
from janshi.fitting.examples import Examples, score_examples, waiting_examples, winning_examples
from janshi.fitting.measures import Floats, safer_share
from janshi.models.linear import mapped_margins
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.concealed import kind_of

NO_KIND: Final = -1


class Count(NamedTuple):
    """Number of samples per position and per hand."""

    position: int
    hand: int


COUNTS: Final = {"waiting": Count(1, 2), "winning": Count(1, 2), "score": Count(1, 2), "deal-in": Count(3, 1000)}


class Sample(NamedTuple):
    """Chosen positions, each with the opponent (0 to 2) and the kind in question."""

    positions: Positions
    opponents: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    games: npt.NDArray[np.int64]
    """The number of each position's game."""

    @property
    def unseen(self) -> npt.NDArray[np.bool_]:
        """Whether the opponent is new to training."""
        return self.positions.unseen[np.arange(len(self.opponents)), self.opponents]

    def wanted(self) -> npt.NDArray[np.bool_]:
        """The opponents as a mask, bool[n, 3]."""
        return np.asarray(self.opponents[:, None] == np.arange(3))

    def of_opponent(self, field: str) -> npt.NDArray[Any]:
        """The opponent's value in a field of the views that has one for each player."""
        values = self.positions.views[field]
        return np.asarray(values[np.arange(len(values)), self.opponents + 1])


class Samples(NamedTuple):
    """What the models are tested on."""

    waiting: Sample
    winning: Sample
    score: Sample
    deal_ins: Sample
    paid: npt.NDArray[np.int64]
    """What the deal-ins actually cost."""


def first_of_each(groups: npt.NDArray[Any], keys: Floats, count: int) -> npt.NDArray[np.int64]:
    """Numbers of the `count` elements with the smallest keys in each group."""
    order = np.lexsort((keys, groups))
    sorted_groups = groups[order]
    starts = np.r_[0, np.nonzero(np.diff(sorted_groups))[0] + 1] if len(groups) else np.zeros(0, np.int64)
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    return np.sort(order[place < count])


def draw_samples(source: Source, seed: int, role: str = TESTING) -> Samples:
    """Sample positions from the games with a role."""
    rng = np.random.default_rng(seed)
    parts = _Parts()
    for positions in source.positions(role, None):
        parts.take(positions, rng)
    game_numbers = np.unique(source.games, return_inverse=True)[1]
    samples = [parts.sample(name, game_numbers) for name in ("waiting", "winning", "score", "deal-in")]
    samples[3], paid = _really_paid(source, samples[3])
    return Samples(samples[0], samples[1], samples[2], samples[3], paid)


class _Parts:
    """Candidates of each sample, batch by batch."""

    def __init__(self) -> None:
        self.kept: dict[str, list[tuple[Positions, Any, Any, Any]]] = {}

    def take(self, positions: Positions, rng: np.random.Generator) -> None:
        """Keep the candidates among some positions."""
        open_ones = positions.views["riichi"][:, 1:] == 0
        hands = positions.views["hand"].astype(bool)[:, None]
        pays = positions.payments > 0
        qualify = (pays & hands).any(2) & (~pays & hands).any(2)
        self._keep("waiting", positions, open_ones[:, :, None], rng)
        self._keep("winning", positions, qualify[:, :, None], rng)
        self._keep("score", positions, pays, rng)
        discarded = np.array([_discarded(a, v) for a, v in zip(positions.actions, positions.views["drawn"])])
        dealt = pays & (discarded[:, None, None] == np.arange(NUM_KINDS))
        self._keep("deal-in", positions, dealt, rng)

    def _keep(self, name: str, positions: Positions, candidates: Any, rng: np.random.Generator) -> None:
        at, opponents, kinds = np.nonzero(candidates)
        chosen = first_of_each(at, rng.random(len(at)), COUNTS[name].position)
        keys = rng.random(len(chosen))
        best = first_of_each(positions.hands[at[chosen]], keys, COUNTS[name].hand)
        chosen, keys = chosen[best], keys[best]
        some = positions.take(at[chosen])
        self.kept.setdefault(name, []).append((some, opponents[chosen], kinds[chosen], keys))

    def sample(self, name: str, game_numbers: npt.NDArray[np.int64]) -> Sample:
        """Choose among the candidates of a hand."""
        parts = self.kept[name]
        positions = join([part[0] for part in parts])
        opponents, kinds, keys = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
        chosen = first_of_each(positions.hands, keys, COUNTS[name].hand)
        positions = positions.take(chosen)
        return Sample(positions, opponents[chosen], kinds[chosen], game_numbers[positions.hands])


def _discarded(action: int, drawn: int) -> int:
    """The kind that an action discards, or NO_KIND."""
    if action < TSUMOGIRI:
        return kind_of(int(action))
    return kind_of(int(drawn)) if action == TSUMOGIRI else NO_KIND


def _really_paid(source: Source, sample: Sample) -> tuple[Sample, npt.NDArray[np.int64]]:
    """The discards that dealt in, among those that could have, and their cost without honba and sticks."""
    table = source.dataset.hands("winners", "points", "loser", "result").take(sample.positions.hands)
    rows = table.to_pylist()
    viewers = sample.positions.views["seat"].astype(int)
    seats = (viewers + 1 + sample.opponents) % 4
    paid = np.zeros(len(rows), np.int64)
    for i, row in enumerate(rows):
        if row["loser"] == viewers[i] and seats[i] in row["winners"]:
            paid[i] = row["points"][row["winners"].index(seats[i])]
    last = np.zeros(len(rows), np.bool_)
    turns = sample.positions.views["turns"].astype(int)
    keys = sample.positions.hands * 8 + sample.opponents
    last[first_of_each(keys, -turns.astype(float), 1)] = True
    real = (paid > 0) & last
    return Sample(sample.positions.take(real), *(part[real] for part in sample[1:])), paid[real]


# --- what models say


def margins(examples: Examples, weights: npt.NDArray[np.float32], map: npt.NDArray[np.int32]) -> Floats:
    """The margin of each example."""
    out = np.zeros(len(examples.counts), np.float64)
    mapped_margins(examples.features, examples.counts, map, weights, out)
    return out


def waiting_lists(sample: Sample) -> Examples:
    """Lists of features of the sample, one per position."""
    return waiting_examples(sample.positions.views, sample.positions.tenpai, sample.wanted())


def winning_lists(sample: Sample) -> Examples:
    """Lists of features of the kinds that are not safe."""
    return winning_examples(sample.positions.views, sample.positions.payments, sample.wanted())


def score_lists(sample: Sample) -> Examples:
    """Lists of features, one per position, for the chosen kind."""
    pays = np.zeros_like(sample.positions.payments)
    at = (np.arange(len(sample.kinds)), sample.opponents, sample.kinds)
    pays[at] = sample.positions.payments[at]
    return score_examples(sample.positions.views, pays, sample.wanted())


def chances(margins: Floats) -> Floats:
    """Margins as probabilities."""
    return np.asarray(1 / (1 + np.exp(-margins)))


def orderings(sample: Sample, lists: Examples, guesses: Floats) -> Floats:
    """How well each position's tiles are ordered (`measure.safer_share`); kinds without a list are safest."""
    whole = np.full((len(sample.kinds), NUM_KINDS), -np.inf)
    whole[lists.places[:, 0], lists.places[:, 2]] = guesses
    out = np.zeros(len(sample.kinds))
    for i, opponent in enumerate(sample.opponents):
        tiles = sample.positions.views["hand"][i]
        held = tiles > 0
        winning = sample.positions.payments[i, opponent][held] > 0
        out[i] = safer_share(whole[i][held], tiles[held], winning)
    return out
