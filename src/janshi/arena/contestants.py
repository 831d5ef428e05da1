"""The players that a match can name: agents of the registry, and bots behind a protocol.

    greedy   careful   search:most=5000       agents, played in this process, many tables at once
    my_agents.Bold                            your own agent: module and class
    mjai:COMMAND                              an mjai bot started as a subprocess
    mjai-tcp:PORT                             an mjai bot that connects to us
    botzone:COMMAND                           a Botzone bot started as a subprocess
    majiang                                   kobalab's majiang-ai (needs Node)

Options of a bot go between its kind and the colon: `mjai,name=bold,seconds=5,reply=asked:python bot.py`. The option
`name` is what tables, reports and records call the bot in place of its label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from janshi.agents.base import Agent
from janshi.agents.registry import AGENTS, make_agent
from janshi.rules.game import Game
from janshi.rules.guobiao.family import FAMILY as GUOBIAO
from janshi.rules.riichi.family import FAMILY as RIICHI

BOT_KINDS: Final = {"mjai": RIICHI, "mjai-tcp": RIICHI, "majiang": RIICHI, "botzone": GUOBIAO}
"""Kinds of bots and the family of rules each plays."""


@dataclass(frozen=True, slots=True)
class BotLabel:
    """A bot's label, read."""

    kind: str
    options: dict[str, str]
    """All but the name."""
    target: str
    name: str | None = None
    """What to call the bot."""


def is_bot(label: str) -> bool:
    """Whether a label names a bot behind a protocol rather than an agent."""
    return label.partition(":")[0].partition(",")[0] in BOT_KINDS


def read_bot_label(label: str) -> BotLabel:
    """Read a bot's label."""
    head, _, target = label.partition(":")
    kind, *parts = head.split(",")
    options = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"player {label!r}: {part!r} is not an option; options are written key=value")
        options[key] = value
    name = options.pop("name", None)
    if name is not None and not name.strip():
        raise ValueError(f"player {label!r}: the name is empty")
    return BotLabel(kind, options, target, name)


def shown_name(label: str) -> str:
    """What to call a contestant: a bot's name if it has one, else the label.

    >>> shown_name("mjai,name=bold,seconds=5:python bot.py --style bold"), shown_name("greedy")
    ('bold', 'greedy')
    """
    return (read_bot_label(label).name if is_bot(label) else None) or label


def check_names(labels: Sequence[str]) -> None:
    """Raise `ValueError` if a bot has the name of another contestant."""
    by_name: dict[str, str] = {}
    for label in labels:
        other = by_name.setdefault(shown_name(label), label)
        if other != label:
            raise ValueError(f"players {other!r} and {label!r} have the same name, {shown_name(label)!r}")


def check_label(label: str, game: Game, start: bool = False) -> None:
    """Raise `ValueError` if a label is not a player of this game; with `start`, if its program cannot be started."""
    family = game.family.name
    if is_bot(label):
        bot = read_bot_label(label)
        played = BOT_KINDS[bot.kind]
        if played != game.family:
            raise ValueError(f"player {label!r}: {bot.kind} bots play {played.name}, not {family}")
        made = make_bot(label)
        if start:
            made.check_start()
        made.close()
        return
    name = label.partition(":")[0]
    if name not in AGENTS and "." not in name:
        known = ", ".join(n for n, entry in AGENTS.items() if entry.plays(family))
        raise ValueError(
            f"no player is called {name!r}; agents for {family} are {known}; bots are {', '.join(BOT_KINDS)}"
        )
    make_agent(label, game).close()


def version_of(label: str, game: Game) -> str:
    """The version of a contestant; that of a bot is unknown."""
    return "" if is_bot(label) else make_agent(label, game).version


def is_slow(label: str, game: Game) -> bool:
    """Whether a contestant takes time to think: bots, and agents that declare it."""
    return is_bot(label) or make_agent(label, game).seconds is not None


def make_agents(labels: tuple[str, ...], game: Game) -> list[Agent]:
    """The agents of labels, none of which may be a bot."""
    return [make_agent(label, game) for label in labels]


def make_bot(label: str) -> Any:
    """A bot by its label, not yet started."""
    from janshi.protocols.registry import make_bot as make

    bot = read_bot_label(label)
    return make(bot.kind, bot.target, bot.options, label)
