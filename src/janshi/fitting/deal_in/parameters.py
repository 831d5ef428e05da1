"""Fitting the deal-in model: histograms and prior weights from cases of recorded games.

Weights that are products of factors, one from each table, are fitted by iterative proportional fitting: table by
table, each factor is multiplied by the ratio of the observed frequency of its class to the frequency expected with the
current weights. The fixed point is the maximum-likelihood log-linear model.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, HONOURS, NUM_KINDS, RANKS, SUITS
from janshi.features.layout import Layout
from janshi.features.opponent import CODES, RIICHI_STANCE, ROLES, new_reading, read_opponent, read_table
from janshi.features.winning_tile import FLUSH_COUNTS, flush_count, flush_part, flush_turn
from janshi.fitting.deal_in.cases import CLOSED_CASE, Cases
from janshi.models.amounts import AMOUNTS, base_of, shares
from janshi.models.deal_in import enumeration as en
from janshi.models.deal_in import histogram as hi
from janshi.models.deal_in import scene as sc
from janshi.models.deal_in import signatures as si
from janshi.models.deal_in.blocks import HONOUR_SUIT, NUMBERS, OPEN, PAIRED, SETS, SINGLE, TWO_PAIRS, all_blocks

SMOOTHING: Final = 10.0
FIRST_STEP: Final = 0.7
"""Power of the first correction for hands, because all their classes change at once."""
Report = Callable[[str], None]
Floats = npt.NDArray[np.floating[Any]]


# --- which structures a hand holds


@kernel
def are_sets(hand: Any) -> bool:
    """Whether tiles (int8[34]) are sets only."""
    for kind in range(EAST, NUM_KINDS):
        if hand[kind] % 3:
            return False
    for suit in range(SUITS):
        one = two = 0  # sequences begun one and two ranks below
        for rank in range(RANKS):
            left = int(hand[RANKS * suit + rank]) - one - two
            if left < 0:
                return False
            begun = left % 3
            if begun and rank > RANKS - 3:
                return False
            one, two = begun, one
    return True


@kernel
def are_sets_and_pair(hand: Any) -> bool:
    """Whether tiles (int8[34], changed and restored) are sets and a pair."""
    for kind in range(NUM_KINDS):
        if hand[kind] >= 2:
            hand[kind] -= 2
            found = are_sets(hand)
            hand[kind] += 2
            if found:
                return True
    return False


@kernel
def are_pairs(hand: Any) -> bool:
    """Whether tiles (int8[34]) are six pairs."""
    pairs = 0
    for kind in range(NUM_KINDS):
        if hand[kind] == 2:
            pairs += 1
        elif hand[kind]:
            return False
    return pairs == 6


@kernel
def holds(hand: Any, structure: int) -> bool:
    """Whether some reading of a tenpai hand (int8[34], changed and restored) waits with this structure."""
    type, one, two = hi.tiles_of(structure)
    needed = 2 if type == hi.PAIR else 1
    if hand[one] < needed or (type != hi.LONE and type != hi.PAIR and hand[two] < 1):
        return False
    hand[one] -= 1
    if two != hi.NOTHING:
        hand[two] -= 1
        found = are_sets_and_pair(hand)
        hand[two] += 1
    else:
        found = are_sets(hand) or are_pairs(hand)
    hand[one] += 1
    return found


@kernel
def _observe(hands: Any, payments: Any, out: Any) -> None:
    hand = np.zeros(NUM_KINDS, np.int8)
    for i in range(len(hands)):
        hand[:] = hands[i]
        for structure in range(hi.STRUCTURES):
            wait, other = hi.waits_of(*hi.tiles_of(structure))
            won = payments[i, wait] > 0 or (other != hi.NOTHING and payments[i, other] > 0)
            if won and holds(hand, structure):
                out[i, structure] = 1


def observed_structures(cases: Cases) -> npt.NDArray[np.uint8]:
    """The structures that hands win with, uint8[n, STRUCTURES]."""
    out = np.zeros((len(cases.rows), hi.STRUCTURES), np.uint8)
    _observe(cases.hands, cases.payments, out)
    return out


# --- histograms


@kernel
def _count_factors(
    views: Any,
    players: Any,
    found: Any,
    factors: Any,
    table: int,
    reading: Any,
    s: hi.Structures,
    seen: Any,
    guess: Any,
) -> float:
    """Count the observed and expected classes of one table in hands; returns the mean log-likelihood."""
    r, log, total_found = reading[0], 0.0, 0
    for i in range(len(views)):
        count = 0
        for j in range(hi.STRUCTURES):
            count += found[i, j]
        if count == 0:
            continue
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        hi.list_structures(r, s)
        total = hi.weigh(s, factors)
        for j in range(hi.STRUCTURES):
            if s.ways[j] > 0.0:
                chance = s.ways[j] / total
                guess[s.classes[j, table]] += count * chance
                if found[i, j]:
                    seen[s.classes[j, table]] += 1
                    log += np.log(chance)
                    total_found += 1
    return log / max(total_found, 1)


def fit_factors(cases: Cases, found: npt.NDArray[np.uint8], rounds: int, report: Report) -> npt.NDArray[np.float32]:
    """The factors of structures."""
    factors = np.ones(hi.LAYOUT.size, np.float32)
    reading, s = new_reading(), hi.new_structures()
    for number in range(rounds):
        log = 0.0
        for table in range(hi.FACTORS):
            seen, guess = np.zeros(hi.LAYOUT.size), np.zeros(hi.LAYOUT.size)
            log = _count_factors(cases.views, cases.players, found, factors, table, reading, s, seen, guess)
            factors *= ((seen + SMOOTHING) / (guess + SMOOTHING)).astype(np.float32)
        report(f"histograms, round {number + 1}: log-likelihood of a structure {log:.4f}")
    return factors


@kernel
def _list_classes_of_case(views: Any, players: Any, reading: Any, numbers: Any, amounts: Any) -> None:
    r = reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        numbers[i] = int(r.stance != RIICHI_STANCE) * hi.LINES + hi.number_class(r)
        for kind in range(NUM_KINDS):
            amounts[i, kind] = hi.payment_class(views[i], players[i], r, kind)


def fit_histograms(cases: Cases, rounds: int, report: Report) -> Any:
    """The histograms of closed opponents, HISTOGRAMS_DTYPE[1]."""
    cases = cases.take(cases.kinds == CLOSED_CASE)
    found = observed_structures(cases)
    out = np.zeros(1, hi.HISTOGRAMS_DTYPE)
    out["factors"][0] = fit_factors(cases, found, rounds, report)
    numbers = np.zeros(len(found), np.int64)
    classes = np.zeros((len(found), NUM_KINDS), np.int64)
    _list_classes_of_case(cases.views, cases.players, new_reading(), numbers, classes)
    out["number"][0] = _numbers(cases, numbers, out)
    out["amounts"][0] = _payment_histogram(cases, classes)
    return out


def _numbers(cases: Cases, classes: npt.NDArray[np.int64], histograms: Any) -> Floats:
    """Number of structures that a hand wins with, by class, which makes the expected number of winning kinds right."""
    histograms["number"] = 1
    winning = np.zeros((len(classes), NUM_KINDS), np.float32)
    _say_closed(cases.views, cases.players, histograms, new_reading(), hi.new_structures(), winning)
    guess = np.bincount(classes, winning.sum(1), 2 * hi.LINES)
    seen = np.bincount(classes, (cases.payments > 0).sum(1), 2 * hi.LINES)
    mean = seen.sum() / guess.sum()
    return np.asarray((seen + SMOOTHING * mean) / (guess + SMOOTHING)).reshape(2, hi.LINES)


@kernel
def _say_closed(views: Any, players: Any, histograms: Any, reading: Any, s: hi.Structures, winning: Any) -> None:
    r, base = reading[0], np.zeros((NUM_KINDS, AMOUNTS), np.float32)
    for i in range(len(views)):
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        hi.of_opponent(views[i], players[i], r, histograms[0], s, winning[i], base)


def _payment_histogram(cases: Cases, classes: npt.NDArray[np.int64]) -> Floats:
    """Distributions of base points by class, smoothed towards those that depend only on riichi and dora."""
    at, kind = np.nonzero(cases.payments)
    bases = base_of(cases.payments[at, kind], cases.dealer[at])
    sums = np.zeros((hi.PAYMENT_CLASSES, AMOUNTS))
    np.add.at(sums, classes[at, kind], shares(bases))
    rough = sums.reshape(hi.RIICHIS * hi.DORA_TILES, -1, AMOUNTS).sum(1) + 1e-3
    rough /= rough.sum(1, keepdims=True)
    smooth = np.repeat(rough, hi.PAYMENT_CLASSES // len(rough), axis=0)
    sums += 30 * smooth
    return np.asarray(sums / sums.sum(1, keepdims=True))


# --- how readily tiles are kept

KEPT_LAYOUT: Final = Layout()
KEPT: Final = KEPT_LAYOUT.add("discarded", "discards", role=ROLES, code=CODES)
NEAR: Final = KEPT_LAYOUT.add("discards near", "discards", role=ROLES, near=sc.NEAR)
FLUSH: Final = KEPT_LAYOUT.add("flush", "melds", part=4, count=FLUSH_COUNTS, turn=3)
DORA: Final = KEPT_LAYOUT.add("dora", "dora", role=ROLES, dora=2)
TABLES: Final = 4


@kernel
def _count_kept(
    views: Any, players: Any, hands: Any, factors: Any, table: int, reading: Any, seen: Any, guess: Any
) -> None:
    """Count the observed and expected tiles held, by class of one table."""
    r = reading[0]
    weights, classes = np.zeros(NUM_KINDS, np.float64), np.zeros((NUM_KINDS, TABLES), np.int64)
    for i in range(len(views)):
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        total, held = 0.0, 0
        for kind in range(NUM_KINDS):
            role = int(r.role[kind])
            classes[kind, 0] = KEPT + role * CODES + int(r.code[kind])
            classes[kind, 1] = NEAR + role * sc.NEAR + sc.near_class(r, kind)
            classes[kind, 2] = FLUSH + (flush_part(r, kind) * FLUSH_COUNTS + flush_count(r)) * 3 + flush_turn(r)
            classes[kind, 3] = DORA + role * 2 + int(r.dora[kind] > 0)
            weights[kind] = float(r.left[kind])
            for j in range(TABLES):
                weights[kind] *= factors[classes[kind, j]]
            total += weights[kind]
            held += hands[i, kind]
        for kind in range(NUM_KINDS):
            guess[classes[kind, table]] += held * weights[kind] / total
            seen[classes[kind, table]] += hands[i, kind]


def fit_kept(cases: Cases, rounds: int, prior: Any) -> None:
    """Write the prior weights for how likely opponents with melds are to keep tiles."""
    cases = cases.take(cases.kinds != CLOSED_CASE)
    factors = np.ones(KEPT_LAYOUT.size)
    for _ in range(rounds):
        for table in range(TABLES):
            seen, guess = np.zeros(len(factors)), np.zeros(len(factors))
            _count_kept(cases.views, cases.players, cases.hands, factors, table, new_reading(), seen, guess)
            factors *= (seen + SMOOTHING) / (guess + SMOOTHING)
    prior["kept"][0] = factors[KEPT:NEAR].reshape(ROLES, CODES)
    prior["near"][0] = factors[NEAR:FLUSH].reshape(ROLES, sc.NEAR)
    prior["flush"][0] = factors[FLUSH:DORA].reshape(4, FLUSH_COUNTS, 3)
    prior["dora"][0] = factors[DORA:].reshape(ROLES, 2)


# --- hands in the form of the enumeration


@cache
def _numbers_of_parts() -> dict[tuple[int, int, tuple[int, ...]], int]:
    """Parts by suit, group and tiles."""
    b, found = all_blocks()[0], {}
    for suit in (NUMBERS, HONOUR_SUIT):
        for group in (SETS, PAIRED, SINGLE, OPEN):
            for part in range(b.first[suit, group, 0], b.first[suit, group, -1]):
                counts = [0] * RANKS
                for tile in b.tiles[part, : b.used[part]]:
                    counts[tile >> 3] = int(tile & 7)
                found[suit, group, tuple(counts)] = part
    return found


def _part(hand: npt.NDArray[Any], suit: int, group: int) -> int | None:
    """The part of a group that equals a suit of a hand."""
    counts = tuple(int(c) for c in hand[RANKS * suit : RANKS * suit + (HONOURS if suit == SUITS else RANKS)])
    counts += (0,) * (RANKS - len(counts))
    return _numbers_of_parts().get((HONOUR_SUIT if suit == SUITS else NUMBERS, group, counts))


Reading = tuple[list[tuple[int, int]], int, int, int]
"""A composed hand: complete parts (suit, part), then suit, part and group of the waiting one."""


def put_together(hand: npt.NDArray[Any]) -> Reading | None:
    """A tenpai hand as parts of suits; None if it is not tenpai (or has too many sets in a suit)."""
    sizes = [int(hand[RANKS * suit : RANKS * suit + RANKS].sum()) for suit in range(SUITS + 1)]
    rest = [s for s in range(SUITS + 1) if sizes[s] % 3 == 0]
    others = [s for s in range(SUITS + 1) if sizes[s] % 3]
    choices = [(others, SINGLE)] if len(others) == 1 else [(others, OPEN), (others[::-1], OPEN), (others, PAIRED)]
    sets = [(suit, _part(hand, suit, SETS)) for suit in rest]
    for suits, group in choices:
        waiting = _part(hand, suits[-1], group)
        paired = [(suit, _part(hand, suit, PAIRED)) for suit in suits[:-1]]
        found = sets + paired
        if waiting is not None and all(part is not None for _, part in found):
            return [(suit, int(part or 0)) for suit, part in found], suits[-1], waiting, group
    return None


def less_one_set(hand: npt.NDArray[Any]) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """All ways to remove a set from a hand: the rest, and the set."""
    out = []
    for kind in range(NUM_KINDS):
        runs = kind < EAST and kind % RANKS < RANKS - 2
        for tiles in [[kind] * 3] + ([[kind, kind + 1, kind + 2]] if runs else []):
            one = np.bincount(tiles, minlength=NUM_KINDS)
            if (hand >= one).all():
                out.append((hand - one, one))
    return out


class Classes:
    """Counts of observed hands by class, in the form of MASS_DTYPE."""

    def __init__(self) -> None:
        self.counts = {
            name: np.zeros(en.MASS_DTYPE[name].shape) for name in en.MASS_DTYPE.names or () if name != "total"
        }
        self.hands = 0.0

    def add(self, view: Any, player: int, hand: npt.NDArray[Any], r: Any, e: en.Enumerating) -> bool:
        """Add a hand whose scene is set; returns whether it could be composed."""
        if e.scene[0].group > 0:
            ways = [(hand, np.zeros(NUM_KINDS, np.int64))]
        else:
            ways = less_one_set(hand)
        found = [(reading, apart) for rest, apart in ways if (reading := put_together(rest)) is not None]
        for reading, apart in found:
            self._add(reading, apart, r, e, 1 / len(found))
        self.hands += bool(found)
        return bool(found)

    def _add(self, reading: Reading, apart: npt.NDArray[Any], r: Any, e: en.Enumerating, weight: float) -> None:
        b, s = e.blocks[0], e.scene[0]
        complete, suit, part, group = reading
        rest = 0
        furiten = let_go = 0
        for other, number in complete:
            rest = si.join(rest, si.set_signature(b, number, other, r, s))
            if group == PAIRED and b.waits[number]:
                waits = int(b.waits[number]) << RANKS * other
                furiten |= waits & int(s.safe)
                let_go |= waits & int(s.let_go)
        for other in range(SUITS + 1):
            alone = _part(apart, other, SETS)
            if alone is not None and apart.any():
                rest = si.join(rest, si.set_signature(b, alone, other, r, s))
        waits = int(b.waits[part]) << RANKS * suit
        furiten, let_go = furiten | waits & int(s.safe), let_go | waits & int(s.let_go)
        content = si.content_flags(b, part, suit, s)
        suits = si.suits_of(si.place_flags(s, suit, 1), rest, s)
        self.counts["wait"][TWO_PAIRS if group == PAIRED else int(b.form[part])] += weight
        self.counts["yaku"][si.yaku_class(content, suits, rest, s)] += weight
        self.counts["furiten"][int(furiten != 0)] += weight
        self.counts["let_go"][int(let_go != 0)] += weight


def fit_hands(cases: Cases, group: int, rounds: int, prior: Any, report: Report) -> None:
    """Write the prior weights of hands by class, for opponents of one group: one meld, two, or more."""
    some = cases.take(cases.kinds == group + 1)
    seen, kept = _observe_hands(some, prior)
    some = some.take(kept)
    for number in range(rounds):
        guess = _expected(some, prior)
        for name, counts in seen.counts.items():
            ratio = (counts + SMOOTHING) / (guess[name] + SMOOTHING)
            prior[name][0, group] *= ratio ** (1.0 if number else FIRST_STEP)
        report(f"hands with {group + 1} melds, round {number + 1}: {seen.hands:,.0f} hands, {_distance(seen, guess)}")
    prior["scale"][0, group] = _scale(some, _expected(some, prior))


def _scale(cases: Cases, guess: dict[str, Floats]) -> float:
    """Ratio of observed to expected winning kinds."""
    return float((cases.payments > 0).sum() / max(float(guess["won"]), 1.0))


def _observe_hands(cases: Cases, prior: Any) -> tuple[Classes, npt.NDArray[np.bool_]]:
    seen, e, reading = Classes(), en.new_enumerating(), new_reading()
    kept = np.zeros(len(cases.rows), np.bool_)
    for i, (view, player, hand) in enumerate(zip(cases.views, cases.players, cases.hands)):
        read_table(view, reading[0])
        read_opponent(view, player, reading[0])
        sc.set_scene(view, player, reading[0], prior[0], e.scene[0])
        kept[i] = seen.add(view, player, hand.astype(np.int64), reading[0], e)
    return seen, kept


def _expected(cases: Cases, prior: Any) -> dict[str, Floats]:
    """Hands by class, expected with the prior weights."""
    sums, won = np.zeros(1, en.MASS_DTYPE), np.zeros(1)
    _sum_masses(cases.views, cases.players, prior, new_reading(), en.new_enumerating(), sums, won)
    return {"won": won[0], **{name: sums[name][0] for name in en.MASS_DTYPE.names or ()}}


@kernel
def _sum_masses(views: Any, players: Any, prior: Any, reading: Any, e: en.Enumerating, sums: Any, won: Any) -> None:
    r, m, out = reading[0], e.mass[0], sums[0]
    for i in range(len(views)):
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        en.enumerate_hands(views[i], players[i], r, prior[0], e)
        if m.total > 0.0:
            won[0] += np.sum(e.scene[0].won) / m.total
            for j in range(len(m.wait)):
                out.wait[j] += m.wait[j] / m.total
            for j in range(len(m.yaku)):
                out.yaku[j] += m.yaku[j] / m.total
            for j in range(2):
                out.furiten[j] += m.furiten[j] / m.total
                out.let_go[j] += m.let_go[j] / m.total


def _distance(seen: Classes, guess: dict[str, Floats]) -> str:
    """How far expected shares are from observed ones."""
    parts = []
    for name, counts in seen.counts.items():
        parts.append(f"{name} {np.abs(counts - guess[name]).sum() / 2 / max(seen.hands, 1):.3f}")
    return "off by " + ", ".join(parts)
