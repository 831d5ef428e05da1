"""Charts are well-formed SVG that show every line."""

from __future__ import annotations

from xml.etree import ElementTree

from janshi.models.plot import Axis, Line, chart


def test_chart():
    x, y = Axis("turn <1>", 0, 10, [0, 5, 10]), Axis("AUC", 0.5, 1, [0.5, 1])
    text = chart("A & B", x, y, [Line("model", [(0, 0.5), (10, 1)]), Line("perfect", [(0, 0.5), (10, 1)], True)])
    root = ElementTree.fromstring(text)
    lines = root.findall("{*}polyline")
    assert [line.get("points") for line in lines] == ["52.0,236.0 408.0,28.0"] * 2
    assert len(root.findall("{*}circle")) == 2
    assert {"A & B", "turn <1>", "model", "perfect"} <= {node.text for node in root.findall("{*}text")}
