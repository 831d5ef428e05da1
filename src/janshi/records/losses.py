"""What each format of riichi games cannot hold; everything else survives every conversion.

`LOSSES` lists this for each format, and `without` removes it from a record. A conversion is right if the records
before and after it are equal once the losses of all formats on the way are removed; `make conformance` checks this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Final

from janshi.records.final_points import as_tenhou, known_points
from janshi.records.ids import without_ids
from janshi.records.mjlog.writer import VERSION, go_type
from janshi.records.model import GameRecord, HandRecord, Kind
from janshi.rules.riichi.yaku import URA_DORA


class Loss(StrEnum):
    """Something that a format has no place for."""

    COPIES = "which of the four copies a tile is (tile ids)"
    DEAL_ORDER = "the order in which a hand was dealt"
    DICE = "dice"
    SEED = "the seed of the walls"
    CONNECTIONS = "lost and restored connections"
    LIMIT_FU = "fu of mangan and above"
    EMPTY_URA = "whether ura-dora that gave nothing are listed (Tenhou does; they are put back)"
    SPELLING = "Tenhou's older spellings of names, ratings and scores, and the order of faulty riichi tags"
    OTHER_RULES = "rules other than Tenhou's, and final points by their uma (they become Tenhou's)"
    RULES_TEXT = "the text of the rules (one is made from the rules where there is none)"
    UNKNOWNS = (
        "that dice, level of the table or final points are unknown (dice become 0, the level the lowest), "
        "and that a game whose final scores are unknown is complete"
    )
    TITLE = "the title"
    SITE_ID = "the site's id of the game (Tenhou has it in the file's name)"


LOSSES: Final[dict[str, tuple[Loss, ...]]] = {
    "mjlog": (Loss.OTHER_RULES, Loss.RULES_TEXT, Loss.UNKNOWNS, Loss.TITLE, Loss.SITE_ID),
    "tenhou6": (
        *(Loss.COPIES, Loss.DEAL_ORDER, Loss.DICE, Loss.SEED, Loss.CONNECTIONS),
        *(Loss.LIMIT_FU, Loss.EMPTY_URA, Loss.SPELLING),
        *(Loss.OTHER_RULES, Loss.RULES_TEXT, Loss.UNKNOWNS),
    ),
    "mjai": (Loss.COPIES, Loss.CONNECTIONS, Loss.SPELLING),
}
"""What is lost when a record is written in a format.

mjai keeps the copies that a seed determines; tenhou6 keeps Mahjong Soul's rules beside Tenhou's.
"""


def without(record: GameRecord, losses: Iterable[Loss]) -> GameRecord:
    """A copy of a record without what is lost, and without a trace of the format and file it was read from."""
    record = replace(record, format="", source="", ref=record.site_id, exact_ids=True)
    record.extra = {key: value for key, value in record.extra.items() if not key.startswith("tenhou6")}
    for loss in sorted(set(losses), key=list(Loss).index):
        record = _REMOVERS[loss](record)
    return record


def lost_by(formats: Iterable[str]) -> set[Loss]:
    """What is lost on the way through some formats; one that is only read loses nothing more once it has been read."""
    return {loss for name in formats for loss in LOSSES.get(name, ())}


def _every_hand(change: Callable[[HandRecord], HandRecord]) -> Callable[[GameRecord], GameRecord]:
    return lambda record: replace(record, hands=[change(hand) for hand in record.hands])


def _without_connections(hand: HandRecord) -> HandRecord:
    extra = {key: value for key, value in hand.extra.items() if key not in ("before deal", "after result")}
    return replace(hand, events=[event for event in hand.events if event.kind < Kind.LEAVE], extra=extra)


def _without_limit_fu(hand: HandRecord) -> HandRecord:
    return replace(hand, wins=[replace(win, fu=None if win.limit else win.fu) for win in hand.wins])


def _without_empty_ura(hand: HandRecord) -> HandRecord:
    return replace(
        hand, wins=[replace(win, yaku=tuple(pair for pair in win.yaku if pair != (URA_DORA, 0))) for win in hand.wins]
    )


def _without_spelling(record: GameRecord) -> GameRecord:
    hands = [
        replace(hand, extra={key: value for key, value in hand.extra.items() if key == "shuffle"})
        for hand in record.hands
    ]
    return replace(record, hands=hands, extra={})


def _without_seed(record: GameRecord) -> GameRecord:
    hands = [
        replace(hand, extra={key: value for key, value in hand.extra.items() if key != "shuffle"})
        for hand in record.hands
    ]
    return replace(record, hands=hands, seed=None, seed_ref="")


def _with_unknowns(record: GameRecord) -> GameRecord:
    """What a format writes in place of what is unknown."""
    rules = replace(record.rules, level=record.rules.level or 0)
    rules.tenhou_type = go_type(rules)
    hands = [replace(hand, dice=hand.dice or (0, 0)) for hand in record.hands]
    return replace(
        record,
        hands=hands,
        rules=rules,
        final_points=known_points(record),
        complete=record.complete and record.final_scores is not None,
        version=record.version or VERSION,
    )


_REMOVERS: Final[dict[Loss, Callable[[GameRecord], GameRecord]]] = {
    Loss.COPIES: without_ids,
    Loss.DEAL_ORDER: _every_hand(lambda hand: replace(hand, deals=tuple(tuple(sorted(deal)) for deal in hand.deals))),
    Loss.DICE: _every_hand(lambda hand: replace(hand, dice=None)),
    Loss.SEED: _without_seed,
    Loss.CONNECTIONS: _every_hand(_without_connections),
    Loss.LIMIT_FU: _every_hand(_without_limit_fu),
    Loss.EMPTY_URA: _every_hand(_without_empty_ura),
    Loss.SPELLING: _without_spelling,
    Loss.OTHER_RULES: as_tenhou,
    Loss.RULES_TEXT: lambda record: replace(record, rules=replace(record.rules, text="")),
    Loss.UNKNOWNS: _with_unknowns,
    Loss.TITLE: lambda record: replace(record, title=()),
    Loss.SITE_ID: lambda record: replace(record, ref=""),
}
