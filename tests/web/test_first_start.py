"""The first start: processes compile side by side, and getting ready waits for what they do."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from pkgutil import resolve_name

import numba
import pytest

from janshi.rules.registry import families
from janshi.web import first_start, warmup
from janshi.web.families.riichi import FIRST_AGENTS
from janshi.web.first_start import Lanes, is_compiled
from janshi.web.warmup import Warmth, agent_job, plan_lanes, rules_job, warmed_agents
from patience import PATIENCE

JOBS = """
import os, time
from pathlib import Path
from pkgutil import resolve_name

def write(name):
    Path(os.environ["JOBS_WRITE"], name).write_text(str(os.getpid()))

def wait_for(name):
    while not Path(os.environ["JOBS_WRITE"], name).exists():
        time.sleep(0.01)

def fail():
    raise RuntimeError("no")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that jobs write to; the jobs are in a module that processes find."""
    (tmp_path / "jobs_here.py").write_text(JOBS)
    monkeypatch.setenv("JOBS_WRITE", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    return tmp_path


def test_lanes_run_side_by_side(folder: Path) -> None:
    """The first lane waits for the second: in sequence they would never end."""
    lanes = Lanes([["jobs_here:wait_for b", "jobs_here:write a"], ["jobs_here:write b"]])
    lanes.wait(["jobs_here:write a", "a job of nobody"])
    assert (folder / "a").read_text() != (folder / "b").read_text()
    assert str(os.getpid()) not in {(folder / name).read_text() for name in "ab"}
    assert lanes.seconds["jobs_here:wait_for b"] <= lanes.seconds["jobs_here:write a"]


def test_nobody_waits_for_a_process_that_failed(folder: Path) -> None:
    lanes = Lanes([["jobs_here:fail", "jobs_here:write a"]])
    lanes.wait(lanes.jobs)
    assert not (folder / "a").exists()
    assert lanes.seconds == {}


def test_processes_end_when_stopped(folder: Path) -> None:
    lanes = Lanes([["jobs_here:wait_for nothing"]])
    lanes.stop()
    lanes.wait(lanes.jobs)
    assert [process.poll() is not None for process in lanes._processes] == [True]


def test_every_job_is_planned_once_and_the_strongest_comes_first() -> None:
    lanes = plan_lanes("riichi")
    jobs = [job for lane in lanes for job in lane]
    assert len(jobs) == len(set(jobs))
    wanted = {rules_job(family) for family in families()}
    wanted |= {agent_job(*item) for item in warmed_agents()}
    assert wanted <= set(jobs)
    assert lanes[0][0] == rules_job("riichi")
    assert [lane[0] for lane in lanes[1:]] == ["janshi.agents.learned.apprentice:compile_kernels"]
    needed = {job for jobs in FIRST_AGENTS.values() for job in jobs}
    assert needed <= set(jobs)
    for job in jobs:
        assert callable(resolve_name(job.split()[0]))


def test_getting_ready_loads_what_processes_have_compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules first, then the first agents' answers, then all agents with their explanations."""
    done: list[str] = []
    lanes = [["jobs_here:wait_for go", rules_job("riichi")], ["jobs_here:wait_for go"]]
    monkeypatch.setattr(warmup, "is_first_start", lambda family: family == "riichi")
    monkeypatch.setattr(warmup, "plan_lanes", lambda _: lanes)
    monkeypatch.setattr(warmup, "warm_rules", done.append)
    monkeypatch.setattr(warmup, "warm_answer", lambda family, label: done.append(f"{family} {label} answers"))
    monkeypatch.setattr(warmup, "warm_agent", lambda family, label: done.append(f"{family} {label}"))
    monkeypatch.setattr(first_start, "_start", lambda jobs, start=first_start._start: start(jobs[:1]))
    warmth = Warmth()
    warmth.start()
    assert ("riichi", "mdp") in warmth.pending
    assert done == []
    assert str(warmth.words()).startswith("Janshi is getting ready (the rules of riichi")
    (folder / "go").touch()
    for thread in threading.enumerate():
        if thread.name == "janshi-warm":
            thread.join(PATIENCE)
    assert warmth.finished
    assert not warmth.pending
    assert warmth.done == set(families())
    assert done[:3] == ["riichi", "riichi apprentice answers", "riichi mdp answers"]
    assert len(done) == len(set(done)) == len(families()) + len(warmed_agents()) + len(FIRST_AGENTS)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels are plain Python here")
def test_kernels_in_the_cache_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "some_kernels.py"
    file.write_text(
        f"# {tmp_path}: equal files share what was compiled\n"
        "from janshi.core._jit import kernel\n\n\n@kernel\ndef one(x):\n    return x + 1\n\n\n"
        "@kernel\ndef two(x):\n    return x + 2\n"
    )
    kernels = load_module(file)
    assert not is_compiled(kernels.one)
    assert kernels.one(1) == 2
    assert is_compiled(kernels.one)
    assert not is_compiled(kernels.two)
    assert is_compiled(len), "not a kernel: nothing to compile"


def load_module(file: Path):  # type: ignore[no-untyped-def]
    """The module of a file."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
