"""Writes our own games as Mahjong Soul's server and the usual tools do, for tests: no real file may be kept here."""

from __future__ import annotations

import base64
from typing import Any

from google.protobuf.json_format import MessageToDict

from janshi.records.ids import tiles_of_ids
from janshi.records.majsoul.reader import TILES
from janshi.records.majsoul.results import ROUND_WIND_ID, SEAT_WIND_ID, YAKU
from janshi.records.majsoul.schema import message
from janshi.records.model import Event, GameRecord, HandRecord, Kind, WinRecord
from janshi.rules.riichi.yaku import DRAGON, ROUND_WIND, SEAT_WIND

NAMES = {tile: name for name, tile in TILES.items()}
NUMBERS = {ours: theirs for theirs, ours in YAKU.items()}
NUMBERS |= {SEAT_WIND + i: SEAT_WIND_ID for i in range(4)} | {ROUND_WIND + i: ROUND_WIND_ID for i in range(4)}
NUMBERS |= {DRAGON + i: 7 + i for i in range(3)}
CALLS = (Kind.CHI, Kind.PON, Kind.OPEN_KAN)
DRAW_TYPES = {"nine terminals": 1, "four winds": 2, "four kans": 3, "four riichi": 4, "triple ron": 5}


def filled(name: str, /, **fields: Any) -> Any:
    """A message with its fields."""
    found = message(name)
    for key, value in fields.items():
        if isinstance(value, list):
            getattr(found, key).extend(value)
        elif hasattr(value, "DESCRIPTOR"):
            getattr(found, key).CopyFrom(value)
        else:
            setattr(found, key, value)
    return found


