"""One of Janshi's agents as a bot for Botzone, in one file: see the page Botzone of Janshi's documentation.

It needs Python 3.11 or newer and NumPy. It plays as plain Python; once `python bot.py --compile` has compiled its
kernels, it uses Numba. `$JANSHI_BUNDLE_NUMBA` says otherwise: `never`, or `always`, at the price of compiling.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import lzma
import os
import sys
import tempfile
import types
import zipfile

AGENT = "greedy"
FORM = "json"
KEEP_RUNNING = False
SEED = 0
PACKED = ""
PLAIN_KERNELS = '''
"""The decorator of all kernels where there is no compiler: plain Python, with words that wrap around."""
import numpy as np
np.seterr(over="ignore")
def kernel(function):
    return function
per_constant = kernel
'''
KERNELS = "janshi/core/_jit.py"


class Unpacked(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the package from memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def _path(self, name: str) -> str | None:
        base = name.replace(".", "/")
        return next((path for path in (f"{base}/__init__.py", f"{base}.py") if path in self.files), None)

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """Find a module of the package."""
        found = self._path(name)
        if found is None:
            return None
        package = found.endswith("__init__.py")
        return importlib.util.spec_from_loader(name, self, origin=f"bundle:{found}", is_package=package)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run a module's source."""
        path = self._path(module.__name__)
        assert path is not None
        module.__file__ = f"/bundle/{path}"
        exec(compile(self.files[path], f"bundle:{path}", "exec", dont_inherit=True), module.__dict__)

    def get_resource_reader(self, name: str) -> Folder:
        """Give access to the data beside a module."""
        return Folder(self.files, name.replace(".", "/"))


class Folder:
    """A folder or file of the package, as `importlib.resources` wants it."""

    def __init__(self, files: dict[str, bytes], path: str) -> None:
        self._files, self._path = files, path

    def files(self) -> Folder:
        """The folder itself."""
        return self

    def __truediv__(self, name: str) -> Folder:
        return Folder(self._files, f"{self._path}/{name}")

    def joinpath(self, *names: str) -> Folder:
        """A file in the folder."""
        return Folder(self._files, "/".join((self._path, *names)))

    def read_bytes(self) -> bytes:
        """The file's content."""
        if self._path not in self._files:
            raise FileNotFoundError(2, "not in the bundle", self._path)
        return self._files[self._path]

    def read_text(self, encoding: str = "utf-8") -> str:
        """The file's content as text."""
        return self.read_bytes().decode(encoding)

    def open(self, mode: str = "rb", encoding: str = "utf-8") -> io.IOBase:
        """The file, open for reading."""
        content = self.read_bytes()
        return io.BytesIO(content) if "b" in mode else io.StringIO(content.decode(encoding))

    def is_file(self) -> bool:
        """Whether there is such a file."""
        return self._path in self._files

    def is_dir(self) -> bool:
        """Whether there is such a folder."""
        return any(path.startswith(self._path + "/") for path in self._files)


def unpack() -> dict[str, bytes]:
    """The packed files by their path."""
    with zipfile.ZipFile(io.BytesIO(lzma.decompress(base64.b85decode(PACKED.replace("\n", ""))))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def cache_folder() -> str:
    """Where the package lies in files when Numba compiles it, with the compiled kernels."""
    root = os.environ.get("JANSHI_CACHE_DIR") or os.path.join(tempfile.gettempdir(), f"janshi-{os.getuid()}")
    return os.path.join(root, "bundles", hashlib.sha256(PACKED.encode()).hexdigest()[:16])


def use_files() -> str:
    """Lay the package out in the cache folder, if it is not there, and import it from there, with Numba; the folder."""
    folder = cache_folder()
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        made = tempfile.mkdtemp(dir=os.path.dirname(folder))
        for path, content in unpack().items():
            os.makedirs(os.path.join(made, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(made, path), "wb") as file:
                file.write(content)
        try:
            os.rename(made, folder)
        except OSError:
            if not os.path.isdir(folder):
                raise
    os.environ["JANSHI_CACHE_DIR"] = folder
    sys.path.insert(0, folder)
    return folder


def use_memory() -> None:
    """Import the package from memory, with kernels as plain Python."""
    files = unpack()
    files[KERNELS] = PLAIN_KERNELS.encode()
    sys.meta_path.insert(0, Unpacked(files))


def numba_wanted() -> bool:
    """Whether Numba is installed and should be used: if kernels are already compiled, or always if so configured."""
    wish = os.environ.get("JANSHI_BUNDLE_NUMBA", "")
    if wish == "never" or importlib.util.find_spec("numba") is None:
        return False
    return wish == "always" or os.path.exists(os.path.join(cache_folder(), "compiled"))


def rehearse(folder: str) -> None:
    """Let the agent make every kind of decision, so that all its kernels are compiled, and record that they are."""
    from janshi.protocols.botzone.player import REHEARSAL, make_player

    player = make_player(AGENT, SEED)
    for number, request in enumerate(REHEARSAL):
        print(f"compiling: request {number + 1} of {len(REHEARSAL)}", file=sys.stderr, flush=True)
        player.answer(request)
    with open(os.path.join(folder, "compiled"), "w"):
        pass


def main() -> None:
    """Be the bot, or with `--compile` compile it."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it may be started where the package was never installed
        sys.exit(f"this bot needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported: see core/blas.py
    if sys.argv[1:] == ["--compile"]:
        if importlib.util.find_spec("numba") is None:
            sys.exit("there is no Numba to compile with; the bot plays without")
        rehearse(use_files())
        return
    if numba_wanted():
        use_files()
    else:
        use_memory()
    from janshi.protocols.botzone.io import run
    from janshi.protocols.botzone.player import make_player

    run(lambda: make_player(AGENT, SEED), FORM, KEEP_RUNNING)


if __name__ == "__main__":
    main()
