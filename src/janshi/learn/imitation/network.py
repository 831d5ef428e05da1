"""The riichi network: a token for each kind of tile, each player, the game and the question, joined by attention.

A block lets tokens attend to one another, with a learned bias for each pair of places, and then works on each by
itself, where neighbouring ranks lend one another some of their numbers. The policy reads discards and kans off the tile
tokens and the other actions off the question; the opponents' hands, the ranks and the end of the hand are read off
the tokens they belong to.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from janshi.core.tiles import FIVE_M, NUM_KINDS, NUM_TILES, RANKS, SUITS
from janshi.features.riichi import layout as at
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import ENDS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS

OPPONENTS: Final = PLAYERS - 1
TILE_ACTIONS: Final = 6
"""Of a tile token: discard, discard the red five, discard as drawn, the same red, concealed kan, added kan."""
TILE_OUT: Final = TILE_ACTIONS + 2 * OPPONENTS
"""After the actions: whether each opponent waits for it, and could win on it now."""
PLAYER_OUT: Final = 2 + PLAYERS
"""Of a player token: tenpai, value of the hand, final rank."""
QUESTION_ACTIONS: Final = (
    act.RIICHI,
    *range(act.CHI, act.OPEN_KAN + 1),
    act.TSUMO,
    act.RON,
    act.NINE_TERMINALS,
    act.PASS,
)
SPANS: Final = tuple((section.first, section.end, section.tokens, section.width) for section in at.SECTIONS)
"""Where each section's inputs begin and end, and their shape: plain numbers, as a compiled network needs them."""
TOKENS: Final = at.TOKENS
INPUTS: Final = at.INPUTS
VALUE_UNIT: Final = 8000.0
"""A hand's value is learned as the logarithm of the payment over this."""


class Outputs(NamedTuple):
    """What the network says of a batch of positions."""

    policy: Tensor  # (B, 120) logits
    waits: Tensor  # (B, 3, 34) logits
    rons: Tensor  # (B, 3, 34) logits
    tenpai: Tensor  # (B, 3) logits
    value: Tensor  # (B, 3) log of payment / VALUE_UNIT
    ranks: Tensor  # (B, 4, 4) logits: player, rank
    end: Tensor  # (B, ENDS) logits


