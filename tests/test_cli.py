"""The `janshi` command: quick to answer, plain where there is no terminal, clear about bad input."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest


def janshi(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "janshi", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)


def test_help_is_quick_and_names_the_commands():
    start = time.perf_counter()
    done = janshi("--help")
    assert time.perf_counter() - start < 1.5
    assert done.returncode == 0
    assert "watch" in done.stdout


def test_version():
    import janshi as package

    assert janshi("--version").stdout.strip() == f"janshi {package.__version__}"


def test_no_command_shows_the_help():
    assert "Usage" in janshi().stdout + janshi().stderr


@pytest.fixture(scope="module")
def game() -> str:
    done = janshi("watch", "--seed", "7", "--players", "greedy,greedy,random,tsumogiri")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_watch_without_a_terminal_prints_plain_lines(game: str):
    assert "\x1b" not in game
    assert "East 1" in game
    assert "Final standing" in game


def test_watch_shows_every_hand_with_its_result(game: str):
    hands = [line for line in game.splitlines() if line.startswith(("East ", "South "))]
    results = [line for line in game.splitlines() if line.startswith("  scores: ")]
    assert len(hands) == len(results) >= 4


def test_watch_is_the_same_from_the_same_seed(game: str):
    again = janshi("watch", "--seed", "7", "--players", "greedy,greedy,random,tsumogiri").stdout
    assert again == game


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [("--rules", "nonsense", "tenhou"), ("--players", "nobody", "greedy"), ("--players", "greedy,random", "four")],
)
def test_watch_says_what_would_have_been_right(option: str, value: str, said: str):
    done = janshi("watch", option, value)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
