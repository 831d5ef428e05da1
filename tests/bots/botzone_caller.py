"""A small honest bot in plain Python, written from the protocol's description alone: plays and calls at random.

botzone_caller.py json|simple [keep]
"""

import json
import random
import sys

MARK = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class Caller:
    """Remembers its hand and what the players have drawn."""

    def __init__(self):
        self.me, self.hand, self.left, self.last = 0, [], [34 - 13] * 4, None

    def hear(self, line):
        """Take in a request; what may be answered besides PASS."""
        words = line.split()
        if words[0] == "0":
            self.me = int(words[1])
            self.random = random.Random(self.me)
            return []
        if words[0] == "1":
            self.hand = words[5:18]
            return []
        if words[0] == "2":
            self.hand.append(words[1])
            self.left[self.me] -= 1
            return [f"PLAY {tile}" for tile in self.hand]
        player, what, tiles = int(words[1]), words[2], words[3:]
        if what == "DRAW":
            self.left[player] -= 1
        elif what in ("PLAY", "PENG", "CHI"):
            return self.played(player, what, tiles)
        return []

    def played(self, player, what, tiles):
        if player == self.me:
            used = {"PLAY": [], "PENG": [self.last] * 2, "CHI": around(tiles[0])}[what]
            if what == "CHI":
                used.remove(self.last)
            for tile in [*used, tiles[-1]]:
                self.hand.remove(tile)
            self.last = tiles[-1]
            return []
        self.last = tiles[-1]
        if self.left[(player + 1) % 4] == 0:
            return []
        claims = [("PENG", [self.last] * 2)]
        if (player + 1) % 4 == self.me:
            claims += [(f"CHI {m}", [t for t in around(m) if t != self.last]) for m in middles(self.last)]
        return [f"{claim} {tile}" for claim, used in claims for tile in rest_of(self.hand, used)]

    def answer(self, line):
        choices = self.hear(line)
        if not choices or (not choices[0].startswith("PLAY") and self.random.random() < 0.3):
            return "PASS"
        return self.random.choice(choices)


def around(middle):
    return [middle[0] + str(int(middle[1]) + step) for step in (-1, 0, 1)]


def middles(tile):
    ranks = [int(tile[1]) + step for step in (-1, 0, 1)]
    return [tile[0] + str(rank) for rank in ranks if 2 <= rank <= 8] if tile[0] in "WBT" else []


def rest_of(hand, used):
    """The hand without the tiles used; nothing if they are not in it."""
    rest = list(hand)
    for tile in used:
        if tile not in rest:
            return []
        rest.remove(tile)
    return rest


def say(answer, form, keep):
    print(json.dumps({"response": answer, "debug": "", "data": "seen"}) if form == "json" else answer)
    if keep:
        print(MARK)
    sys.stdout.flush()


def main():
    form, keep, bot = sys.argv[1], "keep" in sys.argv, Caller()
    if form == "json":
        requests = json.loads(sys.stdin.readline())["requests"]
    else:
        requests = [sys.stdin.readline().strip() for _ in range(2 * int(sys.stdin.readline()) - 1)][::2]
    for request in requests[:-1]:
        bot.hear(request)
    bot.random = random.Random(len(requests))
    say(bot.answer(requests[-1]), form, keep)
    while keep:
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            say(bot.answer(json.loads(line) if form == "json" else line), form, keep)


main()
