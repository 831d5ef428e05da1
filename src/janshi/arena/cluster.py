"""The same match on a Ray cluster: actors play units of games; another actor replays the unit of a lost one."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from typing import Any, Final

from janshi.arena.plan import Plan
from janshi.arena.results import Results, join_results
from janshi.arena.units import Options, Player
from janshi.arena.workers import MOST_DEATHS, Unit, WorkerError, make_units

CONNECT_SECONDS: Final = 10.0
LOCAL: Final = "local"
"""Instead of an address: a cluster of this machine alone, which ends with the match."""


def ray_package() -> Any:
    """The ray package; says how to install it if it is missing."""
    try:
        import ray
    except ImportError:
        raise ImportError("a cluster needs ray, which is not installed: pip install 'janshi[cluster]'") from None
    return ray


def check_address(address: str) -> None:
    """Refuse a host and port that do not answer; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"no cluster answers at {address}: {error}") from None


class Worker:
    """Plays units on one core of the cluster."""

    def __init__(self, plan: dict[str, Any], options: Options) -> None:
        self.player = Player(Plan.from_json(plan), options)

    def play(self, numbers: Sequence[int]) -> Results:
        """Play some games."""
        return join_results(self.player.play(numbers), self.player.game.players)


def play_on_cluster(
    plan: Plan, options: Options, numbers: Sequence[int], address: str, workers: int, size: int
) -> Iterator[Results]:
    """Play games on a cluster; yields them unit by unit. One worker means as many as there are cores."""
    ray = ray_package()
    ours = not ray.is_initialized()
    if ours:
        check_address(address)
        ray.init(None if address == LOCAL else address, log_to_driver=False, include_dashboard=False)
    try:
        yield from _play(ray, plan, options, numbers, workers, size)
    finally:
        if ours:
            ray.shutdown()


def _play(ray: Any, plan: Plan, options: Options, numbers: Sequence[int], workers: int, size: int) -> Iterator[Results]:
    make = ray.remote(num_cpus=1, max_restarts=0)(Worker)
    count = workers if workers > 1 else max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = make_units(numbers, size)
    actors = [make.remote(plan.to_json(), options) for _ in range(min(count, len(waiting)))]
    idle = list(actors)
    busy: dict[Any, tuple[Any, Unit]] = {}
    try:
        while waiting or busy:
            while idle and waiting:
                actor, unit = idle.pop(), waiting.popleft()
                busy[actor.play.remote(unit.numbers)] = (actor, unit)
            done, _ = ray.wait(list(busy), num_returns=1)
            actor, unit = busy.pop(done[0])
            try:
                results: Results = ray.get(done[0])
            except ray.exceptions.RayActorError as error:
                waiting.appendleft(_again(unit, error))
                idle.append(make.remote(plan.to_json(), options))
            except ray.exceptions.RayTaskError as error:
                raise WorkerError(str(error.cause)) from None
            else:
                idle.append(actor)
                yield results
    finally:
        for actor, _ in busy.values():
            ray.kill(actor)


def _again(unit: Unit, error: Exception) -> Unit:
    """The unit of a lost actor, to play again."""
    if unit.deaths + 1 >= MOST_DEATHS:
        raise WorkerError(f"{MOST_DEATHS} workers were lost on games {unit.numbers[:8]}: {error}")
    return Unit(unit.numbers, unit.deaths + 1)
