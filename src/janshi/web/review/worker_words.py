"""Why a worker did not do what it was asked, for any language: workers say it in English, and so it is kept.

What readers of records find wrong with a game follows none of the patterns and is told in English.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.explain import Phrase
from janshi.web.phrases import phrase_told, recognised

KNOWN: Final = (
    "this took too long: more than {seconds} s",
    "this took too long: nothing for {seconds} s",
    "this took too long to work out",
    "the worker was ended, perhaps because memory ran out",
    "the worker ended without an answer (code {code}); the record may be damaged",
    "the worker gave no answer",
    "the worker stopped early",
    "something went wrong inside Janshi; its log tells what",
    "reading it takes too much memory",
    "it is nested too deep to be a record",
    "it is damaged ({problem})",
    "luck is measured in riichi games only",
    "luck cannot be measured here: {problem}",
    "this installation cannot measure luck",
    "luck was not measured before this file was made",
    "the game could not be scored",
)


def not_reviewed(text: str) -> Phrase:
    """That a game was refused, and why."""
    return Phrase("this game cannot be reviewed: {problem}", {"problem": recognised(text, KNOWN) or text})


def worker_phrase(text: str) -> dict[str, Any] | None:
    """The phrase that a worker's text is, as JSON; None if it is not known."""
    phrase = recognised(text, KNOWN)
    return None if phrase is None else phrase_told(phrase)
