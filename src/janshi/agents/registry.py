"""All agents by name, loaded on demand.

>>> from janshi.agents.registry import make_agent
>>> from janshi.rules.registry import make_game
>>> make_agent("greedy", make_game("riichi/tenhou")).name
'greedy'

A name may carry options, the keyword arguments of the agent's class: `search:most=5000`. Your own agent needs no
registration: name it by module and class, `my_agents.Bold`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module, resources
from pkgutil import resolve_name
from typing import Any, Final

from janshi.agents.base import Agent
from janshi.rules.game import Game
from janshi.rules.registry import families, find_family


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about an agent without loading it."""

    path: str
    """Module and class, `janshi.agents.basic:RandomAgent`."""
    families: tuple[str, ...]
    """The families of rules it plays; if empty, those that have a policy of its name."""
    idea: str
    paper: str = ""
    needs: str = ""
    """A required option, such as `file=`."""
    weights: str = ""
    """Weights from the package: `models/weights/<weights>-<family>.npz`, one file per family."""

    def ready(self, family: str) -> bool:
        """Whether it plays a family without options: nothing is required and its weights are installed."""
        if not self.plays(family) or self.needs:
            return False
        place = resources.files("janshi.models") / "weights" / f"{self.weights}-{family}.npz"
        return not self.weights or place.is_file()

    def plays(self, family: str) -> bool:
        """Whether it plays a family of rules at all."""
        if self.families:
            return family in self.families
        return bool(resolve_name(self.path).plays(find_family(family)))

    @property
    def played(self) -> tuple[str, ...]:
        """The installed families it plays."""
        return tuple(family for family in families() if self.plays(family))


AGENTS: Final[dict[str, Entry]] = {
    "random": Entry("janshi.agents.basic:RandomAgent", (), "a uniformly random legal action"),
    "tsumogiri": Entry("janshi.agents.basic:TsumogiriAgent", (), "discards what it drew; never wins, never calls"),
    "greedy": Entry("janshi.agents.basic:GreedyAgent", (), "least shanten, then most useful tiles; calls nothing"),
    "careful": Entry(
        "janshi.agents.careful:CarefulAgent",
        ("riichi",),
        "weighs what a hand may win against what a discard may cost; folds before threats, calls for cheap fast hands",
    ),
    "montecarlo": Entry(
        "janshi.agents.montecarlo.agent:MonteCarloAgent",
        ("riichi",),
        "simulates hands to their end against models of opponents; aims at the final rank",
        "Mizukami & Tsuruoka 2015",
    ),
    "mdp": Entry(
        "janshi.agents.mdp.agent:MDPAgent",
        ("riichi",),
        "solves Markov decision processes of the hand, over all hands within reach, from its end backwards",
        "Kurita & Hoki 2021",
    ),
    "one_player": Entry(
        "janshi.agents.one_player:OnePlayerAgent",
        ("riichi",),
        "discards and calls as experts who only try to win, by sums of learned weights; never folds",
        "Mizukami & Tsuruoka 2015",
    ),
    "apprentice": Entry(
        "janshi.agents.learned.apprentice:ApprenticeAgent",
        ("riichi",),
        "a network that learned from recorded games what experts do; its most probable action",
        weights="apprentice",
    ),
    "regular": Entry(
        "janshi.agents.learned.levels:RegularAgent",
        ("riichi",),
        "the apprentice, choosing among good moves as often as experts do",
        weights="apprentice",
    ),
    "casual": Entry(
        "janshi.agents.learned.levels:CasualAgent",
        ("riichi",),
        "the apprentice, noticing riichi but reading neither discards nor points; often the second-best move",
        weights="apprentice",
    ),
    "beginner": Entry(
        "janshi.agents.learned.levels:BeginnerAgent",
        ("riichi",),
        "the apprentice, looking only at its own hand: no dora, no defence, no eye on the points",
        weights="apprentice",
    ),
    "newcomer": Entry(
        "janshi.agents.learned.levels:NewcomerAgent",
        ("riichi",),
        "the apprentice, looking only at its own hand and often choosing a slower way to build it",
        weights="apprentice",
    ),
    "search": Entry(
        "janshi.agents.search.agent:SearchAgent",
        ("guobiao", "simplified"),
        "winning hands within reach, by the chances of their missing tiles and what they pay",
        "Li et al. 2022",
    ),
    "rvr": Entry(
        "janshi.agents.learned.rvr:RvrAgent",
        ("guobiao", "simplified"),
        "a network that learned by self-play with reward variance reduction; its most probable action",
        "Li et al. 2022",
        weights="rvr",
    ),
    "strategist": Entry(
        "janshi.agents.strategist.agent:StrategistAgent",
        ("simplified",),
        "weighs every option by what it brought in its own games, with the luck of draws removed",
        weights="strategist",
    ),
    "policy": Entry(
        "janshi.agents.learned.agent:LearnedAgent",
        ("guobiao", "simplified"),
        "any network that `janshi train` has exported: policy:file=weights.npz",
        needs="file=",
    ),
}
"""The agents in this package. `register` adds more."""


def register(name: str, entry: Entry) -> None:
    """Add an agent under a new name."""
    if name in AGENTS:
        raise ValueError(f"an agent called {name!r} is already registered")
    AGENTS[name] = entry


def agent_names(family: str | None = None) -> list[str]:
    """Names of the agents that play a family of rules without options, or of all agents."""
    return [name for name, entry in AGENTS.items() if family is None or entry.ready(family)]


def make_agent(label: str, game: Game) -> Agent:
    """Make an agent for a game by its name with options: `greedy`, `search:most=5000,called=0.5`."""
    loaded, options = read_label(label)
    agent = loaded(game, **options)
    agent._label = label  # type: ignore[attr-defined]
    return agent


def load_agent(name: str) -> type[Agent]:
    """The class of an agent, by registered name or by module and class, `my_agents.Bold`."""
    module, _, kind = AGENTS[name].path.partition(":") if name in AGENTS else name.rpartition(".")
    if not module:
        raise ValueError(
            f"no agent is called {name!r}; there are {', '.join(AGENTS)}; one of your own is named by module and class"
        )
    try:
        loaded = getattr(import_module(module), kind)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {name!r} cannot be loaded: {error}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Agent)):
        raise ValueError(f"{name!r} is not an agent: expected a subclass of janshi.agents.base.Agent")
    return loaded


def read_label(label: str) -> tuple[type[Agent], dict[str, Any]]:
    """The class and options of a label, without making the agent; raises `ValueError` if the label is invalid."""
    name, _, text = label.partition(":")
    loaded = load_agent(name)
    return loaded, _read_options(text, loaded, label)


def _read_options(text: str, kind: type[Agent], label: str) -> dict[str, Any]:
    """Options as the agent's constructor takes them, read by the type of the default.

    An option annotated `float | None` is an old name for another option: it is read as a number and not listed.
    """
    known = {n: p.default for n, p in list(inspect.signature(kind).parameters.items())[1:]}
    old = [n for n, p in inspect.signature(kind).parameters.items() if p.annotation in ("float | None", float | None)]
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in known:
            words = ", ".join(f"{n}={_shown(d)}" for n, d in known.items() if n not in old) or "none"
            raise ValueError(f"agent {label!r}: unknown option {part!r}; options are: {words}")
        default = 0.0 if key in old else known[key]
        options[key] = _read_value(value, default, f"agent {label!r}: option {key}")
    return options


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _read_value(text: str, default: object, place: str) -> Any:
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise ValueError(f"{place} must be yes or no, not {text!r}")
        return text == "yes"
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            raise ValueError(f"{place} must be a number, not {text!r}") from None
    return text
