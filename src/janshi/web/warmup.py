"""Warm-up: kernels are loaded in the background when the app starts.

From the cache this takes seconds. At the first start after an installation they are compiled (`web/first_start.py`),
starting with what a game against the strongest player needs. Meanwhile everything that needs no kernels works, and
games wait for their rules and their players.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import resolve_name
from typing import Final

from janshi.agents.families import AGENTS_LAYER
from janshi.agents.registry import AGENTS, load_agent
from janshi.arena.families import ARENA_LAYER
from janshi.records.families import RECORDS_LAYER
from janshi.rules.registry import families, find_family
from janshi.web.errors import Refused
from janshi.web.families import WEB_LAYER
from janshi.web.first_start import Lanes, is_compiled
from janshi.web.problems import Problem, problem

log = logging.getLogger("janshi.web")
PATIENCE: Final = 10.0
"""Seconds that a request waits before the client is asked to try again."""
IMPORTED: Final = (
    "janshi.records.recorder",
    "janshi.records.botzone.replay",
    "janshi.records.mjlog",
    "janshi.records.tenhou6",
    "janshi.records.mjai",
    "janshi.arena.replay",
)
"""Modules with kernels that are needed sooner or later."""


def import_all() -> None:
    """Import all modules with kernels before threads start.

    Where a kernel is cached is decided when it is imported, by a setting of Numba that threads would share.
    """
    for name in AGENTS:
        load_agent(name)
    for family in families().values():
        resolve_name(family.table)
        for layer in (AGENTS_LAYER, ARENA_LAYER, RECORDS_LAYER, WEB_LAYER):
            layer.of(family)
    for module in IMPORTED:
        import_module(module)


class Warmth:
    """The progress of getting ready. Its thread writes; everybody else reads."""

    def __init__(self) -> None:
        self.done: set[str] = set()
        """Families that can be played."""
        self.pending: set[tuple[str, str]] = set()
        """Agents that are still being loaded: family and name."""
        self.doing: Problem | None = None
        self.since = time.monotonic()
        self.finished = False
        self._stopped = False
        self._lanes: Lanes | None = None
        self._loaded: set[tuple[str, str]] = set()
        """Agents that can also explain: family and label."""

    def start(self, wanted: bool = True) -> None:
        """Start in the background."""
        if wanted:
            self.pending |= {(family, agent_name(label)) for family, label in warmed_agents()}
        threading.Thread(target=self._warm, args=(wanted,), name="janshi-warm", daemon=True).start()

    def stop(self) -> None:
        """Start nothing more."""
        self._stopped = True
        if self._lanes is not None:
            self._lanes.stop()

    async def wait(self, family: str, labels: Iterable[str] = ()) -> None:
        """Wait until a family can be played by some agents; raises `Refused` with a message if that takes long."""
        players = {(family, agent_name(label)) for label in labels}
        until = time.monotonic() + PATIENCE
        while family not in self.done or players & self.pending:
            if time.monotonic() > until:
                raise Refused(self.words(), 503)
            await asyncio.sleep(0.05)

    def words(self) -> Problem:
        """What is being waited for, as text."""
        doing = self.doing or problem("loading_rules", family=next(iter(families())))
        return problem("getting_ready", doing=doing, seconds=int(time.monotonic() - self.since))

    def _warm(self, wanted: bool) -> None:
        first = next((name for name in families() if is_first_start(name)), None) if wanted else None
        if first is not None:
            self._lanes = Lanes(plan_lanes(first))
            self._warm_rules(first)
            self._warm_first_agents(first)
        for family in families():
            self._warm_rules(family)
        for family, label in warmed_agents() if wanted else ():
            self._warm_agent(family, label, [agent_job(family, label)])
        for family in families() if wanted else ():
            for name in WEB_LAYER.of(find_family(family)).warmed_last:
                self._try(problem("loading_rules", family=family), (), resolve_name(name))
        self.doing, self.finished = None, True

    def _warm_rules(self, family: str) -> None:
        if family not in self.done:
            self._try(problem("loading_rules", family=family), [rules_job(family)], warm_rules, family)
            self.done.add(family)

    def _warm_first_agents(self, family: str) -> None:
        """Agents play as soon as what they need is compiled; what explains them comes later."""
        found = WEB_LAYER.of(find_family(family))
        for label, jobs in found.first_agents.items():
            self._try(loading(label), jobs, warm_answer, family, label)
            self.pending.discard((family, agent_name(label)))
        for label in found.first_agents:
            self._warm_agent(family, label, [agent_job(family, label)])

    def _warm_agent(self, family: str, label: str, jobs: Iterable[str]) -> None:
        if (family, label) not in self._loaded:
            self._try(loading(label), jobs, warm_agent, family, label)
            self._loaded.add((family, label))
            self.pending.discard((family, agent_name(label)))

    def _try(self, doing: Problem, jobs: Iterable[str], work: Callable[..., None], *args: str) -> None:
        """Wait until processes have compiled what is needed, if there are any; then load it."""
        self.doing = doing
        try:
            if self._lanes is not None:
                self._lanes.wait(jobs)
            if not self._stopped:
                work(*args)
        except Exception:
            log.exception("getting ready: %s failed", doing)


def agent_name(label: str) -> str:
    """The agent of a label, without options."""
    return label.partition(":")[0]


def loading(label: str) -> Problem:
    """What is being done while an agent is loaded."""
    return problem("loading_agent", agent=agent_name(label))


def warmed_agents() -> list[tuple[str, str]]:
    """The agents to load: family and label."""
    return [(name, label) for name, found in families().items() for label in WEB_LAYER.of(found).warmed]


# --- the first start


def is_first_start(family: str) -> bool:
    """Whether kernels of a family are missing that processes could compile."""
    found = WEB_LAYER.of(find_family(family))
    return bool(found.first_start) and not all(is_compiled(resolve_name(name)) for name in found.entries)


def plan_lanes(first: str) -> list[list[str]]:
    """The jobs of processes: what the first agents of a family need, then everything else.

    What is left of that family goes to the first process, which has compiled its rules; all else to the last.
    """
    lanes = [list(lane) for lane in WEB_LAYER.of(find_family(first)).first_start]
    begun = {job for lane in lanes for job in lane}
    agents = [item for item in warmed_agents() if agent_job(*item) not in begun]
    lanes[0] += [agent_job(family, label) for family, label in agents if family == first]
    lanes[-1] += [rules_job(family) for family in families() if family != first]
    lanes[-1] += [agent_job(family, label) for family, label in agents if family != first]
    return lanes


def rules_job(family: str) -> str:
    """The job of compiling what a game of a family needs."""
    return f"janshi.web.warmup:warm_rules {family}"


def agent_job(family: str, label: str) -> str:
    """The job of compiling what an agent needs."""
    return f"janshi.web.warmup:warm_agent {family} {label}"


# --- work


def first_rules(family: str) -> str:
    """The game of a family that is played unless another is chosen."""
    found = find_family(family)
    return f"{family}/{WEB_LAYER.of(found).preset or found.default}"


def warm_rules(family: str) -> None:
    """Play a game with the simplest players, and show it as the app does."""
    from janshi.web.choices import choices
    from janshi.web.live.play import Play, game_of
    from janshi.web.position import position

    play = Play(game_of(first_rules(family)), 1)
    position(play.table, None, open_hands=True)
    while not play.over:
        asked = play.table.asked
        for seat in asked:
            choices(play.table, seat)
        position(play.table, 0)
        play.take({seat: play.table.legal_actions(seat)[-1] for seat in asked})


def warm_answer(family: str, label: str) -> None:
    """Let an agent answer one decision."""
    warm_agent(family, label, explains=False)


def warm_agent(family: str, label: str, explains: bool = True) -> None:
    """Let an agent answer, and explain, one decision."""
    import numpy as np

    from janshi.agents.explain import Explains
    from janshi.agents.registry import make_agent
    from janshi.web.live.play import Play, game_of

    if not AGENTS[agent_name(label)].ready(family):
        return
    play = Play(game_of(first_rules(family)), 1)
    agent = make_agent(label, play.game)
    view = play.table.view(play.table.actor)
    agent.answer(view, 1)
    if explains and isinstance(agent, Explains):
        views = np.zeros(1, play.game.view_dtype)
        views[0] = view
        agent.explain(views)
    agent.close()
