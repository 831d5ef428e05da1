"""The two forms of a kernel: the entry that Python calls, and the bare code that other kernels link in.

This leans on Numba's internals, so it is imported only under releases of Numba that it was tested with.
"""

from __future__ import annotations

from typing import Any, Final

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class _QuietCodegen:
    """A code generator that sets no environments: inner code has none until it is linked into an entry."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel as other kernels call it: kept as plain LLVM text, optimised only where it is linked in."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller's module."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code, so no address."""
        return 0

    @property
    def codegen(self) -> Any:
        """The code generator, without environments."""
        return _QuietCodegen(self._codegen)


class _InnerCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel for other kernels to call."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _InnerLibrary(target.codegen(), "janshi inner kernel"), *rest)


class _EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """What Python calls. A kernel that calls it gets the inner form instead."""

    @property
    def _numba_type_(self) -> Any:
        return self.inner._numba_type_


class _InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
    """What other kernels call: compiled once for its types of arguments, where Numba would do so for each constant."""

    keeps_constants = False

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The form for these argument types, regardless of their values unless constants matter."""
        if self.keeps_constants:
            return super().get_call_template(args, kws)
        plain = [types.unliteral(arg) for arg in args]
        return super().get_call_template(plain, {name: types.unliteral(arg) for name, arg in kws.items()})


INNER: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _InnerCompiler}


def add_inner(entry: Any, options: dict[str, Any]) -> None:
    """Give an entry its inner form, which other kernels call instead of it."""
    entry.inner = numba.njit(**INNER, **options)(entry.py_func)
    entry.inner.__class__ = _InnerDispatcher
    entry.__class__ = _EntryDispatcher
