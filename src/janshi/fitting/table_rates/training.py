"""Fitting table rates to recorded games.

    python -m janshi.fitting.table_rates.training DATA

DATA is a data set (`janshi records import`). Games of the test pack and of the validation split are not used.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.fitting.data import TRAINING, Source
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.fitting.table_rates.data import Walk, walk
from janshi.fitting.table_rates.regressions import Floats, fit_choice, fit_logistic, shrunk
from janshi.models.amounts import AMOUNTS, BASE_STEP, MANGAN_BASE, shares
from janshi.models.labels import OPPONENTS
from janshi.models.store import FOLDER, save
from janshi.models.table_rates import discards
from janshi.models.table_rates import model as rates
from janshi.models.table_rates.model import (
    HORIZON,
    MELD_ROWS,
    RATES_DTYPE,
    TABLE_RATES_DTYPE,
    THREATS,
    TURN_ROWS,
    meld_row,
    new_scratch,
    note_tenpai,
    turn_row,
)
from janshi.records.dataset import Dataset
from janshi.rules.riichi.state import NONE, PLAYERS, RON_WIN, TSUMO_WIN

Report = Callable[[str], None]
SHARE: Final = 0.03
"""Share of the views used to fit regressions."""
BINS: Final = 400
LOWEST, HIGHEST = -14.0, 8.0
CALIBRATION_PULL: Final = 30.0
TENPAI_PULL: Final = 30.0
BASE_PULL: Final = 200.0
DISCARD_PULL: Final = 1.0
COMMAND: Final = "python -m janshi.fitting.table_rates.training DATA"


class Others(NamedTuple):
    """The truth about the other players before each discard: next, across and previous."""

    tenpai: npt.NDArray[np.int8]
    riichi: npt.NDArray[np.int8]
    melds: npt.NDArray[np.int8]
    made: npt.NDArray[np.int8]
    """Discards."""
    next: npt.NDArray[np.int8]
    """The kind they discard before the discarder's next discard, or NONE; all int8[n, 3]."""
    after: npt.NDArray[np.int16]
    """Number of the discarder's discards after this one, int16[n]."""


def others_of(walked: Walk) -> Others:
    """Read the truth about the others from the course of the hands."""
    n = len(walked.discards)
    room = np.zeros((5, n, OPPONENTS), np.int8)
    out = Others(room[0], room[1], room[2], room[3], room[4], np.zeros(n, np.int16))
    _note_others(walked.discards, walked.ends, out)
    return out


@kernel
def _note_others(rows: Any, ends: Any, out: Any) -> None:
    tenpai, riichi = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int8)
    melds, made = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int8)
    for i in range(len(ends)):
        first, count = int(ends[i].first), int(ends[i].discards)
        tenpai[:] = 0
        riichi[:] = 0
        melds[:] = 0
        made[:] = 0
        for k in range(first, first + count):
            seat = int(rows[k].seat)
            for other in range(OPPONENTS):
                there = (seat + 1 + other) % PLAYERS
                out.tenpai[k, other], out.riichi[k, other] = tenpai[there], riichi[there]
                out.melds[k, other], out.made[k, other] = melds[there], made[there]
                out.next[k, other] = NONE
            for later in range(k + 1, first + count):
                there = int(rows[later].seat)
                if there == seat:
                    out.after[k] += 1
                elif out.after[k] == 0 and out.next[k, (there - seat + 3) % PLAYERS] == NONE:
                    out.next[k, (there - seat + 3) % PLAYERS] = rows[later].kind
            tenpai[seat], riichi[seat], melds[seat] = rows[k].tenpai, rows[k].riichi, rows[k].melds
            made[seat] += 1


def seen(walked: Walk) -> npt.NDArray[np.bool_]:
    """Which of the other players may be used in training, bool[n, 3]."""
    seats = (walked.discards["seat"][:, None].astype(int) + 1 + np.arange(OPPONENTS)) % PLAYERS
    return np.asarray((walked.discards["unseen"][:, None] >> seats) & 1 == 0)


# --- who is tenpai


