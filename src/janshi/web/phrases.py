"""What agents and errors say, for any language: patterns and what stands in them, which the page puts into its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from string import Formatter
from typing import Any

from janshi.agents.explain import Phrase


def phrases_told(phrases: Iterable[Phrase]) -> list[dict[str, Any]]:
    """Phrases as JSON: `{"pattern": "discard {tile}", "values": {"tile": "5m"}}`; values may be phrases themselves."""
    return [phrase_told(phrase) for phrase in phrases]


def phrase_told(phrase: Phrase) -> dict[str, Any]:
    """One phrase as JSON."""
    values = {name: phrase_told(v) if isinstance(v, Phrase) else v for name, v in phrase.values.items()}
    return {"pattern": phrase.pattern, "values": values}


# --- errors


class Worded(Exception):
    """An error in words for people: a phrase, or a text, which is a phrase without values."""

    def __init__(self, words: str | Phrase) -> None:
        super().__init__(str(words))
        self.phrase = words if isinstance(words, Phrase) else Phrase(words)


class Impossible(Worded, ValueError):
    """Something that cannot be, or cannot be done."""


def words_of(error: Exception, pattern: str) -> Phrase:
    """What an error says; the text of one that knows no phrases stands in a pattern, as its `{problem}`."""
    return error.phrase if isinstance(error, Worded) else Phrase(pattern, {"problem": str(error)})


# --- texts of those who know no phrases


def recognised(text: str, patterns: tuple[str, ...]) -> Phrase | None:
    """The phrase that a text in English is, if it follows one of some patterns: the first counts.

    >>> recognised("3 tiles 1m: too few", ("{n} tiles {tile}: {problem}", "too few")).values["problem"]
    Phrase(pattern='too few', values={})
    """
    for pattern in patterns:
        if found := _expression(pattern).fullmatch(text):
            values = found.groupdict()
            return Phrase(pattern, {name: recognised(value, patterns) or value for name, value in values.items()})
    return None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """What texts of a pattern look like."""
    parts = Formatter().parse(pattern)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, *_ in parts), re.S)
