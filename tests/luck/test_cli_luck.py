"""`janshi luck` and `janshi match --luck-adjusted`, from files to tables and pages, with a value function of chance."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.luck.games import games_of_records, join_played, pick_games
from janshi.luck.measure import score_games
from janshi.luck.network import Weights, shapes
from janshi.luck.sources import gather
from janshi.luck.summary import summarise
from janshi.luck.value import ValueFunction
from janshi.records.formats import read_file
from janshi.records.importer import import_records
from janshi.records.mjai import writer as mjai_write
from janshi.records.recorder import Recorder
from janshi.records.tenhou6 import writer as tenhou6_write
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table

NAMES = (("ann", "bob", "cid", "dee"), ("eve", "ann", "fay", "bob"), ("bob", "gus", "hal", "ann"))


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def value(tmp_path_factory) -> str:
    """A meaningless value function: everything must add up all the same."""
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes(8, 8, 8).items()}
    path = tmp_path_factory.mktemp("value") / "value.npz"
    ValueFunction(Weights(**arrays), {"version": "of chance"}).save(path)
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Three games in two formats."""
    place = tmp_path_factory.mktemp("games")
    for seed, names in enumerate(NAMES):
        table = Table(seed, TENHOU_EAST)
        players = [KernelPlayer("greedy", seed + i) for i in range(4)]
        recorder = Recorder(table, names)
        while not table.over:
            recorder.step({player: players[player](table, player) for player in table.asked})
        write, ending = (tenhou6_write.write, "json") if seed == 1 else (mjai_write.write, "jsonl")
        (place / f"game{seed}.{ending}").write_text(write(recorder.record()), encoding="utf-8")
    return place


# --- the command


def test_one_game(folder, value):
    out = run("luck", str(folder / "game0.jsonl"), "--value", value)
    for word in ("game0.jsonl", "ann", "bob", "cid", "dee", "deal", "draws", "dora", "ura", "rank without luck"):
        assert word in out
    assert re.search(r"Luckiest: +\w+, (East|South) \d.*[+]\d\.\d\d places", out)
    assert re.search(r"Unluckiest: +\w+, (East|South) \d.*-\d\.\d\d places", out)
    assert "Games needed" not in out
    assert "rough guess" not in out, "one game says nothing about how many are needed"
    assert "In total" not in out  # one game is its own total
    assert "Luck measured by: luck of chance" in out


def test_a_folder_from_one_player_s_side(folder, value):
    out = run("luck", str(folder), "--player", "ann", "--value", value)
    assert "ann, game by game" in out
    assert [f"game{i}" in out for i in range(3)] == [True] * 3
    assert "In total: 3 games" in out
    assert " ± " in out
    assert "cid" not in out.replace("cid drew", "")
    assert "In total: 2 games" in run("luck", str(folder), "--player", "ann", "--limit", "2", "--value", value)


def test_json_tells_all_and_adds_up(folder, value):
    told = json.loads(run("luck", str(folder), "--json", "--value", value, "--errors", "careful", "-j", "2"))
    assert (told["games"], told["problems"]) == (3, [])
    assert len(told["by game"]) == 3
    for game in told["by game"]:
        seats = game["players"]
        assert sorted(seat["rank"] for seat in seats) == [1, 2, 3, 4]
        assert sum(sum(seat["luck"].values()) for seat in seats) == pytest.approx(0, abs=1e-4)
        assert sum(seat["adjusted rank"] for seat in seats) == pytest.approx(10, abs=1e-4)
        for seat in seats:
            assert seat["adjusted rank"] == pytest.approx(seat["rank"] + sum(seat["luck"].values()))
    ann = next(line for line in told["players"] if line["name"] == "ann")
    mine = [seat for game in told["by game"] for seat in game["players"] if seat["name"] == "ann"]
    assert ann["rank"]["adjusted"]["value"] == pytest.approx(np.mean([seat["adjusted rank"] for seat in mine]))
    assert ann["points"]["raw"]["value"] == pytest.approx(np.mean([seat["points"] for seat in mine]))
    opinions = {found["name"]: found for found in told["error rates"]}
    assert opinions["ann"]["unit"] == "points"
    assert opinions["ann"]["all decisions"]["judged"] > 50
    assert "adjusted" not in json.dumps(opinions)


def test_json_lists_every_player_and_all_seats_together(folder, value):
    told = json.loads(run("luck", str(folder), "--json", "--value", value))
    assert {line["name"] for line in told["players"]} == {name for names in NAMES for name in names}
    assert told["players left out"] == 0
    seats = [seat for game in told["by game"] for seat in game["players"]]
    for source in ("deal", "draws", "dora", "ura"):
        lucks = [seat["luck"][source] for seat in seats]
        assert told["all seats"]["mean luck by source"][source] == pytest.approx(np.mean(lucks), abs=1e-6)
        assert told["all seats"]["mean absolute luck by source"][source] == pytest.approx(np.mean(np.abs(lucks)))
    few = json.loads(run("luck", str(folder), "--json", "--value", value, "--players", "2"))
    assert [line["name"] for line in few["players"]] == ["ann", "bob"]
    assert few["players left out"] == len(told["players"]) - 2


