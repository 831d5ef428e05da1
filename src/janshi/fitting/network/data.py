"""The network's training data outside data sets: hands as plain arrays, and opponents encoded from them.

`prepare` writes the training and validation hands of a data set into one file (wall, answers, situation), and the
course of every game into another. `all_opponents` replays hands into arrays of encoded opponents. Reading the files
needs neither Parquet nor its libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.files import replacing
from janshi.core.tiles import EAST, NUM_KINDS
from janshi.features.network import GLOBAL_MOST, ROOM, encode, honour_kind
from janshi.features.opponent import RIICHI_STANCE, new_reading, read_opponent, read_table
from janshi.fitting.data import TRAINING, VALIDATING, Source
from janshi.models.labels import OPPONENTS, own_turns, payments, plain_views, tenpai
from janshi.records.dataset import EVERYBODY, Choice, Rebuilder, _rules_number
from janshi.records.rebuild import STORED_DTYPE
from janshi.rules.riichi.state import PLAYERS

HANDS: Final = "hands.npz"
TRAIN, VALIDATE = 0, 1
UNIT: Final = 100
"""Payments are stored in hundreds of points."""
CHUNK: Final = 400
"""Hands replayed at once."""

Arrays = dict[str, npt.NDArray[Any]]


class Opponents(NamedTuple):
    """Encoded opponents and their labels; honours are counted as in the lists, starting with the seat wind."""

    lists: npt.NDArray[np.int16]
    """int16[n, ROOM]: `janshi.features.network`."""
    safe: npt.NDArray[np.int64]
    """Kinds that furiten rules out, one bit each."""
    tenpai: npt.NDArray[np.int8]
    riichi: npt.NDArray[np.int8]
    dealer: npt.NDArray[np.int8]
    group: npt.NDArray[np.int8]
    """Numbers of discards and melds: opponents with equal numbers are compared."""
    weight: npt.NDArray[np.float32]
    """Number of opponents that this one represents."""
    payments: npt.NDArray[np.int16]
    """int16[n, 34], in hundreds of points; 0 if there is no ron."""
    hand: npt.NDArray[np.int8]
    """The viewer's tiles, int8[n, 34]."""


def prepare(source: Source, folder: Path) -> Path:
    """Write the network's training hands into a folder; returns the file.

    Hands under unusual rules (no red fives, no open tanyao: one in two thousand) are left out.
    """
    for role in (TRAINING, VALIDATING):
        source.roles.need(source.dataset, role)
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_stored(source, number) for number in range(len(source.dataset.shards))]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    whole["training data"] = np.array(source.roles.card())
    path = folder / HANDS
    with replacing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, **whole)
    return path


