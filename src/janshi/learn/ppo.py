"""PPO by self-play, read top to bottom: tables are stepped on the CPU's threads while the device evaluates and learns.

One *rollout* is a fixed number of decisions under one version of the policy. The tables stand in two halves: while the
decisions of one are evaluated on the device, the other is stepped. Meanwhile the device learns from the hands that
ended in the rollout before, in slices between the evaluations (on a GPU in a stream of its own), so that the policy
that plays is one version behind the one that learns. PPO's ratio is taken against the chance with which an action was
really chosen, so nothing is wrong with that, nor with hands that are carried over from one rollout to the next.

The value is not needed while playing: it is computed in large batches when a rollout is learned from.

Everything a run depends on is in its seed, its settings and its checkpoint: on the CPU, a run cut in two and resumed
equals one that was not cut.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from janshi.features.planes import encoder as find_encoder
from janshi.learn.advantage import advantages
from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.network import PolicyNet
from janshi.learn.rvr import Critic, ExpectedReward, expected_loss, value_loss
from janshi.learn.slots import Ready, Slots, turned
from janshi.learn.tables import Tables
from janshi.rules.game import Array

ILLEGAL: Final = -1e9
"""The logit of an illegal action: its chance is zero exactly."""
VALUE_BATCH: Final = 8192
"""Positions whose values are computed at once."""
ADAM_EPSILON: Final = 1e-5
SWITCH_SECONDS: Final = 2e-4
"""Threads that have stepped their tables are not to wait long for the interpreter."""
SURE: Final = 1e6
"""Logits times this leave only the likeliest action."""
STATS: Final = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "batches")
EXPECTED_MEMORY: Final = 0.9
"""How much of the running error of the expected reward network is kept from one rollout to the next."""


# --- choosing actions


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Logs of the chances of all actions, float32[m, actions]; illegal ones have none."""
    return log_softmax(torch.where(masks, logits.float(), ILLEGAL), 1)


def choose(logs: Tensor, shares: Tensor) -> Tensor:
    """Draw an action by each row's chances with its random number in [0, 1), int64[m]."""
    sums = logs.exp().cumsum(1)  # (m, actions)
    reach = shares * sums[:, -1] * (1 - 1e-6)
    return (sums <= reach[:, None]).sum(1).clamp(max=logs.shape[1] - 1)


# --- running on the device