class HandWriter:
    """The messages of one hand."""

    def __init__(self, hand: HandRecord, red_fives: bool) -> None:
        self.hand, self.tile_of = hand, tiles_of_ids(red_fives)
        self.indicators = [self.name(hand.dora)]
        self.sticks = 0
        self.paid: int | None = None

    def name(self, tile_id: int) -> str:
        return NAMES[self.tile_of[tile_id]]

    def names(self, ids: Any) -> list[str]:
        return [self.name(tile_id) for tile_id in ids]

    def messages(self) -> list[Any]:
        events = [event for event in self.hand.events if event.kind not in (Kind.LEAVE, Kind.RETURN)]
        made = [self.start(events[0])]
        riichi = False
        for number, event in enumerate(events[1:], 1):
            if event.kind == Kind.DORA:
                self.indicators.append(self.name(event.tile))
            elif event.kind == Kind.RIICHI:
                riichi = True
            elif event.kind == Kind.RIICHI_PAID:
                self.sticks += 1
                self.paid = event.player
            else:
                made.append(self.event(event, riichi, first=number == 1))
                riichi = False
        return [*made, *self.end()]

    def start(self, first: Event) -> Any:
        deals = [self.names(deal) for deal in self.hand.deals]
        deals[self.hand.dealer].append(self.name(first.tile))
        tiles = {f"tiles{player}": deal for player, deal in enumerate(deals)}
        chang, ju = divmod(self.hand.round, 4)
        facts = {"chang": chang, "ju": ju, "ben": self.hand.honba, "liqibang": self.hand.sticks}
        return filled(
            "RecordNewRound",
            scores=list(self.hand.scores),
            doras=list(self.indicators),
            left_tile_count=69,
            **facts,
            **tiles,
        )

    def success(self) -> dict[str, Any]:
        """The riichi that the next message says was paid."""
        if self.paid is None:
            return {}
        paid, self.paid = self.paid, None
        return {"liqi": filled("LiQiSuccess", seat=paid, liqibang=self.hand.sticks + self.sticks)}

    def event(self, event: Event, riichi: bool, first: bool) -> Any:
        seat = event.player
        if event.kind == Kind.DRAW:
            doras = list(self.indicators) if len(self.indicators) > 1 else []
            return filled("RecordDealTile", seat=seat, tile=self.name(event.tile), doras=doras, **self.success())
        if event.kind == Kind.DISCARD:
            doras = list(self.indicators) if len(self.indicators) > 1 else []
            moqie = event.tsumogiri and not first  # the dealer's first discard is never marked
            return filled(
                "RecordDiscardTile", seat=seat, tile=self.name(event.tile), is_liqi=riichi, moqie=moqie, doras=doras
            )
        if event.kind in CALLS:
            tiles = [*self.names(event.tiles), self.name(event.tile)]
            froms = [seat] * len(event.tiles) + [event.source]
            return filled(
                "RecordChiPengGang", seat=seat, type=CALLS.index(event.kind), tiles=tiles, froms=froms, **self.success()
            )
        concealed = event.kind == Kind.CONCEALED_KAN
        tile = event.tiles[0] if concealed else event.tile
        return filled("RecordAnGangAddGang", seat=seat, type=3 if concealed else 2, tiles=self.name(tile))

    def end(self) -> list[Any]:
        if self.hand.wins:
            total = [sum(parts) for parts in zip(*(win.changes for win in self.hand.wins))]
            return [filled("RecordHule", hules=[self.win(win) for win in self.hand.wins], delta_scores=total)]
        draw = self.hand.draw
        if draw is None:
            return []
        if draw.kind in DRAW_TYPES:
            return [filled("RecordLiuJu", type=DRAW_TYPES[draw.kind], **self.success())]
        tenpai = draw.tenpai if draw.tenpai is not None else tuple(draw.shown)
        players = [filled("NoTilePlayerInfo", tingpai=player in tenpai) for player in range(4)]
        scores = [filled("NoTileScoreInfo", delta_scores=list(draw.changes))] if any(draw.changes) else []
        return [filled("RecordNoTile", liujumanguan=draw.kind == "nagashi mangan", players=players, scores=scores)]

    def win(self, win: WinRecord) -> Any:
        zimo, dealer = win.winner == win.loser, win.winner == self.hand.dealer
        assert win.points is not None
        fans = [filled("FanInfo", id=NUMBERS[number], val=han) for number, han in win.yaku]
        fans += [filled("FanInfo", id=NUMBERS[number], val=1) for number in win.yakuman]
        payments = {"point_rong": win.points}
        if zimo and dealer:
            payments = {"point_zimo_xian": win.points // 3}
        elif zimo:
            payments = {"point_zimo_qin": win.points // 2, "point_zimo_xian": win.points // 4}
            over = win.points - payments["point_zimo_qin"] - 2 * payments["point_zimo_xian"]
            if over or payments["point_zimo_xian"] % 100:  # of rounded payments the dealer's is less than half
                qin = next(q for q in range(100, win.points, 100) if _fits(q, win.points))
                payments = {"point_zimo_qin": qin, "point_zimo_xian": (win.points - qin) // 2}
        hu_tile = self.name(win.tile)
        doras, ura = self.names(win.dora), self.names(win.ura)
        han = win.han if win.han is not None else sum(han for _, han in win.yaku)
        return filled(
            "HuleInfo",
            seat=win.winner,
            zimo=zimo,
            qinjia=dealer,
            hu_tile=hu_tile,
            doras=doras,
            li_doras=ura,
            yiman=bool(win.yakuman),
            count=0 if win.yakuman else han,
            fu=win.fu or 0,
            fans=fans,
            **payments,
        )


def _fits(dealer: int, points: int) -> bool:
    """Whether a dealer's payment and two halves of it, rounded up, make the points of a self-drawn win."""
    other = (points - dealer) // 2
    return (points - dealer) % 200 == 0 and dealer // 2 <= other < dealer // 2 + 100 and other <= dealer


def records(record: GameRecord) -> list[Any]:
    """All messages of a game."""
    return [made for hand in record.hands for made in HandWriter(hand, record.rules.red_fives).messages()]


def wrapped(inner: Any) -> bytes:
    """A message with its name."""
    return filled("Wrapper", name=f".lq.{inner.DESCRIPTOR.name}", data=inner.SerializeToString()).SerializeToString()


def head(record: GameRecord, mode: int = 2) -> Any:
    """The head of a game."""
    config = filled("GameConfig", mode=filled("GameMode", mode=mode), meta=filled("GameMetaData", mode_id=12))
    made = filled("RecordGame", uuid="210101-0a1b", config=config)
    if record.final_scores is not None:
        items = [
            filled("PlayerItem", seat=seat, part_point_1=score, total_point=99)
            for seat, score in enumerate(record.final_scores)
        ]
        made.result.players.extend(reversed(items))
    return made


def details(record: GameRecord, actions: bool) -> Any:
    """A game's `GameDetailRecords`: with actions as since June 2021, or with records as before."""
    made = [wrapped(part) for part in records(record)]
    if not actions:
        return filled("GameDetailRecords", records=made)
    mixed = []
    for number, part in enumerate(made):
        mixed.append(filled("GameAction", passed=100 * number, type=1, result=part))
        mixed.append(filled("GameAction", passed=100 * number + 50, type=2))  # a player's input
    return filled("GameDetailRecords", version=210715, actions=mixed)


def protobuf(record: GameRecord, actions: bool = True, form: str = "response", mode: int = 2) -> bytes:
    """A game as protobuf: the whole `response`, `wrapped` details or bare `details`."""
    inner = details(record, actions)
    if form == "details":
        return bytes(inner.SerializeToString())
    if form == "wrapped":
        return wrapped(inner)
    return bytes(filled("ResGameRecord", head=head(record, mode), data=wrapped(inner)).SerializeToString())


def as_json(record: GameRecord, form: str = "list", mode: int = 2) -> Any:
    """A game as tools store it: `list`, `actions`, `records`, `base64` or `bare`, with people in its head."""
    named = [{"name": f".lq.{part.DESCRIPTOR.name}", "data": _dict(part)} for part in records(record)]
    if form == "bare":
        return [{"name": one["name"].removeprefix(".lq."), **one["data"]} for one in named]
    people = [{"account_id": 1000 + seat, "seat": seat, "nickname": f"secret {seat}"} for seat in range(4)]
    top = {"head": {**_dict(head(record, mode)), "accounts": people}}
    if form == "base64":
        return {**top, "data": base64.b64encode(wrapped(details(record, True))).decode()}
    inner: Any = named
    if form == "records":
        inner = {"name": ".lq.GameDetailRecords", "data": {"records": named, "version": 0}}
    elif form == "actions":
        actions = [{"passed": 5, "type": 1, "result": one} for one in named]
        inner = {"name": ".lq.GameDetailRecords", "data": {"version": 210715, "actions": [{"type": 2}, *actions]}}
    return {**top, "data": inner}


def _dict(part: Any) -> dict[str, Any]:
    return dict(MessageToDict(part, preserving_proto_field_name=True))
