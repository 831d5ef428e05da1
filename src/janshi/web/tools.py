"""The tools of the app: what a winning hand is worth and why, and what an unfinished hand needs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeVar

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from janshi.core.coded_error import CodedError
from janshi.core.hand import WAITING_SIZE, HandError
from janshi.core.hand import Hand as CoreHand
from janshi.core.melds import Meld, MeldError
from janshi.core.tiles import Tile, TileError, is_red, kind_of, parse_tiles, sort_tiles
from janshi.rules.guobiao.fans import MINIMUM
from janshi.rules.guobiao.hand import FanReport
from janshi.rules.guobiao.hand import Hand as GuobiaoHand
from janshi.rules.riichi.hand import Hand as RiichiHand
from janshi.rules.riichi.hand import ScoreReport
from janshi.rules.riichi.ruleset import PRESETS, get_ruleset
from janshi.rules.riichi.yaku import DORA, YAKU
from janshi.web.errors import ERRORS, Refused
from janshi.web.families import reviews
from janshi.web.problems import Problem, of_coded, problem

router = APIRouter(prefix="/api/tools", tags=["tools"], responses=ERRORS)

UNREADABLE: Final = (HandError, MeldError, TileError)
"""Errors for which a request is refused; each says what was expected."""

SomeHand = TypeVar("SomeHand", bound=CoreHand)
Family = Literal["riichi", "guobiao"]
Wind = Literal["E", "S", "W", "N"]
Preset = StrEnum("Preset", {name: name for name in PRESETS})  # type: ignore[misc]
Text = Annotated[str, Field(max_length=120)]
TileText = Annotated[str, Field(max_length=8, examples=["5p"])]


class Question(BaseModel):
    """A hand: 13 or 14 tiles as people write them, with melds in brackets after them or given separately."""

    model_config = ConfigDict(extra="forbid")

    tiles: Annotated[
        str, Field(max_length=120, examples=["123m406p789s22z55m"], description="concealed tiles; melds may follow")
    ]
    melds: Annotated[list[Text], Field(max_length=4, examples=[["(345m)", "[1111z]"]])] = []
    """Melds given separately: `(345m)`, `(777z)`, `(0555p)`, `(555+0p)`, `[1111m]`."""


class RiichiWin(Question):
    """A riichi hand that has won, and how."""

    family: Literal["riichi"]
    winning_tile: TileText | None = None
    """The last tile written, if not given."""
    rules: Preset = Preset("tenhou")
    seat_wind: Wind = "E"
    round_wind: Wind = "E"
    tsumo: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    dora_indicators: Annotated[str, Field(max_length=40, examples=["4m"])] = ""
    ura_indicators: Annotated[str, Field(max_length=40)] = ""
    honba: Annotated[int, Field(ge=0, le=99)] = 0
    sticks: Annotated[int, Field(ge=0, le=99)] = 0


class GuobiaoWin(Question):
    """A Guobiao hand that has won, and how."""

    family: Literal["guobiao"]
    winning_tile: TileText | None = None
    seat_wind: Wind = "E"
    round_wind: Wind = "E"
    self_drawn: bool = False
    last_of_kind: bool = False
    last_tile: bool = False
    after_kong: bool = False
    robbing: bool = False
    flowers: Annotated[int, Field(ge=0, le=8)] = 0


class MeldShown(BaseModel):
    """A meld with its tiles."""

    kind: str
    tiles: list[str]


class Reason(BaseModel):
    """A yaku or a fan of the hand."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    number: int
    """Its place in the table of yaku or fan."""
    name: str
    native: str
    """The name in Japanese or Chinese."""
    reading: str
    """That name in Latin letters."""
    value: int
    """Its total value."""
    count: int = 1
    tiles: list[list[str]] = []
    """The sets or tiles that make it, where it is not the whole hand."""


class Part(BaseModel):
    """A cause of fu."""

    name: str
    fu: int


class Payment(BaseModel):
    """Who pays what."""

    payer: Literal["discarder", "dealer", "others", "everyone"]
    points: int
    """What each of these pays."""


class Worth(BaseModel):
    """What a hand is worth and why."""

    family: Family
    hand: list[str]
    melds: list[MeldShown]
    winning_tile: str
    tsumo: bool
    wins: bool
    """Whether it may win: in Guobiao, whether it has eight fan."""
    unit: Literal["han", "yakuman", "fan"]
    reasons: list[Reason]
    han: int
    """In Guobiao 0."""
    fu: int
    fu_parts: list[Part]
    """Causes of fu before they are rounded up to tens."""
    yakuman: int
    limit: str
    fan: int
    """Fan without flowers, in riichi 0."""
    total_fan: int
    needed: int
    """Fan needed to win, in riichi 0."""
    payments: list[Payment]
    total: int
    """The winner's total, including honba and riichi sticks."""
    text: str
    """The whole report in plain text."""


