"""The messages of a game's socket: what the server says (`Said`), and what it hears from the page (`Heard`).

They are types only, from which the page's own are written (`scripts/write_page_types.py`).
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from janshi.web.problems import ErrorCode, ProblemText
from janshi.web.shapes import Choice, Position, Thought, TileText

GameKind = Literal["play", "watch", "replay"]

# --- events


class HandEvent(TypedDict):
    """A hand was dealt; `seat` begins."""

    type: Literal["hand"]
    seat: int


class DrawEvent(TypedDict):
    """A player drew; the tile is there only for those who see it."""

    type: Literal["draw"]
    seat: int
    tile: NotRequired[TileText]


class DiscardEvent(TypedDict):
    """A player discarded."""

    type: Literal["discard"]
    seat: int
    tile: TileText
    tsumogiri: bool
    riichi: bool


class RiichiEvent(TypedDict):
    """A player declared riichi."""

    type: Literal["riichi"]
    seat: int


class KanEvent(TypedDict):
    """A player made a kan on their own turn."""

    type: Literal["kan"]
    seat: int
    kind: str
    tile: TileText | None


CallEvent = TypedDict(
    "CallEvent",
    {"type": Literal["call"], "seat": int, "from": int, "kind": str, "tile": TileText, "tiles": list[TileText]},
)


class DoraEvent(TypedDict):
    """A dora indicator was turned."""

    type: Literal["dora"]
    tile: TileText


class WinEvent(TypedDict):
    """A player won."""

    type: Literal["win"]
    seat: int
    loser: int | None
    tile: TileText
    points: int


class EndEvent(TypedDict):
    """The hand ended."""

    type: Literal["end"]
    kind: str
    changes: list[int]


class OverEvent(TypedDict):
    """The game is over."""

    type: Literal["over"]


class UndoEvent(TypedDict):
    """The game went back."""

    type: Literal["undo"]


LiveEvent = TypeAliasType(
    "LiveEvent",
    Annotated[
        HandEvent
        | DrawEvent
        | DiscardEvent
        | RiichiEvent
        | KanEvent
        | CallEvent
        | DoraEvent
        | WinEvent
        | EndEvent
        | OverEvent
        | UndoEvent,
        Field(discriminator="type"),
    ],
)
"""Something that happened at the table, as the viewer may know it."""

# --- what the server says


class AskText(TypedDict):
    """A question put to the viewer; `deadline` is the seconds left."""

    id: int
    choices: list[Choice]
    deadline: float | None


class AutoOptions(TypedDict):
    """Automatic answers: win whenever possible, never call, discard the drawn tile."""

    win: bool
    calls: bool
    tsumogiri: bool


class ClockText(TypedDict):
    """Seconds for each decision, and what is left of the reserve."""

    base: float
    extra: float


class NextHand(TypedDict):
    """Whether the next hand waits for people, and who is ready."""

    wanted: bool
    ready: list[int]


class Watching(TypedDict):
    """Settings of a watched game: seconds per move, paused, all hands open."""

    pace: float
    paused: bool
    open: bool


class LiveState(TypedDict):
    """The state of a game, and what has happened since the last one."""

    type: Literal["state"]
    id: str
    kind: GameKind
    seq: int
    position: Position
    events: list[LiveEvent]
    ask: AskText | None
    auto: AutoOptions | None
    clock: ClockText | None
    practice: bool
    can_undo: bool
    thinking: list[int]
    next: NextHand | None
    watch: Watching | None
    over: bool


class Accepted(TypedDict):
    """The answer to a question was kept."""

    type: Literal["accepted"]
    ask: int


class Hint(TypedDict):
    """An agent's opinion of the open question."""

    type: Literal["hint"]
    ask: int
    thought: Thought


class Waiting(TypedDict):
    """The game cannot be shown yet."""

    type: Literal["waiting"]
    code: ErrorCode
    values: dict[str, int | str | ProblemText]
    message: str


class SocketError(TypedDict):
    """A message could not be carried out."""

    type: Literal["error"]
    code: ErrorCode
    values: dict[str, int | str | ProblemText]
    message: str


class Pong(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


Said = Annotated[LiveState | Accepted | Hint | Waiting | SocketError | Pong, Field(discriminator="type")]

# --- what the page says


class AnswerMessage(TypedDict):
    """An action for the open question."""

    type: Literal["answer"]
    ask: int
    action: int


class HintMessage(TypedDict):
    """Ask an agent (by default the strongest) about the open question."""

    type: Literal["hint"]
    agent: NotRequired[str | None]


class AutoMessage(TypedDict):
    """Change auto-options."""

    type: Literal["auto"]
    win: NotRequired[bool]
    calls: NotRequired[bool]
    tsumogiri: NotRequired[bool]


class PaceMessage(TypedDict):
    """Change the seconds between the moves of a game that is watched."""

    type: Literal["pace"]
    seconds: float


class OpenMessage(TypedDict):
    """Show all hands, or hide them."""

    type: Literal["open"]
    open: bool


class PlainMessage(TypedDict):
    """A message without content."""

    type: Literal["next", "undo", "ping", "pause", "resume", "step"]


Heard = Annotated[
    AnswerMessage | HintMessage | AutoMessage | PaceMessage | OpenMessage | PlainMessage, Field(discriminator="type")
]
