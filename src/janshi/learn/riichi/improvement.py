"""One step of policy iteration: what choices are worth, as a line in the policy's own last features.

The last layer of a policy is linear: the logit of an action is w · x, where x is the token it is read off. So is what
is learned here, the worth of an action: q = c (w + d) · x. The factor c says what a logit is worth on average; d, found
by ridge regression of what was gained without luck, corrects the layer. Since a policy may be changed by adding to its
logits, w + d is the improved last layer: the network stays as it is and costs nothing more.

A regression of so few numbers (20 rows of a token) has one best answer, found exactly from sums over all evidence;
gradient steps on all weights by the same evidence would mostly follow its noise.

Gains are divided by their usual size in the position, which depends on what is at stake; features of an action have
the mean over all actions (by the chances of the player that explored) taken off, so that what does not depend on the
action plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.core.tiles import NUM_KINDS
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.network import QUESTION_ACTIONS, TILE_ACTIONS, RiichiNet, policy_logits
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.optimisers import make_optimisers
from janshi.learn.riichi.evidence import Evidence
from janshi.learn.riichi.networks import forward_on, most_probable
from janshi.rules.riichi.actions import TSUMOGIRI

ROWS: Final = TILE_ACTIONS + len(QUESTION_ACTIONS)
"""Rows of the last layer that the policy is read off."""
CHUNK: Final = 8192
"""Decisions looked at at a time."""
PENALTIES: Final = (3e2, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5)
"""Penalties of the ridge regression that are tried."""
STRENGTHS: Final = (0.5, 1.0, 1.5)
"""Factors on the correction that are tried."""
SMALLEST: Final = 0.01
"""Smallest usual size of gains, in places."""
OUTLIER: Final = 30.0
"""How many times the expected square a squared gain counts at most, when usual sizes are learned."""


class Seen(NamedTuple):
    """What the network makes of some decisions."""

    tokens: Tensor  # float (B, T, D + 1), normed, with a one
    logits: Tensor  # float (B, 120), FORBIDDEN where not legal
    chances: Tensor  # float (B, 120), of the player that explored


class Behaviour(NamedTuple):
    """How the player that collected the evidence explored."""

    share: float
    temperature: float


def seen_by(net: RiichiNet, some: Evidence, behaviour: Behaviour, forward: Any = None) -> Seen:
    """Ask the network about some decisions. `forward`: its tokens, compiled perhaps."""
    with torch.autocast(some.inputs.device.type, torch.bfloat16, enabled=some.inputs.device.type == "cuda"):
        tokens = (forward or net.tokens)(some.inputs.long())
    x = net.last(tokens.float())
    free, drawn = unpack_legal(some.legal), some.drawn.long()
    logits = policy_logits(net.tile_out(x[:, :NUM_KINDS]), net.question_out(x[:, -1]), drawn)
    logits = logits.masked_fill(~free, FORBIDDEN)
    warm = (logits / behaviour.temperature).masked_fill(~free, FORBIDDEN).softmax(1)
    chances = (1 - behaviour.share) * logits.softmax(1) + behaviour.share * warm
    return Seen(torch.cat([x, torch.ones_like(x[..., :1])], -1), logits, chances)


def spots(drawn: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
    """The row and the token that each action is read off, int64 (B, 120) each."""
    numbers = torch.arange(tokens * ROWS, device=drawn.device).view(tokens, ROWS).double()
    b = len(drawn)
    tiles = numbers[:NUM_KINDS, :TILE_ACTIONS].expand(b, -1, -1)
    question = numbers[-1, TILE_ACTIONS:].expand(b, -1)
    number = policy_logits(tiles, question, drawn.long()).long()
    return number % ROWS, number // ROWS


def centred(seen: Seen, weights: Tensor, drawn: Tensor) -> Tensor:
    """Sums over actions of weights (B, 120) times the features of each, (B, ROWS * (D + 1))."""
    row, token = spots(drawn, seen.tokens.shape[1])
    b, t = seen.tokens.shape[:2]
    at = torch.zeros(b, ROWS * t, device=weights.device)
    at.scatter_add_(1, row * t + token, weights)
    return torch.bmm(at.view(b, ROWS, t), seen.tokens).flatten(1)


def features(seen: Seen, some: Evidence) -> Tensor:
    """Features of the actions that were chosen, less their mean over all actions, (B, ROWS * (D + 1))."""
    weights = -seen.chances
    weights.scatter_add_(1, some.action[:, None], torch.ones_like(weights[:, :1]))
    return centred(seen, weights, some.drawn)


def last_layer(net: RiichiNet) -> Tensor:
    """The rows that the policy is read off, with their biases, (ROWS, D + 1)."""
    tile = torch.cat([net.tile_out.weight, net.tile_out.bias[:, None]], 1)[:TILE_ACTIONS]
    question = torch.cat([net.question_out.weight, net.question_out.bias[:, None]], 1)
    return torch.cat([tile, question]).detach()


def corrected(net: RiichiNet, change: Tensor) -> RiichiNet:
    """A copy with a change (ROWS, D + 1) added to the rows that the policy is read off."""
    made = deepcopy(net)
    tile, question = change[:TILE_ACTIONS], change[TILE_ACTIONS:]
    with torch.no_grad():
        made.tile_out.weight[:TILE_ACTIONS].add_(tile[:, :-1])
        made.tile_out.bias[:TILE_ACTIONS].add_(tile[:, -1])
        made.question_out.weight.add_(question[:, :-1])
        made.question_out.bias.add_(question[:, -1])
    return made


# --- how large gains usually are


@dataclass(frozen=True)
class Sizes:
    """The usual size of gains, exp(weights · game token / 2)."""

    weights: Tensor

    def __call__(self, seen: Seen) -> Tensor:
        """(B,), in places."""
        return torch.exp(0.5 * (seen.tokens[:, -2].double() @ self.weights)).float().clamp(min=SMALLEST)


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
    """Features times gains over their size, float64 (d,)."""
    squares: float = 0.0
    rows: int = 0

    @classmethod
    def empty(cls, size: int, device: torch.device) -> Sums:
        """Nothing yet."""
        zeros = torch.zeros(size, size, dtype=torch.float64, device=device)
        return cls(zeros, zeros[0].clone())

    def add(self, x: Tensor, y: Tensor) -> None:
        """Add rows: x (B, d) and y (B,)."""
        self.gram += (x.T @ x).double()
        self.products += (x.T @ y).double()
        self.squares += float(y.double().square().sum())
        self.rows += len(y)


class Solved(NamedTuple):
    """What was found: c, and d for each penalty."""

    factor: float
    changes: dict[float, Tensor]


def solve(sums: Sums, layer: Tensor, penalties: tuple[float, ...] = PENALTIES) -> Solved:
    """Ridge regression towards `factor` times the layer."""
    w = layer.double().flatten()
    factor = float((w @ sums.products) / (w @ sums.gram @ w))
    values, vectors = torch.linalg.eigh(sums.gram)
    left = vectors.T @ (sums.products - factor * (sums.gram @ w))
    changes = {
        one: ((vectors @ (left / (values.clamp(min=0) + one))) / factor).float().view_as(layer) for one in penalties
    }
    return Solved(factor, changes)


def each(evidence: Evidence, device: torch.device, chunk: int = CHUNK) -> Iterator[Evidence]:
    """Evidence in chunks on the device; what is left over is dropped, so that all chunks have the same shape."""
    chunk = min(chunk, len(evidence))
    for a in range(0, len(evidence) - chunk + 1, chunk):
        yield evidence.take(slice(a, a + chunk)).to(device)


@torch.no_grad()
def sums_of(net: RiichiNet, evidence: Evidence, behaviour: Behaviour, forward: Any = None) -> tuple[Sizes, Sums]:
    """Usual sizes of gains, from a part of the evidence, and the sums over all of it."""
    device = net.place.device
    tokens, gains = [], []
    for i, some in enumerate(each(evidence, device)):
        if i % 8 == 0:
            tokens.append(seen_by(net, some, behaviour, forward).tokens[:, -2])
            gains.append(some.gained)
    sizes = fit_sizes(torch.cat(tokens), torch.cat(gains))
    sums = Sums.empty(ROWS * (net.config.width + 1), device)
    for some in each(evidence, device):
        seen = seen_by(net, some, behaviour, forward)
        sums.add(features(seen, some), some.gained / sizes(seen))
    return sizes, sums


# --- judging candidates by evidence that they did not learn from


@dataclass(frozen=True)
class Judgement:
    """What other evidence says of a candidate."""

    name: str
    differs: float
    """Share of the open decisions in which its most probable choice is another."""
    gain: float
    """Places gained per open decision, later changes counting less, and its standard error."""
    gain_error: float
    whole: float
    """The same, all changes counting."""
    whole_error: float

    def __str__(self) -> str:
        gains = f"{1e3 * self.gain:+.3f} ± {1e3 * self.gain_error:.3f}"
        whole = f"{1e3 * self.whole:+.3f} ± {1e3 * self.whole_error:.3f}"
        return f"{self.name}: {100 * self.differs:.1f} % other choices, {gains} thousandths of a place, whole {whole}"


Candidate = Callable[[Seen, Evidence], Tensor]
"""Logits of decisions, (B, 120), FORBIDDEN where not legal."""


@torch.no_grad()
def judge(
    net: RiichiNet, candidates: dict[str, Candidate], evidence: Evidence, behaviour: Behaviour, forward: Any = None
) -> list[Judgement]:
    """What each candidate's most probable choices would have gained, by evidence weighted for them."""
    sums = torch.zeros(len(candidates), 6, dtype=torch.float64, device=net.place.device)
    for some in each(evidence, net.place.device):
        seen = seen_by(net, some, behaviour, forward)
        drawn, chance = some.drawn.long(), some.log_chance.exp()
        before = most_probable(seen.logits.softmax(1), drawn, TSUMOGIRI)
        for i, candidate in enumerate(candidates.values()):
            after = most_probable(candidate(seen, some).softmax(1), drawn, TSUMOGIRI)
            weight = ((some.action == after).double() - (some.action == before).double()) / chance
            x, y = weight * some.gained, weight * some.whole
            columns = [torch.ones_like(x), (after != before).double(), x, x * x, y, y * y]
            sums[i] += torch.stack(columns).sum(1)
    return [judgement(name, *row) for name, row in zip(candidates, sums.tolist())]


