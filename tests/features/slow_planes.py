"""What planes must show of a state, gathered in the slow and obvious way."""

from __future__ import annotations

import numpy as np

NONE = -1


def padded(tiles, room):
    """Tiles, padded with -1."""
    return (list(tiles) + [NONE] * room)[:room]


def river_of(s, seat):
    return [int(tile) for tile in s.river[seat][: int(s.discards[seat])]]


def counted(tiles, cells):
    return np.bincount(list(tiles), minlength=cells)


def melds_by_type(s, seats, types, field, room):
    """A row of places for each seat: the field of melds of these types, else -1."""
    rows = []
    for seat in seats:
        row = [NONE] * room
        for i in range(int(s.melds[seat])):
            if int(s.meld_type[seat, i]) in types:
                row[i] = int(s[field][seat, i])
        rows.append(row)
    return np.ravel(rows)


def common(s, player, players, cells, copies, melds, discards, types):
    """What is the same in both games."""
    seats = [(player + i) % players for i in range(players)]
    others = seats[1:]
    chow, pong, kongs = types
    rivers = [river_of(s, seat) for seat in seats]
    hands = [counted(np.repeat(np.arange(len(s.hand[seat])), s.hand[seat]), cells) for seat in seats]
    facts = {
        "own hand": [hands[0]],
        "chow": melds_by_type(s, seats, chow, "meld_kind", melds),
        "called tile of a chow": melds_by_type(s, seats, chow, "meld_tile", melds),
        "pong": melds_by_type(s, seats, pong, "meld_kind", melds),
        "kong": melds_by_type(s, seats, kongs, "meld_kind", melds),
        "discard": np.ravel([padded(river, discards) for river in rivers]),
        "discards": [counted(river, cells) for river in rivers],
        "last discard": [river[-1] if river else NONE for river in rivers[1:]],
        "tile reacted to": [int(s.tile)],
        "drawn tile": [int(s.drawn) if int(s.actor) == player else NONE],
        "actor": (int(s.actor) - player) % players,
        "hand": hands[1:],
        "unseen": [np.minimum(unseen(s, player, seats, hands[0], cells, copies, chow), copies)],
    }
    return facts, seats, others


def unseen(s, player, seats, hand, cells, copies, chow):
    """Copies of each kind less all that the player sees: own hand, melds, discards that nobody called."""
    kinds = len(s.hand[player])
    left = np.array([copies] * kinds + [0] * (cells - kinds)) - hand
    for seat in seats:
        for i in range(int(s.melds[seat])):
            kind, type = int(s.meld_kind[seat, i]), int(s.meld_type[seat, i])
            if type in chow:
                left[kind : kind + 3] -= 1
            elif type == 4 and copies == 4:  # a concealed kong
                left[kind] -= copies if seat == player else 0
            else:
                left[kind] -= 3 if type == 2 else copies
        for i in range(int(s.discards[seat])):
            if not int(s.river_flags[seat, i]) & 1:
                left[int(s.river[seat, i])] -= 1
    if copies == 4 and int(s.phase) == 3 and int(s.actor) != player:  # a tile being added to a kong
        left[int(s.tile)] -= 1
    return np.maximum(left, 0)


def common_draws(tiles, first, player, players):
    """What each player would draw in turn, beginning with `player`."""
    rows = [[] for _ in range(players)]
    for turn, tile in enumerate(tiles):
        rows[(first + turn - player) % players].append(tile)
    return rows


def guobiao(s, player):
    facts, seats, others = common(s, player, 4, 36, 4, 4, 24, ((1,), (2,), (3, 5)))
    if s.own_walls:
        size = int(s.wall_size)
        walls = [s.wall[size * p : size * p + int(s.left[p])][::-1].tolist() for p in seats]
        walls = [[tile for tile in wall if tile < 34] for wall in walls]
    else:
        tiles = [int(tile) for tile in s.wall[: int(s.left[0])][::-1] if tile < 34]
        walls = common_draws(tiles, int(s.actor) + (0 if int(s.phase) == 3 else 1), player, 4)
    left = [int(s.left[p if s.own_walls else 0]) for p in seats]
    return facts | {
        "own concealed kong": melds_by_type(s, [player], (4,), "meld_kind", 4),
        "concealed kong": melds_by_type(s, others, (4,), "meld_kind", 4),
        "concealed kongs": [sum(int(t) == 4 for t in s.meld_type[p][: int(s.melds[p])]) for p in others],
        "prevalent wind": [27 + int(s.wind)],
        "seat wind": [27 + (player - int(s.dealer)) % 4],
        "tile is added to a kong": [int(int(s.phase) == 3)],
        "drawn after a kong": [int(s.after_kong) if int(s.actor) == player else 0],
        "tiles left": [min(n, 32) for n in left],
        "wall": np.ravel([padded(wall, 21) for wall in walls]),
        "walls": [counted(wall, 36) for wall in walls],
        "waits": [[int(s.waits[p]) >> kind & 1 for kind in range(36)] for p in seats],
    }


def simplified(s, player):
    facts, _, _ = common(s, player, 3, 18, 3, 3, 12, ((1,), (2,), (3,)))
    tiles = [int(tile) for tile in s.wall[: int(s.left)][::-1]]
    walls = common_draws(tiles, int(s.actor) + 1, player, 3)
    turn = int(s.phase) == 1
    return facts | {
        "own seat": player,
        "actor has called": [int(turn and int(s.moment) == 0)],
        "actor has laid a kong": [int(turn and int(s.moment) == 1)],
        "tiles left": [int(s.left)],
        "wall": np.ravel([padded(wall, 7) for wall in walls]),
        "walls": [counted(wall, 18) for wall in walls],
    }


FACTS = {"guobiao": guobiao, "simplified": simplified}