class Replayed:
    """Work on fixed tensors: done plainly a few times, then recorded and replayed as a CUDA graph where that goes.

    Several `copies` are recorded and replayed in turn, since a graph waits for its own last replay.
    """

    PLAIN: Final = 3

    def __init__(self, work: Callable[[], None], stream: Any, recorded: bool, copies: int = 1) -> None:
        self._work, self._stream, self._left = work, stream, self.PLAIN if recorded else -1
        self._graphs: deque[Any] = deque()
        self._copies = copies

    def __call__(self) -> None:
        """Do the work."""
        with on_stream(self._stream):
            if self._left < 0:
                self._work()
            elif self._left > 0:
                self._left -= 1
                self._work()
            elif len(self._graphs) < self._copies:
                self._record()
            else:
                self._graphs[0].replay()
                self._graphs.rotate()

    def _record(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            torch.cuda.synchronize()
            with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
                self._work()
        except RuntimeError as error:
            print(f"no CUDA graph, goes on without: {error}", flush=True)
            self._left = -1
            self._work()
            return
        self._graphs.appendleft(graph)
        graph.replay()


def _cuda() -> Any:
    """torch.cuda, parts of which have no types."""
    return torch.cuda


def on_stream(stream: Any) -> AbstractContextManager[Any]:
    """Within it, a GPU's work goes to the stream; nothing for None."""
    return nullcontext() if stream is None else torch.cuda.stream(stream)


class Clock:
    """Where the loop's own time goes."""

    def __init__(self) -> None:
        self._last, self._spent = time.perf_counter(), dict[str, float]()

    def note(self, what: str) -> None:
        """The time since the last note went into `what`."""
        now = time.perf_counter()
        self._spent[what] = self._spent.get(what, 0.0) + now - self._last
        self._last = now

    def shares(self) -> dict[str, float]:
        """The share of each."""
        total = sum(self._spent.values()) or 1.0
        return {what: seconds / total for what, seconds in self._spent.items()}


class Actor:
    """Takes the decisions of one half of the tables: records go to the device and are kept there, actions come back."""

    def __init__(self, trainer: Trainer, tables: Tables) -> None:
        t, encoder = trainer, trainer.encoder
        self.trainer, self.tables = trainer, tables
        most = tables.states.shape[0] * trainer.game.players
        self.size = most if not t.gpu else -(-int(1.1 * len(tables.states)) // 256) * 256
        room = -(-most // self.size) * self.size
        self.private = t.host((room, encoder.private_bytes), torch.uint8)
        self.hidden = t.host((room, encoder.hidden_bytes), torch.uint8) if t.needs_hidden else None
        self.slots = t.host((room,), torch.int64)
        self.shares = t.host((room,), torch.float32)
        self.foreign = t.host((room,), torch.bool)
        self.actions = t.host((room,), torch.int64)
        self.slots.fill_(t.slots.capacity)
        self.event: Any = _cuda().Event() if t.gpu else None
        if t.gpu:
            names = ("private", "hidden", "slots", "shares", "foreign", "actions")
            self.there = {
                name: torch.zeros_like(getattr(self, name)[: self.size], device=t.device)
                for name in names
                if getattr(self, name) is not None
            }
            self.replayed = Replayed(self._act_there, t.play_stream, t.recorded)

    def submit(self) -> None:
        """Pack the open decisions and begin to evaluate them."""
        n, t = self.tables.count, self.trainer
        hidden = None if self.hidden is None else self.hidden.numpy()[:n]
        self.tables.pack(self.private.numpy()[:n], hidden)
        self.slots.numpy()[:n] = self.tables.slots[:n]
        self.shares.numpy()[:n] = self.tables.words[:n]
        self.foreign.numpy()[:n] = self.tables.foreign[:n]
        if not t.gpu:
            here = None if self.hidden is None else self.hidden[:n]
            self.actions[:n] = t.act(self.private[:n], here, self.slots[:n], self.shares[:n], self.foreign[:n])
            return
        end = -(-n // self.size) * self.size
        self.slots[n:end].fill_(t.slots.capacity)  # what is not used goes to a slot that nobody reads
        with on_stream(t.play_stream):
            for a in range(0, end, self.size):
                for name, there in self.there.items():
                    if name != "actions":
                        there.copy_(getattr(self, name)[a : a + self.size], non_blocking=True)
                self.replayed()
                self.actions[a : a + self.size].copy_(self.there["actions"], non_blocking=True)
            self.event.record()

    def _act_there(self) -> None:
        x = self.there
        x["actions"].copy_(self.trainer.act(x["private"], x.get("hidden"), x["slots"], x["shares"], x["foreign"]))

    def wait(self) -> Array:
        """The actions, when they are there, int64[count]."""
        if self.event is not None:
            self.event.synchronize()
        return self.actions.numpy()[: self.tables.count]


class Batch:
    """Fixed room on the device for the decisions of a rollout that are learned from."""

    def __init__(self, trainer: Trainer, most: int) -> None:
        t, encoder, parts = trainer, trainer.encoder, trainer.critic.parts
        self.private = t.zeros((most, encoder.private_bytes), torch.uint8)
        self.hidden = t.zeros((most, encoder.hidden_bytes), torch.uint8) if t.needs_hidden else None
        self.elsewhere = t.zeros((most, t.game.players)) if t.variant.duplicate else None
        self.actions = t.zeros((most,), torch.int64)
        self.logs = t.zeros((most,))
        self.advantages = t.zeros((most,))
        self.values, self.targets = t.zeros((most, parts)), t.zeros((most, parts))

    def select(self, at: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Records of some decisions: private, hidden, and how the wall ended elsewhere."""
        hidden = None if self.hidden is None else self.hidden[at]
        return self.private[at], hidden, None if self.elsewhere is None else self.elsewhere[at]


# --- the trainer


class Trainer:
    """A training run: networks, tables, and the loop that makes the one better with the other."""

    def __init__(self, config: TrainConfig) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self.config, self.variant = config, VARIANTS[config.variant]
        self.game = config.game()
        self.encoder = find_encoder(config.planes)
        self.device = torch.device(config.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.gpu = self.device.type == "cuda"
        self.recorded = self.gpu and config.compiled
        self.needs_hidden = self.variant.hidden or self.variant.expected
        self.play_stream = _cuda().Stream(priority=-1) if self.gpu else None
        self.learn_stream = _cuda().Stream() if self.gpu else None
        self.pool = ThreadPoolExecutor(config.workers - 1) if config.workers > 1 else None
        self.rollouts = self.learned = 0
        self.decisions = self.hands = 0
        self.seconds = 0.0
        self.row: dict[str, float] = {}
        """What is known of the last rollout."""
        self.shares: dict[str, float] = {}
        """Where the loop's time went in the last rollout."""
        self._half_steps = 8
        with on_stream(self.learn_stream):
            self._make_networks()
            self._make_room()
        self.synchronize()
        self._make_tables()

    def _fresh_networks(self) -> dict[str, Any]:
        """New networks that learn, all from the seed."""
        c, players = self.config, self.game.players
        torch.manual_seed(c.seed)
        found = {"policy": self._policy_net(), "critic": Critic(c, self.encoder, players)}
        if self.variant.expected:
            found["expected"] = ExpectedReward(c, self.encoder, players)
        return found

    def _policy_net(self) -> PolicyNet:
        c = self.config
        return PolicyNet(self.encoder, blocks=c.blocks, channels=c.channels, width=c.width)

    def _make_networks(self) -> None:
        fresh = self._fresh_networks()
        self.policy = fresh["policy"].to(self.device)
        self.critic = fresh["critic"].to(self.device)
        self.expected = fresh["expected"].to(self.device) if self.variant.expected else None
        self.player = self._policy_net().to(self.device).requires_grad_(False)
        """The version of the policy that plays."""
        seated = self.config.past_share > 0 or self.variant.alone
        self.past = self._policy_net().to(self.device).requires_grad_(False) if seated else None
        self.past_selves: list[dict[str, Tensor]] = []
        self.expected_error, self.expected_spread = -1.0, 0.0
        self.player.load_state_dict(self.policy.state_dict())
        rate, value_rate = self.config.rate, self.config.value_rate or self.config.rate
        self.optimiser = self._adam((self.policy, rate), (self.critic, value_rate))
        self.expected_optimiser = None if self.expected is None else self._adam((self.expected, value_rate))

    def _adam(self, *networks: tuple[Any, float]) -> torch.optim.Optimizer:
        """Adam over networks, each at its rate."""
        groups = [
            {"params": [*net.parameters()], "lr": torch.tensor(rate, device=self.device) if self.gpu else rate}
            for net, rate in networks
        ]
        return torch.optim.Adam(groups, eps=ADAM_EPSILON, capturable=self.gpu, fused=self.gpu or None)

    def _make_room(self) -> None:
        """Room on the device: for all slots, for what is learned from, and for the tensors that graphs are tied to."""
        c, e = self.config, self.encoder
        capacity = c.slots
        self.kept_private = self.zeros((capacity + 1, e.private_bytes), torch.uint8)
        self.kept_hidden = self.zeros((capacity + 1, e.hidden_bytes), torch.uint8) if self.needs_hidden else None
        self.kept_actions = self.zeros((capacity + 1,), torch.int64)
        self.kept_logs = self.zeros((capacity + 1,))
        most = c.rollout + 2 * c.tables  # a rollout goes on to the end of a step, and hands end when they end
        self.most = -(-most // VALUE_BATCH) * VALUE_BATCH if self.gpu else most
        self.batch = Batch(self, self.most)
        self.at = self.zeros((c.batch,), torch.int64)
        self.from_ = self.zeros((VALUE_BATCH,), torch.int64)
        self.imitate = self.zeros((1,))
        """1 while actions are imitated instead of weighed by their advantages."""
        self.stats = self.zeros((len(STATS),))
        self.loss = self._compiled(self._loss)
        self.value_of = self._compiled(self.critic)
        self.logits_of = self._compiled(self.player)
        self.past_logits_of = None if self.past is None else self._compiled(self.past)
        self.train_step = Replayed(self._train_step, self.learn_stream, self.recorded, copies=2)
        self.value_step = Replayed(self._value_step, self.learn_stream, self.recorded)
        if self.expected is not None:
            most = self.most_hands = -(-self.most // 4 // c.expected_batch) * c.expected_batch
            self.last_private = self.zeros((most, e.private_bytes), torch.uint8)
            self.last_hidden = self.zeros((most, e.hidden_bytes), torch.uint8)
            self.last_rewards = self.zeros((most, self.game.players))
            self.last_at = self.zeros((c.expected_batch,), torch.int64)
            self.expected_of = self._compiled(self.expected)
            self.expected_step = Replayed(self._expected_step, self.learn_stream, self.recorded)

    def _make_tables(self) -> None:
        c = self.config
        self.slots = Slots(c.slots, self.game.players)
        self.halves = [
            Tables(
                self.game,
                self.encoder,
                self.slots,
                c.tables // 2,
                seed=c.seed,
                number=number,
                duplicates=c.group,
                past_share=c.past_share,
                race=self.variant.race,
                alone=self.variant.alone,
                pool=self.pool,
                threads=c.workers,
            )
            for number in range(2)
        ]
        self.actors = [Actor(self, half) for half in self.halves]

    def restart(self, seed: int) -> None:
        """Begin another run with the same settings but for the seed, without compiling anything anew."""
        self.config = replace(self.config, seed=seed)
        fresh = self._fresh_networks()
        self.synchronize()
        for name, net in self.networks().items():
            net.load_state_dict(fresh[name].state_dict())
        self.player.load_state_dict(self.policy.state_dict())
        self.forget_moments()
        self.past_selves = []
        self.rollouts = self.learned = self.decisions = self.hands = 0
        self.seconds, self.expected_error, self.expected_spread = 0.0, -1.0, 0.0
        self.row = {}
        self.synchronize()
        actors = self.actors
        self._make_tables()
        for actor, fresh_actor in zip(actors, self.actors):
            actor.tables = fresh_actor.tables
        self.actors = actors

    def begin_with(self, policy: PolicyNet) -> None:
        """Begin with another policy's weights, at the run's temperature; it must see and have as much as the run's."""
        mine, its = ({"planes": net.encoder.version, **net.sizes} for net in (self.policy, policy))
        if mine != its:
            raise ValueError(f"the run's policy has {mine}; it cannot begin with one that has {its}")
        self.policy.load_state_dict(policy.state_dict())
        with torch.no_grad():
            for weights in self.policy.last.parameters():
                weights /= self.config.temperature
        self.player.load_state_dict(self.policy.state_dict())
        if self.past is not None:
            self.past.load_state_dict(self.policy.state_dict())
        self.synchronize()

    def synchronize(self) -> None:
        """Wait until a GPU has done all it was asked."""
        if self.gpu:
            torch.cuda.synchronize()

    def networks(self) -> dict[str, Any]:
        """The networks that learn, by name."""
        found = {"policy": self.policy, "critic": self.critic, "expected": self.expected}
        return {name: net for name, net in found.items() if net is not None}

    def zeros(self, shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> Tensor:
        """Room on the device."""
        return torch.zeros(shape, dtype=dtype, device=self.device)

    def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
        """Room on the host that a GPU can copy from while the CPU goes on."""
        return torch.zeros(shape, dtype=dtype, pin_memory=self.gpu)

    def precision(self) -> AbstractContextManager[Any]:
        """Half precision on a GPU."""
        if not (self.gpu and self.config.half_precision):
            return nullcontext()
        return torch.autocast("cuda", torch.bfloat16, cache_enabled=False)

    def _compiled(self, work: Any) -> Any:
        """Compiled for fixed shapes on a GPU; the plain thing where compiling fails."""
        if not (self.gpu and self.config.compiled):
            return work
        compiled: Any = torch.compile(work, dynamic=False)
        state = {"plain": False}

        def call(*args: Any) -> Any:
            if not state["plain"]:
                try:
                    return compiled(*args)
                except Exception as error:  # whatever a compiler may raise: the plain network gives the same
                    print(f"not compiled, goes on without: {str(error)[:500]}", flush=True)
                    state["plain"] = True
            return work(*args)

        return call

    # --- playing

    @torch.no_grad()
    def act(self, private: Tensor, hidden: Tensor | None, slots: Tensor, shares: Tensor, foreign: Tensor) -> Tensor:
        """Choose an action for each record, and keep record, action and its chance under the slots."""
        with self.precision():
            logits = self.logits_of(private)
            if self.past_logits_of is not None:
                sharper = SURE if self.variant.alone else 1.0
                logits = torch.where(foreign[:, None], sharper * self.past_logits_of(private), logits)
        logs = masked(logits, self.encoder.masks(private))
        actions = choose(logs, shares)
        self.kept_private.index_copy_(0, slots, private)
        if self.kept_hidden is not None and hidden is not None:
            self.kept_hidden.index_copy_(0, slots, hidden)
        self.kept_actions.index_copy_(0, slots, actions)
        self.kept_logs.index_copy_(0, slots, logs.gather(1, actions[:, None])[:, 0])
        return actions

    def rollout(self) -> None:
        """Play a rollout with the current player while learning from the one before; then the player is renewed."""
        started, played, half_steps = time.perf_counter(), 0, 0
        lesson = self.learn()
        pace = 1
        clock = Clock()
        while played < self.config.rollout:
            for half, actor in zip(self.halves, self.actors):
                actions = actor.wait()
                clock.note("waiting")
                played += half.count
                half.step(actions)
                clock.note("stepping")
                actor.submit()
                clock.note("packing")
                half_steps += 1
                for _ in range(pace):
                    next(lesson, None)
                pace = self._pace
                clock.note("learning")
        for _ in lesson:
            pass
        self._half_steps = half_steps
        self._renew_player()
        clock.note("draining")
        self.shares = clock.shares()
        self.rollouts += 1
        self.decisions += played
        self.seconds += time.perf_counter() - started
        self._note(played, time.perf_counter() - started)

    def begin(self) -> None:
        """Evaluate the first decisions of a new run."""
        for actor in self.actors:
            actor.submit()

    def _renew_player(self) -> None:
        """Let the learned policy play from now on; a past self is kept now and then."""
        if self.learn_stream is not None:
            self.learn_stream.synchronize()
        with on_stream(self.play_stream), torch.no_grad():
            for new, old in zip(self.policy.parameters(), self.player.parameters()):
                old.copy_(new)
            if self.past is not None:
                self._renew_past()

    def _renew_past(self) -> None:
        c = self.config
        assert self.past is not None
        if self.variant.alone:
            if self.rollouts % c.past_every == 0:
                self.past.load_state_dict(self.policy.state_dict())
            return
        if self.rollouts % c.past_every == 0:
            self.past_selves.append({name: value.clone() for name, value in self.policy.state_dict().items()})
            self.past_selves = self.past_selves[-c.past_most :]
        kept = self.past_selves[self.rollouts % len(self.past_selves)]
        for name, value in self.past.state_dict().items():
            value.copy_(kept[name])

    # --- learning

    def learn(self) -> Iterator[None]:
        """Learn from the hands that have ended, a slice of work at a time."""
        c = self.config
        self._pace = 1
        with on_stream(self.learn_stream):
            self.stats.zero_()
        if self.slots.entries < c.batch:
            return
        ready = self.slots.take(self.most)
        batches = len(ready) // c.batch * c.epochs
        self._pace = -(-int(1.2 * (batches + len(ready) // VALUE_BATCH + 12)) // self._half_steps)
        last = self._gather(ready)
        yield
        yield from self._values(len(ready))
        rewards = ready.seen_by(ready.scores * np.float32(c.scale))
        expected = None
        if self.expected is not None:
            expected = self._expectations(ready, last)
            yield
        values = self.batch.values[: len(ready)].cpu().numpy()
        parts = values.shape[1]
        adv, targets = advantages(
            values,
            rewards[:, :parts],
            None if expected is None else expected[:, :parts],
            ready.first,
            ready.player,
            ready.before,
            self.game.players,
            c.gamma,
            c.lam,
        )
        self.row["explained"] = 1 - float(np.var(targets[:, 0] - values[:, 0]) / max(np.var(targets[:, 0]), 1e-9))
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        self.put(self.batch.advantages, adv)
        self.put(self.batch.targets, targets)
        yield
        self._set_rates()
        orders, last_orders = self._orders(len(ready), c.epochs, 1), self._orders(len(last), c.expected_epochs, 2)
        yield from self.epochs(orders)
        if self.expected is not None:
            yield from self._learn_expected(last_orders)
        self.learned += len(ready)

    def _gather(self, ready: Ready) -> Array:
        """Copy what was kept of the decisions into the batch, and free their slots.

        Returns the numbers of the hands with a state before the last round, whose records are copied too.
        """
        k = len(ready)
        last = (
            np.flatnonzero(ready.last_round >= 0)[: self.most_hands] if self.expected is not None else np.zeros(0, int)
        )
        with on_stream(self.play_stream), torch.no_grad():
            at = torch.from_numpy(ready.slot.astype(np.int64)).to(self.device)
            self.batch.private[:k] = self.kept_private[at]
            if self.kept_hidden is not None and self.batch.hidden is not None:
                self.batch.hidden[:k] = self.kept_hidden[at]
            self.batch.actions[:k] = self.kept_actions[at]
            self.batch.logs[:k] = self.kept_logs[at]
            if self.batch.elsewhere is not None:
                told = ready.seen_by(ready.elsewhere * np.float32(self.config.scale))
                self.batch.elsewhere[:k] = torch.from_numpy(told).to(self.device)
            if self.expected is not None and self.kept_hidden is not None:
                at = torch.from_numpy(ready.last_round[last].astype(np.int64)).to(self.device)
                self.last_private[: len(last)] = self.kept_private[at]
                self.last_hidden[: len(last)] = self.kept_hidden[at]
                rewards = turned(ready.scores[last], ready.last_player[last]) * np.float32(self.config.scale)
                self.last_rewards[: len(last)] = torch.from_numpy(rewards).to(self.device)
            if self.learn_stream is not None:
                self.learn_stream.wait_stream(self.play_stream)
        self.slots.release(ready.slot)
        return last

    def _values(self, k: int) -> Iterator[None]:
        """Compute the values of all decisions of the batch."""
        size = VALUE_BATCH if self.gpu else k
        for a in range(0, k, size):
            if self.gpu:
                with on_stream(self.learn_stream):
                    torch.arange(a, a + size, out=self.from_)
            else:
                self.from_ = torch.arange(a, a + size)
            self.value_step()
            yield
        yield from self._wait_for_device()

    @torch.no_grad()
    def _value_step(self) -> None:
        with self.precision():
            values = self.value_of(*self.batch.select(self.from_))
        self.batch.values.index_copy_(0, self.from_, values.float())

    def _wait_for_device(self) -> Iterator[None]:
        """Yield until the device has done what was asked in the learning stream."""
        if self.learn_stream is not None:
            event = _cuda().Event()
            event.record(self.learn_stream)
            while not event.query():
                yield

    @torch.no_grad()
    def _expectations(self, ready: Ready, last: Array) -> Array | None:
        """The expected rewards of hands, as seen by each entry's player; None while they say less than the mean.

        Hands without a state before the last round keep their scores. Also notes how good the expectations are on
        these hands, from which the network has not learned yet.
        """
        assert self.expected is not None
        n, size = len(last), self.config.expected_batch if self.gpu else max(len(last), 1)
        with on_stream(self.learn_stream), self.precision():
            found = [
                self.expected_of(self.last_private[a : a + size], self.last_hidden[a : a + size]).float()
                for a in range(0, n, size)
            ]
            told = torch.cat(found)[:n].cpu().numpy()
            rewards = self.last_rewards[:n].cpu().numpy()
        keep = EXPECTED_MEMORY if self.expected_error >= 0 else 0.0
        self.expected_error = keep * self.expected_error + (1 - keep) * float(np.mean((told - rewards) ** 2))
        self.expected_spread = keep * self.expected_spread + (1 - keep) * float(np.mean(rewards**2))
        if self.expected_error >= self.expected_spread:
            return None
        scores = ready.scores * np.float32(self.config.scale)
        seats = turned(told, -ready.last_player[last])  # back to seats 0, 1, ...
        scores[last] = seats
        return ready.seen_by(scores)

    def _orders(self, k: int, epochs: int, stream: int) -> list[Tensor]:
        """Random orders of `k` examples on the device, one for each epoch."""
        random = np.random.default_rng([self.config.seed, self.rollouts, stream])
        return [self.upload(random.permutation(k)) for _ in range(epochs)]

    def epochs(self, orders: list[Tensor]) -> Iterator[None]:
        """Learn from the batch in random order, `batch` decisions at a time."""
        size = self.config.batch
        for order in orders:
            for a in range(0, len(order) - size + 1, size):
                with on_stream(self.learn_stream):
                    self.at.copy_(order[a : a + size])
                self.train_step()
                yield

    def _train_step(self) -> None:
        """One step of Adam on a batch: policy and value networks together."""
        self.optimiser.zero_grad(set_to_none=True)
        b, at = self.batch, self.at
        with self.precision():
            loss, stats = self.loss(
                *b.select(at),
                b.actions[at],
                b.logs[at],
                b.advantages[at],
                b.values[at],
                b.targets[at],
                self.imitate,
            )
        loss.backward()
        for net in (self.policy, self.critic):
            torch.nn.utils.clip_grad_norm_(net.parameters(), self.config.gradient_clip, foreach=self.gpu or None)
        self.optimiser.step()
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

    def _learn_expected(self, orders: list[Tensor]) -> Iterator[None]:
        """Learn eq. 2 from the hands of the batch."""
        size = self.config.expected_batch
        for order in orders:
            if len(order) < size and not self.gpu:
                size = len(order)
            for a in range(0, len(order) - size + 1, max(size, 1)):
                if self.gpu:
                    with on_stream(self.learn_stream):
                        self.last_at.copy_(order[a : a + size])
                else:
                    self.last_at = order[a : a + size]
                self.expected_step()
                yield

    def _expected_step(self) -> None:
        assert self.expected is not None
        assert self.expected_optimiser is not None
        self.expected_optimiser.zero_grad(set_to_none=True)
        at = self.last_at
        with self.precision():
            told = self.expected_of(self.last_private[at], self.last_hidden[at])
            loss = expected_loss(told, self.last_rewards[at])
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.expected.parameters(), self.config.gradient_clip, foreach=self.gpu or None)
        self.expected_optimiser.step()

    def put(self, room: Tensor, values: Array) -> None:
        """Copy numbers to the first rows of a tensor on the device."""
        with on_stream(self.learn_stream):
            room[: len(values)] = self.upload(values)

    def upload(self, values: Array) -> Tensor:
        """Copy numbers to the device without waiting for what it has to do before."""
        here = torch.from_numpy(np.ascontiguousarray(values))
        if not self.gpu:
            return here
        with on_stream(self.learn_stream):
            return here.pin_memory().to(self.device, non_blocking=True)

    def forget_moments(self) -> None:
        """Let Adam begin anew."""
        for optimiser in (self.optimiser, self.expected_optimiser):
            for state in optimiser.state.values() if optimiser is not None else ():
                for value in state.values():
                    if isinstance(value, Tensor):
                        value.zero_()

    end_seconds: float = 0.0
    end_decisions: int = 0
    """Seconds of training or decisions, whichever come first, after which the final rate is reached; 0: not by them."""

    def _set_rates(self) -> None:
        """The rates fall along a line from `rate` to `final_rate`; the policy waits for `values_first` decisions."""
        c, share = self.config, 1.0
        if c.final_rate >= 0 and (self.end_seconds or self.end_decisions):
            done = max(
                self.seconds / self.end_seconds if self.end_seconds else 0.0,
                self.decisions / self.end_decisions if self.end_decisions else 0.0,
            )
            share = 1 + (c.final_rate / c.rate - 1) * min(done, 1.0)
        waits = self.decisions < c.values_first
        self.set_rates(0.0 if waits else share * c.rate, share * (c.value_rate or c.rate))

    def set_rates(self, policy: float, values: float) -> None:
        """Set Adam's rates of the policy and of the value network from now on."""
        with on_stream(self.learn_stream):
            for group, rate in zip(self.optimiser.param_groups, (policy, values)):
                if isinstance(group["lr"], Tensor):
                    group["lr"].fill_(rate)
                else:
                    group["lr"] = rate

    # --- figures

    def _note(self, played: int, seconds: float) -> None:
        """Put the rollout's figures together."""
        figures = dict(zip(STATS, self.stats.cpu().tolist()))
        count = max(figures.pop("batches"), 1.0)
        tally = sum(half.tally for half in self.halves)
        for half in self.halves:
            half.tally[:] = 0
        hands, won, points, decisions, forced, own, scores = (float(number) for number in np.asarray(tally))
        one = self.variant.race or self.variant.alone
        self.hands += int(hands)
        self.row = {
            **{name: value / count for name, value in figures.items()},
            "explained": self.row.get("explained", 0.0),
            "rollout": self.rollouts,
            "decisions": self.decisions,
            "hands": self.hands,
            "seconds": round(self.seconds, 3),
            "rate": played / seconds,
            "win_rate": (own if one else won / self.game.players) / max(hands, 1),
            "draw_rate": 1 - won / hands if hands else 0.0,
            "win_points": points / won if won else 0.0,
            "forced": forced / max(decisions, 1),
            "hand_decisions": played / hands if hands else 0.0,
        }
        if one:
            self.row["score"] = scores / max(hands, 1)
        if self.expected is not None and self.expected_spread > 0:
            self.row["expected_error"] = self.expected_error / self.expected_spread
