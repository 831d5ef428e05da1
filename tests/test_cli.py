"""The `janshi` command: quick to answer, plain where there is no terminal, clear about bad input."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from click.testing import Result
from typer.testing import CliRunner

from janshi.cli.command import app
from patience import PATIENCE


def here(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, arguments)


def janshi(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "janshi", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False)


def test_help_names_the_commands():
    done = janshi("--help")
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
    [
        ("--rules", "nonsense", "tenhou"),
        ("--players", "nobody", "greedy"),
        ("--players", "greedy,random", "four"),
    ],
)
def test_watch_says_what_would_have_been_right(option: str, value: str, said: str):
    done = here("watch", option, value)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_hand_tells_distance_and_useful_tiles():
    assert "1 from tenpai" in here("hand", "123m406p78s11223z").stdout
    assert "waits: 1z×2 2z×2  (4 tiles)" in janshi("hand", "123m406p789s1122z").stdout


def test_hand_lists_the_best_discards():
    assert "7z: 2-shanten with 23 tiles" in here("hand", "1245m3489p2266s7z3m").stdout


def test_hand_scores_a_complete_hand():
    assert "8 han 20 fu, baiman" in here("hand", "234m406p66345678s", "--tsumo", "--riichi", "--dora", "5s").stdout


def test_the_examples_of_its_help_are_hands():
    from janshi.rules.riichi.hand import Hand

    examples = re.findall(r'"([^"]+)"', " ".join(here("hand", "--help").stdout.replace("│", "").split()))
    assert len(examples) == 2
    assert [len(Hand(tiles).tiles) >= 10 for tiles in examples] == [True, True]


@pytest.mark.parametrize(("option", "value"), [("--seat", "X"), ("--round", ""), ("--dora", "9z")])
def test_hand_refuses_wrong_options_of_any_hand(option: str, value: str):
    assert here("hand", "123m406p789s1122z", option, value).exit_code == 2


@pytest.mark.parametrize(("tiles", "said"), [("123m45", "position 6"), ("11111m", "only 4"), ("123m", "expected 13")])
def test_hand_refuses_what_cannot_be(tiles: str, said: str):
    done = here("hand", tiles)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("package", "extra", "command"),
    [
        ("scipy", "arena", ("match", "greedy", "--vs", "random", "--east", "-n", "2")),
        ("openskill", "arena", ("tournament", "greedy", "random", "tsumogiri", "careful", "--east", "-n", "1")),
        ("scipy", "arena", ("luck", ".")),
    ],
)
def test_a_missing_package_is_reported_before_the_work(package: str, extra: str, command: tuple[str, ...]):
    code = f"import sys; sys.modules[{package!r}] = None; from janshi.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    wanted = f"{package} is needed, which is not installed: pip install 'janshi[{extra}]'"
    assert done.stderr == f"janshi {command[0]}: {wanted}\n"


def test_web_refuses_a_folder_of_matches_that_is_not_there():
    done = janshi("web", "--matches", "nowhere", "--port", "0", "--no-warm")
    assert done.returncode == 2
    assert "nowhere" in done.stderr


def test_rules_lists_every_preset():
    shown = janshi("rules").stdout
    for name in ("tenhou", "mahjong_soul", "mleague", "swap_ban"):
        assert name in shown
