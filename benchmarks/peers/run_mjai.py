"""Mortal's engine (Rust) as packed in `mjai`: games of four tsumogiri players.

A player gets the state and answers with an event as text. Choosing among all legal actions would take more
work in Python, so tsumogiri is the most this engine can reach.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from _work import Work, main


class Tsumogiri:
    """Discards what it draws, calls nothing."""

    engine_type = "mjai-log"

    def __init__(self, name: str) -> None:
        self.name = name
        self.player_ids: list[int] = []
        self.decisions = 0

    def set_player_ids(self, player_ids: list[int]) -> None:
        """Seats in each game."""
        self.player_ids = player_ids

    def react_batch(self, game_states: list[Any]) -> list[str]:
        """Answer for each game."""
        self.decisions += len(game_states)
        return [self._react(game) for game in game_states]

    def _react(self, game: Any) -> str:
        if not game.state.last_cans.can_discard:
            return '{"type":"none"}'
        tile, actor = game.state.last_self_tsumo(), self.player_ids[game.game_index]
        return f'{{"type":"dahai","actor":{actor},"pai":"{tile}","tsumogiri":true}}'

    def start_game(self, game_index: int) -> None:
        """Nothing to do."""

    def end_kyoku(self, game_index: int) -> None:
        """Nothing to do."""

    def end_game(self, game_index: int, scores: list[int]) -> None:
        """Nothing to do."""


def play(_: Any) -> Work:
    """One South game; units are decisions."""
    return Work(_game(), [])


def games(_: Any) -> Work:
    """One South game; units are games."""
    once = _game()
    return Work(lambda: min(1, once()), [])


def _game() -> Callable[[], int]:
    """A function that plays a South game and says how many decisions there were."""
    from mjai.mlibriichi.arena import Match

    match, seeds = Match(), itertools.count()

    def once() -> int:
        players = [Tsumogiri(str(seat)) for seat in range(4)]
        match.py_match(*players, seed_start=(next(seeds), 1))
        return sum(player.decisions for player in players)

    return once


if __name__ == "__main__":
    main("mjai", {"play": play, "games": games})
