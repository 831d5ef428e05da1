"""Inputs of the networks for luck terms: the plain planes with all hands open and no wall (`learn/outcome_values.py`).

A family may add facts that are easy to look up and hard to learn to the hidden input, such as the tiles that complete
hands. Additions are computed on the device, from the packed inputs alone.
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
    """Converts the inputs of decisions to a family's inputs with all hands open."""

    def __init__(self, family: str) -> None:
        self.plain = encoder(family)
        self.encoder = self.plain
        """The encoder that expands the inputs; it cannot pack any."""
        self._add: Callable[..., torch.Tensor] | None = None
        if load := FEATURES_LAYER.of(find_family(family)).open_hands:
            planes, self._add = load()
            self.encoder = Encoder(planes)

    def __call__(self, private: torch.Tensor, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Private inputs without additions to the plain planes, and hidden ones with the family's additions."""
        plain = private[:, : self.plain.private_bytes]
        return plain, hidden if self._add is None else self._add(plain, hidden)
