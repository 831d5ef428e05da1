"""Matches, tournaments, reports and the list of agents on the command line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import need_packages, user_errors

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.arena.match import Stopping, Watching
    from janshi.arena.plan import Plan
    from janshi.arena.results import Results

PLAYERS_HELP = (
    "Players: agents with options (greedy, search:most=5000; see `janshi agents`), or bots: 'mjai:COMMAND', "
    "'mjai-tcp:PORT', 'botzone:COMMAND', majiang; their options come before the colon: 'botzone,seconds=1:./bot'."
)
WALLS_HELP = "Wall sets; each is played with every seating."
MOST_WALLS = 10_000_000
Players = Annotated[list[str], typer.Argument(help=PLAYERS_HELP, show_default=False)]
Rules = Annotated[str, typer.Option(help="Rules: a riichi preset, guobiao, simplified, or family/preset.")]
East = Annotated[
    bool | None,
    typer.Option("--east/--south", help="East rounds only, or East and South; by default, what the rules say."),
]
Walls = Annotated[int, typer.Option("--walls", "-n", min=1, max=MOST_WALLS, help=WALLS_HELP)]
Seed = Annotated[int, typer.Option(help="Seed of walls and choices: the same seed gives the same match.")]
Seating = Annotated[
    str, typer.Option(help="On each wall set: rotations, permutations, fixed, or independent (not duplicate).")
]
Out = Annotated[
    Path | None, typer.Option(help="Directory to keep the games in; run again to continue.", file_okay=False)
]
Workers = Annotated[int, typer.Option("--workers", "-j", min=1, help="Processes to play on.")]
Cluster = Annotated[str | None, typer.Option(help="Address of a Ray cluster, or local.", metavar="ADDRESS|local")]
Records = Annotated[
    bool, typer.Option("--records", help="Keep all answers, so that games with bots can be replayed too.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No live table.")]
SWISS_ROUNDS = 5
REPLAY_FORMATS = (
    "Riichi: mjai, tenhou6 or mjlog; Guobiao: botzone (text) or botzone_log (JSON); any rules: text (all answers). "
    "With --seat: requests, or json or simple, the input of a bot."
)


def add_commands(app: typer.Typer) -> None:
    """Add the arena's commands to the program."""
    app.command()(match)
    app.command()(tournament)
    app.command()(report)
    app.command()(replay)
    app.command()(agents)


