"""Training labels from oracle views: who is tenpai, and what each ron would cost."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.rng import draw_below, key
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.rules.riichi.concealed import held_in_melds, kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.points import ron_payment
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import FRAME_DTYPE, INDICATORS, MELDS, NONE, PLAYERS, TURN
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE

OPPONENTS: Final = PLAYERS - 1
_FIELDS: Any = ORACLE_DTYPE.fields
_VIEW_FROM: Final[int] = _FIELDS["legal"][1]


def plain_views(hidden: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Oracle views without the hidden part, VIEW_DTYPE[n]."""
    rows = np.ascontiguousarray(hidden).view(np.uint8).reshape(len(hidden), ORACLE_DTYPE.itemsize)
    return np.ascontiguousarray(rows[:, _VIEW_FROM : _VIEW_FROM + VIEW_DTYPE.itemsize]).view(VIEW_DTYPE)[:, 0]


def own_turns(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether each view is of a player about to discard: then all others hold 13 tiles, counting melds."""
    return (views["phase"] == TURN) & (views["actor"] == 0)


def tenpai(hidden: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which opponents are tenpai, bool[n, 3]."""
    return np.asarray(hidden["all_waits"][:, 1:] != 0)


def payments(hidden: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.int32]:
    """The viewer's payment to each opponent for discarding each kind now, int32[n, 3, 34]; 0 if there is no ron.

    Without honba and sticks, for a tile that is not a red five. Ura-dora are drawn at random from the tiles in the
    wall, since neither records nor oracle views contain them.
    """
    frame = np.zeros(1, FRAME_DTYPE)
    frame["rules"] = TENHOU.record()
    out = np.zeros((len(hidden), OPPONENTS, NUM_KINDS), np.int32)
    _write_payments(hidden, np.uint64(seed), frame, out)
    return out


@kernel
def _write_payments(hidden: Any, seed: np.uint64, frame: Any, out: Any) -> None:
    """Write what each ron would cost."""
    f = frame[0]
    ura = np.zeros(NUM_KINDS, np.int64)
    for i in range(len(hidden)):
        v = hidden[i]
        draw_ura(v, key(seed, i, int(v.turns)), ura)
        for player in range(1, PLAYERS):
            waits = int(v.all_waits[player])
            if waits == 0 or v.all_furiten[player]:
                continue
            for kind in range(NUM_KINDS):
                if (waits >> kind) & 1:
                    describe_ron(v, player, kind, ura, f.win)
                    score(f.win, f.rules, f.score)
                    base = int(f.score["base"])
                    out[i, player - 1, kind] = ron_payment(base, v.dealer == player) if base else 0


@kernel
def draw_ura(v: Any, state: np.uint64, ura: Any) -> None:
    """Draw one ura-dora per indicator from the tiles that nobody holds or sees; int64[34] by kind."""
    ura[:] = 0
    drawn = np.zeros(NUM_KINDS, np.int64)
    for i in range(INDICATORS):
        if v.indicators[i] == NONE:
            continue
        total = 0
        for kind in range(NUM_KINDS):
            total += in_wall(v, kind) - drawn[kind]
        state, chosen = draw_below(state, max(total, 1))
        for kind in range(NUM_KINDS):
            chosen -= in_wall(v, kind) - drawn[kind]
            if chosen < 0:
                drawn[kind] += 1
                ura[dora_of(kind)] += 1
                break


@kernel
def in_wall(v: Any, kind: int) -> int:
    """Tiles of a kind that nobody holds or sees."""
    count = COPIES - int(v.seen[kind])
    for player in range(PLAYERS):
        count -= int(v.hands[player, kind])
    return count


@kernel
def describe_ron(v: Any, player: int, kind: int, ura: Any, w: Any) -> None:
    """Write a player's win on the viewer's discard of a kind."""
    for other in range(NUM_KINDS):
        w.hand[other] = v.hands[player, other]
    w.hand[kind] += 1
    w.win_kind = kind
    w.melds = v.melds[player]
    for i in range(MELDS):
        w.meld_type[i] = v.meld_type[player, i]
        w.meld_kind[i] = v.meld_kind[player, i] if i < v.melds[player] else 0
    w.tsumo = w.rinshan = w.chankan = w.first_turn = 0
    w.seat_wind = (player + PLAYERS - int(v.dealer)) % PLAYERS
    w.round_wind = (int(v.kyoku) // PLAYERS) % PLAYERS
    w.riichi = v.riichi[player]
    w.ippatsu = v.ippatsu[player] if v.riichi[player] else 0
    w.last_tile = int(v.left == 0)
    w.dora = w.ura = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            dora = dora_of(kind_of(int(v.indicators[i])))
            w.dora += int(w.hand[dora]) + held_in_melds(v, player, dora)
    if v.riichi[player]:
        for other in range(NUM_KINDS):
            if ura[other]:
                w.ura += ura[other] * (int(w.hand[other]) + held_in_melds(v, player, other))
    held = int(v.all_reds[player])
    w.red = (held & 1) + ((held >> 1) & 1) + ((held >> 2) & 1)
    for i in range(int(v.melds[player])):
        w.red += int(v.meld_red[player, i] != 0)
