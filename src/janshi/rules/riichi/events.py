"""The events of riichi, from the states before and after a step. Tiles are 0..36; a deal also has the wall's ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from janshi.core.tiles import COPIES, FIRST_RED, FIVE_M, NUM_IDS, RANKS, id_to_tile, kind_of
from janshi.rules import events
from janshi.rules.events import Answer, Call, Discard, Draw, Event, Indicator, Kan, Riichi, RiichiPaid, Scores, Tiles
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.hand import ScoreReport
from janshi.rules.riichi.hidden import tile_in_wall
from janshi.rules.riichi.points import YAKUMAN_BASE, ron_payment
from janshi.rules.riichi.result import HandResult, read_result
from janshi.rules.riichi.result import Win as ReadWin
from janshi.rules.riichi.ruleset import STICK, Ruleset
from janshi.rules.riichi.state import (
    HAND_OVER,
    LIABLE_DRAGONS,
    LIABLE_KANS,
    LIABLE_WINDS,
    NONE,
    PLAYERS,
    REACTION,
    TURN,
)
from janshi.rules.riichi.yaku import DAISANGEN, DAISUUSHII, SUUKANTSU

Answers = Mapping[int, int]
BLOCKS: Final = (4, 4, 4, 1)
"""Tiles that a player takes at once when hands are dealt."""
TILES_OF_IDS: Final = (tuple(i // COPIES for i in range(NUM_IDS)), tuple(id_to_tile(i) for i in range(NUM_IDS)))
"""The tile of every tile id, without and with red fives."""
DRAWS_WITH_TENPAI: Final = ("exhaustive draw", "nagashi mangan")
"""Draws at which the players who are tenpai show it."""
EXCHANGED: Final = (act.PON_RED, *range(act.CHI_RED, act.PON))
"""Calls with a red five from the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(events.Deal):
    """A hand is dealt."""

    round: int
    """0 = East 1, 4 = South 1."""
    honba: int
    sticks: int
    indicator: int
    """The first dora indicator."""
    wall: Tiles
    """All 136 tile ids, as Tenhou lays walls out; the hands are dealt from its end."""

    def seen_by(self, seat: int | None) -> Event | None:
        """The wall and the others' tiles are hidden."""
        return replace(super(Deal, self).seen_by(seat), wall=())  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(events.Win):
    """A player wins."""

    changes: tuple[int, ...]
    """Score changes of this win: the first winner has honba and sticks, and no stick of this hand is in it."""
    liable: int | None
    """Who else pays for a yakuman that they fed, unless it is the loser."""
    sticks: int
    """Riichi sticks taken."""
    han: int
    """Han with all dora; 0 for a yakuman."""
    report: ScoreReport
    """The score, explained."""
    ura: Tiles
    """The ura indicators, if the winner turns them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHand(events.DrawnHand):
    """The hand ends without a winner."""

    changes: tuple[int, ...]
    """Score changes of the draw, without the sticks that were paid during the hand."""
    tenpai: tuple[int, ...] | None
    """Who is tenpai, at draws where this is shown."""
    shown: tuple[int, ...]
    """Whose hands are shown."""
    sticks: int
    """Riichi sticks that stay on the table."""


def deal_events(states: Array, rules: Ruleset) -> list[Event]:
    """The events of a hand that has just been dealt."""
    s = states
    wall: list[int] = s["wall"][0].tolist()
    tiles, kyoku = TILES_OF_IDS[rules.red_fives], s["kyoku"].item(0)
    dealer = kyoku % PLAYERS
    deal = Deal(
        dealer=dealer,
        hands=tuple(tuple(tiles[i] for i in ids) for ids in dealt_ids(wall, dealer)),
        scores=tuple(s["scores"][0].tolist()),
        round=kyoku,
        honba=s["honba"].item(0),
        sticks=s["sticks"].item(0),
        indicator=tiles[wall[FIRST_INDICATOR]],
        wall=tuple(wall),
    )
    return [deal, _draw(s)]


def dealt_ids(wall: Sequence[int], dealer: int) -> list[list[int]]:
    """The tile ids that a wall deals to each player, in the order they are dealt."""
    deals: list[list[int]] = [[] for _ in range(PLAYERS)]
    place = len(wall)
    for block in BLOCKS:
        for i in range(PLAYERS):
            deals[(dealer + i) % PLAYERS] += wall[place - block : place][::-1]
            place -= block
    return deals


def step_events(before: Array, after: Array, answers: Answers, rules: Ruleset) -> list[Event]:
    """The events of a step, in the order of the rules: an open kan's indicator is turned after the next discard."""
    b, s = before, after
    phase, actor = b["phase"].item(0), b["actor"].item(0)
    events: list[Event] = _own_action(b, actor, answers[actor]) if phase == TURN else []
    turned = _indicators(b, s, rules)
    if phase == TURN:
        events += turned
    if s["sticks"].item(0) == b["sticks"].item(0) + 1:
        events.append(RiichiPaid(actor))
    if phase == REACTION:
        events += _call(b, s, answers)
    if phase != TURN:
        events += turned
    if s["left"].item(0) != b["left"].item(0):
        events.append(_draw(s))
    return [*events, *end_events(after, rules, answers)] if s["phase"].item(0) == HAND_OVER else events


