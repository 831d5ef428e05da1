"""What the networks of luck terms see: the plain planes with all hands open and no wall (`learn/outcome_values.py`).

A family may add to the hidden input what is easy to look up and hard to learn, such as the tiles that complete hands.
Additions are made on the device, from the packed inputs alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from janshi.features.families import FEATURES_LAYER
from janshi.features.planes import Encoder, encoder
from janshi.rules.registry import find_family

if TYPE_CHECKING:
    import torch


class OpenHands:
    """Makes a family's inputs with all hands open from those of decisions."""

    def __init__(self, family: str) -> None:
        self.plain = encoder(family)
        self.encoder = self.plain
        """Expands the inputs; it cannot pack any."""
        self._add: Callable[..., torch.Tensor] | None = None
        if load := FEATURES_LAYER.of(find_family(family)).open_hands:
            planes, self._add = load()
            self.encoder = Encoder(planes)

    def __call__(self, private: torch.Tensor, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Private inputs less additions to the plain planes, and hidden ones with the family's additions."""
        plain = private[:, : self.plain.private_bytes]
        return plain, hidden if self._add is None else self._add(plain, hidden)
