"""The benchmarks: every script explains itself, and the engine's figures have the form others read."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = sorted(path for path in (ROOT / "benchmarks").glob("[a-z]*.py"))
PEERS = sorted((ROOT / "benchmarks" / "peers").glob("run_*.py"))


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_there_are_benchmarks_and_peers() -> None:
    assert ROOT / "benchmarks" / "engine.py" in BENCHMARKS
    assert len(PEERS) >= 4


HELP = """
import contextlib, io, json, runpy, sys
said = {}
for script in sys.argv[1:]:
    sys.argv, before = [script, "--help"], list(sys.path)
    sys.path.insert(0, script.rpartition("/")[0])
    with contextlib.redirect_stdout(io.StringIO()) as text:
        try:
            runpy.run_path(script, run_name="__main__")
            code = None
        except SystemExit as end:
            code = end.code
    sys.path[:] = before
    said[script] = [code, text.getvalue()]
print(json.dumps(said))
"""
"""Asks scripts for help, all in one process: most of the time of one is loading the engine."""


def test_scripts_explain_themselves() -> None:
    command = [sys.executable, "-c", HELP, *map(str, [*BENCHMARKS, *PEERS])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said) == len(BENCHMARKS) + len(PEERS)
    for script, (code, text) in said.items():
        assert code == 0, script
        assert text.startswith("usage: " + Path(script).name), script


def test_engine_prints_figures_as_json_and_nothing_else() -> None:
    done = run(ROOT / "benchmarks" / "engine.py", "--quick", "--json", "--metrics", "state", "import", "views")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert [figure["metric"] for figure in figures] == ["state of a table", "import janshi", "views"]
    for figure in figures:
        assert list(figure) == ["metric", "unit", "ours", "target", "higher_is_better", "peers"]
        assert isinstance(figure["metric"], str)
        assert isinstance(figure["unit"], str)
        assert isinstance(figure["ours"], int | float)
        assert figure["ours"] > 0
        assert figure["target"] is None or isinstance(figure["target"], int | float)
        assert isinstance(figure["higher_is_better"], bool)
        assert isinstance(figure["peers"], dict)
    assert figures[0]["ours"] <= figures[0]["target"] == 2048


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The command and report that benchmarks share, writing pages where a test may."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import _command
    import _report

    monkeypatch.setattr(_report, "PAGES", tmp_path)
    return Namespace(command_line=_command.command_line, report=_command.report, Figure=_report.Figure)


@pytest.mark.parametrize(
    ("arguments", "begins", "written"),
    [
        ([], "Title of the table", True),
        (["--quick"], "Title of the table", False),
        (["--metrics", "one"], "Title of the table", False),
        (["--json"], "[", False),
    ],
)
def test_only_a_whole_thorough_run_writes_its_page_and_says_so(
    benchmarks: Any, arguments: list[str], begins: str, written: bool, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    args = benchmarks.command_line("What it measures.", ["one", "two"]).parse_args(arguments)
    figures = [benchmarks.Figure("one", "s", 1.0)]
    benchmarks.report(args, "sample", "Title of the table", "Heading of the page", "Intro.", figures, {"peer": "1.2"})
    printed, page = capsys.readouterr().out, tmp_path / "sample.md"
    assert printed.startswith(begins)
    assert page.exists() == (f"written: {page}" in printed) == written
    if written:
        told = page.read_text(encoding="utf-8")
        assert told.startswith("# Heading of the page\n\nIntro.\n")
        assert "- Peers: peer 1.2\n" in told
        assert "python benchmarks/sample.py" in told


def test_metrics_are_offered_only_where_there_are_some(benchmarks: Any) -> None:
    assert "--metrics" not in benchmarks.command_line("What it measures.").format_help()
    assert "only some of one, two" in benchmarks.command_line("What it measures.", ["one", "two"]).format_help()


def test_unknown_metric_is_refused_by_name() -> None:
    done = run(ROOT / "benchmarks" / "engine.py", "--metrics", "colour")
    assert done.returncode == 2
    assert "'colour'" in done.stderr
    assert "shanten" in done.stderr


def test_missing_peers_are_named_and_do_no_harm() -> None:
    code = (
        "import sys; sys.path.insert(0, 'benchmarks')\n"
        "from _peers import ask\n"
        "print(ask('no_such_peer', 'play', 0.1), ask('no_such_peer', 'play', 0.1))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None None"
    assert done.stderr.count("missing peer: no_such_peer") == 1


def test_figures_of_a_missing_gpu_are_on_the_page_only(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys; sys.path.insert(0, 'benchmarks')\n"
        "import _report, luck\n"
        f"_report.PAGES = pathlib.Path({str(tmp_path)!r})\n"
        "luck.self_play = luck.shipped = luck.has_gpu = lambda *_: None\n"
        "luck.walking = luck.scoring = lambda *_: luck.Figure('core', 's', 1.0)\n"
        "luck.explained = lambda *_: []\n"
        "luck.main()"
    )
    printed, table = (
        subprocess.run([sys.executable, "-c", code, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for more in (["--json"], [])
    )
    assert [figure["metric"] for figure in json.loads(printed)] == ["core", "core"]
    page = (tmp_path / "luck.md").read_text(encoding="utf-8")
    assert "GPU" not in table
    assert "GPU" in page
    assert "measure_luck_gpu.py" in page


def test_samples_are_hands_and_wins() -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from _samples import random_hands, random_wins
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    hands = random_hands(500)
    assert (hands.sum(axis=1) == 14).all()
    assert hands.max() <= 4
    wins = random_wins(200)
    assert len(wins.records) == len(wins.shown) == len(wins.paid) == 200
    assert min(wins.paid) > 0
    assert any(win["melds"] for win in wins.shown)


@pytest.mark.parametrize(("peer", "work"), [("xiangting", "shanten"), ("mahjong", "scores")])
def test_peer_in_our_environment_gives_our_answers(peer: str, work: str, tmp_path: Path) -> None:
    pytest.importorskip(peer)
    code = f"""
import json, sys; sys.path.insert(0, 'benchmarks')
import numpy as np
from pathlib import Path
from _peers import ask
from _samples import random_hands, random_wins
from janshi.core.shanten import shanten_batch
from janshi.core.tables import load_tables
hands, wins = random_hands(200), random_wins(200)
away = np.zeros(200, np.int8)
shanten_batch(hands, np.zeros(200, np.uint8), load_tables(), away)
path = Path({str(tmp_path)!r}) / 'sample.json'
path.write_text(json.dumps({{'hands': hands.tolist(), 'wins': wins.shown}}))
found = ask({peer!r}, {work!r}, 0.1, path)
print(found['answers'] == {{'shanten': away.tolist(), 'scores': wins.paid}}[{work!r}], found['rate'] > 0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True True", done.stderr
