"""The routes of a career: import, who you are, the page, its games, reviews, export and deletion."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path as FilePath
from typing import Annotated, Final, Literal

from fastapi import APIRouter, FastAPI, File, Path, Query, Request, UploadFile
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from janshi.career.database import WAITING
from janshi.career.store import CareerStore
from janshi.records.sources import ENDINGS, TAR_ENDINGS, TEXT_ENDING, ZIP_ENDING
from janshi.web.career.careers import Careers
from janshi.web.career.reviews import NOBODY, CareerReviews, loss_text, next_games
from janshi.web.career.shapes import (
    CareerDeleted,
    CareerGames,
    CareerState,
    CareerText,
    FileProblems,
    ImportState,
    LuckState,
    PlayersFound,
    Queued,
    Reviewed,
    Rounds,
    SortBy,
)
from janshi.web.errors import ERRORS, Refused
from janshi.web.owner import Owner

MOST_NAMES: Final = 20
LONGEST_NAME: Final = 80
MOST_LISTED: Final = 200
ARCHIVES: Final = (*TAR_ENDINGS, ZIP_ENDING)
FILES: Final = (*ENDINGS, TEXT_ENDING, *ARCHIVES)
"""Endings of files that the page sends from a folder."""

GameId = Annotated[int, Path(ge=1, le=2**53)]
Last = Annotated[int, Query(ge=0, le=1_000_000, description="Only the latest games; 0: all.")]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Continue imports and reviews that an earlier server left unfinished; end them with the server."""
    settings = app.state.settings
    app.state.careers = careers = Careers(settings)
    app.state.career_reviews = reviews = CareerReviews(careers, app.state.reviews, settings.quotas)
    careers.start()
    reviews.start()
    try:
        yield
    finally:
        await reviews.stop()
        await careers.stop()


router = APIRouter(prefix="/api/career", tags=["career"], responses=ERRORS, lifespan=lifespan)


def careers_of(request: Request) -> Careers:
    """The app's careers."""
    return request.app.state.careers  # type: ignore[no-any-return]


def reviews_of(request: Request) -> CareerReviews:
    """The app's queue of careers' reviews."""
    return request.app.state.career_reviews  # type: ignore[no-any-return]


# --- the page


@router.get("")
def career(request: Request, owner: Owner, rounds: Rounds = "all", last: Last = 0) -> CareerText:
    """The whole page: figures, curves, habits, luckiest and unluckiest games."""
    from janshi.web.career.view import View

    store = careers_of(request).of(owner)
    state = state_of(request, store)
    view = View(store, rounds, last)
    return {**view.page(), "state": state, "losses": loss_text(store, view.games), "endings": list(FILES)}  # type: ignore[typeddict-item]


@router.get("/state")
def state(request: Request, owner: Owner) -> CareerState:
    """What changes while something is going on."""
    return state_of(request, careers_of(request).of(owner))


def state_of(request: Request, store: CareerStore) -> CareerState:
    """The state of a career: names, import, luck, reviews."""
    names = store.names()
    marks = ", ".join("?" * len(names))
    counts = dict(
        store.read(
            "select luck, count(*) from game where id in"
            f" (select distinct game from seat where name in ({marks})) group by luck",
            names,
        )
    )
    trained = "select count(*) from game where trained = 1 and id in (select game from seat where name in ({}))"
    luck: LuckState = {
        "known": int(counts.get(1, 0)),
        "waiting": int(counts.get(0, 0)),
        "impossible": int(counts.get(2, 0)),
        "trained": int(store.read(trained.format(marks), names)[0][0]),
    }
    return {
        "names": names,
        "games": store.count(),
        "mine": sum(map(int, counts.values())),
        "importing": import_state(careers_of(request), store),
        "luck": luck,
        "reviews": reviews_of(request).state(store),
    }


def import_state(careers: Careers, store: CareerStore) -> ImportState:
    """How far the import is."""
    ((waiting, games, duplicates, problems, read, total),) = store.read(
        "select coalesce(sum(over = 0), 0), coalesce(sum(games), 0), coalesce(sum(duplicates), 0),"
        " coalesce(sum(problems), 0), coalesce(sum(read_bytes), 0), coalesce(sum(size), 0) from upload"
    )
    reading = store.next_upload()
    return {
        "running": careers.is_running(store) and reading is not None,
        "uploads": int(waiting),
        "reading": "" if reading is None else reading.name,
        "games": int(games),
        "duplicates": int(duplicates),
        "problems": int(problems),
        "read_bytes": int(read),
        "total_bytes": int(total),
    }


