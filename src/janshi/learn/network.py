"""Networks over planes (paper 4, Fig. 1): a residual network, a narrow 1 × 1 convolution, two layers of width 1024.

They read packed inputs (`janshi.features.planes`) and expand them into planes on their own device and in their own
dtype, so that only the records are transferred.

There is no normalisation. Batch normalisation would use different statistics for playing and for learning, which PPO's
ratio of new to old probabilities would mistake for a change of policy; layer and group normalisation take as long as
the small convolutions. Instead, the second convolution of each block starts at zero (as in Fixup), so that a fresh
network is as shallow as its first layer and becomes deeper as it learns. The last layer starts small: a fresh policy
is nearly uniform over the legal actions, and a fresh value nearly zero.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from janshi.features.planes import Encoder, Probes, expand_with, probes_on
from janshi.models.store import save

BLOCKS: Final = 8
CHANNELS: Final = 128
NECK: Final = 32
"""Channels left by the 1 × 1 convolution."""
WIDTH: Final = 1024
"""Size of the two fully connected layers."""
LANES: Final = 8
"""Planes are padded to a multiple of this, as matrix units require."""
ONES: Final = 0.04
"""Typical share of ones in a plane, used to scale the first convolution's weights."""
SMALL: Final = 0.01
"""Scale of the last layer's weights at the beginning."""
FORMAT: Final = 1
"""Format of exported policies; changed whenever their arrays change."""


class Block(nn.Module):
    """Two convolutions with a skip connection, activations first."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        for zero in (self.first.bias, self.second.weight, self.second.bias):
            assert zero is not None
            nn.init.zeros_(zero)

    def forward(self, x: Tensor) -> Tensor:
        """(m, channels, rows, columns) to the same."""
        y = self.first(functional.relu(x))
        z: Tensor = self.second(functional.relu(y))
        return x + z


class Trunk(nn.Module):
    """Maps packed inputs to `outputs` numbers: the base of policies and values.

    With `hidden`, it also sees hidden inputs; without `wall`, the order of the wall is left out of these.
    """

    exact_last = False
    """Whether the last layer is computed in float32 whatever the precision of the others."""

    def __init__(
        self,
        encoder: Encoder,
        outputs: int,
        *,
        hidden: bool = False,
        wall: bool = True,
        extra: int = 0,
        blocks: int = BLOCKS,
        channels: int = CHANNELS,
        neck: int = NECK,
        width: int = WIDTH,
    ) -> None:
        super().__init__()
        if min(blocks + 1, channels, neck, width, outputs) < 1:
            raise ValueError(f"a network cannot have {blocks} blocks, {channels} channels, {neck} and {width}")
        self.encoder = encoder
        self.sizes = {"blocks": blocks, "channels": channels, "neck": neck, "width": width}
        self.hidden, self.extra = hidden, extra
        probes = _joined(encoder, hidden, wall)
        for name, tensor in probes_on(probes)._asdict().items():
            self.register_buffer(f"probe_{name}", tensor, persistent=False)
        cells = encoder.rows * encoder.columns
        self.stem = nn.Conv2d(len(probes.source) // cells, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.neck = nn.Conv2d(channels, neck, 1)
        self.first = nn.Linear(cells * neck + extra, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, outputs)
        self._begin()
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def _begin(self) -> None:
        """Weights of a fresh network."""
        nn.init.kaiming_normal_(self.stem.weight, nonlinearity="relu")
        with torch.no_grad():
            self.stem.weight /= math.sqrt(ONES)
        for layer in (self.neck, self.first, self.second):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        nn.init.normal_(self.last.weight, std=SMALL / math.sqrt(self.last.in_features))
        for layer in (self.stem, self.neck, self.first, self.second, self.last):
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)

    def planes(self, records: Tensor) -> Tensor:
        """Expand records (m, bytes) into planes of the network's dtype, (m, channels, rows, columns)."""
        kind = records.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else self.stem.weight.dtype
        probes = Probes(*(getattr(self, f"probe_{name}") for name in Probes._fields))
        return expand_with(records, probes, self.encoder.rows, self.encoder.columns, dtype)

    def forward(self, private: Tensor, hidden: Tensor | None = None, extra: Tensor | None = None) -> Tensor:
        """Numbers float32[m, outputs] from uint8[m, private_bytes], uint8[m, hidden_bytes] and float32[m, extra]."""
        if (hidden is not None) != self.hidden or (extra is not None) != (self.extra > 0):
            raise ValueError(f"this network is made {'for' if self.hidden else 'without'} hidden inputs, {self.extra=}")
        return self.numbers(self.maps(private, hidden), extra)

    def maps(self, private: Tensor, hidden: Tensor | None = None) -> Tensor:
        """Output of the convolutions, (m, channels, rows, columns)."""
        records = private if hidden is None else torch.cat([private, hidden], 1)
        return functional.relu(self.blocks(self.stem(self.planes(records))))

    def numbers(self, maps: Tensor, extra: Tensor | None = None) -> Tensor:
        """Output of the fully connected layers, float32[m, outputs]."""
        x = functional.relu(self.neck(maps))
        x = x.permute(0, 2, 3, 1).flatten(1)  # (m, cells * neck), as it lies in memory
        if extra is not None:
            x = torch.cat([x, extra.to(x.dtype)], 1)
        x = functional.relu(self.second(functional.relu(self.first(x))))
        if self.exact_last:
            with torch.autocast(x.device.type, enabled=False):
                exact: Tensor = self.last(x.float())
                return exact
        numbers: Tensor = self.last(x)
        return numbers.float()


