"""Positions of recorded games right after a discard, and the scenario (one of five) in which the hand ended.

    python -m janshi.fitting.scenarios.data DATA --out FOLDER

For a player, a hand ends with a win, a loss (deal-in), another player's win, or a washout in which they are tenpai or
noten (Kurita & Hoki 2021, Sec. II-B). Positions are sampled by a hash, with shares by shanten that make near and far
hands about equally frequent; `weight` is the number of positions that one represents. Each has the view before the
discard, in which it was decided, and the view after it, before anybody reacts.

A data set's shards are written one by one; existing files are kept.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.files import replacing
from janshi.core.rng import key
from janshi.core.shanten import shanten
from janshi.fitting.data import TESTING, TRAINING, VALIDATING, Source
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.fitting.table_rates.data import hands_of
from janshi.models.scenarios import ABORTED, LOSE, NOTEN, OTHER, TENPAI, WIN
from janshi.records.dataset import Choice, Dataset, DatasetError, _frames
from janshi.records.rebuild import begin, give_answers
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import (
    EXHAUSTIVE_DRAW,
    HAND_OVER,
    NONE,
    PLAYERS,
    REACTION,
    RON_WIN,
    STATE_DTYPE,
    TSUMO_WIN,
    TURN,
    Context,
)
from janshi.rules.riichi.view import VIEW_DTYPE, look

MOST_SHANTEN: Final = 6
PARTS: Final = 1_000_000
"""The unit of shares."""
SHARES: Final = np.array([32_000, 19_500, 15_500, 21_500, 50_000, 200_000, 900_000], np.int64)
"""Number of positions in a million to use for training, by shanten."""
CARD: Final = "training-data.txt"
"""The file that describes where the positions come from."""
FACTORS: Final = {TRAINING: 1.0, VALIDATING: 6.0, TESTING: 2.5}
"""Factor on these shares for each role."""

POSITION_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),  # row of the hand in the data set
        ("waits", np.int64),  # after the discard
        ("weight", np.float32),  # number of positions that it represents
        ("points", np.int32),  # points gained in the hand, including sticks (own ones from here on)
        ("seat", np.int8),
        ("action", np.uint8),  # the decision: an action that discards
        ("kind", np.int8),  # of the discard
        ("declares", np.int8),  # the discard declares riichi
        ("shanten", np.int8),  # after the discard
        ("scenario", np.int8),
        ("passed", np.int8),  # nobody won on the discard itself
        ("played", np.int8),  # the player's discards after this one
        ("most", np.int8),  # their number if nobody called or won: T_max
        ("rank", np.int8),  # final rank, 1 to 4; 0 where the game has no end
        ("tsumo", np.int8),  # the hand ended by a self-draw
    ]
)
"""A position and how its hand ended for the player."""


class Positions(NamedTuple):
    """Positions with their views."""

    facts: npt.NDArray[Any]
    """POSITION_DTYPE[n]."""
    before: npt.NDArray[Any]
    """VIEW_DTYPE[n], in turn."""
    after: npt.NDArray[Any]
    """VIEW_DTYPE[n], after the discard."""

    def take(self, chosen: npt.NDArray[Any]) -> Positions:
        """A selection, by a mask or by numbers."""
        return Positions(*(part[chosen] for part in self))


@kernel
def after_discard(s: Any, before: Any, declares: int, tile: int, red_fives: int, v: Any) -> None:
    """Write the view of a player right after their own discard has passed, undoing any reaction or draw since.

    If nobody could react, the engine has already moved on, so the next player's draw or the end of the hand is undone.
    A riichi declared now counts as paid.
    """
    look(s, int(before.seat), red_fives, v)
    v.left = before.left
    v.sticks = int(before.sticks) + declares
    for player in range(PLAYERS):
        v.scores[player] = before.scores[player]
    v.scores[0] -= STICK * declares
    v.phase, v.actor, v.tile = REACTION, 0, tile
    v.legal[0] = v.legal[1] = 0
    v.drawn, v.declaring = NONE, 0


@kernel
def scenario_of(s: Any, player: int) -> int:
    """The scenario of a finished hand for a player."""
    if s.result == TSUMO_WIN or s.result == RON_WIN:
        if (int(s.winners) >> player) & 1:
            return WIN
        return LOSE if s.result == RON_WIN and s.actor == player else OTHER
    if s.result == EXHAUSTIVE_DRAW:
        return TENPAI if (int(s.tenpai) >> player) & 1 else NOTEN
    return ABORTED


@kernel
def _sample(
    hands: Any,
    answers: Any,
    seats: Any,
    shares: Any,
    seed: np.uint64,
    out: Positions,
    counts: Any,
    states: Any,
    frame: Any,
    tables: Any,
) -> int:
    """Write chosen positions of many hands; returns how many, or -1 - i for a hand that cannot be replayed."""
    facts, before, after = out
    s, n = states[0], 0
    made = np.zeros(PLAYERS, np.int64)
    for i in range(len(hands)):
        h = hands[i]
        c = Context(frame[int(h.rules)].rules, tables[0], frame[0].win, frame[0].score)
        begin(s, h, c)
        given, last, first = int(h.first), int(h.first) + int(h.decisions), n
        made[:] = 0
        while s.phase < HAND_OVER:
            if given >= last:
                return -1 - i
            if s.phase != TURN or answers[given] > act.TSUMOGIRI:
                given = give_answers(s, answers, given, last, c)
                if given < 0:
                    return -1 - i
                continue
            player, action, turns = int(s.actor), int(answers[given]), int(s.turns)
            tile = int(s.drawn) if action == act.TSUMOGIRI else action
            wanted = (int(seats[i]) >> player) & 1 == 1 and n < len(facts)
            if wanted:
                look(s, player, int(c.rules.red_fives), before[n])
            declares, left = int(s.declaring), int(s.left)
            answer(s, player, action, c)
            given += 1
            made[player] += 1
            if not wanted:
                continue
            distance = int(shanten(s.hand[player], int(s.melds[player]), c.tables))
            counts[distance] += 1
            if key(seed, int(h.row), turns) % np.uint64(PARTS) >= np.uint64(shares[distance]):
                continue
            after_discard(s, before[n], declares, tile, int(c.rules.red_fives), after[n])
            f = facts[n]
            f.hand, f.seat, f.action, f.kind = h.row, player, action, kind_of(tile)
            f.declares, f.shanten, f.waits = declares, distance, s.waits[player]
            f.weight = PARTS / shares[distance]
            f.most, f.played = left // PLAYERS, made[player]
            f.passed = 1
            n += 1
        note_ends(s, facts[first:n], before[first:n], made)
    return n


@kernel
def note_ends(s: Any, facts: Any, before: Any, made: Any) -> None:
    """Write how a finished hand ended for the positions chosen from it."""
    for i in range(len(facts)):
        f, player = facts[i], int(facts[i].seat)
        f.scenario = scenario_of(s, player)
        f.points = int(s.scores[player]) - int(before[i].scores[0])
        f.played = made[player] - int(f.played)
        f.tsumo = 1 if s.result == TSUMO_WIN else 0
        if s.result == RON_WIN and s.actor == player and f.played == 0 and is_last_discard(s, f):
            f.passed = 0


@kernel
def is_last_discard(s: Any, f: Any) -> bool:
    """Whether the win was on the loser's last discard, and not on a kan's tile."""
    last = int(s.discards[s.actor]) - 1
    return s.river_order[s.actor, last] == s.turns - 1 and kind_of(int(s.tile)) == f.kind


def sample_hands(
    hands: npt.NDArray[Any], answers: npt.NDArray[np.uint8], seats: npt.NDArray[np.int8], factor: float, seed: int = 1
) -> tuple[Positions, npt.NDArray[np.int64]]:
    """Choose positions of stored hands, for the players in the bit sets `seats`; also counts them by shanten."""
    shares = np.minimum(PARTS, (factor * SHARES).astype(np.int64))
    most = int(hands["decisions"].sum()) // 4 + 64
    out = Positions(np.zeros(most, POSITION_DTYPE), np.zeros(most, VIEW_DTYPE), np.zeros(most, VIEW_DTYPE))
    counts = np.zeros(MOST_SHANTEN + 1, np.int64)
    frames, tables = _frames()
    state = np.zeros(1, STATE_DTYPE)
    n = _sample(hands, answers, seats, shares, np.uint64(seed), out, counts, state, frames, tables)
    if n < 0:
        raise DatasetError(f"hand {int(hands['row'][-1 - n])} cannot be played again by these rules")
    return Positions(*(part[:n].copy() for part in out)), counts


def sample(source: Source, role: str, folder: Path, report: Callable[[str], None] = lambda text: None) -> None:
    """Write the positions of games with a role, one file per shard of the data set; existing files are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted, hidden = hands_of(source, role), source.unseen @ (1 << np.arange(PLAYERS))
    ranks = final_ranks(source)
    total = 0
    for number in range(len(source.dataset.shards)):
        path = folder / f"{role}-{number:05}.npz"
        if not path.exists():
            hands, answers = source.dataset.stored(number, Choice(None, "all", True, None))
            hands = hands[wanted[hands["row"]]]
            everybody = (1 << PLAYERS) - 1
            seats = everybody & ~hidden[hands["row"]] if role == TRAINING else np.full(len(hands), everybody)
            found, counts = sample_hands(hands, answers, seats.astype(np.int8), FACTORS[role])
            found.facts["rank"] = ranks[found.facts["hand"], found.facts["seat"]]
            write(path, found, counts)
        with np.load(path) as stored:
            total += len(stored["facts"])
        if number % 20 == 19:
            report(f"{role}: {total:,} positions")
    report(f"{role}: {total:,} positions in all")