# --- importing


@router.post("/files", status_code=202)
async def upload(
    request: Request,
    owner: Owner,
    files: Annotated[list[UploadFile], File(description="Recorded games, and zip or tar archives of them.")],
) -> CareerState:
    """Import files and archives; they are kept until they have been read, even if the server stops."""
    careers = careers_of(request)
    store = careers.of(owner)
    careers.settings.quotas.check_career(store.count(), store.size())
    if store.next_upload() is None:
        store.clear_problems()
    for file in files:
        await asyncio.to_thread(_keep, store, file)
    careers.wake(store)
    return await asyncio.to_thread(state_of, request, store)


def _keep(store: CareerStore, file: UploadFile) -> None:
    """Keep an uploaded file until it has been read."""
    name = tidy_path(file.filename or "")
    ending = next((ending for ending in FILES if name.lower().removesuffix(".gz").endswith(ending)), "")
    packed = ".gz" if name.lower().endswith(".gz") and not name.lower().endswith(ARCHIVES) else ""
    archive = next((end for end in ARCHIVES if name.lower().endswith(end)), None)
    own = f"{secrets.token_hex(12)}{archive or ending + packed}"
    folder = store.folder / WAITING
    folder.mkdir(exist_ok=True)
    with (folder / own).open("wb") as out:
        shutil.copyfileobj(file.file, out)
        out.flush()
        os.fsync(out.fileno())
    store.add_upload(name, own, (folder / own).stat().st_size)


def tidy_path(name: str) -> str:
    """The name of an uploaded file with its folders, without odd characters."""
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
    plain = "".join(letter for letter in "/".join(parts) if letter.isprintable())
    return plain[-200:] or "game"


@router.delete("/files")
def cancel(request: Request, owner: Owner) -> CareerState:
    """Stop reading what waits; games that were read stay."""
    store = careers_of(request).of(owner)
    store.cancel_uploads()
    return state_of(request, store)


@router.get("/problems")
def problems(request: Request, owner: Owner) -> FileProblems:
    """Files that could not be read, and why, the latest first."""
    store = careers_of(request).of(owner)
    listed = [{"file": file, "what": what} for file, what in store.problems(MOST_LISTED)]
    ((total,),) = store.read("select coalesce(sum(problems), 0) from upload")
    return {"problems": listed, "total": max(int(total), len(listed))}  # type: ignore[typeddict-item]


# --- who you are


class Names(BaseModel):
    """The names under which a person plays, as in the records."""

    names: list[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]] = Field(max_length=MOST_NAMES)


@router.get("/players")
def players(
    request: Request, owner: Owner, search: Annotated[str, Query(max_length=LONGEST_NAME)] = ""
) -> PlayersFound:
    """Names found in the records, the most frequent first."""
    found = careers_of(request).of(owner).players(50, search)
    return {"players": [{"name": name, "games": games} for name, games in found]}


@router.put("/names")
def set_names(request: Request, owner: Owner, wanted: Names) -> CareerState:
    """Say who you are: names that occur in the records."""
    careers = careers_of(request)
    store = careers.of(owner)
    names = list(dict.fromkeys(wanted.names))
    for name in names:
        if not store.games_of(name):
            raise Refused("career_name_unknown", 422, name=name)
    store.set_names(names)
    wake(request, store)
    return state_of(request, store)


def wake(request: Request, store: CareerStore) -> None:
    """Have a career worked on, from any thread."""
    request.app.state.loop.call_soon_threadsafe(careers_of(request).wake, store)


# --- games


@router.get("/games")
def games(
    request: Request,
    owner: Owner,
    rounds: Rounds = "all",
    last: Last = 0,
    first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    count: Annotated[int, Query(ge=1, le=100)] = 20,
    sort: SortBy = "played",
    descending: bool = True,
) -> CareerGames:
    """Some of the person's games in an order."""
    from janshi.web.career.view import View

    return View(careers_of(request).of(owner), rounds, last).some(first, count, sort, descending)


