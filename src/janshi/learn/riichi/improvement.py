"""One step of policy iteration: what choices are worth, as a line in the policy's own last features.

The logit of an action is w · x, where x is the token it is read off. So is what is learned here, the worth of an
action: q = c (w + d) · x + k v. The factor c says what a logit is worth on average; d, found by ridge regression of
what was gained without luck, corrects the layer; v, if there are values of choices, is theirs, and k how much of it
is true. Since a policy may be changed by adding to its logits, w + d is the improved last layer: the network stays as
it is and costs nothing more. With values, k v / c is added to the logits.

A regression of so few numbers (20 rows of a token) has one best answer, found exactly from sums over all evidence;
gradient steps on all weights by the same evidence would mostly follow its noise. Values of choices go on learning
while the sums are made, each piece of evidence being counted before it is learned from, so that k is honest.

Gains that count what comes later less have less noise but more of the faults of the values of draws: an answer is
found for each trace, and all are judged by unbiased gains of other evidence.

Gains and values are divided by the usual size of gains in the position, which depends on what is at stake; features of
an action have the mean over all actions (by the chances of the player that explored) taken off, so that what does not
depend on the action plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from janshi.core.tiles import NUM_KINDS
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.network import TILE_ACTIONS, RiichiNet, policy_logits
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.optimisers import make_optimisers
from janshi.learn.riichi.evidence import TRACES, Evidence
from janshi.learn.riichi.last_layer import ROWS, Reader, Seen, corrected, features, last_layer
from janshi.learn.riichi.networks import Choices, most_probable
from janshi.rules.riichi.actions import RIICHI, TSUMOGIRI

CHUNK: Final = 8192
"""Decisions looked at at a time."""
PENALTIES: Final = (1e5, 5e5, 2.5e6)
"""Penalties of the ridge regression that are tried."""
STRENGTHS: Final = (0.3, 0.6, 1.0)
"""Factors on the correction that are tried."""
CHOICES_LEARN_FROM: Final = TRACES.index(0.95)
"""The trace of the gains that values of choices learn from."""
SMALLEST: Final = 0.01
"""Smallest usual size of gains, in places."""
OUTLIER: Final = 30.0
"""How many times the expected square a squared gain counts at most, when usual sizes are learned."""


# --- how large gains usually are


@dataclass(frozen=True)
class Sizes:
    """The usual size of gains, exp(weights · game token / 2)."""

    weights: Tensor

    def __call__(self, seen: Seen) -> Tensor:
        """(B,), in places."""
        return self.of(seen.tokens[:, -2])

    def of(self, tokens: Tensor) -> Tensor:
        """Of game tokens (B, D + 1), normed, with a one."""
        return torch.exp(0.5 * (tokens.double() @ self.weights)).float().clamp(min=SMALLEST)


def fit_sizes(tokens: Tensor, gained: Tensor, steps: int = 12) -> Sizes:
    """Learn sizes from game tokens (n, D + 1) and gains (n,): the likelihood of a normal distribution, by Newton."""
    x, squares = tokens.double(), gained.double().square()
    start = torch.log(squares.mean())
    gram = x.T @ x
    gram += 1e-3 * len(x) * torch.eye(len(gram), dtype=gram.dtype, device=gram.device)
    weights = torch.zeros(x.shape[1], dtype=x.dtype, device=x.device)
    weights[-1] = start
    for _ in range(steps):
        ratio = (squares * torch.exp(-(x @ weights))).clamp(max=OUTLIER)
        weights = weights + torch.linalg.solve(gram, x.T @ (ratio - 1))
    return Sizes(weights)


# --- the regression


@dataclass
class Sums:
    """Sums over evidence: all that the regression needs."""

    gram: Tensor
    """float64 (d, d)."""
    products: Tensor
    """Features times gains over their size, float64 (d, traces)."""

    @classmethod
    def empty(cls, size: int, device: torch.device) -> Sums:
        """Nothing yet."""
        zeros = torch.zeros(size, size, dtype=torch.float64, device=device)
        return cls(zeros, zeros[:, : len(TRACES)].clone())

    def add(self, x: Tensor, y: Tensor) -> None:
        """Add rows: x (B, d) and y (B, traces)."""
        self.gram += (x.T @ x).double()
        self.products += (x.T @ y).double()

    def __add__(self, other: Sums) -> Sums:
        """The sums over both."""
        return Sums(self.gram + other.gram, self.products + other.products)

    def __sub__(self, other: Sums) -> Sums:
        """The sums over what is left without the other's rows."""
        return Sums(self.gram - other.gram, self.products - other.products)

    def without_values(self) -> Sums:
        """The same without the last column, the values of choices."""
        kept = torch.ones_like(self.gram[0])
        kept[-1] = 0.0
        return Sums(self.gram * kept * kept[:, None], self.products * kept[:, None])


