"""Kernels that are declared by several threads at once keep their caches apart."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor

import numba
import pytest

from janshi.core._kernel_cache import cache_folder

SOURCE = """
from janshi.core._jit import kernel

{kernels}
"""
KERNEL = """
@kernel
def number_{n}(x):
    return x + {n}
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels are plain Python here")
def test_each_file_has_its_folder(tmp_path):
    files = [tmp_path / f"declared_{i}.py" for i in range(12)]
    for file in files:
        file.write_text(SOURCE.format(kernels="".join(KERNEL.format(n=n) for n in range(30))))
    before = numba.config.CACHE_DIR

    def declare(file):
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return [getattr(module, f"number_{n}")._cache.cache_path for n in range(30)]

    with ThreadPoolExecutor(6) as pool:
        for file, places in zip(files, pool.map(declare, files)):
            folder = str(cache_folder(str(file)))
            assert all(place.startswith(folder) for place in places)
    assert before == numba.config.CACHE_DIR
