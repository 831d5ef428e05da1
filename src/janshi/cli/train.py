"""`janshi train`: learning to play by self-play and by imitation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from janshi.cli.errors import user_errors

train = typer.Typer(
    help="Train players by self-play (needs PyTorch). A run lives in a directory and can be stopped and resumed.",
    invoke_without_command=True,
)
Minutes = Annotated[float, typer.Option(min=0, help="Total minutes of training, including earlier runs; 0: no limit.")]
Decisions = Annotated[int, typer.Option(min=0, help="Total decisions; 0: no limit.")]
Evaluate = Annotated[
    float, typer.Option("--evaluate", min=0, help="Minutes between measurements against search models; 0: never.")
]
Walls = Annotated[int, typer.Option(min=1, help="Walls per measurement, each played from every seat.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a setting, such as rate=1e-3 or past_share=0.2 (see the training page)."),
]
Light = Annotated[
    bool,
    typer.Option("--light", help="Leave tables and optimisers out of checkpoints: smaller, but a resumed run differs."),
]


@train.callback()
def _train(
    context: typer.Context,
    resume: Annotated[Path | None, typer.Option(help="Directory of a run to continue.", file_okay=False)] = None,
    minutes: Minutes = 0.0,
    decisions: Decisions = 0,
    evaluate: Evaluate = 0.0,
    walls: Walls = 200,
    settings: Settings = None,
    light: Light = False,
) -> None:
    """Train players by self-play, or continue a run: `janshi train --resume DIR --minutes 20`."""
    if context.invoked_subcommand is not None:
        return
    if resume is None:
        typer.echo(context.get_help())
        raise typer.Exit
    with _errors():
        from janshi.learn.checkpoint import read_config
        from janshi.learn.processes import world
        from janshi.learn.training import Plan, run
        from janshi.learn.training import resume as resume_run

        if not (resume / "config.json").is_file():
            raise ValueError(f"{resume} holds no run to continue: it has no config.json")
        before = read_config(resume)
        after = before.changed(settings or [])
        changes = {name: value for name, value in after.to_json().items() if value != before.to_json()[name]}
        trainer = resume_run(resume, changes)
        plan = Plan(minutes, decisions, evaluate_minutes=evaluate, walls=walls, full=not light)
        run(trainer, resume, plan, typer.echo)
        if world().first:
            typer.echo(f"the policy is in {resume / 'policy.npz'}, the checkpoint next to it")


@train.command()
def rvr(
    out: Annotated[Path, typer.Option(help="Directory of the run.", file_okay=False)],
    rules: Annotated[str, typer.Option(help="simplified or guobiao (or family/preset, games of one hand).")],
    variant: Annotated[
        str,
        typer.Option(
            help="Paper 4: basic, global, rl1, rl2, rl3; rl2p, rl3p (no wall); ours: rl4, rl5, rl5a, rl5d, alone, race."
        ),
    ] = "rl3",
    seed: Annotated[int, typer.Option(help="Seed of networks, walls and choices.")] = 0,
    minutes: Minutes = 10.0,
    decisions: Decisions = 0,
    warm_start: Annotated[
        str,
        typer.Option(
            help="First imitate an agent (search) or the recorded hands of a file (`janshi train hands`), or start "
            "from what another run learned (its policy.npz or light.pt)."
        ),
    ] = "",
    evaluate: Evaluate = 0.0,
    walls: Walls = 200,
    settings: Settings = None,
    light: Light = False,
) -> None:
    """Train by PPO with reward variance reduction (Li et al. 2022). Ctrl-C writes a checkpoint."""
    with _errors():
        from janshi.learn.config import TrainConfig
        from janshi.learn.processes import world
        from janshi.learn.training import Plan, new_run, run

        if Path(warm_start).suffix in (".npz", ".pt") and not Path(warm_start).is_file():
            raise ValueError(f"--warm-start: there is no file {warm_start}")
        config = TrainConfig(rules=rules, variant=variant, seed=seed).changed(settings or [])
        trainer = new_run(config, out, warm_start, typer.echo)
        plan = Plan(minutes, decisions, evaluate_minutes=evaluate, walls=walls, full=not light)
        run(trainer, out, plan, typer.echo)
        if world().first:
            typer.echo(f"the policy is in {out / 'policy.npz'}; continue with `janshi train --resume {out}`")


@train.command()
def imitate(
    data: Annotated[
        Path,
        typer.Option(
            help="Hands to learn from. Riichi: a data set, or the file that `janshi records compact` made from it. "
            "Other rules: a match (`janshi match --out`), a file of `janshi train hands`, or Botzone's records."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Directory of the run; an earlier run there is resumed.", file_okay=False)],
    rules: Annotated[str, typer.Option(help="The rules: riichi, guobiao or simplified.")] = "riichi",
    minutes: Annotated[float, typer.Option(min=0, help="Stop after this many minutes; 0: at the last step.")] = 0.0,
    budget: Annotated[
        float, typer.Option(min=0, help="Choose the number of steps so that they take this many minutes in total.")
    ] = 0.0,
    device: Annotated[str, typer.Option(help="cuda or cpu; by default a GPU if there is one.")] = "",
    threads: Annotated[int, typer.Option(min=0, help="Threads that rebuild decisions; 0: all cores.")] = 0,
    test_packs: Annotated[
        str,
        typer.Option(
            help="What to measure on at the end, separated by commas: packs of the test split, all if empty; with "
            "other rules than riichi, files to hold out instead of a share of the walls."
        ),
    ] = "",
    settings: Settings = None,
) -> None:
    """Learn from recorded or self-played games by imitating the players. Run it again to continue where it stopped."""
    with _errors():
        from janshi.learn.imitation.command import imitate_any

        packs = tuple(filter(None, test_packs.split(",")))
        figures = imitate_any(
            data,
            out,
            rules,
            settings or [],
            minutes=minutes,
            budget=budget,
            device=device,
            threads=threads,
            test_packs=packs,
            report=typer.echo,
        )
        typer.echo(figures)


@train.command()
def riichi(
    out: Annotated[Path, typer.Option(help="Directory of the run; an earlier run there is resumed.", file_okay=False)],
    returns: Annotated[
        str, typer.Option(help="luckfree, without the luck of draws and ura (default); or plain, as a control.")
    ] = "",
    network: Annotated[
        str, typer.Option(help="The imitated network to begin with (network.npz); by default the package's.")
    ] = "",
    minutes: Annotated[float, typer.Option(min=0, help="End within this many minutes; 0: train to the end.")] = 0.0,
    device: Annotated[str, typer.Option(help="cuda or cpu; by default a GPU if there is one.")] = "",
    threads: Annotated[int, typer.Option(min=0, help="Threads that play; 0: all cores.")] = 0,
    settings: Settings = None,
) -> None:
    """Improve an imitated riichi network by self-play, and learn what choices cost. Run it again to continue."""
    with _errors():
        from janshi.learn.riichi.run import self_play, settings_of

        chosen = [f"{name}={value}" for name, value in (("returns", returns), ("network", network)) if value]
        config = settings_of(out, [*(settings or []), *chosen])
        finished = self_play(out, config, minutes=minutes, device=device, threads=threads, report=typer.echo)
        best = out / "best.npz"
        typer.echo(
            "stopped; run the same command again to continue"
            if not finished
            else f"the best network is in {best}: play it as apprentice:file={best}"
            if best.exists()
            else f"no candidate did better than the imitated network; the last one is in {out / 'last.npz'}"
        )


@train.command()
def strategist(
    out: Annotated[Path, typer.Option(help="Directory of the run; an earlier run there is resumed.", file_okay=False)],
    rules: Annotated[str, typer.Option(help="The rules: simplified (or family/preset).")] = "simplified",
    minutes: Annotated[float, typer.Option(min=0, help="End within this many minutes; 0: train to the end.")] = 0.0,
    settings: Settings = None,
) -> None:
    """Learn what options are worth from luck-free self-play, in minutes on a CPU. Run it again to continue."""
    with _errors():
        from janshi.learn.imitation.session import settings_from
        from janshi.learn.strategist.config import StrategistConfig
        from janshi.learn.strategist.run import train as train_strategist

        config = settings_from(out, settings or [], StrategistConfig(rules=rules))
        finished = train_strategist(out, config, minutes=minutes, report=typer.echo)
        ended = "finished" if finished else "stopped; run the same command again to continue"
        typer.echo(f"{ended}; play the result as strategist:file={out / 'values.npz'}")


@train.command()
def hands(
    out: Annotated[Path, typer.Option(help="The .npz file to write.", dir_okay=False)],
    rules: Annotated[str, typer.Option(help="simplified or guobiao.")],
    agent: Annotated[str, typer.Option(help="The agent that plays against itself.")] = "search",
    count: Annotated[int, typer.Option(min=1, help="Hands to record.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the walls.")] = 0,
    threads: Annotated[int, typer.Option(min=0, help="Threads to play on; 0: all cores.")] = 0,
) -> None:
    """Record hands that an agent plays against itself, for a warm start."""
    with _errors():
        import os

        from janshi.learn.warm_start import record_hands
        from janshi.rules.registry import make_game

        _check_new(out)
        found = record_hands(make_game(rules), agent, count, seed % 2**64, out, threads or os.cpu_count() or 1)
        typer.echo(f"wrote {len(found.seeds):,} hands of {len(found.actions):,} answers to {out}")


@train.command()
def mean(
    policies: Annotated[list[Path], typer.Argument(help="Policies of one run, such as policy.npz.", dir_okay=False)],
    out: Annotated[Path, typer.Option(help="The .npz file to write.", dir_okay=False)],
) -> None:
    """Average the weights of several policies into one, which smooths out the noise of learning."""
    with _errors():
        from janshi.learn.network import write_mean

        _check_new(out)
        write_mean(policies, out)
        typer.echo(f"wrote the mean of {len(policies)} policies to {out}")


def _check_new(out: Path) -> None:
    """Refuse to overwrite a file, or to write into a missing folder, before any work."""
    if out.exists():
        raise ValueError(f"{out} already exists")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent} for {out.name}")


@contextmanager
def _errors() -> Iterator[None]:
    """Report a user's mistake in one line, without a traceback; exit code 2."""
    try:
        import torch  # noqa: F401
    except ImportError:
        typer.echo('janshi train: PyTorch is needed for training: pip install "janshi[learn]"', err=True)
        raise typer.Exit(2) from None
    with user_errors("train"):
        yield
