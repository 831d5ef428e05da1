"""Any game of the registry as Gymnasium environments: one seat learns, built-in players hold the others.

>>> from janshi.adapters import vector
>>> envs = vector.make("riichi/tenhou", num_envs=8, opponents="greedy")
>>> observations, infos = envs.reset(seed=7)
>>> actions = observations["action_mask"].argmax(axis=1)
>>> observations, rewards, terminated, truncated, infos = envs.step(actions)

An observation is `{"observation": int32[n], "action_mask": int8[actions]}`: the seat's view laid out by
`envs.observer.layout`, and the legal actions (all zero when the game has just ended). An episode is a game; its reward
comes at the end: for riichi, final points in thousands with uma and oka. `infos["scores"]` are then the points of all
players. A finished table starts its next game at the next step and ignores the action (`AutoresetMode.NEXT_STEP`).

`gymnasium.make("janshi.adapters.vector:Janshi-v1")` makes a single table, `gymnasium.make_vec(..., num_envs=8)` many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from janshi.adapters.families import ADAPTERS_LAYER, Opponents
from janshi.adapters.observation import MASK, OBSERVATION, Observer, table_text
from janshi.core import rng
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

ILLEGAL_REWARD = -100.0
"""Worse than any loss in a game of riichi."""

Observations = dict[str, Array]
Step = tuple[Observations, Array, Array, Array, dict[str, Any]]


def make_opponents(game: Game, names: str | Sequence[str]) -> Opponents:
    """Opponents of a game by name: one name for all seats, or one per seat."""
    wanted = [names] * game.players if isinstance(names, str) else list(names)
    if len(wanted) != game.players:
        raise ValueError(f"opponents must be one name, or one for each of the {game.players} seats, not {names!r}")
    return ADAPTERS_LAYER.of(game.family).opponents(game, wanted)


class TableVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables, one learning seat at each.

    `seat` is that seat, or None to change it from game to game. `opponents` names one built-in player, or one per
    seat. An illegal action ends the game and costs `illegal_reward` or, if that is None, raises `ValueError`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 2, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        rules: str = "riichi/tenhou",
        num_envs: int = 1,
        seat: int | None = None,
        opponents: str | Sequence[str] = "random",
        illegal_reward: float | None = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        self.game = make_game(rules)
        if num_envs < 1:
            raise ValueError(f"there must be at least one table, not {num_envs}")
        if seat is not None and not 0 <= seat < self.game.players:
            raise ValueError(f"seats are 0 to {self.game.players - 1}, not {seat}")
        self.num_envs, self.seat, self.illegal_reward, self.render_mode = num_envs, seat, illegal_reward, render_mode
        self.observer = Observer(self.game)
        self.single_observation_space = self.observer.space
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponents = make_opponents(self.game, opponents)
        self._context = self.game.new_context()
        self._states = self.game.new_states(num_envs)
        self._bytes = self._states.view(np.uint8).reshape(num_envs, -1)  # copied faster than records are
        self._all = np.arange(num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        self._games = np.zeros(num_envs, np.int64)
        self._done = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin a new game at every table."""
        if seed is not None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        self._seed = int(self.np_random.integers(2**63))
        self._games[:] = 0
        self._begin(self._all)
        return self._observations(), {}

    def step(self, actions: Any) -> Step:
        """Take the learning seat's action at every table and play on until it is asked again or the game is over."""
        actions = np.asarray(actions, np.int64)
        rewards = np.zeros(self.num_envs, np.float64)
        ended, playing = np.flatnonzero(self._done), np.flatnonzero(~self._done)
        illegal = self._illegal(playing, actions)
        self._begin(ended)
        self._play_on(np.setdiff1d(playing, illegal), actions)
        self._done = self.game.is_over(self._states).copy()
        rewards[self._done] = self.game.rewards(self._states)[self._all, self.seats][self._done]
        if self.illegal_reward is not None:
            rewards[illegal], self._done[illegal] = self.illegal_reward, True
        return self._observations(), rewards, self._done.copy(), np.zeros(self.num_envs, np.bool_), self._infos()

    def render(self) -> Any:
        """Every table as text, all hands open."""
        return tuple(table_text(self.game, self._states, table) for table in range(self.num_envs))

    def _copy(self, tables: Array) -> Array:
        """A copy of some tables' states, to step without the others."""
        return np.asarray(self._bytes[tables].view(self.game.state_dtype)[:, 0])

    def _put(self, tables: Array, states: Array) -> None:
        """Write stepped states back."""
        self._bytes[tables] = states.view(np.uint8).reshape(len(tables), -1)

    def _begin(self, tables: Array) -> None:
        """Begin the next game of some tables and play until the learning seat is asked."""
        if len(tables) == 0:
            return
        seeds = [rng.key(self._seed, table, game) for table, game in zip(tables.tolist(), self._games[tables].tolist())]
        states = self._copy(tables)
        self.game.start(states, np.array(seeds, np.uint64), self._context)
        self._put(tables, states)
        turn = tables + self._games[tables]
        self.seats[tables] = turn % self.game.players if self.seat is None else self.seat
        self._games[tables] += 1
        self._done[tables] = False
        self._play_on(tables[~self._asks_us(states, tables)], np.zeros(self.num_envs, np.int64))

    def _illegal(self, tables: Array, actions: Array) -> Array:
        """The tables where the learning seat's action is not legal."""
        chosen = actions[tables]
        masks = self.observer.masks(self._states, tables, self.seats[tables])
        inside = (chosen >= 0) & (chosen < self.game.num_actions)
        wrong = ~inside | (masks[np.arange(len(tables)), np.where(inside, chosen, 0)] == 0)
        if self.illegal_reward is None and wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            legal = ", ".join(self.game.action_names[a] for a in np.flatnonzero(masks[at]))
            raise ValueError(f"action {chosen[at]} is not legal at table {tables[at]}; legal are: {legal}")
        return np.asarray(tables[wrong])

    def _play_on(self, tables: Array, actions: Array) -> None:
        """Carry out the learning seat's actions where it is asked, then play until it is asked or the game is over."""
        while len(tables):
            states = self._copy(tables)
            self._step_all(states, tables, actions)
            self._put(tables, states)
            tables = tables[~(self._asks_us(states, tables) | self.game.is_over(states))]

    def _asks_us(self, states: Array, tables: Array) -> Array:
        return np.asarray(self.game.asked(states).astype(np.int64) >> self.seats[tables] & 1 != 0)

    def _step_all(self, states: Array, tables: Array, actions: Array) -> None:
        """Answer every open decision of some tables (given as a copy of their states) and step them."""
        stepper = Stepper.of(self.game, states, self._context)
        where, players = stepper.tables, stepper.players
        words = self.np_random.integers(0, 2**64, size=len(where), dtype=np.uint64)
        ours = players == self.seats[tables][where]
        answers = np.zeros(len(where), np.int64)
        answers[~ours] = self._opponents(states, where[~ours], players[~ours], words[~ours])
        answers[ours] = actions[tables[where[ours]]]
        stepper.step(answers)

    def _observations(self) -> Observations:
        asked = self._asks_us(self._states, self._all) & ~self._done
        masks = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        masks[asked] = self.observer.masks(self._states, self._all[asked], self.seats[asked])
        return {OBSERVATION: self.observer.observe(self._states, self._all, self.seats), MASK: masks}

    def _infos(self) -> dict[str, Any]:
        if not self._done.any():
            return {}
        scores = np.where(self._done[:, None], self.game.scores(self._states), 0)
        return {"scores": scores, "_scores": self._done.copy()}


