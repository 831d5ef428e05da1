"""One step of policy iteration: the worth of choices, as a linear function of the policy's last features.

The logit of an action is w · x, where x is the token it is read from. The worth of an action is learned in the same
form: q = c (w + d) · x. The factor c is the average worth of a logit, and d corrects the layer; both are found by ridge
regression of gains without luck. So w + d is an improved last layer. The rest of the network stays the same, and the
player is as fast as before.

A regression with so few numbers (20 rows of a token) has one best answer, found exactly from sums over all evidence;
gradient steps on all weights would mostly follow the noise of the same evidence.

Gains that discount later steps are less noisy, but depend more on errors of the values of draws. So a correction is
fitted for each trace, and all of them are judged by unbiased gains in other evidence.

Gains are divided by their usual size in the position, which depends on what is at stake. From the features of an
action, the mean over all actions is subtracted (by the probabilities of the player that explored), so that only
differences between actions count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.core.tiles import NUM_KINDS
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.network import TILE_ACTIONS, policy_logits
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.evidence import TRACES, Evidence
from janshi.learn.riichi.last_layer import Reader, Seen, features, last_layer
from janshi.learn.riichi.networks import most_probable
from janshi.rules.riichi.actions import RIICHI, TSUMOGIRI

CHUNK: Final = 8192
"""Decisions processed at a time."""
PENALTIES: Final = (3e4, 1e5, 5e5)
"""Penalties of the ridge regression to try."""
STRENGTHS: Final = (0.3, 0.6, 1.0)
"""Factors on the correction to try."""
SMALLEST: Final = 0.01
"""Smallest usual size of gains, in places."""
OUTLIER: Final = 30.0
"""Limit of a squared gain, in expected squares, when usual sizes are learned."""


# --- the usual size of gains


@dataclass(frozen=True)
class Sizes:
    """The usual size of gains, exp(weights · game token / 2)."""

    weights: Tensor

    def __call__(self, seen: Seen) -> Tensor:
        """(B,), in places."""
        usual = torch.exp(0.5 * (seen.tokens[:, -2].double() @ self.weights))
        return usual.float().clamp(min=SMALLEST)


def fit_sizes(tokens: Tensor, gained: Tensor, steps: int = 12) -> Sizes:
    """Fit sizes to game tokens (n, D + 1) and gains (n,): the likelihood of a normal distribution, by Newton."""
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


@torch.no_grad()
def sizes_of(reader: Reader, *parts: Evidence) -> Sizes:
    """Usual sizes of gains, from every eighth chunk of evidence."""
    tokens, gains = [], []
    for i, some in enumerate(each(reader, *parts)):
        if i % 8 == 0:
            tokens.append(reader(some).tokens[:, -2])
            gains.append(some.gained[:, -1])
    return fit_sizes(torch.cat(tokens), torch.cat(gains))


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
        """The sums without the other's rows."""
        return Sums(self.gram - other.gram, self.products - other.products)


def each(reader: Reader, *parts: Evidence, chunk: int = CHUNK) -> Iterator[Evidence]:
    """Evidence in chunks on the reader's device; a remainder is dropped, so that all chunks have the same shape."""
    for part in parts:
        size = min(chunk, len(part))
        for a in range(0, len(part) - size + 1, max(size, 1)):
            yield part.take(slice(a, a + size)).to(reader.device)


@torch.no_grad()
def sums_of(reader: Reader, sizes: Sizes, *parts: Evidence) -> Sums:
    """The sums over all of the evidence."""
    sums = Sums.empty(last_layer(reader.net).numel(), reader.device)
    for some in each(reader, *parts):
        seen = reader(some)
        sums.add(features(seen, some), some.gained / sizes(seen)[:, None])
    return sums


class Solved(NamedTuple):
    """The result of a regression: c, and the correction d for each penalty."""

    factor: float
    """What a logit is worth, in usual sizes."""
    corrections: dict[float, Tensor]
    """(ROWS, D + 1) each."""


def solve(sums: Sums, layer: Tensor, penalties: Sequence[float] = PENALTIES) -> list[Solved]:
    """For each trace, ridge regression towards `factor` times the layer."""
    known = layer.double().flatten()
    factors = (known @ sums.products) / (known @ sums.gram @ known)
    values, vectors = torch.linalg.eigh(sums.gram)
    left = vectors.T @ (sums.products - sums.gram @ known[:, None] * factors)
    solved = []
    for i, factor in enumerate(factors.tolist()):
        answers = {one: vectors @ (left[:, i] / (values.clamp(min=0) + one)) for one in penalties}
        solved.append(Solved(factor, {one: (d / factor).float().view_as(layer) for one, d in answers.items()}))
    return solved


# --- candidates, judged by other evidence than they were fitted to


Candidate = Callable[[Seen, Evidence], Tensor]
"""Logits of decisions, (B, 120), FORBIDDEN where not legal."""
KINDS: Final = ("discards", "riichi", "calls and others")