@dataclass(frozen=True)
class Correction:
    """What is added to a policy: to its last layer, and to its logits for values as large as gains usually are."""

    layer: Tensor  # (ROWS, D + 1)
    tilt: float


class Solved(NamedTuple):
    """What was found: c, k, and a correction for each penalty."""

    factor: float
    trusted: float
    """How much of the values of choices is true."""
    corrections: dict[float, Correction]


def solve(sums: Sums, layer: Tensor, penalties: tuple[float, ...] = PENALTIES) -> list[Solved]:
    """For each trace, ridge regression towards `factor` times the layer and `trusted` times the values."""
    known = torch.zeros(len(sums.gram), 2, dtype=torch.float64, device=layer.device)
    known[:-1, 0] = layer.double().flatten()
    known[-1, 1] = 1.0
    found = torch.linalg.pinv(known.T @ sums.gram @ known) @ (known.T @ sums.products)
    values, vectors = torch.linalg.eigh(sums.gram)
    left = vectors.T @ (sums.products - sums.gram @ (known @ found))
    solved = []
    for i, (factor, trusted) in enumerate(found.T.tolist()):
        corrections = {}
        for one in penalties:
            change = (vectors @ (left[:, i] / (values.clamp(min=0) + one))).float() / factor
            corrections[one] = Correction(change[:-1].view_as(layer), trusted / factor + float(change[-1]))
        solved.append(Solved(factor, trusted, corrections))
    return solved


def each(evidence: Evidence, device: torch.device, chunk: int = CHUNK) -> Iterator[Evidence]:
    """Evidence in chunks on the device; what is left over is dropped, so that all chunks have the same shape."""
    chunk = min(chunk, len(evidence))
    for a in range(0, len(evidence) - chunk + 1, chunk):
        yield evidence.take(slice(a, a + chunk)).to(device)


def sums_of(reader: Reader, sizes: Sizes, *parts: Evidence, rate: float = 0.0) -> Sums:
    """The sums over all of the evidence. With a rate, values of choices go on learning, the rate falling to zero."""
    device = reader.net.place.device
    sums = Sums.empty(ROWS * (reader.net.config.width + 1) + 1, device)
    learner = Values(reader.choices, rate) if reader.choices is not None and rate else None
    chunks = max(sum(map(len, parts)) // CHUNK, 1)
    for done, some in enumerate(chain.from_iterable(each(part, device) for part in parts)):
        with torch.set_grad_enabled(learner is not None):
            seen = reader(some)
            x, usual = features(seen, some), sizes(seen)
            x = torch.cat([x[:, :-1], x[:, -1:] / usual[:, None]], 1)
        y = some.gained / usual[:, None]
        sums.add(x.detach(), y)
        if learner is not None:
            learner.step((y[:, CHOICES_LEARN_FROM] - x[:, -1]).square().mean(), max(1 - done / chunks, 0.0))
    return sums


@torch.no_grad()
def sizes_of(reader: Reader, *parts: Evidence) -> Sizes:
    """Usual sizes of gains, from every eighth piece of evidence."""
    tokens, gains = [], []
    for i, some in enumerate(chain.from_iterable(each(part, reader.net.place.device) for part in parts)):
        if i % 8 == 0:
            tokens.append(reader(some).tokens[:, -2])
            gains.append(some.gained[:, -1])
    return fit_sizes(torch.cat(tokens), torch.cat(gains))


class Values:
    """Values of choices that go on learning."""

    def __init__(self, choices: Choices, rate: float) -> None:
        self.choices, self.rate = choices, rate
        self.optimiser = make_optimisers(choices, rate, 0.0, False, next(choices.parameters()).device)

    def step(self, loss: Tensor, share: float) -> None:
        """One step, at a share of the rate."""
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.choices.parameters(), 1.0)
        self.optimiser.step(self.rate * share)


# --- judging candidates by evidence that they did not learn from


@dataclass(frozen=True)
class Judgement:
    """What other evidence says of a candidate."""

    name: str
    differs: float
    """Share of the open decisions in which its most probable choice is another."""
    gains: list[float]
    """Places gained per open decision, by each trace."""
    errors: list[float]
    """Their standard errors."""

    @property
    def gain(self) -> float:
        """Places gained per open decision, unbiased."""
        return self.gains[-1]

    @property
    def error(self) -> float:
        """Its standard error."""
        return self.errors[-1]

    def __str__(self) -> str:
        gains = (f"{1e3 * gain:+.2f}±{1e3 * error:.2f}" for gain, error in zip(self.gains, self.errors))
        return f"{self.name}: {100 * self.differs:.1f} % other choices, thousandths of a place {' '.join(gains)}"


