"""Returns without luck: the advantage of every decision, from finished hands and the values of draws.

Let U be the expected places after each possible tile. A hand is then a chain of draws: before draw j its value is the
mean of U over all tiles, after it U of the drawn tile. The change at a draw is luck; the change from a draw to the
mean before the next one is due to the players. An advantage sums the latter from the decision on; plain returns add
the luck too.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from janshi.agents.worths import MEAN_RANK, TURNED, Ended, Situation, Worths, places_after, worths
from janshi.features.riichi.unseen_tiles import NUM_TILES
from janshi.learn.riichi.chains import Decided, Luck, Results, add_up
from janshi.learn.riichi.end_values import end_values
from janshi.learn.riichi.self_play import Hands
from janshi.learn.riichi.table_records import DRAW_DTYPE
from janshi.learn.riichi.tables import joined, whole
from janshi.models import final_rank
from janshi.models.amounts import AMOUNTS
from janshi.rules.game import Array
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

PLACES: Final = np.arange(1.0, PLAYERS + 1)
CHUNK: Final = 256
"""Batch size of a thread for valuing standings."""
BATCH: Final = 8192
"""Batch size for valuing draws on the device."""


@dataclass(frozen=True)
class Advantages:
    """Advantages of each decision, float32[n], for the player who decides."""

    trace: Array
    """For the policy: later changes are discounted by the setting `trace`."""
    whole: Array
    """All later changes: the return without luck, minus the value after the last draw. Unbiased."""
    plain: Array
    """The same with the luck left in."""
    value: Array
    """Expected places after the last draw before the decision."""


def standings(draws: Array) -> tuple[Array, Array]:
    """A representative draw of each distinct standing, and the standing of each draw.

    Within a hand, scores change only with the number of sticks.
    """
    _, chosen, at = np.unique(draws["hand"] * 16 + draws["sticks"], return_index=True, return_inverse=True)
    return chosen, at.reshape(-1)


def tabulated(draws: Array, rules: list[Ruleset], pool: Executor | None = None) -> tuple[Array, Array]:
    """The worth of every end in places: float32[n, winner, loser, AMOUNTS, 4] and float32[n, DRAWS, 4]."""

    def work(rows: Array) -> tuple[Array, Array]:
        some = draws[rows]
        columns = (some[name].astype(np.int64) for name in ("sticks", "kyoku", "honba", "rules"))
        made: Worths = worths(Situation(some["scores"].astype(np.int64), *columns), rules)
        return made.wins[..., 0, :], made.draws[..., 0, :]

    parts = np.array_split(np.arange(len(draws)), max(1, -(-len(draws) // CHUNK)))
    found = list(map(work, parts) if pool is None else pool.map(work, parts))
    return np.concatenate([wins for wins, _ in found]), np.concatenate([drawn for _, drawn in found])


@torch.no_grad()
def luck_of(hands: Hands, values: Any, device: torch.device, pool: Executor | None = None, batch: int = BATCH) -> Luck:
    """Compute the values of all draws of hands. `values` maps int64 (B, ROOM) to (B, 37, OUTPUTS)."""
    draws = hands.draws
    chosen, at = standings(draws)
    wins, drawn = (torch.from_numpy(part).to(device) for part in tabulated(draws[chosen], hands.rules, pool))
    assert wins.shape[-2:] == (AMOUNTS, PLAYERS)
    after, before = (np.zeros((len(draws), PLAYERS), np.float32) for _ in range(2))
    for a in range(0, len(draws), batch):
        some = padded(draws[a : a + batch], batch if device.type == "cuda" else 0)
        spots = torch.from_numpy(np.resize(at[a : a + batch], len(some))).to(device)
        came, mean = valued(values, some, spots, wins, drawn, device)
        n = len(draws[a : a + batch])
        after[a : a + n], before[a : a + n] = came[:n].cpu(), mean[:n].cpu()
    order = np.argsort(draws["hand"], kind="stable")
    rank = np.argsort(hands.ends["hand"], kind="stable")
    counts = np.diff(np.searchsorted(draws["hand"][order], np.append(np.sort(hands.ends["hand"]), np.int64(2**62))))
    if not np.array_equal(counts, hands.ends["draws"][rank]):
        raise ValueError("some draws of finished hands are missing")
    return by_hand(order, rank, counts, after, before)


def by_hand(order: Array, rank: Array, counts: Array, after: Array, before: Array) -> Luck:
    """Sort values by hand, hands in the order of their ends; `rank` sorts the ends by hand."""
    starts = np.cumsum(counts) - counts
    place = np.argsort(rank, kind="stable")
    rows = np.concatenate([order[starts[i] : starts[i] + counts[i]] for i in place]) if len(place) else order
    return Luck(rows, np.concatenate([[0], np.cumsum(counts[place])]), after[rows], before[rows])


def padded(draws: Array, size: int) -> Array:
    """Pad draws to a size with copies of the first, so that a compiled network always gets the same shape."""
    if len(draws) >= size:
        return draws
    return joined([draws, np.repeat(whole(draws[:1]), size - len(draws)).view(DRAW_DTYPE)], DRAW_DTYPE)


def valued(
    values: Any, draws: Array, at: Tensor, wins: Tensor, drawn: Tensor, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Expected places after the drawn tiles, and on average over all possible tiles: (B, 4) each."""
    inputs = torch.from_numpy(draws["inputs"].view(np.int16)).to(device).long()
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        out = values(inputs)
    seats = torch.from_numpy(TURNED[draws["seat"]]).to(device)
    places = end_values(out.float(), seats, wins, drawn, at)  # (B, 37, 4)
    tile = torch.from_numpy(draws["tile"].astype(np.int64)).to(device)
    weights = torch.from_numpy(draws["pool"].astype(np.float32)).to(device)
    mean = (weights[..., None] * places).sum(1) / weights.sum(1, keepdim=True)
    return places.gather(1, tile[:, None, None].expand(-1, 1, PLAYERS))[:, 0], mean