class Block(nn.Module):
    """Attention between tokens, then a small network on each."""

    fused: bool | None = None
    """Whether attention is one kernel; None: on a GPU. On a CPU separate products are faster at this size."""

    def __init__(self, width: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = nn.Dropout(dropout)
        self.before_attention = nn.RMSNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width, bias=False)
        self.places = nn.Parameter(torch.zeros(heads, TOKENS, TOKENS))
        self.joined = nn.Linear(width, width, bias=False)
        self.before_inner = nn.RMSNorm(width)
        self.first = nn.Linear(width, hidden)
        self.second = nn.Linear(hidden, width)

    def forward(self, x: Tensor, shifts: Tensor) -> Tensor:
        """(B, T, D) to the same; `shifts` (2, T, T) move each rank's numbers to the next higher and lower rank."""
        b, t, d = x.shape
        q, k, v = self.query_key_value(self.before_attention(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = attend(q, k, v, self.places.to(q.dtype), x.is_cuda if self.fused is None else self.fused)
        x = x + self.dropout(self.joined(attended.transpose(1, 2).reshape(b, t, d)))
        y = self.before_inner(x)
        part = d // 4
        lower = torch.matmul(shifts[0].to(y.dtype), y[..., :part])
        higher = torch.matmul(shifts[1].to(y.dtype), y[..., part : 2 * part])
        y = torch.cat([lower, higher, y[..., 2 * part :]], -1)
        return x + self.dropout(self.second(F.relu(self.first(y)).square()))


def attend(q: Tensor, k: Tensor, v: Tensor, places: Tensor, fused: bool) -> Tensor:
    """Attention (B, H, T, D / H) with a bias for each pair of places, (H, T, T)."""
    if fused:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=places[None])
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + places  # (B, H, T, T)
    return scores.float().softmax(-1).to(v.dtype) @ v


class RiichiNet(nn.Module):
    """The whole network: from the numbers of active inputs to all that it says."""

    shifts: Tensor
    kept: Tensor

    def __init__(self, config: ImitationConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.tile_in = nn.Linear(at.TILE_SECTION.width, width, bias=False)
        self.player_in = nn.Linear(at.PLAYER_SECTION.width, width, bias=False)
        self.game_in = nn.Linear(at.GAME_SECTION.width, width, bias=False)
        self.question_in = nn.Linear(at.QUESTION_SECTION.width, width, bias=False)
        self.place = nn.Parameter(torch.randn(TOKENS, width) * 0.1)
        self.blocks = nn.ModuleList(
            Block(width, config.heads, config.hidden, config.dropout) for _ in range(config.blocks)
        )
        self.last = nn.RMSNorm(width)
        self.tile_out = nn.Linear(width, TILE_OUT)
        self.question_out = nn.Linear(width, len(QUESTION_ACTIONS))
        self.player_out = nn.Linear(width, PLAYER_OUT)
        self.game_out = nn.Linear(width, ENDS)
        self.register_buffer("shifts", torch.from_numpy(rank_shifts()), persistent=False)
        self.register_buffer("kept", kept_inputs(config.without), persistent=False)
        self._start(config.blocks)

    def _start(self, blocks: int) -> None:
        """Small weights where a block adds to what it was given, none in the last layers."""
        for name, weights in self.named_parameters():
            if name.endswith(("joined.weight", "second.weight")):
                nn.init.normal_(weights, std=0.02 / blocks**0.5)
            elif name.endswith("_out.weight"):
                nn.init.zeros_(weights)

    def forward(self, inputs: Tensor, drawn: Tensor) -> Outputs:
        """inputs: int64 (B, ROOM), numbers of active inputs; drawn: int64 (B,), the drawn tile or -1."""
        return self.read(self.tokens(inputs), drawn)

    def tokens(self, inputs: Tensor) -> Tensor:
        """The tokens after the last block, (B, T, D)."""
        b = len(inputs)
        dtype = torch.bfloat16 if torch.is_autocast_enabled(inputs.device.type) else torch.float32
        active = torch.zeros(b, INPUTS + 1, dtype=dtype, device=inputs.device)
        active.scatter_(1, inputs, self._strengths(inputs, dtype))
        if self.config.without:
            active = active * self.kept
        parts = []
        for span, layer in zip(SPANS, (self.tile_in, self.player_in, self.game_in, self.question_in)):
            first, end, tokens, width = span
            parts.append(layer(active[:, first:end].view(b, tokens, width)))
        x = torch.cat(parts, 1) + self.place
        for block in self.blocks:
            x = block(x, self.shifts)
        return x

    def _strengths(self, inputs: Tensor, dtype: torch.dtype) -> Tensor:
        """1 for each active input; while learning, 0 for the share that is left out, and more for the others."""
        ones = torch.ones(1, 1, dtype=dtype, device=inputs.device).expand(inputs.shape)
        return F.dropout(ones, self.config.input_dropout, self.training and self.config.input_dropout > 0)

    def read(self, x: Tensor, drawn: Tensor) -> Outputs:
        """What the tokens say. The last layers work in float32."""
        with torch.autocast(x.device.type, enabled=False):
            x = self.last(x.float())
            tiles = self.tile_out(x[:, :NUM_KINDS])  # (B, 34, TILE_OUT)
            players = self.player_out(x[:, NUM_KINDS : NUM_KINDS + PLAYERS])
            game, question = x[:, -2], self.question_out(x[:, -1])
            opponents = players[:, 1:]
            return Outputs(
                policy_logits(tiles, question, drawn),
                tiles[..., TILE_ACTIONS : TILE_ACTIONS + OPPONENTS].transpose(1, 2),
                tiles[..., TILE_ACTIONS + OPPONENTS :].transpose(1, 2),
                opponents[..., 0],
                opponents[..., 1],
                players[..., 2:],
                self.game_out(game),
            )


def policy_logits(tiles: Tensor, question: Tensor, drawn: Tensor) -> Tensor:
    """All 120 logits from what tile tokens and the question say of their actions."""
    b = len(tiles)
    red = drawn >= NUM_KINDS
    kind = torch.where(red, FIVE_M + RANKS * (drawn - NUM_KINDS), drawn.clamp(min=0))
    as_drawn = tiles.gather(1, kind[:, None, None].expand(b, 1, tiles.shape[2]))[:, 0]  # (B, TILE_OUT)
    tsumogiri = torch.where(red, as_drawn[:, 3], as_drawn[:, 2])[:, None]
    return torch.cat(
        [
            tiles[..., 0],
            tiles[:, FIVE_M : SUITS * RANKS : RANKS, 1],
            tsumogiri,
            question[:, :10],  # riichi, chi, pon, open kan
            tiles[..., 4],
            tiles[..., 5],
            question[:, 10:],  # tsumo, ron, nine terminals, pass
        ],
        1,
    )


def rank_shifts() -> Any:
    """Matrices that give each token what its neighbour one rank lower, or higher, holds; float32 (2, T, T)."""
    shifts = np.zeros((2, TOKENS, TOKENS), np.float32)
    for kind in range(SUITS * RANKS):
        if kind % RANKS > 0:
            shifts[0, kind, kind - 1] = 1
        if kind % RANKS < RANKS - 1:
            shifts[1, kind, kind + 1] = 1
    return shifts


def kept_inputs(without: str) -> Tensor:
    """1 for each input that is kept, 0 for those of topics left out, float (INPUTS + 1,)."""
    topics = [topic for topic in without.split(",") if topic]
    kept = np.ones(at.INPUTS + 1, np.float32)
    for topic in topics:
        if topic not in at.TOPICS:
            raise ValueError(f"no topic is called {topic!r}; there are {', '.join(at.TOPICS)}")
    for section in at.SECTIONS:
        mask = np.ones(section.width, np.float32)
        for group in section.layout.groups:
            if group.topic in topics:
                mask[group.first : group.first + group.size] = 0
        kept[section.first : section.end] = np.tile(mask, section.tokens)
    return torch.from_numpy(kept)


class Suits(nn.Module):
    """Exchanges the suits of examples: the same position with other names for its suits."""

    inputs: Tensor
    actions: Tensor
    kinds: Tensor
    tiles: Tensor

    def __init__(self) -> None:
        super().__init__()
        orders = [(a, b, 3 - a - b) for a in range(3) for b in range(3) if a != b]
        made = [suit_maps(order) for order in orders]
        for i, name in enumerate(("inputs", "actions", "kinds", "tiles")):
            self.register_buffer(name, torch.from_numpy(np.stack([maps[i] for maps in made])), persistent=False)

    def draw(self, n: int, generator: torch.Generator | None = None) -> Tensor:
        """An order of the suits for each of n examples, int64 (n,)."""
        return torch.randint(len(self.inputs), (n,), generator=generator, device=self.inputs.device)


def suit_maps(order: tuple[int, int, int]) -> tuple[Any, Any, Any, Any]:
    """Where inputs, actions, kinds and tiles go when suit s becomes order[s].

    Of kinds it is the inverse: the kind that stands where a kind is, as a gather needs it.
    """
    kinds = np.arange(NUM_KINDS)
    for suit in range(SUITS):
        kinds[suit * RANKS : (suit + 1) * RANKS] = np.arange(RANKS) + order[suit] * RANKS
    tiles = np.concatenate([kinds, [NUM_KINDS + order[suit] for suit in range(SUITS)], [NUM_TILES]])
    actions = np.arange(act.NUM_ACTIONS)
    actions[act.DISCARD : act.DISCARD + NUM_TILES] = tiles[:NUM_TILES]
    for first in (act.CONCEALED_KAN, act.ADDED_KAN):
        actions[first : first + NUM_KINDS] = first + kinds
    return _input_map(kinds), actions, np.argsort(kinds), tiles


def _input_map(kinds: Any) -> Any:
    inputs = np.arange(at.INPUTS + 1)
    tile = at.TILE_SECTION
    numbers = inputs[tile.first : tile.end].reshape(NUM_KINDS, tile.width)
    inputs[tile.first : tile.end] = numbers[kinds].ravel()
    for group in (at.ASKED_KIND, at.DRAWN_KIND):
        first = at.QUESTION_SECTION.first + group
        inputs[first : first + NUM_KINDS] = first + kinds
    return inputs
