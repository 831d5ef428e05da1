"""The data for fitting table rates: every discard of recorded hands, how the hands ended, and some views.

One pass over the games, replayed by the engine, writes a row for each discard (who, when, what, whether tenpai
afterwards, and the waiting model's output for the others just before), and one for the end of each hand. For some
discards, sampled by a hash, the view just before is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.rng import key
from janshi.features.opponent import new_reading
from janshi.features.waiting import MOST
from janshi.fitting.data import Source
from janshi.models import waiting
from janshi.models.labels import OPPONENTS
from janshi.models.waiting import WaitingModel
from janshi.records.dataset import Choice, DatasetError, _frames
from janshi.records.rebuild import begin, give_answers
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.dora import count_dora
from janshi.rules.riichi.state import HAND_OVER, NONE, PLAYERS, RON_WIN, STATE_DTYPE, TSUMO_WIN, TURN, Context
from janshi.rules.riichi.view import VIEW_DTYPE, look

PARTS: Final = 10_000
"""The unit of shares of views."""
MOST_DISCARDS: Final = 112
"""More discards than a hand can have."""

DISCARD_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),  # row of the hand in the data set
        ("waits", np.int64),  # of the discarder afterwards, 0 without tenpai
        ("end", np.int32),  # number of the hand's end
        ("view", np.int32),  # number of the kept view, or NONE
        ("said", np.float32, (OPPONENTS,)),  # the waiting model before the discard
        ("seat", np.int8),
        ("kind", np.int8),
        ("turns", np.int8),  # discards of all before
        ("discards", np.int8),  # the player's discards before
        ("melds", np.int8),
        ("left", np.int8),  # tiles left in the wall
        ("riichi", np.int8),  # in riichi afterwards
        ("declares", np.int8),  # this discard declares it
        ("tenpai", np.int8),  # afterwards
        ("furiten", np.int8),  # one of the player's discards is among the waits (furiten)
        ("unseen", np.int8),  # bit set of seats whose players are kept from training
    ]
)
"""A discard of a recorded hand, in the order of play."""

END_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),
        ("first", np.int64),  # the hand's discards
        ("discards", np.int16),
        ("base", np.int32, (PLAYERS,)),  # base points of a win, 0 without
        ("result", np.int8),
        ("winners", np.int8),  # bit set of seats
        ("loser", np.int8),  # who dealt in, or NONE
        ("robbed", np.int8),  # the win was on a kan's tile
        ("tenpai", np.int8),  # at an exhaustive draw
        ("indicators", np.int8),
        ("riichi", np.int8),  # bit set of seats
        ("ura", np.int8, (PLAYERS,)),  # ura-dora of winners in riichi
    ]
)
"""How a recorded hand ended."""


class Walk(NamedTuple):
    """All discards and ends of some games, and the views kept."""

    discards: npt.NDArray[Any]
    """DISCARD_DTYPE[n], hand by hand."""
    ends: npt.NDArray[Any]
    """END_DTYPE[h]."""
    views: npt.NDArray[Any]
    """VIEW_DTYPE[m]."""

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The discard before which each view was taken, int64[m]."""
        return np.flatnonzero(self.discards["view"] != NONE)


class Bench(NamedTuple):
    """What the waiting model needs while walking through a hand."""

    weights: Any
    reading: Any
    features: Any
    seen: Any


def hands_of(source: Source, role: str) -> npt.NDArray[np.bool_]:
    """Which hands of a data set have a role, bool[h]; excludes games in which somebody lost the connection."""
    source.roles.need(source.dataset, role)
    return np.asarray(source.roles.mask(source.dataset, role) & ~source.disconnect)


def walk(
    source: Source, role: str, share: float, report: Callable[[str], None] = lambda text: None, every: int = 1
) -> Walk:
    """Walk through the games with a role, keeping a share of the views. `every`: read only every n-th shard."""
    wanted, unseen = hands_of(source, role), source.unseen @ (1 << np.arange(PLAYERS))
    parts: list[Walk] = []
    for number in range(0, len(source.dataset.shards), every):
        hands, answers = source.dataset.stored(number, Choice(None, "all", True, None))
        hands = hands[wanted[hands["row"]]]
        if len(hands):
            parts.append(walk_hands(hands, answers, unseen[hands["row"]].astype(np.int8), share))
        if number % 20 == 19:
            report(f"{role}: {sum(len(part.ends) for part in parts):,} hands walked through")
    return joined(parts)


def joined(parts: list[Walk]) -> Walk:
    """Join several courses, shifting the numbers of ends, discards and views."""
    ends = discards = views = 0
    for part in parts:
        part.discards["end"] += ends
        part.discards["view"][part.rows] += views
        part.ends["first"] += discards
        ends, discards, views = ends + len(part.ends), discards + len(part.discards), views + len(part.views)
    return Walk(*(np.concatenate(some) for some in zip(*parts)))


