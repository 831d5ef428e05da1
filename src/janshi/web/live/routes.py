"""The routes of live games: list rules and agents; start, join and download games."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import asdict, is_dataclass
from typing import Annotated, cast

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from janshi.rules.registry import find_family, game_names
from janshi.web.errors import ERRORS, Refused
from janshi.web.live.agents import agents_of
from janshi.web.live.downloads import NothingYet, formats_of, no_such_format, record_text
from janshi.web.live.floor import HOST, Floor, rules_name
from janshi.web.live.game import PLAY, YOU
from janshi.web.live.matches import describe_match, list_matches, match_game
from janshi.web.live.messages import LiveState
from janshi.web.live.play import game_of
from janshi.web.live.shapes import AgentText, KeptGame, RulesText, StatusText, StoredMatch, StoredMatchGames
from janshi.web.live.socket import Socket
from janshi.web.owner import COOKIE, Owner
from janshi.web.reader import rules_json
from janshi.web.security import same
from janshi.web.store import GameRow

router = APIRouter(tags=["live"], responses=ERRORS)
Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="A game's id.")]
Key = Annotated[str | None, Query(max_length=64, description="The secret of a seat.")]


class TimeControl(BaseModel):
    """A clock: `base` seconds for every decision, then those of a reserve that is full at the start of each hand."""

    model_config = ConfigDict(extra="forbid")
    base: float = Field(ge=0, le=3600)
    extra: float = Field(default=0, ge=0, le=3600)


class NewGame(BaseModel):
    """A game to start."""

    model_config = ConfigDict(extra="forbid")
    rules: str = Field(default="riichi/tenhou_east", max_length=60, description="A rule set of `/api/rules`.")
    rounds: int | None = Field(default=None, ge=1, le=2, description="Riichi: 1 East only, 2 East and South.")
    seats: list[Annotated[str, Field(max_length=120)]] = Field(
        default=[YOU, "mdp", "careful", "greedy"],
        min_length=2,
        max_length=4,
        description='"you" or an agent\'s label for each seat; a game without "you" is only watched.',
    )
    shuffle: bool = Field(default=False, description="Shuffle the seats.")
    seed: int | None = Field(default=None, ge=0, lt=2**63, description="Seed of the walls; by default it is secret.")
    practice: bool = Field(default=True, description="Moves may be taken back.")
    time: TimeControl | None = Field(default=None, description="A clock, or none.")
    name: str = Field(default="", max_length=40, description="What the person is called.")
    pace: float | None = Field(default=None, ge=0, le=60, description="Seconds between the agents' moves.")


class Begun(BaseModel):
    """A game that was started."""

    id: str
    key: str
    keys: dict[str, str]
    url: str


class Watch(BaseModel):
    """A game of a stored match to watch."""

    model_config = ConfigDict(extra="forbid")
    match: str = Field(max_length=200)
    game: int = Field(default=0, ge=0, le=2**40)


def floor_of(request: Request | WebSocket) -> Floor:
    """The games of the app."""
    floor: Floor = request.app.state.floor
    return floor


@router.get("/api/status")
async def status(request: Request) -> StatusText:
    """Whether Janshi is ready: `ready` names the families that can be played, `doing` what is being loaded."""
    from janshi import __version__

    floor = floor_of(request)
    warmth = floor.warmth
    return {
        "version": __version__,
        "ready": sorted(warmth.done),
        "doing": str(warmth.doing or ""),
        "finished": warmth.finished,
        "games": len(floor.games),
    }


@router.get("/api/rules")
def rules() -> list[RulesText]:
    """All rule sets, with their flags."""
    return [_rules_json(name) for name in game_names()]


def _rules_json(name: str) -> RulesText:
    game = game_of(name)
    flags = asdict(game.rules) if is_dataclass(game.rules) and not isinstance(game.rules, type) else {}
    named = rules_json(game)
    return {
        **named,
        "id": name,
        "formats": named["formats"],
        "reviewable": named["reviewable"],
        "players": game.players,
        "flags": flags,
        "default": game.family.default == game.rules.name,
    }


@router.get("/api/agents")
def agents(rules: Annotated[str, Query(max_length=60)] = "riichi") -> list[AgentText]:
    """The agents that play a rule set, strongest first; `label` is what to put in a seat."""
    return agents_of(find_family(rules_name(rules)).name)


@router.post("/api/live", status_code=201)
async def begin(wanted: NewGame, request: Request, owner: Owner) -> Begun:
    """Start a game."""
    asked = wanted.model_dump()
    if wanted.shuffle:
        secrets.SystemRandom().shuffle(asked["seats"])
    row = await floor_of(request).create(owner, asked)
    return begun_game(row)


def begun_game(row: GameRow) -> Begun:
    """A game that was started, as a response."""
    keys: dict[str, str] = row.setup["keys"]
    page = "play" if row.kind == PLAY else "watch"
    return Begun(id=row.id, key=next(iter(keys.values())), keys=keys, url=f"/#/{page}/{row.id}")


@router.get("/api/live")
async def mine(request: Request, owner: Owner) -> list[KeptGame]:
    """The games that this browser started, the latest first."""
    return [_kept(row) for row in await floor_of(request).store.games_of(owner)]


def _kept(row: GameRow) -> KeptGame:
    columns = {name: getattr(row, name) for name in ("id", "kind", "rules", "rounds", "over", "created", "changed")}
    setup = {name: row.setup[name] for name in ("seats", "names", "keys", "practice")}
    return cast(KeptGame, {**columns, **row.summary, **setup})


@router.get("/api/live/{id}")
async def state(id: Id, request: Request, owner: Owner, key: Key = None) -> LiveState:
    """The state of a game, as its socket sends it. Without a key: as a spectator sees it."""
    floor = floor_of(request)
    game = await floor.find(id)
    seat = floor.seat_of(game, key, owner)
    broadcast = game.broadcast
    outlook = broadcast.outlook(int(seat) if seat not in (None, HOST) else None)
    return cast(LiveState, await broadcast.state(outlook))


@router.delete("/api/live/{id}", status_code=204)
async def forget(id: Id, request: Request, owner: Owner) -> None:
    """Delete a game that this browser started."""
    floor = floor_of(request)
    kept = await floor.store.game(id)
    if kept is None or not same(owner, kept[0].owner):
        raise Refused("game_not_yours", 404)
    game = floor.games.pop(id, None)
    if game is not None:
        await game.stop()
        game.broadcast.dismiss()
    await floor.store.delete_game(id)


@router.get("/api/live/{id}/record", response_class=Response)
async def record(
    id: Id,
    request: Request,
    owner: Owner,
    format: Annotated[
        str | None, Query(description="One of the rules' `formats`.", pattern=r"^[a-z0-9_-]{1,20}$")
    ] = None,
    key: Key = None,
) -> Response:
    """The record of a game; if it is not over, of its finished hands."""
    floor = floor_of(request)
    game = await floor.find(id)
    if floor.seat_of(game, key, owner) is None and not game.play.over:
        raise Refused("download_not_allowed", 403)
    formats = formats_of(game.game).formats
    form = format or next(iter(formats))
    if form not in formats:
        raise Refused(no_such_format(game.game.family, form), 422)
    answers = list(game.answers)
    try:
        start = game.row.setup.get("start")
        text = await asyncio.to_thread(record_text, game.game, game.row.seed, answers, game.names, form, id, start)
    except NothingYet as error:
        raise Refused(error.problem, 409) from None
    name = f'attachment; filename="janshi-{id}.{formats[form].suffix}"'
    return Response(text, media_type=formats[form].media_type, headers={"Content-Disposition": name})


@router.websocket("/api/live/{id}/socket")
async def socket(websocket: WebSocket, id: str, key: str | None = None) -> None:
    """A game, live."""
    owner = websocket.cookies.get(COOKIE)
    await Socket(websocket, floor_of(websocket)).run(id[:32], key[:64] if key else None, owner)


# --- stored matches


@router.get("/api/matches")
def matches(request: Request) -> list[StoredMatch]:
    """The stored matches whose games can be watched."""
    return list_matches(floor_of(request).settings.match_roots)


@router.get("/api/matches/{name}")
def match(name: Annotated[str, Path(max_length=200)], request: Request) -> StoredMatchGames:
    """One stored match: who played, and how its games ended."""
    return describe_match(floor_of(request).settings.match_roots, name)


@router.post("/api/watch", status_code=201)
async def watch(wanted: Watch, request: Request, owner: Owner) -> Begun:
    """Start watching a game of a stored match."""
    floor = floor_of(request)
    roots = floor.settings.match_roots
    found = await asyncio.to_thread(match_game, roots, wanted.match, wanted.game)
    row = await floor.create_replay(owner, *found)
    return begun_game(row)
