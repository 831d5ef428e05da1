"""Any game of the registry as a PettingZoo AEC environment.

>>> from janshi.adapters import aec
>>> env = aec.env("riichi/tenhou")
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         env.step(None)
...     else:
...         env.step(env.action_space(agent).sample(observation["action_mask"]))

An observation is `{"observation": int32[n], "action_mask": int8[actions]}`: the player's view laid out by
`env.unwrapped.observer.layout`, and the legal actions (all zero for agents that must not act). Players asked at the
same time answer one after the other, and nothing happens on the table before the last answer, so nobody sees another
player's answer. Rewards come at the end of the game: for riichi, final points in thousands with uma and oka.

The same seed gives the same walls as `Table(seed=...)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from janshi.adapters.observation import MASK, OBSERVATION, Observer, asked_players, table_text
from janshi.rules.registry import make_game

ILLEGAL_REWARD = -100.0
"""Worse than any loss in a game of riichi."""
_TABLE = np.zeros(1, np.int64)


def env(rules: str = "riichi/tenhou", render_mode: str | None = None, illegal_reward: float = ILLEGAL_REWARD) -> Any:
    """Make an environment the usual PettingZoo way: an illegal action ends the game and costs `illegal_reward`."""
    raw = raw_env(rules, render_mode)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward))
    )


class raw_env(AECEnv):  # type: ignore[misc]
    """The bare environment: an illegal action raises `ValueError` and changes nothing."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    agent_selection: str

    def __init__(self, rules: str = "riichi/tenhou", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = make_game(rules)
        self.metadata = {**type(self).metadata, "name": self.game.id.replace("/", "_").replace("-", "_")}
        self.render_mode = render_mode
        self.observer = Observer(self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.observer.space)
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self._context = self.game.new_context()
        self._states = self.game.new_states(1)
        self._answers = np.zeros(self.game.players, np.int64)
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, from the seed if one is given."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        chosen = seed if seed is not None else int(self._random.integers(2**63))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.game.start(self._states, np.array([chosen % 2**64], np.uint64), self._context)
        self._ask()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know and, if it must act, its legal actions."""
        seat = self._seat(agent)
        mask = np.zeros(self.game.num_actions, np.int8)
        if agent == self.agent_selection and self._pending:
            mask[:] = self._legal(seat)
        return {OBSERVATION: self.observer.observe(self._states, _TABLE, np.array([seat]))[0], MASK: mask}

    def step(self, action: int | None) -> None:
        """Take the selected agent's answer; after the last one, all answers are carried out."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        answer = self._checked(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._answers[self._answered] = answer
        self._answered += 1
        if self._answered < len(self._pending):
            self.agent_selection = self.possible_agents[self._pending[self._answered]]
        else:
            self._advance()
            self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as text, all hands open: returned (`ansi`) or printed (`human`)."""
        text = table_text(self.game, self._states)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _legal(self, seat: int) -> Any:
        return self.observer.masks(self._states, _TABLE, np.array([seat]))[0]

    def _checked(self, agent: str, action: int | None) -> int:
        mask = self._legal(self._seat(agent))
        if action is None or not 0 <= action < len(mask) or not mask[action]:
            names = self.game.action_names
            legal = ", ".join(names[a] for a in np.flatnonzero(mask))
            raise ValueError(f"{agent} may not take action {action} now; legal are: {legal}")
        return int(action)

    def _advance(self) -> None:
        first = np.array([0, len(self._pending)], np.int64)
        self.game.step(self._states, first, self._answers, False, self._context)

    def _ask(self) -> None:
        """Move to the next question or, after the last one, set the rewards."""
        self._answered = 0
        self._pending = asked_players(self.game, self._states)
        while not self._pending and not self.game.is_over(self._states)[0]:
            self._advance()
            self._pending = asked_players(self.game, self._states)
        if self._pending:
            self.agent_selection = self.possible_agents[self._pending[0]]
            return
        points = self.game.rewards(self._states)[0].tolist()
        self.rewards = dict(zip(self.possible_agents, points))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[0]
