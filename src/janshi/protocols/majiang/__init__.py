"""kobalab's majiang-ai, a third-party riichi player in JavaScript, as an mjai player.

The package ships a small adapter for Node (the scripts next to this file). majiang-ai itself (MIT licence) is
fetched from npm at first use, in exactly the versions of the lock file, and kept in the user's cache directory.

>>> from janshi.protocols import majiang
>>> majiang.VERSION
'1.0.13'

`python -m janshi.protocols.majiang` installs it and prints the command that starts it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from janshi.core._kernel_cache import cache_root

ADAPTER: Final = Path(__file__).resolve().parent
"""The folder of the adapter and its lists of packages."""
PACKAGE: Final = "@kobalab/majiang-ai"
VERSION: Final[str] = json.loads((ADAPTER / "package.json").read_text("utf-8"))["dependencies"][PACKAGE]
"""The release of majiang-ai that plays."""
LOCKED: Final = ("package.json", "package-lock.json")
LEAST_NODE: Final = 18
"""The oldest release of Node the adapter runs on."""
INSTALL_SECONDS: Final = 300


class MajiangError(RuntimeError):
    """majiang-ai cannot be installed or started: says what is missing."""


def available() -> str | None:
    """Why majiang-ai cannot be used here; None if it can, though it may have to be installed first."""
    try:
        _node()
        if not is_installed():
            _npm()
    except MajiangError as missing:
        return str(missing)
    return None


def command() -> list[str]:
    """The command that starts majiang-ai as an mjai player of one seat; installs it first if necessary."""
    return [_node(), str(ADAPTER / "adapter.mjs"), str(install())]


def is_installed() -> bool:
    """Whether majiang-ai, in the locked versions, is in the cache directory."""
    return folder().is_dir()


def folder() -> Path:
    """Where the npm packages of this lock file are kept: their own folder in the cache directory."""
    digest = hashlib.sha256(b"".join((ADAPTER / name).read_bytes() for name in LOCKED)).hexdigest()
    root = cache_root() if os.environ.get("JANSHI_CACHE_DIR") else cache_root().parent
    return root / "majiang" / digest[:16]


def install() -> Path:
    """Install the npm packages, all or none, unless they are installed, and return their folder."""
    target = folder()
    if target.is_dir():
        return target
    npm = _npm()
    print(f"Installing {PACKAGE} {VERSION} (once) ...", file=sys.stderr, flush=True)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=target.parent) as made:
            fresh = Path(made) / "packages"
            _fetch(npm, fresh)
            _move(fresh, target)
    except OSError as wrong:
        raise MajiangError(f"majiang-ai could not be installed in {target}: {wrong}") from wrong
    return target


def _fetch(npm: str, fresh: Path) -> None:
    """Let npm install what the lock file names, checked against its checksums; no package runs a script."""
    fresh.mkdir()
    for name in LOCKED:
        shutil.copyfile(ADAPTER / name, fresh / name)
    order = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        done = subprocess.run(
            order, cwd=fresh, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise MajiangError(f"npm did not install {PACKAGE} {VERSION} within {INSTALL_SECONDS} s") from None
    if done.returncode or not (fresh / "node_modules" / PACKAGE).is_dir():
        reason = (done.stderr or done.stdout).strip() or f"it exited with status {done.returncode}"
        raise MajiangError(f"npm could not install {PACKAGE} {VERSION}: {reason}")


def _move(fresh: Path, target: Path) -> None:
    """Put a finished folder in its place; another process may have been first."""
    try:
        fresh.rename(target)
    except OSError:
        if not target.is_dir():
            raise


@cache
def _node_version(node: str) -> str:
    try:
        return subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise MajiangError(f"majiang-ai needs Node, but {node} does not run: {wrong}") from wrong


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise MajiangError(f"majiang-ai needs Node {LEAST_NODE} or newer: no program `node` was found on the PATH")
    version = _node_version(node)
    major = version.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < LEAST_NODE:
        raise MajiangError(f"majiang-ai needs Node {LEAST_NODE} or newer: {node} is {version or 'of unknown version'}")
    return node


def _npm() -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise MajiangError(f"npm is needed once to install {PACKAGE}: no program `npm` was found on the PATH")
    return npm


def main() -> None:
    """Install majiang-ai and print the command that starts it."""
    try:
        print(shlex.join(command()))
    except MajiangError as wrong:
        raise SystemExit(f"error: {wrong}") from None
