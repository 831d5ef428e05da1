"""Bots are strangers: what they inherit, what they may use, and that they end with us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from janshi.arena.contestants import make_bot
from janshi.protocols.confinement import CAN_LIMIT, MIB, PLAIN, Confinement
from janshi.protocols.guard import Guard
from janshi.protocols.process import Child, ChildError
from patience import PATIENCE, group_lives, wait_until

PYTHON = [sys.executable, "-S", "-E", "-c"]
LIMITS = "import resource as r; print(*(r.getrlimit(w)[0] for w in (r.RLIMIT_DATA, r.RLIMIT_NOFILE, r.RLIMIT_CPU)))"
needs_limits = pytest.mark.skipif(not CAN_LIMIT, reason="only Linux can limit a running program")


def output(code: str, confinement: Confinement = PLAIN) -> str:
    """What a program prints, once its limits are set."""
    child = Child([*PYTHON, f"input(); {code}"], confinement=confinement)
    try:
        deadline = time.monotonic() + PATIENCE
        child.send_line("", deadline)
        line = child.read_line(deadline)
        if line is None:
            raise child.death()
        return line
    finally:
        child.kill()


# --- what it inherits


def test_a_bot_sees_no_secret_of_ours(monkeypatch: pytest.MonkeyPatch):
    for name in ("JANSHI_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "MY_SETTING"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "C")
    seen = set(output("import os; print(*os.environ)").split())
    assert {"PATH", "LC_TIME"} <= seen
    assert not seen & {"JANSHI_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "MY_SETTING"}


def test_a_variable_can_be_passed_on_by_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_MODEL", "big")
    monkeypatch.setenv("MY_TOKEN", "secret")
    bot = make_bot("botzone,env=MY_MODEL+OTHER:./bot")
    assert bot.process.confinement.variables == ("MY_MODEL", "OTHER")
    seen = output("import os; print(*os.environ)", bot.process.confinement).split()
    assert "MY_MODEL" in seen
    assert "MY_TOKEN" not in seen


def test_a_bot_inherits_no_open_file(tmp_path: Path):
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        with pytest.raises(ChildError, match="Bad file descriptor"):
            output(f"import os; os.fstat({file.fileno()}); print('open')")


# --- what it may use


@needs_limits
def test_every_bot_has_limits():
    memory, files, cpu = map(int, output(LIMITS).split())
    assert (memory, files) == (4096 * MIB, 256)
    assert 3600 <= cpu <= 3601


@needs_limits
@pytest.mark.parametrize("kind", ["mjai", "botzone", "mjai,reply=asked"])
def test_limits_can_be_changed_and_lifted(kind: str):
    bot = make_bot(f"{kind},memory=100,cpu=7,files=20:./bot")
    confinement = bot.process.confinement if kind == "botzone" else bot.confinement
    assert confinement == Confinement(memory=100, cpu=7, files=20)
    lifted = make_bot(f"{kind},memory=no,cpu=no,files=no:./bot")
    assert (lifted.process if kind == "botzone" else lifted).confinement == Confinement(None, None, None)
    assert output(LIMITS, Confinement(100, 7, 20)) in (f"{100 * MIB} 20 7", f"{100 * MIB} 20 8")
    ours = subprocess.run([*PYTHON, LIMITS], capture_output=True, text=True, check=True).stdout
    assert output(LIMITS, Confinement(None, None, None)) == ours.strip()


@pytest.mark.parametrize("option", ["memory=0", "memory=much", "cpu=-1", "files=3.5"])
def test_a_limit_is_a_number_or_no(option: str):
    with pytest.raises(ValueError, match="cannot be"):
        make_bot(f"botzone,{option}:./bot")


@needs_limits
def test_a_bot_that_takes_too_much_memory_fails_with_the_limit_named():
    with pytest.raises(ChildError, match=r"more than 64 MiB of memory \(memory=no lifts this limit\)"):
        output(f"x = bytearray({200 * MIB}); print(len(x))", Confinement(memory=64))
    assert output(f"x = bytearray({200 * MIB}); print(len(x))") == str(200 * MIB)


@needs_limits
def test_reserved_memory_does_not_count():
    """Node and Java reserve gigabytes that they never write to."""
    code = (
        f"import mmap; m = mmap.mmap(-1, {1 << 34}, prot=0, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); print('ok')"
    )
    assert output(code, Confinement(memory=64)) == "ok"


@needs_limits
def test_a_bot_that_takes_too_much_processor_time_is_ended_with_a_reason():
    with pytest.raises(ChildError, match=r"used up its 1 s of processor time \(cpu=no lifts this limit\)"):
        output("exec('while True: pass')", Confinement(cpu=1))


@needs_limits
def test_a_new_game_renews_the_processor_time():
    code = (
        "import resource; exec('while sum(resource.getrusage(0)[:2]) < 0.7: pass'); print('used'); input(); " + LIMITS
    )
    child = Child([*PYTHON, code], confinement=Confinement(cpu=5))
    deadline = time.monotonic() + PATIENCE
    assert child.read_line(deadline) == "used"
    child.renew()
    child.send_line("", deadline)
    line = child.read_line(deadline)
    child.kill()
    assert line is not None
    assert int(line.split()[2]) >= 6


# --- how it starts and ends


def test_starting_a_bot_copies_none_of_our_memory(monkeypatch: pytest.MonkeyPatch):
    """A function to run before the program starts would make Python fork the whole process."""
    started: list[dict[str, object]] = []
    popen = subprocess.Popen

    def note(*args: object, **options: object) -> object:
        started.append(options)
        return popen(*args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", note)
    assert output("print(1)") == "1"
    assert started
    assert all(options.get("preexec_fn") is None for options in started)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux has process descriptors")
def test_waiting_for_the_end_does_not_poll(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it polls"))
    child = Child([*PYTHON, "import time; time.sleep(0.05); raise SystemExit(3)"])
    assert child.exit_status(time.monotonic() + PATIENCE) == 3
    child.kill()


def test_a_guard_kills_only_what_is_left():
    left, ended = (subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(2))
    guard = Guard()
    guard.watch(left.pid)
    guard.watch(ended.pid)
    guard.forget(ended.pid)
    guard.close()
    assert left.wait(PATIENCE) == -signal.SIGKILL
    assert ended.poll() is None
    ended.kill()
    ended.wait()


def test_a_guard_that_was_killed_is_replaced():
    guard, sleepers = Guard(), [subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(2)]
    guard.watch(sleepers[0].pid)
    assert guard._shell is not None
    guard._shell.kill()
    guard._shell.wait()
    guard.watch(sleepers[1].pid)
    guard.close()
    assert [sleeper.wait(PATIENCE) for sleeper in sleepers] == [-signal.SIGKILL] * 2


SLEEPER = """
import os, sys, time
with open(sys.argv[1], "w") as note:
    print(os.getpid(), file=note)
time.sleep(600)
"""
HOST = """
import sys, threading, time
from janshi.protocols.process import Child

def start():
    child = Child([sys.executable, "-c", *sys.argv[1:]])
    open(sys.argv[2] + ".watched", "w").close()
    child.read_line(time.monotonic() + 600)

threading.Thread(target=start).start()
"""


def test_a_bot_started_by_a_thread_ends_with_us(tmp_path: Path):
    note = tmp_path / "group"
    ours = subprocess.Popen([sys.executable, "-c", HOST, SLEEPER, str(note)])
    watched = tmp_path / "group.watched"
    wait_until(lambda: watched.exists() or ours.poll() is not None, "the bot is watched")
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"), "the bot starts")
    ours.send_signal(signal.SIGKILL)
    ours.wait()
    wait_until(lambda: not group_lives(int(note.read_text())), "the bot ends with us")
