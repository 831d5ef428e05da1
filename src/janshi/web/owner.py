"""Recognising a browser by a secret in a cookie, so that it finds its own games and reviews again.

It is not an account and does not protect the app (the token does that): it only distinguishes browsers.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from fastapi import Cookie, Depends, Response

COOKIE: Final = "janshi_browser"
LEAST, MOST = 16, 64
"""Characters of the secret."""
YEAR: Final = 365 * 24 * 3600


def owner(response: Response, browser: Annotated[str | None, Cookie(alias=COOKIE)] = None) -> str:
    """The browser's secret; one is made and set as a cookie when there is none."""
    if browser and LEAST <= len(browser) <= MOST:
        return browser
    fresh = secrets.token_urlsafe(24)
    response.set_cookie(COOKIE, fresh, max_age=YEAR, httponly=True, samesite="strict")
    return fresh


Owner = Annotated[str, Depends(owner)]
