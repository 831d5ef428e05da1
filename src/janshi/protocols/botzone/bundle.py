"""An agent and everything it needs from this package in one Python file, ready to submit to Botzone.

The file holds the modules that the agent and the protocol import, and their tables, packed as text; see
`submission.py`, which is its head. The weights of a network are too large for that: they go into a file next to it, for
upload to the user's storage space, which bots see as the folder `data`.
"""

from __future__ import annotations

import ast
import base64
import io
import lzma
import textwrap
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from janshi.agents.registry import AGENTS, make_agent
from janshi.core.files import write_whole
from janshi.protocols.botzone import submission
from janshi.protocols.botzone.io import FORMS
from janshi.rules.guobiao.family import FAMILY
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.registry import BUILT_IN

PACKAGE: Final = Path(__file__).resolve().parents[2]
ROOTS: Final = (
    "janshi.protocols.botzone.io",
    "janshi.protocols.botzone.player",
    "janshi.rules.guobiao.family",
)
"""The modules a bundle starts from; everything they import is included."""
OTHER_GAMES: Final = tuple(name for name in BUILT_IN if name != FAMILY.name)
"""Rule sets whose modules are left out if they are imported only on demand."""
DATA: Final = (".npz", ".npy", ".sha256", ".json")
WIDTH: Final = 116
_STAMP: Final = (1980, 1, 1, 0, 0, 0)


def write_bundle(agent: str, out: Path, *, io: str = "json", keep_running: bool = True, seed: int = 0) -> int:
    """Write the bot's file, and its weights if it has any; returns its size in bytes.

    Raises `ValueError` for an agent that cannot be bundled.
    """
    content = bundle_text(agent, form=io, keep_running=keep_running, seed=seed).encode()
    weights = weights_of(agent)
    if weights is not None:
        copy = weights_beside(weights, out)
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_whole(copy, weights.read_bytes())
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, content)
    return len(content)


def weights_of(agent: str) -> Path | None:
    """The file with an agent's weights, if it has one."""
    return getattr(make_agent(agent, GuobiaoGame()), "file", None)


def weights_beside(weights: Path, out: Path) -> Path:
    """Where the weights of a bundle go."""
    return out.parent / "data" / weights.name


def on_botzone(agent: str) -> str:
    """An agent's label as the bundle has it: a file of weights by its name alone."""
    name, colon, options = agent.partition(":")
    parts = [f"file={Path(part[5:]).name}" if part.startswith("file=") else part for part in options.split(",")]
    return name + colon + ",".join(parts)


def bundle_text(agent: str, *, form: str = "json", keep_running: bool = True, seed: int = 0) -> str:
    """The text of the bot's file."""
    if form not in FORMS:
        raise ValueError(f"io is {' or '.join(FORMS)}, not {form!r}")
    if agent.partition(":")[0] not in AGENTS and "." in agent:
        raise ValueError(f"agent {agent!r} is not of this package: only agents of the registry can be bundled")
    make_agent(agent, GuobiaoGame())
    head = Path(submission.__file__).read_text(encoding="utf-8")
    settings = {
        'AGENT = "greedy"': f"AGENT = {on_botzone(agent)!r}",
        'FORM = "json"': f"FORM = {form!r}",
        "KEEP_RUNNING = False": f"KEEP_RUNNING = {keep_running!r}",
        "SEED = 0": f"SEED = {seed!r}",
        'PACKED = ""': f'PACKED = """\n{pack(agent)}\n"""',
    }
    for before, after in settings.items():
        assert head.count(f"\n{before}\n") == 1, before
        head = head.replace(f"\n{before}\n", f"\n{after}\n")
    return (
        f"#!/usr/bin/env python3\n# Janshi's agent {on_botzone(agent)} for Botzone's Chinese standard mahjong.\n{head}"
    )


def pack(agent: str) -> str:
    """The package's files that an agent needs, as lines of text: the same files give the same text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for path in needed_files(agent):
            name = path.relative_to(PACKAGE.parent).as_posix()
            packed.writestr(zipfile.ZipInfo(name, _STAMP), path.read_bytes())
    text = base64.b85encode(lzma.compress(buffer.getvalue(), preset=9 | lzma.PRESET_EXTREME)).decode()
    return "\n".join(textwrap.wrap(text, WIDTH, break_on_hyphens=False))


def needed_files(agent: str) -> list[Path]:
    """Modules that the protocol and an agent import, directly or not, and the tables beside them."""
    waiting = [*ROOTS, AGENTS[agent.partition(":")[0]].path.partition(":")[0]]
    found: dict[str, Path] = {}
    while waiting:
        name = waiting.pop()
        path = module_path(name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += [name.rpartition(".")[0], *imports_of(path)]
        if name.endswith(".families"):  # the records of a layer, which are found by the family's name
            waiting.append(f"{name}.{FAMILY.name}")
    data = {
        beside
        for path in found.values()
        for beside in path.parent.iterdir()
        if beside.suffix in DATA and _is_package(path)
    }
    return sorted({*found.values(), *data})


def _is_package(path: Path) -> bool:
    return path.name == "__init__.py"


def module_path(name: str) -> Path | None:
    """The source file of one of our modules."""
    if name != PACKAGE.name and not name.startswith(PACKAGE.name + "."):
        return None
    base = PACKAGE.parent.joinpath(*name.split("."))
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def imports_of(path: Path) -> Iterator[str]:
    """Names that a source file imports: modules, or names in modules. Not what is only for type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = {id(node) for node in tree.body}
    checked = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in checked:
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        yield from (name for name in names if id(node) in at_top or not _of_other_games(name))


def _of_other_games(name: str) -> bool:
    return any(part in OTHER_GAMES or part.endswith(OTHER_GAMES) for part in name.split("."))
