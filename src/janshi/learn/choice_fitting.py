"""Fitting values of actions to hands of a frozen policy, on a CPU in minutes.

They learn to forecast the result of a hand after each choice, minus the luck of later draws and, from the third pass
on, of later choices. This keeps the expectation and lowers the variance (`draw_fitting.py` does the same for draws).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.learn.luckless import Luckless, without_luck
from janshi.learn.outcome_values import terms
from janshi.learn.ppo import Trainer
from janshi.learn.prospect_values import ProspectValues
from janshi.learn.slots import Ready, turned
from janshi.learn.variance import Share, Squares, play_until, squared_distances
from janshi.rules.game import Array

PIECE: Final = 4096
"""Batch size for computing the values of choices."""
RENEWED: Final = 2
"""Passes between updates of the targets."""


class ChosenHands(NamedTuple):
    """Hands of self-play with their choices, and the luck of their draws."""

    ready: Ready
    scores: Array  # float32[h, players], scaled
    draws: Array  # float32[d, players], luck by seat
    prospects: Tensor  # uint8[k, bytes], of choices
    picked: Tensor  # int64[k]
    chances: Tensor  # float32[k, actions]

    def without_luck(self, network: ProspectValues | None) -> Luckless:
        """The hands without the luck of draws and, given a network, of choices."""
        actions = None if network is None else luck_of(network, self)
        return without_luck(self.ready, self.scores, self.draws, actions, 1.0)


def played(trainer: Trainer, hands: int) -> list[ChosenHands]:
    """At least this many hands of a run with a frozen policy, without learning from them."""
    found: list[ChosenHands] = []
    while sum(len(part.scores) for part in found) < hands:
        play_until(trainer, trainer.most // 2)
        ready = trainer.slots.take(trainer.most)
        trainer.gather(ready)
        trainer.release(ready)
        found.append(_chosen(trainer, ready))
    return found


def _chosen(trainer: Trainer, ready: Ready) -> ChosenHands:
    assert trainer.luck is not None
    luck, scores = trainer.luck, ready.scores * np.float32(trainer.config.scale)
    assert luck.actions is not None
    for _ in luck.draws.compute():
        pass
    draws = turned(luck.draws.read(), -ready.draws.player)
    rooms = (luck.actions.inputs[0], luck.actions.picked, luck.actions.weights)
    return ChosenHands(ready, scores, draws, *(room[: len(ready)].cpu().clone() for room in rooms))


@torch.no_grad()
def luck_of(network: ProspectValues, hands: ChosenHands) -> Array:
    """The luck of choices by seat, float32[k, players]."""
    found = []
    for a in range(0, len(hands.picked), PIECE):
        part = slice(a, a + PIECE)
        found.append(terms(network(hands.prospects[part]), hands.picked[part], hands.chances[part]))
    return turned(torch.cat(found).numpy(), -hands.ready.player)


def share_left(network: ProspectValues | None, parts: Sequence[ChosenHands]) -> Share:
    """The remaining share of the variance of hands' results without the luck of draws, and of choices too."""
    left = np.concatenate([part.without_luck(network).start for part in parts])
    plain = np.concatenate([part.scores for part in parts])
    return Squares([squared_distances(left)], [squared_distances(plain)]).share()


def fit(
    network: ProspectValues,
    parts: Sequence[ChosenHands],
    *,
    passes: int = 6,
    batch: int = 1024,
    rate: float = 2e-3,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda passed, loss: None,
) -> None:
    """Train values on choices; `report` is called after each pass with its number and the mean loss."""
    rows, picked = torch.cat([part.prospects for part in parts]), torch.cat([part.picked for part in parts])
    network.scale_by(rows)
    optimiser, random = torch.optim.Adam(network.parameters(), rate), np.random.default_rng(seed)
    targets, done, steps = torch.zeros(0), 0, passes * (len(rows) // batch)
    for passed in range(passes):
        if passed % RENEWED == 0:
            targets = _targets(network if passed else None, parts)
        losses, order = [], random.permutation(len(rows))
        for a in range(0, len(rows) - batch + 1, batch):
            at = order[a : a + batch]
            optimiser.param_groups[0]["lr"] = rate * (1 - done / steps) + rate / 100
            loss = (network.of_picked(rows[at], picked[at]) - targets[at]).square().sum(1).mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            losses.append(float(loss.detach()))
            done += 1
        report(passed + 1, float(np.mean(losses)))


def _targets(network: ProspectValues | None, parts: Sequence[ChosenHands]) -> Tensor:
    """Results after each choice without later luck, float32[k, players], the asked player first."""
    found = [turned(part.without_luck(network).after_actions, part.ready.player) for part in parts]
    return torch.from_numpy(np.concatenate(found)).float()
