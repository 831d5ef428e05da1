"""PPO by self-play, read top to bottom: choose actions, play a rollout, estimate advantages, take clipped steps.

One *rollout* is a fixed number of decisions under one version of the policy. The tables are split into two halves:
while the decisions of one are evaluated on the device, the other is stepped. Meanwhile the device learns from the hands
that ended in the rollout before, in slices between the evaluations, so that the policy that plays is one version behind
the one that learns. PPO's ratio uses the probability with which an action was actually chosen, so this is correct, and
so are hands that are carried over from one rollout to the next.

The value is not needed while playing: it is computed in large batches when a rollout is learned from.

`equipment.py` makes the networks, tables and memory of a run. What makes this fast on a GPU is in `device.py`, the
storage of decisions in `slots.py` and `memory.py`, and the networks of each variant in `rvr.py`. Everything a run
depends on is in its seed, its settings and its checkpoint: on the CPU, a run that was stopped and resumed equals one
that was not.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from janshi.learn.advantage import advantages
from janshi.learn.config import TrainConfig
from janshi.learn.curves import rollout_row
from janshi.learn.device import Clock, Half, clip_gradients
from janshi.learn.equipment import VALUE_BATCH, Equipment
from janshi.learn.luckless import Luckless
from janshi.learn.rvr import value_loss
from janshi.learn.slots import Ready
from janshi.rules.game import Array

ILLEGAL: Final = -1e9
"""The logit of an illegal action, whose probability becomes exactly zero."""
STATS: Final = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "batches")


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Log probabilities of all actions, float32[m, actions]; illegal ones have probability zero."""
    return log_softmax(torch.where(masks, logits.float(), ILLEGAL), 1)


def choose(logs: Tensor, shares: Tensor) -> Tensor:
    """Sample an action from each row's probabilities with its random number in [0, 1), int64[m]."""
    sums = logs.exp().cumsum(1)  # (m, actions)
    reach = shares * sums[:, -1] * (1 - 1e-6)
    return (sums <= reach[:, None]).sum(1).clamp(max=logs.shape[1] - 1)