class Useful(BaseModel):
    """A useful tile, and how many of it are left."""

    tile: str
    left: int


class Discard(BaseModel):
    """What is left of a hand after a discard."""

    tile: str
    shanten: int
    useful: list[Useful]
    left: int
    """Total number of useful tiles."""
    second: float | None
    """The next step: useful tiles after the best discard that follows a useful draw, on average over those draws. None
    where a useful draw completes the hand, and for discards that lose shanten."""


class EfficiencyQuestion(Question):
    """A hand of 13 or 14 tiles, and what else is seen on the table."""

    family: Family = "riichi"
    seen: Annotated[str, Field(max_length=400, description="tiles seen elsewhere: rivers, melds, indicators")] = ""


class Efficiency(BaseModel):
    """What a hand needs."""

    family: Family
    hand: list[str]
    melds: list[MeldShown]
    count: Literal[13, 14]
    """Tiles of the hand, a meld counted as three."""
    shanten: int
    """Exchanges away from waiting: 0 is waiting (tenpai), -1 complete."""
    useful: list[Useful]
    """For 13 tiles: draws that lower the shanten."""
    left: int
    discards: list[Discard]
    """For 14 tiles: every discard, the best first."""


def hand_problem(error: CodedError) -> Problem:
    """Why a hand cannot be read or scored."""
    found = of_coded(error)
    return found if isinstance(found, Problem) else problem("hand_refused", problem=found)


# --- what a hand is worth


@router.post("/score")
def score(win: Annotated[RiichiWin | GuobiaoWin, Field(discriminator="family")]) -> Worth:
    """What a winning hand is worth: its yaku or fan, fu, and who pays what."""
    try:
        return _riichi_worth(win) if isinstance(win, RiichiWin) else _guobiao_worth(win)
    except UNREADABLE as error:
        raise Refused(hand_problem(error), 422) from None


def _circumstances(win: RiichiWin | GuobiaoWin) -> dict[str, Any]:
    """Arguments of the hands' own methods besides the tiles."""
    return win.model_dump(exclude={"family", "tiles", "melds", "winning_tile", "rules"})


def _riichi_worth(win: RiichiWin) -> Worth:
    hand = read_hand(RiichiHand, win)
    report = hand.score(win.winning_tile, rules=get_ruleset(win.rules), **_circumstances(win))
    return Worth(
        family="riichi",
        **_shown(_complete(hand, report.winning_tile)),
        winning_tile=report.winning_tile,
        tsumo=report.tsumo,
        wins=True,
        unit="yakuman" if report.yakuman else "han",
        reasons=_yaku(report),
        han=report.han,
        fu=0 if report.yakuman else report.fu,
        fu_parts=[] if report.yakuman else [Part(name=name, fu=fu) for name, fu in report.fu_parts],
        yakuman=report.yakuman,
        limit=report.limit,
        fan=0,
        total_fan=0,
        needed=0,
        payments=[Payment(payer=payer, points=points) for payer, points in report.payments],  # type: ignore[arg-type]
        total=report.total,
        text=str(report),
    )


def _yaku(report: ScoreReport) -> list[Reason]:
    """The yaku of a report, then its dora."""
    found = [(line.yaku, line.han) for line in report.yaku]
    found += [(yaku, han) for yaku, han in zip(YAKU[DORA:], (report.dora, report.ura, report.red)) if han]
    return [
        Reason(number=yaku.number, name=yaku.name, native=yaku.kanji, reading=yaku.romaji, value=han)
        for yaku, han in found
    ]


def _guobiao_worth(win: GuobiaoWin) -> Worth:
    hand = read_hand(GuobiaoHand, win)
    report = hand.fan(win.winning_tile, **_circumstances(win))
    total = sum(points * _payers(payer) for payer, points in report.payments) if report.wins else 0
    return Worth(
        family="guobiao",
        **_shown(_complete(hand, report.winning_tile)),
        winning_tile=report.winning_tile,
        tsumo=report.self_drawn,
        wins=report.wins,
        unit="fan",
        reasons=_fan(report),
        han=0,
        fu=0,
        fu_parts=[],
        yakuman=0,
        limit="",
        fan=report.fan,
        total_fan=report.total,
        needed=MINIMUM,
        payments=[Payment(payer=payer, points=points) for payer, points in report.payments]  # type: ignore[arg-type]
        if report.wins
        else [],
        total=total,
        text=str(report),
    )


