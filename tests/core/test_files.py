"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from janshi.core.files import replacing, write_whole


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "numbers.npz"
    write_whole(file, b"old")
    with replacing(file) as temporary:
        np.savez(temporary, allow_pickle=False, one=np.arange(3))  # adds a suffix where there is none
        assert file.read_bytes() == b"old"
    assert np.load(file)["one"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [file]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "text"
    write_whole(file, b"old")

    def write() -> None:
        with replacing(file) as temporary:
            temporary.write_bytes(b"half")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]
