"""Janshi: an open laboratory for mahjong AI.

`janshi.Hand` reads and scores a hand, `janshi.riichi` is the riichi rule set. Both load at first use, so that
`import janshi` is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from janshi.rules import riichi
    from janshi.rules.riichi.hand import Hand

__version__ = "0.2.0"
__all__ = ["Hand", "__version__", "riichi"]

_LAZY = {"Hand": ("janshi.rules.riichi.hand", "Hand"), "riichi": ("janshi.rules.riichi", None)}
"""Public name -> (module, attribute); no attribute means the module itself."""


def __getattr__(name: str) -> object:
    """Load a public name at first use (PEP 562)."""
    if name not in _LAZY:
        raise AttributeError(f"module 'janshi' has no attribute {name!r}")
    module_name, attribute = _LAZY[name]
    module = import_module(module_name)
    value: object = module if attribute is None else getattr(module, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