def _payers(payer: str) -> int:
    """Number of players that a word of a Guobiao payment means."""
    return {"discarder": 1, "others": 2, "everyone": 3}[payer]


def _fan(report: FanReport) -> list[Reason]:
    return [
        Reason(
            number=line.fan.number,
            name=line.fan.name,
            native=line.fan.chinese,
            reading=line.fan.pinyin,
            value=line.value,
            count=line.count,
            tiles=[_texts(parse_tiles(part)) for group in line.tiles for part in group.split("+")],
        )
        for line in report.lines
    ]


# --- what a hand needs


@router.post("/efficiency")
def efficiency(question: EfficiencyQuestion) -> Efficiency:
    """How far a hand is from waiting, which tiles help, and what each discard would leave."""
    try:
        return _efficiency(question)
    except UNREADABLE as error:
        raise Refused(hand_problem(error), 422) from None


def _efficiency(question: EfficiencyQuestion) -> Efficiency:
    hand = read_hand(hand_of(question.family), question)
    seen = [int(tile) for tile in parse_tiles(question.seen.replace(",", " "))]
    waiting = len(hand) == WAITING_SIZE
    useful = _useful(hand, seen) if waiting else []
    return Efficiency(
        family=question.family,
        **_shown(hand),
        count=13 if waiting else 14,
        shanten=hand.shanten(),
        useful=useful,
        left=sum(tile.left for tile in useful),
        discards=[] if waiting else _discards(hand, seen),
    )


def hand_of(family: str) -> type[CoreHand]:
    """The hands of a family of rules."""
    return reviews()[family].reasons().hand


def _useful(hand: CoreHand, seen: Sequence[int]) -> list[Useful]:
    return [Useful(tile=str(tile), left=left) for tile, left in hand.useful_tiles(seen).items()]


def _discards(hand: CoreHand, seen: Sequence[int]) -> list[Discard]:
    """Every discard, least shanten first, then most useful tiles."""
    found = [_discard(hand, tile, seen) for tile in distinct(hand)]
    least = min(discard.shanten for discard in found)
    for discard in found:
        if discard.shanten == least and least > 0:
            discard.second = _second_step(hand.discard(discard.tile), discard, [*seen, *parse_tiles(discard.tile)])
    return sorted(found, key=lambda discard: (discard.shanten, -discard.left, -(discard.second or 0)))


def _second_step(after: CoreHand, discard: Discard, seen: Sequence[int]) -> float | None:
    """Useful tiles after the next useful draw and the best discard then, on average."""
    if not discard.left:
        return None
    total = sum(one.left * _most_useful(after.draw(one.tile), discard.shanten - 1, seen) for one in discard.useful)
    return round(total / discard.left, 2)


def _most_useful(hand: CoreHand, shanten: int, seen: Sequence[int]) -> int:
    """The most useful tiles that a discard leaves at this shanten."""
    left = 0
    for tile in {kind_of(tile): tile for tile in hand.tiles}.values():
        after = hand.discard(tile)
        if after.shanten() == shanten:
            left = max(left, sum(after.useful_tiles([*seen, int(tile)]).values()))
    return left


def _discard(hand: CoreHand, tile: Tile, seen: Sequence[int]) -> Discard:
    after = hand.discard(tile)
    useful = _useful(after, [*seen, tile])
    left = sum(found.left for found in useful)
    return Discard(tile=str(tile), shanten=after.shanten(), useful=useful, left=left, second=None)


# --- tiles and texts


def distinct(hand: CoreHand) -> list[Tile]:
    """One tile of each kind in a hand, in order; a red five only if there is no other."""
    tiles = {kind_of(tile): tile for tile in sorted(hand.tiles, key=is_red, reverse=True)}
    return [tile for _, tile in sorted(tiles.items())]


def read_hand(kind: type[SomeHand], question: Question) -> SomeHand:
    """The hand of a request."""
    return kind(question.tiles, [text.strip() for text in question.melds])


def _complete(hand: CoreHand, winning_tile: str) -> CoreHand:
    """The hand including its winning tile, which is added to a hand of 13 tiles."""
    return hand.draw(winning_tile) if len(hand) == WAITING_SIZE else hand


def _shown(hand: CoreHand) -> dict[str, Any]:
    """Concealed tiles in order, and melds."""
    return {"hand": _texts(sort_tiles(hand.tiles)), "melds": [_meld(meld) for meld in hand.melds]}


def _meld(meld: Meld) -> MeldShown:
    return MeldShown(kind=meld.type_name.replace(" ", "_"), tiles=_texts(meld.tiles))


def _texts(tiles: Sequence[int]) -> list[str]:
    return [str(Tile(tile)) for tile in tiles]
