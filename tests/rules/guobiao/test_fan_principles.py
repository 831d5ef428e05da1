"""The principles of combination, and the traps that counting fan is known for."""

from __future__ import annotations

from typing import Any

import pytest

from janshi.rules.guobiao import FANS, Hand


def fans(text: str, **flags: Any) -> dict[str, int]:
    """Fan of a hand by Chinese name; the last concealed tile wins."""
    return {line.fan.chinese: line.count for line in Hand(text).fan(**flags).lines}


def test_the_table_is_the_official_one() -> None:
    assert [fan.number for fan in FANS] == list(range(82))
    by_value = [sum(fan.value == value for fan in FANS) for value in (88, 64, 48, 32, 24, 16, 12, 8, 6, 5, 4, 2, 1)]
    assert by_value == [7, 6, 2, 3, 9, 6, 5, 9, 7, 1, 4, 10, 13]
    assert all(len({getattr(fan, name) for fan in FANS}) == 82 for name in ("name", "chinese", "pinyin"))
    assert all(0 <= other < 82 and FANS[other].value <= fan.value for fan in FANS for other in fan.excludes)


def test_non_repeat_a_fan_swallows_what_it_implies() -> None:
    found = fans("1112223334445z5z", self_drawn=False)
    assert found == {"大四喜": 1, "字一色": 1, "四暗刻": 1, "单钓将": 1}


def test_account_once_two_sets_join_in_one_way() -> None:
    """234567s 234567p: three of the four fan of two count."""
    found = fans("234567s234567p1m1m", self_drawn=False)
    assert found["喜相逢"] + found["连六"] == 3


def test_account_once_a_fourth_sequence_joins_three_once() -> None:
    found = fans("123m456m789m123p5p5p")
    assert found["清龙"] == 1
    assert found["喜相逢"] == 1
    assert "连六" not in found
    assert "老少副" not in found


def test_non_separation_one_reading_only() -> None:
    """Three triplets in a row or three equal sequences, never both."""
    found = fans("111222333m456p9s9s")
    assert ("一色三同顺" in found) != ("一色三节高" in found)


def test_four_shifted_pungs_need_four_ranks_in_a_row() -> None:
    assert "一色四节高" in fans("111222333444m5p5p")
    found = fans("111222333666m5p5p")
    assert "一色四节高" not in found
    assert "一色三节高" in found


def test_a_wait_of_several_tiles_in_form_is_none() -> None:
    """3456 waits for 3 and 6, even if none of them is left."""
    assert "单钓将" not in fans("3456m678p234s999s3m")


def test_single_edge_and_closed_waits() -> None:
    assert fans("345m678p234s999s1z1z")["单钓将"] == 1
    assert fans("345m678p999s11z12s3s")["边张"] == 1
    assert fans("345m678p999s11z24s3s")["坎张"] == 1
    assert not {"边张", "坎张", "单钓将"} & fans("345m678p999s11z23s4s").keys()


@pytest.mark.parametrize("text", ["19m19p19s12345677z", "1122m3344p5566s7z7z", "147m258p36s123456z"])
def test_special_shapes_add_no_self_draw_to_the_last_draw(text: str) -> None:
    assert "自摸" in fans(text, self_drawn=True)
    found = fans(text, self_drawn=True, last_tile=True)
    assert "妙手回春" in found
    assert "自摸" not in found


def test_knitted_straight_pays_the_wait_of_the_rest() -> None:
    assert fans("147m258p369s11z12m3m")["边张"] == 1
    assert fans("147m258p369s11z35m4m")["坎张"] == 1  # although 4m could be part of the straight
    assert fans("147m258p369s456m1z1z")["单钓将"] == 1


def test_a_discard_opens_the_triplet_unless_it_stands_in_a_sequence() -> None:
    assert "三暗刻" not in fans("111m222p99s345p33s3s")
    assert "三暗刻" in fans("111m222p99s345p33s3s", self_drawn=True)
    assert "三暗刻" in fans("111m222p333s99m12s3s")


def test_four_of_a_kind_are_two_pairs_and_a_hog() -> None:
    found = fans("1111m2244p5566s7z7z")
    assert found["七对"] == 1
    assert found["四归一"] == 1


def test_chicken_hand_has_nothing_else() -> None:
    assert fans("44z67m8m (234m) (345p) (666s)") == {"无番和": 1}


def test_the_last_of_its_kind_is_certain_after_three_in_a_meld() -> None:
    assert fans("55p13m2m (222m) (789p) (456s)")["和绝张"] == 1


def test_robbing_pays_no_last_of_its_kind() -> None:
    found = fans("55p13m2m (789p) (456s) (111z)", robbing=True, last_of_kind=True)
    assert found["抢杠和"] == 1
    assert "和绝张" not in found


def test_melded_hand_needs_four_open_melds_and_a_discard() -> None:
    assert fans("5p5p (123m) (789p) (456s) (111z)")["全求人"] == 1
    assert "全求人" not in fans("5p5p (123m) (789p) (456s) [1111z]")
    assert "单钓将" not in fans("5p5p (123m) (789p) (456s) (111z)")
