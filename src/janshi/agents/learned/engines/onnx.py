"""The network in ONNX Runtime, as a graph built from the exported weights.

ONNX Runtime chooses its matrix kernels for the processor; it is nearly twice as fast as NumPy's BLAS on processors
that the BLAS does not know (`docs/benchmarks/network.md`). `graph` can also be saved for other programs that read
ONNX.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.learned.engines import Array, Scores
from janshi.agents.learned.engines.blocks import neighbours
from janshi.agents.learned.engines.numpy import SECTIONS, first_tokens, input_weights
from janshi.core.tiles import NUM_KINDS
from janshi.rules.riichi.state import PLAYERS

OPSET: Final = 17
IR_VERSION: Final = 8
"""Old enough for all recent releases of ONNX Runtime."""
ROWS: Final = {
    "tile": (0, NUM_KINDS),
    "player": (NUM_KINDS, NUM_KINDS + PLAYERS),
    "game": (NUM_KINDS + PLAYERS, NUM_KINDS + PLAYERS + 1),
    "question": (NUM_KINDS + PLAYERS + 1, NUM_KINDS + PLAYERS + 2),
}
"""The tokens of each section."""


class OnnxEngine:
    """Computes the network with ONNX Runtime, on one core."""

    def __init__(self, arrays: dict[str, Array], card: dict[str, Any]) -> None:
        try:
            import onnx  # noqa: F401
            import onnxruntime
        except ImportError:
            raise ValueError("engine=onnx needs ONNX Runtime: pip install 'janshi[onnx]'") from None
        self._place, self._weights = arrays["place"], input_weights(arrays)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        content = graph(arrays, card).SerializeToString()
        self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def scores(self, packed: Array) -> Scores:
        """The network's numbers for packed positions."""
        x = first_tokens(packed, self._place, self._weights)
        tiles, players, game, question = self._session.run(None, {"tokens": x})
        return Scores(tiles, players, game[:, 0], question[:, 0])


def graph(arrays: dict[str, Array], card: dict[str, Any]) -> Any:
    """The ONNX model: from the tokens before the first block, `tokens`, to the outputs of each section."""
    from onnx import TensorProto, checker, helper

    made, x = _Graph(), "tokens"
    for i in range(int(card["config"]["blocks"])):
        block = {name.rpartition(".")[0]: array for name, array in arrays.items() if name.endswith(f".{i}")}
        x = _block(made, block, x, int(card["config"]["heads"]))
    x = _normed(made, x, arrays["last"])
    for name in SECTIONS:
        first, end = ROWS[name]
        rows = made.add("Slice", x, np.array([first]), np.array([end]), np.array([1]))
        product = made.add("MatMul", rows, arrays[f"{name}_out"])
        made.add("Add", product, arrays[f"{name}_out_bias"], names=[name])
    floats = TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info("tokens", floats, ["m", *arrays["place"].shape])]
    outputs = [helper.make_tensor_value_info(name, floats, ["m", None, None]) for name in SECTIONS]
    whole = helper.make_graph(made.nodes, "riichi", inputs, outputs, made.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    checker.check_model(model)
    return model


class _Graph:
    """Nodes and constants, named as they are added."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str | Array, names: list[str] | None = None, outputs: int = 1, **how: Any) -> Any:
        """Add a node; returns the name of its output, or a list of names."""
        from onnx import helper

        given = [one if isinstance(one, str) else self._constant(np.asarray(one)) for one in inputs]
        made = names or [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, given, made, **how))
        return made[0] if len(made) == 1 else made

    def _constant(self, array: Array) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name


def _block(g: _Graph, a: dict[str, Array], x: str, heads: int) -> str:
    """Attention, then the feed-forward part."""
    tokens, width = a["places"].shape[1], len(a["before_attention"])
    mixed = g.add("MatMul", _normed(g, x, a["before_attention"]), a["query_key_value"])
    split = g.add("Reshape", mixed, np.array([-1, tokens, 3 * heads, width // heads]))
    q, k, v = g.add("Split", g.add("Transpose", split, perm=[0, 2, 1, 3]), np.array([heads] * 3), outputs=3, axis=1)
    scores = g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2]))
    scores = g.add("Mul", scores, np.asarray((width // heads) ** -0.5, np.float32))
    shares = g.add("Softmax", g.add("Add", scores, a["places"]), axis=-1)
    attended = g.add("Transpose", g.add("MatMul", shares, v), perm=[0, 2, 1, 3])
    joined = g.add("MatMul", g.add("Reshape", attended, np.array([-1, tokens, width])), a["joined"])
    x = g.add("Add", x, joined)
    part = width // 4
    pieces = g.add(
        "Split", _normed(g, x, a["before_inner"]), np.array([part, part, width - 2 * part]), outputs=3, axis=2
    )
    ups, downs = g.add("MatMul", neighbours(-1), pieces[0]), g.add("MatMul", neighbours(1), pieces[1])
    y = g.add("Concat", ups, downs, pieces[2], axis=2)
    hidden = g.add("Relu", g.add("Add", g.add("MatMul", y, a["first"]), a["first_bias"]))
    worked = g.add("MatMul", g.add("Mul", hidden, hidden), a["second"])
    return str(g.add("Add", x, g.add("Add", worked, a["second_bias"])))


def _normed(g: _Graph, x: str, scale: Array) -> str:
    """Each row divided by its root mean square, times a scale."""
    mean = g.add("ReduceMean", g.add("Mul", x, x), axes=[-1])
    root = g.add("Sqrt", g.add("Add", mean, np.asarray(np.finfo(np.float32).eps)))
    return str(g.add("Mul", g.add("Div", x, root), scale))
