"""What riichi allows, slow and obvious: plain Python written from the rules, to compare the engine with.

A `Witness` sits at a `Table` and is told every answer. It reads only what lies on the table (hands, melds, rivers,
tiles left, scores) and remembers the rest itself: who passed what, who declared riichi, whose turn it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from janshi.core.melds import PON, Meld
from janshi.core.tiles import format_tiles
from janshi.rules.riichi.hand import Hand, NoYakuError
from janshi.rules.riichi.ruleset import RiichiKan
from janshi.rules.riichi.table import Table

KINDS = range(34)
HONOURS = range(27, 34)
WINDS = range(27, 31)
ORPHANS = [kind for kind in KINDS if kind in HONOURS or kind % 9 in (0, 8)]
SEATS = range(4)
CHI_PLACES = ("low", "middle", "high")

FIVES, RED_FIVES = (4, 13, 22), (34, 35, 36)
NAMES = [format_tiles([tile]) for tile in range(37)]

Counts = tuple[int, ...]


def kind_of(tile: int) -> int:
    return tile if tile < 34 else FIVES[tile - 34]


def red_of(kind: int) -> int | None:
    return RED_FIVES[FIVES.index(kind)] if kind in FIVES else None


# --- shapes, by hand


@cache
def splits(suit: Counts, honours: bool) -> bool:
    """Whether the tiles of one suit are all in sets: take the lowest tile, as a triplet or as the start of a run."""
    if not any(suit):
        return True
    low = next(rank for rank, count in enumerate(suit) if count)
    triplet = suit[low] >= 3 and splits(less(suit, low, low, low), honours)
    if triplet or honours or low > 6 or not suit[low + 1] or not suit[low + 2]:
        return triplet
    return splits(less(suit, low, low + 1, low + 2), honours)


@cache
def splits_with_pair(suit: Counts, honours: bool) -> bool:
    """Whether the tiles of one suit are a pair and sets."""
    return any(count >= 2 and splits(less(suit, rank, rank), honours) for rank, count in enumerate(suit))


def less(counts: Counts, *ranks: int) -> Counts:
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
    return tuple(left)


def suits(counts: Counts) -> list[tuple[Counts, bool]]:
    return [(counts[0:9], False), (counts[9:18], False), (counts[18:27], False), (counts[27:34], True)]


@cache
def is_complete(counts: Counts, melds: int) -> bool:
    """Whether 14 - 3n concealed tiles are sets and a pair, seven pairs or thirteen orphans."""
    if melds == 0:
        if sorted(counts)[-7:] == [2] * 7:
            return True
        if all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14:
            return True
    incomplete = [suit for suit in suits(counts) if not splits(*suit)]
    return len(incomplete) == 1 and splits_with_pair(*incomplete[0])


@cache
def waits(counts: Counts, melds: int) -> frozenset[int]:
    """Kinds that complete 13 - 3n concealed tiles; four in the concealed hand itself are no wait."""
    ragged = sum(not splits(*suit) for suit in suits(counts))
    odd = melds > 0 or (len([c for c in counts if c >= 2]) < 6 and sum(counts[k] > 0 for k in ORPHANS) < 12)
    if ragged > 2 and odd:
        return frozenset()  # a tile mends one suit, and only one may keep a pair
    return frozenset(k for k in KINDS if counts[k] < 4 and is_complete(more(counts, k), melds))


def more(counts: Counts, kind: int) -> Counts:
    grown = list(counts)
    grown[kind] += 1
    return tuple(grown)


def concealed_counts(table: Table, player: int) -> Counts:
    return tuple(table.state["hand"][player].tolist())


def concealed_tiles(table: Table, player: int) -> list[int]:
    """A player's concealed tiles, red fives as tiles of their own."""
    counts, reds = concealed_counts(table, player), int(table.state["reds"][player])
    tiles = [kind for kind in KINDS for _ in range(counts[kind])]
    for suit in range(3):
        if reds >> suit & 1:
            tiles[tiles.index(FIVES[suit])] = RED_FIVES[suit]
    return tiles


# --- the witness


