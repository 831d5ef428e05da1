"""Damaged records: every reader gives a record or a `RecordError`, never another exception.

What an mjlog still tells after the damage is written and read again without loss.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from played import played_game

from effort import effort
from janshi.records import formats, mjlog
from janshi.records.model import GameRecord, RecordError

MUTATIONS = effort(250, 2000)
"""For every format."""
INTERESTING = (*b'0 -1 nan " < > [ { ,, \x00 \xff'.split(), b"9" * 30, "麻".encode())

Mutation = Callable[[random.Random, bytes], bytes]


def flip_bits(chance: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def delete(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.randint(1, 60) :]


def duplicate(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    end = start + chance.randint(1, 400)
    return content[:end] + content[start:end] + content[end:]


def truncate(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] if chance.random() < 0.7 else content[start:]


def insert(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + chance.choice(INTERESTING) + content[start:]


def change_number(chance: random.Random, content: bytes) -> bytes:
    numbers = list(re.finditer(rb"-?\d+", content[:200_000]))
    if not numbers:
        return content
    number = chance.choice(numbers)
    other = chance.choice((*INTERESTING, str(chance.randint(-2, 140)).encode(), str(chance.getrandbits(16)).encode()))
    return content[: number.start()] + other + content[number.end() :]


def swap_parts(chance: random.Random, content: bytes) -> bytes:
    """Exchange two tags, lines or items."""
    parts = re.split(rb"(?<=[>\n,])", content)
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]
    return b"".join(parts)


def swap_neighbours(chance: random.Random, content: bytes) -> bytes:
    parts = re.split(rb"(?<=[>\n,])", content)
    i = chance.randrange(len(parts))
    parts[i : i + 2] = parts[i : i + 2][::-1]
    return b"".join(parts)


ALL: tuple[Mutation, ...] = (
    *(flip_bits, delete, duplicate, truncate, insert, change_number, swap_parts, swap_neighbours),
)


def read(content: bytes) -> GameRecord | RecordError:
    try:
        result: GameRecord | RecordError = formats.read_record(content, "damaged")
    except RecordError as error:
        result = error
    if isinstance(result, RecordError):
        assert str(result).startswith("damaged: ")
    elif result.format == "mjlog":
        assert mjlog.read(mjlog.write(result), "damaged") == result
    return result


def damage_all(contents: list[bytes], seed: int, count: int = MUTATIONS) -> int:
    """Read damaged contents; how many were refused."""
    chance = random.Random(seed)
    refused = 0
    for i in range(count):
        content = chance.choice(contents)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            content = chance.choice(ALL)(chance, content) or b"<"
        try:
            refused += isinstance(read(content), RecordError)
        except Exception as wrong:
            pytest.fail(f"mutation {i} of seed {seed}: {type(wrong).__name__}: {wrong}")
    return refused


def test_damaged_mjlogs(mjlog_fixtures):
    contents = [content for _, content in mjlog_fixtures if len(content) > 10_000]
    assert damage_all(contents, seed=1, count=3 * MUTATIONS) > 2 * MUTATIONS


def test_damaged_mjlogs_that_are_packed(mjlog_fixtures):
    contents = [gzip.compress(content) for _, content in mjlog_fixtures[:20]]
    assert damage_all(contents, seed=2) > 0.9 * MUTATIONS


@pytest.mark.parametrize(
    ("format", "pattern"),
    [("tenhou6", "*/*.json"), ("mjai", "*/*.mjson"), ("mjai", "smly-RiichiEnv/*.jsonl")],
)
def test_damaged_files_of_other_formats(shared: Path, format: str, pattern: str):
    contents = [path.read_bytes() for path in sorted((shared / "fixtures").glob(pattern))]
    contents = [content for content in contents if formats.detect(formats.decode(content)) == format]
    if not contents:
        pytest.skip(f"needs fixtures {pattern}")
    assert damage_all(contents, seed=3) > 0


@pytest.mark.parametrize("part", [b"<", b"[", b'{"type":', b" ", b'<a b="'])
def test_a_million_repetitions(part: bytes):
    """Anything but work in proportion to the length would never end."""
    assert isinstance(read(b"<INIT " * (part == b" ") + part * 1_000_000), RecordError)


def change_tags(chance: random.Random, tags: list[str]) -> list[str]:
    """Delete, double, exchange or renumber one to three tags behind the header."""
    tags = tags.copy()
    for _ in range(chance.randint(1, 3)):
        i, kind = chance.randrange(5, len(tags) - 2), chance.randrange(4)
        if kind == 0:
            del tags[i]
        elif kind == 1:
            tags.insert(i, tags[i])
        elif kind == 2:
            tags[i : i + 2] = tags[i : i + 2][::-1]
        else:
            tags[i] = re.sub(r"\d+", lambda found: str(chance.choice((found[0], chance.randrange(136)))), tags[i])
    return tags


@pytest.mark.parametrize("format", ["tenhou6", "mjai"])
def test_what_is_converted_from_a_damaged_mjlog_can_be_read(format: str):
    """A record that our reader takes is refused by a writer, or written as a file that its own reader takes."""
    chance, module = random.Random(19), formats.get_format(format)
    tags = re.findall("<[^<>]*>", mjlog.write(played_game(5)))
    read = 0
    for _ in range(MUTATIONS):
        try:
            text = module.write(mjlog.read("".join(change_tags(chance, tags))))
        except RecordError:
            continue
        assert module.read(text).hands
        read += 1
    assert read
