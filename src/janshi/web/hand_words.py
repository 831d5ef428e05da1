"""Why a hand cannot be read or scored, for any language: the hands of `core` and `rules` say it in English only.

What follows none of the patterns is told in English, within a sentence that every language has.
"""

from __future__ import annotations

from typing import Final

from janshi.agents.explain import Phrase
from janshi.web.phrases import recognised

KNOWN: Final = (
    # tiles and melds that cannot be read
    "cannot read the tiles {text} at position {place}, {letter}: {problem}",
    "expected digits before the suit letter",
    "expected a digit or one of the suit letters m, p, s, z",
    "expected a digit, a suit letter or a Unicode tile",
    "honours are 1z to 7z",
    "the tiles {text} end after {digit} at position {place}: expected m, p, s or z",
    "{text} is {count} tiles: expected one",
    "cannot read the meld {text}: expected a form such as (345m), [1111m] or chi 345m",
    "cannot read the meld {text}: an added kan is written like (555+0p)",
    "cannot read the meld {text}: {problem}",
    "a {kind} has {wanted} tiles, {tiles} has {count}",
    "{tiles} is no chi: expected three in a row of one suit",
    "{tiles} is no {kind}: expected one kind of tile",
    "chi",
    "pon",
    "open kan",
    "concealed kan",
    "added kan",
    # hands that cannot be
    "{melds} melds: a hand has at most {most}",
    "{tiles} concealed tiles with {melds} melds: expected {fewer} or {more}",
    "an impossible hand, {hand}: {problem}",
    "this hand and the tiles seen cannot be: {problem}",
    "{count} red fives {tile}: there is only one",
    "{count} tiles {tile}: there are only {most} of a kind",
    "{hand} holds a red five: Chinese standard mahjong has none",
    # hands that do not win
    "{hand} has {count} tiles: name the winning tile that completes it",
    "the winning tile {tile} is not among the concealed tiles of {hand}",
    "{hand} is complete but has no yaku, so it cannot win",
    "{hand} is not complete: no four sets and a pair, seven pairs or thirteen orphans",
    "{hand} is not complete in any of the five shapes",
    # circumstances of riichi
    "ippatsu needs riichi",
    "rinshan is a win by self-draw",
    "chankan is a win by ron",
    "the tile drawn after a kan is not the last tile of the wall",
    "the tile of a robbed kan is not the last discard",
    "a kan ends ippatsu",
    "a win on the first turn (blessing) is a win by self-draw",
    "nothing comes before a win on the first turn",
    "riichi needs a closed hand",
    "ura-dora indicators are turned for a riichi only",
    "rinshan needs a kan among the melds",
    "a win on the first turn has no melds",
    "the tile of a robbed kan is the only one of its kind in the hand",
    # circumstances of Guobiao
    "the replacement tile of a kong is self-drawn",
    "a robbed kong is another player's: not self-drawn",
    "a replacement tile needs a kong among the melds",
    "the last tile of its kind is the only one among the concealed tiles",
    "the tile of a robbed kong is the only one of its kind in the hand",
)


def hand_words(text: str) -> Phrase:
    """What is wrong with a hand."""
    return recognised(text, KNOWN) or Phrase("this hand cannot be read: {problem}", {"problem": text})
