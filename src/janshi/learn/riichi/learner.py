"""Learning from finished hands: the policy, the values of choices, the values of draws.

The order matters: the luck of fresh hands is measured before the values of draws learn from these hands. So returns
without luck have the same expectation as plain ones, however good or bad the values are.
"""

from __future__ import annotations

from concurrent.futures import Executor
from copy import deepcopy
from dataclasses import dataclass
from math import inf
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from janshi.agents.worths import AMOUNT, DRAWN, TENPAI, WHO, labels_of
from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.optimisers import make_optimisers
from janshi.learn.riichi.chains import Luck, Results
from janshi.learn.riichi.config import PLAIN, SelfPlayConfig
from janshi.learn.riichi.networks import DrawValues, Player, averaged, forward_on, sharpened
from janshi.learn.riichi.returns import Advantages, advantages, luck_of, luck_of_hands, results_of
from janshi.learn.riichi.self_play import Decisions, Hands
from janshi.models.amounts import AMOUNTS
from janshi.rules.game import Array
from janshi.rules.riichi.state import PLAYERS

CERTAIN: Final = 0.95
"""Probability above which an action counts as nearly certain."""
LAST_RATE: Final = 0.1
"""The learning rates of values fall to this share; that of the policy falls to zero."""


@dataclass(frozen=True)
class Judged:
    """Finished hands, their luck and the advantages of their decisions."""

    hands: Hands
    luck: Luck
    results: Results
    advantages: Advantages


