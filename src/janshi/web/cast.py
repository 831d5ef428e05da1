"""The opponents as people meet them: a short name, and one sentence on how they play.

The page has both in its three languages (`who.AGENT` and `style.AGENT` in `static/js/words/opponents.js`) and draws a
portrait of each (`static/js/portraits.js`). An agent that is not listed keeps its own name and idea, and gets a
portrait made from its name.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from janshi.agents.registry import AGENTS


class Persona(NamedTuple):
    """An opponent as people meet it."""

    title: str
    style: str


CAST: Final = {
    "mdp": Persona("Rin", "Calculates each hand to its end, plays for the final rank and rarely deals in."),
    "apprentice": Persona("Aoi", "Learned from games of Tenhou's strongest room and plays as those players do."),
    "regular": Persona("Jun", "Sees the whole table and picks one of the good moves, not always the best."),
    "casual": Persona("Mio", "Notices riichi and calls but reads no discards, and often takes the second-best move."),
    "beginner": Persona("Sota", "Builds his own hand well, but overlooks dora, dangerous tiles and the points."),
    "newcomer": Persona("Hina", "Knows the rules, looks at her own tiles only and often takes the slow way."),
    "montecarlo": Persona("Haru", "Plays every hand out in her head hundreds of times, then decides."),
    "careful": Persona("Ken", "Solid: folds before threats, calls to win cheap hands quickly."),
    "one_player": Persona("Taiga", "Attacks with every hand, calls a lot and never folds."),
    "greedy": Persona("Yuki", "Takes the shortest way to a win: never calls, never folds, always riichi."),
    "tsumogiri": Persona("Tetsu", "Discards whatever he draws and never wins. For trying out the table."),
    "random": Persona("Koro", "Rolls a die for every move. For trying out the table."),
    "search": Persona("Wen", "Weighs every winning hand within reach by its chances and its fan."),
    "strategist": Persona("Lian", "Knows from her own games what each option brings, and what it costs if others win."),
    "rvr": Persona("Ming", "Learned by playing against itself, from nothing but wins and losses."),
}
"""By label, or by an agent's name alone."""


def persona_of(label: str) -> Persona:
    """The persona of an agent with its options."""
    name = label.partition(":")[0]
    found = CAST.get(label) or CAST.get(name)
    return found or Persona(name, AGENTS[name].idea if name in AGENTS else "")
