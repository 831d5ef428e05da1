"""Measuring peers: each runs its script in an environment that has it, pinned to the same cores, and prints JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(__file__).resolve().parent / "peers"
PEERS_ENVIRONMENT = Path(os.environ.get("JANSHI_PEERS", ROOT / ".venv-peers"))
"""Where `make peers` installs RiichiEnv and mjai; the other peers are development dependencies."""


def _python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@cache
def interpreter(peer: str) -> str | None:
    """A Python that can import the peer, ours or the peers', or None; says so on stderr once if there is none."""
    for python in (Path(sys.executable), _python(PEERS_ENVIRONMENT)):
        if python.exists() and _can_import(str(python), peer):
            return str(python)
    print(f"missing peer: {peer} (make peers installs what we compare with)", file=sys.stderr)
    return None


def _can_import(python: str, package: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def ask(peer: str, work: str, seconds: float, data: Path | None = None) -> dict[str, Any] | None:
    """Measure one task of a peer: `{"peer", "version", "rate", "answers"}`, or None if it is missing or fails."""
    python = interpreter(peer)
    if python is None:
        return None
    command = [python, str(SCRIPTS / f"run_{peer}.py"), work, "--seconds", str(seconds)]
    done = subprocess.run(
        command + (["--data", str(data)] if data else []), capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode:
        print(f"peer {peer} failed at {work}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found