class Learner:
    """The networks of a run and their optimisers."""

    def __init__(self, config: SelfPlayConfig, imitated: RiichiNet, device: torch.device) -> None:
        self.config, self.device = config, device
        torch.manual_seed(config.seed)
        imitated = sharpened(imitated, config.sharpness)
        self.imitated = frozen(imitated).to(device)
        self.player = Player(deepcopy(imitated)).to(device).eval()  # without dropout: probabilities must be exact
        self.average = frozen(self.player)
        self.past = frozen(imitated).to(device)
        self.values = DrawValues(config).to(device)
        self.optimisers = {
            "policy": make_optimisers(self.player.policy, config.rate, 0.0, False, device),
            "choices": make_optimisers(self.player.choices, config.choice_rate, 0.0, False, device),
            "draws": make_optimisers(self.values, config.luck_rate, 0.0, True, device),
        }
        self._parameters = {
            "policy": list(self.player.policy.parameters()),
            "choices": list(self.player.choices.parameters()),
            "draws": list(self.values.parameters()),
        }
        self.iteration, self.steps = 0, 0
        self.left = inf
        """Share of the variance that remained without luck in the last hands judged."""
        nets = (self.player, self.values, self.imitated)
        self._player, self._values, self._imitated = (forward_on(device, net, config.compiled) for net in nets)

    @property
    def learns_policy(self) -> bool:
        """Whether the policy learns yet: after some iterations, and once the values of draws help."""
        ready = self.config.returns == PLAIN or self.left <= self.config.most_left
        return ready and self.iteration >= self.config.luck_iterations

    # --- judging

    def judge(self, hands: Hands, pool: Executor | None = None) -> Judged:
        """Measure the luck of hands, with values that have not seen them, and the advantages of all decisions."""
        luck, results = luck_of(hands, self._values, self.device, pool), results_of(hands)
        plain = self.config.returns == PLAIN
        judged = Judged(hands, luck, results, advantages(hands, luck, results, self.config.trace, plain))
        gains, freed = self.freed(judged)
        self.left = ratio(freed.var(), gains.var())
        return judged

    def freed(self, judged: Judged) -> tuple[Array, Array]:
        """Results of hands, with and without luck, float64[hands, 4]."""
        gains = judged.results.end - judged.results.start
        return gains, gains - luck_of_hands(judged.luck, judged.results)

    def figures(self, judged: Judged) -> dict[str, float]:
        """The variance that remains without luck, and the learner's luck-free results against rivals."""
        gains, freed = self.freed(judged)
        found, decisions = judged.advantages, judged.hands.decisions
        figures = {
            "hands": float(len(gains)),
            "variance of hands": float(gains.var()),
            "hands left": ratio(freed.var(), gains.var()),
            "decisions left": ratio(found.whole.var(), found.plain.var()),
            "traced left": ratio(found.trace.var(), found.plain.var()),
        }
        order = np.argsort(judged.hands.ends["hand"], kind="stable")
        asked = decisions.asked[decisions.against]
        pairs = np.unique(np.stack([asked["hand"], asked["seat"].astype(np.int64)], 1), axis=0)
        if len(pairs) > 1:
            at = order[np.searchsorted(judged.hands.ends["hand"][order], pairs[:, 0])]
            own = freed[at, pairs[:, 1]]
            figures["gain against rivals"] = float(own.mean())
            figures["its error"] = float(own.std() / np.sqrt(len(own)))
        return figures

    # --- learning

    def learn(self, judged: Judged) -> dict[str, float]:
        """Learn from hands once; returns the mean losses."""
        shuffled = np.random.default_rng([self.config.seed, self.iteration])
        found = self._learn_decisions(judged, shuffled)
        found |= self._learn_draws(judged.hands, shuffled)
        self.iteration += 1
        if self.config.past_every and self.iteration % self.config.past_every == 0:
            self.past.load_state_dict(self.average.policy.state_dict())
        return found

    def _learn_decisions(self, judged: Judged, shuffled: np.random.Generator) -> dict[str, float]:
        decisions, found = judged.hands.decisions, judged.advantages
        spread = float(found.trace.std()) or 1.0
        wanted = (found.trace - found.trace.mean()) / spread
        kept, weights = some_decisions(decisions.log_chance.cpu().numpy(), self.config.certain, shuffled)
        all_columns = (wanted, found.trace, found.value + found.whole, weights)
        columns = [torch.from_numpy(one).to(self.device) for one in all_columns]
        sums: dict[str, Tensor] = {}
        rows = batches(shuffled.permutation(kept), self.config.batch)
        for some in rows:
            at = torch.from_numpy(some).to(self.device)
            parts = self._decision_losses(decisions, at, *(column[at] for column in columns))
            self._step(parts)
            for name, value in parts.items():
                sums[name] = sums.get(name, torch.zeros((), device=self.device)) + value.detach()
        return {name: float(value) / max(len(rows), 1) for name, value in sums.items()}

    def _decision_losses(
        self, decisions: Decisions, at: Tensor, wanted: Tensor, gained: Tensor, value: Tensor, weight: Tensor
    ) -> dict[str, Tensor]:
        inputs, drawn, action = decisions.inputs[at].long(), decisions.drawn[at].long(), decisions.action[at]
        legal = unpack_legal(decisions.legal[at])
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, expected, added = self._player(inputs, drawn)
            with torch.no_grad():
                near = self._imitated(inputs, drawn).policy
        logs = logits.float().masked_fill(~legal, FORBIDDEN).log_softmax(1)
        near = near.float().masked_fill(~legal, FORBIDDEN).log_softmax(1)
        chance = logs.gather(1, action[:, None])[:, 0]
        away = (logs.exp() * (logs - near)).sum(1)
        unit = self.config.value_unit
        error = added.gather(1, action[:, None])[:, 0] - gained / unit
        before, explored = decisions.log_policy[at], (decisions.log_policy[at] - decisions.log_chance[at]).exp()
        parts = {
            "policy": explored * policy_loss(chance - before, wanted, self.config.clip_ratio),
            "kl": away,
            "choices": error.square(),
            "places": (expected - value / unit).square(),
        }
        return {name: (weight * part).mean() for name, part in parts.items()}

    def _step(self, parts: dict[str, Tensor]) -> None:
        """One step of the policy, if it learns yet, and of the values of choices."""
        total = parts["choices"] + parts["places"]
        if self.learns_policy:
            total = total + parts["policy"] + self.config.kl * parts["kl"]
        self._descend(total, ["choices", "policy"] if self.learns_policy else ["choices"])
        if self.learns_policy:
            self.steps += 1
        averaged(self.average, self.player, self.config.average)

    def _descend(self, loss: Tensor, names: list[str]) -> None:
        for optimiser in self.optimisers.values():
            optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        rates = self.rates()
        for name in names:
            nn.utils.clip_grad_norm_(self._parameters[name], self.config.clip)
            self.optimisers[name].step(rates[name])

    def rates(self) -> dict[str, float]:
        """The learning rates now."""
        config = self.config
        done = min(self.iteration / max(config.iterations, 1), 1.0)
        since = max(config.iterations - config.luck_iterations, 1)
        policy = 1 - max(self.iteration - config.luck_iterations, 0) / since
        rising = min((self.steps + 1) / max(config.warmup, 1), 1.0)
        values = 1 - (1 - LAST_RATE) * done
        return {
            "policy": config.rate * rising * max(policy, 0.0),
            "choices": config.choice_rate * values,
            "draws": config.luck_rate * values,
        }

    # --- values of draws

    def _learn_draws(self, hands: Hands, shuffled: np.random.Generator) -> dict[str, float]:
        draws, device = hands.draws, self.device
        inputs = torch.from_numpy(np.ascontiguousarray(draws["inputs"]).view(np.int16)).to(device)
        tiles = torch.from_numpy(draws["tile"].astype(np.int64)).to(device)
        labels = [torch.from_numpy(one).to(device) for one in DrawLabels.of(hands).columns]
        count = int(self.config.luck_share * len(draws))
        rows = batches(shuffled.permutation(len(draws))[:count], self.config.luck_batch)
        total = torch.zeros((), device=device)
        for some in rows:
            at = torch.from_numpy(some).to(device)
            loss = self._draw_loss(inputs[at].long(), tiles[at], *(one[at] for one in labels))
            self._descend(loss, ["draws"])
            total += loss.detach()
        return {"draws": float(total) / max(len(rows), 1)}

    def _draw_loss(
        self, inputs: Tensor, tile: Tensor, who: Tensor, winner: Tensor, amounts: Tensor, tenpai: Tensor
    ) -> Tensor:
        """The loss of predicting the ends of hands after the drawn tiles."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            out = self._values(inputs)
        out = out.float().gather(1, tile[:, None, None].expand(-1, 1, out.shape[2]))[:, 0]
        chances = out[:, AMOUNT].view(-1, PLAYERS, AMOUNTS).log_softmax(-1)
        amount = chances.gather(1, winner[:, None, None].expand(-1, 1, AMOUNTS))[:, 0]
        ready = F.binary_cross_entropy_with_logits(out[:, TENPAI], tenpai, reduction="none").sum(1)
        drawn = who == DRAWN
        loss = F.cross_entropy(out[:, WHO], who, reduction="none") - (amounts * amount).sum(1) + ready * drawn
        return loss.mean()


@dataclass(frozen=True)
class DrawLabels:
    """How the hand of each draw ended, with players relative to the one who draws."""

    columns: tuple[Array, Array, Array, Array]
    """Who wins from whom int64[n]; the winner int64[n]; shares of the amounts float32[n, AMOUNTS]; tenpai [n, 4]."""

    @classmethod
    def of(cls, hands: Hands) -> DrawLabels:
        """Of all draws of hands."""
        ends, draws = hands.ends, hands.draws
        made = labels_of(ends, ends["kyoku"].astype(np.int64))
        order = np.argsort(ends["hand"], kind="stable")
        at = order[np.searchsorted(ends["hand"][order], draws["hand"])]
        seat, who = draws["seat"].astype(np.int64), made.who[at]
        winner, loser = (who // PLAYERS - seat) % PLAYERS, (who % PLAYERS - seat) % PLAYERS
        won = who != DRAWN
        seats = (seat[:, None] + np.arange(PLAYERS)) % PLAYERS
        tenpai = (made.tenpai[at].astype(np.int64)[:, None] >> seats) & 1
        relative = np.where(won, PLAYERS * winner + loser, DRAWN)
        return cls((relative, np.where(won, winner, 0), made.amounts[at], tenpai.astype(np.float32)))


def policy_loss(ratio_log: Tensor, wanted: Tensor, clip: float) -> Tensor:
    """PPO's clipped loss of each decision, from the log ratio of its probability now and when it was chosen.

    If the player explored, the latter is the policy's probability, not that of the distribution sampled from: clipping
    with that would leave rare actions only their good luck, and common ones only their bad luck.
    """
    moved = ratio_log.exp()
    return -torch.minimum(moved * wanted, moved.clamp(1 - clip, 1 + clip) * wanted)


def some_decisions(log_chance: Array, share: float, random: np.random.Generator) -> tuple[Array, Array]:
    """Numbers of the decisions to learn from, and weights of all, float32[n]: mean 1 over those numbers.

    A weighted mean over them has the expectation of the mean over all: whether a decision is kept depends on its
    action's probability, and its weight is the inverse of the probability of being kept.
    """
    keep = np.where(log_chance > np.log(CERTAIN), share, 1.0)
    kept = np.flatnonzero(random.random(len(keep)) < keep)
    weights = 1 / np.maximum(keep, 1e-9)
    total = weights[kept].mean() if len(kept) else 1.0
    return kept, (weights / total).astype(np.float32)


def batches(rows: Array, size: int) -> list[Array]:
    """Rows in batches of one size; the remainder is dropped unless it is the only batch."""
    size = min(size, max(len(rows), 1))
    return [rows[a : a + size] for a in range(0, len(rows) - size + 1, size)]


def frozen(net: Any) -> Any:
    """A copy that does not learn."""
    copy = deepcopy(net).eval()
    for parameter in copy.parameters():
        parameter.requires_grad_(False)
    return copy


def ratio(one: float, other: float) -> float:
    """One number over another; 0 if there is none."""
    return float(one) / float(other) if other else 0.0
