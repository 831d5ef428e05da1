"""What the page needs to know about each family of rules: positions, actions, results, players and reviewers.

The views of all families are similar. The defaults work for any game whose states and views have the usual fields (see
`web/reader.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from janshi.rules.layer import Layer
from janshi.rules.registry import families
from janshi.web.review.shapes import DecisionKind
from janshi.web.tiles import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON

if TYPE_CHECKING:
    from janshi.core.hand import Hand
    from janshi.rules.game import Game
    from janshi.web.reader import PositionReader
    from janshi.web.review.shapes import FanReachText, ReachText, SituationText
    from janshi.web.review.threats import ThreatModels

Read = tuple[str, int, list[int], str | None]
"""An action: its kind, its tile, the player's tiles that it uses, and the kind of kan."""


Worth: TypeAlias = "Callable[[Any, list[int], Mapping[str, Any]], tuple[ReachText | None, FanReachText | None]]"
"""A function of a hand, the tiles seen and the position."""

LEVELS_OF_ONE_HAND: Final = (0.42, 0.53, 0.59, 0.63)
"""Levels of players in games of one hand, where luck brings all players closer together."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What the reasons of a choice are made from."""

    hand: type[Hand]
    """A hand of the family."""
    worth: Worth
    """What the wins in reach are worth: points and yaku in riichi, fan in Guobiao."""
    situation: Callable[[Mapping[str, Any]], SituationText] | None = None
    """What the scores ask of the player of a position, in games of several hands."""


@dataclass(frozen=True, slots=True)
class ReviewFamily:
    """How recorded games of a family are reviewed."""

    reviewer: str
    """The default reviewer."""
    formats: tuple[str, ...]
    """Formats of records that can be uploaded."""
    get_ready: Callable[[], None]
    """Loads or compiles what reading a record needs, so that limits can then be set."""
    reasons: Callable[[], Reasons]
    """What the reasons of a choice are made from."""
    calls: range = range(0)
    """Calls followed by a discard. A reviewer that does not consider one values it by the best discard after it."""
    silent: tuple[str, ...] = ()
    """Agents that cannot review because they do not value choices."""
    threats: Callable[[], ThreatModels] | None = None
    """Makes the models of what opponents may hold, if there are any."""
    luck: bool = False
    """Whether luck can be measured."""
    chances: str = ""
    """The agent that is asked how a hand may end after each choice, for reviewers that do not say so."""


class Traits(BaseModel):
    """Facts on which the page's words and figures depend. Its scripts ask for them, never for a family's name."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)

    terms: str = "guobiao"
    """The family in whose terms actions are named: `chi` and `pon` in riichi, chow and pung in Guobiao."""
    honba: bool = False
    """Whether honba and riichi sticks are counted."""
    tenpai_shown: bool = False
    """Whether an exhaustive draw shows who is tenpai."""
    rounds: bool = False
    """Whether the hands of a record are named by their rounds; otherwise they are numbered."""
    value: Literal["points", "fan"] = "fan"
    """What wins in reach are valued in: points and yaku, or fan, of which a win needs a minimum."""
    kinds: tuple[DecisionKind, ...] = ("discard", "call", "win")
    """The kinds of decisions by which mistakes are filtered."""
    least_chance: float = 0.04
    """The smallest difference between the chances of two choices that is a reason: less is an error of estimates."""
    yardstick: str = "greedy"
    """The player against whom measurements are shown first."""
    agreement: bool = False
    """Whether players' agreement with experts was measured in this family."""


@dataclass(frozen=True, slots=True)
class WebFamily:
    """A family of rules as the page sees it."""

    traits: Traits = field(default_factory=Traits)
    """Facts on which the page's words and figures depend."""

    melds: tuple[str, ...] = ("none", CHI, PON, OPEN_KAN, CONCEALED_KAN, ADDED_KAN)
    """What the numbers of `meld_type` mean."""
    kan_size: int = 4
    """Tiles of a kan."""
    hides_kans: bool = False
    """Whether opponents' concealed kans are face down."""
    reader: type[PositionReader] | None = None
    """Reads positions, if the default reader does not fit."""
    read_action: Callable[[Game, Any, int], Read] | None = None
    """Reads an action of the player of a view, if its name is not enough."""
    describe_result: Callable[[Any], dict[str, Any]] | None = None
    """How a finished hand ended, if the default does not fit: `kind`, `winners`, `changes` and more."""
    shown_seats: Callable[[Any], tuple[int, ...]] | None = None
    """Whose hands are shown at the end of a hand, if not only the winner's."""
    results: Mapping[str, str] = field(default_factory=dict)
    """The family's names of results, translated to those of riichi."""
    preset: str = ""
    """The preset played by default, if not the family's default."""
    warmed: tuple[str, ...] = ()
    """Agents to load when the app starts, in this order."""
    entries: tuple[str, ...] = ()
    """Kernels, as `module:name`. If one of them is not in the cache, this is a first start:"""
    first_start: tuple[tuple[str, ...], ...] = ()
    """then parallel processes do these jobs (see `web/first_start.py`)."""
    first_agents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Agents that can play once these jobs are done, in the order in which they become ready."""
    warmed_last: tuple[str, ...] = ()
    """Functions, as `module:name`, that load what reviews show besides values; called when the agents are loaded."""
    levels: tuple[float, ...] = LEVELS_OF_ONE_HAND
    """Chances to finish ahead of `greedy` at which the next level of players begins; the first has no lower end."""
    ladder: Callable[[], list[dict[str, Any]]] | None = None
    """Players measured against one another besides `data/measured.json`."""
    review: ReviewFamily | None = None
    """How recorded games are reviewed; None if they cannot be."""


WEB_LAYER: Final = Layer("web", WebFamily())


def reviews() -> dict[str, ReviewFamily]:
    """The families whose games can be reviewed, by name."""
    found = {name: WEB_LAYER.of(family).review for name, family in families().items()}
    return {name: review for name, review in found.items() if review is not None}


def family_of_format(format: str) -> str:
    """The name of the family whose records have a format."""
    return next(name for name, review in reviews().items() if format in review.formats)
