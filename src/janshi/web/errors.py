"""Errors as people read them: every answer that is no success is `{"error": {"message": …}}`."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

log = logging.getLogger("janshi.web")
SHORT = 160
"""Characters of what was sent that an error repeats at most."""


class ErrorText(BaseModel):
    """What went wrong."""

    message: str


class ErrorAnswer(BaseModel):
    """Any answer that is no success."""

    error: ErrorText


class Refused(Exception):
    """A request that cannot be carried out: a status and words for people."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.status = message, status


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
"""The answers of every route besides success, for the schema."""


def error_answer(message: str, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as JSON."""
    return JSONResponse({"error": {"message": message}}, status, headers)


def add_errors(app: FastAPI) -> None:
    """Let every error of an app be told in the same form."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        headers = {"Retry-After": "2"} if error.status == 503 else None
        return error_answer(error.message, error.status, headers)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        message = f"there is nothing at {request.url.path}" if error.status_code == 404 else str(error.detail)
        return error_answer(message, error.status_code, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return error_answer(validation_message(error), 422)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
        return error_answer("something went wrong inside Janshi; its log tells what", 500)


def validation_message(error: RequestValidationError) -> str:
    """What is wrong with a request, in words: where, and what was expected."""
    told = []
    for problem in error.errors()[:4]:
        place = ".".join(str(part) for part in problem["loc"] if part not in ("body", "query", "path"))
        told.append(f"{place}: {problem['msg'][:SHORT]}" if place else str(problem["msg"])[:SHORT])
    return "; ".join(told)
