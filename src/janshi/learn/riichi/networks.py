"""The networks of riichi self-play: the player with its values of choices, and the values of draws."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import torch
from torch import Tensor, nn

from janshi.agents.worths import OUTPUTS
from janshi.core.tiles import FIVE_M, NUM_KINDS, RANKS, SUITS
from janshi.features.riichi import open_layout as at
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.inputs import channels_of, expanded, first_tokens, number_type, section_tokens, spans_of
from janshi.learn.imitation.network import (
    QUESTION_ACTIONS,
    TILE_ACTIONS,
    TOKENS,
    Block,
    RiichiNet,
    policy_logits,
)
from janshi.learn.riichi.config import SelfPlayConfig

SPANS: Final = spans_of(at.SECTIONS)
RECOMPILED: Final = 64
"""Number of networks that share code but are compiled separately."""
SELF_DRAWN: Final = 0
"""The end number for a self-drawn win by the player who draws."""
SURE: Final = 6.0
"""Initial logit of this end for a tile that completes the drawer's hand."""


class Choices(nn.Module):
    """Values of all actions, from the tokens of a policy, which they do not affect.

    `value` is the expected place, 2.5 - final rank; `advantage` is what an action adds. Both are in units.
    """

    def __init__(self, config: ImitationConfig) -> None:
        super().__init__()
        width = config.width
        self.block = Block(width, config.heads, config.hidden, 0.0)
        self.last = nn.RMSNorm(width)
        self.tile_out = nn.Linear(width, TILE_ACTIONS)
        self.question_out = nn.Linear(width, len(QUESTION_ACTIONS))
        self.game_out = nn.Linear(width, 1)
        for name, weights in self.named_parameters():
            if "_out." in name:
                nn.init.zeros_(weights)
            elif name.endswith(("joined.weight", "second.weight")):
                nn.init.normal_(weights, std=0.02)

    def forward(self, tokens: Tensor, drawn: Tensor) -> tuple[Tensor, Tensor]:
        """Maps tokens (B, T, D) to values (B,) and advantages of all actions (B, 120)."""
        x = self.block(tokens.detach())
        with torch.autocast(x.device.type, enabled=False):
            x = self.last(x.float())
            advantage = policy_logits(self.tile_out(x[:, :NUM_KINDS]), self.question_out(x[:, -1]), drawn)
            return self.game_out(x[:, -2])[:, 0], advantage


