"""A game of a stored match, replayed and written as a record that any viewer reads."""

from __future__ import annotations

from janshi.arena.contestants import is_bot, shown_name
from janshi.arena.lockstep import unpack_actions
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.units import Options, Player
from janshi.records.families import RECORDS_LAYER, ListedAnswers, PlayedGame
from janshi.rules.registry import make_game


def game_actions(store: MatchStore, number: int) -> list[int]:
    """All answers of a game: stored ones, or from replaying it, which is impossible with bots."""
    results = store.read(counted=False)
    rows = (results.game == number).nonzero()[0]
    kept = results.actions[rows[0]] if len(rows) else None
    if kept is not None:
        return unpack_actions(kept)
    plan = store.plan
    planned = plan.game(number)
    bots = [plan.contestants[who] for who in planned.seats if is_bot(plan.contestants[who])]
    if bots:
        raise StoreError(f"{store.path}: game {number} has a bot ({bots[0]}) and its answers were not kept (--records)")
    (played,) = Player(plan, Options(keep_actions=True)).play([number])
    if len(rows) and not (played.scores[0] == results.scores[rows[0]]).all():
        raise StoreError(f"{store.path}: game {number} ends differently when played again: its players have changed")
    packed = played.actions[0]
    assert packed is not None
    return unpack_actions(packed)


def game_text(store: MatchStore, number: int, form: str | None = None) -> str:
    """A game of a match as a record, in one of the formats that its family of rules has."""
    played = played_game(store, number)
    family = RECORDS_LAYER.of(played.game.family)
    formats, form = family.all_formats, form or family.default
    if form not in formats:
        raise StoreError(f"records of {played.game.family.name} games can be {', '.join(formats)}, not {form!r}")
    return formats[form].write(played)


def played_game(store: MatchStore, number: int) -> PlayedGame:
    """A game of a match with all its answers."""
    plan = store.plan
    planned, actions = plan.game(number), game_actions(store, number)
    names = [shown_name(plan.contestants[who]) for who in planned.seats]
    return PlayedGame(make_game(plan.rules), planned.seed, ListedAnswers(actions), names, str(planned.number))