def by_layer(layer: Tensor) -> Candidate:
    """A candidate with another last layer on the same tokens."""

    def logits(seen: Seen, some: Evidence) -> Tensor:
        tiles = seen.tokens[:, :NUM_KINDS] @ layer[:TILE_ACTIONS].T
        question = seen.tokens[:, -1] @ layer[TILE_ACTIONS:].T
        found = policy_logits(tiles, question, some.drawn.long())
        return found.masked_fill(~unpack_legal(some.legal), FORBIDDEN)

    return logits


def corrections_of(solved: list[Solved], strengths: Sequence[float] = STRENGTHS) -> dict[str, Tensor]:
    """All corrections to try, by name."""
    return {
        f"trace {trace}, penalty {penalty:g}, strength {strength:g}": strength * change
        for trace, answer in zip(TRACES, solved)
        for penalty, change in answer.corrections.items()
        for strength in strengths
    }


@dataclass(frozen=True)
class Judgement:
    """What other evidence says about a candidate."""

    name: str
    differs: float
    """Share of the open decisions in which its most probable choice differs."""
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

    @property
    def sure(self) -> float:
        """The gain less its standard error, by which candidates are compared."""
        return self.gain - self.error

    def __str__(self) -> str:
        gains = (f"{1e3 * gain:+.2f}±{1e3 * error:.2f}" for gain, error in zip(self.gains, self.errors))
        return f"{self.name}: {100 * self.differs:.1f} % other choices, thousandths of a place {' '.join(gains)}"


def kinds_of(before: Tensor, after: Tensor) -> Tensor:
    """The kind of a changed choice, an index into KINDS."""
    riichi = (before == RIICHI) | (after == RIICHI)
    return torch.where(riichi, 1, torch.where(before.maximum(after) < RIICHI, 0, 2))


def judge(reader: Reader, candidates: dict[str, Candidate], evidence: Evidence) -> dict[str, list[Judgement]]:
    """What each candidate's most probable choices would have gained, by importance weights.

    First over all decisions, then for each kind of changed choice.
    """
    return judgements(list(candidates), gains_of(reader, list(candidates.values()), evidence))


@torch.no_grad()
def gains_of(reader: Reader, candidates: list[Candidate], evidence: Evidence) -> Tensor:
    """Sums for `judgements`, float64 (candidates, 1 + kinds, 2 + 2 traces); the sums of several sets can be added."""
    shape = len(candidates), 1 + len(KINDS), 2 + 2 * len(TRACES)
    sums = torch.zeros(shape, dtype=torch.float64, device=reader.device)
    for some in each(reader, evidence):
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
    """The judgement of each candidate, over all decisions and for each kind of changed choice."""
    names = ("", *(f", {kind}" for kind in KINDS))
    return {
        name: [judgement(name + kind, row) for kind, row in zip(names, rows)]
        for name, rows in zip(candidates, sums.tolist())
    }


def judgement(name: str, sums: list[float]) -> Judgement:
    """From the number of decisions, the number of other choices, and sums and squares of gains."""
    n, differs, *rest = sums
    means, squares = np.array(rest).reshape(2, -1) / n
    errors = np.sqrt(np.maximum(squares - means**2, 0.0) / n)
    return Judgement(name, differs / n, means.tolist(), errors.tolist())


# --- everything together


class Improvement(NamedTuple):
    """The best correction of a layer."""

    layer: Tensor
    """The whole layer, correction included, (ROWS, D + 1)."""
    factor: float
    """What a logit is worth, in usual sizes."""
    judged: Judgement
    facts: dict[str, Any]
    """The results of all candidates, for a file."""
    apart: Tensor
    """The same kind of layer, fitted without the first fold."""


def cross_fitted(
    reader: Reader,
    base: Tensor,
    sums: list[Sums],
    folds: list[Evidence],
    earlier: Sums | None = None,
    penalties: Sequence[float] = PENALTIES,
) -> Improvement:
    """The best correction of a base layer, fitted to everything.

    Candidates are judged by cross-fitting: each fold judges corrections that were fitted to the other folds, and to
    the sums of earlier evidence.
    """
    whole = sum(sums[1:], sums[0]) if earlier is None else sum(sums, earlier)
    final = solve(whole, base, penalties)
    tried = [corrections_of(solve(whole - one, base, penalties)) for one in sums]
    gains = [
        gains_of(reader, [by_layer(base + change) for change in corrections.values()], fold)
        for corrections, fold in zip(tried, folds)
    ]
    corrections = corrections_of(final)
    judged = judgements(list(corrections), sum(gains[1:], gains[0]))
    best, *kinds = max(judged.values(), key=lambda found: found[0].sure)
    trace = next(i for i, one in enumerate(TRACES) if best.name.startswith(f"trace {one},"))
    facts = {
        "judged": asdict(best),
        "kinds": [asdict(one) for one in kinds],
        "all": [asdict(one) for one, *_ in judged.values()],
        "worth of a logit": {str(trace): answer.factor for trace, answer in zip(TRACES, final)},
    }
    return Improvement(base + corrections[best.name], final[trace].factor, best, facts, base + tried[0][best.name])
