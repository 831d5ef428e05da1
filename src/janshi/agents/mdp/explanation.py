"""The MDP player's explanation of a decision: worths, chances of scenarios, dangers, the best line.

The best line moves through the decision's set of hands: starting from the hand of the best choice, it takes the draws
or calls that add most and the best discard after them, until tenpai; by the values of M, or of M_win where choices are
valued by scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.explain import FOLD, Choice, Phrase, discarding
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.decide import CERTAIN_LAST, CLEARLY, Desk
from janshi.agents.mdp.early import SLIGHTLY
from janshi.agents.mdp.fold import order_of
from janshi.agents.mdp.hands import MELDS_AT, NOBODY, unpack
from janshi.agents.mdp.process import LOSE, NOTEN, OTHER, SCENARIOS, only_wins
from janshi.agents.mdp.solve import LEFT, Values, solve
from janshi.agents.mdp.space import Space
from janshi.agents.payoffs import POINTS, RANK, THOUSAND
from janshi.core.shanten import shanten
from janshi.core.tiles import NUM_KINDS, format_tiles
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE, TURN

OTHERS: Final = ("right", "across", "left")
SCENARIO_COLUMNS: Final = ("win", "lose", "other", "tenpai draw", "noten draw")
"""Names of the chances, in the order of scenarios."""
WINS: Final = (act.TSUMO, act.RON)
"""Declining one makes the hand furiten, which the process does not model: the chances are then unknown."""
STEPS: Final = 8
"""Maximum number of draws and calls in a line."""
WAYS: Final = {(True, False): "draw", (False, True): "call", (True, True): "draw or call"}
"""How a tile is obtained, by whether it can be drawn and whether it can be called."""
NAMED: Final = 4
"""Maximum number of tiles named: useful ones, or discards of a folded hand."""


# --- choices


def best_first(candidates: Array, action: int) -> list[int]:
    """Indices of the candidates worth considering: the best one with the chosen action, then all others by score."""
    taken = candidates["action"] == action
    numbers = np.flatnonzero(taken | (candidates["worth"] > UNKNOWN))
    order: list[int] = numbers[np.argsort(-candidates["score"][numbers], kind="stable")].tolist()
    chosen = next(i for i in order if taken[i])
    return [chosen, *(i for i in order if i != chosen)]


def choice_of(
    i: int, by_payoff: dict[str, Array], payoff: str, d: Desk, names: Sequence[str], experts: Mapping[int, float]
) -> Choice:
    """The choice for candidate number `i`; `by_payoff` holds all candidates as each payoff values them."""
    c, table, dealing = by_payoff[payoff][i], d.models.table[0], d.models.dealing[0]
    worth = float(worths_of(by_payoff[payoff], payoff)[i])
    numbers = {
        "score": float(c["score"]),
        "rank": -float(by_payoff[RANK][i]["worth"]),
        "points": THOUSAND * float(by_payoff[POINTS][i]["worth"]),
    }
    declines = c["action"] not in WINS and bool(np.isin(by_payoff[payoff]["action"], WINS).any())
    numbers.update(zip(SCENARIO_COLUMNS, [nan] * SCENARIOS if declines else scenario_chances(c, d.process[0])))
    for other, where in enumerate(OTHERS):
        danger = float(table["ahead"][other, 0] * dealing["winning"][other, c["kind"]]) if c["kind"] != NONE else nan
        numbers[f"danger {where}"] = danger
    often = experts.get(int(c["action"]), nan)
    return Choice(int(c["action"]), name_of(c, names), numbers, then_of(c), worth, often)


def worths_of(candidates: Array, payoff: str) -> Array:
    """The worth of candidates, float64[n]: minus the final rank, or points.

    A call of a far hand that only experts recommend gets the worth of passing: its own contains a small bonus so that
    it is chosen. No candidate is worth more than a win that the player takes: declining it makes the hand furiten,
    which the process does not model.
    """
    worths, action = np.array(candidates["worth"]), candidates["action"]
    worths[(candidates["settled"] == 1) & (action >= act.CHI) & (action < act.OPEN_KAN)] -= SLIGHTLY
    wins = np.flatnonzero((action == act.TSUMO) | (action == act.RON))
    if len(wins) and takes_win(candidates, worths[wins[0]]):
        worths = np.minimum(worths, worths[wins[0]])
    return worths * (THOUSAND if payoff == POINTS else 1.0)


def takes_win(candidates: Array, win: float) -> bool:
    """Whether a win with this worth is taken, by the rule of `decide.choose`."""
    best = candidates["worth"][np.argmax(candidates["score"])]
    return bool(win > CERTAIN_LAST or best < win + CLEARLY)


def scenario_chances(c: Any, m: Any) -> list[float]:
    """The chances of scenarios after a candidate; NaN where they are not known."""
    if c["folds"]:
        return folded_chances(c, m)
    chances = [float(chance) for chance in c["chances"]]
    return chances if sum(chances) > 0 else [nan] * SCENARIOS


def folded_chances(c: Any, m: Any) -> list[float]:
    """The chances of scenarios if the hand is folded after a candidate's discard."""
    chances, stays = [0.0] * SCENARIOS, 1.0 - float(c["lose"])
    chances[LOSE] = float(c["lose"]) + stays * float(c["fold_lose"])
    safe, noten = stays * (1.0 - float(c["fold_lose"])), float(m["fold_noten"])
    chances[OTHER], chances[NOTEN] = safe * (1.0 - noten), safe * noten
    return chances