Candidate = Callable[[Seen, Evidence], Tensor]
"""Logits of decisions, (B, 120), FORBIDDEN where not legal."""


KINDS: Final = ("discards", "riichi", "calls and others")


def kinds_of(before: Tensor, after: Tensor) -> Tensor:
    """The kind of a change from one choice to another, a number of KINDS."""
    riichi = (before == RIICHI) | (after == RIICHI)
    return torch.where(riichi, 1, torch.where(before.maximum(after) < RIICHI, 0, 2))


def judge(reader: Reader, candidates: dict[str, Candidate], evidence: Evidence) -> dict[str, list[Judgement]]:
    """What each candidate's most probable choices would have gained, by evidence weighted for them.

    First over all decisions, then for changes of each kind alone.
    """
    return judgements(list(candidates), gains_of(reader, list(candidates.values()), evidence))


@torch.no_grad()
def gains_of(reader: Reader, candidates: list[Candidate], evidence: Evidence) -> Tensor:
    """Sums that judge candidates, float64 (candidates, 1 + kinds, 2 + 2 traces); those of several sets can be added."""
    device = reader.net.place.device
    sums = torch.zeros(len(candidates), 1 + len(KINDS), 2 + 2 * len(TRACES), dtype=torch.float64, device=device)
    for some in each(evidence, device):
        seen = reader(some)
        drawn, chance = some.drawn.long(), some.log_chance.exp()
        before = most_probable(seen.logits.softmax(1), drawn, TSUMOGIRI)
        for i, candidate in enumerate(candidates):
            after = most_probable(candidate(seen, some).softmax(1), drawn, TSUMOGIRI)
            weight = ((some.action == after).double() - (some.action == before).double()) / chance
            gains = weight[:, None] * some.gained
            ones = torch.ones_like(weight)
            columns = torch.cat([torch.stack([ones, (after != before).double()], 1), gains, gains.square()], 1)
            sums[i, 0] += columns.sum(0)
            sums[i, 1:].index_add_(0, kinds_of(before, after), columns)
    sums[:, 1:, 0] = sums[:, :1, 0]
    return sums


def judgements(candidates: list[str], sums: Tensor) -> dict[str, list[Judgement]]:
    """The judgement of each candidate, over all decisions and for changes of each kind."""
    names = ("", *(f", {kind}" for kind in KINDS))
    return {
        name: [judgement(name + kind, row) for kind, row in zip(names, rows)]
        for name, rows in zip(candidates, sums.tolist())
    }


def judgement(name: str, sums: list[float]) -> Judgement:
    """From the number of decisions, the other choices, and sums and squares of gains."""
    n, differs, *rest = sums
    means, squares = np.array(rest).reshape(2, -1) / n
    errors = np.sqrt(np.maximum(squares - means**2, 0.0) / n)
    return Judgement(name, differs / n, means.tolist(), errors.tolist())


def by_correction(net: RiichiNet, correction: Correction, sizes: Sizes) -> Candidate:
    """A candidate with a corrected last layer on the same tokens, tilted by values."""
    layer = last_layer(net) + correction.layer

    def logits(seen: Seen, some: Evidence) -> Tensor:
        tiles = seen.tokens[:, :NUM_KINDS] @ layer[:TILE_ACTIONS].T
        question = seen.tokens[:, -1] @ layer[TILE_ACTIONS:].T
        found = policy_logits(tiles, question, some.drawn.long()) + correction.tilt * seen.values / sizes(seen)[:, None]
        return found.masked_fill(~unpack_legal(some.legal), FORBIDDEN)

    return logits


class Improved(nn.Module):
    """A player with a corrected last layer, tilted by values of choices: what a candidate is in a match."""

    def __init__(self, net: RiichiNet, choices: Choices, correction: Correction, sizes: Sizes) -> None:
        super().__init__()
        self.net, self.choices = corrected(net, correction.layer), choices
        self.tilt, self.sizes = correction.tilt, sizes

    def forward(self, inputs: Tensor, drawn: Tensor) -> Any:
        """What the policy says, with other logits."""
        tokens = self.net.tokens(inputs)
        out = self.net.read(tokens, drawn)
        _, values = self.choices(tokens, drawn)
        with torch.autocast(tokens.device.type, enabled=False):
            game = self.net.last(tokens[:, -2].float())
            usual = self.sizes.of(torch.cat([game, torch.ones_like(game[:, :1])], 1))
        return out._replace(policy=out.policy + self.tilt * values / usual[:, None])
