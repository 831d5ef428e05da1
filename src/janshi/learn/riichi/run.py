"""A self-play run in a folder, in sessions of any length, with checkpoints, a gate, and the best network so far.

`state.json` holds the run's progress and the folder of its networks. It is replaced last, so that an interrupted run
continues from the last complete checkpoint. `curve.jsonl` has a line for each iteration and each gate; `best.npz` is
the network to play with, the one with the best results against the imitated network.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, Final

import torch

from janshi.agents.learned.network import find_file, shipped
from janshi.agents.worths import MEAN_RANK
from janshi.core.files import write_whole
from janshi.core.machine import available_cores
from janshi.learn.imitation.export import load_exported
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.export import export_player
from janshi.learn.riichi.learner import Learner
from janshi.learn.riichi.match import Match, MatchResult
from janshi.learn.riichi.self_play import SelfPlay
from janshi.learn.riichi.values import FILE, NOTHING, State, export_values, starting_values

STATE, CURVE, BEST, LAST = "state.json", "curve.jsonl", "best.npz", "last.npz"
VERSION: Final = 2
GATE_SEED: Final = 0x6741
FREE: Final = ("iterations", "gate_games", "gate_every")
"""Settings that may change when a run continues; learning rates then fall to zero at the new last iteration."""
Report = Callable[[str], None]


def base_file(config: SelfPlayConfig) -> Path:
    """The file of the imitated network that a run starts from."""
    return find_file(Path(config.network)) if config.network else shipped("apprentice", "riichi")


def base_network(config: SelfPlayConfig) -> RiichiNet:
    """The imitated network that a run starts from."""
    return load_exported(base_file(config))


class Run:
    """A run in memory."""

    def __init__(self, config: SelfPlayConfig, device: torch.device, threads: int = 1) -> None:
        self.config, self.device, self.threads = config, device, threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.learner = Learner(config, base_network(config), device)
        one = self.learner
        self.play = SelfPlay(config, one.player, one.imitated, one.past, device, threads, self.pool)
        self.best: dict[str, Any] | None = None
        self.decisions = 0

    def block(self, folder: Path, report: Report, until: float = inf) -> None:
        """Run iterations, from new games at all tables to the next gate or checkpoint, or until a given time."""
        self.play.fresh(self.learner.iteration)
        for _ in range(max(min(self.config.fresh_every, self.config.iterations - self.learner.iteration), 0)):
            began = time.monotonic()
            self._iterate(folder, report)
            now = time.monotonic()
            if 2 * now - began > until:
                break

    def _iterate(self, folder: Path, report: Report) -> None:
        times = [time.monotonic()]
        asked = self.play.play(self.config.decisions)
        hands = self.play.finished()
        times.append(time.monotonic())
        judged = self.learner.judge(hands, self.pool)
        figures = self.learner.figures(judged)
        times.append(time.monotonic())
        losses = self.learner.learn(judged)
        times.append(time.monotonic())
        self.decisions += len(hands.decisions)
        spent = [after - before for before, after in pairwise(times)]
        line = {
            "iteration": self.learner.iteration,
            "decisions": len(hands.decisions),
            "all decisions": asked,
            **{name: rounded(value) for name, value in (figures | losses).items()},
            "rate": rounded(self.learner.rates()["policy"]),
            "seconds": [round(one, 2) for one in spent],
            "decisions a second": round(len(hands.decisions) / max(sum(spent), 1e-9)),
        }
        note(folder, line)
        report(" ".join(f"{name} {value}" for name, value in line.items()))

    def gate(self, folder: Path, report: Report) -> MatchResult:
        """Play the averaged network against three imitated ones, and keep the one with the best result."""
        learner = self.learner
        result = self.match.play(self.config.gate_games, GATE_SEED + self.config.seed * 7919 + learner.iteration)
        figures = {"iteration": learner.iteration, **result.to_json()}
        best = MEAN_RANK - 1e-6 if self.best is None else self.best["rank without luck"]["value"]
        better = figures["rank without luck"]["value"] < best
        if better:
            self.best = figures
            export_player(learner.average, folder / BEST, {"self-play": self.card(figures)}, self.config.value_unit)
        note(folder, {"gate": figures, "kept": better})
        report(f"gate at iteration {learner.iteration}: {result}: {'the best so far' if better else 'not kept'}")
        return result

    @cached_property
    def match(self) -> Match:
        """Matches of the averaged network against three imitated ones."""
        learner = self.learner
        return Match(
            learner.average.policy,
            learner.imitated,
            self.device,
            values=learner.values,
            threads=self.threads,
            pool=self.pool,
            compiled=self.config.compiled,
        )

    def card(self, figures: dict[str, Any] | None) -> dict[str, Any]:
        """The exported network's facts about its self-play."""
        return {"settings": self.config.to_json(), "decisions": self.decisions, "gate": figures}

    # --- checkpoints

    def save(self, folder: Path) -> None:
        """Write a checkpoint atomically. It does not include unfinished hands."""
        learner, name = self.learner, f"saved-{self.learner.iteration}"
        kind = torch.float32 if self.config.whole_moments else torch.bfloat16
        moments = {one: optimiser.moments(kind) for one, optimiser in learner.optimisers.items()}
        draws = moments.pop("draws")
        place = folder / f"{name}.part"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        torch.save(learner.player.state_dict(), place / "player.pt")
        torch.save(learner.average.state_dict(), place / "average.pt")
        torch.save(moments, place / "moments.pt")
        past = learner.past.state_dict()
        if not self.config.whole_moments:
            past = {one: value.half() for one, value in past.items()}
        torch.save({"past": past, "draws": learner.values.state_dict(), "moments": draws}, place / "rest.pt")
        shutil.rmtree(folder / name, ignore_errors=True)
        place.rename(folder / name)
        state = {
            "version": VERSION,
            "config": self.config.to_json(),
            "iteration": learner.iteration,
            "steps": learner.steps,
            "decisions": self.decisions,
            "best": self.best,
            "saved": name,
        }
        self.keep_values(folder)
        write_whole(folder / STATE, json.dumps(state, indent=1).encode())
        for other in folder.glob("saved-*"):
            if other.name != name:
                shutil.rmtree(other, ignore_errors=True)

    def take_values(self) -> None:
        """Load the initial values of draws and choices named in the settings."""
        learner = self.learner
        draws, choices = starting_values(self.config)
        learner.values.load_state_dict(draws)
        if same_shape(choices, learner.player.choices.state_dict()):  # those of a network of another size begin anew
            for player in (learner.player, learner.average):
                player.choices.load_state_dict(choices)

    def keep_values(self, folder: Path) -> None:
        """Write the values to a file that other runs can start from."""
        learner = self.learner
        facts = {"run": folder.name, "settings": self.config.to_json(), "iterations": learner.iteration}
        facts |= {"decisions": self.decisions, "variance of hands left": rounded(learner.left)}
        states = learner.values.state_dict(), learner.average.choices.state_dict()
        export_values(*states, self.config, folder / FILE, facts)

    def load(self, folder: Path) -> None:
        """Go on from a checkpoint."""
        state, learner = read_state(folder), self.learner
        place = folder / state["saved"]
        learner.player.load_state_dict(read_tensors(place / "player.pt", self.device))
        learner.average.load_state_dict(read_tensors(place / "average.pt", self.device))
        rest = read_tensors(place / "rest.pt", self.device)
        learner.past.load_state_dict({name: value.float() for name, value in rest["past"].items()})
        learner.values.load_state_dict(rest["draws"])
        moments = {**read_tensors(place / "moments.pt", self.device), "draws": rest["moments"]}
        for name, optimiser in learner.optimisers.items():
            optimiser.load_moments(moments[name])
        learner.iteration, learner.steps = state["iteration"], state["steps"]
        self.decisions, self.best = state["decisions"], state["best"]


