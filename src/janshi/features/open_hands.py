"""What the networks of luck terms see: the plain planes with all hands open and no wall (`learn/outcome_values.py`).

A family may add to the hidden input what is easy to look up and hard to learn, such as the tiles that complete hands.
Additions are made on the device, from the packed inputs alone.
"""

from __future__ import annotations

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
        load = FEATURES_LAYER.of(find_family(family)).open_hands
        planes, self._add = (None, None) if load is None else load()
        self.encoder = self.plain if planes is None else Encoder(planes)
        """Expands the inputs; it cannot pack any."""

    def __call__(self, private: torch.Tensor, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Private inputs less additions to the plain planes, and hidden ones with the family's additions."""
        plain = private[:, : self.plain.private_bytes]
        return plain, hidden if self._add is None else self._add(plain, hidden)
