"""The worth of the predicted ends of a hand, on any device."""

from __future__ import annotations

import torch
from torch import Tensor

from janshi.agents.worths import AMOUNT, DRAWN, DRAWS, SETS, TENPAI, WHO
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS


def end_values(out: Tensor, seats: Tensor, wins: Tensor, draws: Tensor, at: Tensor) -> Tensor:
    """The expected worth of predicted ends, (n, t, m): m numbers for each of t outcomes of n positions.

    out: (n, t, OUTPUTS), relative to who draws; seats: int64 (n, 4), the absolute seats in turn order from there.
    wins: (s, winner, loser, AMOUNTS, m) and draws: (s, DRAWS, m) are the worths of ends, by absolute seat, in each of
    s standings; at: int64 (n,), the standing of each position.
    """
    n, t = out.shape[:2]
    m = wins.shape[-1]
    table = wins[at[:, None, None], seats[:, :, None], seats[:, None, :]]
    who = out[..., WHO].softmax(-1)
    amounts = out[..., AMOUNT].reshape(n, t, PLAYERS, AMOUNTS).softmax(-1)
    won = torch.zeros(n, t, m, device=out.device)
    for one in range(PLAYERS):
        paid = torch.matmul(amounts[:, :, one], table[:, one].transpose(1, 2).reshape(n, AMOUNTS, PLAYERS * m))
        share = who[..., PLAYERS * one : PLAYERS * one + PLAYERS, None]
        won = won + (share * paid.view(n, t, PLAYERS, m)).sum(2)
    drawn = torch.matmul(_chances_of_sets(out, seats), draws[at])
    return won + who[..., DRAWN, None] * drawn


def _chances_of_sets(out: Tensor, seats: Tensor) -> Tensor:
    """Probability of each set of tenpai players when the wall runs out, (n, t, DRAWS)."""
    n, t = out.shape[:2]
    by_seat = torch.sigmoid(out[..., TENPAI]).gather(2, seats.argsort(1)[:, None].expand(n, t, PLAYERS))
    held = torch.from_numpy(SETS).to(out.device)
    sets = torch.ones(n, t, DRAWS, device=out.device)
    for seat in range(PLAYERS):
        chance = by_seat[..., seat, None]
        sets = sets * (held[:, seat] * chance + (1 - held[:, seat]) * (1 - chance))
    return sets
