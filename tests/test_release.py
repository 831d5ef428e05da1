"""The release: a wheel that is installed away from the checkout plays a game, opens the app and reads a record.

Kernels run as plain Python there: what is tested is that the package is whole, and compiling it would take a minute.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import janshi
from patience import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("pyproject.toml", "README.md", "LICENSE", "src")
MOST_BYTES = 22_000_000
PLAY = """
import sys
from janshi.agents.registry import make_agent
from janshi.records.formats import get_format
from janshi.records.recorder import Recorder
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table

table = Table(7, TENHOU_EAST)
agent, recorder = make_agent("greedy", table.game), Recorder(table, "abcd")
while not table.over:
    recorder.step({seat: agent.answer(table.view(seat)) for seat in table.asked} or None)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(get_format("mjlog").write(recorder.record()))
"""


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, built as `make dist` does."""
    place = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, place / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / part, place / part)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place / "dist", place)
    return place / "dist"


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs a program of an environment that holds the wheel and the packages it depends on, but not the checkout."""
    place = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "venv", "--without-pip", place / "venv")
    python = place / "venv" / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    environment = {**kept, "NUMBA_DISABLE_JIT": "1"}
    install = ("-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, *install, env=environment)
    (site,) = (place / "venv" / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def run_there(program: str, *arguments: str | Path) -> str:
        return run(place / "venv" / "bin" / program, *arguments, cwd=place, env=environment)

    run_there.place, run_there.environment = place, environment  # type: ignore[attr-defined]
    return run_there


def files_of_the_package() -> set[str]:
    """All files that belong to the package, as a wheel names them."""
    source = ROOT / "src"
    files = (path for path in (source / "janshi").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(source).as_posix() for path in files}


def test_the_wheel_and_the_sdist_hold_every_file(built: Path):
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    assert f"janshi-{janshi.__version__}-" in wheel.name
    assert files_of_the_package() <= set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        names = {name.partition("/src/")[2] for name in archive.getnames()}
    assert files_of_the_package() <= names
    assert max(wheel.stat().st_size, sdist.stat().st_size) < MOST_BYTES


def test_it_is_the_wheel_that_runs(installed: Callable[..., str]):
    place = installed("python", "-c", "import janshi; print(janshi.__file__)").strip()
    assert place.startswith(str(installed.place))  # type: ignore[attr-defined]
    assert installed("janshi", "--version").strip() == f"janshi {janshi.__version__}"


def test_it_plays_a_game_and_reads_its_record(installed: Callable[..., str], tmp_path: Path):
    record = tmp_path / "game.mjlog"
    installed("python", "-c", PLAY, record)
    assert "1 game" in installed("janshi", "records", "validate", record)


def test_it_watches_a_game(installed: Callable[..., str]):
    assert "Scores: search 1" in installed("janshi", "watch", "--rules", "simplified", "--seed", "3")


def test_it_opens_the_app(installed: Callable[..., str], tmp_path: Path):
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    place, environment = installed.place, installed.environment  # type: ignore[attr-defined]
    command = [place / "venv" / "bin" / "janshi", "web", "--no-warm", "--port", str(port), "--data", str(tmp_path)]
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert server.poll() is None, "the app ended"
        try:
            return httpx.get(url, timeout=PATIENCE).status_code == 200
        except httpx.TransportError:
            return False

    with subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            wait_until(answers, "the app answers")
            assert "<title>" in httpx.get(url, timeout=PATIENCE).text
            assert (
                httpx.get(f"{url}/js/main.js", timeout=PATIENCE).headers["content-type"].startswith("text/javascript")
            )
            assert httpx.get(f"{url}/api/players", timeout=PATIENCE).json()
        finally:
            server.terminate()