class Witness:
    """Follows one table: `asked()` says who must be asked and what each may do, `take()` gets the answers.

    `take` comes before `table.step` of the same answers, so that every expectation is there before the engine acts.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = table.rules
        self.new_hand()

    def new_hand(self) -> None:
        self.ended = False
        self.turn = self.table.dealer
        self.declaring = False  # riichi is said, the discard not yet made
        self.replacement = False  # the tile in hand was drawn after a kan
        self.tile: int | None = None  # the discard, or the tile of a kan, that others may react to
        self.kan = ""  # concealed or added, when that tile is a kan's
        self.reactions: dict[int, set[str]] = {}
        self.riichi: set[int] = set()
        self.missed: set[int] = set()  # a waited tile went by since their last turn
        self.missed_for_good: set[int] = set()  # the same, in riichi
        self._memo: dict[tuple[str, int], Any] = {}

    # --- what lies on the table

    def hand(self, player: int) -> list[int]:
        return list(self.recall("hand", player, concealed_tiles))

    def melds(self, player: int) -> list[Meld]:
        return self.recall("melds", player, Table.melds)

    def river(self, player: int) -> list[Any]:
        return self.recall("river", player, Table.river)

    def counts(self, player: int) -> Counts:
        return self.recall("counts", player, concealed_counts)

    def recall(self, what: str, player: int, read: Callable[[Table, int], Any]) -> Any:
        """Read a hand, melds or a river once a step."""
        if (what, player) not in self._memo:
            self._memo[what, player] = read(self.table, player)
        return self._memo[what, player]

    def waits(self, player: int) -> frozenset[int]:
        return waits(self.counts(player), len(self.melds(player)))

    def kans(self) -> list[int]:
        """How many kans each player has."""
        return [sum(meld.is_kan for meld in self.melds(player)) for player in SEATS]

    def first_turn(self, player: int) -> bool:
        return not self.river(player) and not any(self.melds(other) for other in SEATS)

    def furiten(self, player: int) -> bool:
        own = {kind_of(discard.tile) for discard in self.river(player)}
        return bool(own & self.waits(player)) or player in self.missed | self.missed_for_good

    # --- the question now asked

    def asked(self) -> dict[int, set[str]]:
        """Every player who must be asked now, with the names of what they may do."""
        if self.ended:
            return {}
        return {self.turn: self.turn_actions()} if self.tile is None else self.reactions

    def turn_actions(self) -> set[str]:
        player, drawn = self.turn, self.table.drawn
        if self.declaring:
            return self.riichi_discards(player)
        if drawn is None:
            return self.discards_after_call(player)
        names = {"tsumogiri"}
        if self.may_tsumo(player, drawn):
            names.add("tsumo")
        if player in self.riichi:
            return names | self.kans_in_riichi(player, drawn)
        names |= self.hand_discards(player) | self.own_kans(player)
        if self.may_riichi(player):
            names.add("riichi")
        orphans = sum(self.counts(player)[kind] > 0 for kind in ORPHANS)
        if self.rules.nine_terminals and orphans >= 9 and self.first_turn(player):
            names.add("nine terminals")
        return names

    def hand_discards(self, player: int) -> set[str]:
        """Discards from the hand: every tile but the one just drawn."""
        tiles = self.hand(player)
        if self.table.drawn is not None:
            tiles.remove(self.table.drawn)
        return {f"discard {NAMES[tile]}" for tile in tiles}

    def discards_after_call(self, player: int) -> set[str]:
        """Discards after chi and pon, less what the swap ban forbids."""
        meld = self.melds(player)[-1]
        assert meld.called is not None
        banned = self.swap_ban(kind_of(meld.called), sorted(kind_of(tile) for tile in meld.tiles))
        return {f"discard {NAMES[t]}" for t in self.hand(player) if kind_of(t) not in banned}

    def swap_ban(self, called: int, kinds: list[int]) -> set[int]:
        """The called kind, and the kind that would make the same run from the other two tiles."""
        if not self.rules.swap_ban:
            return set()
        banned = {called}
        held = [kind for kind in kinds if kind != called]
        if len(held) == 2 and held[1] == held[0] + 1:
            banned |= {k for k in (held[0] - 1, held[1] + 1) if k // 9 == called // 9 and 0 <= k < 27}
        return banned

    # --- riichi

    def may_riichi(self, player: int) -> bool:
        if any(meld.is_open for meld in self.melds(player)):
            return False
        if self.rules.riichi_needs_points and self.table.scores[player] < 1000:
            return False
        if self.table.tiles_left < (4 if self.rules.riichi_needs_draw else 1):
            return False
        return bool(self.riichi_discards(player))

    def riichi_discards(self, player: int) -> set[str]:
        """Discards that leave the hand tenpai."""
        counts, melds = self.counts(player), len(self.melds(player))
        good = {kind for kind in KINDS if counts[kind] and waits(less(counts, kind), melds)}
        names = set()
        for name in self.hand_discards(player):
            if kind_of(self.tile_named(player, name)) in good:
                names.add(name)
        assert self.table.drawn is not None
        return names | ({"tsumogiri"} if kind_of(self.table.drawn) in good else set())

    def tile_named(self, player: int, name: str) -> int:
        return next(t for t in self.hand(player) if name == f"discard {NAMES[t]}")

    # --- kans

    def may_kan(self) -> bool:
        return sum(self.kans()) < 4 and self.table.tiles_left > 0

    def own_kans(self, player: int) -> set[str]:
        if not self.may_kan():
            return set()
        counts = self.counts(player)
        concealed = {f"concealed kan {NAMES[kind]}" for kind in KINDS if counts[kind] == 4}
        pons = [meld.kind for meld in self.melds(player) if meld.type == PON]
        return concealed | {f"added kan {NAMES[kind]}" for kind in pons if counts[kind]}

    def kans_in_riichi(self, player: int, drawn: int) -> set[str]:
        """Only of the drawn tile, and only if the waits (or the readings, by the stricter rule) stay."""
        kind, counts, melds = kind_of(drawn), self.counts(player), len(self.melds(player))
        if not self.may_kan() or self.rules.riichi_kan == RiichiKan.NEVER or counts[kind] != 4:
            return set()
        before = waits(less(counts, kind), melds)
        if before != waits(less(counts, kind, kind, kind, kind), melds + 1):
            return set()
        if self.rules.riichi_kan == RiichiKan.SAME_SHAPE and self.kind_runs(less(counts, kind), kind, before, melds):
            return set()
        return {f"concealed kan {NAMES[kind]}"}

    def kind_runs(self, counts: Counts, kind: int, before: frozenset[int], melds: int) -> bool:
        """Whether a reading of the hand, completed by some wait, has `kind` in a run."""
        if kind in HONOURS:
            return False
        for first in range(kind - 2, kind + 1):
            run = (first, first + 1, first + 2)
            if first < 0 or first // 9 != kind // 9 or first % 9 > 6:
                continue
            for wait in before:
                whole = more(counts, wait)
                if all(whole[k] for k in run) and is_complete(less(whole, *run), melds + 1):
                    return True
        return False

    # --- wins

    def may_tsumo(self, player: int, drawn: int) -> bool:
        tiles = self.hand(player)
        tiles.remove(drawn)
        if not is_complete(self.counts(player), len(self.melds(player))):
            return False
        return self.has_yaku(player, tiles, drawn, tsumo=True)

    def may_ron(self, player: int, tile: int) -> bool:
        if kind_of(tile) not in self.waits(player) or self.furiten(player):
            return False
        return self.has_yaku(player, self.hand(player), tile, tsumo=False)

    def has_yaku(self, player: int, tiles: list[int], tile: int, tsumo: bool) -> bool:
        table = self.table
        hand = Hand([*tiles, tile], self.melds(player))
        try:
            hand.score(
                tsumo=tsumo,
                riichi=player in self.riichi,
                rinshan=tsumo and self.replacement,
                chankan=bool(self.kan),
                last_tile=table.tiles_left == 0 and not (tsumo and self.replacement) and not self.kan,
                first_turn=tsumo and self.first_turn(player),
                seat_wind="ESWN"[(player - table.dealer) % 4],
                round_wind="ESWN"[table.round // 4 % 4],
                rules=self.rules,
            )
        except NoYakuError:
            return False
        return True

    # --- reactions

    def discard_reactions(self, player: int) -> set[str]:
        assert self.tile is not None
        names = {"ron"} if self.may_ron(player, self.tile) else set()
        if player in self.riichi or self.table.tiles_left == 0 or self.four_kans_end():
            return names
        names |= self.pons(player, self.tile)
        if (player - self.turn) % 4 == 1:
            names |= self.chis(player, self.tile)
        return names

    def four_kans_end(self) -> bool:
        """Four kans by several players end the hand after this discard."""
        kans = self.kans()
        return self.rules.four_kans and sum(kans) == 4 and max(kans) < 4

    def pons(self, player: int, tile: int) -> set[str]:
        kind, tiles = kind_of(tile), self.hand(player)
        plain, red = tiles.count(kind), tiles.count(red_of(kind) if red_of(kind) is not None else -1)
        names = set()
        if plain + red == 3 and self.may_kan():
            names.add("kan")
        if not self.can_discard(player, [kind, kind], {kind} if self.rules.swap_ban else set()):
            return names
        if plain >= 2:
            names.add("pon")
        if plain and red:
            names.add("pon red")
        return names

    def chis(self, player: int, tile: int) -> set[str]:
        called, hand = kind_of(tile), Counter(self.hand(player))
        names = set()
        for place, word in enumerate(CHI_PLACES):
            run = [called - place + i for i in range(3)]
            if called in HONOURS or run[0] < 0 or run[0] // 9 != called // 9 or run[2] // 9 != called // 9:
                continue
            needed = [kind for kind in run if kind != called]
            if not self.can_discard(player, needed, self.swap_ban(called, run)):
                continue
            if all(hand[kind] for kind in needed):
                names.add(f"chi {word}")
            for i, kind in enumerate(needed):
                red = red_of(kind)
                if red is not None and hand[red] and hand[needed[1 - i]]:
                    names.add(f"chi {word} red")
        return names

    def can_discard(self, player: int, given: list[int], banned: set[int]) -> bool:
        """Whether a tile that may be discarded is left after giving tiles to a meld."""
        left = list(self.counts(player))
        for kind in given:
            left[kind] -= 1
        return any(left[kind] > 0 and kind not in banned for kind in KINDS)

    def kan_reactions(self, player: int) -> set[str]:
        """Rob an added kan; a concealed one only with thirteen orphans, where the rules allow."""
        assert self.tile is not None
        if self.kan == "concealed" and not (self.rules.rob_concealed_kan and self.waits_for_orphans(player)):
            return set()
        return {"ron"} if self.may_ron(player, self.tile) else set()

    def waits_for_orphans(self, player: int) -> bool:
        counts = self.counts(player)
        return not self.melds(player) and any(
            all(more(counts, kind)[k] for k in ORPHANS) and sum(more(counts, kind)[k] for k in ORPHANS) == 14
            for kind in ORPHANS
        )

    # --- what happens

    def take(self, answers: dict[int, str]) -> None:
        """Follow from these answers what comes next."""
        if self.tile is None:
            self.take_turn(answers[self.turn])
        else:
            self.resolve(answers)
        self._memo.clear()

    def take_turn(self, name: str) -> None:
        player = self.turn
        if name in ("tsumo", "nine terminals"):
            self.ended = True
        elif name == "riichi":
            self.declaring = True
        elif " kan " in name:
            self.show_kan(player, name)
        else:
            self.show_discard(player, self.table.drawn if name == "tsumogiri" else self.tile_named(player, name))

    def show_kan(self, player: int, name: str) -> None:
        kind = next(kind for kind in KINDS if name.endswith(NAMES[kind]))
        self.kan, self.tile = name.split()[0], kind
        self.ask_others(self.kan_reactions)

    def show_discard(self, player: int, tile: int | None) -> None:
        self.tile, self.kan, self.replacement = tile, "", False
        self.missed.discard(player)
        self.riichi |= {player} if self.declaring else set()
        self.declaring = False
        self.last_discards = [d.tile for p in SEATS for d in self.river(p)] + [tile]
        self.ask_others(self.discard_reactions)

    def ask_others(self, reactions: Callable[[int], set[str]]) -> None:
        """Find who can react to the tile just shown; if nobody can, the game continues at once."""
        found = {player: reactions(player) for player in SEATS if player != self.turn}
        self.reactions = {player: names | {"pass"} for player, names in found.items() if names}
        if not self.reactions:
            self.resolve({})

    def resolve(self, answers: dict[int, str]) -> None:
        """Everybody has reacted to the tile: it wins, ends the hand, is called, or the next player draws."""
        if "ron" in answers.values():
            self.ended = True
            return
        self.note_missed()
        if self.kan:
            self.missed.discard(self.turn)
            self.replacement = True
        elif self.is_abortive() or self.table.tiles_left == 0:
            self.ended = True
        else:
            self.next_turn({player: name for player, name in answers.items() if name != "pass"})
        self.tile, self.kan = None, ""

    def note_missed(self) -> None:
        """Everybody who waits for the tile and has not won on it has missed it."""
        assert self.tile is not None
        for player in set(SEATS) - {self.turn}:
            could = "ron" in self.reactions.get(player, ()) if self.kan == "concealed" else True
            if could and kind_of(self.tile) in self.waits(player):
                (self.missed_for_good if player in self.riichi else self.missed).add(player)

    def is_abortive(self) -> bool:
        winds = len(self.last_discards) == 4 and len(set(self.last_discards)) == 1
        winds = winds and self.last_discards[0] in WINDS and not any(self.melds(player) for player in SEATS)
        return (
            (self.rules.four_winds and winds)
            or (self.rules.four_riichi and len(self.riichi) == 4)
            or (self.rules.four_kans and self.four_kans_end())
        )

    def next_turn(self, calls: dict[int, str]) -> None:
        """Pon and kan go before chi."""
        strong = [player for player, name in calls.items() if not name.startswith("chi")]
        caller = (strong or list(calls) or [None])[0]
        self.replacement = caller is not None and calls[caller] == "kan"
        self.turn = (self.turn + 1) % 4 if caller is None else caller
        self.missed.discard(self.turn)
