"""Problems in any language: a code, the values of its message, and the message in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from janshi.core.coded_error import CodedError
from janshi.web.error_words import CODES, ENGLISH

Value: TypeAlias = "int | str | Problem"
ErrorCode = TypeAliasType("ErrorCode", Annotated[str, Field(json_schema_extra={"enum": list(CODES)})])


class ProblemText(TypedDict):
    """A problem: a code, its values (which can be problems themselves), and the message in English."""

    code: ErrorCode
    values: dict[str, int | str | ProblemText]
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong, or in progress, as a text for people.

    >>> print(problem("getting_ready", doing=problem("loading_agent", agent="mdp"), seconds=3))
    Janshi is getting ready (the agent mdp, 3 s); the first start takes about a minute
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)
    message: str = ""
    """In English."""

    def __str__(self) -> str:
        return self.message

    def as_json(self) -> ProblemText:
        """As JSON for the page."""
        values = {name: v.as_json() if isinstance(v, Problem) else v for name, v in self.values.items()}
        return {"code": self.code, "values": values, "message": self.message}


def problem(code: str, /, **values: Value) -> Problem:
    """The problem of a code of the app."""
    return Problem(code, values, ENGLISH[code].format(**values))


def problem_from_json(text: ProblemText) -> Problem:
    """A problem that was sent or kept as JSON."""
    values = {name: problem_from_json(v) if isinstance(v, dict) else v for name, v in text["values"].items()}
    return Problem(text["code"], values, text["message"])


class Worded(Exception):
    """An error with a problem for people: made from a code and values, or from a problem."""

    def __init__(self, what: str | Problem, /, **values: Value) -> None:
        self.problem = problem(what, **values) if isinstance(what, str) else what
        super().__init__(str(self.problem))


class Impossible(Worded, ValueError):
    """Invalid value or operation."""


def problem_of(error: Exception, code: str) -> Problem:
    """The problem of an error; if it has none, its text becomes the `{problem}` of a code."""
    if isinstance(error, Worded):
        return error.problem
    return problem(code, problem=of_coded(error) if isinstance(error, CodedError) else str(error))


def of_coded(error: CodedError) -> Problem | str:
    """The problem of an error of the lower layers; only its English text if it has no code."""
    if not error.code:
        return str(error)
    values = {name: of_coded(v) if isinstance(v, CodedError) else v for name, v in error.values.items()}
    return Problem(error.code, values, str(error))
