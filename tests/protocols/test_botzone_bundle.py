"""An agent in one file: it plays where this package is not installed, with Numba and without, as the agent itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.protocols.botzone.bundle import bundle_text, needed_files, write_bundle
from janshi.protocols.botzone.judge import Played, play_hand
from janshi.protocols.botzone.player import make_player
from janshi.protocols.botzone.process import BotzoneProcessBot, event_dicts
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.table import Table
from patience import PATIENCE

START = """
import runpy, sys
sys.path[:0] = [{packages!r}]
try:
    import janshi
    sys.exit("this package can be imported")
except ImportError:
    pass
sys.argv = [{bot!r}, *sys.argv[1:]]
runpy.run_path({bot!r}, run_name="__main__")
if {report!r}:
    print("numba" in sys.modules, file=sys.stderr)
"""
BUNDLES = "cache/bundles"
COMMON = ("numpy", "numpy.libs")
COMPILER = ("numba", "llvmlite", "llvmlite.libs")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders that hold NumPy alone, and NumPy and Numba."""
    folders = {}
    for name, wanted in (("plain", COMMON), ("numba", COMMON + COMPILER)):
        folders[name] = tmp_path_factory.mktemp(name)
        for package in wanted:
            origin = find_spec(package.partition(".")[0]).origin  # type: ignore[union-attr]
            real = Path(str(origin)).parent.parent / package
            if real.exists():
                (folders[name] / package).symlink_to(real)
    return folders


def isolated(bot: Path, folder: Path, report: bool = False) -> list[str]:
    """The command that runs a bot with nothing but the standard library and the packages in a folder."""
    start = bot.with_suffix(".start.py")
    start.write_text(START.format(packages=str(folder), bot=str(bot), report=report))
    return [sys.executable, "-I", "-S", str(start)]


@pytest.fixture(scope="module")
def game() -> list[Played]:
    """A game of greedy agents with a win or many turns, by turn and seat."""
    return play_hand([make_player("greedy") for _ in range(4)], Table(seed=11)).turns


def run(command: Sequence[str], text: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "JANSHI_CACHE_DIR": str(folder / "cache"), **settings}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=folder, env=environment, timeout=PATIENCE, check=False
    )


def answers(output: str) -> list[str]:
    return [line for line in output.splitlines() if not line.startswith(">>>")]


def test_the_bundle_plays_alone_as_the_agent_does(packages: dict[str, Path], game: list[Played], tmp_path: Path):
    bot = tmp_path / "bot.py"
    size = write_bundle("greedy", bot, io="simple")
    assert size == bot.stat().st_size < 400_000
    text = "1\n" + "\n".join(turn.requests[2] for turn in game) + "\n"
    done = run(isolated(bot, packages["plain"], report=True), text, tmp_path)
    assert done.returncode == 0, done.stderr
    assert answers(done.stdout) == [turn.answers[2] for turn in game]
    assert done.stderr.split()[-1] == "False"


@pytest.fixture
def compiled(pytestconfig: pytest.Config, tmp_path: Path) -> Path:
    """A folder whose cache stays from run to run, as that of the package's own kernels does: compiling takes 12 s.

    There are kernels of a few versions in it, none of them marked as complete.
    """
    kept = getattr(pytestconfig, "cache", None)
    if kept is None:  # pytest keeps nothing
        return tmp_path
    folder = Path(kept.mkdir("bundle"))
    for mark in folder.glob(f"{BUNDLES}/*/compiled"):
        mark.unlink()
    versions = sorted(folder.glob(f"{BUNDLES}/*"), key=lambda path: path.stat().st_mtime)
    for old in versions[:-5]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def test_the_bundle_uses_numba_when_it_has_compiled(
    packages: dict[str, Path], game: list[Played], tmp_path: Path, compiled: Path
):
    bot = tmp_path / "bot.py"
    write_bundle("random", bot, io="simple")
    command = isolated(bot, packages["numba"], report=True)
    text = f"1\n{game[0].requests[2]}\n{game[1].requests[2]}\n"
    run(command, "", tmp_path, JANSHI_BUNDLE_NUMBA="always")
    assert [*tmp_path.glob(f"{BUNDLES}/*/janshi/__init__.py")], "the package is laid out in files"
    before = run(command, text, compiled)
    assert (before.returncode, before.stderr.split()[-1]) == (0, "False"), before.stderr
    done = run([*command, "--compile"], "", compiled)
    assert done.returncode == 0, done.stderr
    assert "request 12 of 12" in done.stderr
    whole = "1\n" + "\n".join(turn.requests[2] for turn in game[:30]) + "\n"
    after = run(command, whole, compiled)
    assert (after.returncode, after.stderr.split()[-1]) == (0, "True"), after.stderr
    never = run(command, whole, compiled, JANSHI_BUNDLE_NUMBA="never")
    assert never.stderr.split()[-1] == "False"
    assert answers(never.stdout) == answers(after.stdout)


