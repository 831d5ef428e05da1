"""Who may use the app: hosts, origins, the token; how much they may send; what browsers may do with responses.

- The Host header must name this machine, so that no web site can reach the app through its own host name (DNS
  rebinding): loopback, a numeric address, the host we listen on, the machine's name, or a configured name.
- Every request that writes, and every WebSocket, must come from our own page (Origin) or from no page at all.
- On an address that others can reach, everything needs the token: once in the address (`?token=`) or in a form, then
  in a cookie, or in an `Authorization: Bearer` header.
"""

from __future__ import annotations

import hashlib
import ipaddress
import socket
from hmac import compare_digest
from html import escape
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from janshi.web.errors import error_answer
from janshi.web.problems import problem
from janshi.web.settings import Settings

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
UPLOADS: Final = ("/api/reviews", "/api/tools")
"""Addresses that accept long bodies."""
ARCHIVES: Final = ("/api/career/files",)
"""Addresses that accept archives of many games."""
COOKIE: Final = "janshi_token"
YEAR: Final = 365 * 24 * 3600
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
REFUSED: Final = 4403
"""Code with which a forbidden WebSocket is closed."""


def same(a: str, b: str) -> bool:
    """Whether two secrets are equal, in time that does not depend on how much of them agrees."""
    return compare_digest(hashlib.sha256(a.encode()).digest(), hashlib.sha256(b.encode()).digest())


def own_path(path: str) -> str:
    """A path that no browser can mistake for another host's address, such as `//evil.example/`.

    >>> own_path("///evil.example/")
    '/evil.example/'
    """
    return "/" + path.lstrip("/\\")


class Guard:
    """The middleware in front of the app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.names = {"localhost", socket.gethostname().lower(), settings.host.lower(), *map(str.lower, settings.names)}
        token = settings.token
        self.cookie = hashlib.sha256(b"janshi cookie " + token.encode()).hexdigest() if token else ""
        """The cookie is a hash, so that the token itself is not kept by browsers."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._wrong_host(headers) or self._wrong_origin(scope, headers) or self._no_token(scope, headers)
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._limited(scope, headers, receive, send)

    async def _refuse(self, answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": REFUSED, "reason": "not allowed"})
            return
        await answer(scope, receive, _with_headers(send))

    # --- hosts and origins

    def _wrong_host(self, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if self.knows(host):
            return None
        return error_answer(problem("host_unknown"), 403)

    def knows(self, host: str) -> bool:
        """Whether a Host header names this machine."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name.lower() in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _wrong_origin(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = headers.get("origin")
        if origin is None and headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
            return None
        try:
            same_place = origin is not None and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        except ValueError:
            same_place = False
        if same_place:
            return None
        return error_answer(problem("origin_refused"), 403)

    # --- the token

    def _no_token(self, scope: Scope, headers: Headers) -> Response | None:
        token = self.settings.token
        if not token or self._has_cookie(headers) or self._has_bearer(headers, token):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if same(query.get("token", [""])[0], token):
            return self._welcome(scope, query)
        if scope["type"] == "http" and "text/html" in headers.get("accept", ""):
            return HTMLResponse(_FORM.format(path=escape(scope["path"], quote=True)), 401)
        return error_answer(problem("token_needed"), 401)

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return COOKIE in cookie and same(cookie[COOKIE].value, self.cookie)

    def _has_bearer(self, headers: Headers, token: str) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and same(given, token)

    def _welcome(self, scope: Scope, query: dict[str, list[str]]) -> Response | None:
        """The right token in the address: set the cookie and redirect to the address without the token."""
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            return None
        rest = urlencode([(name, value) for name, values in query.items() if name != "token" for value in values])
        answer = RedirectResponse(own_path(scope["path"]) + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(COOKIE, self.cookie, max_age=YEAR, httponly=True, samesite="strict")
        return answer

    # --- sizes and headers

    async def _limited(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        """Pass a request on unless it is too long."""
        settings = self.settings
        limit = settings.limit_of(scope["path"].startswith(UPLOADS), scope["path"].startswith(ARCHIVES))
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > limit:
            await too_long(limit)(scope, receive, _with_headers(send))
            return
        await self.app(scope, *_counted(receive, _with_headers(send), limit, scope))


def too_long(limit: int) -> Response:
    """The response to a request body over `limit` bytes."""
    return error_answer(problem("body_too_long", limit=f"{limit // 1024:,}"), 413)


def _counted(receive: Receive, send: Send, limit: int, scope: Scope) -> tuple[Receive, Send]:
    """A `receive` that stops a body that is too long, and a `send` that then replaces the response with an error."""
    taken, refused = 0, False

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > limit:
                raise _TooLong
        return message

    async def noted(message: Message) -> None:
        nonlocal refused
        if taken <= limit:
            await send(message)
        elif not refused:
            refused = True
            await too_long(limit)(scope, receive, send)

    return counted, noted


class _TooLong(Exception):
    """A body is longer than allowed."""


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return wrapped


_FORM: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Janshi</title>
</head><body><main><h1>Janshi</h1><p>A token is needed. It was printed where the app was started.</p>
<form method="get" action="{path}"><label>Token <input name="token" type="password" autocomplete="off" autofocus
required></label> <button>Enter</button></form></main></body></html>
"""
