"""The agents that people can play against, with options quick enough for a live table."""

from __future__ import annotations

from typing import Final

from janshi.agents.registry import AGENTS, load_agent, read_label
from janshi.web.cast import persona_of
from janshi.web.live.shapes import AgentText
from janshi.web.problems import Impossible
from janshi.web.ratings import agreement_of, standing_of

PLAYED_AS: Final = {"montecarlo": "montecarlo:rollouts=1000"}
"""Labels where the defaults are meant for matches."""
MOST: Final = {"seconds": 3.0, "rollouts": 100_000, "hands": 500_000, "most": 50_000}
"""The largest value of options that cost time or memory; `seconds` is an old name for budgets."""
MOST_ELSE: Final = 1000.0
LONGEST: Final = 120
"""Characters of a label."""
UNITS: Final = {
    "mdp": "rank",
    "montecarlo": "rank",
    "careful": "points",
    "one_player": "probability",
    "apprentice": "rank",
    "regular": "probability",
    "casual": "probability",
    "beginner": "probability",
    "newcomer": "probability",
    "strategist": "hand_points",
    "rvr": "probability",
    "rvr/guobiao": "hand_points",
    "policy": "probability",
}
"""The unit of an agent's losses, perhaps of one family of rules: `rank` (places), `points` or `hand_points`; or
`probability`: it only says how often it makes each choice."""
VALUES: Final = ("rank", "points", "hand_points")
"""Units of agents that say what a choice loses."""


def agents_of(family: str) -> list[AgentText]:
    """The agents of a family of rules, strongest first; those that were not measured come last."""
    found = [_describe(name, family) for name, entry in AGENTS.items() if entry.ready(family)]
    return sorted(found, key=lambda agent: -(agent["rating"]["value"] if agent["rating"] else 0.0))


def adviser_of(family: str) -> str:
    """Who gives hints unless another is asked: the strongest agent that says what choices lose, else that explains."""
    explain = [agent for agent in agents_of(family) if agent["explains"]]
    return next((agent["label"] for agent in explain if agent["unit"] in VALUES), explain[0]["label"])


def _describe(name: str, family: str) -> AgentText:
    entry, label = AGENTS[name], PLAYED_AS.get(name, name)
    persona, standing = persona_of(label), standing_of(label, family)
    return {
        "name": name,
        "label": label,
        "idea": entry.idea,
        "paper": entry.paper,
        "families": list(entry.played),
        "explains": hasattr(load_agent(name), "explain"),
        "unit": UNITS.get(f"{name}/{family}", UNITS.get(name)),
        "title": persona.title,
        "style": persona.style,
        "level": standing.level if standing else None,
        "rating": standing.rating.model_dump() if standing else None,  # type: ignore[typeddict-item]
        "ahead": standing.ahead if standing else None,
        "games": standing.games if standing else 0,
        "agreement": agreement_of(label),
    }


def check_label(label: str, family: str) -> None:
    """Refuse a label that is not an agent of the registry, or whose options are expensive or name files."""
    name, _, options = label.partition(":")
    ready = [known for known, entry in AGENTS.items() if entry.ready(family)]
    if len(label) > LONGEST or name not in ready:
        raise Impossible("agent_unknown", family=family, label=repr(label[:LONGEST]), names=", ".join(ready))
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key == "file":
            raise Impossible("agent_file_refused")
        try:
            number = abs(float(value))
        except ValueError:
            continue
        if not number <= MOST.get(key, MOST_ELSE):
            most = f"{MOST.get(key, MOST_ELSE):g}"
            raise Impossible("agent_option_too_large", label=repr(label), option=key, most=most)
    read_label(label)