def name_of(c: Any, names: Sequence[str]) -> str:
    """The action of a candidate in words."""
    name = str(names[c["action"]])
    return f"{name} {tile(c['kind'])}" if c["kind"] != NONE and c["action"] == act.TSUMOGIRI else name


def then_of(c: Any) -> tuple[Phrase, ...]:
    """How a candidate continues."""
    discards = c["kind"] != NONE and c["action"] > act.TSUMOGIRI
    return ((discarding(c["kind"]),) if discards else ()) + ((FOLD,) if c["folds"] else ())


def tile(kind: int) -> str:
    """The name of a kind."""
    return format_tiles([int(kind)])


def without_kans(views: Array) -> Array:
    """The same views without kans among the legal actions, because valuing a kan overwrites the set of hands."""
    plain = views.copy()
    for action in (act.OPEN_KAN, *range(act.CONCEALED_KAN, act.TSUMO)):
        plain["legal"][:, action // act.HALF] &= ~np.array(1 << action % act.HALF, plain["legal"].dtype)
    return plain


# --- the best line


class Solved(NamedTuple):
    """A set of hands with the values of a process at its first turn."""

    m: Any  # PROCESS_DTYPE
    first: int
    closed: bool
    """Whether the hand is closed at the decision."""
    space: Space
    values: Values


class Step(NamedTuple):
    """A step of a line: a tile drawn or called, and the discard after it."""

    gain: float
    """What it adds to the worth of the hand: its chance times the improvement."""
    called: bool
    kind: int
    tiles: int
    """Unseen tiles of the kind."""
    discard: int
    to: int
    """The standing hand it leads to."""
    riichi: bool


def line_of(c: Any, view: Any, d: Desk) -> tuple[Phrase, ...]:
    """The best line after a candidate, step by step; empty if its hand is not in the set.

    The desk must hold the set of hands of the view, with M or the parts solved on it.
    """
    if c["folds"]:
        return (fold_order(c, d.process[0]),)
    if c["settled"] or c["node"] == NOBODY or d.space.bounds[0]["standing"] == 0:
        return ()
    return follow(int(c["node"]), solved(view, d))


def fold_order(c: Any, m: Any) -> Phrase:
    """The first discards of a folded hand (eq. 12)."""
    counts = np.zeros(NUM_KINDS, np.int8)
    unpack(int(c["low"]), int(c["high"]), counts)
    harm = m["fold_lose"] * m["fold_safe"] - m["fold_lose_worth"]
    held = np.flatnonzero(counts).tolist()
    held.sort(key=lambda kind: order_of(float(m["fold_lose"][kind]), float(harm[kind]), int(counts[kind])))
    tiles = [kind for kind in held for _ in range(counts[kind])]
    return Phrase(": {tiles} …" if len(tiles) > NAMED else ": {tiles}", {"tiles": " ".join(map(tile, tiles[:NAMED]))})


def solved(view: Any, d: Desk) -> Solved:
    """The values to follow: those of M, or of M_win for a hand valued by scenarios."""
    first, m = 1 if view["phase"] == TURN else 0, d.process[0]
    distance = max(0, int(shanten(view["hand"], int(view["melds"][0]), d.tables[0])))
    if distance > d.manner[0]["inclusive"]:
        only_wins(m, float(m["fold_safe"]), int(d.part[0]["turns"]), d.part[0])
        m = d.part[0]
        solve(m, first, d.space, d.values)
    return Solved(m, first, bool(d.holding[0]["closed"]), d.space, d.values)


def follow(node: int, s: Solved) -> tuple[Phrase, ...]:
    """The line from a standing hand: draws and calls with their discards, until tenpai."""
    said: list[Phrase] = []
    last, riichi = NONE, False
    for _ in range(STEPS):
        if s.space.standing[node]["shanten"] == 0:
            return (*said, *waiting(node, riichi, s))
        group = best_steps(node, s) if s.m["turns"] > s.first else []
        if not group:
            break
        said.append(step_phrase(group, last))
        last = group[0].kind if len({step.kind for step in group}) > 1 else NONE
        node, riichi = group[0].to, group[0].riichi
    return tuple(said)


def step_phrase(group: list[Step], last: int = NONE) -> Phrase:
    """Steps with one discard: `; draw 4p or 7p (7 tiles), discard 9m`; `last` is the tile before, if it matters."""
    tiles = {step.kind: step.tiles for step in group}
    way = WAYS[any(not step.called for step in group), any(step.called for step in group)]
    values = {"tiles": any_of(list(tiles)), "count": count(sum(tiles.values())), "discard": tile(group[0].discard)}
    if last == NONE:
        return Phrase(f"; {way} {{tiles}} ({{count}}), discard {{discard}}", values)
    return Phrase(f"; after {{last}}, {way} {{tiles}} ({{count}}), discard {{discard}}", {"last": tile(last), **values})


def any_of(kinds: list[int]) -> str | Phrase:
    """Some kinds as text; only the first few are named."""
    named = [tile(kind) for kind in sorted(kinds[:NAMED])]
    if len(kinds) > NAMED:
        return Phrase("{tiles} or others", {"tiles": ", ".join(named)})
    if len(named) == 1:
        return named[0]
    return Phrase("{tiles} or {last}", {"tiles": ", ".join(named[:-1]), "last": named[-1]})


def count(tiles: int) -> Phrase:
    """A number of tiles."""
    return Phrase("{n} tile" if tiles == 1 else "{n} tiles", {"n": tiles})


def waiting(node: int, riichi: bool, s: Solved) -> tuple[Phrase, ...]:
    """The waits of a tenpai hand."""
    q, b = s.space.standing[node], s.space.bounds[0]
    kinds = [kind for kind in range(NUM_KINDS) if int(q["waits"]) >> kind & 1]
    held, melds = np.zeros(NUM_KINDS, np.int8), s.space.melds[int(q["high"]) >> MELDS_AT]
    unpack(int(q["low"]), int(q["high"]), held)
    drawn = np.maximum(0, held + melds["tiles"] - b["root"])
    left = sum(max(0, int(b["left"][kind] - drawn[kind])) for kind in kinds)
    values: dict[str, str | Phrase] = {"tiles": " ".join(map(tile, kinds)), "count": count(left)}
    waits = Phrase(" → riichi, waiting {tiles} ({count})" if riichi else " → waiting {tiles} ({count})", values)
    return (waits,) if can_win(q, s) else (waits, Phrase(", which cannot win"))


def can_win(q: Any, s: Solved) -> bool:
    """Whether a tenpai hand has a yaku with any of its waits, with or without riichi."""
    if q["wins"] < 0:
        return False
    ready = s.values.ready[q["wins"]]
    return float(ready["tsumo"].sum() + ready["ron"].sum()) > 0


def best_steps(node: int, s: Solved) -> list[Step]:
    """The steps towards a win that add most together, among groups with the same discard and waits."""
    groups: dict[tuple[int, bool, bool, int], list[Step]] = {}
    nodes = s.space.standing
    closed = s.closed and int(nodes[node]["high"]) >> MELDS_AT == 0
    for step in [*draw_steps(node, s), *call_steps(node, s)]:
        if step.gain > 0 and nodes[step.to]["shanten"] < nodes[node]["shanten"]:
            key = (step.discard, step.riichi, step.called and closed, int(nodes[step.to]["waits"]))
            groups.setdefault(key, []).append(step)
    if not groups:
        return []
    best = max(groups.values(), key=lambda group: sum(step.gain for step in group))
    return sorted(best, key=lambda step: step.gain, reverse=True)


def draw_steps(node: int, s: Solved) -> list[Step]:
    """The draws of a standing hand."""
    q, x, first = s.space.standing[node], s.values, s.first
    edges = s.space.draws[q["draws"] : s.space.standing[node + 1]["draws"]]
    lose, lose_worth = s.m["any_lose"][0, first], s.m["any_lose_worth"][0, first]
    stays = lose_worth + (1.0 - lose) * x.standing[(first + 1) % 2, node]
    total = max(1, int(s.space.bounds[0]["unseen"]) - int(q["far"]))
    return [step_of(e, e["left"] / total * (x.full[e["to"]] - stays), False, s) for e in edges]


def call_steps(node: int, s: Solved) -> list[Step]:
    """The calls of a standing hand."""
    x, given = s.values, s.m["given"][0]
    passing = x.standing[s.first % 2, node]
    steps = []
    for e in s.space.calls[s.space.standing[node]["calls"] : s.space.standing[node + 1]["calls"]]:
        chance = e["left"] * (given[LEFT, e["kind"]] if e["chi"] else given[:, e["kind"]].sum())
        steps.append(step_of(e, chance * (x.full[e["to"]] - passing), True, s))
    return steps


def step_of(e: Any, gain: float, called: bool, s: Solved) -> Step:
    """The step along an edge: with the best discard (eq. 7), and riichi if that is better."""
    x, first = s.values, s.first
    edges = s.space.discards[s.space.full[e["to"]]["discards"] : s.space.full[e["to"] + 1]["discards"]]
    kinds, to = edges["kind"], edges["to"]
    worth = s.m["lose_worth"][0, first, kinds] + (1.0 - s.m["lose"][0, first, kinds]) * x.after[to]
    best = int(np.argmax(worth))
    riichi = x.after[to[best]] > x.standing[(first + 1) % 2, to[best]]
    return Step(float(gain), called, int(e["kind"]), int(e["left"]), int(kinds[best]), int(to[best]), bool(riichi))
