"""The riichi network: a token for each kind of tile, each player, the game and the question, with attention.

In each block, tokens attend to one another, with a learned bias for each pair of positions; a feed-forward layer then
works on each token, sharing some numbers between neighbouring ranks. Logits of discards and kans come from the tile
tokens, those of other actions from the question token; the opponents' hands, the ranks and the end of the hand come
from the tokens they belong to.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from janshi.core.tiles import FIVE_M, NUM_KINDS, NUM_TILES, RANKS, SUITS
from janshi.features.riichi import layout as at
from janshi.learn.attention import attend
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import ENDS
from janshi.learn.imitation.inputs import channels_of, expanded, first_tokens, number_type, spans_of
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS

OPPONENTS: Final = PLAYERS - 1
TILE_ACTIONS: Final = 6
"""Actions of a tile token: discard, discard the red five, discard as drawn, the same for the red five, concealed kan,
added kan."""
TILE_OUT: Final = TILE_ACTIONS + 3 * OPPONENTS
"""Further outputs of a tile token, for each opponent: if tenpai, whether they wait for it and can win on it now, and
how much more such a win costs than others."""
PLAYER_OUT: Final = 2 + PLAYERS
"""Outputs of a player token: tenpai, value of the hand, final rank."""
QUESTION_ACTIONS: Final = (
    act.RIICHI,
    *range(act.CHI, act.OPEN_KAN + 1),
    act.TSUMO,
    act.RON,
    act.NINE_TERMINALS,
    act.PASS,
)
SPANS: Final = spans_of(at.SECTIONS)
TOKENS: Final = at.TOKENS
VALUE_UNIT: Final = 8000.0
"""The value of a hand is predicted as the logarithm of the payment divided by this."""


class Outputs(NamedTuple):
    """The network's outputs for a batch of positions."""

    policy: Tensor  # (B, 120) logits
    waits: Tensor  # (B, 3, 34) logits of waiting for a kind, if tenpai
    rons: Tensor  # (B, 3, 34) logits of winning on it now, if tenpai
    tenpai: Tensor  # (B, 3) logits
    value: Tensor  # (B, 3, 34) log of payment / VALUE_UNIT for a win on a kind
    ranks: Tensor  # (B, 4, 4) logits: player, rank
    end: Tensor  # (B, ENDS) logits


class Block(nn.Module):
    """Attention between tokens, then a feed-forward layer on each."""

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

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to the same."""
        attended = attend(self.query_key_value(self.before_attention(x)), self.places)
        x = x + self.dropout(self.joined(attended))
        y = self.before_inner(x)
        part = y.shape[-1] // 4
        y = torch.cat([from_lower(y[..., :part]), from_higher(y[..., part : 2 * part]), y[..., 2 * part :]], -1)
        return x + self.dropout(self.second(F.relu(self.first(y)).square()))


def from_lower(y: Tensor) -> Tensor:
    """The token of each kind's neighbour one rank lower, (B, T, D); zero if there is none."""
    return by_rank(F.pad(suited(y)[:, :, :-1], (0, 0, 1, 0)))


def from_higher(y: Tensor) -> Tensor:
    """The token of each kind's neighbour one rank higher, (B, T, D); zero if there is none."""
    return by_rank(F.pad(suited(y)[:, :, 1:], (0, 0, 0, 1)))


def suited(y: Tensor) -> Tensor:
    """The tokens of suited kinds, (B, suits, ranks, D)."""
    return y[:, : SUITS * RANKS].reshape(len(y), SUITS, RANKS, -1)


def by_rank(y: Tensor) -> Tensor:
    """(B, suits, ranks, D) as tokens (B, T, D), zero for all others."""
    return F.pad(y.reshape(len(y), SUITS * RANKS, -1), (0, 0, 0, TOKENS - SUITS * RANKS))


class RiichiNet(nn.Module):
    """The whole network: from active inputs to all outputs."""

    channels: Tensor
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
        self.register_buffer("channels", channels_of(at.SECTIONS), persistent=False)
        self.register_buffer("kept", kept_inputs(config.without), persistent=False)
        self._start(config.blocks)

    def _start(self, blocks: int) -> None:
        """Initialise: small weights where a block adds to its input, zeros in the last layers."""
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
        layers = (self.tile_in, self.player_in, self.game_in, self.question_in)
        active = expanded(inputs, self.channels, SPANS, self._strengths(inputs), number_type(inputs.device))
        x = first_tokens(active, SPANS, layers) + self.place
        for block in self.blocks:
            x = block(x)
        return x

    def _strengths(self, inputs: Tensor) -> Tensor:
        """1 for each active input, 0 for those of topics left out; in training, with dropout."""
        ones = self.kept[inputs] if self.config.without else torch.ones_like(inputs, dtype=torch.float32)
        ones = ones.to(number_type(inputs.device))
        return F.dropout(ones, self.config.input_dropout, self.training and self.config.input_dropout > 0)

    def read(self, x: Tensor, drawn: Tensor) -> Outputs:
        """Compute outputs from tokens. The last layers work in float32."""
        with torch.autocast(x.device.type, enabled=False):
            x = self.last(x.float())
            tiles = self.tile_out(x[:, :NUM_KINDS])  # (B, 34, TILE_OUT)
            players = self.player_out(x[:, NUM_KINDS : NUM_KINDS + PLAYERS])
            game, question = x[:, -2], self.question_out(x[:, -1])
            opponents = players[:, 1:]
            waits, rons, more = tiles[..., TILE_ACTIONS:].transpose(1, 2).split(OPPONENTS, 1)
            return Outputs(
                policy_logits(tiles, question, drawn),
                waits,
                rons,
                opponents[..., 0],
                opponents[..., 1, None] + more,
                players[..., 2:],
                self.game_out(game),
            )


def policy_logits(tiles: Tensor, question: Tensor, drawn: Tensor) -> Tensor:
    """All 120 logits, from the action scores of the tile tokens and the question token."""
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


def kept_inputs(without: str) -> Tensor:
    """1 for each input in use, 0 for those of topics left out, float (INPUTS + 1,)."""
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
    """Permutes the suits of examples, which gives equivalent positions."""

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

    For kinds this is the inverse permutation, which a gather needs.
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
