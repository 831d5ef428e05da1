"""The contract of an encoder for learning: it packs positions on the CPU and expands them on the device.

A position is transferred and stored as a record of a fixed number of bytes. A learner stores and transfers records and
asks for their legal actions, but never looks inside; only the encoder and the network that reads them know the
meaning. So learning a new family of rules takes only an encoder and a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from janshi.rules.game import Array

if TYPE_CHECKING:
    import torch


@runtime_checkable
class PackedEncoder(Protocol):
    """Packs positions of one family of rules into records of bytes."""

    name: str
    version: str
    """Changes whenever the meaning of a record changes; a network is trained for one version."""
    num_actions: int
    private_bytes: int
    """Size in bytes of a private record, which contains what the player may know."""
    hidden_bytes: int
    """Size in bytes of a hidden record, which contains what a critic may know in addition."""

    def pack_states(
        self, states: Array, tables: Array, players: Array, private_out: Array | None, hidden_out: Array | None = None
    ) -> None:
        """Write the records of (tables, players), uint8[m, private_bytes] and uint8[m, hidden_bytes].

        Either may be None. Threads may write different rows at once, so the GIL should be released.
        """

    def pack_views(self, views: Array) -> Array:
        """The private records of views, uint8[m, private_bytes]: the same as `pack_states` writes."""

    def masks(self, private: torch.Tensor) -> torch.Tensor:
        """The legal actions of private records, bool[m, num_actions], on their device."""
