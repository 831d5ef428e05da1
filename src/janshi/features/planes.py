"""Planes: visible and hidden information as binary pictures of the tiles (paper 4, section IV-A).

A plane has a row for each suit, one for the honours, and a column for each rank. Positions are passed around as
*packed inputs* of a few hundred bytes, which kernels write from states or views. They are expanded into planes where
needed, on the training device or in NumPy. A private input is computed from a view, so it contains nothing hidden; the
hidden input contains what a critic may know in addition.

>>> from janshi.features.planes import encoder
>>> guobiao = encoder("guobiao")
>>> guobiao.private_channels, guobiao.paper_private_channels, guobiao.hidden_channels, guobiao.paper_hidden_channels
(208, 184, 128, 112)
>>> guobiao.channel_names()[0]
'own hand: at least 1'

Every cell of every plane is one *probe* of one byte of the input: whether the masked byte lies between two numbers. So
in every game, expansion is a single gather and comparison. `docs/features.md` lists the channels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.features.families import FEATURES_LAYER
from janshi.rules.family import Family
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.registry import families, find_family

if TYPE_CHECKING:
    import torch

Array = npt.NDArray[Any]

NO_TILE: Final = 255
"""The byte for no tile."""
SEQUENCE: Final = 3
"""Tiles of a chow."""
TILE, RUN, COUNT, FLAG, AMOUNT, CHOICE, SHARE = "tile", "run", "count", "flag", "amount", "choice", "share"
"""Forms of a group: a tile; the lowest tile of a chow; tiles of each kind; a flag of each kind; a number
of each kind; one of several constant planes; a constant plane of a number."""


@dataclass(frozen=True)
class Group:
    """Channels for one kind of information. `names` has an entry for each part of the group, such as the players."""

    name: str
    about: str
    """What its planes show."""
    field: str
    """Field of the packed input it is read from."""
    form: str
    names: tuple[str, ...] = ("",)
    levels: int = 1
    """COUNT: largest count; CHOICE: number of planes; SHARE, AMOUNT: the value that encodes as 1."""
    nibbles: bool = False
    """COUNT: two parts share a byte, the first in its low half."""
    first_part: int = 0
    """Nibbles and flags: position of the first part."""
    first_byte: int = 0
    """Flags: where they begin in the field."""
    paper: bool = True
    """Whether it is one of the paper's channels, or one of ours after them."""
    wall: bool = False
    """Hidden channels: whether it reveals which tiles will be drawn by whom, or when."""

    @property
    def channels(self) -> int:
        """How many planes it has."""
        return len(self.names) * (self.levels if self.form in (COUNT, CHOICE) else 1)

    def channel_names(self) -> list[str]:
        """A description of each plane."""
        parts = [f"{self.name}, {part}" if part else self.name for part in self.names]
        if self.form == COUNT:
            return [f"{part}: at least {n}" for part in parts for n in range(1, self.levels + 1)]
        if self.form == CHOICE:
            return [f"{part}: {n}" for part in parts for n in range(self.levels)]
        if self.form == SHARE and self.levels > 1:
            return [f"{part}: of {self.levels}" for part in parts]
        return parts


class Probes(NamedTuple):
    """The test for each place of the planes, as flattened arrays over [cells, channels]."""

    source: Any  # int64, the byte of the input
    mask: Any  # uint8
    low: Any  # uint8: the masked byte must not be less,
    high: Any  # uint8: nor more
    share: Any  # float32, what the byte is multiplied with instead; 0 for a comparison


@dataclass(frozen=True)
class PlaneSet:
    """What an encoder needs to know about a game."""

    name: str
    version: str
    rows: int
    columns: int
    num_actions: int
    view_dtype: np.dtype[Any]
    private_dtype: np.dtype[Any]
    hidden_dtype: np.dtype[Any]
    private: tuple[Group, ...]
    hidden: tuple[Group, ...]
    kernels: Any
    """Has write_private(states, tables, players, scratch, out), write_hidden(states, tables, players, out) and
    write_views(views, out)."""


