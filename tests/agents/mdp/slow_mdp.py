"""The sets of hands and the processes of the MDP player once more: slow, obvious, in plain Python.

A hand is `(counts, calls)`: a tuple of 34 counts of the concealed tiles, and the melds called since the root, sorted,
as `("chi", first kind)` or `("pon", kind)`. Values are arrays of six: the worth, and the chances of the five scenarios.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from janshi.agents.mdp.melds import PON_CODE
from janshi.agents.mdp.process import LOSE, NOTEN, OTHER, TENPAI, WIN
from janshi.agents.mdp.space import Space
from janshi.core.shanten import shanten, shanten_standard
from janshi.core.tables import tables_array
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, counts34, parse_tiles

TABLES = tables_array()
Hand = tuple[tuple[int, ...], tuple[tuple[str, int], ...]]
CHI, PON = "chi", "pon"


def counts_of(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in counts34(parse_tiles(text)))


def kind(text: str) -> int:
    return counts_of(text).index(1)


@cache
def distance(counts: tuple[int, ...], melds: int) -> int:
    """Shanten, by the core."""
    return int(shanten(np.array(counts, np.int8), melds, TABLES[0]))


@cache
def standard_distance(counts: tuple[int, ...], melds: int) -> int:
    return int(shanten_standard(np.array(counts, np.int8), melds, TABLES[0]))


def plus(counts: tuple[int, ...], kinds: Any, by: int = 1) -> tuple[int, ...]:
    out = list(counts)
    for k in kinds:
        out[k] += by
    return tuple(out)


# --- the root and the set


@dataclass(frozen=True)
class Root:
    """What a set of hands is built around; by default a closed hand with open tanyao."""

    hand: tuple[int, ...]
    left: tuple[int, ...]
    melded: int = 0
    simple: bool = True
    has_value: bool = False
    runs: bool = False
    suits: frozenset[int] = frozenset()
    valued: frozenset[int] = frozenset()
    open_tanyao: bool = True

    def write(self, space: Space) -> None:
        """Tell the kernels."""
        b = space.bounds[0]
        b["root"], b["left"], b["unseen"] = self.hand, self.left, sum(self.left)
        b["melded"], b["simple"], b["has_value"], b["runs"] = self.melded, self.simple, self.has_value, self.runs
        b["outside"] = sum(1 << suit for suit in self.suits)
        b["valued"] = sum(1 << k for k in self.valued)
        b["open_tanyao"] = self.open_tanyao

    def far(self, hand: Hand) -> int:
        """Tiles of a hand, its calls included, that the root does not hold."""
        return sum(max(0, n - r) for n, r in zip(with_calls(hand), self.hand))

    def left_after(self, hand: Hand, k: int) -> int:
        """Unseen tiles of a kind when a hand is held."""
        return self.left[k] - max(0, with_calls(hand)[k] - self.hand[k])

    def shanten(self, hand: Hand) -> int:
        return max(0, distance(hand[0], self.melded + len(hand[1])))

    def has_hope(self, calls: tuple[tuple[str, int], ...]) -> bool:
        """The rule of thumb for a yaku: value honours, tanyao, only triplets with pairs enough, or a flush."""
        pons = {k for what, k in calls if what == PON}
        if self.has_value or any(k in pons or self.hand[k] >= 2 for k in self.valued):
            return True
        tiles = [k for call in calls for k in kinds_of(call)]
        if self.open_tanyao and self.simple and all(k < EAST and 0 < k % RANKS < RANKS - 1 for k in tiles):
            return True
        if not self.runs and len(pons) == len(calls) and sum(n >= 2 for n in self.hand) >= 4:
            return True
        suits = self.suits | {k // RANKS for k in tiles if k < EAST}
        honours = sum(self.hand[EAST:]) + 3 * self.melded
        return any(
            suits <= {suit} and honours + sum(self.hand[RANKS * suit : RANKS * (suit + 1)]) >= 10 for suit in range(3)
        )


def kinds_of(call: tuple[str, int]) -> tuple[int, ...]:
    what, k = call
    return (k, k, k) if what == PON else (k, k + 1, k + 2)


def with_calls(hand: Hand) -> tuple[int, ...]:
    counts, calls = hand
    for call in calls:
        counts = plus(counts, kinds_of(call))
    return counts


@dataclass
class Standing:
    """What the set says of a standing hand."""

    far: int
    shanten: int
    waits: frozenset[int]
    draws: dict[int, tuple[Hand, int]] = field(default_factory=dict)
    """By kind: the full hand, and unseen tiles."""
    calls: dict[tuple[int, tuple[str, int]], tuple[Hand, int]] = field(default_factory=dict)
    """By kind and meld."""


@dataclass
class HandSet:
    """Standing hands, and full hands with where their discards lead, by kind."""

    standing: dict[Hand, Standing]
    full: dict[Hand, dict[int, Hand]]


def near(counts: tuple[int, ...], k: int) -> bool:
    """Whether a hand holds a tile of a kind or within two ranks of it."""
    if k >= EAST:
        return counts[k] > 0
    first = k // RANKS * RANKS
    return any(counts[j] for j in range(max(first, k - 2), min(first + RANKS, k + 3)))


def useful_kinds(counts: tuple[int, ...], melds: int, best: int, standard: bool = False) -> set[int]:
    measure = standard_distance if standard else distance
    return {k for k in range(NUM_KINDS) if counts[k] < 4 and measure(plus(counts, [k]), melds) < best}


def possible_calls(counts: tuple[int, ...], k: int) -> list[tuple[str, int]]:
    calls = [(PON, k)] if counts[k] >= 2 else []
    if k < EAST:
        for first in range(k - 2, k + 1):
            if first >= k // RANKS * RANKS and first % RANKS <= RANKS - 3:
                others = [j for j in kinds_of((CHI, first)) if j != k]
                if all(counts[j] for j in others):
                    calls.append((CHI, first))
    return calls


def slow_set(root: Root, start: Hand, n: int, m: int) -> HandSet:
    """Q_S(n, m) breadth first, from a full or a standing hand."""
    out, waiting = HandSet({}, {}), deque[Hand]()

    def add_standing(q: Hand) -> bool:
        if root.far(q) + root.shanten(q) > n:
            return False
        if q not in out.standing:
            out.standing[q] = Standing(root.far(q), root.shanten(q), frozenset())
            waiting.append(q)
        return True

    def add_full(f: Hand) -> bool:
        if f not in out.full:
            after = {k: (plus(f[0], [k], -1), f[1]) for k in range(NUM_KINDS) if f[0][k]}
            out.full[f] = {k: q for k, q in after.items() if add_standing(q)}
        return bool(out.full[f])

    if sum(start[0]) % 3 == 2:
        add_full(start)
    else:
        add_standing(start)
    while waiting:
        q = waiting.popleft()
        counts, calls = q
        node, melds = out.standing[q], root.melded + len(calls)
        slack = n - node.far - node.shanten
        useful = useful_kinds(counts, melds, node.shanten)
        if node.shanten == 0:
            node.waits = frozenset(useful)
        for k in range(NUM_KINDS):
            left = root.left_after(q, k)
            wanted = (k in useful and node.shanten > 0) or (k not in useful and slack > 0 and near(counts, k))
            if left > 0 and wanted and add_full((plus(counts, [k]), calls)):
                node.draws[k] = ((plus(counts, [k]), calls), left)
        if len(calls) == m or melds == 4 or node.shanten == 0:
            continue
        useful = useful_kinds(counts, melds, node.shanten, standard=True)
        for k in range(NUM_KINDS):
            left = root.left_after(q, k)
            if left <= 0 or (k not in useful and slack == 0):
                continue
            for call in possible_calls(counts, k):
                after = tuple(sorted((*calls, call)))
                f = (plus(plus(counts, [k]), kinds_of(call), -1), after)
                if root.has_hope(after) and add_full(f):
                    node.calls[k, call] = (f, left)
    return out


def defined_set(root: Root, n: int) -> set[Hand]:
    """Q_S0(n) by its definition: every hand, reachable by any exchanges, with far + shanten <= n."""
    found: set[Hand] = set()
    out_of = [k for k in range(NUM_KINDS) for _ in range(root.hand[k])]
    into = [k for k in range(NUM_KINDS) if root.left[k]]
    size = sum(root.hand) // 3 * 3 + 1
    removed = {()}
    for _ in range(len(out_of) - size):
        removed = {tuple(sorted((*r, k))) for r in removed for k in set(out_of)}
    starts = {plus(root.hand, r, -1) for r in removed}
    for start in {s for s in starts if min(s) >= 0}:
        for exchanged in range(n + 1):
            for drop in combinations_with_replacement(sorted(set(out_of)), exchanged):
                fewer = plus(start, drop, -1)
                if min(fewer) < 0:
                    continue
                for add in combinations_with_replacement(into, exchanged):
                    q = (plus(fewer, add), ())
                    fits = all(root.left_after(q, k) >= 0 for k in add)
                    if fits and q not in found and root.far(q) + root.shanten(q) <= n:
                        found.add(q)
    return found


# --- what the kernels built, in the same words


def read_call(code: int) -> tuple[str, int]:
    return (PON, code - PON_CODE) if code >= PON_CODE else (CHI, code - 1)


def read_hand(node: Any, space: Space) -> Hand:
    low, high = int(node["low"]), int(node["high"])
    counts = [low >> 3 * k & 7 for k in range(18)] + [high >> 3 * k & 7 for k in range(16)]
    codes = space.melds[high >> 48]["codes"]
    return tuple(counts), tuple(sorted(read_call(int(code)) for code in codes if code))


def read_set(space: Space) -> tuple[HandSet, list[Hand], list[Hand]]:
    """The set in a space, and its standing and full hands by number."""
    b, out = space.bounds[0], HandSet({}, {})
    standing = [read_hand(space.standing[i], space) for i in range(b["standing"])]
    full = [read_hand(space.full[i], space) for i in range(b["full"])]
    for i, f in enumerate(full):
        edges = space.discards[space.full[i]["discards"] : space.full[i + 1]["discards"]]
        out.full[f] = {int(e["kind"]): standing[e["to"]] for e in edges}
    for i, q in enumerate(standing):
        x, y = space.standing[i], space.standing[i + 1]
        waits = frozenset(k for k in range(NUM_KINDS) if int(x["waits"]) >> k & 1)
        node = out.standing[q] = Standing(int(x["far"]), int(x["shanten"]), waits)
        for e in space.draws[x["draws"] : y["draws"]]:
            node.draws[int(e["kind"])] = (full[e["to"]], int(e["left"]))
        for e in space.calls[x["calls"] : y["calls"]]:
            (call,) = set_difference(full[e["to"]][1], q[1])
            assert (call[0] == CHI) == bool(e["chi"])
            node.calls[int(e["kind"]), call] = (full[e["to"]], int(e["left"]))
    return out, standing, full


def set_difference(more: tuple[Any, ...], fewer: tuple[Any, ...]) -> list[Any]:
    rest = list(more)
    for call in fewer:
        rest.remove(call)
    return rest


# --- folding


def fold_order(hand: tuple[int, ...], lose: Any, lose_worth: Any, safe: float, alpha: float) -> list[int]:
    """Kinds in ascending order of f(h), eq. (12)."""

    def f(k: int) -> float:
        return (lose[k] * safe - lose_worth[k]) / max(1e-12, 1 - (1 - lose[k]) * (1 - alpha) ** hand[k])

    return sorted((k for k in range(NUM_KINDS) if hand[k]), key=f)


def fold_in_order(
    hand: tuple[int, ...], order: Any, lose: Any, lose_worth: Any, safe: float, turns: int, alpha: float
) -> tuple[float, float]:
    """Worth of folding and chance to lose, tile by tile by eq. (11), when kinds are discarded in this order."""
    tiles = [k for k in order for _ in range(hand[k])][:turns]
    worth, lost, goes_on = 0.0, 0.0, 1.0
    for i, k in enumerate(tiles):
        if k not in tiles[:i]:
            worth += goes_on * lose_worth[k]
            lost += goes_on * lose[k]
            goes_on *= 1 - lose[k]
        worth += goes_on * alpha * safe
        goes_on *= 1 - alpha
    return worth + goes_on * safe, lost


def best_fold(hand: tuple[int, ...], lose: Any, lose_worth: Any, safe: float, turns: int, alpha: float) -> float:
    """V of M_fold by exhaustive dynamic programming of eq. (11): any tile may be discarded at any time."""

    @cache
    def value(q: tuple[int, ...], t: int) -> float:
        if t == turns or sum(q) == 0:
            return safe
        best = -np.inf
        for k in range(NUM_KINDS):
            if q[k]:
                rest = alpha * safe + (1 - alpha) * value(plus(q, [k], -1), t + 1)
                if q[k] == hand[k]:
                    rest = lose_worth[k] + (1 - lose[k]) * rest
                best = max(best, rest)
        return best

    return value(hand, 0)


# --- the processes


def end(worth: float, scenario: int, chance: float = 1.0) -> Any:
    """A chance of an end; `worth` is what it is worth times that chance."""
    out = np.zeros(6)
    out[0], out[1 + scenario] = worth, chance
    return out


class Expectimax:
    """A process by recursion over (hand, turn): every choice, every chance.

    Two rules of the kernels are kept: a tile that leads nowhere is discarded at the average danger, and a hand wins
    on all its waits or on none.
    """

    def __init__(self, hands: HandSet, root: Root, process: Any, wins: dict[Hand, Any], alpha: float) -> None:
        self.hands, self.root, self.m, self.wins, self.alpha = hands, root, process, wins, alpha
        self._known: dict[tuple[str, Hand, int], Any] = {}

    def value(self, what: str, hand: Hand, turn: int) -> Any:
        """Of a `standing`, `full`, `riichi` or folded hand (`fold`) at a turn, float64[6]."""
        key = (what, hand, turn)
        if key not in self._known:
            self._known[key] = getattr(self, what)(hand, turn)
        return self._known[key]

    def standing(self, q: Hand, t: int) -> Any:
        m = self.m
        if t == m["turns"]:
            tenpai = self.hands.standing[q].shanten == 0
            return end(m["washout"][0, int(tenpai)], TENPAI if tenpai else NOTEN)
        other = m["other_win"][0, t]
        value = end(other * m["other_worth"][0], OTHER, other) + (1 - other) * self.replies(q, t, 0)
        if m["folds"] and self.value("fold", q, t)[0] > value[0]:
            return self.value("fold", q, t)
        return value

    def replies(self, q: Hand, t: int, other: int) -> Any:
        """The discards of an opponent and those after it, then the own draw."""
        if other == 3:
            return self.draw(q, t)
        passing = self.replies(q, t, other + 1)
        value, chance_left = np.zeros(6), 1.0
        node = self.hands.standing[q]
        for k in {k for k, _ in node.calls}:
            options = [passing]
            for (j, call), (f, _) in node.calls.items():
                if j == k and (call[0] == PON or other == 2):
                    options.append(self.value("full", f, t))
            chance = self.root.left_after(q, k) * self.m["given"][0, other, k]
            value = value + chance * max(options, key=lambda option: option[0])
            chance_left -= chance
        ready = self.wins.get(q)
        if ready is not None and self.m["wins"]:
            chance = ready["ron"][0, other]
            win = end(ready["ron_worth"][0, other], WIN, chance)
            value = value + max(win, chance * passing, key=lambda option: option[0])
            chance_left -= chance
        return value + chance_left * passing

    def draw(self, q: Hand, t: int) -> Any:
        m, node = self.m, self.hands.standing[q]
        unseen = max(1, sum(self.root.left) - node.far)
        value, chance_left = np.zeros(6), 1.0
        for f, left in node.draws.values():
            value = value + left / unseen * self.value("full", f, t)
            chance_left -= left / unseen
        lose = m["any_lose"][0, t]
        goes_on = end(m["any_lose_worth"][0, t], LOSE, lose) + (1 - lose) * self.value("standing", q, t + 1)
        ready = self.wins.get(q)
        if ready is not None and m["wins"]:
            chance = ready["tsumo"][0]
            win = end(ready["tsumo_worth"][0], WIN, chance)
            value = value + max(win, chance * goes_on, key=lambda option: option[0])
            chance_left -= chance
        return value + chance_left * goes_on

    def full(self, f: Hand, t: int) -> Any:
        options = []
        for k, q in self.hands.full[f].items():
            for after in self.after(q, t):
                lose = self.m["lose"][0, t, k]
                options.append(end(self.m["lose_worth"][0, t, k], LOSE, lose) + (1 - lose) * after)
        return max(options, key=lambda option: option[0])

    def after(self, q: Hand, t: int) -> list[Any]:
        """What may follow a discard that leaves a hand: going on, or riichi."""
        options, m, ready = [self.value("standing", q, t + 1)], self.m, self.wins.get(q)
        if ready is not None and ready["may_riichi"] and m["riichi"] and t <= m["last_riichi"]:
            options.append(self.value("riichi", q, t + 1))
        return options

    def riichi(self, q: Hand, t: int) -> Any:
        m, ready = self.m, self.wins[q]
        if t == m["turns"]:
            return end(m["washout"][1, 1], TENPAI)
        lose = m["any_lose"][1, t]
        value = end(m["any_lose_worth"][1, t], LOSE, lose) + (1 - lose) * self.value("riichi", q, t + 1)
        value = end(ready["tsumo_worth"][1], WIN, ready["tsumo"][1]) + (1 - ready["tsumo"][1]) * value
        for other in (2, 1, 0):
            chance = ready["ron"][1, other]
            value = end(ready["ron_worth"][1, other], WIN, chance) + (1 - chance) * value
        chance = m["other_win"][1, t]
        return end(chance * m["other_worth"][1], OTHER, chance) + (1 - chance) * value

    def fold(self, q: Hand, t: int) -> Any:
        m = self.m
        lose, lose_worth, safe = m["fold_lose"], m["fold_lose_worth"], float(m["fold_safe"])
        order = fold_order(q[0], lose, lose_worth, safe, self.alpha)
        worth, lost = fold_in_order(q[0], order, lose, lose_worth, safe, int(m["turns"]), self.alpha)
        share = m["fold_share"][t]
        lost *= share
        noten = m["fold_noten"] * (1 - lost)
        value = end(safe - share * (safe - worth), LOSE, lost)
        value[1 + NOTEN], value[1 + OTHER] = noten, 1 - lost - noten
        return value
