"""Getting ready: kernels are loaded or compiled in the background when the app starts, family by family.

From the cache this takes seconds; the first start after an installation compiles, which takes minutes. Meanwhile
everything that needs no kernels works, and games wait.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, Final

from janshi.agents.families import AGENTS_LAYER
from janshi.agents.registry import AGENTS, load_agent
from janshi.arena.families import ARENA_LAYER
from janshi.records.families import RECORDS_LAYER
from janshi.rules.registry import families, find_family
from janshi.web.errors import Refused
from janshi.web.families import WEB_LAYER
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
"""Modules that are needed at some time and stand on kernels."""


def import_all() -> None:
    """Import everything that has kernels before threads start.

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
    """How far getting ready is. Its thread marks; everybody else reads."""

    def __init__(self) -> None:
        self.done: set[str] = set()
        self.doing: Problem | None = None
        self.since = time.monotonic()
        self.finished = False
        self._stopped = False

    def start(self, wanted: bool = True) -> None:
        """Begin in the background."""
        threading.Thread(target=self._warm, args=(wanted,), name="janshi-warm", daemon=True).start()

    def stop(self) -> None:
        """Do not begin anything more."""
        self._stopped = True

    async def wait(self, family: str) -> None:
        """Wait until a family can be played; `Refused`, readable, if that takes long."""
        until = time.monotonic() + PATIENCE
        while family not in self.done:
            if time.monotonic() > until:
                raise Refused(self.words(family), 503)
            await asyncio.sleep(0.05)

    def words(self, family: str) -> Problem:
        """What is being waited for, in words."""
        doing = self.doing or problem("loading_rules", family=family)
        return problem("getting_ready", doing=doing, seconds=int(time.monotonic() - self.since))

    def _warm(self, wanted: bool) -> None:
        for family in families():
            self._try(problem("loading_rules", family=family), warm_rules, family)
            self.done.add(family)
        for family in families() if wanted else ():
            for label in WEB_LAYER.of(find_family(family)).warmed:
                if not self._stopped:
                    doing = problem("loading_agent", agent=label.partition(":")[0])
                    self._try(doing, warm_agent, family, label)
        self.doing, self.finished = None, True

    def _try(self, doing: Problem, job: Any, *args: str) -> None:
        self.doing = doing
        try:
            job(*args)
        except Exception:
            log.exception("getting ready: %s failed", doing)


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


def warm_agent(family: str, label: str) -> None:
    """Let an agent answer, and explain, one decision."""
    import numpy as np

    from janshi.agents.explain import Explains
    from janshi.agents.registry import make_agent
    from janshi.web.live.play import Play, game_of

    if not AGENTS[label.partition(":")[0]].ready(family):
        return
    play = Play(game_of(first_rules(family)), 1)
    agent = make_agent(label, play.game)
    view = play.table.view(play.table.actor)
    agent.answer(view, 1)
    if isinstance(agent, Explains):
        views = np.zeros(1, play.game.view_dtype)
        views[0] = view
        agent.explain(views)
    agent.close()