def _draw(s: Array) -> Draw:
    return Draw(s["actor"].item(0), s["drawn"].item(0), s["from_dead_wall"].item(0) != 0)


def _indicators(b: Array, s: Array, rules: Ruleset) -> list[Event]:
    """The dora indicators that were turned."""
    places = range(b["indicators"].item(0), s["indicators"].item(0))
    return [Indicator(tile_in_wall(s[0], FIRST_INDICATOR + 2 * i, rules)) for i in places]


# --- what players do


def _own_action(b: Array, seat: int, action: int) -> list[Event]:
    """What a player does on their turn; how it ends a hand is reported at the end."""
    if action <= act.TSUMOGIRI:
        drawn, riichi = action == act.TSUMOGIRI, b["declaring"].item(0) != 0
        return [Discard(seat, b["drawn"].item(0) if drawn else action, action, drawn, riichi)]
    if action == act.RIICHI:
        return [Riichi(seat, action)]
    if act.CONCEALED_KAN <= action < act.ADDED_KAN:
        kind = action - act.CONCEALED_KAN
        return [Kan(seat, events.CONCEALED_KAN, kind, _held(b, seat, kind, COPIES), action)]
    if act.ADDED_KAN <= action < act.TSUMO:
        own = _held(b, seat, action - act.ADDED_KAN, 1)
        return [Kan(seat, events.ADDED_KAN, own[0], own, action)]
    return []


def _call(b: Array, s: Array, answers: Answers) -> list[Event]:
    """The call that was carried out, if there was one."""
    for seat, action in answers.items():
        if s["melds"].item(0, seat) > b["melds"].item(0, seat):
            source, tile = b["actor"].item(0), b["tile"].item(0)
            kind, own = _called(b, seat, action, kind_of(tile))
            ignored = tuple(claim for claim in _claims(answers, source) if claim.seat != seat)
            return [Call(seat, source, kind, tile, own, action, ignored)]
    return []


def _called(b: Array, seat: int, action: int, kind: int) -> tuple[str, Tiles]:
    """The kind of a call, and the caller's own tiles in it."""
    if action == act.OPEN_KAN:
        return events.OPEN_KAN, _held(b, seat, kind, COPIES - 1)
    red = action in EXCHANGED
    if action >= act.PON:
        return events.PON, (_red_five(kind) if red else kind, kind)
    low = kind - (action - act.CHI) % 3
    own = (k for k in range(low, low + 3) if k != kind)
    return events.CHI, tuple(_red_five(k) if red and _is_five(k) else k for k in own)


def _held(b: Array, seat: int, kind: int, count: int) -> Tiles:
    """Tiles of a kind from a hand, the red five first."""
    red = _is_five(kind) and b["reds"].item(0, seat) >> kind // RANKS & 1
    return (_red_five(kind) if red else kind, *(kind,) * (count - 1))


def _is_five(kind: int) -> bool:
    return kind < 3 * RANKS and kind % RANKS == FIVE_M


def _red_five(kind: int) -> int:
    return FIRST_RED + kind // RANKS


def _claims(answers: Answers, source: int) -> list[Answer]:
    """All claims of a tile: wins go before pon and kan, those before chi."""
    return events.ordered_claims(answers, act.PASS, claim_rank, source, PLAYERS)


def claim_rank(action: int) -> int:
    """Where a claim stands among others of the same tile, from 0."""
    if action == act.RON:
        return 0
    return 2 if action < act.PON else 1


# --- the end of a hand