@router.get(
    "/games/{id}/record",
    response_class=Response,
    responses={200: {"description": "the record as it was imported", "content": {"application/octet-stream": {}}}},
)
def record(request: Request, owner: Owner, id: GameId) -> Response:
    """The record of a game as it was imported."""
    found = careers_of(request).of(owner).content(id)
    if found is None:
        raise Refused("career_game_not_found", 404)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", found[0]).strip("._") or "game"
    headers = {"Content-Disposition": f'attachment; filename="{name[-80:]}"'}
    return Response(found[1], media_type="application/octet-stream", headers=headers)


@router.post("/games/{id}/review")
async def review(request: Request, owner: Owner, id: GameId) -> Reviewed:
    """The review of a game for the person's seat; it is begun if there is none."""
    store = careers_of(request).of(owner)
    return await opened(request, owner, store, id, seat_of(store, id))


@router.post("/games/{id}/watch")
async def watch(request: Request, owner: Owner, id: GameId) -> Reviewed:
    """A game to watch turn by turn, with open hands and without a reviewer."""
    store = careers_of(request).of(owner)
    return await opened(request, owner, store, id, NOBODY)


async def opened(request: Request, owner: str, store: CareerStore, game: int, seat: int) -> Reviewed:
    """The page of a game's review, or of the game to watch; it is made if there is none."""
    queue = reviews_of(request)
    rows = store.read("select review from review where game = ? and seat = ? and review != ''", (game, seat))
    if rows and queue.runner.store.get(rows[0][0]) is not None:
        return {"id": rows[0][0], "url": f"#/review/{rows[0][0]}"}
    queue.runner.check_room()
    queue.quotas.check_reviews(*queue.runner.store.used_by(owner))
    made = await queue.begin(store, owner, game, seat)
    return {"id": made, "url": f"#/review/{made}"}


def seat_of(store: CareerStore, game: int) -> int:
    """The person's seat in a game."""
    seats = {name: seat for seat, name in reversed(store.read("select seat, name from seat where game = ?", (game,)))}
    for name in store.names():
        if name in seats:
            return int(seats[name])
    raise Refused("career_game_not_found", 404)


# --- reviews


class ReviewsWanted(BaseModel):
    """Which games to review, and how many."""

    which: Literal["latest", "unluckiest", "worst", "spread"] = "latest"
    count: int = Field(20, ge=1, le=10_000)


@router.post("/reviews", status_code=202)
def queue_reviews(request: Request, owner: Owner, wanted: ReviewsWanted) -> Queued:
    """Queue reviews of the person's games; they are made when nobody else waits for a review."""
    store = careers_of(request).of(owner)
    return {"queued": reviews_of(request).queue(store, owner, next_games(store, wanted.which, wanted.count))}


@router.delete("/reviews")
def unqueue(request: Request, owner: Owner) -> CareerState:
    """Forget reviews that have not begun; finished ones stay."""
    store = careers_of(request).of(owner)
    store.unqueue_reviews()
    return state_of(request, store)


# --- everything


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"description": "one zip archive", "content": {"application/zip": {}}}},
)
def export(request: Request, owner: Owner) -> FileResponse:
    """Everything as one archive: all records, and the figures as CSV and Parquet."""
    from janshi.career import export as career_export

    store = careers_of(request).of(owner)
    place = FilePath(tempfile.mkdtemp(prefix="janshi-career-")) / "career.zip"
    career_export.export(store, place)
    clean = BackgroundTask(shutil.rmtree, place.parent, ignore_errors=True)
    return FileResponse(place, media_type="application/zip", filename="janshi-career.zip", background=clean)


@router.delete("")
async def delete(request: Request, owner: Owner) -> CareerDeleted:
    """Delete everything: games, uploads, names; and the reviews made from the career's games."""
    store, runner = careers_of(request).of(owner), reviews_of(request).runner
    store.cancel_uploads()
    store.unqueue_reviews()
    for (id,) in store.read("select review from review where review != ''"):
        await runner.cancel(id)
        runner.store.delete(id)
    count = store.count()
    await asyncio.to_thread(store.delete_everything)
    return {"deleted": count}
