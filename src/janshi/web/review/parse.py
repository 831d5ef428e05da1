"""From a text to a record, without slow imports: most bad uploads are refused here."""

from __future__ import annotations

from typing import Any, Final

from janshi.records.model import RecordError
from janshi.web.review.content import check_depth

MOST_HANDS: Final = 100
"""A file with more hands is refused: one review is about one game or an evening of hands."""


def parse(text: str, format: str, source: str) -> Any:
    """The `GameRecord` of a riichi game, or the list of hands of a Guobiao text; raises readable `ValueError`s."""
    check_depth(text)
    if format == "botzone":
        from janshi.records.botzone import text as botzone_text

        return _bounded(botzone_text.read_all(text, source), source)
    if format == "botzone_log":
        from janshi.records.botzone import log as botzone

        return [botzone.read(text, source)]
    from janshi.records.formats import read_record

    record = read_record(text, source, format)
    _bounded(record.hands, source)
    return record


def _bounded(hands: list[Any], source: str) -> list[Any]:
    if not hands:
        raise RecordError(source, "", "has no hand in it")
    if len(hands) > MOST_HANDS:
        raise RecordError(source, "", f"has {len(hands)} hands; at most {MOST_HANDS} are reviewed at a time")
    return hands
