"""Who can review a game: agents that rate every choice, and the unit they use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from janshi.agents.registry import AGENTS
from janshi.web.families import reviews
from janshi.web.problems import Impossible
from janshi.web.review.shapes import ReviewerMenu, Unit

MOST_SECONDS: Final = 1.0
LEAST_SECONDS: Final = 0.01
USUAL: Final = "seconds=0.05"
"""Default time to think about a decision."""

_LABEL: Final = re.compile(r"([a-z_]{1,20})(?::seconds=(\d{1,2}(?:\.\d{1,4})?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reviewer:
    """How an agent's opinion is read."""

    families: tuple[str, ...]
    unit: Unit
    """The unit of a loss: `rank` (places of the final rank) or `points`. `probability`: the reviewer puts no
    value on choices and only says how often it makes them."""
    takes_seconds: bool = False
    everything: bool = True
    """Whether it also values calls and riichi; else only discards."""


REVIEWERS: Final = {
    "mdp": Reviewer(("riichi",), "rank", takes_seconds=True),
    "montecarlo": Reviewer(("riichi",), "rank", takes_seconds=True),
    "careful": Reviewer(("riichi",), "points", everything=False),
    "one_player": Reviewer(("riichi",), "probability", everything=False),
    "rvr": Reviewer(("guobiao",), "probability"),
}


def reviewer_of(label: str) -> Reviewer:
    """The reviewer of a checked label."""
    return REVIEWERS[label.partition(":")[0]]


def check_label(label: str, family: str) -> str:
    """The label of an agent that may review games of a family; anything else raises `Impossible`.

    Labels come from strangers, so only names in the table and a time to think are accepted.
    """
    review = reviews().get(family)
    label = label.strip() or (review.reviewer if review else "")
    match = _LABEL.fullmatch(label)
    name = match[1] if match else ""
    if review and name in review.silent:
        raise Impossible("reviewer_has_no_values", agent=name, others=_can(family))
    if match is None or name not in REVIEWERS or family not in REVIEWERS[name].families:
        raise Impossible("reviewer_unknown", family=family, label=repr(label[:40]), others=_can(family))
    if match[2] is not None and not REVIEWERS[name].takes_seconds:
        raise Impossible("reviewer_takes_no_time", agent=name)
    if match[2] is not None and not LEAST_SECONDS <= float(match[2]) <= MOST_SECONDS:
        least, most = str(LEAST_SECONDS), str(MOST_SECONDS)
        raise Impossible("reviewer_time_invalid", least=least, most=most, given=match[2])
    return label if match[2] is not None else usual_label(name)


def usual_label(name: str) -> str:
    """The label of a reviewer with its usual time to think."""
    return f"{name}:{USUAL}" if REVIEWERS[name].takes_seconds else name


def _can(family: str) -> str:
    return ", ".join(names_for(family)) or "nobody"


def names_for(family: str) -> list[str]:
    """Names of those who can review games of a family on this installation."""
    return [name for name, r in REVIEWERS.items() if family in r.families and AGENTS[name].ready(family)]


def menu() -> dict[str, ReviewerMenu]:
    """All reviewers, as the page offers them."""
    return {
        family: {
            "default": usual_label(review.reviewer),
            "silent": list(review.silent),
            "reviewers": [
                {
                    "name": name,
                    "label": usual_label(name),
                    "unit": REVIEWERS[name].unit,
                    "seconds": REVIEWERS[name].takes_seconds,
                    "everything": REVIEWERS[name].everything,
                    "idea": AGENTS[name].idea,
                }
                for name in names_for(family)
            ],
        }
        for family, review in reviews().items()
    }