class Trainer(Equipment):
    """A training run: the loop that improves the networks through play."""

    def __init__(self, config: TrainConfig) -> None:
        super().__init__(config)
        with self.device.learning():
            self._prepare_steps()
        self.device.synchronize()
        self.halves = [Half(self.device, tables, self.act, self.needs_hidden) for tables in self.make_tables()]

    def _prepare_steps(self) -> None:
        """Prepare the work that is repeated on the device, with its arguments."""
        device = self.device
        self._half_steps = 8  # of a rollout; the first is a guess
        self.at = device.zeros((self.config.batch,), torch.int64)
        self.from_ = device.zeros((VALUE_BATCH,), torch.int64)
        self.imitate = device.zeros((1,))
        """1 while actions are imitated, instead of weighted by their advantages."""
        self.stats = device.zeros((len(STATS),))
        self.loss = device.compiled(self._loss)
        self.value_of = device.compiled(self.critic)
        self.train_step = device.replayed(self._train_step, copies=2)
        self.value_step = device.replayed(self._value_step)

    # --- playing

    @torch.no_grad()
    def act(self, private: Tensor, hidden: Tensor | None, slots: Tensor, shares: Tensor, foreign: Tensor) -> Tensor:
        """Choose an action for each record; store record, action and probability in its slot."""
        with self.device.precision():
            logits = self.players.logits(private, foreign)
        logs = masked(logits, self.encoder.masks(private))
        actions = choose(logs, shares)
        self.memory.keep(slots, private, hidden, actions, logs)
        return actions

    def rollout(self) -> None:
        """Play a rollout with the current player while learning from the one before; then update the player."""
        started, played, half_steps = time.perf_counter(), 0, 0
        lesson, pace, clock = self.learn(), 1, Clock()
        while played < self.config.rollout:
            for half in self.halves:
                actions = half.wait()
                clock.note("waiting")
                played += half.tables.count
                half.tables.step(actions)
                clock.note("stepping")
                half.submit()
                clock.note("packing")
                half_steps += 1
                for _ in range(pace):
                    next(lesson, None)
                pace = self._pace
                clock.note("learning")
        for _ in lesson:
            pass
        self._half_steps = half_steps
        self.players.renew(self.policy, self.rollouts)
        clock.note("draining")
        self.shares = clock.shares()
        self.rollouts += 1
        took = self.device.world.most(time.perf_counter() - started)
        played = int(self.device.world.total(played)[0])
        self.decisions += played
        self.seconds += took
        self._note(played, took)

    def _note(self, played: int, seconds: float) -> None:
        """Collect the rollout's figures."""
        figures = dict(zip(STATS, self.stats.cpu().tolist()))
        tally = self.device.world.total(sum(half.tables.read_tally() for half in self.halves))
        self.hands += int(tally[0])
        self.row = rollout_row(self, figures, tally, played, seconds)

    # --- learning

    def learn(self) -> Iterator[None]:
        """Learn from the hands that have ended, a slice of work at a time."""
        c = self.config
        self._pace = 1
        with self.device.learning():
            self.stats.zero_()
        if self.device.world.least(self.slots.entries) < c.batch:
            return
        ready = self.slots.take(self.most)
        batches = len(ready) // c.batch * c.epochs
        slices = batches + len(ready) // VALUE_BATCH + (0 if self.luck is None else self.luck.slices(ready))
        self._pace = -(-int(1.2 * (slices + 12)) // self._half_steps)
        self.gather(ready)
        self.release(ready)
        yield
        yield from self.learn_from(ready)

    def learn_from(self, ready: Ready) -> Iterator[None]:
        """Learn from hands in the batch, a slice of work at a time."""
        c = self.config
        adv, targets, luckless = yield from self._estimates(ready)
        self.device.put(self.batch.advantages, self.device.world.standardised(adv))
        self.device.put(self.batch.targets, targets)
        yield
        self.follow_schedule()
        orders = self._orders(len(ready), c.epochs, 1)
        last_orders = [] if self.expected is None else self._orders(len(self.expected.hands), c.expected_epochs, 2)
        yield from self.epochs(orders)
        if self.expected is not None:
            yield from self.expected.learn(last_orders)
        if self.luck is not None and luckless is not None:
            counts = {name: part.count for name, part in self.luck.parts.items()}
            luck_orders = {name: self._orders(n, c.luck_epochs, 3 + i) for i, (name, n) in enumerate(counts.items())}
            yield from self.luck.learn(ready, luckless, luck_orders)
        self.learned += len(ready)

    def advantages_of(self, ready: Ready) -> Array:
        """Copy ready decisions to the batch and return their advantages, float32[k], without learning."""
        self.gather(ready)
        self.release(ready)
        return self.estimate(ready)

    def estimate(self, ready: Ready) -> Array:
        """The advantages of hands in the batch, float32[k], without learning."""
        slices = self._estimates(ready)
        while True:
            try:
                next(slices)
            except StopIteration as end:
                adv: Array = end.value[0]
                return adv

    def _estimates(self, ready: Ready) -> Generator[None, None, tuple[Array, Array, Luckless | None]]:
        """Compute advantages, the values' targets, and the hands' luck if known, a slice of work at a time."""
        yield from self._values(len(ready))
        expected = None
        if self.expected is not None:
            expected = self.expected.expectations(ready)
            yield
        luckless = None
        if self.luck is not None:
            yield from self.luck.compute()
            luckless = self.luck.take_out(ready)
        return *self._advantages(ready, expected, luckless), luckless

    def gather(self, ready: Ready) -> None:
        """Copy the stored decisions into the batch."""
        scale = np.float32(self.config.scale)
        elsewhere = ready.seen_by(ready.elsewhere * scale) if self.variant.duplicate else None
        with self.device.playing(), torch.no_grad():
            self.batch.gather(self.memory, ready, elsewhere)
            if self.expected is not None:
                self.expected.gather(self.memory, ready)
            if self.luck is not None:
                self.luck.gather(self.memory, ready)
            self.device.learn_after_play()

    def _values(self, k: int) -> Iterator[None]:
        """Compute the values of all decisions of the batch."""
        size = VALUE_BATCH if self.device.gpu else k
        for a in range(0, k, size):
            if self.device.gpu:
                with self.device.learning():
                    torch.arange(a, a + size, out=self.from_)
            else:
                self.from_ = torch.arange(a, a + size)
            self.value_step()
            yield
        yield from self.device.until_learned()

    @torch.no_grad()
    def _value_step(self) -> None:
        with self.device.precision():
            values = self.value_of(*self.batch.select(self.from_))
        self.batch.values.index_copy_(0, self.from_, values.float())

    def _advantages(self, ready: Ready, expected: Array | None, luckless: Luckless | None) -> tuple[Array, Array]:
        """Advantages and the values' targets; `expected` replaces results before the last round."""
        c, k = self.config, len(ready)
        values = self.batch.values[:k].cpu().numpy()
        parts = values.shape[1]
        rewards = ready.seen_by(ready.scores * np.float32(c.scale))[:, :parts]
        cut = None if expected is None else expected[:, :parts]
        luck = None if luckless is None else luckless.luck[:, :parts]
        adv, targets = advantages(values, rewards, cut, ready, self.game.players, c.gamma, c.lam, luck)
        self.row["explained"] = 1 - float(np.var(targets[:, 0] - values[:, 0]) / max(np.var(targets[:, 0]), 1e-9))
        return adv, targets

    def _orders(self, k: int, epochs: int, stream: int) -> list[Tensor]:
        """Random orders of `k` examples on the device, one per epoch; cut to the smallest number of any process."""
        random, most = np.random.default_rng([self.config.seed, self.rollouts, stream]), int(self.device.world.least(k))
        return [self.device.upload(random.permutation(k)[:most]) for _ in range(epochs)]

    def epochs(self, orders: list[Tensor]) -> Iterator[None]:
        """Learn from the batch in random order, `batch` decisions at a time."""
        size = self.config.batch
        for order in orders:
            for a in range(0, len(order) - size + 1, size):
                with self.device.learning():
                    self.at.copy_(order[a : a + size])
                self.train_step()
                yield

    def _train_step(self) -> None:
        """One step of Adam on a batch: policy and value networks together."""
        self.networks.optimiser.zero_grad(set_to_none=True)
        b, at = self.batch, self.at
        old = (b.actions[at], b.logs[at], b.advantages[at], b.values[at], b.targets[at])
        with self.device.precision():
            loss, stats = self.loss(*b.select(at), *old, self.imitate)
        loss.backward()
        for net in (self.policy, self.critic):
            clip_gradients(net, self.config.gradient_clip, self.device)
        self.networks.optimiser.step()
        self.stats += stats

    def _loss(
        self,
        private: Tensor,
        hidden: Tensor | None,
        elsewhere: Tensor | None,
        actions: Tensor,
        old_logs: Tensor,
        advs: Tensor,
        old_values: Tensor,
        targets: Tensor,
        imitate: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """PPO's clipped loss, the value loss and the entropy, and their figures; or imitation of the actions."""
        c = self.config
        logs = masked(self.policy(private), self.encoder.masks(private))  # (m, actions)
        log = logs.gather(1, actions[:, None])[:, 0]
        entropy = -(logs.exp() * logs).sum(1).mean()
        change = log - old_logs
        ratio = change.exp()
        weighed = torch.minimum(ratio * advs, ratio.clamp(1 - c.clip, 1 + c.clip) * advs)
        policy_loss = -torch.where(imitate > 0, log, weighed).mean()
        values = self.critic(private, hidden, elsewhere)
        v_loss = value_loss(values, old_values, targets, c.value_clip)
        loss = policy_loss + 0.5 * v_loss - c.entropy * (1 - imitate[0]) * entropy
        kl = (ratio - 1 - change).mean()
        clipped = ((ratio - 1).abs() > c.clip).float().mean()
        figures = (policy_loss, v_loss, entropy, kl, clipped, torch.ones_like(kl))
        return loss, torch.stack([figure.detach() for figure in figures])