@kernel
def write_river(v: Any, player: int, r: Any) -> None:
    """Pack a player's discards and their counts: from a view of either game into its private input."""
    length, half, one = int(v.discards[player]), player // 2, 1 << (4 * (player % 2))
    for i in range(len(r.river[player])):
        r.river[player, i] = int(v.river[player, i]) & NO_TILE
    for i in range(length):
        r.river_counts[half, int(v.river[player, i])] += one
    if player > 0:
        r.last[player - 1] = int(v.river[player, length - 1]) if length > 0 else NO_TILE


class Encoder:
    """Packs positions of one game and expands them to planes."""

    def __init__(self, planes: PlaneSet) -> None:
        self.planes = planes
        self.name = planes.name
        self.version = planes.version
        """Changes whenever the meaning of a plane changes; a network is trained for one version."""
        self.rows, self.columns = planes.rows, planes.columns
        self.num_actions = planes.num_actions
        self.private_bytes, self.hidden_bytes = planes.private_dtype.itemsize, planes.hidden_dtype.itemsize
        self.private_channels = sum(group.channels for group in planes.private)
        self.hidden_channels = sum(group.channels for group in planes.hidden)
        self.paper_private_channels = sum(group.channels for group in planes.private if group.paper)
        """The paper's planes are the first ones; ours follow."""
        self.paper_hidden_channels = sum(group.channels for group in planes.hidden if group.paper)
        self._on_device: dict[tuple[bool, str], Probes] = {}

    # --- packing

    def pack_states(
        self, states: Array, tables: Array, players: Array, private_out: Array | None, hidden_out: Array | None = None
    ) -> None:
        """Write the inputs of (tables, players), uint8[m, private_bytes] and uint8[m, hidden_bytes].

        Either may be None. The player need not be asked; the legal mask is then empty. The GIL is released, and
        threads may write different rows at once.
        """
        if private_out is not None:
            private = self._records(private_out, self.planes.private_dtype, len(tables))
            scratch = np.zeros(1, self.planes.view_dtype)
            self.planes.kernels.write_private(states, tables, players, scratch, private)
        if hidden_out is not None:
            hidden = self._records(hidden_out, self.planes.hidden_dtype, len(tables))
            self.planes.kernels.write_hidden(states, tables, players, hidden)

    def pack_views(self, views: Array) -> Array:
        """The private inputs of views, uint8[m, private_bytes]: the same as `pack_states` writes."""
        out = np.zeros((len(views), self.private_bytes), np.uint8)
        self.planes.kernels.write_views(views, self._records(out, self.planes.private_dtype, len(views)))
        return out

    def _records(self, out: Array, dtype: np.dtype[Any], n: int) -> Array:
        if out.dtype != np.uint8 or out.shape != (n, dtype.itemsize) or not out.flags.c_contiguous:
            raise ValueError(
                f"packed inputs need a contiguous uint8 array of shape ({n}, {dtype.itemsize}), "
                f"not {out.dtype} of {out.shape}"
            )
        return out.view(dtype)[:, 0]

    # --- expanding

    @cached_property
    def private_probes(self) -> Probes:
        """The probes of the private planes."""
        return _probes(self.planes.private, self.planes.private_dtype, self.rows * self.columns)

    @cached_property
    def hidden_probes(self) -> Probes:
        """The probes of the hidden planes."""
        return _probes(self.planes.hidden, self.planes.hidden_dtype, self.rows * self.columns)

    @cached_property
    def wall_free_probes(self) -> Probes:
        """The probes of the hidden planes that reveal nothing of the wall: the others' hands."""
        groups = [group for group in self.planes.hidden if not group.wall]
        return _probes(groups, self.planes.hidden_dtype, self.rows * self.columns)

    def expand(self, private: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Private planes of uint8[m, private_bytes] on its device: dtype[m, private_channels, rows, columns].

        Channels are the innermost in memory (`torch.channels_last`). dtype is float32 if none is given.
        """
        return expand_with(private, self._probes_on(private.device, False), self.rows, self.columns, dtype)

    def expand_hidden(self, hidden: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Hidden planes of uint8[m, hidden_bytes]: dtype[m, hidden_channels, rows, columns]."""
        return expand_with(hidden, self._probes_on(hidden.device, True), self.rows, self.columns, dtype)

    def masks(self, private: torch.Tensor) -> torch.Tensor:
        """The legal actions in inputs, bool[m, num_actions] on their device."""
        import torch

        action = torch.arange(self.num_actions, device=private.device)
        source, bit = action // LEGAL_BITS * 8 + action % LEGAL_BITS // 8, action % LEGAL_BITS % 8
        return private[:, source] >> bit.to(torch.uint8) & 1 != 0

    def expand_numpy(self, private: Array) -> Array:
        """Private planes without torch, float32[m, private_channels, rows, columns]."""
        return self._expand_numpy(private, self.private_probes)

    def expand_hidden_numpy(self, hidden: Array) -> Array:
        """Hidden planes without torch."""
        return self._expand_numpy(hidden, self.hidden_probes)

    def masks_numpy(self, private: Array) -> Array:
        """The legal actions in inputs, bool[m, num_actions]."""
        action = np.arange(self.num_actions)
        source, bit = action // LEGAL_BITS * 8 + action % LEGAL_BITS // 8, action % LEGAL_BITS % 8
        return private[:, source] >> bit.astype(np.uint8) & 1 != 0

    def _expand_numpy(self, record: Array, probes: Probes) -> Array:
        byte = record[:, probes.source] & probes.mask
        inside = (byte >= probes.low) & (byte <= probes.high)
        planes = np.where(probes.share > 0, byte * probes.share, inside).astype(np.float32)
        return planes.reshape(len(record), self.rows, self.columns, -1).transpose(0, 3, 1, 2)

    def _probes_on(self, device: torch.device, hidden: bool) -> Probes:
        """The probes as tensors, cached for each device."""
        key = (hidden, str(device))
        if key not in self._on_device:
            self._on_device[key] = probes_on(self.hidden_probes if hidden else self.private_probes, device)
        return self._on_device[key]

    # --- reading back

    def channel_names(self) -> list[str]:
        """Descriptions of the private planes, in order."""
        return [name for group in self.planes.private for name in group.channel_names()]

    def hidden_channel_names(self) -> list[str]:
        """Descriptions of the hidden planes, in order."""
        return [name for group in self.planes.hidden for name in group.channel_names()]

    def decode(self, planes: Array) -> dict[str, Array]:
        """Decode private planes, by group name, into int64 arrays with a row for each position.

        Tiles are kinds, or -1; counts are [m, parts, kinds]; the rest are numbers.
        """
        return self._decode(planes, self.planes.private)

    def decode_hidden(self, planes: Array) -> dict[str, Array]:
        """Decode hidden planes, by group name."""
        return self._decode(planes, self.planes.hidden)

    def _decode(self, planes: Array, groups: Sequence[Group]) -> dict[str, Array]:
        flat = np.asarray(planes, np.float32).reshape(len(planes), planes.shape[1], self.rows * self.columns)
        found, at = {}, 0
        for group in groups:
            found[group.name] = _read_back(flat[:, at : at + group.channels], group)
            at += group.channels
        return found


def encoder_names() -> list[str]:
    """Names of all encoders: families of rules, with additions: `guobiao`, `guobiao+plans`."""
    return [name for family in families().values() for name in _named(family)]


def _named(family: Family) -> dict[str, Callable[[], Any]]:
    """The loaders of a family's encoders, by name."""
    encoders = FEATURES_LAYER.of(family).encoders
    return {f"{family.name}+{added}" if added else family.name: load for added, load in encoders.items()}


@cache
def encoder(name: str) -> Encoder:
    """The encoder of a family of rules: `guobiao`, `guobiao+plans` or `simplified`."""
    known = _named(find_family(name.partition("+")[0]))
    if name not in known:
        raise ValueError(f"no planes for {name!r}: there are encoders for {', '.join(encoder_names())}")
    loaded = known[name]()
    return Encoder(loaded) if isinstance(loaded, PlaneSet) else cast(Encoder, loaded)


def encoder_of(family: str, version: str) -> Encoder | None:
    """The encoder of a family that makes planes of this version, if there is one."""
    made = map(encoder, _named(find_family(family)))
    return next((each for each in made if each.version == version), None)


def probes_on(probes: Probes, device: torch.device | str | None = None) -> Probes:
    """Probes as tensors on a device, for `expand_with`."""
    import torch

    return Probes(*(torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in probes))


def expand_with(
    record: torch.Tensor, probes: Probes, rows: int, columns: int, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Planes of packed inputs by probes on the same device: dtype[m, channels, rows, columns], channels innermost."""
    import torch

    dtype = dtype or torch.float32
    byte = record[:, probes.source] & probes.mask  # (m, cells * channels)
    inside = (byte >= probes.low) & (byte <= probes.high)
    planes = torch.where(probes.share > 0, byte.to(dtype) * probes.share.to(dtype), inside.to(dtype))
    return planes.view(len(record), rows, columns, -1).permute(0, 3, 1, 2)


# --- the probes of each form


def _probes(groups: Sequence[Group], dtype: np.dtype[Any], cells: int) -> Probes:
    """Probes of all groups, in the order of cells and then channels."""
    made = [_group_probes(group, _place(dtype, group.field), cells) for group in groups]
    joined = [np.concatenate(arrays, 1).ravel() for arrays in zip(*made)]
    types = (np.int64, np.uint8, np.uint8, np.uint8, np.float32)
    return Probes(*(array.astype(kind) for array, kind in zip(joined, types)))


def _place(dtype: np.dtype[Any], field: str) -> int:
    """Offset of a field of a record, or of a field of its first field if that is a record too."""
    fields: Any = dtype.fields
    if field not in fields:
        fields = next(iter(fields.values()))[0].fields
    return int(fields[field][1])


def _group_probes(group: Group, first: int, cells: int) -> Probes:
    """The probes of one group, arrays of [cells, channels]."""
    cell = np.arange(cells)[:, None]
    part = np.repeat(np.arange(len(group.names)), group.channels // len(group.names))[None]
    level = np.tile(np.arange(group.channels // len(group.names)), len(group.names))[None]
    mask, share, source = np.full_like(part, 255), np.zeros_like(part, np.float32), first + part
    if group.form == TILE:
        low, high = cell, cell
    elif group.form == RUN:
        low, high = np.maximum(cell - SEQUENCE + 1, 0), cell
    elif group.form == CHOICE:
        low, high = level, level
    elif group.form == SHARE:
        low, high, share = part * 0, part * 0, np.full_like(share, 1 / group.levels)
    elif group.form == FLAG:
        mask = 1 << (part + group.first_part)
        source, low, high = first + group.first_byte + cell, mask, mask
    elif group.form == AMOUNT:
        source, low, high = first + part * cells + cell, part * 0, part * 0
        share = np.full_like(share, 1 / group.levels)
    else:
        place = part + group.first_part
        half = 4 * (place % 2) if group.nibbles else 0 * place
        row = place // 2 if group.nibbles else place
        mask = np.where(group.nibbles, 15 << half, 255)
        source, low, high = first + row * cells + cell, (level + 1) << half, mask
    return Probes(*(np.broadcast_to(a, (cells, group.channels)) for a in (source, mask, low, high, share)))


def _read_back(flat: Array, group: Group) -> Array:
    """Decode the planes of one group, [m, channels, cells]."""
    if group.form in (TILE, RUN):
        return np.where(flat.any(2), flat.argmax(2), -1)
    if group.form == FLAG:
        return flat.astype(np.int64)
    if group.form == AMOUNT:
        return np.rint(flat * group.levels).astype(np.int64)
    if group.form == CHOICE:
        chosen = flat[:, :, 0].reshape(len(flat), len(group.names), group.levels)
        found = np.where(chosen.any(2), chosen.argmax(2), -1)
        return found[:, 0] if len(group.names) == 1 else found
    if group.form == SHARE:
        return np.rint(flat[:, :, 0] * group.levels).astype(np.int64)
    return flat.reshape(len(flat), len(group.names), group.levels, -1).sum(2).astype(np.int64)
