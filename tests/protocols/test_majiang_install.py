"""Installing majiang-ai: into the cache directory, all or nothing, with errors that say what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from janshi.protocols import majiang
from patience import PATIENCE

NODE = '#!/bin/sh\necho "$VERSION_OF_NODE"\n'
NPM_INSTALLS = "#!/bin/sh\nmkdir -p node_modules/@kobalab/majiang-ai\n"
NPM_FAILS = "#!/bin/sh\nmkdir -p node_modules/@kobalab\necho 'npm error no such thing' >&2\nexit 1\n"
NPM_STOPS_SHORT = "#!/bin/sh\nmkdir -p node_modules/@kobalab\n"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the only programs to be found beside the system's, and an empty cache directory."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "mkdir"):
        (folder / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("JANSHI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("VERSION_OF_NODE", "v20.1.0")
    return folder


def put(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_names_missing_programs(programs: Path):
    assert "no program `node`" in (majiang.available() or "")
    with pytest.raises(majiang.MajiangError, match="Node 18 or newer"):
        majiang.command()
    put(programs, "node", NODE)
    assert "no program `npm`" in (majiang.available() or "")
    put(programs, "npm", NPM_INSTALLS)
    assert majiang.available() is None


def test_refuses_an_old_node(programs: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VERSION_OF_NODE", "v12.22.9")
    put(programs, "node", NODE)
    with pytest.raises(majiang.MajiangError, match=r"Node 18 or newer: .* is v12\.22\.9"):
        majiang.command()


def test_installs_once_into_the_cache_directory(programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    put(programs, "node", NODE)
    put(programs, "npm", NPM_INSTALLS)
    node, adapter, folder = majiang.command()
    assert node == str(programs / "node")
    assert Path(adapter).name == "adapter.mjs"
    assert Path(folder).parent == tmp_path / "cache" / "majiang"
    assert (Path(folder) / "package-lock.json").exists()
    assert majiang.VERSION in capsys.readouterr().err
    put(programs, "npm", NPM_FAILS)
    assert majiang.command() == [node, adapter, folder]


@pytest.mark.parametrize(("npm", "told"), [(NPM_FAILS, "npm error no such thing"), (NPM_STOPS_SHORT, "status 0")])
def test_leaves_nothing_behind_when_npm_fails(programs: Path, tmp_path: Path, npm: str, told: str):
    put(programs, "node", NODE)
    put(programs, "npm", npm)
    with pytest.raises(majiang.MajiangError, match=told):
        majiang.command()
    assert list((tmp_path / "cache" / "majiang").iterdir()) == []
    assert not majiang.is_installed()


def test_says_why_the_cache_directory_cannot_be_written(programs: Path, tmp_path: Path):
    put(programs, "node", NODE)
    put(programs, "npm", NPM_INSTALLS)
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    with pytest.raises(majiang.MajiangError, match="could not be installed in"):
        majiang.command()


def test_program_ends_with_a_message(programs: Path):
    order = [sys.executable, "-m", "janshi.protocols.majiang"]
    done = subprocess.run(order, env=dict(os.environ), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stderr.startswith("error: majiang-ai needs Node")


def test_versions_are_pinned_and_checksummed():
    wanted = json.loads((majiang.ADAPTER / "package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads((majiang.ADAPTER / "package-lock.json").read_text("utf-8"))["packages"]
    packages = {name.removeprefix("node_modules/"): entry for name, entry in locked.items() if name}
    assert {name: entry["version"] for name, entry in packages.items()} == wanted
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
