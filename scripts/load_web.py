"""A load test of the app: many games at once; writes docs/web_load.md.

    python scripts/load_web.py --games 200 --minutes 10 --page
    python scripts/load_web.py --games 50 --minutes 1 --think 0.5

The script starts its own server. Each client plays a riichi game over a socket against three agents, thinks for a
random time before each answer, and starts a new game when one is over. A move's latency is the time from sending an
answer to receiving the first state that shows it, including the agents' thinking time. At the end, the server is
killed and restarted, and every unfinished game must still be there with the same question open. The exit status is 1
if a game was lost, an error was reported, or memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from _page import table, this_machine, today, write_between

PAGE = Path(__file__).resolve().parent.parent / "docs" / "web_load.md"
BEGIN, END = "<!-- load: begin -->", "<!-- load: end -->"
SETTLED = 0.25
"""Share of the time after which memory should no longer grow."""
GROWTH = 1.10
"""Allowed growth of memory from then on."""
SAMPLE = 2.0
"""Seconds between readings of the server's memory."""
PATIENCE = 60.0
"""Seconds without an answer after which a game counts as lost."""


@dataclass
class Load:
    """All measurements."""

    latencies: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    """Seconds from an answer to its acknowledgement."""
    rounds: list[float] = field(default_factory=list)
    """Seconds from an answer to the next question."""
    begun: int = 0
    finished: int = 0
    messages: int = 0
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """(seconds, MiB)."""
    open: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Unfinished games: key, and the number of the open question."""


# --- the server


class Server:
    """The server process of the test."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until riichi can be played."""
        command = [sys.executable, "-m", "janshi", "web", "--port", str(self.port), "--data", str(self.data)]
        command += ["--no-warm", "--quota-games", "0"]  # all clients share one cookie
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                if "riichi" in httpx.get(f"{self.url}/api/status", timeout=5).json()["ready"]:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.5)
        raise SystemExit("the server did not get ready")

    def end(self, how: signal.Signals) -> None:
        """End it with a signal."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)

    @property
    def memory(self) -> float:
        """Memory in use, MiB."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    @property
    def cpu(self) -> float:
        """Seconds of processor time."""
        assert self.process is not None
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


# --- the clients


class Client:
    """Plays one game after another."""

    def __init__(
        self, server: Server, http: httpx.AsyncClient, load: Load, options: argparse.Namespace, n: int
    ) -> None:
        self.server, self.http, self.load, self.options = server, http, load, options
        self.random = random.Random(n)

    async def run(self, end: float) -> None:
        """Play until the time is up; the last game is left unfinished."""
        await asyncio.sleep(self.random.random() * self.options.think)
        while time.monotonic() < end:
            seats = ["you", *self.options.agents]
            self.random.shuffle(seats)
            wanted = {"rules": self.options.rules, "seats": seats}
            begun = (await self.http.post("/api/live", json=wanted)).json()
            if "id" not in begun:
                self.load.errors.append(str(begun))
                return
            self.load.begun += 1
            place = f"{self.server.url.replace('http', 'ws')}/api/live/{begun['id']}/socket?key={begun['key']}"
            try:
                async with connect(place, open_timeout=PATIENCE) as open_:
                    await self._play(open_, begun["id"], begun["key"], end)
            except (TimeoutError, ConnectionClosed) as error:
                self.load.lost.append(f"{begun['id']}: {error or 'no answer'}")

    async def _play(self, open_: ClientConnection, id: str, key: str, end: float) -> None:
        sent, asked_since = 0.0, 0.0
        while True:
            message = json.loads(await asyncio.wait_for(open_.recv(), PATIENCE))
            self.load.messages += 1
            if message["type"] == "accepted":
                self.load.kept.append(time.perf_counter() - sent)
                continue
            if message["type"] != "state":
                self.load.errors.append(f"{id}: {message}")
                continue
            if sent:
                self.load.latencies.append(time.perf_counter() - sent)
                sent = 0.0
            if message["over"]:
                self.load.finished += 1
                self.load.open.pop(id, None)
                return
            ask = message["ask"]
            if ask is not None:
                if asked_since:
                    self.load.rounds.append(time.perf_counter() - asked_since)
                self.load.open[id] = (key, ask["id"])
                await asyncio.sleep(self.random.uniform(0.5, 1.5) * self.options.think)
                if time.monotonic() > end:
                    return
                sent = asked_since = time.perf_counter()
                answer = {"type": "answer", "ask": ask["id"], "action": self._choose(ask["choices"])}
                await open_.send(json.dumps(answer))
            elif message["next"]["wanted"]:
                asked_since = 0.0
                await open_.send('{"type":"next"}')

    def _choose(self, choices: list[dict[str, Any]]) -> int:
        """Win if possible, sometimes call, else discard at random."""
        wins = [c["action"] for c in choices if c["kind"] in ("tsumo", "ron")]
        return int(wins[0] if wins else self.random.choice(choices)["action"])


async def warm_up(server: Server, options: argparse.Namespace) -> None:
    """Let one client play briefly, so that the agents are loaded before anything is measured."""
    quick = argparse.Namespace(**{**vars(options), "think": 0.0})
    async with httpx.AsyncClient(base_url=server.url, timeout=600) as http:
        await Client(server, http, Load(), quick, -1).run(time.monotonic() + 3)