def test_a_bundle_at_our_table(packages: dict[str, Path], tmp_path: Path):
    bot = tmp_path / "bot.py"
    write_bundle("greedy", bot, io="json")
    seat, table = 1, Table(seed=4)
    process = BotzoneProcessBot(isolated(bot, packages["plain"]), io="json", keep_running=True, seconds=PATIENCE)
    others, recorder, told = KernelPlayer("greedy", 1), Recorder(table), 0
    process.begin(table, seat, "abcd")
    asked = 0
    while not table.hand_over:
        process.tell(event_dicts(recorder.events[told:]))
        told = len(recorder.events)
        answers = {p: others(table, p) for p in table.asked if p != seat}
        if seat in table.asked:
            answers[seat] = process.ask(table, seat)
            asked += 1
        recorder.step(answers)
    process.close()
    assert asked > 5


def test_bundles_are_the_same_every_time():
    assert bundle_text("greedy") == bundle_text("greedy")
    assert bundle_text("greedy") != bundle_text("greedy", keep_running=False)


def test_other_games_are_left_out():
    names = [path.as_posix() for path in needed_files("greedy")]
    assert not [name for name in names if "/riichi/" in name or "/simplified/" in name]
    assert any(name.endswith("shanten.npz") for name in names)


def test_what_cannot_be_bundled_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="no agent is called"):
        write_bundle("nobody", tmp_path / "bot.py")
    with pytest.raises(ValueError, match="only agents of the registry"):
        write_bundle("mine.Bold", tmp_path / "bot.py")
    with pytest.raises(ValueError, match="json or simple"):
        write_bundle("greedy", tmp_path / "bot.py", io="xml")
    assert not list(tmp_path.iterdir())


# --- the command line


def test_bundle_command(tmp_path: Path):
    out = tmp_path / "new" / "bot.py"
    done = CliRunner().invoke(app, ["bot", "bundle", "--agent", "random", "--out", str(out), "--restart"])
    assert done.exit_code == 0, done.output
    assert "KEEP_RUNNING = False" in out.read_text()
    wrong = CliRunner().invoke(app, ["bot", "bundle", "--agent", "nobody", "--out", str(out)])
    assert wrong.exit_code == 2
    assert "no agent is called 'nobody'" in wrong.output


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        (["--io", "simple"], "2\n0 1 0\nPASS\n1 0 0 0 0 W1 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 W9 W9\n", ["PASS"]),
        ([], '{"requests": ["0 1 0"], "responses": []}\n', ['{"response": "PASS"}']),
        (["--keep-running"], '{"requests": ["0 1 0"]}\n"0 2 0"\n0 3 0\n', ['{"response": "PASS"}'] * 3),
    ],
)
def test_botzone_command(options: list[str], text: str, expected: list[str], tmp_path: Path):
    command = [sys.executable, "-m", "janshi", "bot", "botzone", "--agent", "greedy", *options]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert answers(done.stdout) == expected


@pytest.mark.parametrize("text", ["", "x\n", "1\n2 W1\n", "1\n9 9\n"])
def test_botzone_command_says_what_is_wrong_with_its_input(text: str):
    command = [sys.executable, "-m", "janshi", "bot", "botzone", "--agent", "greedy", "--io", "simple"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "janshi bot botzone:" in done.stderr
    assert "Traceback" not in done.stderr
