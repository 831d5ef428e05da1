"""Charts are well-formed SVG that show every line."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from janshi.fitting.chart import Axis, Line, chart


def test_chart():
    x, y = Axis("turn <1>", 0, 10, [0, 5, 10]), Axis("AUC", 0.5, 1, [0.5, 1])
    text = chart("A & B", x, y, [Line("model", [(0, 0.5), (10, 1)]), Line("perfect", [(0, 0.5), (10, 1)], True)])
    root = ElementTree.fromstring(text)
    lines = root.findall("{*}polyline")
    assert [line.get("points") for line in lines] == ["52.0,236.0 408.0,28.0"] * 2
    assert len(root.findall("{*}circle")) == 2
    assert {"A & B", "turn <1>", "model", "perfect"} <= {node.text for node in root.findall("{*}text")}


def test_the_legend_keeps_out_of_the_way() -> None:
    axis = Axis("", 0, 10, [0, 10])
    falling = Line("falling", [(0, 10), (2, 9), (5, 1), (10, 0)])  # leaves the upper right free
    arch = Line("an arch", [(0, 0), (2, 0), (2, 10), (10, 10)])  # leaves the lower right free
    places = []
    for line in (falling, arch):
        text = chart("a", axis, axis, [line])
        found = re.search(rf'<text x="([\d.]+)" y="([\d.]+)">{line.name}</text>', text)
        assert found is not None
        places.append((float(found[1]), float(found[2])))
    assert places[0][0] > 250
    assert places[1][0] > 250
    assert places[0][1] < 60 < 200 < places[1][1]
