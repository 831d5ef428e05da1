"""Training examples: each decision of recorded hands as packed inputs, with the action taken and hidden information.

Kernels replay the hands on all cores; only the network's inputs and targets are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tables import tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi.notes import new_notes
from janshi.features.riichi.packed import PACKED_DTYPE, write_packed
from janshi.models.labels import OPPONENTS, payments
from janshi.records.compact import CompactHands
from janshi.records.rebuild import INFO_DTYPE, Room, rebuild_hands
from janshi.records.splits import SPLITS
from janshi.rules.riichi.state import PLAYERS, STATE_DTYPE
from janshi.rules.riichi.view import ORACLE_DTYPE

Array = npt.NDArray[Any]

CHUNK: Final = 1 << 14
"""Decisions that a thread rebuilds per call."""
ENDS: Final = 2 * PLAYERS + PLAYERS * (PLAYERS - 1)
"""How a hand can end, seats relative to the viewer: tsumo by each, a draw (and three spare), ron by each from each."""
DRAW_END: Final = PLAYERS
FIRST_RON_END: Final = 2 * PLAYERS

TARGETS_DTYPE: Final = record_dtype(
    [
        ("waits", np.int64, (OPPONENTS,)),  # kinds each opponent waits for
        ("rons", np.int64, (OPPONENTS,)),  # kinds each opponent could win on now
        ("value", np.int32, (OPPONENTS,)),  # payment of one of those wins, 0 if there is none
        ("value_kind", np.uint8, (OPPONENTS,)),  # the kind of that win
        ("hand", np.int32),  # number of the hand
        ("action", np.uint8),
        ("end", np.uint8),  # how the hand ended
        ("ranks", np.uint8, (PLAYERS,)),  # final ranks 0 to 3 from the viewer on; 4 if unknown
        ("source", np.uint8),  # pack
        ("held_out", np.uint8),  # the viewer is held out of training
        ("riichi", np.uint8),  # opponents in riichi
        ("opened", np.uint8),  # open melds of the opponents
        ("last_hand", np.uint8),  # the last planned hand of the game, or after it
        ("turn", np.uint8),  # the viewer's discards so far
        ("sure", np.uint8),
        ("forced", np.uint8),
    ]
)
"""The network's targets, and facts by which its answers are grouped when measured."""


@dataclass(frozen=True)
class Selection:
    """Which decisions become examples."""

    split: str = "train"
    """A split of the data set, or several separated by commas."""
    seats: str = "seen"
    """`seen`: players not held out; `unseen`: held-out players; `all`."""
    packs: tuple[str, ...] = ()
    """Names of packs, or prefixes of names; all if empty."""
    skip_forced: bool = True
    skip_unsure: bool = True
    share: float = 1.0
    """Share of the games, chosen by number."""

    def hands(self, compact: CompactHands) -> CompactHands:
        """The chosen hands; `seats` are the players whose decisions are used."""
        found = compact.select(self.mask(compact))
        if not len(found):
            raise ValueError(f"no hand is left of split {self.split!r} (games from 2022 on are of split 'test')")
        everybody, held_out = (1 << PLAYERS) - 1, found.hands["held_out"]
        found.hands["seats"] = {"all": everybody, "unseen": held_out, "seen": everybody & ~held_out}[self.seats]
        return found

    def _splits(self) -> list[int]:
        """Numbers of the splits."""
        names = self.split.split(",")
        for name in names:
            if name not in SPLITS:
                raise ValueError(f"no split is called {name!r}; there are {', '.join(SPLITS)}")
        return [SPLITS.index(name) for name in names]

    def mask(self, compact: CompactHands) -> Array:
        """Whether each hand is chosen, bool[h]."""
        facts = compact.facts
        chosen = np.isin(facts["split"], self._splits()) & (facts["disconnect"] == 0)
        if self.packs:
            wanted = [i for i, name in enumerate(compact.sources) if name.startswith(self.packs)]
            if not wanted:
                raise ValueError(f"no pack is called {', '.join(self.packs)}; there are {', '.join(compact.sources)}")
            chosen &= np.isin(facts["source"], wanted)
        if self.share < 1:
            chosen &= (facts["game"].astype(np.int64) * 2654435761 % 10_000) < self.share * 10_000
        return np.asarray(chosen)


class _Workspace:
    """Buffers of one thread."""

    def __init__(self, compact: CompactHands, room: int) -> None:
        self.views = np.zeros(room, ORACLE_DTYPE)
        self.actions = np.zeros(room, np.uint8)
        self.infos = np.zeros(room, INFO_DTYPE)
        self.state = np.zeros(1, STATE_DTYPE)
        self.frames, self.tables = compact.frames()
        self.notes = new_notes()


