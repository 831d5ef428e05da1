"""`janshi measure`: the figures of the shipped models and of luck on anyone's games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from janshi.cli.errors import need_packages, user_errors
from janshi.show.compile_notice import notify_compiling
from janshi.show.counts import counted

if TYPE_CHECKING:
    from janshi.luck.games import PlayedGames
    from janshi.luck.value import ValueFunction

measure = typer.Typer(
    help="Measure the shipped models, and luck, on your own games (`janshi records import` makes a data set of them).",
    no_args_is_help=True,
)
Data = Annotated[Path, typer.Argument(metavar="DATA", help="Folder of a data set.", show_default=False)]
Split = Annotated[str, typer.Option(help="Only games of this split: train, validation or test; all for every game.")]
Packs = Annotated[
    list[str] | None,
    typer.Option("--pack", help="Only games from this pack, a part of the source's name; may be given several times."),
]
Games = Annotated[int | None, typer.Option(min=1, help="At most this many games, the first of the data set.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@measure.command()
def models(
    data: Data,
    split: Split = "all",
    pack: Packs = None,
    games: Games = None,
    players: Annotated[
        str, typer.Option(help="Agents to compare with one-player mahjong, separated by commas.")
    ] = "greedy,careful",
    as_json: AsJson = False,
) -> None:
    """Measure the models of opponents, of final ranks and of one-player mahjong on recorded games.

    The shipped models were trained on Tenhou games before 2022 (see the page on models): measure them on others.
    """
    with user_errors("measure"):
        notify_compiling()
        need_packages("pyarrow", "scipy")
        from janshi.fitting.data import Source
        from janshi.fitting.figures import measure_models
        from janshi.fitting.roles import Roles
        from janshi.records.dataset import Dataset

        dataset, roles = Dataset(data), Roles(tuple(pack or ()), split)
        source = Source(dataset, roles if games is None else roles.limited(dataset, games))
        sections = []
        for section in measure_models(source, [name for name in players.split(",") if name]):
            sections.append(section.data())
            if not as_json:
                typer.echo(str(section))
        if as_json:
            _print_json({"data": str(data), "sections": sections})


@measure.command()
def luck(
    data: Data,
    split: Split = "all",
    pack: Packs = None,
    games: Games = None,
    value: Annotated[
        Path | None, typer.Option(help="Use this value function instead of the shipped one.", dir_okay=False)
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-j", min=1, help="Threads to score with.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure how much of the variance of ranks luck explains, by source, and test that its mean is zero.

    Games that the value function was trained on, that are not finished, or in which a player lost the connection are
    left out.
    """
    with user_errors("measure"):
        notify_compiling()
        need_packages("pyarrow", "scipy")
        from janshi.luck.evaluation import luck_figures
        from janshi.luck.measure import score_games
        from janshi.luck.value import ValueFunction, shipped

        function = shipped() if value is None else ValueFunction.load(value)
        figures = luck_figures(
            score_games(_held_out(data, split, pack or [], games, function), function, threads=workers)
        )
        if as_json:
            _print_json({"data": str(data), "value": function.name, **figures})
        else:
            from janshi.show.luck import luck_figure_lines

            typer.echo("\n".join([*luck_figure_lines(figures), f"Luck measured by: {function.name}"]))


def _held_out(data: Path, split: str, packs: Sequence[str], most: int | None, value: ValueFunction) -> PlayedGames:
    """The chosen games of a data set that the value function was not trained on."""
    from janshi.luck.evaluation import unknown_games
    from janshi.luck.games import disconnected_games, games_of_dataset
    from janshi.records.dataset import Dataset

    dataset, chosen = Dataset(data), None if split == "all" else split
    found = games_of_dataset(dataset, chosen, packs)
    if lost := disconnected_games(dataset, chosen, packs):
        typer.echo(f"left out: {counted(lost, 'game')} in which a player lost the connection", err=True)
    if not len(found):
        raise ValueError(f"{data} has no finished game to measure (split {split}, packs {', '.join(packs) or 'all'})")
    fresh = unknown_games(found, value)
    if len(fresh) < len(found):
        left = counted(len(found) - len(fresh), "game")
        typer.echo(f"left out: {left} that the value function was trained on", err=True)
    if not len(fresh):
        raise ValueError(f"the value function was trained on all {len(found):,} games: nothing to measure")
    return fresh if most is None else fresh.select(0, most)


def _print_json(figures: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(figures, ensure_ascii=False, indent=2))
