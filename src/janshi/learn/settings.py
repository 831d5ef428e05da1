"""The base of training settings, which are read and changed by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Self

_YES_NO: Final = {"yes": True, "no": False}


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run. A subclass adds fields, each with a default of the right type.

    >>> @dataclass(frozen=True)
    ... class Small(RunSettings):
    ...     rate: float = 0.1
    >>> Small().changed(["rate=1e-3"])
    Small(rate=0.001)
    """

    def to_json(self) -> dict[str, Any]:
        """All fields by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Self:
        """Read settings; an unknown name is an error."""
        for name in found:
            cls._check_name(name)
        return cls(**found)

    def changed(self, settings: list[str]) -> Self:
        """A copy with changes such as `rate=1e-3`."""
        changes: dict[str, Any] = {}
        for setting in settings:
            name, equals, text = setting.partition("=")
            self._check_name(name)
            if not equals:
                raise ValueError(f"{name} needs a value, as in rate=1e-3")
            changes[name] = _parse(name, text, type(getattr(self, name)))
        return replace(self, **changes)

    @classmethod
    def _check_name(cls, name: str) -> None:
        known = [field.name for field in fields(cls)]
        if name not in known:
            raise ValueError(f"no setting is called {name!r}; there are {', '.join(known)}")


def _parse(name: str, text: str, kind: type) -> Any:
    try:
        return _YES_NO[text] if kind is bool else kind(text)
    except (ValueError, KeyError):
        wanted = "yes or no" if kind is bool else f"a value of type {kind.__name__}"
        raise ValueError(f"{name} needs {wanted}, not {text!r}") from None
