"""Errors as people read them: every answer that is no success is `{"error": {"message": …, "phrase": …}}`.

The message is in English; the phrase, where there is one, says the same in a form that can be put into any language.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from janshi.agents.explain import Phrase
from janshi.web.phrases import Worded, phrase_told

log = logging.getLogger("janshi.web")
SHORT = 160
"""Characters of what was sent that an error repeats at most."""


class PhraseText(BaseModel):
    """Words for any language: a pattern in English, with names of values in braces."""

    pattern: str
    values: dict[str, int | str | PhraseText]


class ErrorText(BaseModel):
    """What went wrong."""

    message: str
    phrase: PhraseText | None = None
    """The message for any language, where it is known."""


class ErrorAnswer(BaseModel):
    """Any answer that is no success."""

    error: ErrorText


class Refused(Worded):
    """A request that cannot be carried out: a status and words for people."""

    def __init__(self, words: str | Phrase, status: int = 400) -> None:
        super().__init__(words)
        self.status = status


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
"""The answers of every route besides success, for the schema."""
WRONG: Final = Phrase("something went wrong inside Janshi; its log tells what")


def error_told(words: str | Phrase) -> dict[str, Any]:
    """What went wrong, as JSON: a phrase in English and as it is, or a text that only English has."""
    return {"message": str(words), "phrase": phrase_told(words)} if isinstance(words, Phrase) else {"message": words}


def error_answer(words: str | Phrase, status: int, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as JSON."""
    return JSONResponse({"error": error_told(words)}, status, headers)


def add_errors(app: FastAPI) -> None:
    """Let every error of an app be told in the same form."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        headers = {"Retry-After": "2"} if error.status == 503 else None
        return error_answer(error.phrase, error.status, headers)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        words = nothing_at(request.url.path) if error.status_code == 404 else str(error.detail)
        return error_answer(words, error.status_code, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        problem = validation_message(error)
        return error_answer(Phrase("this request is not as expected: {problem}", {"problem": problem}), 422)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
        return error_answer(WRONG, 500)


def nothing_at(path: str) -> Phrase:
    """That an address leads nowhere."""
    return Phrase("there is nothing at {path}", {"path": path[:SHORT]})


def validation_message(error: RequestValidationError) -> str:
    """What is wrong with a request, in words: where, and what was expected."""
    told = []
    for problem in error.errors()[:4]:
        place = ".".join(str(part) for part in problem["loc"] if part not in ("body", "query", "path"))
        told.append(f"{place}: {problem['msg'][:SHORT]}" if place else str(problem["msg"])[:SHORT])
    return "; ".join(told)