def test_more_than_twenty_players_are_all_in_json(folder, value, tmp_path):
    record = read_file(folder / "game0.jsonl")
    for game in range(6):
        record.names = tuple(f"player {game} {seat}" for seat in range(4))
        (tmp_path / f"{game}.jsonl").write_text(mjai_write.write(record), encoding="utf-8")
    told = json.loads(run("luck", str(tmp_path), "--json", "--value", value))
    assert len(told["players"]) == 24
    assert "… and 4 more players" in run("luck", str(tmp_path), "--games", "0", "--value", value)


def test_few_games_say_nothing_about_variances(folder, value):
    out = run("luck", str(folder), "--value", value)
    assert "Variance without luck: too few games (3 of 30)" in out
    assert re.search(r"ann .*too few games", out)
    assert not re.search(r"[+-]\d+ %", out.partition("Games needed")[0])
    told = json.loads(run("luck", str(folder), "--json", "--value", value))
    assert told["all seats"]["too few games"]
    assert told["all seats"]["variance ratio of ranks"] is None
    assert told["players"][0]["rank"]["variance ratio"] is None


def test_enough_games_give_the_pooled_variance_ratio(folder, value, monkeypatch):
    monkeypatch.setattr("janshi.luck.estimators.ENOUGH", 3)
    told = json.loads(run("luck", str(folder), "--json", "--value", value))
    seats = [seat for game in told["by game"] for seat in game["players"]]
    ratio = np.var([seat["adjusted rank"] for seat in seats]) / np.var([seat["rank"] for seat in seats])
    assert told["all seats"]["variance ratio of ranks"]["value"] == pytest.approx(ratio, rel=1e-4)
    assert f"Variance without luck: {100 * (ratio - 1):+.0f} % (" in run("luck", str(folder), "--value", value)


def test_threads_change_nothing(folder, value):
    one, two = (run("luck", str(folder), "--json", "--value", value, "-j", str(n)) for n in (1, 2))
    assert one == two


def test_a_device_tells_the_same(folder, value):
    pytest.importorskip("torch")
    plain, there = (
        json.loads(run("luck", str(folder), "--value", value, "--json", *more)) for more in ([], ["--device", "cpu"])
    )
    assert len(plain["by game"]) == 3
    for game, same in zip(plain["by game"], there["by game"], strict=True):
        for seat, other in zip(game["players"], same["players"], strict=True):
            assert other["adjusted rank"] == pytest.approx(seat["adjusted rank"], abs=1e-3)
            assert other["luck"] == pytest.approx(seat["luck"], abs=1e-3)
    assert "cannot use the device 'nowhere'" in run("luck", str(folder), "--device", "nowhere", code=2)


def test_the_error_rate_is_shown_separately(folder, value):
    out = run("luck", str(folder / "game1.json"), "--player", "eve", "--errors", "careful", "--value", value)
    assert "Error rate of eve: decisions, not luck, in the opinion of careful" in out
    assert out.index("rank without luck") < out.index("Error rate")


def test_a_bad_file_is_named_and_the_rest_measured(folder, value, tmp_path):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "bad.jsonl").write_text("{nonsense", encoding="utf-8")
    half = (folder / "game0.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "half.jsonl").write_text("\n".join(half[: len(half) // 2]), encoding="utf-8")
    result = CliRunner().invoke(app, ["luck", str(tmp_path), "--value", value])
    assert result.exit_code == 1
    assert "left out: " in result.output
    assert "bad.jsonl" in result.output
    assert "half.jsonl" in result.output
    assert "In total: 3 games" in result.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "there is no file or folder nowhere"),
        (("{folder}", "--player", "zoe"), "no game of a player called 'zoe' could be read"),
        (("{folder}", "--errors", "greedy"), "agent 'greedy' puts no value on choices"),
        (("{folder}", "--value", "{folder}/game0.jsonl"), "is not a value function"),
    ],
)
def test_mistakes_take_one_line(folder, value, words, told):
    said = [word.format(folder=folder) for word in words]
    more = [] if "--value" in said else ["--value", value]
    assert told in run("luck", *said, *more, code=2)


def test_the_page(folder, value, tmp_path):
    page = tmp_path / "deep" / "luck.html"
    assert "wrote" in run("luck", str(folder), "--player", "ann", "--html", str(page), "--value", value)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.count("<svg") == 2 + 3  # rank and luck through the career, luck through each game
    assert "rank without luck" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    everybody = tmp_path / "all.html"
    run("luck", str(folder), "--html", str(everybody), "--errors", "careful", "--value", value)
    text = everybody.read_text(encoding="utf-8")
    assert text.count("Luck of gus through the game.") == 1
    assert "This measures decisions, not luck" in text


