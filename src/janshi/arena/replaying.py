"""A game of a stored match, played again and written as a record that any viewer reads."""

from __future__ import annotations

from typing import Final

from janshi.arena.contestants import is_bot
from janshi.arena.lockstep import unpack_actions
from janshi.arena.plan import Planned
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.units import Options, Player
from janshi.rules.registry import find_family, make_game

FORMATS: Final = {"riichi": ("mjai", "tenhou6", "mjlog"), "guobiao": ("botzone",), "simplified": ("text",)}
"""Formats a record of each family of rules can have, the usual one first."""


def game_actions(store: MatchStore, number: int) -> list[int]:
    """All answers of a game: as they were kept, or from playing it again, which bots cannot."""
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
    """A game of a match as a record in one of the `FORMATS` of its rules."""
    plan = store.plan
    family = find_family(plan.rules).name
    form = form or FORMATS[family][0]
    if form not in FORMATS[family]:
        raise StoreError(f"records of {family} games can be {', '.join(FORMATS[family])}, not {form!r}")
    planned, actions = plan.game(number), game_actions(store, number)
    names = [plan.contestants[who] for who in planned.seats]
    return _WRITERS[family](plan.rules, planned, actions, names, form)


def _riichi(rules: str, planned: Planned, actions: list[int], names: list[str], form: str) -> str:
    from janshi.records.mjai import writer as mjai_write
    from janshi.records.mjlog import writer as mjlog_write
    from janshi.records.recording import record_game
    from janshi.records.tenhou6 import writer as tenhou6_write

    record = record_game(make_game(rules).rules, planned.seed, actions, names)
    writers = {"mjai": mjai_write.write, "tenhou6": tenhou6_write.write, "mjlog": mjlog_write.write}
    return writers[form](record)


def _guobiao(rules: str, planned: Planned, actions: list[int], names: list[str], form: str) -> str:
    from janshi.records.botzone.model import HandRecord
    from janshi.records.botzone.replay import Recorder
    from janshi.records.botzone.text import write_all
    from janshi.rules.guobiao.table import Table

    table, at = Table(planned.seed, make_game(rules).rules), 0
    recorder = Recorder(table)
    hands: list[HandRecord] = []
    while not table.over:
        asked = table.asked
        if asked:
            recorder.step(dict(zip(asked, actions[at : at + len(asked)])))
            at += len(asked)
            continue
        hands.append(recorder.record(f"{planned.number}-{len(hands)}"))
        table.step()
        if not table.over:
            recorder = Recorder(table)
    return write_all(hands)


def _simplified(rules: str, planned: Planned, actions: list[int], names: list[str], form: str) -> str:
    from janshi.rules.simplified.table import Table

    game = make_game(rules)
    table, at = Table(planned.seed, game.rules), 0
    lines = [f"players: {', '.join(names)}", str(table)]
    while not table.over:
        asked = table.asked
        chosen = dict(zip(asked, actions[at : at + len(asked)]))
        lines += [f"{player} {game.action_names[action]}" for player, action in chosen.items()]
        table.step(chosen)
        at += len(asked)
    return "\n".join([*lines, f"scores: {table.scores}"]) + "\n"


_WRITERS: Final = {"riichi": _riichi, "guobiao": _guobiao, "simplified": _simplified}