async def play(server: Server, load: Load, options: argparse.Namespace) -> tuple[float, float]:
    """Let all clients play; returns seconds and processor seconds."""
    begun, cpu = time.monotonic(), server.cpu
    end = begun + 60 * options.minutes

    async def watch() -> None:
        while True:
            load.memory.append((time.monotonic() - begun, server.memory))
            if sys.stderr.isatty():
                far = f"{load.begun} games begun, {load.finished} over, {len(load.latencies):,} moves"
                print(f"\r{time.monotonic() - begun:5.0f} s  {far}", end="", file=sys.stderr, flush=True)
            await asyncio.sleep(SAMPLE)

    watching = asyncio.create_task(watch())
    limits = httpx.Limits(max_connections=options.games)
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, limits=limits) as http:
        clients = [Client(server, http, load, options, n) for n in range(options.games)]
        await asyncio.gather(*(client.run(end) for client in clients))
    watching.cancel()
    print(file=sys.stderr)
    return time.monotonic() - begun, server.cpu - cpu


async def check_after_kill(server: Server, load: Load) -> int:
    """Kill and restart the server, and count the open games that are at their last question or a later one."""
    server.end(signal.SIGKILL)
    await asyncio.to_thread(server.start)
    there = 0
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        for id, (key, ask) in load.open.items():
            state = (await http.get(f"/api/live/{id}", params={"key": key})).json()
            while not state.get("over") and "position" in state and not state["ask"] and not state["next"]["wanted"]:
                await asyncio.sleep(0.05)
                state = (await http.get(f"/api/live/{id}", params={"key": key})).json()
            going_on = "position" in state and (state["over"] or state["next"]["wanted"] or state["ask"]["id"] >= ask)
            there += going_on
            if not going_on:
                load.lost.append(f"{id}: not there after the restart: {str(state)[:200]}")
    return there


# --- the page


def figures_text(load: Load, seconds: float, cpu: float, kept: int, options: argparse.Namespace, busy: float) -> str:
    """The figures as a page shows them."""
    kept_in, moves, rounds = (1000 * np.array(x or [0.0]) for x in (load.kept, load.latencies, load.rounds))
    settled, last = memory_settled(load)

    def row(name: str, values: np.ndarray) -> list[str]:
        return [name, *(f"{x:,.1f} ms" for x in (*np.percentile(values, [50, 95, 99]), values.max()))]

    times = [
        row("its acknowledgement (stored)", kept_in),
        row("the first state that shows it", moves),
        row("the client's next decision", rounds),
    ]
    command = f"python scripts/load_web.py {' '.join(options.given)}"
    lines = [
        f"Measured {today()} on {this_machine()}; load average {busy:.1f} before the start (other work included).",
        f"Command: `{command}`.",
        "",
        f"{options.games} games at the same time for {seconds / 60:.1f} minutes, {options.rules}, one client seat "
        f"each against {', '.join(options.agents)}; {options.think:g} s to think on average. Clients and server share "
        "the machine.",
        "",
        table(["from an answer to", "half within", "95 %", "99 %", "slowest"], times),
        "",
        "| | |",
        "| --- | --- |",
        f"| moves answered | {len(load.latencies):,} ({len(load.latencies) / seconds:,.0f} a second) |",
        f"| messages from the server | {load.messages:,} |",
        f"| games started, finished | {load.begun:,}, {load.finished:,} |",
        f"| games lost | {len(load.lost)} |",
        f"| errors reported | {len(load.errors)} |",
        f"| games open when the server was killed, and restored after the restart | {len(load.open):,}, {kept:,} |",
        f"| memory of the server after {SETTLED:.0%} of the time, at the end | {settled:,.0f} MiB, {last:,.0f} MiB |",
        f"| processor time of the server | {100 * cpu / seconds:.0f} % of one core |",
    ]
    return "\n".join(lines)


def memory_settled(load: Load) -> tuple[float, float]:
    """Memory when it should have settled, and at the end, each averaged over a tenth of the time."""
    if not load.memory:
        return 0.0, 0.0
    span = load.memory[-1][0]
    early = [m for t, m in load.memory if SETTLED * span <= t <= (SETTLED + 0.1) * span] or [load.memory[-1][1]]
    late = [m for t, m in load.memory if t >= 0.9 * span]
    return float(np.mean(early)), float(np.mean(late))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games at the same time")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--think", type=float, default=2.0, help="seconds that a player thinks on average")
    parser.add_argument("--agents", nargs=3, default=["careful", "greedy", "greedy"])
    parser.add_argument("--rules", default="riichi/tenhou_east")
    parser.add_argument("--page", action="store_true", help="write docs/web_load.md")
    options = parser.parse_args(arguments)
    options.given = list(arguments if arguments is not None else sys.argv[1:])
    load, busy = Load(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            server.start()
            asyncio.run(warm_up(server, options))
            seconds, cpu = asyncio.run(play(server, load, options))
            kept = asyncio.run(check_after_kill(server, load))
        finally:
            server.end(signal.SIGTERM)
    text = figures_text(load, seconds, cpu, kept, options, busy)
    print(text)
    for trouble in [*load.lost[:10], *load.errors[:10]]:
        print(trouble, file=sys.stderr)
    if options.page:
        write_between(PAGE, BEGIN, END, text)
    settled, last = memory_settled(load)
    return 1 if load.lost or load.errors or last > GROWTH * settled else 0


if __name__ == "__main__":
    raise SystemExit(main())
