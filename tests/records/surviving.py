"""What the commands do with a record, for fuzz tests: a damaged file that is still read must not break them."""

from __future__ import annotations

from janshi.records.describe import game_title, hand_story, story_lines
from janshi.records.formats import format_names, get_format
from janshi.records.model import GameRecord, RecordError
from janshi.records.replay import replay_game
from janshi.rules.riichi.family import FAMILY as RIICHI


def use(record: GameRecord) -> None:
    """Replay, show and convert a record; what a writer accepts, its reader must read."""
    replay_game(record)
    assert game_title(record)
    for index in range(len(record.hands)):
        assert list(story_lines(hand_story(record, index)))
    for name in format_names(RIICHI, writable=True):
        try:
            text = get_format(name).write(record)
        except RecordError:
            continue
        get_format(name).read(text, f"written as {name}")
