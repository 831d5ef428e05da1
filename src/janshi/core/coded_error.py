"""Errors that can be translated: an English message, a code, and the values that appear in the message."""

from __future__ import annotations

from typing import TypeAlias

Value: TypeAlias = "int | str | CodedError"


class CodedError(ValueError):
    """An error with a code for programs to recognise; without one, an ordinary `ValueError`.

    >>> error = CodedError("{count} tiles: expected {wanted}", "wrong_size", count=12, wanted=13)
    >>> str(error), error.code, error.values
    ('12 tiles: expected 13', 'wrong_size', {'count': 12, 'wanted': 13})
    """

    def __init__(self, message: str, code: str = "", **values: Value) -> None:
        super().__init__(message.format(**values) if code else message)
        self.message, self.code, self.values = message, code, values

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.message, self.code, self.values)


def _again(kind: type[CodedError], message: str, code: str, values: dict[str, Value]) -> CodedError:
    """Pickle the error for another process."""
    return kind(message, code, **values)
