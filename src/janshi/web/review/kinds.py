"""What a decision was about, and how the action played differs from the agent's.

A decision has one kind, which depends on the action played and on the agent's best choice:

- `win`: one of them wins, or ends the hand by nine terminals;
- `call`: somebody's discard could be called, or one of them declares a kan;
- `riichi`: one of them declares riichi, or it is asked which tile to declare with;
- `fold`: somebody threatens (in riichi, or tenpai at least as likely as not), one of them discards the safest tile
  in hand (within `SAFE`), and other tiles in hand are more dangerous by `RISKY` or more;
- `discard`: everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from janshi.web.choices import plain

KINDS: Final = ("discard", "call", "riichi", "fold", "win")
THREAT: Final = 0.5
"""An opponent threatens if tenpai with at least this chance."""
SAFE: Final = 0.005
RISKY: Final = 0.02

_WINS: Final = ("tsumo", "ron", "nine_terminals")
_DISCARDS: Final = ("discard", "tsumogiri")
_CALLS: Final = ("chi", "pon", "kan")


def kind_of(
    played: Mapping[str, Any], best: Mapping[str, Any], reacting: bool, declaring: bool, safety: Mapping[str, float]
) -> str:
    """The kind of a decision; `safety` is the danger of every tile that may be discarded, empty without a threat."""
    done = (played["kind"], best["kind"])
    if any(kind in _WINS for kind in done):
        return "win"
    if reacting or "kan" in done:
        return "call"
    if "riichi" in done or declaring:
        return "riichi"
    folding = is_fold(played, safety) or is_fold(best, safety)
    return "fold" if folding and max(safety.values()) >= min(safety.values()) + RISKY else "discard"


def is_fold(choice: Mapping[str, Any], safety: Mapping[str, float]) -> bool:
    """Whether a choice discards one of the safest tiles in the face of a threat."""
    if not safety or choice["kind"] not in _DISCARDS:
        return False
    return bool(safety.get(choice["tile"], 1.0) <= min(safety.values()) + SAFE)


def tag_of(kind: str, played: Mapping[str, Any], best: Mapping[str, Any], safety: Mapping[str, float]) -> str:
    """How the action played differs from the agent's; empty if it does not.

    `push` and `fold` in the face of a threat, `silent` (no riichi) and `rash` (riichi), `pass` and `call`, `win` and
    `leave` (a win not taken), `keep <tile>`: the tile that the agent would have discarded was kept.
    """
    if played["action"] == best["action"]:
        return ""
    if kind == "fold":
        mine, theirs = is_fold(played, safety), is_fold(best, safety)
        return "" if mine == theirs else "fold" if mine else "push"
    if kind == "riichi" and "riichi" in (played["kind"], best["kind"]):
        return "rash" if played["kind"] == "riichi" else "silent"
    if kind == "call":
        mine, theirs = played["kind"] in _CALLS, best["kind"] in _CALLS
        return "" if mine == theirs else "call" if mine else "pass"
    if kind == "win":
        return "win" if played["kind"] in _WINS else "leave"
    return f"keep {plain(best['tile'])}" if best["kind"] in _DISCARDS and best["tile"] else ""