def final_ranks(source: Source) -> npt.NDArray[np.int8]:
    """Final ranks by hand and seat, int8[h, 4]; 0 where a game has no end."""
    rows = source.dataset.hands("ranks").column("ranks").to_pylist()
    return np.array([row or [0] * PLAYERS for row in rows], np.int8)


def write(path: Path, found: Positions, counts: npt.NDArray[np.int64]) -> None:
    """Write one file atomically."""
    raw = {name: part.view(np.uint8).reshape(len(part), part.dtype.itemsize) for name, part in found._asdict().items()}
    with replacing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, counts=counts, **raw)


def read(folder: Path, role: str) -> Positions:
    """All positions of a role that were written."""
    paths = sorted(folder.glob(f"{role}-*.npz"))
    if not paths:
        raise FileNotFoundError(
            f"no positions of {role} in {folder}: python -m janshi.fitting.scenarios.data makes them"
        )
    dtypes = {"facts": POSITION_DTYPE, "before": VIEW_DTYPE, "after": VIEW_DTYPE}
    parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in dtypes}
    for path in paths:
        with np.load(path, allow_pickle=False) as stored:
            for name, dtype in dtypes.items():
                rows = stored[name]
                parts[name].append(np.frombuffer(rows.tobytes(), dtype, count=len(rows)))
    whole = [np.concatenate(some) for some in parts.values()]
    return Positions(*(np.frombuffer(array.tobytes(), dtype) for array, dtype in zip(whole, dtypes.values())))


def main() -> None:
    """Read arguments, sample, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--out", type=Path, required=True, help="folder for the positions")
    add_roles(parser)
    args = parser.parse_args()
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    source = Source(Dataset(args.data), chosen_roles(args))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / CARD).write_text(source.roles.card(), encoding="utf-8")
    for role in (TRAINING, VALIDATING, TESTING):
        sample(source, role, args.out, report)


if __name__ == "__main__":
    main()