# --- results


def results_of(hands: Hands) -> Results:
    """Each player's result of each hand, with and without the luck of ura indicators."""
    ends = hands.ends
    rounds = np.array([rules.rounds for rules in hands.rules])[ends["rules"]]
    start = expected_places(ends["start"], ends["kyoku"], ends["honba"], ends["start_sticks"], rounds)
    start[(ends["kyoku"] == 0) & (ends["honba"] == 0)] = 0.0
    end = expected_places(ends["scores"], ends["next_kyoku"], ends["next_honba"], ends["sticks"], rounds)
    over = ends["over"] == 1
    end[over] = MEAN_RANK - 1 - ranks(ends["scores"][over])
    expected = end.copy()
    where = {int(hand): i for i, hand in enumerate(ends["hand"])}
    if len(hands.ura):
        rows = np.array([where[int(hand)] for hand in hands.ura["hand"]])
        np.subtract.at(expected, rows, luck_of_ura(hands.ura, ends[rows], hands.rules))
    return Results(start, end, expected)


def expected_places(scores: Array, kyoku: Array, honba: Array, sticks: Array, rounds: Array) -> Array:
    """2.5 - expected final rank of all players between hands, float64[n, 4]."""
    return np.asarray(MEAN_RANK - final_rank.predict(scores, kyoku, honba, sticks, rounds) @ PLACES, np.float64)


def luck_of_ura(ura: Array, ends: Array, rules: list[Ruleset]) -> Array:
    """The luck of each ura indicator: its result minus the mean over all possible ones, float64[n, 4]."""
    n = len(ura)

    def spread(column: Array) -> Array:
        return np.repeat(column.astype(np.int64), NUM_TILES)

    ended = Ended(
        ura["scores"].reshape(n * NUM_TILES, PLAYERS).astype(np.int64),
        np.zeros(n * NUM_TILES, np.int64),
        spread(ends["kyoku"]),
        spread(ends["honba"]),
        np.ones(n * NUM_TILES, np.bool_),
        spread(ends["stays"]).astype(np.bool_),
        spread(ends["rules"]),
    )
    worth = places_after(ended, rules).reshape(n, NUM_TILES, PLAYERS)
    came = worth[np.arange(n), ura["tile"]]
    return np.asarray(came - np.einsum("nt,ntp->np", ura["weight"].astype(np.float64), worth))


def luck_of_hands(luck: Luck, results: Results) -> Array:
    """Total luck after the deal of each hand, float64[hands, 4]."""
    change = (luck.after - luck.before).astype(np.float64)
    sums = np.concatenate([np.zeros((1, PLAYERS)), np.cumsum(change, 0)])
    return np.asarray(sums[luck.first[1:]] - sums[luck.first[:-1]] + results.end - results.expected)


# --- advantages


def advantages(hands: Hands, luck: Luck, results: Results, trace: float, plain: bool) -> Advantages:
    """The advantages of all decisions; if `plain`, `trace` uses plain returns too."""
    out = np.zeros((len(hands.decisions), 4), np.float32)
    add_up(luck, results, decided(hands), float(trace), plain, out)
    return Advantages(*(np.ascontiguousarray(out[:, i]) for i in range(4)))


def decided(hands: Hands) -> Decided:
    """The decisions of hands, sorted by hand."""
    asked, ends = hands.decisions.asked, hands.ends["hand"]
    rank = np.argsort(ends, kind="stable")
    hand = rank[np.searchsorted(ends[rank], asked["hand"])]
    order = np.argsort(hand, kind="stable")
    first = np.searchsorted(hand[order], np.arange(len(ends) + 1))
    term = hands.decisions.term.cpu().numpy().astype(np.float32)
    return Decided(order, first, asked["seat"].astype(np.int64), asked["draws"].astype(np.int64), term)
