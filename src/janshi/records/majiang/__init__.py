"""kobalab's JSON (牌譜, majiang-log): the logs of majiang-core and of the games of 電脳麻将.

`{"title", "player", "qijia", "log": [[event, …], …], "defen", "rank", "point"}`. An event is an object with one key:
`qipai` (the deal), `zimo`, `dapai`, `fulou`, `gang`, `gangzimo`, `kaigang` (an indicator is turned), `hule` or
`pingju`. Players of a hand are numbered from its dealer on (`l`); `player`, `defen` and `point` begin with the person
whose log it is, and `qijia` is the first dealer among them. Tiles are `m1`, `p0` (a red five) or `z7`; of a discard,
`_` marks the tile just drawn and `*` riichi; of a meld, `-`, `=` and `+` follow the called tile and say from whom.

Not in the format: rules (double yakuman show themselves), tile ids, the order of the deal, dice. Indicators are placed
where Tenhou turns them, sticks when their discard has passed. A log with hidden tiles is refused.
"""

from janshi.records.majiang.reader import looks_like, read

__all__ = ["looks_like", "read"]
