"""How the tables of all rule sets read and check answers, with clear errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np


class ActionError(ValueError):
    """An action that does not exist, or is not legal now."""


class AsksPlayers(Protocol):
    """What reading answers needs to know about a table."""

    def is_legal(self, player: int, action: int) -> bool:
        """Whether a player is asked and may take this action."""

    def legal_names(self, player: int) -> list[str]:
        """Names of the legal actions."""


def read_answers(
    table: AsksPlayers, players: tuple[int, ...], answers: object, names: tuple[str, ...], parse: Callable[[str], int]
) -> list[int]:
    """The actions of the asked players in seat order; raises `ActionError` for what is missing, unknown or illegal.

    Answers are a mapping from player to action, or one action if one player is asked; actions are numbers or names.
    `names` are the names of all actions and `parse` finds an action by its name.
    """
    given = _by_player(players, answers)
    return [_checked(table, player, given[player], names, parse) for player in players]


def _by_player(players: tuple[int, ...], answers: object) -> Mapping[int, object]:
    if isinstance(answers, int | str | np.integer):
        if len(players) > 1:
            raise ActionError(f"players {players} are all asked: give a mapping from player to action")
        return {players[0]: answers}
    if not isinstance(answers, Mapping) or len(answers) != len(players) or not all(p in answers for p in players):
        given = sorted(answers) if isinstance(answers, Mapping) else answers
        raise ActionError(f"answers are needed from players {players}, got {given!r}")
    return answers


def _checked(
    table: AsksPlayers, player: int, action: object, names: tuple[str, ...], parse: Callable[[str], int]
) -> int:
    if isinstance(action, bool) or not isinstance(action, int | str | np.integer):
        raise ActionError(f"{action!r} is not an action: expected a number or a name such as {names[4]!r}")
    number = parse(action) if isinstance(action, str) else int(action)
    if not table.is_legal(player, number):
        name = names[number] if 0 <= number < len(names) else "no such action"
        legal = ", ".join(table.legal_names(player))
        raise ActionError(f"player {player} may not take action {number} ({name}) now; legal are: {legal}")
    return number
