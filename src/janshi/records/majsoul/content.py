"""The wrappings of Mahjong Soul's records: JSON from the usual download tools, or the server's protobuf.

A record is a head (rules, accounts, result) and a list of messages `RecordNewRound`, `RecordDealTile`, … that
`janshi.records.majsoul.reader` plays. The list lies in a `GameDetailRecords`: until June 2021 in `records`, each a
wrapped message; since then in the `result` of `actions`, between inputs and other events that are of no interest here.

JSON: `{"head", "data"}`, where `data` is the list, a decoded `GameDetailRecords` (with or without its wrapper's name)
or bytes in base64 (any of the protobuf forms below); or the bare list. Elements are `{"name", "data"}`, with or without
`.lq.` in the name, or `{"name", fields…}`, or bytes in base64. Protobuf (`protobuf`): a `ResGameRecord`, a wrapped or a
bare `GameDetailRecords`.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final, NamedTuple

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import DecodeError

from janshi.records.majsoul.schema import MESSAGES, message
from janshi.records.model import RecordError

DETAILS: Final = "GameDetailRecords"
ONLY_ADDRESS: Final = "holds only the address of its details, expected the details themselves"
RESULT_ACTION: Final = 1
"""The type of an action whose result is a record."""
_LISTS: Final = ("data", "record", "records", "actions")


class Content(NamedTuple):
    """A record's messages."""

    head: Any
    """A `RecordGame`; None if the file has no head."""
    records: list[tuple[str, Any]]
    """Name and message."""


def from_text(text: str, source: str = "") -> Content:
    """The messages of a JSON file; raises `RecordError`."""
    try:
        return _from_json(json.loads(text), source)
    except json.JSONDecodeError as wrong:
        raise RecordError(source, f"line {wrong.lineno} column {wrong.colno}", f"not JSON: {wrong.msg}") from wrong
    except RecursionError as deep:
        raise RecordError(source, "", "is nested too deep for a game") from deep
    except RecordError:
        raise
    except ValueError as wrong:
        raise RecordError(source, "", "unreadable JSON: a number is too long") from wrong


def text_of_bytes(content: bytes) -> str:
    """A protobuf file as JSON, for places that keep texts only."""
    return json.dumps({"data": base64.b64encode(content).decode()})


def from_bytes(content: bytes, source: str = "") -> Content:
    """The messages of a protobuf file."""
    if _named(content) or _has_records(content):
        return Content(None, _unwrapped(content, source))
    response = _parsed("ResGameRecord", content, source)
    if response.data:
        return Content(response.head, _unwrapped(response.data, source))
    raise RecordError(source, "", ONLY_ADDRESS if response.data_url else "holds no records of a game")


# --- protobuf


def _parsed(name: str, content: bytes, source: str, place: str = "") -> Any:
    found = message(name)
    try:
        found.ParseFromString(content)
    except (DecodeError, RecursionError) as wrong:
        problem = f"is cut short or damaged: expected a whole message {name} of Mahjong Soul"
        raise RecordError(source, place, problem) from wrong
    return found


def _plain(name: str) -> str:
    """A message's name without its package."""
    return name.removeprefix(".").removeprefix("lq.")


def _named(content: bytes) -> bool:
    """Whether bytes are a wrapped `GameDetailRecords`."""
    wrapper = message("Wrapper")
    try:
        wrapper.ParseFromString(content)
    except DecodeError:
        return False
    return bool(_plain(wrapper.name) == DETAILS)


def _has_records(content: bytes) -> bool:
    """Whether bytes are a bare `GameDetailRecords`, and not another message that happens to be readable as one."""
    details = message(DETAILS)
    try:
        details.ParseFromString(content)
    except DecodeError:
        return False
    parts = [*details.records, *(action.result for action in details.actions if action.type == RESULT_ACTION)]
    return any(b"lq.Record" in part[:40] for part in parts[:1])


def _unwrapped(content: bytes, source: str) -> list[tuple[str, Any]]:
    """The messages of a `GameDetailRecords`, wrapped or not."""
    if _named(content):
        content = _parsed("Wrapper", content, source).data
    return _details(content, source)


def _details(content: bytes, source: str) -> list[tuple[str, Any]]:
    details = _parsed(DETAILS, content, source)
    wrapped = [*details.records, *(action.result for action in details.actions if action.type == RESULT_ACTION)]
    return [_record_of_bytes(part, number, source) for number, part in enumerate(wrapped) if part]


def _record_of_bytes(content: bytes, number: int, source: str) -> tuple[str, Any]:
    place = f"record {number + 1}"
    wrapper = _parsed("Wrapper", content, source, place)
    name = _checked(_plain(wrapper.name), place, source)
    return name, _parsed(name, wrapper.data, source, place)


def _checked(name: str, place: str, source: str) -> str:
    """The name of a message that is a record."""
    if name not in MESSAGES or not name.startswith("Record") or name == "RecordGame":
        raise RecordError(source, place, f"found {name!r:.60}, expected a record such as RecordDiscardTile")
    return name


# --- JSON


def _from_json(found: Any, source: str) -> Content:
    head = None
    if isinstance(found, dict) and "head" in found:
        head = _message_of(found["head"], "RecordGame", "head", source)
    if isinstance(found, dict) and isinstance(found.get("data"), str):
        content = from_bytes(_decoded(found["data"], "data", source), source)
        return Content(head or content.head, content.records)
    return Content(head, _records_of(found, source))


def _records_of(found: Any, source: str) -> list[tuple[str, Any]]:
    """The messages in some JSON: a list, details, or bytes."""
    if isinstance(found, list):
        return [_record_of(part, number, source) for number, part in enumerate(found) if not _is_input(part)]
    if isinstance(found, dict):
        for key in _LISTS:
            if found.get(key):
                return _records_of(found[key], source)
        if "data_url" in found or "dataUrl" in found:
            raise RecordError(source, "", ONLY_ADDRESS)
    raise RecordError(source, "", f"found {found!r:.60}, expected the records of a game")


def _is_input(part: Any) -> bool:
    """Whether an element is an action without a result: a player's input, or another event."""
    return isinstance(part, dict) and "name" not in part and not part.get("result")


def _record_of(part: Any, number: int, source: str) -> tuple[str, Any]:
    place = f"record {number + 1}"
    if isinstance(part, dict) and "result" in part and "name" not in part:
        part = part["result"]
    if isinstance(part, str):
        return _record_of_bytes(_decoded(part, place, source), number, source)
    if not isinstance(part, dict) or not isinstance(part.get("name"), str):
        raise RecordError(source, place, f"found {part!r:.60}, expected a record with its name")
    name = _checked(_plain(part["name"]), place, source)
    fields = part["data"] if "data" in part else {key: value for key, value in part.items() if key != "name"}
    if isinstance(fields, str):
        return name, _parsed(name, _decoded(fields, place, source), source, place)
    return name, _message_of(fields, name, place, source)


def _decoded(text: str, place: str, source: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as wrong:
        raise RecordError(source, place, f"found {text!r:.60}, expected base64") from wrong


def _message_of(fields: Any, name: str, place: str, source: str) -> Any:
    if not isinstance(fields, dict):
        raise RecordError(source, place, f"found {fields!r:.60}, expected the fields of {name}")
    try:
        return ParseDict(fields, message(name), ignore_unknown_fields=True)
    except (ParseError, TypeError, ValueError, AttributeError) as wrong:
        raise RecordError(source, place, f"{name} cannot be read: {str(wrong)[:120]}") from wrong