def fit_calibration(walked: Walk, others: Others) -> npt.NDArray[np.float64]:
    """Offset and factor of the waiting model's log-odds, float64[melds, discards, 2]: logistic regressions on bins."""
    wanted = (others.riichi == 0) & seen(walked)
    said = np.clip(walked.discards["said"][wanted].astype(np.float64), 1e-6, 1 - 1e-6)
    odds = np.log(said / (1 - said))
    step = (HIGHEST - LOWEST) / BINS
    bins = np.clip((odds - LOWEST) / step, 0, BINS - 1).astype(np.int64)
    melds = np.minimum(others.melds[wanted], MELD_ROWS - 1).astype(np.int64)
    turns = np.minimum(others.made[wanted], TURN_ROWS - 1).astype(np.int64)
    cells = (melds * TURN_ROWS + turns) * BINS + bins
    size = MELD_ROWS * TURN_ROWS * BINS
    counts = np.bincount(cells, minlength=size).reshape(MELD_ROWS, TURN_ROWS, BINS)
    ready = np.bincount(cells, others.tenpai[wanted], minlength=size).reshape(MELD_ROWS, TURN_ROWS, BINS)
    middle = LOWEST + step * (np.arange(BINS) + 0.5)
    numbers, prior = np.stack([np.ones(BINS), middle], 1), np.array([0.0, 1.0])
    out = np.zeros((MELD_ROWS, TURN_ROWS, 2))
    for m in range(MELD_ROWS):
        for d in range(TURN_ROWS):
            share = ready[m, d] / np.maximum(counts[m, d], 1)
            out[m, d] = fit_logistic(numbers, share, 0.0, counts[m, d], CALIBRATION_PULL, prior)
    return out


def fit_tenpai_ahead(walked: Walk) -> dict[str, npt.NDArray[np.float64]]:
    """Tables of becoming and staying tenpai, and of declaring riichi when tenpai."""
    shape = (2, THREATS, MELD_ROWS, TURN_ROWS, HORIZON)
    become, stay, declares = np.zeros(shape), np.zeros(shape), np.zeros((2, THREATS, TURN_ROWS))
    _count_tenpai(walked.discards, walked.ends, become, stay, declares)
    ahead = {"become": shrunk_ahead(become), "stay": shrunk_ahead(stay)}
    ahead["become"][..., 0], ahead["stay"][..., 0] = 0.0, 1.0
    return {**ahead, "declares": shrunk(declares[1], declares[0], TENPAI_PULL)}


def shrunk_ahead(counted: Floats) -> npt.NDArray[np.float64]:
    """Rates from [counts, successes] by threat, melds, discards and turns, shrunk towards the previous discard's."""
    along = np.swapaxes(counted, -2, -1)
    out = np.swapaxes(shrunk(along[1], along[0], TENPAI_PULL), -2, -1).copy()
    for t in range(2, HORIZON):
        thin = counted[0, ..., t].sum(-1) < TENPAI_PULL
        out[thin, :, t] = out[thin, :, t - 1]
    return out


@kernel
def _count_tenpai(rows: Any, ends: Any, become: Any, stay: Any, declares: Any) -> None:
    """Count how the others continue after each discard: those not tenpai, and those tenpai without riichi."""
    course = np.zeros((PLAYERS, 40, 2), np.int64)
    total, made = np.zeros(PLAYERS, np.int64), np.zeros(PLAYERS, np.int64)
    melds, riichi = np.zeros(PLAYERS, np.int64), np.zeros(PLAYERS, np.int64)
    for i in range(len(ends)):
        first, count = int(ends[i].first), int(ends[i].discards)
        total[:] = 0
        for k in range(first, first + count):
            seat = int(rows[k].seat)
            total[seat] += 1
            course[seat, total[seat], 0], course[seat, total[seat], 1] = int(rows[k].tenpai), int(rows[k].riichi)
        made[:] = 0
        melds[:] = 0
        riichi[:] = 0
        for k in range(first, first + count):
            seat = int(rows[k].seat)
            in_riichi = int(riichi.sum() - riichi[seat] + rows[k].riichi)
            for j in range(PLAYERS):
                if j == seat or riichi[j] or (int(rows[k].unseen) >> j) & 1:
                    continue
                now, m, d = made[j], meld_row(melds[j]), turn_row(made[j])
                threat = 1 if in_riichi else 0
                ready = now > 0 and course[j, now, 0] > 0
                counted = stay if ready else become
                for t in range(1, min(HORIZON, total[j] - now + 1)):
                    counted[0, threat, m, d, t] += 1
                    counted[1, threat, m, d, t] += course[j, now + t, 0]
                if not ready and melds[j] == 0 and now < total[j] and course[j, now + 1, 0]:
                    declares[0, threat, d] += 1
                    declares[1, threat, d] += course[j, now + 1, 1]
            made[seat] += 1
            melds[seat], riichi[seat] = int(rows[k].melds), int(rows[k].riichi)


