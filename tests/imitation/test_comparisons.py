"""The scripts that compare variants of the network and write the gradient bench's page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from janshi.learn.imitation.batches import on_device
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.training import Imitation
from script_modules import load_script

ROOT = Path(__file__).resolve().parents[2]
compare_imitation, write_gradients = load_script("compare_imitation"), load_script("write_gradients")
measure_gradients = load_script("measure_gradients")
CPU = torch.device("cpu")
TINY = ImitationConfig(width=16, blocks=1, heads=2, hidden=16, batch=64, steps=3, warmup=1)


def test_an_arm_is_a_name_and_settings():
    assert compare_imitation.split_arm("no danger without=danger rate=0.1") == (
        "no danger",
        ["without=danger", "rate=0.1"],
    )


def test_an_arm_learns_from_its_share_of_the_games_and_is_measured(compact_hands):
    learned = on_device(compact_hands, Selection(), CPU, 1)
    some = compare_imitation.chosen(learned, compact_hands, ["share=0.5"])
    games = compact_hands.facts["game"]
    kept, all_games = (set(games[one.facts["hand"]].tolist()) for one in (some, learned))
    assert kept < all_games
    wanted = np.isin(games[learned.facts["hand"]], list(kept))
    assert len(some) == wanted.sum()  # whole games
    assert compare_imitation.chosen(learned, compact_hands, ["rate=0.1"]) is learned
    row = compare_imitation.trained("half", ["share=0.5"], TINY, some, learned, CPU)
    assert row["decisions"] == len(some)
    assert row["steps"] == 3
    assert 0 < row["agreement"]["all decisions"] < 1
    assert row["hidden"]["hand value MSE (log)"] > 0
    assert "half" in compare_imitation.line(row)
    other = {**row, "arm": "other", "agreement": {**row["agreement"], "all decisions": 0.0}}
    table = compare_imitation.table_of_arms([row, other])
    assert f"| other | 0.00 | {100 * row['agreement']['discards']:.2f} | " in table
    assert f"| {-100 * row['agreement']['all decisions']:+.2f} | " in table


def test_muon_moves_the_blocks_matrices_and_adamw_the_rest(compact_hands):
    learned = on_device(compact_hands, Selection(), CPU, 1)
    run = Imitation(TINY, learned, CPU)
    run.learn()
    adamw, muon = run.optimisers.moments(torch.float32)
    inner = [one for name, one in run.net.named_parameters() if name.startswith("blocks.") and one.ndim == 2]
    assert len(muon) == len(inner) == 4
    assert all(set(kept) == {"momentum_buffer"} for kept in muon.values())
    assert len(adamw) == len(list(run.net.parameters())) - len(inner)
    with pytest.raises(ValueError, match="optimiser must be adamw or muon, not 'sgd'"):
        ImitationConfig(optimiser="sgd")


def test_the_page_of_gradients_is_what_the_files_say():
    text = (ROOT / "docs" / "gradients.md").read_text(encoding="utf-8")
    for name in write_gradients.ORDER:
        stored = (ROOT / "docs" / "rvr" / "gradients" / f"{name}.json").read_text(encoding="utf-8")
        assert "NaN" not in stored
        assert write_gradients.section(name, json.loads(stored)) in text


def test_values_that_are_not_numbers_are_null():
    assert measure_gradients.known({"a": float("nan"), "b": {"c": 1.5}}) == {"a": None, "b": {"c": 1.5}}
    row = {"data": None, "errors": {"data": None}}
    assert measure_gradients.shown(row, "data", 2) == "–"
