"""What agents say as JSON, which the page puts into its own language: patterns and what stands in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from janshi.agents.explain import Phrase


def phrases_told(phrases: Iterable[Phrase]) -> list[dict[str, Any]]:
    """Phrases as JSON: `{"pattern": "discard {tile}", "values": {"tile": "5m"}}`; values may be phrases themselves."""
    return [phrase_told(phrase) for phrase in phrases]


def phrase_told(phrase: Phrase) -> dict[str, Any]:
    """One phrase as JSON."""
    values = {name: phrase_told(v) if isinstance(v, Phrase) else v for name, v in phrase.values.items()}
    return {"pattern": phrase.pattern, "values": values}