def match(
    players: Players,
    vs: Annotated[str | None, typer.Option("--vs", help="Play a single player against copies of this one.")] = None,
    rules: Rules = "tenhou",
    east: East = None,
    walls: Walls = 100,
    seed: Seed = 0,
    seating: Seating = "rotations",
    out: Out = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    baseline: Annotated[
        str | None, typer.Option(help="An agent whose self-play on the same walls serves as control variate.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Stop as soon as the first player's average rank is decided between M0 and M1.", metavar="M0,M1"
        ),
    ] = None,
    luck_adjusted: Annotated[
        bool, typer.Option("--luck-adjusted", help="Also show ranks (riichi) or points without luck, and games saved.")
    ] = False,
    records: Records = False,
    tables: Annotated[int, typer.Option(min=0, help="Maximum number of tables stepped together; 0: automatic.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Play a match: A B C D at one table, or A --vs B against copies. Duplicate walls by default."""
    from janshi.arena.match import run_match
    from janshi.arena.units import Options

    with _errors("match", out):
        need_packages("scipy")
        plan = _plan(players, vs, _rules_name(rules, east), walls, seed, seating, baseline)
        stop = _sprt(sprt, plan) if sprt else None
        if luck_adjusted:
            _check_luck(plan)
        options = Options(tables=tables, keep_actions=records or luck_adjusted)
        results = _run(
            plan,
            out,
            quiet,
            lambda watch: run_match(
                plan, out, workers=workers, cluster=cluster, options=options, watch=watch, stop=stop
            ),
        )
        if luck_adjusted:
            _adjust(plan, results, workers, quiet)


def _by_rank(plan: Plan) -> bool:
    """Whether the results of a match without luck are ranks, not points."""
    from janshi.arena.families import ARENA_LAYER
    from janshi.rules.registry import find_family

    return ARENA_LAYER.of(find_family(plan.rules)).by_rank


def _check_luck(plan: Plan) -> None:
    """Refuse a match whose luck cannot be measured, before it is played."""
    if _by_rank(plan):
        return
    from janshi.luck.points.measure import measurable
    from janshi.rules.registry import find_family

    family = find_family(plan.rules).name
    if not measurable(family):
        raise ValueError(f"--luck-adjusted: there are no values of draws for {family}")


def _adjust(plan: Plan, results: Results, workers: int, quiet: bool) -> None:
    """Score the luck in a match's games and print the results without it."""
    from janshi.arena.summary import split_baseline

    measured, _ = split_baseline(results, plan)
    adjust = _adjust_ranks if _by_rank(plan) else _adjust_points
    adjust(plan, measured, workers, quiet)


def _adjust_points(plan: Plan, measured: Results, workers: int, quiet: bool) -> None:
    """Results in points without the luck of deals and draws."""
    from janshi.luck.match_luck import adjust_results
    from janshi.luck.points.matches import score_point_match
    from janshi.luck.types import POINTS
    from janshi.show.luck import print_match_luck
    from janshi.show.progress import progress_bar

    with progress_bar("scoring luck", quiet) as show:
        watch = lambda done: show(done / len(measured), f"{done:,} of {len(measured):,} games")  # noqa: E731
        luck, value = score_point_match(plan, measured, watch=watch)
    print_match_luck(adjust_results(measured, plan, luck, value, measure=POINTS), plan, _console())


def _adjust_ranks(plan: Plan, measured: Results, workers: int, quiet: bool) -> None:
    """Riichi: ranks without luck."""
    from janshi.luck.match_luck import adjust_results
    from janshi.luck.matches import games_of_match, score_match
    from janshi.show.luck import print_match_luck
    from janshi.show.progress import progress_bar

    with progress_bar("playing again", quiet) as show:
        played = games_of_match(plan, measured, lambda done, total: show(done / total, f"{done:,} of {total:,} games"))
    hands = len(played.hands)
    with progress_bar("scoring luck", quiet) as show:
        watch = lambda done: show(done / hands, f"{done:,} of {hands:,} hands")  # noqa: E731
        scored, luck = score_match(plan, played, threads=workers, watch=watch)
    print_match_luck(adjust_results(measured, plan, luck, scored.value), plan, _console())


def _rules_name(name: str, east: bool | None) -> str:
    """The name of the rules in the registry; `east` is None if neither --east nor --south was given."""
    from janshi.rules.registry import game_names, make_game, spoken_name

    full = spoken_name(name)
    if east is False and getattr(make_game(full).rules, "rounds", 1) == 1:
        raise ValueError(f"--south is for rules with East and South rounds: {full} has none")
    if not east or full.endswith("_east"):
        return full
    if f"{full}_east" not in game_names():
        raise ValueError(f"--east is for tenhou: {full} has no East games")
    return f"{full}_east"


def _plan(
    players: list[str], vs: str | None, rules: str, walls: int, seed: int, seating: str, baseline: str | None
) -> Plan:
    from janshi.arena.plan import Plan
    from janshi.rules.registry import make_game

    seats = make_game(rules).players
    contestants: tuple[str, ...]
    lineup: tuple[int, ...]
    if vs is not None:
        if len(players) != 1:
            raise ValueError(f"--vs takes one player before it, not {len(players)}")
        contestants, lineup = (players[0], vs), (0, *[1] * (seats - 1))
    else:
        if len(players) != seats:
            raise ValueError(f"{rules} needs {seats} players, not {len(players)}; or name one and add --vs OTHER")
        contestants = tuple(players)
        lineup = tuple(range(seats))
    if baseline is None:
        return Plan(rules, contestants, (lineup,), walls, seed, seating)
    contestants += (baseline,)
    lineups = (lineup, (len(contestants) - 1,) * seats)
    return Plan(rules, contestants, lineups, walls, seed, seating, baseline=1)


def _sprt(text: str, plan: Plan) -> Stopping:
    from janshi.arena.sprt import stop_by_rank

    try:
        m0, m1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--sprt takes two average ranks such as 2.5,2.4, not {text!r}") from None
    seats = len(plan.lineups[0])
    if not (1 <= m0 <= seats and 1 <= m1 <= seats):
        raise ValueError(f"--sprt: average ranks lie between 1 and {seats}, not {text}")
    return stop_by_rank(plan, 0, m0, m1)


def tournament(
    players: Players,
    form: Annotated[str, typer.Option("--format", help="round-robin or swiss.")] = "round-robin",
    rules: Rules = "tenhou",
    east: East = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of a Swiss tournament; default 5.")] = None,
    walls: Walls = 25,
    tables: Annotated[
        int | None, typer.Option(min=1, help="Number of lineups of a round robin, chosen evenly; by default all.")
    ] = None,
    seed: Seed = 0,
    seating: Seating = "rotations",
    out: Out = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    records: Records = False,
    quiet: Quiet = False,
) -> None:
    """Play a tournament, as a round robin or in Swiss rounds, and rate the players at the end."""
    from janshi.arena.match import run_match
    from janshi.arena.standings import Round
    from janshi.arena.tournament import TournamentResult, round_robin, run_swiss, standings
    from janshi.arena.units import Options
    from janshi.show.match import LiveRounds, print_faults, print_standings

    with _errors("tournament", out):
        need_packages("scipy", "openskill")
        name, options = _rules_name(rules, east), Options(keep_actions=records)
        _check_form(form, rounds, tables)
        if form == "round-robin":
            plan = round_robin(name, players, walls, seed, seating, tables)
            results = _run(
                plan,
                out,
                quiet,
                lambda watch: run_match(plan, out, workers=workers, cluster=cluster, options=options, watch=watch),
            )
            rounds_played = [Round(plan, results)]
            print_standings(standings(rounds_played), rounds_played, _console())
        else:
            rounds = rounds or SWISS_ROUNDS
            with LiveRounds(rounds, quiet) as live:
                played: TournamentResult = run_swiss(
                    name,
                    players,
                    rounds,
                    walls,
                    seed,
                    out,
                    seating=seating,
                    workers=workers,
                    cluster=cluster,
                    options=options,
                    watch=live,
                )
            print_standings(played.standings, played.rounds, _console())
            print_faults(played.rounds, _console())


def _check_form(form: str, rounds: int | None, tables: int | None) -> None:
    """Refuse an unknown form of tournament, and options of the other form."""
    if form not in ("round-robin", "swiss"):
        raise ValueError(f"--format is round-robin or swiss, not {form!r}")
    if form == "round-robin" and rounds is not None:
        raise ValueError("--rounds is for --format swiss: a round robin has one")
    if form == "swiss" and tables is not None:
        raise ValueError("--tables is for --format round-robin: Swiss rounds seat everybody")


def report(
    paths: Annotated[list[Path], typer.Argument(help="Directories of matches or tournaments.", exists=True)],
    out: Annotated[Path, typer.Option(help="The page to write.", dir_okay=False)] = Path("report.html"),
) -> None:
    """Write an HTML page with tables and plots of matches or a tournament."""
    from janshi.arena.report.page import write_report

    with user_errors("report"):
        write_report(paths, out)
        typer.echo(f"wrote {out}")


def replay(
    path: Annotated[Path, typer.Argument(help="Directory of a match.", exists=True)],
    game: Annotated[int, typer.Argument(help="Number of the game.", min=0)],
    form: Annotated[str | None, typer.Option("--format", help=REPLAY_FORMATS)] = None,
    seat: Annotated[
        int | None, typer.Option(help="Guobiao: write what this seat (0 to 3) is sent on Botzone, instead of the game.")
    ] = None,
    request: Annotated[int | None, typer.Option(help="With --seat: up to this request, counted from 1.", min=1)] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; by default standard output.", dir_okay=False)] = None,
) -> None:
    """Write one game of a match as a record; it is played again if its answers were not kept."""
    from janshi.arena.replay import game_text
    from janshi.arena.requests import seat_text
    from janshi.arena.store import MatchStore
    from janshi.core.files import write_whole

    with user_errors("replay", IndexError):
        if seat is None and request is not None:
            raise ValueError("--request needs --seat")
        store = MatchStore(path)
        text = game_text(store, game, form) if seat is None else seat_text(store, game, seat, form, request)
        if out is None:
            typer.echo(text, nl=False)
        else:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_whole(out, text.encode())
            typer.echo(f"wrote {out}")


def agents(
    rules: Annotated[
        str | None, typer.Option(help="Only agents that play these rules: riichi, guobiao or simplified.")
    ] = None,
) -> None:
    """List the agents: what they play, their idea, their rating on the ladder, and the paper they come from."""
    from rich.table import Table

    from janshi.agents.registry import AGENTS
    from janshi.arena.ladder import ladder
    from janshi.rules.registry import families

    with user_errors("agents"):
        if rules is not None and rules not in families():
            raise ValueError(f"--rules is one of {', '.join(families())}, not {rules!r}")
    table = Table()
    for column in ("agent", "plays", "idea", "rating", "paper"):
        table.add_column(column, overflow="fold")
    ratings = {rung.name: f"{rung.rating.value:.0f} ± {rung.rating.half:.0f}" for rung in ladder()}
    for name, entry in AGENTS.items():
        if rules is None or entry.plays(rules):
            table.add_row(name, ", ".join(entry.played), entry.idea, ratings.get(name, ""), entry.paper)
    _console().print(table)
    typer.echo("Ratings are Elo points in riichi, `greedy` having 1000, with half of their 95 % intervals.")


# --- shared by the commands


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if Console().is_terminal else 160, highlight=False)


def _run(plan: Plan, out: Path | None, quiet: bool, play: Callable[[Watching | None], Results]) -> Results:
    """Play a match with a live table on stderr, and print the results."""
    from janshi.arena.faults import first_with_input
    from janshi.show.match import LiveMatch, print_match

    if quiet:
        results = play(None)
    else:
        with LiveMatch(plan) as live:
            results = play(live)
    print_match(results, plan, _console())
    if out is not None:
        typer.echo(f"games are in {out}; `janshi report {out}` writes a page")
        if (fault := first_with_input(results)) is not None:
            game, row = fault
            place = f"{game} --seat {row['seat']} --request {row['request']} --format json"
            typer.echo(f"`janshi replay {out} {place}` writes what the bot had been sent before its first fault")
    return results


def _errors(command: str, out: Path | None = None) -> AbstractContextManager[None]:
    """Report a mistake in one line; after an interruption, say whether the work can be continued."""
    from janshi.arena.workers import WorkerError

    kept = "run the same command to continue" if out is not None else "nothing is kept without --out"
    return user_errors(command, WorkerError, IndexError, interrupted=f"interrupted; {kept}")