# --- regressions on views


class Ends(NamedTuple):
    """How the hand ended for the player of each view."""

    mine: npt.NDArray[np.bool_]
    """The player won."""
    dealt: npt.NDArray[np.bool_]
    """The player's last discard dealt in."""
    other: npt.NDArray[np.bool_]
    """Another player won, and not from this one."""
    winners: npt.NDArray[np.bool_]
    """Which of the others won, bool[n, 3]."""
    base: npt.NDArray[np.float64]
    """Base points of their wins, float64[n, 3]."""
    tsumo: npt.NDArray[np.bool_]


def ends_of(walked: Walk, rows: npt.NDArray[np.int64]) -> Ends:
    """How hands ended for the players who made the discards `rows`."""
    discard = walked.discards[rows]
    end, seat = walked.ends[discard["end"]], discard["seat"].astype(int)
    won = (end["result"] == RON_WIN) | (end["result"] == TSUMO_WIN)
    mine = (end["winners"] >> seat) & 1 == 1
    from_me = won & (end["loser"] == seat)
    seats = (seat[:, None] + 1 + np.arange(OPPONENTS)) % PLAYERS
    winners = (end["winners"][:, None] >> seats) & 1 == 1
    base = np.take_along_axis(end["base"], seats, 1).astype(np.float64)
    base = np.where(base < MANGAN_BASE, np.floor(base / BASE_STEP) * BASE_STEP, base)
    return Ends(mine, from_me & (end["robbed"] == 0), won & ~mine & ~from_me, winners, base, end["result"] == TSUMO_WIN)


class Regressed:
    """Views with their rates so far, and the data for regressions."""

    def __init__(self, walked: Walk, others: Others, weights: npt.NDArray[Any]) -> None:
        rows = walked.rows
        seats = walked.discards["seat"][rows].astype(int)
        learn = (walked.discards["unseen"][rows] >> seats) & 1 == 0
        self.rows, self.views = rows[learn], walked.views[learn]
        self.discards = walked.discards[self.rows]
        self.declared = self.discards["riichi"] != 0
        self.after = others.after[self.rows]
        self.next = others.next[self.rows]
        self.seen = seen(walked)[self.rows]
        self.ends = ends_of(walked, self.rows)
        self.rates = np.zeros(len(self.views), RATES_DTYPE)
        _note_tenpai_of_all(self.views, self.discards["said"].copy(), weights, self.rates)

    def other_win(self) -> tuple[Floats, Floats]:
        """Features and labels of all go-arounds reached."""
        reached = np.where(self.ends.dealt, self.after, self.after + 1).astype(np.int64)
        at = np.repeat(np.arange(len(reached)), reached)
        t = np.arange(len(at)) - np.repeat(np.cumsum(reached) - reached, reached)
        draws = np.clip(self.views["left"][at].astype(int) - PLAYERS * t, 0, PLAYERS - 1)
        fine = (draws > 0) & (t < HORIZON)
        at, t = at[fine], t[fine]
        numbers = np.zeros((len(at), rates.OTHER_WIN), np.float32)
        _list_other_wins(self.views, self.rates, self.declared, at, t, numbers)
        happened = self.ends.other[at] & (t == self.after[at])
        return numbers, happened.astype(np.float32)

    def sigma(self) -> tuple[Floats, Floats, Floats]:
        """Features, shares of discards played, and the possible number; for players who did not win."""
        most = self.rates["turns_left"].astype(int)
        fine = ~self.ends.mine & (most > 0)
        numbers = np.zeros((len(self.views), rates.SIGMA), np.float32)
        _list_sigmas(self.views, self.rates, self.declared, numbers)
        played = np.minimum(self.after / np.maximum(most, 1), 1.0)
        return numbers[fine], played[fine], most[fine].astype(np.float64)

    def wins(self) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
        """Features of winners and of self-draws, and classes of base points, of all three opponents of each view."""
        n = len(self.views)
        winner, tsumo = np.zeros((n, OPPONENTS, rates.WINNER)), np.zeros((n, OPPONENTS, rates.TSUMO))
        classes = np.zeros((n, OPPONENTS), np.int64)
        _list_wins(self.views, self.rates, new_reading(), winner, tsumo, classes)
        return winner, tsumo, classes