class Player(nn.Module):
    """A policy and its values of choices."""

    def __init__(self, policy: RiichiNet) -> None:
        super().__init__()
        self.policy = policy
        self.choices = Choices(policy.config)

    def forward(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits (B, 120), values (B,), advantages (B, 120)."""
        tokens = self.policy.tokens(inputs)
        return self.policy.read(tokens, drawn).policy, *self.choices(tokens, drawn)


class DrawValues(nn.Module):
    """How a hand may end after each tile that may be drawn, with all hands open: (B, 37, OUTPUTS) in one pass.

    Facts about a tile also affect the output directly, and a tile that completes the drawer's hand means a win from
    the start: only one draw in hundreds is such a tile, so this would take long to learn.
    """

    channels: Tensor

    def __init__(self, config: SelfPlayConfig) -> None:
        super().__init__()
        width = config.luck_width
        self.inputs = nn.ModuleList(nn.Linear(section.width, width, bias=False) for section in at.SECTIONS)
        self.place = nn.Parameter(torch.randn(TOKENS, width) * 0.1)
        self.blocks = nn.ModuleList(
            Block(width, config.luck_heads, config.luck_hidden, 0.0) for _ in range(config.luck_blocks)
        )
        self.last = nn.RMSNorm(width)
        self.tile_out, self.red_out = nn.Linear(width, OUTPUTS), nn.Linear(width, OUTPUTS)
        self.direct_out = nn.Linear(at.TILE_SECTION.width, OUTPUTS, bias=False)
        self.register_buffer("channels", channels_of(at.SECTIONS), persistent=False)
        for name, weights in self.named_parameters():
            if name.endswith(("joined.weight", "second.weight")):
                nn.init.normal_(weights, std=0.02 / config.luck_blocks**0.5)
            elif name.endswith("_out.weight"):
                nn.init.zeros_(weights)
        with torch.no_grad():
            self.direct_out.weight[SELF_DRAWN, at.TSUMO] = SURE

    def forward(self, inputs: Tensor) -> Tensor:
        """inputs: int64 (B, ROOM), numbers of active inputs."""
        active = expanded(inputs, self.channels, SPANS, 1.0, number_type(inputs.device))
        x = first_tokens(active, SPANS, self.inputs) + self.place  # type: ignore[arg-type]
        for block in self.blocks:
            x = block(x)
        with torch.autocast(x.device.type, enabled=False):
            x = self.last(x[:, :NUM_KINDS].float())
            direct = section_tokens(active[:, : SPANS[0].end].float(), SPANS[0], self.direct_out)
            fives = slice(FIVE_M, SUITS * RANKS, RANKS)
            return torch.cat([self.tile_out(x) + direct, self.red_out(x[:, fives]) + direct[:, fives]], 1)


class Tilted(nn.Module):
    """A player whose policy is moved towards the choices it values: logits plus values in units, times a weight."""

    def __init__(self, player: Player, weight: float) -> None:
        super().__init__()
        self.player, self.weight = player, weight

    def forward(self, inputs: Tensor, drawn: Tensor) -> Any:
        """The policy's outputs, with changed logits."""
        tokens = self.player.policy.tokens(inputs)
        out = self.player.policy.read(tokens, drawn)
        _, added = self.player.choices(tokens, drawn)
        return out._replace(policy=out.policy + self.weight * added)


def sharpened(net: RiichiNet, factor: float) -> RiichiNet:
    """A copy with the policy's logits multiplied by a factor; other outputs are unchanged."""
    made = deepcopy(net)
    with torch.no_grad():
        for layer, rows in ((made.tile_out, TILE_ACTIONS), (made.question_out, len(QUESTION_ACTIONS))):
            layer.weight[:rows] *= factor
            layer.bias[:rows] *= factor
    return made


def averaged(average: nn.Module, current: nn.Module, keep: float) -> None:
    """Move averaged weights towards the current ones, in place."""
    with torch.no_grad():
        for one, other in zip(average.parameters(), current.parameters()):
            one.lerp_(other, 1 - keep)


def choose(logits: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
    """Sample actions with one number from 0 to 1 each; returns actions and log probabilities (B,)."""
    logs = logits.log_softmax(1)
    sums = logs.exp().cumsum(1)
    chosen = torch.searchsorted(sums, (words * sums[:, -1])[:, None], right=True)[:, 0].clamp(max=logits.shape[1] - 1)
    return chosen, logs.gather(1, chosen[:, None])[:, 0]


def most_probable(chances: Tensor, drawn: Tensor, tsumogiri: int) -> Tensor:
    """The most probable choice; discards of the drawn tile and of an equal tile count as one."""
    tile = drawn.clamp(min=0)[:, None]
    here = (drawn >= 0)[:, None]
    hand, same = chances.gather(1, tile), chances[:, tsumogiri : tsumogiri + 1]
    joined = chances.clone()
    joined.scatter_(1, tile, torch.where(here, torch.where(hand > same, hand + same, 0.0), hand))
    joined[:, tsumogiri : tsumogiri + 1] = torch.where(here, torch.where(hand > same, 0.0, hand + same), same)
    return joined.argmax(1)


def forward_on(device: torch.device, net: Callable[..., Any], compiled: bool) -> Any:
    """A network prepared for a device: compiled on a GPU if requested and possible."""
    if device.type != "cuda" or not compiled:
        return net
    torch._dynamo.config.suppress_errors = True  # what cannot be compiled runs as it is
    torch._dynamo.config.recompile_limit = RECOMPILED
    torch.set_float32_matmul_precision("high")
    return torch.compile(net, dynamic=False)
