"""`janshi watch --rules guobiao`: a hand in plain lines."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from janshi.show.watch import WatchConfig, watch_game


def watched(**config: object) -> str:
    out = io.StringIO()
    watch_game(WatchConfig(**config), Console(file=out, width=200))  # type: ignore[arg-type]
    return out.getvalue()


def test_a_hand():
    text = watched(rules="guobiao", players="greedy", seed=1)
    assert text.startswith("guobiao/botzone rules, seed 1: greedy 1, greedy 2, greedy 3, greedy 4\n")
    assert "Scores: " in text
    assert text == watched(rules="guobiao/botzone", players="greedy,greedy,greedy,greedy", seed=1)


def test_a_match_has_sixteen_hands():
    lines = watched(rules="guobiao/match", players="tsumogiri", seed=1).splitlines()
    assert [line for line in lines if line[0] in "ESWN"][0::15] == ["East 1", "North 4"]


def test_unknown_players_are_refused():
    with pytest.raises(ValueError, match="no agent is called 'wise'"):
        watched(rules="guobiao", players="wise", seed=1)
    with pytest.raises(ValueError, match="players are one name"):
        watched(rules="guobiao", players="greedy,greedy", seed=1)
    with pytest.raises(ValueError, match="no guobiao rules"):
        watched(rules="guobiao/home", seed=1)
