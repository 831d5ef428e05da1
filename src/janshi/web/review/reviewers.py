"""Who can review a game: agents that rate every choice, and the unit they use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from janshi.agents.registry import AGENTS
from janshi.web.families import reviews
from janshi.web.problems import Impossible
from janshi.web.review.shapes import ReviewerMenu, Unit

LIMITS: Final = {"hands": (2_500.0, 250_000.0), "rollouts": (400.0, 40_000.0), "seconds": (0.01, 1.0)}
"""Smallest and largest budget, by the name of its option. `seconds` is an old name, which links may still have."""

_LABEL: Final = re.compile(r"([a-z_]{1,20})(?::([a-z]{1,8})=(\d{1,6}|0\.\d{1,4}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reviewer:
    """How an agent's opinion is read."""

    families: tuple[str, ...]
    unit: Unit
    """The unit of a loss: `rank` (places of the final rank), `points` or `hand_points` (of a hand of Guobiao).
    `probability`: the reviewer puts no value on choices and only says how often it makes them."""
    bad: float
    """A decision that loses this much is a bad one; without values, if it is made this much less often than the best.
    `docs/review.md` says how it was chosen."""
    budget: str | None = None
    """The option with its budget for a decision."""
    usual: int = 0
    """Default budget."""
    everything: bool = True
    """Whether it also values calls and riichi; else only discards."""


REVIEWERS: Final = {
    "apprentice": Reviewer(("riichi",), "rank", 0.01),
    "mdp": Reviewer(("riichi",), "rank", 0.02, budget="hands", usual=12_500),
    "montecarlo": Reviewer(("riichi",), "rank", 0.02, budget="rollouts", usual=2_000),
    "careful": Reviewer(("riichi",), "points", 200.0, everything=False),
    "one_player": Reviewer(("riichi",), "probability", 0.5, everything=False),
    "rvr": Reviewer(("guobiao",), "hand_points", 1.0),
}


def reviewer_of(label: str) -> Reviewer:
    """The reviewer of a checked label."""
    return REVIEWERS[label.partition(":")[0]]


def check_label(label: str, family: str) -> str:
    """The label of an agent that may review games of a family; anything else raises `Impossible`.

    Labels come from strangers, so only names in the table and a budget are accepted.
    """
    review = reviews().get(family)
    label = label.strip() or (review.reviewer if review else "")
    match = _LABEL.fullmatch(label)
    name = match[1] if match else ""
    if review and name in review.silent:
        raise Impossible("reviewer_has_no_values", agent=name, others=_can(family))
    if match is None or name not in REVIEWERS or family not in REVIEWERS[name].families:
        raise Impossible("reviewer_unknown", family=family, label=repr(label[:40]), others=_can(family))
    if match[2] is None:
        return usual_label(name)
    _check_budget(name, match[2], match[3])
    return label


def _check_budget(name: str, option: str, given: str) -> None:
    budget = REVIEWERS[name].budget
    if budget is None or option not in (budget, "seconds"):
        raise Impossible("reviewer_option_unknown", agent=name, option=option)
    least, most = LIMITS[option]
    if not least <= float(given) <= most:
        raise Impossible("reviewer_budget_invalid", option=option, least=f"{least:g}", most=f"{most:g}", given=given)


def usual_label(name: str) -> str:
    """The label of a reviewer with its usual budget."""
    reviewer = REVIEWERS[name]
    return f"{name}:{reviewer.budget}={reviewer.usual}" if reviewer.budget else name


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
                    "budget": REVIEWERS[name].budget,
                    "everything": REVIEWERS[name].everything,
                    "idea": AGENTS[name].idea,
                }
                for name in names_for(family)
            ],
        }
        for family, review in reviews().items()
    }
