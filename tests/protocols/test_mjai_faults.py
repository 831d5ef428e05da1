"""Real misbehaving bots (tests/bots): each gives its kind of fault quickly and leaves no process behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mjai_play import Played

from janshi.protocols.bot import BotFault, substitute
from janshi.protocols.mjai import server as mjai_server
from janshi.protocols.mjai.process import MjaiProcessBot
from janshi.protocols.mjai.server import MjaiServer, MjaiTcpBot
from janshi.rules.registry import make_game
from janshi.rules.riichi.table import Table
from patience import PATIENCE, wait_until

BOTS = Path(__file__).resolve().parent.parent / "bots"
LATE = ("hang", "hang_with_child", "late")
"""Bots that never answer, so a short deadline is enough; all others may take as long as they need."""


class Program:
    """A bot of tests/bots and the processes it ran."""

    def __init__(self, name: str, folder: Path, **options: object) -> None:
        self._pids = folder / "pids"
        seconds = 0.5 if name in LATE else PATIENCE
        self.bot = MjaiProcessBot(
            [sys.executable, "-S", str(BOTS / f"{name}.py")],
            **{"seconds": seconds, "start_seconds": PATIENCE, "reply": "always"} | options,
            environment=os.environ | {"PIDS": str(self._pids)},
        )

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self._pids.read_text().split()] if self._pids.exists() else []

    def alive(self) -> list[int]:
        return [pid for pid in self.pids if is_alive(pid)]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has died and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Program]:
    made = Program(request.param, tmp_path)
    yield made
    made.bot.close()
    wait_until(lambda: not made.alive(), "the bot's processes end")


def discard(table: Table, seat: int) -> int:
    return substitute(table, seat)


FAULTS = {
    "crash_at_start": "crash",
    "crash_in_game": "crash",
    "hang": "timeout",
    "hang_with_child": "timeout",
    "late": "timeout",
    "flood": "flood",
    "giant_line": "flood",
    "nonsense": "nonsense",
    "wrong_type": "nonsense",
    "unknown_tile": "nonsense",
    "illegal": "illegal",
}


@pytest.mark.parametrize(("program", "kind"), FAULTS.items(), indirect=["program"], ids=FAULTS)
def test_a_fault_has_its_kind(program: Program, kind: str):
    played = Played(3).play([program.bot, discard, discard, discard], questions=60)
    faults = [fault for _, fault in played.faults]
    kinds = [fault.kind for fault in faults]
    if kinds[0] == "illegal" != kind:  # the first line of a flood is an answer
        kinds, faults = [k for k in kinds if k != "illegal"], faults[kinds.count("illegal") :]
    assert set(kinds) == {kind}
    if kind in ("nonsense", "illegal"):
        assert len(faults) == 1, "the bot plays on"
        assert len(program.alive()) == 1
    else:
        assert len(faults) > 1, "the game goes on without the bot"
        assert faults[0] is faults[-1]
        wait_until(lambda: not program.alive(), "the process is gone though the bot was not closed")


@pytest.mark.parametrize("program", ["crash_at_start"], indirect=True)
def test_last_words_are_reported(program: Program):
    fault = Played(3).play([program.bot, discard, discard, discard], questions=3).faults[0][1]
    assert "no model file" in fault.message
    assert "crash_at_start.py" in fault.message


@pytest.mark.parametrize("program", ["crash_in_game"], indirect=True)
def test_the_next_game_starts_a_fresh_process(program: Program):
    for game in range(1, 3):
        played = Played(game).play([program.bot, discard, discard, discard], questions=30)
        own = [fault for seat, fault in played.faults if seat == 0]
        assert own
        assert len(program.pids) == game
    assert "tile counter broken" in own[0].message


@pytest.mark.parametrize("program", ["one_game"], indirect=True)
def test_a_bot_that_ends_after_each_game_is_started_again(program: Program):
    for game in range(1, 4):
        assert Played(game).play([discard, discard, program.bot, discard]).faults == []
    assert len(program.pids) == 3


@pytest.mark.parametrize("program", ["well_behaved"], indirect=True)
def test_a_process_is_kept_and_ends_with_close(program: Program):
    for game in range(2):
        assert Played(game).play([program.bot, discard, discard, discard], questions=40).faults == []
    assert len(program.alive()) == len(program.pids) == 1
    program.bot.close()
    wait_until(lambda: not program.alive(), "the process ends")


def test_a_bot_that_replies_when_asked_is_found_out():
    """A silent program is taken for one that speaks only when it can act, and is then too slow."""
    silent = MjaiProcessBot([sys.executable, "-c", "import time; time.sleep(60)"], seconds=0.3, start_seconds=0.3)
    played = Played(3).play([silent, discard, discard, discard], questions=3)
    assert silent.reply == "asked"
    assert [fault.kind for _, fault in played.faults][:1] == ["timeout"]


def test_a_command_that_is_not_there():
    bot = MjaiProcessBot("no-such-program --at all")
    played = Played(3).play([bot, discard, discard, discard], questions=3)
    assert played.faults[0][1].kind == "start"
    assert "no-such-program" in played.faults[0][1].message


def test_options_are_checked():
    with pytest.raises(ValueError, match="reply"):
        MjaiProcessBot("x", reply="sometimes")
    with pytest.raises(ValueError, match="command"):
        MjaiProcessBot("")
    with pytest.raises(ValueError, match="above 0"):
        MjaiProcessBot("x", seconds=0)


def test_no_process_is_left_when_we_are_killed(tmp_path: Path):
    code = f"""