def _stored(source: Source, number: int) -> Arrays:
    """The training and validation hands of a shard."""
    usual = _rules_number("tenhou", True, True)
    hands, answers = source.dataset.stored(number, Choice(None, "seen", True, None))
    hands = hands[~source.test[hands["row"]] & (hands["rules"] == usual)]
    role = np.where(source.train[hands["row"]], TRAIN, VALIDATE).astype(np.int8)
    unseen = source.unseen[hands["row"]] @ (1 << np.arange(PLAYERS))
    given = [answers[first : first + count] for first, count in zip(hands["first"], hands["decisions"])]
    return {
        "wall": np.ascontiguousarray(hands["wall"]),
        "answers": np.concatenate([np.zeros(0, np.uint8), *given]),
        "decisions": hands["decisions"].astype(np.int16),
        "scores": (hands["scores"] // UNIT).astype(np.int16),
        **{name: hands[name].copy() for name in ("kyoku", "honba", "sticks", "seats")},
        "unseen": unseen.astype(np.int8),
        "role": role,
    }


def training_data(folder: Path) -> str:
    """Description of the games from which `prepare` chose hands."""
    with np.load(folder / HANDS, allow_pickle=False) as stored:
        return str(stored["training data"]) if "training data" in stored.files else "unknown"


def read_hands(folder: Path) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.int8], Any]:
    """The hands written by `prepare`, for kernels: records, all answers, and each hand's unseen players and role."""
    with np.load(folder / HANDS, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    hands = np.zeros(len(arrays["wall"]), STORED_DTYPE)
    for name in ("wall", "decisions", "kyoku", "honba", "sticks", "seats"):
        hands[name] = arrays[name]
    hands["scores"] = arrays["scores"].astype(np.int32) * UNIT
    hands["first"] = np.concatenate([[0], np.cumsum(hands["decisions"], dtype=np.int64)[:-1]])
    hands["row"] = np.arange(len(hands))
    hands["rules"] = _rules_number("tenhou", True, True)
    return hands, arrays["answers"], arrays["unseen"], arrays["role"]


def encode_hands(
    hands: npt.NDArray[Any],
    answers: npt.NDArray[np.uint8],
    unseen: npt.NDArray[np.int8],
    share: float,
    seed: int,
    with_hands: bool = False,
) -> Opponents:
    """Encode the opponents at all turns of some hands, except unseen players; only a share of those not tenpai.

    hands: STORED_DTYPE[h] whose `row` points into `unseen`. with_hands: also keep the viewers' tiles.
    """
    builder = Rebuilder(int(hands["decisions"].sum()) + 1, True, True, True)
    builder.add(hands, answers)
    rng = np.random.default_rng([seed, int(hands["row"][0])])
    hidden, _, info = next(builder.take(builder.size, None, last=True))
    mine = own_turns(hidden)
    hidden, rows = hidden[mine], info["hand"][mine]
    views, waits = plain_views(hidden), tenpai(hidden)
    seats = (views["seat"][:, None] + 1 + np.arange(OPPONENTS)) % PLAYERS
    known = (unseen[rows][:, None] >> seats) & 1 == 0
    wanted = known & (waits | (rng.random(waits.shape) < share))
    paid = payments(hidden, int(rng.integers(1 << 31)))
    out = _room(int(wanted.sum()), with_hands)
    _encode(views, waits, paid, wanted, 1 / share, new_reading(), np.zeros(GLOBAL_MOST, np.int32), out)
    return out


def _room(count: int, with_hands: bool) -> Opponents:
    tenpai, riichi, dealer, group = np.zeros((4, count), np.int8)
    return Opponents(
        np.zeros((count, ROOM), np.int16),
        np.zeros(count, np.int64),
        tenpai,
        riichi,
        dealer,
        group,
        np.zeros(count, np.float32),
        np.zeros((count, NUM_KINDS), np.int16),
        np.zeros((count, NUM_KINDS if with_hands else 0), np.int8),
    )


@kernel
def _encode(
    views: Any, waits: Any, paid: Any, wanted: Any, weight: float, reading: Any, scratch: Any, out: Opponents
) -> None:
    """Write the selected opponents one after the other."""
    n, r = 0, reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for other in range(OPPONENTS):
            if not wanted[i, other]:
                continue
            read_opponent(views[i], other + 1, r)
            encode(views[i], other + 1, r, scratch, out.lists[n])
            out.safe[n] = 0
            out.tenpai[n] = waits[i, other]
            out.riichi[n] = r.stance == RIICHI_STANCE
            out.dealer[n] = r.dealer
            out.group[n] = min(int(r.discards), 24) * 5 + min(int(views[i].melds[other + 1]), 4)
            out.weight[n] = 1.0 if waits[i, other] else weight
            for place in range(NUM_KINDS):
                kind = place if place < EAST else honour_kind(views[i], other + 1, place - EAST)
                out.safe[n] |= ((int(r.safe) >> kind) & 1) << place
                out.payments[n, place] = paid[i, other, kind] // UNIT
                if out.hand.shape[1]:
                    out.hand[n, place] = views[i].hand[kind]
            n += 1


def all_opponents(
    folder: Path, role: int, share: float, seed: int, workers: int, report: Callable[[str], None], most: int = 1 << 60
) -> Iterator[Opponents]:
    """Encoded opponents of all hands with a role (at most `most` of them), chunk by chunk in a random order."""
    hands, answers, unseen, roles = read_hands(folder)
    if role == VALIDATE:
        hands["seats"], unseen = EVERYBODY, np.zeros_like(unseen)
    chosen = np.random.default_rng(seed).permutation(np.nonzero(roles == role)[0])[:most]
    chunks = [hands[np.sort(chosen[i : i + CHUNK])] for i in range(0, len(chosen), CHUNK)]

    def work(chunk: npt.NDArray[Any]) -> Opponents:
        return encode_hands(chunk, answers, unseen, share, seed, role == VALIDATE)

    yield work(chunks[0])
    report(f"kernels compiled; {len(chosen):,} hands to encode with {workers} threads")
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, chunks[1:])