class PolicyNet(Trunk):
    """Maps private inputs to a logit for each action. In half precision, its last layer stays in float32.

    In bfloat16, logits of 8 to 16 would be 0.06 apart.
    """

    exact_last = True

    def __init__(
        self,
        encoder: Encoder,
        *,
        blocks: int = BLOCKS,
        channels: int = CHANNELS,
        neck: int = NECK,
        width: int = WIDTH,
    ) -> None:
        super().__init__(encoder, encoder.num_actions, blocks=blocks, channels=channels, neck=neck, width=width)

    def legal_logits(self, private: Tensor) -> Tensor:
        """Logits, with those of illegal actions set to the lowest number of their type."""
        logits: Tensor = self(private)
        return logits.masked_fill(~self.encoder.masks(private), torch.finfo(logits.dtype).min)


class ValueNet(Trunk):
    """Maps private inputs, and hidden ones if `hidden`, to values: one for the player, or one for each player.

    `extra` is the number of further inputs, which go straight to the fully connected layers.
    """


def _joined(encoder: Encoder, hidden: bool, wall: bool = True) -> Probes:
    """The probes of private (and hidden) planes, side by side, padded with planes of zeros."""
    cells = encoder.rows * encoder.columns
    private = [np.reshape(array, (cells, -1)) for array in encoder.private_probes]
    parts = [private]
    if hidden:
        seen = encoder.hidden_probes if wall else encoder.wall_free_probes
        parts.append([np.reshape(array, (cells, -1)) for array in seen])
        parts[1][0] = parts[1][0] + encoder.private_bytes
    lacking = -sum(part[0].shape[1] for part in parts) % LANES
    blank = [np.zeros((cells, lacking), array.dtype) for array in private]
    blank[2] += 1  # no byte is at least 1 and at most 0
    return Probes(*(np.concatenate(arrays, 1).ravel() for arrays in zip(*parts, blank)))


def build(encoder: Encoder, card: Mapping[str, Any]) -> PolicyNet:
    """A fresh policy of the sizes in a card."""
    return PolicyNet(encoder, **{name: int(card[name]) for name in ("blocks", "channels", "neck", "width")})


# --- policies as files, playable without PyTorch


def arrays_of(policy: PolicyNet) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """A policy's weights as `janshi.agents.learned.network` reads them: [inputs, outputs], convolutions [9, ...]."""
    planes = policy.encoder.private_channels
    convolutions = _convolutions(policy)
    blank = np.zeros((0, 9, policy.sizes["channels"], policy.sizes["channels"]), np.float32)
    arrays = {
        "stem": _convolution(policy.stem)[:, :planes],
        "blocks": np.stack([_convolution(c) for c in convolutions]) if convolutions else blank,
        "blocks_bias": np.stack([_array(c.bias) for c in convolutions]) if convolutions else blank[:, 0, 0],
        "neck": _array(policy.neck.weight)[:, :, 0, 0].T,
    }
    for name in ("first", "second", "last"):
        arrays[name] = _array(getattr(policy, name).weight).T
    for name in ("stem", "neck", "first", "second", "last"):
        arrays[f"{name}_bias"] = _array(getattr(policy, name).bias)
    return {name: np.ascontiguousarray(array) for name, array in arrays.items()}


