"""The riichi network for ONNX Runtime, built from exported weights, to compare it with our own path."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from janshi.agents.learned.tokens import TokenNetwork, add_inputs
from janshi.core.tiles import NUM_KINDS, RANKS, SUITS
from janshi.rules.game import Array

OPSET = 17
PARTS = {"tile": (0, NUM_KINDS), "player": (NUM_KINDS, NUM_KINDS + 4), "game": (38, 39), "question": (39, 40)}


class _Graph:
    """Nodes and constants of a graph, named as they are added."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: Array) -> str:
        """Add a constant; its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def do(self, kind: str, *inputs: str | Array, outputs: int = 1, **options: Any) -> Any:
        """Add a node; the name of its output, or names."""
        names = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        made = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, names, made, **options))
        return made[0] if outputs == 1 else made


def session(network: TokenNetwork) -> Any:
    """ONNX Runtime's session of a network on one thread: from tokens before the first block to its outputs."""
    arrays, config = network.arrays, network.card["config"]
    graph = _Graph()
    x = "tokens"
    for i in range(int(config["blocks"])):
        x = _block(graph, {name.rpartition(".")[0]: a for name, a in arrays.items() if name.endswith(f".{i}")}, x,
                   int(config["heads"]))  # fmt: skip
    x = _normed(graph, x, arrays["last"])
    outputs = []
    for part, (first, end) in PARTS.items():
        rows = graph.do("Slice", x, _ints(first), _ints(end), _ints(1))  # along the tokens
        outputs.append(graph.do("Add", graph.do("MatMul", rows, arrays[f"{part}_out"]), arrays[f"{part}_out_bias"]))
    shape = ["m", *arrays["place"].shape]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "riichi",
            [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["m", None, None]) for name in outputs],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
    )
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def ask(made: Any, network: TokenNetwork, packed: Array) -> list[Array]:
    """What ONNX Runtime answers to packed positions: scores of tiles, players, the game and the question."""
    x = np.repeat(network.arrays["place"][None], len(packed), 0)
    add_inputs(packed["inputs"], packed["count"], network.input_weights, x)
    return list(made.run(None, {"tokens": x}))


def _block(graph: _Graph, a: dict[str, Array], x: str, heads: int) -> str:
    """Attention and the feed-forward part."""
    tokens, width = a["places"].shape[1], len(a["before_attention"])
    mixed = graph.do("MatMul", _normed(graph, x, a["before_attention"]), a["query_key_value"])
    split = graph.do("Reshape", mixed, np.array([-1, tokens, 3 * heads, width // heads]))
    turned = graph.do("Transpose", split, perm=[0, 2, 1, 3])
    q, k, v = graph.do("Split", turned, np.array([heads] * 3), outputs=3, axis=1)
    scores = graph.do("MatMul", q, graph.do("Transpose", k, perm=[0, 1, 3, 2]))
    scores = graph.do("Mul", scores, np.float32((width // heads) ** -0.5))
    shares = graph.do("Softmax", graph.do("Add", scores, a["places"]), axis=-1)
    joined = graph.do("Transpose", graph.do("MatMul", shares, v), perm=[0, 2, 1, 3])
    joined = graph.do("MatMul", graph.do("Reshape", joined, np.array([-1, tokens, width])), a["joined"])
    x = graph.do("Add", x, joined)
    y = _shifted(graph, _normed(graph, x, a["before_inner"]), width // 4)
    hidden = graph.do("Relu", graph.do("Add", graph.do("MatMul", y, a["first"]), a["first_bias"]))
    hidden = graph.do("Mul", hidden, hidden)
    return str(graph.do("Add", x, graph.do("Add", graph.do("MatMul", hidden, a["second"]), a["second_bias"])))


def _normed(graph: _Graph, x: str, scale: Array) -> str:
    """Each row divided by its root mean square, times a scale."""
    mean = graph.do("ReduceMean", graph.do("Mul", x, x), axes=[-1])
    root = graph.do("Sqrt", graph.do("Add", mean, np.finfo(np.float32).eps))
    return str(graph.do("Mul", graph.do("Div", x, root), scale))


def _shifted(graph: _Graph, y: str, part: int) -> str:
    """The first part of each suit's tokens one rank up and the second one rank down; zero beyond."""
    up, down, rest = graph.do("Split", y, np.array([part, part, 2 * part]), outputs=3, axis=2)
    up = graph.do("MatMul", _moves(-1), up)
    down = graph.do("MatMul", _moves(1), down)
    return str(graph.do("Concat", up, down, rest, axis=2))


def _moves(by: int) -> Array:
    """The matrix that gives each tile token what the one `by` ranks away holds."""
    moves = np.zeros((NUM_KINDS + 6, NUM_KINDS + 6), np.float32)
    for kind in range(SUITS * RANKS):
        if 0 <= kind % RANKS + by < RANKS:
            moves[kind, kind + by] = 1
    return moves


def _ints(value: int) -> Array:
    return np.array([value], np.int64)