def judgement(name: str, n: float, differs: float, x: float, xx: float, y: float, yy: float) -> Judgement:
    """From the number of decisions, the other choices, and sums and squares of gains."""
    errors = [float(np.sqrt(max(square / n - (total / n) ** 2, 0.0) / n)) for total, square in ((x, xx), (y, yy))]
    return Judgement(name, differs / n, x / n, errors[0], y / n, errors[1])


def by_layer(layer: Tensor) -> Candidate:
    """A candidate with another last layer on the same tokens."""

    def logits(seen: Seen, some: Evidence) -> Tensor:
        tiles = seen.tokens[:, :NUM_KINDS] @ layer[:TILE_ACTIONS].T
        question = seen.tokens[:, -1] @ layer[TILE_ACTIONS:].T
        return policy_logits(tiles, question, some.drawn.long()).masked_fill(~unpack_legal(some.legal), FORBIDDEN)

    return logits


# --- all weights


def fine_tune(
    start: RiichiNet,
    collector: RiichiNet,
    evidence: Evidence,
    behaviour: Behaviour,
    solved: Solved,
    sizes: Sizes,
    rate: float,
    forward: Any = None,
    compiled: bool = False,
    chunk: int = CHUNK,
) -> RiichiNet:
    """Go on with the same regression in all weights: one pass over the evidence, the rate falling to zero."""
    net, device = deepcopy(start).eval(), start.place.device
    tokens = forward_on(device, net.tokens, compiled)
    optimiser = make_optimisers(net, rate, 0.0, False, device)
    order = torch.randperm(len(evidence) // chunk, generator=torch.Generator().manual_seed(0)).tolist()
    for done, number in enumerate(order):
        some = evidence.take(slice(number * chunk, (number + 1) * chunk)).to(device)
        with torch.no_grad():
            seen = seen_by(collector, some, behaviour, forward)
            wanted = some.gained / sizes(seen)
        logits = seen_by(net, some, behaviour, tokens).logits
        mean = (seen.chances * logits.masked_fill(logits <= FORBIDDEN, 0.0)).sum(1)
        worth = solved.factor * (logits.gather(1, some.action[:, None])[:, 0] - mean)
        optimiser.zero_grad()
        (wanted - worth).square().mean().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step(rate * (1 - done / len(order)))
    return net
