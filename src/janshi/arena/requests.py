"""What a seat of a stored match's game is sent on Botzone, so that a bot's author can run the bot again."""

from __future__ import annotations

from janshi.arena.replay import played_game
from janshi.arena.store import MatchStore, StoreError
from janshi.protocols.botzone.io import History
from janshi.protocols.botzone.seat_input import history_of, write_input
from janshi.records.families.guobiao import hands_over
from janshi.rules.guobiao.family import FAMILY as GUOBIAO
from janshi.rules.registry import make_game


def seat_text(store: MatchStore, number: int, seat: int, form: str | None = None, request: int | None = None) -> str:
    """What a seat of a Guobiao game is sent on Botzone: its requests, or the input of its bot (`seat_input.FORMS`).

    A bot's faults include its input, so this is known even if the game's answers were not stored.
    """
    game = make_game(store.plan.rules)
    if game.family != GUOBIAO:
        raise StoreError(f"only Guobiao games have Botzone's requests, not {game.family.name}")
    if not 0 <= seat < game.players:
        raise StoreError(f"the seats are 0 to {game.players - 1}, not {seat}")
    return write_input(_history(store, number, seat, request), form or "requests", request)


def _history(store: MatchStore, number: int, seat: int, request: int | None) -> History:
    """The requests of a seat up to `request`: those stored with its faults, or from the whole game."""
    kept = _kept_input(store, number, seat)
    if request is not None and kept is not None and request <= len(kept.requests):
        return kept
    try:
        played = played_game(store, number)
    except StoreError:
        if kept is None:
            raise
        return kept
    hands = hands_over(played)
    if len(hands) > 1:
        raise StoreError(f"Botzone's games are single hands, but game {number} has {len(hands)}")
    return history_of(hands[0], seat)


def _kept_input(store: MatchStore, number: int, seat: int) -> History | None:
    """The longest input stored with a seat's faults."""
    results = store.read(counted=False)
    rows = [row for i in (results.game == number).nonzero()[0] for row in results.faults[i]]
    kept = [row for row in rows if row["seat"] == seat and "requests" in row]
    if not kept:
        return None
    longest = max(kept, key=lambda row: len(row["requests"]))
    return History(longest["requests"], longest["responses"])
