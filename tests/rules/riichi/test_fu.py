"""Fu, part by part."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.fu import FU_PARTS
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.win import SCORE_DTYPE

WAIT, PAIR = "edge, closed or single wait", "pair of dragons or own winds"


def part(hand: str, name: str, **circumstances: object) -> int:
    """Fu of one cause in a hand that wins with riichi or, if open, on the last tile."""
    circumstances.setdefault("last_tile", True)
    report = Hand(hand).score(**circumstances)  # type: ignore[arg-type]
    return dict(report.fu_parts).get(name, 0)


def test_parts_fit_the_record() -> None:
    assert SCORE_DTYPE["fu_parts"].shape == (len(FU_PARTS),)


@pytest.mark.parametrize("hand", ["123m456p789s22p56m7m", "456p789s22p56m7m (234m)"])
def test_base(hand: str) -> None:
    assert part(hand, "base") == 20


def test_closed_ron() -> None:
    assert part("123m456p789s22p56m7m", "closed ron") == 10
    assert part("123m456p789s22p56m7m", "closed ron", tsumo=True) == 0
    assert part("456p789s22p56m7m (234m)", "closed ron") == 0
    assert part("456p789s22p56m7m [1111m]", "closed ron") == 10


def test_self_draw() -> None:
    assert part("111m456p789s22p56m7m", "self-draw", tsumo=True) == 2
    assert part("456p789s22p56m7m (234m)", "self-draw", tsumo=True) == 2
    assert part("123m456p789s22p56m7m", "self-draw", tsumo=True) == 0  # pinfu
    assert part("456p789s22p56m7m [1111m]", "self-draw", tsumo=True, rinshan=True, last_tile=False) == 2


@pytest.mark.parametrize(
    ("wait", "fu"),
    [("12m3m", 2), ("89m7m", 2), ("24m3m", 2), ("46m5m", 2), ("23m1m", 0), ("23m4m", 0), ("78m9m", 0), ("78m6m", 0)],
)
def test_wait(wait: str, fu: int) -> None:
    assert part(f"456p789s123p55s{wait}", WAIT) == fu


def test_single_wait() -> None:
    assert part("456p789s123p123m5s5s", WAIT) == 2
    assert part("456p789s123p55s11m1m", WAIT) == 0


def test_best_wait_is_chosen() -> None:
    """23334: the 3 completes the pair (single wait, 2 fu) or 234 with 33 as the pair (closed wait)."""
    assert part("456p789s111z2334m3m", WAIT) == 2


@pytest.mark.parametrize(
    ("pair", "fu"), [("55z", 2), ("66z", 2), ("77z", 2), ("11z", 2), ("22z", 2), ("33z", 0), ("44z", 0), ("99p", 0)]
)
def test_pair(pair: str, fu: int) -> None:
    assert part(f"123m456p789s{pair}56m7m", PAIR, seat_wind="E", round_wind="S") == fu


def test_double_wind_pair_as_the_rules_say() -> None:
    hand = "123m456p789s11z56m7m"
    assert part(hand, PAIR) == 4
    assert part(hand, PAIR, rules=Ruleset(double_wind_fu=2)) == 2


@pytest.mark.parametrize(
    ("sets", "cause", "fu"),
    [
        ("(222s)", "open triplets", 2),
        ("(999s)", "open triplets", 4),
        ("(333z)", "open triplets", 4),
        ("(2222s)", "open kans", 8),
        ("(9999s)", "open kans", 16),
        ("(3333z)", "open kans", 16),
        ("[2222s]", "concealed kans", 16),
        ("[9999s]", "concealed kans", 32),
        ("[3333z]", "concealed kans", 32),
    ],
)
def test_called_sets(sets: str, cause: str, fu: int) -> None:
    assert part(f"123m456p22p56m7m {sets}", cause) == fu


def test_concealed_triplets() -> None:
    assert part("222s123m456p22p56m7m", "concealed triplets") == 4
    assert part("999s123m456p22p56m7m", "concealed triplets") == 8
    assert part("333z123m456p22p56m7m", "concealed triplets") == 8


def test_triplet_completed_by_ron_is_open() -> None:
    hand = "123m456p22p567m99s9s"
    assert (part(hand, "open triplets"), part(hand, "concealed triplets")) == (4, 0)
    assert (part(hand, "open triplets", tsumo=True), part(hand, "concealed triplets", tsumo=True)) == (0, 8)


def test_open_hand_without_fu_counts_30() -> None:
    report = Hand("456p678s22p56m7m (234m)").score()
    assert (report.han, report.fu) == (1, 30)
    assert part("456p678s22p56m7m (234m)", "open hand without other fu") == 2
    assert part("456p678s22p56m7m (234m)", "open hand without other fu", tsumo=True) == 0


@pytest.mark.parametrize(
    ("hand", "tsumo", "fu"),
    [
        ("123m456p789s22p56m7m", False, 30),
        ("123m456p789s22p56m7m", True, 20),
        ("123m456p789s22p57m6m", False, 40),
        ("111m456p789s22p56m7m", False, 40),
        ("111m999p789s22p56m7m", True, 40),
        ("22p56m7m [1111m] [9999p] [1111z]", False, 130),
        ("1199m2255p3388s1z1z", True, 25),
    ],
)
def test_sum_is_rounded_up_to_ten(hand: str, tsumo: bool, fu: int) -> None:
    assert Hand(hand).score(tsumo=tsumo, last_tile=True).fu == fu
