"""A policy's last layer: its inputs as features of actions, and copies of the network with another last layer.

The last layer of a policy is linear: the logit of an action is w · x, where x is the token it is read from, and the
row w depends on the kind of action.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor

from janshi.core.tiles import NUM_KINDS
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.network import QUESTION_ACTIONS, TILE_ACTIONS, RiichiNet, policy_logits
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.evidence import Evidence

ROWS: Final = TILE_ACTIONS + len(QUESTION_ACTIONS)
"""Rows of the last layer that belong to the policy."""


class Seen(NamedTuple):
    """What the network says about some decisions."""

    tokens: Tensor  # float (B, T, D + 1), normed, with a one
    logits: Tensor  # float (B, 120), FORBIDDEN where not legal
    chances: Tensor  # float (B, 120), of the player that collected the evidence


class Behaviour(NamedTuple):
    """How the player that collected the evidence explored."""

    share: float
    temperature: float

    def chances(self, logits: Tensor) -> Tensor:
        """The chances of all actions, (B, 120), from logits that are FORBIDDEN where not legal."""
        warm = (logits / self.temperature).masked_fill(logits <= FORBIDDEN, FORBIDDEN).softmax(1)
        return (1 - self.share) * logits.softmax(1) + self.share * warm


@dataclass(frozen=True)
class Evaluator:
    """A network that evaluates decisions."""

    net: RiichiNet
    forward: Any = None
    """Computes the network's tokens, if not `net.tokens` itself: a compiled form."""

    def __call__(self, some: Evidence) -> tuple[Tensor, Tensor]:
        """Normed tokens after the last block, and logits, FORBIDDEN where not legal."""
        device = some.inputs.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            tokens = (self.forward or self.net.tokens)(some.inputs.long())
        x = self.net.last(tokens.float())
        tiles, question = self.net.tile_out(x[:, :NUM_KINDS]), self.net.question_out(x[:, -1])
        logits = policy_logits(tiles, question, some.drawn.long())
        return x, logits.masked_fill(~unpack_legal(some.legal), FORBIDDEN)


@dataclass(frozen=True)
class Reader:
    """Reads evidence: what the network says about each decision, and how probable its actions were."""

    evaluator: Evaluator
    behaviour: Behaviour
    collector: Evaluator | None = None
    """The network that collected the evidence, if it is another one."""

    @property
    def net(self) -> RiichiNet:
        """The network whose tokens and logits are read."""
        return self.evaluator.net

    @property
    def device(self) -> torch.device:
        """The network's device."""
        return self.net.place.device

    def __call__(self, some: Evidence) -> Seen:
        """Read some decisions."""
        x, logits = self.evaluator(some)
        played = logits if self.collector is None else self.collector(some)[1]
        return Seen(torch.cat([x, torch.ones_like(x[..., :1])], -1), logits, self.behaviour.chances(played))


def spots(drawn: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
    """The row and the token that each action is read from, int64 (B, 120) each."""
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
    """Features of the chosen actions, minus the means over all actions, (B, ROWS * (D + 1))."""
    weights = -seen.chances
    weights.scatter_add_(1, some.action[:, None], torch.ones_like(weights[:, :1]))
    return centred(seen, weights, some.drawn)


def last_layer(net: RiichiNet) -> Tensor:
    """The rows of the policy, with their biases, (ROWS, D + 1)."""
    tile = torch.cat([net.tile_out.weight, net.tile_out.bias[:, None]], 1)[:TILE_ACTIONS]
    question = torch.cat([net.question_out.weight, net.question_out.bias[:, None]], 1)
    return torch.cat([tile, question]).detach()


def with_layer(net: RiichiNet, layer: Tensor) -> RiichiNet:
    """A copy of the network with another last layer of the policy, (ROWS, D + 1)."""
    made = deepcopy(net)
    tile, question = layer[:TILE_ACTIONS], layer[TILE_ACTIONS:]
    with torch.no_grad():
        made.tile_out.weight[:TILE_ACTIONS] = tile[:, :-1]
        made.tile_out.bias[:TILE_ACTIONS] = tile[:, -1]
        made.question_out.weight.copy_(question[:, :-1])
        made.question_out.bias.copy_(question[:, -1])
    return made
