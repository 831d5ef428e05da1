from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from janshi.core import tables
from janshi.core.tables import TableError, read_checked, tables_array

FOLDER = Path(tables.__file__).parent
CHECKSUM = FOLDER / f"{tables.FILE}.sha256"


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "scripts" / "build_tables.py"
    spec = importlib.util.spec_from_file_location("build_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built(builder: ModuleType) -> dict[str, np.ndarray]:
    return builder.build()


def test_the_script_builds_the_shipped_bytes(builder: ModuleType, built: dict[str, np.ndarray]) -> None:
    content = builder.to_bytes(built)
    assert content == (FOLDER / tables.FILE).read_bytes()
    assert CHECKSUM.read_text() == f"{hashlib.sha256(content).hexdigest()}  {tables.FILE}\n"


def test_sizes(built: dict[str, np.ndarray]) -> None:
    """405,350 suits of nine ranks and 43,130 of seven hold at most 14 tiles; 180 different needs."""
    assert (len(built["suit"]), len(built["honour"]), len(built["needs"])) == (405_350, 43_130, 180)


def test_joining_is_a_commutative_monoid(built: dict[str, np.ndarray]) -> None:
    joined = built["joined"].reshape(-1, 1 << tables.ROW_BITS)[:, :180]
    empty = built["suit"][0]
    assert (joined == joined.T).all()
    assert (joined[empty] == np.arange(180)).all()
    rng = np.random.default_rng(0)
    a, b, c = rng.integers(0, 180, (3, 10_000))
    assert (joined[joined[a, b], c] == joined[a, joined[b, c]]).all()


def test_needs_of_an_empty_suit(built: dict[str, np.ndarray]) -> None:
    assert built["needs"][built["suit"][0]].tolist() == [0, 3, 6, 9, 12, 2, 5, 8, 11, 14]


def test_damage_is_noticed() -> None:
    content = bytearray((FOLDER / tables.FILE).read_bytes())
    content[1000] ^= 1
    with pytest.raises(TableError, match=r"shanten.npz is damaged: its SHA-256 is .* reinstall janshi"):
        read_checked(bytes(content), CHECKSUM.read_text())
    with pytest.raises(TableError, match=r"expected \(none\)"):
        read_checked(bytes(content), "")


def test_loaded_once() -> None:
    assert tables_array() is tables_array()
