"""What agents say, in a translatable form: patterns and their values, which the page puts into its own language."""

from __future__ import annotations

from collections.abc import Iterable

from typing_extensions import TypedDict

from janshi.agents.explain import Phrase


class PhraseText(TypedDict):
    """A text that can be translated: a pattern in English, with names of values in braces."""

    pattern: str
    values: dict[str, int | str | PhraseText]


def phrases_json(phrases: Iterable[Phrase]) -> list[PhraseText]:
    """Phrases as JSON: `{"pattern": "discard {tile}", "values": {"tile": "5m"}}`; values may be phrases themselves."""
    return [phrase_json(phrase) for phrase in phrases]


def phrase_json(phrase: Phrase) -> PhraseText:
    """One phrase as JSON."""
    values = {name: phrase_json(v) if isinstance(v, Phrase) else v for name, v in phrase.values.items()}
    return {"pattern": phrase.pattern, "values": values}
