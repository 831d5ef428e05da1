"""Compiled kernels are shared by all copies of the package: checkouts, environments, releases with the same source.

Numba adds the path of the source to the place in the cache. Our folders are named by a hash of everything that a
kernel depends on (`_kernel_cache.py`), so the path says nothing more. This leans on Numba's internals, so it is used
only under releases of Numba that it was tested with.
"""

from __future__ import annotations

from typing import Final

from numba.core.caching import UserProvidedCacheLocator


class SharedLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Puts compiled kernels straight into `numba.config.CACHE_DIR`."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """No folder for the path of the source."""
        return ""


NAME: Final = f"{__name__}.{SharedLocator.__name__}"
"""What `numba.config.CACHE_LOCATOR_CLASSES` calls it."""
