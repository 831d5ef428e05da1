"""Draws, rebuilt from the packed inputs of the decisions that follow them.

Whoever draws is asked at once, so the position before a draw is the record of that decision with the tile put back:
out of the hand, among the unseen tiles. Nothing in the result depends on the tile or on the order of the wall. The
tiles that could have come are the unseen ones that are in no other hand.

The count of tiles left stays what it is after the draw, which says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from janshi.core.tiles import COPIES
from janshi.features.families import FEATURES_LAYER
from janshi.features.planes import NO_TILE, Encoder, encoder
from janshi.rules.registry import find_family

if TYPE_CHECKING:
    import torch

NIBBLE: Final = 4
"""Bits of a count of tiles."""


class Draws(NamedTuple):
    """Positions before draws, on the device of the records."""

    private: torch.Tensor
    """Plain private inputs of the drawing player, uint8[m, bytes]."""
    drawn: torch.Tensor
    """The cell of the tile that came, int64[m]; 0 where nothing was drawn."""
    counts: torch.Tensor
    """How many tiles of each cell's kind could come, float32[m, cells]; all 0 where nothing was drawn."""


class BeforeDraw:
    """Puts drawn tiles back."""

    def __init__(self, seen: Encoder) -> None:
        """`seen` made the records; additions to the plain planes of its family are dropped."""
        family = seen.name.partition("+")[0]
        self.plain = encoder(family)
        """The encoder of the rebuilt private inputs."""
        self.cells = self.plain.rows * self.plain.columns
        stale = FEATURES_LAYER.of(find_family(family)).stale_draw
        private, hidden = self.plain.planes.private_dtype, self.plain.planes.hidden_dtype
        self._hand, self._unseen, self._drawn = (_span(private, name) for name in ("hand", "unseen", "drawn"))
        self._stale = _span(private, stale) if stale else None
        self._legal = _span(private, "legal")
        self._hands = _span(hidden, "hands")
        self._pairs = (self._hands.stop - self._hands.start) // self.cells
        self._concealed = _span(hidden, "concealed") if "concealed" in (hidden.names or ()) else None

    def __call__(self, private: torch.Tensor, hidden: torch.Tensor) -> Draws:
        """The draws before decisions on players' own turns, from their records; some turns begin without one."""
        import torch

        plain = private[:, : self.plain.private_bytes].clone()
        drawn = plain[:, self._drawn.start].long()
        fresh = drawn != NO_TILE
        if self._stale is not None:
            fresh &= plain[:, self._stale.start] == 0
        cell = torch.arange(self.cells, device=private.device)
        put_back = ((cell == drawn[:, None]) & fresh[:, None]).to(torch.uint8)
        plain[:, self._hand] -= put_back
        plain[:, self._unseen] += put_back
        plain[:, self._drawn] = NO_TILE
        plain[:, self._legal] = 0
        counts = self._in_wall(plain, hidden) * fresh[:, None]
        return Draws(plain, torch.where(fresh, drawn, 0), counts)

    def _in_wall(self, plain: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Tiles that the player sees nowhere and no other player holds, float32[m, cells]."""
        import torch

        counts = plain[:, self._unseen].float()
        pairs = hidden[:, self._hands].reshape(len(hidden), self._pairs, self.cells)  # two players' counts in a byte
        counts -= ((pairs >> NIBBLE) + (pairs & (1 << NIBBLE) - 1)).sum(1).float()
        if self._concealed is not None:
            kongs = hidden[:, self._concealed].long()
            cell = torch.arange(self.cells, device=hidden.device)
            counts -= COPIES * (kongs[:, :, None] == cell).sum(1).float()
        return counts


def _span(dtype: Any, name: str) -> slice:
    """The bytes of a field."""
    field = dtype.fields[name]
    return slice(int(field[1]), int(field[1]) + int(field[0].itemsize))
