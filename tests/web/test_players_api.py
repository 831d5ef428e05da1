"""The players and matches over HTTP: figures are those of the documentation, matches those of the data directory."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from janshi.agents.registry import AGENTS, agent_names
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.summary import summarise
from janshi.web.errors import add_errors
from janshi.web.players import measured, router
from janshi.web.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def load_script() -> ModuleType:
    name = "write_players"
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


script = load_script()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def web(data: Path) -> TestClient:
    app = FastAPI()
    app.state.settings = Settings(data)
    add_errors(app)
    app.include_router(router)
    return TestClient(app)


# --- figures


def test_the_file_of_the_package_agrees_with_the_pages() -> None:
    written = json.loads(json.dumps(script.gather()))
    assert written == measured(), "the pages have other figures: run python scripts/write_players.py"


@pytest.mark.parametrize(
    ("text", "value", "low", "high"),
    [
        ("2.10 (2.04 – 2.16)", 2.10, 2.04, 2.16),
        ("+6.13 ± 0.69", 6.13, 5.44, 6.82),
        ("-32.46 ± 0.36", -32.46, -32.82, -32.10),
    ],
)
def test_intervals_are_read(text: str, value: float, low: float, high: float) -> None:
    assert script.estimate(text) == pytest.approx({"value": value, "low": low, "high": high})


def test_times_and_counts_are_read() -> None:
    assert script.milliseconds("3.3 µs") == pytest.approx(0.0033)
    assert script.milliseconds("7.66 ms") == pytest.approx(7.66)
    assert script.count("6,000") == 6000
    assert script.count("120, 3 faults") == 120
    assert script.share("22.2 %") == pytest.approx(0.222)
    assert script.share("–") is None


def test_of_two_matches_of_the_same_players_the_larger_counts() -> None:
    few, many = ({"rules": "r", "agent": "a", "against": "b", "games": games} for games in (10, 20))
    assert script.widest(iter([few, many])) == [many]
    assert script.widest(iter([many, few])) == [many]


def test_every_agent_has_its_idea_and_strength(web: TestClient) -> None:
    players = {player["name"]: player for player in web.get("/api/players").json()}
    assert set(AGENTS) < set(players)
    assert players["majiang"]["third_party"]
    for name, entry in AGENTS.items():
        assert players[name]["idea"] == entry.idea
        assert (ROOT / "docs" / players[name]["page"]).is_file()
    for family in ("riichi", "guobiao", "simplified"):
        for name in agent_names(family):
            assert players[name]["measured"] or players[name]["standings"], f"{name} was never measured"


def test_intervals_hold_their_figures(web: TestClient) -> None:
    for player in web.get("/api/players").json():
        for one in player["measured"]:
            figures = [one[name] for name in ("rank", "points") if one[name]]
            assert figures
            assert all(figure["low"] <= figure["value"] <= figure["high"] for figure in figures)
            assert one["date"]
            assert one["games"] > 0


def test_curves_rise_in_decisions(web: TestClient) -> None:
    curves = web.get("/api/players/curves").json()
    assert {curve["rules"] for curve in curves["learning"]} == {"simplified/paper", "guobiao/botzone"}
    for curve in curves["learning"]:
        assert curve["columns"] == ["decisions", "seconds", "points", "win"]
        for run in curve["runs"]:
            decisions = [point[0] for point in run["points"]]
            assert decisions == sorted(decisions)
    assert len(curves["thinking"]["points"]) >= 2


# --- matches


def test_no_matches_is_an_empty_list(web: TestClient) -> None:
    assert web.get("/api/players/matches").json() == []


def test_matches_of_the_data_directory_are_summarised(web: TestClient, data: Path) -> None:
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 12, 3)
    results = run_match(plan, data / "matches" / "friends" / "first")
    (head,) = web.get("/api/players/matches").json()
    assert (head["name"], head["games"], head["planned"]) == ("friends/first", 36, 36)
    assert head["contestants"] == ["greedy", "random"]

    match = web.get(f"/api/players/matches/{head['id']}").json()
    expected = summarise(results, plan).lines[0]
    assert expected.rank is not None
    assert match["lines"][0]["label"] == "greedy"
    assert match["lines"][0]["rank"]["value"] == pytest.approx(expected.rank.value)
    assert match["lines"][0]["rank"]["low"] == pytest.approx(expected.rank.low)
    assert match["differences"][0]["rank"]["value"] < 0


def test_other_things_in_the_folder_do_no_harm(web: TestClient, data: Path) -> None:
    place = data / "matches" / "broken"
    place.mkdir(parents=True)
    (place / "match.json").write_text("{}")
    (data / "matches" / "notes.txt").write_text("hello")
    assert all(head["name"] != "broken" for head in web.get("/api/players/matches").json())


@pytest.mark.parametrize("name", ["0123456789abcdef", "..%2f..%2fetc", "x", "0123456789ABCDEF"])
def test_no_other_path_is_read(web: TestClient, name: str) -> None:
    assert web.get(f"/api/players/matches/{name}").status_code in (404, 422)
