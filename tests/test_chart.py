"""Charts of the documentation are well-formed SVG that show every line, the same at every run."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from script_modules import load_script

pytest.importorskip("matplotlib", reason="charts of the documentation need matplotlib")


def test_chart_shows_every_line_and_its_name():
    c = load_script("_chart")
    x, y = c.Axis("turn <1>", 0, 10, [0, 5, 10]), c.Axis("AUC", 0.5, 1, [0.5, 1])
    lines = [c.Line("model", [(0, 0.5), (5, 0.5), (10, 1)]), c.Line("perfect", [(0, 0.5), (10, 1)], True)]
    text = c.chart("A & B", x, y, lines)
    root = ElementTree.fromstring(text)
    drawn = [root.find(f".//{{*}}g[@id='line-{number}']/{{*}}path") for number in range(len(lines))]
    assert [path.get("d").count("L") for path in drawn] == [2, 1]
    assert "stroke-dasharray" in drawn[1].get("style")
    assert {"A & B", "turn <1>", "AUC", "model", "perfect"} <= {node.text for node in root.findall(".//{*}text")}
    assert c.chart("A & B", x, y, lines) == text