@kernel
def _note_tenpai_of_all(views: Any, said: Any, weights: Any, out: Any) -> None:
    for i in range(len(views)):
        note_tenpai(views[i], said[i], weights[0], out[i])
        out[i].turns_left = int(views[i].left) // PLAYERS


@kernel
def _list_other_wins(views: Any, noted: Any, declared: Any, at: Any, t: Any, out: Any) -> None:
    for i in range(len(at)):
        rates.list_other_win(views[at[i]], noted[at[i]], declared[at[i]], t[i], out[i])


@kernel
def _list_sigmas(views: Any, noted: Any, declared: Any, out: Any) -> None:
    for i in range(len(views)):
        rates.list_sigma(views[i], noted[i], declared[i], out[i])


@kernel
def _list_wins(views: Any, noted: Any, reading: Any, winner: Any, tsumo: Any, classes: Any) -> None:
    r = reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for other in range(OPPONENTS):
            read_opponent(views[i], other + 1, r)
            rates.list_winner(r, noted[i].tenpai[other], winner[i, other])
            rates.list_tsumo(views[i], r, int(noted[i].riichi), tsumo[i, other])
            classes[i, other] = rates.base_class(r)


def fit_wins(data: Regressed) -> dict[str, npt.NDArray[np.float64]]:
    """Who wins, whether by self-draw, and how much, for wins by other players that are not from the player."""
    winner, tsumo, classes = data.wins()
    other, winners = data.ends.other, data.ends.winners
    share = winners[other] / winners[other].sum(1, keepdims=True)
    at = np.nonzero(winners & other[:, None])
    return {
        "winner": fit_choice(winner[other], share),
        "tsumo": fit_logistic(tsumo[at], data.ends.tsumo[at[0]].astype(np.float64), ridge=1.0),
        "base": base_table(classes[at], shares(data.ends.base[at])),
    }


def base_table(classes: npt.NDArray[np.int64], amounts: Floats) -> npt.NDArray[np.float64]:
    """Distributions of base points by class, each shrunk towards that of its stance and seat."""
    total = np.zeros((rates.BASE_CLASSES, AMOUNTS))
    np.add.at(total, classes, amounts)
    rough = total.reshape(6, -1, AMOUNTS).sum(1) + 1e-3
    rough /= rough.sum(1, keepdims=True)
    pulled = total + BASE_PULL * np.repeat(rough, rates.BASE_CLASSES // 6, 0)
    return np.asarray(pulled / pulled.sum(1, keepdims=True))


# --- discards


class Choices(NamedTuple):
    """Possible and actual discards of opponents without riichi."""

    features: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int8]
    left: npt.NDArray[np.int8]
    chosen: npt.NDArray[np.int8]


def choices_of(data: Regressed) -> Choices:
    """List the features of opponents' discards after the views."""
    wanted = data.seen & (data.next != NONE)
    most = int(wanted.sum())
    out = Choices(
        np.zeros((most, NUM_KINDS, discards.MOST), np.int16),
        np.zeros((most, NUM_KINDS), np.int8),
        np.zeros((most, NUM_KINDS), np.int8),
        np.zeros(most, np.int8),
    )
    scratch = new_scratch()
    stances = data.declared.astype(np.int8)
    n = discards.list_examples(
        data.views, data.discards["waits"].copy(), stances, data.next, wanted, scratch.reading, scratch.sights, *out
    )
    return Choices(out.features[:n], out.counts[:n], out.left[:n], out.chosen[:n])