def end_events(states: Array, rules: Ruleset, answers: Answers | None = None) -> list[Event]:
    """How the hand that is over ended; `answers` are those of the last step."""
    s = states[0]
    result = read_result(s, rules)
    ends = _wins(s, result, rules, answers or {}) if result.wins else [_drawn_hand(s, result, answers or {})]
    return [*ends, Scores(result.kind, result.changes, tuple(s["scores"].tolist()))]


def _settled(s: Any, result: HandResult) -> list[int]:
    """Score changes at the end of a hand, without the riichi sticks that were paid before."""
    due = int(s["actor"]) if s["stick_due"] else NONE
    paid = [bool(s["riichi"][p]) and p != due for p in range(PLAYERS)]
    return [change + STICK * stick for change, stick in zip(result.changes, paid)]


def _drawn_hand(s: Any, result: HandResult, answers: Answers) -> DrawnHand:
    claims = tuple(Answer(p, a) for p, a in answers.items() if a in (act.RON, act.NINE_TERMINALS))
    return DrawnHand(
        result.kind,
        claims,
        changes=tuple(_settled(s, result)),
        tenpai=result.tenpai if result.kind in DRAWS_WITH_TENPAI else None,
        shown=tuple(_showing(result, int(s["actor"]))),
        sticks=int(s["sticks"]),
    )


def _showing(result: HandResult, actor: int) -> Sequence[int]:
    """Whose hands are shown at a draw."""
    if result.kind == "nine terminals":
        return (actor,)
    if result.kind == "triple ron":
        return [player for player in range(PLAYERS) if player != actor]
    return range(PLAYERS) if result.kind == "four riichi" else result.tenpai


def _wins(s: Any, result: HandResult, rules: Ruleset, answers: Answers) -> list[Event]:
    """An event for each winner: the first takes honba and sticks."""
    later = [_changes_of(s, win, rules) for win in result.wins[1:]]
    first = tuple(change - sum(other[p] for other in later) for p, change in enumerate(_settled(s, result)))
    winners = [win.player for win in result.wins]
    ignored = [claim for claim in _claims(answers, int(s["actor"])) if claim.seat not in winners]
    wins = [_win(s, win, changes, rules) for win, changes in zip(result.wins, [first, *later])]
    return [replace(wins[0], ignored=tuple(ignored), sticks=int(s["win_sticks"])), *wins[1:]]


def _win(s: Any, win: ReadWin, changes: tuple[int, ...], rules: Ruleset) -> Win:
    p, tsumo = win.player, win.loser is None
    liable, _ = _liable(s, p, rules)
    return Win(
        p,
        win.loser,
        int(s["drawn" if tsumo else "tile"]),
        win.points,
        act.TSUMO if tsumo else act.RON,
        changes=changes,
        liable=None if liable in (NONE, win.loser) else liable,
        sticks=0,
        han=0 if s["win_yakuman"][p] else int(s["win_han"][p]),
        report=win.report,
        ura=_ura(s, p, rules),
    )


def _ura(s: Any, player: int, rules: Ruleset) -> Tiles:
    if not s["riichi"][player] or not rules.ura_dora:
        return ()
    return tuple(tile_in_wall(s, FIRST_INDICATOR - 1 + 2 * i, rules) for i in range(int(s["indicators"])))


def _changes_of(s: Any, win: ReadWin, rules: Ruleset) -> tuple[int, ...]:
    """The effect of a further winner by ron, who takes neither honba nor sticks."""
    assert win.loser is not None
    changes = [0] * PLAYERS
    liable, yakuman = _liable(s, win.player, rules)
    half = 0
    if liable not in (NONE, win.loser):
        dealer = win.player == int(s["kyoku"]) % PLAYERS
        half = (win.points if rules.liability_whole_hand else ron_payment(YAKUMAN_BASE * yakuman, dealer)) // 2
        changes[liable] -= half
    changes[win.loser] -= win.points - half
    changes[win.player] += win.points
    return tuple(changes)


def _liable(s: Any, winner: int, rules: Ruleset) -> tuple[int, int]:
    """Who is liable for a win and for how many yakuman: (NONE, 0) if nobody is."""
    rows = (
        (DAISANGEN, LIABLE_DRAGONS, True, 1),
        (DAISUUSHII, LIABLE_WINDS, True, 2 if rules.double_yakuman else 1),
        (SUUKANTSU, LIABLE_KANS, rules.liability_four_kans, 1),
    )
    for yaku, place, counts, yakuman in rows:
        liable = int(s["liable"][winner, place])
        if counts and int(s["win_yaku"][winner]) >> yaku & 1 and liable != NONE:
            return liable, yakuman
    return NONE, 0