class TableEnv(gymnasium.Env[Any, Any]):
    """One table: `TableVectorEnv` of one, with the same options."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, rules: str = "riichi/tenhou", render_mode: str | None = None, **options: Any) -> None:
        self.tables = TableVectorEnv(rules, 1, render_mode=render_mode, **options)
        self.observer, self.render_mode = self.tables.observer, render_mode
        self.observation_space = self.tables.single_observation_space
        self.action_space = self.tables.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game."""
        super().reset(seed=seed)
        observations, infos = self.tables.reset(seed=seed)
        return _only(observations), infos

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learning seat's action and play on until it is asked again or the game is over."""
        observations, rewards, terminated, truncated, infos = self.tables.step(np.array([action]))
        return _only(observations), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _only(infos)

    def render(self) -> Any:
        """The table as text, all hands open."""
        return self.tables.render()[0]


def _only(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts of the only table."""
    return {name: part[0] for name, part in parts.items() if not name.startswith("_")}


def make(rules: str = "riichi/tenhou", num_envs: int = 1, **options: Any) -> TableVectorEnv:
    """Make many tables with one learning seat each; see `TableVectorEnv` for the options."""
    return TableVectorEnv(rules, num_envs, **options)


gymnasium.register(
    id="Janshi-v1",
    entry_point="janshi.adapters.vector:TableEnv",
    vector_entry_point="janshi.adapters.vector:TableVectorEnv",
)
