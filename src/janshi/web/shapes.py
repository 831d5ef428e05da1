"""The shapes of a table as JSON: positions, results, legal actions, and an agent's opinion of them.

They are types only: the functions that make them build plain dictionaries. The page's types are written from them
(`scripts/write_page_types.py`). Tiles are texts: "1m" to "9m", "0m" a red five, "1z" to "7z"; "?" is a hidden tile.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from janshi.web.phrases import PhraseText

TileText = TypeAliasType("TileText", str)
MeldKind = TypeAliasType("MeldKind", Literal["chi", "pon", "open_kan", "concealed_kan", "added_kan"])
Phase = TypeAliasType("Phase", Literal["turn", "reaction", "hand_over", "game_over"])
ChoiceKind = TypeAliasType(
    "ChoiceKind",
    Literal["discard", "tsumogiri", "riichi", "chi", "pon", "kan", "tsumo", "ron", "nine_terminals", "pass", "other"],
)

# --- positions

Meld = TypedDict(
    "Meld",
    {
        "kind": MeldKind,
        "tiles": list[TileText],
        "called": int | None,  # index in `tiles` of the called tile
        "from": int | None,  # seat whose tile was called
    },
)


class RiverTile(TypedDict):
    """A discard."""

    tile: TileText
    tsumogiri: bool
    riichi: bool
    called: bool


class Seat(TypedDict):
    """A player's place at the table; `hand` is null and `drawn` "?" where they are hidden."""

    name: str
    agent: str | None
    wind: str
    score: int
    rank: int
    hand: list[TileText] | None
    count: int
    drawn: TileText | None
    melds: list[Meld]
    river: list[RiverTile]
    riichi: bool
    flowers: NotRequired[list[int]]


class YakuLine(TypedDict):
    """A yaku of a win, or dora, with its han (of a yakuman: how many yakuman)."""

    name: str
    romaji: str
    kanji: str
    han: int


class FanLine(TypedDict):
    """A fan of a win; `points` is what it adds in all."""

    name: str
    chinese: NotRequired[str]
    points: int
    count: int


class FuPart(TypedDict):
    """A cause of fu."""

    name: str
    fu: int


class Paid(TypedDict):
    """What each of some payers pays."""

    payer: str
    points: int


class Winner(TypedDict):
    """A win: the hand without the winning tile, that tile, and its value by the rules of the game."""

    seat: int
    loser: int | None
    hand: list[TileText]
    melds: list[Meld]
    tile: TileText
    points: int
    total: NotRequired[int]
    yaku: NotRequired[list[YakuLine]]
    han: NotRequired[int]
    fu: NotRequired[int]
    yakuman: NotRequired[int]
    limit: NotRequired[str]
    honba: NotRequired[int]
    sticks: NotRequired[int]
    fu_parts: NotRequired[list[FuPart]]
    payments: NotRequired[list[Paid]]
    dora: NotRequired[list[TileText]]
    ura: NotRequired[list[TileText]]
    fan: NotRequired[list[FanLine]]


class FinalResult(TypedDict):
    """Ranks and final points of a game."""

    ranks: list[int]
    points: list[float]


class Result(TypedDict):
    """How a hand ended; `final` is there when the game is over."""

    kind: str
    winners: list[Winner]
    changes: list[int]
    tenpai: list[bool]
    scores: list[int]
    final: FinalResult | None
    nagashi: NotRequired[list[int]]
    penalised: NotRequired[int | None]


class RulesName(TypedDict):
    """The rules of a game in short; `formats` are those of its records, `reviewable` games can be reviewed.

    Reviews kept by earlier versions lack the last two.
    """

    id: str
    family: str
    name: str
    rounds: int
    formats: NotRequired[list[str]]
    reviewable: NotRequired[bool]


class LastTile(TypedDict):
    """The last discarded tile, and whose it was."""

    seat: int
    tile: TileText


class Position(TypedDict):
    """One moment of a table as a viewer sees it; a null viewer is a spectator."""

    rules: RulesName
    viewer: int | None
    round: int
    round_name: str
    honba: int
    sticks: int
    left: int
    dealer: int
    walls: NotRequired[list[int] | None]
    turn: int
    phase: Phase
    dora: list[TileText]
    ura: list[TileText]
    seats: list[Seat]
    last: LastTile | None
    result: Result | None


# --- decisions


class Choice(TypedDict):
    """A legal action: its tile, the player's tiles it uses, which kan it makes, whether it discards the drawn tile."""

    action: int
    kind: ChoiceKind
    tile: TileText | None
    tiles: list[TileText]
    kan: NotRequired[MeldKind]
    drawn: NotRequired[bool]
    name: str


class WeighedChoice(Choice):
    """An agent's opinion of a choice: its loss in places or points, how often experts make it, and its numbers."""

    plan: str
    then: list[PhraseText]
    loss: float | None
    experts: float | None
    numbers: dict[str, float | None]


class Thought(TypedDict):
    """An agent's opinion of a decision; best choice first, losses in `unit`, which is null if there are none.

    `alike`: all choices have the same value.
    """

    agent: str
    best: int
    choices: list[WeighedChoice]
    tenpai: list[float]
    line: str
    steps: list[PhraseText]
    danger: dict[TileText, float] | None
    unit: str | None
    alike: bool