def read_tensors(path: Path, device: torch.device) -> Any:
    """The contents of a checkpoint file."""
    return torch.load(path, map_location=device, weights_only=True)


def read_state(folder: Path) -> dict[str, Any]:
    """The progress of the run in a folder."""
    try:
        state = json.loads((folder / STATE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        raise ValueError(f"{folder} holds no self-play run: expected a readable {STATE}") from None
    if state.get("version") != VERSION:
        raise ValueError(f"{folder / STATE} has version {state.get('version')}; this is version {VERSION}")
    return dict(state)


def settings_of(folder: Path, settings: list[str]) -> SelfPlayConfig:
    """The settings of a new run, or of the run already in the folder, of which only the length may change."""
    if not (folder / STATE).exists():
        return SelfPlayConfig().changed(settings)
    kept = SelfPlayConfig.from_json(read_state(folder)["config"])
    wanted = kept.changed(settings)
    asked = wanted.to_json()
    other = [f"{name}={value}" for name, value in kept.to_json().items() if asked[name] != value and name not in FREE]
    if other:
        raise ValueError(f"the run in {folder} began with {', '.join(other)}: begin another run in another folder")
    return wanted


def self_play(
    folder: Path,
    config: SelfPlayConfig,
    *,
    minutes: float = 0.0,
    device: str = "",
    threads: int = 0,
    report: Report = print,
) -> bool:
    """Begin or resume a run in a folder; returns whether it is finished.

    minutes: time limit; no iteration begins that would end later, and the same call continues the run. 0: to the end.
    """
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    where = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    run = Run(config, where, threads or available_cores())
    if (folder / STATE).exists():
        run.load(folder)
        report(f"going on after iteration {run.learner.iteration} of {config.iterations}")
    elif config.values != NOTHING:
        run.take_values()
    until = began + 60 * minutes if minutes else inf
    while run.learner.iteration < config.iterations:
        before = run.learner.iteration
        run.block(folder, report, until)
        run.save(folder)
        late = run.learner.iteration < min(before + config.fresh_every, config.iterations)
        if config.gate_games and not late and gate_due(before, run.learner.iteration, config):
            run.gate(folder, report)
            run.save(folder)
        if (late or time.monotonic() > until) and run.learner.iteration < config.iterations:
            return False
    export_player(run.learner.average, folder / LAST, {"self-play": run.card(run.best)}, config.value_unit)
    return True


def gate_due(before: int, now: int, config: SelfPlayConfig) -> bool:
    """Whether a gate is due after this many iterations: at multiples of `gate_every`, and at the end."""
    if now <= config.luck_iterations:
        return False
    return now // config.gate_every > before // config.gate_every or now >= config.iterations


def same_shape(one: State, other: State) -> bool:
    """Whether two sets of weights have the same names and shapes."""
    return {name: value.shape for name, value in one.items()} == {name: value.shape for name, value in other.items()}


def rounded(value: float) -> float:
    """A number with five digits."""
    return float(f"{value:.5g}")


def note(folder: Path, line: dict[str, Any]) -> None:
    """Add a line to the curve."""
    with (folder / CURVE).open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(line) + "\n")
