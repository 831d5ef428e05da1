"""Ways to compute the riichi network: NumPy by default, ONNX Runtime or PyTorch as options.

All three give the same answers up to rounding. NumPy needs no extra package, and its answers never depend on the
batch; ONNX Runtime is faster if installed (`pip install 'janshi[onnx]'`); PyTorch is meant for thousands of tables at
once on a GPU (`pip install 'janshi[learn]'`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

import numpy.typing as npt

Array = npt.NDArray[Any]

ENGINES: Final = ("numpy", "onnx", "torch")


class Scores(NamedTuple):
    """The last layers' outputs for some positions, before softmax and the like; float32."""

    tiles: Array
    """[m, 34, 15]: six actions for each kind of tile; whether each opponent, if tenpai, waits for it and can win on
    it, and how much more such a win costs."""
    players: Array
    """[m, 4, 6]: tenpai, value, the four final ranks."""
    game: Array
    """[m, 20]: how the hand ends."""
    question: Array
    """[m, 14]: the other actions."""


class Engine(Protocol):
    """Computes a network."""

    def scores(self, packed: Array) -> Scores:
        """The network's numbers for packed positions, PACKED_DTYPE[m] with m > 0."""


def make_engine(name: str, device: str, arrays: dict[str, Array], card: dict[str, Any]) -> Engine:
    """An engine by name; without a name NumPy, or PyTorch if a device is given."""
    chosen = name or ("torch" if device else "numpy")
    if chosen not in ENGINES:
        raise ValueError(f"engine is one of {', '.join(ENGINES)}, not {name!r}")
    if device and chosen != "torch":
        raise ValueError(f"device={device} needs engine=torch, not engine={chosen}")
    if chosen == "onnx":
        from janshi.agents.learned.engines.onnx import OnnxEngine

        return OnnxEngine(arrays, card)
    if chosen == "torch":
        from janshi.agents.learned.engines.torch import TorchEngine

        return TorchEngine(arrays, card, device or "cpu")
    from janshi.agents.learned.engines.numpy import NumpyEngine

    return NumpyEngine(arrays, card)