import sys; sys.path[:0] = {[str(folder) for folder in Path(__file__).resolve().parents[:2]]!r}
from test_mjai_faults import Program, Played, discard
from pathlib import Path
program = Program("hang", Path({str(tmp_path)!r}), seconds=6000)
Played(3).play([program.bot, discard, discard, discard])
"""
    ours = subprocess.Popen([sys.executable, "-c", code])
    pids = tmp_path / "pids"
    wait_until(lambda: ours.poll() is not None or (pids.exists() and pids.read_text().endswith("\n")), "the bot starts")
    (child,) = map(int, pids.read_text().split())
    assert is_alive(child)
    ours.send_signal(signal.SIGKILL)
    ours.wait()
    wait_until(lambda: not is_alive(child), "the bot ends with us")


# --- clients of the server


def client(server: MjaiServer) -> socket.socket:
    return socket.create_connection((server.host, server.port))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MjaiServer]:
    monkeypatch.setattr(mjai_server, "HANDSHAKE_SECONDS", PATIENCE)
    made = MjaiServer(port=0)
    yield made
    made.close()


def test_a_client_that_disconnects(server: MjaiServer):
    with client(server) as connection:
        connection.sendall(b'{"type":"join","name":"x","room":"default"}\n')
        bot = MjaiTcpBot(server, seconds=PATIENCE)
        table = Table(1)
        bot.begin(table, 0, "abcd")
    bot.tell([{"type": "start_game", "names": list("abcd")}])
    with pytest.raises(BotFault) as fault:
        bot.ask(table, 0)
    assert fault.value.kind == "crash"


def test_a_client_that_is_silent(server: MjaiServer):
    with client(server) as connection:
        connection.sendall(b'{"type":"join","name":"x","room":"default"}\n')
        bot = MjaiTcpBot(server, seconds=0.3)
        bot.begin(Table(1), 0, "abcd")
        bot.tell([{"type": "start_game", "names": list("abcd")}])
        with pytest.raises(BotFault) as fault:
            bot.ask(Table(1), 0)
        assert fault.value.kind == "timeout"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"type":"join","name":"x","room":"other"}\n', "available room: default"),
        (b"hello\n", "JSON syntax error"),
        (b'{"type":"dahai"}\n', "expected e.g."),
    ],
)
def test_a_wrong_join_is_refused_and_another_client_served(server: MjaiServer, line: bytes, problem: str):
    with client(server) as wrong, client(server) as right:
        wrong.sendall(line)
        right.sendall(b'{"type":"join","name":"right","room":"default"}\n')
        link, name = server.take(time.monotonic() + PATIENCE)
        assert name == "right"
        said = wrong.makefile().read().splitlines()
        assert '"protocol": "mjsonp"' in said[0]
        assert problem in said[1]
        link.kill()


def test_nobody_joins(server: MjaiServer):
    bot = MjaiTcpBot(server, seconds=1, join_seconds=0.2)
    bot.begin(Table(1), 0, "abcd")
    with pytest.raises(BotFault) as fault:
        bot.ask(Table(1), 0)
    assert fault.value.kind == "start"


def test_bots_of_one_port_share_a_server():
    port = MjaiServer(port=0)
    number = port.port
    port.close()
    bots = [MjaiTcpBot(number, join_seconds=0.05) for _ in range(2)]
    for bot in bots:
        bot.begin(Table(1), 0, "abcd")
    assert bots[0]._server is bots[1]._server
    for bot in bots:
        bot.close()
    MjaiServer(port=number).close()


# --- the substitute


def test_the_substitute_passes_or_plays_the_drawn_tile():
    from janshi.rules.guobiao.table import Table as GuobiaoTable

    for table in (Table(5), GuobiaoTable(5)):
        passed = drawn = 0
        while not table.over:
            answers = {seat: substitute(table, seat) for seat in table.asked}
            for seat, action in answers.items():
                name = table.game.action_names[action]
                passed += name == "pass"
                drawn += name != "pass"
                assert name == "pass" or action in table.legal_actions(seat)
            table.step(answers or None)
        assert passed > 0
        assert drawn > 0
    with pytest.raises(ValueError, match="not asked"):
        substitute(Table(1), 2)


def test_the_substitute_after_a_call_takes_the_last_discard():
    game = make_game("riichi/tenhou")
    table = Table(1, game.rules)
    while not any("pon" in table.legal_names(seat) for seat in table.asked) and not table.over:
        table.step({seat: substitute(table, seat) for seat in table.asked} or None)
    table.step({seat: "pon" if "pon" in table.legal_names(seat) else "pass" for seat in table.asked})
    (seat,) = table.asked
    assert substitute(table, seat) == table.legal_actions(seat)[-1]
