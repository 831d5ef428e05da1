"""Errors for people: every error response is `{"error": {"code": …, "values": …, "message": …}}`.

The message is in English; with code and values the page shows it in its own language.
"""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from janshi.web.problems import Problem, ProblemText, Value, Worded, problem

log = logging.getLogger("janshi.web")
SHORT = 160
"""Maximum number of characters of a request that an error repeats."""


class ErrorAnswer(BaseModel):
    """Any error response."""

    error: ProblemText


class Refused(Worded):
    """A request that cannot be carried out: a problem, and the status of the response."""

    def __init__(self, what: str | Problem, /, status: int = 400, **values: Value) -> None:
        super().__init__(what, **values)
        self.status = status


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
"""The error responses of every route, for the schema."""


def error_answer(what: Problem, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as JSON."""
    return JSONResponse({"error": what.as_json()}, status, headers)


def add_errors(app: FastAPI) -> None:
    """Make an app report every error in the same form."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        headers = {"Retry-After": "2"} if error.status == 503 else None
        return error_answer(error.problem, error.status, headers)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        return error_answer(_http_problem(request, error), error.status_code, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return error_answer(problem("request_invalid", problem=validation_message(error)), 422)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
        return error_answer(problem("internal_error"), 500)


def _http_problem(request: Request, error: HTTPException) -> Problem:
    """The problem of an error raised outside our routes."""
    if error.status_code == 404:
        return nothing_at(request.url.path)
    if error.status_code == 405:
        return problem("method_not_allowed", method=request.method[:SHORT], path=request.url.path[:SHORT])
    return problem("http_error", problem=str(error.detail))


def nothing_at(path: str) -> Problem:
    """The problem of an unknown address."""
    return problem("not_found", path=path[:SHORT])


def validation_message(error: RequestValidationError) -> str:
    """What is wrong with a request, as text: where, and what was expected."""
    found = []
    for wrong in error.errors()[:4]:
        place = ".".join(str(part) for part in wrong["loc"] if part not in ("body", "query", "path"))
        found.append(f"{place}: {wrong['msg'][:SHORT]}" if place else str(wrong["msg"])[:SHORT])
    return "; ".join(found)
