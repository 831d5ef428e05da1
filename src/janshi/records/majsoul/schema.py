"""The messages of Mahjong Soul's records (package `lq` of its protocol, liqi), as far as they are read here.

Descriptors are built at run time from the table below, so nothing has to be generated. Each line is a field: type,
name, number; `*` marks a repeated one. Fields that are not listed are skipped.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE: Final = "lq"
MESSAGES: Final = {
    "Wrapper": "string name 1, bytes data 2",
    "ResGameRecord": "RecordGame head 3, bytes data 4, string data_url 5",
    "RecordGame": "string uuid 1, uint32 start_time 2, uint32 end_time 3, GameConfig config 5, GameEndResult result 12",
    "GameConfig": "uint32 category 1, GameMode mode 2, GameMetaData meta 3",
    "GameMode": "uint32 mode 1, GameDetailRule detail_rule 6",
    "GameMetaData": "uint32 room_id 1, uint32 mode_id 2, uint32 contest_uid 3",
    "GameDetailRule": (
        "uint32 dora_count 3, uint32 shiduan 4, uint32 init_point 5, uint32 guyi_mode 42, uint32 dora3_mode 43, "
        "uint32 begin_open_mode 44, uint32 jiuchao_mode 45, uint32 muyu_mode 46, uint32 open_hand 47, "
        "uint32 xuezhandaodi 48, uint32 huansanzhang 49, uint32 chuanma 50, uint32 reveal_discard 51, "
        "uint32 field_spell_mode 52, uint32 zhanxing 53, uint32 tianming_mode 54, uint32 yongchang_mode 70, "
        "uint32 hunzhiyiji_mode 71"
    ),
    "GameEndResult": "*PlayerItem players 1",
    "PlayerItem": "uint32 seat 1, int32 total_point 2, int32 part_point_1 3",
    "GameDetailRecords": "*bytes records 1, uint32 version 2, *GameAction actions 3",
    "GameAction": "uint32 passed 1, uint32 type 2, bytes result 3",
    "RecordNewRound": (
        "uint32 chang 1, uint32 ju 2, uint32 ben 3, string dora 4, *int32 scores 5, uint32 liqibang 6, "
        "*string tiles0 7, *string tiles1 8, *string tiles2 9, *string tiles3 10, uint32 left_tile_count 15, "
        "*string doras 16"
    ),
    "RecordDealTile": "uint32 seat 1, string tile 2, uint32 left_tile_count 3, LiQiSuccess liqi 5, *string doras 6",
    "RecordDiscardTile": (
        "uint32 seat 1, string tile 2, bool is_liqi 3, bool moqie 5, *string doras 8, bool is_wliqi 9"
    ),
    "RecordChiPengGang": "uint32 seat 1, uint32 type 2, *string tiles 3, *uint32 froms 4, LiQiSuccess liqi 5",
    "RecordAnGangAddGang": "uint32 seat 1, uint32 type 2, string tiles 3, *string doras 6",
    "RecordBaBei": "uint32 seat 1, *string doras 6, bool moqie 8",
    "RecordHule": "*HuleInfo hules 1, *int32 old_scores 2, *int32 delta_scores 3, *int32 scores 5, *string doras 7",
    "RecordNoTile": "bool liujumanguan 1, *NoTilePlayerInfo players 2, *NoTileScoreInfo scores 3, bool gameend 4",
    "RecordLiuJu": "uint32 type 1, uint32 seat 3, *string tiles 4, LiQiSuccess liqi 5",
    "LiQiSuccess": "uint32 seat 1, int32 score 2, uint32 liqibang 3, bool failed 4",
    "HuleInfo": (
        "*string hand 1, *string ming 2, string hu_tile 3, uint32 seat 4, bool zimo 5, bool qinjia 6, bool liqi 7, "
        "*string doras 8, *string li_doras 9, bool yiman 10, uint32 count 11, *FanInfo fans 12, uint32 fu 13, "
        "uint32 point_rong 15, uint32 point_zimo_qin 16, uint32 point_zimo_xian 17"
    ),
    "FanInfo": "string name 1, uint32 val 2, uint32 id 3",
    "NoTilePlayerInfo": "bool tingpai 3, *string hand 4",
    "NoTileScoreInfo": "uint32 seat 1, *int32 old_scores 2, *int32 delta_scores 3",
}
"""Fields of each message; a message of another one is named by its type."""
_Field = descriptor_pb2.FieldDescriptorProto
_SCALARS: Final = {
    "string": _Field.TYPE_STRING,
    "bytes": _Field.TYPE_BYTES,
    "bool": _Field.TYPE_BOOL,
    "uint32": _Field.TYPE_UINT32,
    "int32": _Field.TYPE_INT32,
}


def message(name: str) -> Any:
    """A new, empty message."""
    return _classes()[name]()


@cache
def _classes() -> dict[str, Any]:
    pool = descriptor_pool.DescriptorPool()
    pool.Add(_file())
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in MESSAGES}


def _file() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="janshi/majsoul.proto", package=PACKAGE, syntax="proto3")
    for name, fields in MESSAGES.items():
        described = file.message_type.add(name=name)
        for field in fields.split(", "):
            _add_field(described, field)
    return file


def _add_field(described: Any, text: str) -> None:
    kind, name, number = text.split()
    label = _Field.LABEL_REPEATED if kind.startswith("*") else _Field.LABEL_OPTIONAL
    kind = kind.removeprefix("*")
    field = described.field.add(name=name, number=int(number), label=label)
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
    else:
        field.type, field.type_name = _Field.TYPE_MESSAGE, f".{PACKAGE}.{kind}"