def examples(
    compact: CompactHands, selection: Selection, threads: int = 1, shuffle: int | None = None
) -> Iterator[tuple[Array, Array]]:
    """Yield examples in chunks: PACKED_DTYPE[n] and TARGETS_DTYPE[n]; `shuffle` is a seed for the order of hands."""
    chosen = selection.hands(compact)
    order = np.arange(len(chosen)) if shuffle is None else np.random.default_rng(shuffle).permutation(len(chosen))
    chosen = chosen.select(order)
    bounds = np.cumsum(chosen.hands["decisions"], dtype=np.int64) // CHUNK
    cuts = np.flatnonzero(np.diff(bounds, prepend=0)) if len(bounds) else np.zeros(0, np.int64)
    ranges = list(zip([0, *cuts.tolist()], [*cuts.tolist(), len(chosen)]))
    ranges = [(first, end) for first, end in ranges if end > first]
    room = max(int(chosen.hands["decisions"][first:end].sum()) for first, end in ranges)
    spaces = local()

    def work(span: tuple[int, int]) -> tuple[Array, Array]:
        if not hasattr(spaces, "space"):
            spaces.space = _Workspace(compact, room)
        return _rebuild(chosen, span, selection, spaces.space)

    if threads == 1:
        yield from map(work, ranges)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, ranges)


def _rebuild(
    chosen: CompactHands, span: tuple[int, int], selection: Selection, space: _Workspace
) -> tuple[Array, Array]:
    """The examples of a run of hands."""
    hands = chosen.hands[span[0] : span[1]].copy()
    hands["row"] = np.arange(len(hands))
    count = rebuild_hands(
        hands,
        chosen.answers,
        0,
        selection.skip_forced,
        selection.skip_unsure,
        Room(space.views, space.views, space.actions, space.infos),
        space.state,
        space.frames,
        space.tables,
    )
    if count < 0:
        raise ValueError(f"hand {span[0] - 1 - count} cannot be played again: the file and the rules do not fit")
    views, infos = space.views[:count], space.infos[:count]
    packed = np.zeros(count, PACKED_DTYPE)
    rules = np.ascontiguousarray(space.frames["rules"])
    which = hands["rules"][infos["hand"]].astype(np.int64)
    write_packed(views, rules, which, tables_array(), space.notes, packed)
    targets = np.zeros(count, TARGETS_DTYPE)
    targets["action"] = space.actions[:count]
    _fill_facts(chosen.facts[span[0] : span[1]], chosen, span[0], infos, targets)
    write_hidden(views, payments(views), targets)
    targets["last_hand"] = views["kyoku"] >= 4 * np.array([r.rounds for r in chosen.rules])[which] - 1
    return packed, targets


def _fill_facts(facts: Array, chosen: CompactHands, first: int, infos: Array, targets: Array) -> None:
    """Targets that are the same for a whole hand."""
    hand, player = infos["hand"], infos["player"].astype(np.int64)
    targets["hand"] = chosen.hands["row"][first + hand]
    for name in ("held_out", "sure", "forced"):
        targets[name] = infos[name]
    targets["source"] = facts["source"][hand]
    seats = (player[:, None] + np.arange(PLAYERS)) % PLAYERS
    ranks = np.take_along_axis(facts["ranks"][hand].astype(np.int64), seats, 1)
    targets["ranks"] = np.where(ranks > 0, ranks - 1, PLAYERS)
    targets["end"] = ends(facts["winners"][hand].astype(np.int64), facts["loser"][hand].astype(np.int64), player)


def ends(winners: Array, loser: Array, player: Array) -> Array:
    """How hands ended, as numbers below ENDS, with seats relative to each player.

    Of several winners, the first after the loser counts.
    """
    base = np.where(loser >= 0, loser, 0)
    winner = np.full(len(winners), -1, np.int64)
    for step in range(PLAYERS - 1, -1, -1):
        seat = (base + step) % PLAYERS
        winner = np.where((winners >> seat) & 1 == 1, seat, winner)
    to, source = (winner - player) % PLAYERS, (loser - player) % PLAYERS
    ron = FIRST_RON_END + to * (PLAYERS - 1) + (source - to) % PLAYERS - 1
    return np.where(winner < 0, DRAW_END, np.where(loser < 0, to, ron)).astype(np.uint8)


@kernel
def one_of(kinds: int, number: int) -> int:
    """The n-th kind of a bit set."""
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1:
            if number == 0:
                return kind
            number -= 1
    return 0


@kernel
def write_hidden(views: Any, costs: Any, targets: Any) -> None:
    """Write targets from oracle views: the opponents' waits, possible wins, and the payment of one of them."""
    for i in range(len(views)):
        v, target = views[i], targets[i]
        riichi, opened = 0, 0
        for player in range(1, PLAYERS):
            target.waits[player - 1] = v.all_waits[player]
            rons, kinds = 0, 0
            for kind in range(NUM_KINDS):
                if costs[i, player - 1, kind] > 0:
                    rons |= 1 << kind
                    kinds += 1
            target.rons[player - 1] = rons
            chosen = one_of(rons, (i * PLAYERS + player) * 40_503 // 256 % kinds) if kinds else 0
            target.value[player - 1] = costs[i, player - 1, chosen] if kinds else 0
            target.value_kind[player - 1] = chosen
            riichi += int(v.riichi[player] != 0)
            opened += int(v.melds[player])
        target.riichi = riichi
        target.opened = opened
        target.turn = v.discards[0]
