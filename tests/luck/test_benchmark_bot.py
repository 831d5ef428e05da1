"""A bot's rating: what a rank means, when to stop, messages on a failing bot, and the command with mjai bots."""

from __future__ import annotations

import sys
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.arena.ladder import Figure, Rung
from janshi.arena.match import run_match
from janshi.arena.stats import Estimate, mean
from janshi.arena.store import MatchStore
from janshi.cli.command import app
from janshi.luck.benchmark.rating import expected_rank, rating_of
from janshi.luck.benchmark.report import write_benchmark
from janshi.luck.benchmark.run import KEEP, LEAST, LOOK, BotFails, benchmark_bot, benchmark_plan, rungs
from janshi.protocols import majiang
from patience import PATIENCE

FIELD = ("greedy", "one_player", "careful")
CHEAP = ("greedy", "one_player", "greedy")
JANSHI = Path(sys.executable).with_name("janshi")


def rank(value: float, half: float = 0.1) -> Estimate:
    return Estimate(value, value - half, value + half, half / 2, 0.95, 30, 120)


def rung_at(rating: float, half: float = 0.0) -> Rung:
    figure = Figure(rating, rating - half, rating + half)
    return Rung("somebody", "1", figure, figure, 100, {})


# --- the rating


def test_an_equal_of_its_opponents_has_their_rating():
    found = rating_of(rank(2.5), [rung_at(1040)] * 3)
    assert found.value == pytest.approx(1040, abs=0.01)
    assert found.opponents == 0
    assert found.whole.low == pytest.approx(found.low)


def test_a_rating_is_the_one_whose_expected_rank_was_seen():
    opponents = [950.0, 1000.0, 1130.0]
    for rating in (800.0, 1000.0, 1234.0):
        seen = expected_rank(rating, opponents)
        assert rating_of(rank(seen), [rung_at(one) for one in opponents]).value == pytest.approx(rating, abs=0.01)
    assert expected_rank(1000, [900.0]) == pytest.approx(1 + 1 / (1 + 10 ** (100 / 400)))


def test_a_better_rank_is_a_higher_rating_and_the_interval_follows():
    values = [rating_of(rank(r), [rung_at(1000)] * 3) for r in (3.5, 2.9, 2.5, 2.1, 1.4)]
    assert all(a.value < b.value for a, b in pairwise(values))
    for one in values:
        assert one.low < one.value < one.high


def test_winning_everything_is_beyond_the_ladder():
    assert rating_of(rank(1.0, 0.0), [rung_at(1000)] * 3).value == inf
    assert rating_of(rank(4.0, 0.0), [rung_at(1000)] * 3).value == -inf


def test_opponents_own_errors_are_added_and_do_not_shrink():
    exact, vague = [rung_at(1000)] * 3, [rung_at(1000, 30.0)] * 3
    found = rating_of(rank(2.4, 0.001), vague)
    assert found.opponents == pytest.approx(30 / 3**0.5, rel=1e-6)
    assert found.half == pytest.approx(rating_of(rank(2.4, 0.001), exact).half)
    assert found.whole.half > found.half


# --- stopping


@pytest.mark.parametrize("wanted", [0.25, 0.15])
def test_stopping_by_the_interval_keeps_its_promise(wanted: float):
    """Matches of players of equal strength, stopped as a benchmark is: the interval holds the truth about as often."""
    dice, held, matches = np.random.default_rng(7), 0, 600
    for _ in range(matches):
        ranks = dice.random((400, 4, 4)).argsort(2)[:, :, 0] + 1.0  # four games a wall set, of one of four equals
        walls = LEAST
        while True:
            seen = ranks[:walls]
            estimate = mean(seen.ravel(), np.repeat(np.arange(walls), 4))
            if estimate.half_width <= wanted or walls + LOOK > len(ranks):
                break
            walls += LOOK
        held += estimate.low <= 2.5 <= estimate.high
    assert held / matches > 0.92


