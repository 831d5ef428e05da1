"""The comparison of benchmarks with an earlier version: ratios, and the page."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from script_modules import load_script


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("compare_benchmarks")


def test_ratios_say_how_many_times_as_good_this_version_is(script: ModuleType) -> None:
    rate = script.Compared("engine", "random play", "decisions/s", True, [100.0, 80.0], [150.0, 160.0])
    time = script.Compared("engine", "import", "s", False, [2.0, 3.0], [4.0, 3.0])
    assert rate.ratios == [1.5, 2.0]
    assert rate.ratio == 1.6
    assert time.ratios == [0.5, 1.0]
    assert time.ratio == pytest.approx(2 / 3)


def test_the_page_names_what_became_worse(script: ModuleType) -> None:
    worse = script.Compared("engine", "import", "s", False, [2.0], [4.0])
    equal = script.Compared("engine", "views", "views/s", True, [2e6], [2.1e6])
    text = script.page([worse, equal], "abc1234", 1, "python scripts/compare_benchmarks.py")
    assert "0 are better by more than 10% and 1 worse: engine, import." in text
    assert "| engine: views | views/s | 2 M | 2.1 M | 1.05 | 1.05 – 1.05 |" in text


def test_only_figures_that_both_versions_have_are_compared(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    def figures(folder, name):
        unit = {"views": "views/s", "to the fastest peer": "times", "new": "s"}
        names = ["views", "to the fastest peer"] if folder == tmp_path else list(unit)
        return [{"metric": one, "unit": unit[one], "ours": 2.0, "higher_is_better": True} for one in names]

    monkeypatch.setattr(script, "figures", figures)
    assert [one.metric for one in script.compare(tmp_path, "engine", 2)] == ["views"]


def test_bots_compile_before_the_first_turn(script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    ran = []
    monkeypatch.setattr(script, "unpack", lambda revision, folder: None)
    monkeypatch.setattr(script, "run", lambda folder, arguments, text="": ran.append((folder, arguments)))
    monkeypatch.setattr(script, "benchmarks_of", lambda folder: [])
    assert not list(script.measured([], "abc1234", 1))
    assert [arguments for _, arguments in ran] == [script.BOT] * 2
    assert ran[1][0] == script.ROOT


def test_a_bot_decides_in_the_turn_it_compiles_for(script: ModuleType) -> None:
    last = script.run(script.ROOT, script.BOT, script.first_turn()).splitlines()[-1]
    assert json.loads(last)["type"] == "dahai"
