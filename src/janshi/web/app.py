"""The app: all addresses, the page, and the middleware in front of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from janshi import __version__
from janshi.web import outlook, players, reach, tools, traits
from janshi.web.career import routes as career
from janshi.web.errors import add_errors, error_answer, nothing_at
from janshi.web.live import routes as live
from janshi.web.live.floor import Floor
from janshi.web.live.minds import Minds
from janshi.web.practice import routes as practice
from janshi.web.review import routes as review
from janshi.web.review import watch_routes
from janshi.web.security import Guard
from janshi.web.settings import Settings
from janshi.web.store import Store
from janshi.web.warmup import Warmth, import_all

STATIC = Path(__file__).parent / "static"
PAGES = ("play", "watch", "review", "career", "practice", "tools", "players")
"""Pages of the app (`router.js`), which live behind a `#`; addresses without it are redirected."""


def make_app(settings: Settings) -> FastAPI:
    """The app with all its parts, ready to be served."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        import_all()
        app.state.loop = asyncio.get_running_loop()
        store, minds, warmth = Store(settings.database), Minds(settings.threads), Warmth()
        floor = Floor(settings, store, minds, warmth)
        app.state.settings, app.state.store, app.state.minds, app.state.floor = settings, store, minds, floor
        warmth.start(settings.warm)
        floor.begin()
        try:
            yield
        finally:
            warmth.stop()
            await floor.close()
            minds.close()
            store.close()

    app = FastAPI(
        title="Janshi",
        version=__version__,
        summary="Play mahjong, watch it, review it.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = settings
    add_errors(app)
    parts = (live, traits, review, watch_routes, career, practice, tools, outlook, reach, players)
    for part in (part.router for part in parts):
        app.include_router(part)

    @app.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE", "PATCH"], include_in_schema=False)
    async def nothing(path: str) -> JSONResponse:
        return error_answer(nothing_at(f"/api/{path[:80]}"), 404)

    for name in PAGES:
        app.add_api_route(f"/{name}", partial(_show_page, name), include_in_schema=False)
    app.mount("/", StaticFiles(directory=STATIC, html=True, check_dir=False), name="page")
    app.add_middleware(Guard, settings=settings)
    return app


async def _show_page(name: str) -> RedirectResponse:
    return RedirectResponse(f"/#/{name}")
