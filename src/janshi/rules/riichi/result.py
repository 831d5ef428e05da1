"""The result of a hand, in Python's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from janshi.core.melds import CHI, PON, Meld
from janshi.core.tiles import FIRST_RED, FIVE_M, RANKS
from janshi.rules.riichi import yaku as y
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.hand import WINDS, Hand, ScoreReport
from janshi.rules.riichi.hidden import tiles_in_hand
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import EXHAUSTIVE_DRAW, NAGASHI_MANGAN, NONE, PLAYERS, RON_WIN, TSUMO_WIN

RESULT_NAMES: Final = (
    "none",
    "tsumo",
    "ron",
    "exhaustive draw",
    "nagashi mangan",
    "nine terminals",
    "four winds",
    "four riichi",
    "four kans",
    "triple ron",
)


@dataclass(frozen=True, slots=True)
class Win:
    """One player's win."""

    player: int
    loser: int | None
    """Who discarded the winning tile, or None for a self-drawn win."""
    points: int
    """What the win itself brought, without honba and riichi sticks."""
    report: ScoreReport
    """The score, explained."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended."""

    kind: str
    """One of `RESULT_NAMES`."""
    wins: tuple[Win, ...]
    changes: tuple[int, ...]
    """Score changes of the whole hand, riichi sticks included."""
    tenpai: tuple[int, ...]
    """Players tenpai at an exhaustive draw."""
    nagashi: tuple[int, ...]
    """Players with nagashi mangan."""

    @property
    def is_draw(self) -> bool:
        """Whether nobody won."""
        return not self.wins


def seats(bits: int) -> tuple[int, ...]:
    """The players of a bit set."""
    return tuple(player for player in range(PLAYERS) if bits >> player & 1)


def meld_of(s: Any, player: int, i: int) -> Meld:
    """A meld of a player, read from the state."""
    kind, type_, red = int(s.meld_kind[player, i]), int(s.meld_type[player, i]), int(s.meld_red[player, i])
    tiles = [kind, kind + 1, kind + 2] if type_ == CHI else [kind] * (3 if type_ == PON else 4)
    if red:
        place = 3 if red == 2 else tiles.index(FIVE_M + RANKS * (kind // RANKS))
        tiles[place] = FIRST_RED + kind // RANKS
    source = int(s.meld_from[player, i])
    if source == NONE:
        return Meld(type_, tuple(tiles))
    return Meld(type_, tuple(tiles), int(s.meld_tile[player, i]), (source - player) % PLAYERS)


def melds_of(s: Any, player: int) -> list[Meld]:
    """A player's melds."""
    return [meld_of(s, player, i) for i in range(int(s.melds[player]))]


def indicators(s: Any, ura: bool = False) -> list[int]:
    """Kinds of the dora indicators shown, or of the ura indicators under them."""
    first = FIRST_INDICATOR - 1 if ura else FIRST_INDICATOR
    return [int(s.wall[first + 2 * i]) >> 2 for i in range(int(s.indicators))]


def read_result(s: Any, rules: Ruleset) -> HandResult:
    """Read the result of the finished hand from a state."""
    kind = int(s.result)
    winners = [p for i in range(PLAYERS) if (p := (int(s.actor) + i) % PLAYERS) in seats(int(s.winners))]
    wins = [read_win(s, p, i == 0, rules) for i, p in enumerate(winners)] if kind in (TSUMO_WIN, RON_WIN) else []
    return HandResult(
        kind=RESULT_NAMES[kind],
        wins=tuple(wins),
        changes=tuple(int(d) for d in s.deltas),
        tenpai=seats(int(s.tenpai)) if kind in (EXHAUSTIVE_DRAW, NAGASHI_MANGAN) else (),
        nagashi=seats(int(s.winners)) if kind == NAGASHI_MANGAN else (),
    )


def read_win(s: Any, player: int, first: bool, rules: Ruleset) -> Win:
    """Read one win; only the first winner takes honba and sticks."""
    tsumo = int(s.result) == TSUMO_WIN
    yaku = int(s.win_yaku[player])
    has = [bool(yaku >> number & 1) for number in range(len(y.YAKU))]
    tile = int(s.drawn) if tsumo else int(s.tile)
    tiles = tiles_in_hand(s, player)
    if tsumo:
        tiles.remove(tile)
    hand = Hand([*tiles, tile], melds_of(s, player))
    report = hand.score(
        tsumo=tsumo,
        riichi=has[y.RIICHI],
        double_riichi=has[y.DOUBLE_RIICHI],
        ippatsu=has[y.IPPATSU],
        rinshan=has[y.RINSHAN],
        chankan=has[y.CHANKAN],
        last_tile=has[y.HAITEI] or has[y.HOUTEI],
        first_turn=has[y.TENHOU] or has[y.CHIIHOU],
        seat_wind=WINDS[(player - int(s.kyoku)) % PLAYERS],
        round_wind=WINDS[int(s.kyoku) // PLAYERS % PLAYERS],
        dora_indicators=indicators(s),
        ura_indicators=indicators(s, ura=True) if s.riichi[player] and has[y.RIICHI] | has[y.DOUBLE_RIICHI] else (),
        honba=int(s.honba) if first else 0,
        sticks=int(s.win_sticks) if first else 0,
        rules=rules,
    )
    return Win(player, None if tsumo else int(s.actor), int(s.win_points[player]), report)