def walk_hands(
    hands: npt.NDArray[Any], answers: npt.NDArray[np.uint8], unseen: npt.NDArray[np.int8], share: float
) -> Walk:
    """Walk through some stored hands; `unseen` is a bit set of seats for each."""
    room = np.zeros(int(np.minimum(hands["decisions"], MOST_DISCARDS).sum()), DISCARD_DTYPE)
    ends = np.zeros(len(hands), END_DTYPE)
    most = int(len(room) * min(1.0, 1.5 * share)) + 1000
    out = Walk(room, ends, np.zeros(most, VIEW_DTYPE))
    bench = Bench(WaitingModel.load().weights, new_reading(), np.zeros(MOST, np.int32), np.zeros(1, VIEW_DTYPE))
    state = np.zeros(1, STATE_DTYPE)
    done = _walk(hands, answers, unseen, round(PARTS * share), out, bench, state, *_frames())
    if done[0] < 0:
        raise DatasetError(f"hand {int(hands['row'][-1 - done[0]])} cannot be played again by these rules")
    return Walk(room[: done[0]].copy(), ends, out.views[: done[1]].copy())


@kernel
def _walk(
    hands: Any,
    answers: Any,
    unseen: Any,
    parts: int,
    out: Walk,
    bench: Bench,
    states: Any,
    frame: Any,
    tables: Any,
) -> tuple[int, int]:
    """Write discards, ends and views; returns how many discards and views, or -1 - i for a hand that fails."""
    at = kept = 0
    s, v = states[0], bench.seen[0]
    for i in range(len(hands)):
        h, end = hands[i], out.ends[i]
        c = Context(frame[int(h.rules)].rules, tables[0], frame[0].win, frame[0].score)
        begin(s, h, c)
        end.hand, end.first = h.row, at
        given, last = int(h.first), int(h.first) + int(h.decisions)
        while s.phase < HAND_OVER:
            if given >= last:
                return -1 - i, 0
            if s.phase != TURN or answers[given] > act.TSUMOGIRI:
                given = give_answers(s, answers, given, last, c)
                if given < 0:
                    return -1 - i, 0
                continue
            player, row = int(s.actor), out.discards[at]
            look(s, player, int(c.rules.red_fives), v)
            waiting.predict(v, bench.weights, bench.reading[0], bench.features, row.said)
            row.hand, row.end, row.unseen = h.row, i, unseen[i]
            note_discard(s, int(answers[given]), row)
            row.view = NONE
            chosen = key(np.uint64(1), int(h.row), int(s.turns)) % np.uint64(PARTS) < np.uint64(parts)
            if chosen and kept < len(out.views):
                row.view = kept
                look(s, player, int(c.rules.red_fives), out.views[kept])
                kept += 1
            answer(s, player, int(answers[given]), c)
            given += 1
            row.riichi = 1 if s.riichi[player] else 0
            row.tenpai, row.waits = 1 if s.waits[player] != 0 else 0, s.waits[player]
            row.furiten = 1 if s.waits[player] & s.discarded[player] else 0
            at += 1
        end.discards = at - int(end.first)
        note_end(s, end)
    return at, kept


@kernel
def note_discard(s: Any, action: int, row: Any) -> None:
    """Write what is known about a discard before it is made."""
    player = int(s.actor)
    row.seat = player
    row.kind = kind_of(int(s.drawn)) if action == act.TSUMOGIRI else kind_of(action)
    row.turns, row.left = s.turns, s.left
    row.discards, row.melds = s.discards[player], s.melds[player]
    row.declares = s.declaring


@kernel
def note_end(s: Any, end: Any) -> None:
    """Write how a hand ended."""
    won = s.result == TSUMO_WIN or s.result == RON_WIN
    end.result, end.winners = s.result, s.winners if won else 0
    end.loser = s.actor if s.result == RON_WIN else NONE
    end.robbed = 0
    if s.result == RON_WIN:
        last = int(s.discards[s.actor]) - 1
        newest = last >= 0 and s.river_order[s.actor, last] == s.turns - 1 and s.river[s.actor, last] == s.tile
        end.robbed = 0 if newest else 1
    end.tenpai, end.indicators = s.tenpai, s.indicators
    end.riichi = 0
    for player in range(PLAYERS):
        end.riichi |= (1 if s.riichi[player] else 0) << player
        end.base[player] = end.ura[player] = 0
        if won and (int(s.winners) >> player) & 1:
            end.base[player] = base_of(s, player)
            if s.riichi[player]:
                ron_kind = kind_of(int(s.tile)) if s.result == RON_WIN else -1
                end.ura[player] = count_dora(s, player, ron_kind, True)


@kernel
def base_of(s: Any, player: int) -> int:
    """Base points of a player's win, computed from its value (slightly too large because of rounding)."""
    dealer = int(s.kyoku) % PLAYERS == player
    points = int(s.win_points[player])
    return points // 6 if dealer else points // 4