def test_a_benchmark_stops_when_the_rating_is_known_and_resumes(tmp_path: Path):
    looks: list[int] = []
    done = benchmark_bot(
        "careful",
        tmp_path / "m",
        within=80,
        opponents=CHEAP,
        watch=lambda p: looks.append(len(p.results)),
    )
    assert done.known
    assert done.rating.half <= 80
    assert looks == [4 * (LEAST + LOOK * i) for i in range(len(looks))]
    assert done.adjusted.error < done.rank.error  # without luck it is known better
    assert done.worth > 1
    again: list[int] = []
    tighter = benchmark_bot(
        "careful",
        tmp_path / "m",
        within=done.rating.half - 1e-6,
        opponents=CHEAP,
        most=LEAST + len(looks) * LOOK,
        watch=lambda p: again.append(len(p.results)),
    )
    assert again[: len(looks)] == looks  # nothing of it was played again:
    assert MatchStore(tmp_path / "m").header.created
    assert len(tighter.results) >= len(done.results)
    assert np.array_equal(tighter.results.scores[: len(done.results)], done.results.scores)
    write_benchmark(tighter, tmp_path / "m", tmp_path / "page" / "report.html", 5)
    page = (tmp_path / "page" / "report.html").read_text(encoding="utf-8")
    assert f"<strong>{tighter.rating.value:.0f}</strong>" in page
    assert "Benchmark of careful" in page
    assert ("wider than the ± 5 asked for" in page) == (not tighter.known)
    assert page.count("<svg") >= 2


# --- what cannot be measured


def test_wrong_questions_are_named(tmp_path: Path):
    with pytest.raises(ValueError, match="'mdp' has no rating on the ladder; opponents are "):
        rungs(("mdp", "greedy", "greedy"))
    with pytest.raises(ValueError, match="needs 3 opponents, not 1"):
        benchmark_plan("careful", ("greedy",), 16, "riichi/tenhou_east", 0)
    with pytest.raises(ValueError, match="cannot be measured against itself"):
        benchmark_plan("greedy", FIELD, 16, "riichi/tenhou_east", 0)
    with pytest.raises(ValueError, match="at least 16 wall sets, not 3"):
        benchmark_bot("careful", tmp_path / "m", most=3)
    with pytest.raises(ValueError, match="expected more than 0"):
        benchmark_bot("careful", tmp_path / "m", within=0)
    assert not (tmp_path / "m").exists()


def test_a_bot_that_ends_is_found_out_after_four_games(tmp_path: Path):
    with pytest.raises(BotFails, match=r"failed in 4 of 4 games.*First fault: crash: .*ended with status 3"):
        benchmark_bot(f"mjai:{sys.executable} -c 'raise SystemExit(3)'", tmp_path / "m", opponents=FIELD)
    assert len(MatchStore(tmp_path / "m").read()) == 4


# --- the command, with real bots


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["benchmark-bot", *arguments])
    return result.exit_code, result.output


def test_the_command_rates_a_real_mjai_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Our own agent as a process that speaks mjai is rated as the same agent at the table."""
    monkeypatch.setattr("janshi.luck.benchmark.run.LEAST", 4)
    bot = f"mjai,name=process,seconds={PATIENCE},start_seconds={PATIENCE}:{JANSHI} bot mjai --agent greedy"
    options = ("--against", "one_player,careful,one_player", "--walls", "4", "--within", "1", "--seed", "5")
    code, text = run(bot, *options, "--out", str(tmp_path / "bot"))
    assert code == 0, text
    assert "process: rating " in text
    assert "not yet known to ± 1" in text
    assert "Benchmark of process" in (tmp_path / "bot" / "report.html").read_text(encoding="utf-8")
    plain = benchmark_bot(
        "greedy", tmp_path / "agent", within=1, most=4, seed=5, opponents=("one_player", "careful", "one_player")
    )
    bots = MatchStore(tmp_path / "bot" / "match").read()
    assert np.array_equal(bots.scores, plain.results.scores)
    rating = int(text.split("process: rating ")[1].split()[0])
    assert abs(rating - plain.rating.value) < plain.rating.half  # luck is measured by another style: it is a stranger


def test_majiang_can_be_rated(tmp_path: Path):
    missing = majiang.available()
    if missing is not None:
        pytest.skip(missing)
    majiang.install()
    played = run_match(benchmark_plan("majiang", FIELD, 1, "riichi/tenhou_east", 0), tmp_path / "m", options=KEEP)
    assert len(played) == 4
    assert not any(played.faults)


def test_the_command_says_what_is_wrong(tmp_path: Path):
    code, text = run("nobody", "--out", str(tmp_path / "x"))
    assert (code, "no player is called 'nobody'" in text) == (2, True)
    code, text = run("careful", "--against", "mdp,mdp,mdp", "--out", str(tmp_path / "x"))
    assert (code, "'mdp' has no rating on the ladder" in text) == (2, True)
    code, text = run("search", "--out", str(tmp_path / "x"))
    assert (code, "plays guobiao, simplified, not riichi" in text) == (2, True)