def fit_discards(choices: Choices, report: Report) -> npt.NDArray[np.float64]:
    """Weights of the softmax of discards, by quasi-Newton steps."""
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        gradient = DISCARD_PULL * weights
        total = 0.5 * DISCARD_PULL * float(weights @ weights)
        total += discards.loss_and_gradient(weights, *choices, gradient)
        return total, gradient

    start = np.zeros(discards.LAYOUT.size)
    even = loss(start)[0] / len(choices.chosen)
    done = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150})
    report(f"discards: {len(choices.chosen):,}; log loss {even:.4f} even, {done.fun / len(choices.chosen):.4f} fitted")
    return np.asarray(done.x)


# --- all together


def fit_ura(walked: Walk) -> npt.NDArray[np.float64]:
    """Shares of numbers of ura-dora of winners in riichi, by the number of indicators (from 1; row 0 is as row 1)."""
    counts = np.zeros((rates.INDICATOR_ROWS, rates.URA_COUNTS))
    ends = walked.ends
    for seat in range(PLAYERS):
        won = (ends["winners"] >> seat) & (ends["riichi"] >> seat) & 1 == 1
        rows = np.clip(ends["indicators"][won].astype(int), 1, rates.INDICATOR_ROWS - 1)
        np.add.at(counts, (rows, np.minimum(ends["ura"][won, seat], rates.URA_COUNTS - 1)), 1)
    counts[0] = counts[1]
    for row in range(2, rates.INDICATOR_ROWS):
        counts[row] += 20 * counts[row - 1] / counts[row - 1].sum()
    return np.asarray(counts / counts.sum(1, keepdims=True))


def fit(walked: Walk, report: Report) -> npt.NDArray[Any]:
    """All rates, TABLE_RATES_DTYPE[1]."""
    weights = np.zeros(1, TABLE_RATES_DTYPE)
    others = others_of(walked)
    weights["calibration"][0] = fit_calibration(walked, others)
    for name, array in fit_tenpai_ahead(walked).items():
        weights[name][0] = array
    weights["ura"][0] = fit_ura(walked)
    report("who is tenpai: done")
    data = Regressed(walked, others, weights)
    numbers, happened = data.other_win()
    weights["other_win"][0] = fit_logistic(numbers, happened, ridge=1.0)
    report(f"others' wins: {len(happened):,} go-arounds of {len(data.views):,} views")
    numbers, played, most = data.sigma()
    weights["sigma"][0] = fit_logistic(numbers, played, weights=most)
    for name, array in fit_wins(data).items():
        weights[name][0] = array
    report("sigma and winners: done")
    weights["discards"][0] = fit_discards(choices_of(data), report)
    return weights


def main() -> None:
    """Read arguments, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the weights")
    parser.add_argument("--share", type=float, default=SHARE, help="part of the views that regressions are fitted on")
    parser.add_argument("--every", type=int, default=1, help="read every n-th shard only: a quick trial")
    add_roles(parser)
    args = parser.parse_args()
    roles = chosen_roles(args)
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    source = Source(Dataset(args.data), roles)
    walked = walk(source, TRAINING, args.share, report, args.every)
    weights = fit(walked, report)
    card = {
        "model": rates.NAME,
        "feature version": rates.VERSION,
        "rules": "riichi/tenhou",
        "training data": roles.card(),
        "hands": len(walked.ends),
        "discards": len(walked.discards),
        "views": len(walked.views),
        "trained": date.today().isoformat(),
        "seconds": round(time.process_time()),
        "command": COMMAND,
    }
    args.out.mkdir(parents=True, exist_ok=True)
    save(args.out / f"{rates.NAME}.npz", {"weights": weights.view(np.float32)}, card)
    report(f"written to {args.out / rates.NAME}.npz")


if __name__ == "__main__":
    main()