def test_names_cannot_break_the_page(folder, value, tmp_path):
    record = read_file(folder / "game0.jsonl")
    record.names = ("<script>alert(1)</script>", "[bold]x", "", "dee")
    (tmp_path / "evil.jsonl").write_text(mjai_write.write(record), encoding="utf-8")
    page = tmp_path / "page.html"
    out = run("luck", str(tmp_path / "evil.jsonl"), "--html", str(page), "--value", value)
    assert "[bold]x" in out
    assert "player 2" in out
    assert "<script>" not in page.read_text(encoding="utf-8")


# --- gathering


def test_a_data_set_gives_the_same_games(folder, value, tmp_path):
    import_records([folder], tmp_path / "set", workers=1)
    of_files, of_set = gather([folder]), gather([tmp_path / "set"])
    assert of_set.names == of_files.names
    for name in ("scores", "kyoku", "honba", "sticks", "decisions"):
        assert np.array_equal(of_set.hands[name], of_files.hands[name])
    assert np.array_equal(of_set.ranks, of_files.ranks)
    files, data = (
        json.loads(run("luck", str(path), "--json", "--player", "bob", "--value", value))
        for path in (folder, tmp_path / "set")
    )
    assert data["players"][0]["rank"]["adjusted"]["value"] == files["players"][0]["rank"]["adjusted"]["value"]


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_damaged_value_function_is_named(folder, value, tmp_path, share):
    content = Path(value).read_bytes()
    (tmp_path / "cut.npz").write_bytes(content[: int(share * len(content))])
    assert "cut.npz is not a value function" in run("luck", str(folder), "--value", str(tmp_path / "cut.npz"), code=2)


def test_too_few_games_to_fit_are_reported(folder, value):
    told = "fitting needs at least 7 games of a player, but there are 3"
    assert told in run("luck", str(folder), "--value", value, "--fitted", code=2)


def test_only_players_of_many_games_are_fitted(folder, value, monkeypatch):
    scored = score_games(gather([folder]), ValueFunction.load(Path(value)))
    monkeypatch.setattr("janshi.luck.summary.LEAST_FITTED", 3)
    monkeypatch.setattr("janshi.arena.control.SPARE", -1)
    slopes = {line.name: set(line.rank.coefficients.values()) for line in summarise(scored, fitted=True).players}
    assert slopes["ann"] != {1.0}
    assert slopes["gus"] == {1.0}


def test_a_data_set_without_games_is_reported(value, tmp_path):
    (tmp_path / "bad.jsonl").write_text("{nonsense", encoding="utf-8")
    import_records([tmp_path / "bad.jsonl"], tmp_path / "set", workers=1)
    assert "no game could be read" in run("luck", str(tmp_path / "set"), "--value", value, code=2)


def test_games_are_joined_and_picked_whole(folder):
    records = [read_file(path) for path in sorted(folder.iterdir())]
    whole = games_of_records(records)
    joined = join_played([games_of_records(records[:1]), games_of_records(records[1:])])
    for name in ("hands", "answers", "game", "ranks", "scores"):
        left, right = getattr(whole, name), getattr(joined, name)
        if name == "hands":
            left, right = left.copy(), right.copy()
            left["row"] = right["row"] = 0
        assert np.array_equal(left, right), name
    last = pick_games(whole, [0, 2])
    assert last.names == [NAMES[0], NAMES[2]]
    assert np.array_equal(np.unique(last.game), [0, 1])
    hand = last.hands[last.game == 1][0]
    assert np.array_equal(hand["wall"], whole.hands[whole.game == 2][0]["wall"])
    assert len(join_played([])) == 0


# --- matches


def test_a_match_without_luck(tmp_path):
    words = ("match", "careful", "--vs", "greedy", "--east", "-n", "3", "--quiet", "--seed", "5")
    out = run(*words, "--luck-adjusted")
    assert "Without luck: 12 games on 3 wall sets" in out
    assert "games saved" in out
    plain = str(tmp_path / "m")
    run(*words, "--out", plain)
    again = run(*words, "--out", plain, "--luck-adjusted")  # its answers were not kept: it is played again
    told = [text[text.index("Without luck") :].partition("games are in")[0] for text in (out, again)]
    assert told[0] == told[1]


def test_a_match_in_points_without_luck():
    pytest.importorskip("torch")
    words = ("match", "greedy", "--vs", "random", "--rules", "simplified", "-n", "3", "--quiet", "--luck-adjusted")
    out = run(*words)
    assert "Without luck: 9 games on 3 wall sets" in out
    assert "points without luck" in out
    assert "Luck measured by: luckfree-draws-simplified" in out


def test_a_match_of_a_game_without_values_has_no_luck_to_take_out(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr("janshi.luck.points.measure.measurable", lambda family: False)
    words = ("match", "greedy", "--vs", "random", "--rules", "simplified", "-n", "2", "--quiet", "--luck-adjusted")
    assert "there are no values of draws for simplified" in run(*words, code=2)