def _convolutions(policy: PolicyNet) -> list[Any]:
    """The convolutions of the blocks, in order."""
    blocks: Any = policy.blocks
    return [layer for block in blocks for layer in (block.first, block.second)]


def _array(tensor: Tensor) -> np.ndarray[Any, np.dtype[np.float32]]:
    return tensor.detach().float().cpu().contiguous().numpy()


def _convolution(layer: nn.Conv2d) -> np.ndarray[Any, np.dtype[np.float32]]:
    """(outputs, inputs, 3, 3) as [9, inputs, outputs]."""
    weight = _array(layer.weight)
    return weight.transpose(2, 3, 1, 0).reshape(-1, weight.shape[1], weight.shape[0])


def export(policy: PolicyNet, path: Path, card: Mapping[str, Any] | None = None) -> Path:
    """Write a policy as `.npz` in float16, for `policy:file=...`, atomically.

    The card contains its sizes and everything else that is given.
    """
    with np.errstate(over="ignore"):  # reported below
        arrays = {name: array.astype(np.float16) for name, array in arrays_of(policy).items()}
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(
                f"the policy cannot be written in float16: {name} has weights that are too large or not numbers"
            )
    full_card = {
        **(card or {}),
        "format": FORMAT,
        "family": policy.encoder.name,
        "planes": policy.encoder.version,
        **policy.sizes,
    }
    save(path, arrays, full_card)
    return path


def holds_policy(path: Path) -> bool:
    """Whether a file is an exported policy."""
    try:
        with zipfile.ZipFile(path) as file:
            return "stem.npy" in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def read_policy(path: Path) -> PolicyNet:
    """Load an exported policy as a network, to continue training or to use on a GPU."""
    from janshi.agents.learned.network import read_file

    encoder, arrays, card = read_file(path)
    policy = build(encoder, card)
    with torch.no_grad():
        _set_convolution(policy.stem, arrays["stem"])
        for layer, weight, bias in zip(_convolutions(policy), arrays["blocks"], arrays["blocks_bias"]):
            _set_convolution(layer, weight)
            layer.bias.copy_(torch.from_numpy(bias))
        policy.neck.weight.copy_(torch.from_numpy(arrays["neck"].T[:, :, None, None]))
        for name in ("first", "second", "last"):
            getattr(policy, name).weight.copy_(torch.from_numpy(arrays[name].T))
        for name in ("stem", "neck", "first", "second", "last"):
            getattr(policy, name).bias.copy_(torch.from_numpy(arrays[f"{name}_bias"]))
    return policy


def mean_policy(policies: Sequence[PolicyNet]) -> PolicyNet:
    """The mean of several policies' weights. The mean of one run's late policies plays better than each of them."""
    first = policies[0]
    for other in policies[1:]:
        one, two = ({"planes": net.encoder.version, **net.sizes} for net in (first, other))
        if one != two:
            raise ValueError(f"policies of {one} and {two} cannot be averaged")
    mean = PolicyNet(first.encoder, **first.sizes)
    states = [policy.state_dict() for policy in policies]
    mean.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return mean


def write_mean(paths: Sequence[Path], out: Path) -> None:
    """Export the mean of exported policies, with the last one's card and the training notes of the others."""
    from janshi.agents.learned.network import read_file

    cards = [read_file(path)[2] for path in paths]
    mean_of = [
        {name: card.get(name) for name in ("variant", "seed", "decisions", "hands", "seconds")} for card in cards
    ]
    export(mean_policy([read_policy(path) for path in paths]), out, {**cards[-1], "mean_of": mean_of})


def _set_convolution(layer: nn.Conv2d, array: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    """Set weights from [9, inputs, outputs]; padding inputs stay unchanged."""
    weight = array.reshape(3, 3, *array.shape[1:]).transpose(3, 2, 0, 1)
    layer.weight[:, : array.shape[1]] = torch.from_numpy(np.ascontiguousarray(weight))
