"""The library `mahjong` (Python): scores."""

from __future__ import annotations

from typing import Any

from _work import Work, main

EAST = 27


def scores(data: Any) -> Work:
    """Scores of all wins, with melds and circumstances prepared."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.meld import Meld

    calculator = HandCalculator()
    wins = [
        (
            win["concealed"] + [i for _, ids in win["melds"] for i in ids],
            win["tile"],
            [Meld(name, ids, opened=True) for name, ids in win["melds"]],
            win["indicators"],
            _config(win),
        )
        for win in data["wins"]
    ]

    def score(tiles: Any, tile: int, melds: Any, indicators: Any, config: Any) -> Any:
        return calculator.estimate_hand_value(tiles, tile, melds=melds, dora_indicators=indicators, config=config)

    def once() -> int:
        for win in wins[:100]:
            score(*win)
        return min(len(wins), 100)

    return Work(once, [_paid(score(*win).cost, shown) for win, shown in zip(wins, data["wins"])])


def _paid(cost: dict[str, int], win: dict[str, Any]) -> int:
    return cost["additional"] if win["tsumo"] else cost["main"]


def _config(win: dict[str, Any]) -> Any:
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

    return HandConfig(
        is_tsumo=win["tsumo"],
        is_riichi=win["riichi"],
        player_wind=EAST + win["seat_wind"],
        round_wind=EAST + win["round_wind"],
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    )


if __name__ == "__main__":
    main("mahjong", {"scores": scores})
