"""Luck in the terminal: game by game and player by player; error rates separately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from janshi.arena.plan import Plan
from janshi.arena.stats import Estimate
from janshi.luck.error_rate import ErrorRate, Errors
from janshi.luck.estimators import ENOUGH, SOURCES, Adjusted
from janshi.luck.match_luck import MatchLuck
from janshi.luck.moments import Moment
from janshi.luck.summary import LEAST_FITTED, GameLine, LuckSummary, PlayerLine, Pooled, SeatLine, short_source
from janshi.luck.types import PLACES
from janshi.show.columns import figures_table, fitting_table
from janshi.show.match import p_text, short_label, short_name

GOOD, BAD = "green", "red"
TOO_FEW: Final = "too few games"
MOST_GAMES: Final = 20
"""Default number of games printed one by one."""
LUCK_COLUMNS: Final = (*SOURCES, "luck", "rank without luck")


# --- numbers


def estimate_words(estimate: Estimate, digits: int = 2) -> str:
    """`2.43 ± 0.05`, or without the interval if there is none."""
    if isnan(estimate.value):
        return "–"
    if isnan(estimate.half_width):
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.half_width:.{digits}f}"


def luck_text(places: float, digits: int = 2) -> Text:
    """Luck in places with its sign, green if good."""
    return Text(f"{places:+.{digits}f}", style=GOOD if places > 0 else BAD if places < 0 else "")


def times(value: float) -> str:
    """How many games one is worth."""
    return f"× {value:.2f}" if isfinite(value) else "–"


def moment_text(moment: Moment, where: str) -> Text:
    """`ann, East 2, turn 9: drew 5p, +0.41 places`."""
    return Text.assemble(f"{where}, {moment.words}, ", luck_text(moment.luck), " places")


# --- games


def game_table(game: GameLine) -> Table:
    """The four players of a game."""
    table = figures_table(("player", "rank", *LUCK_COLUMNS), Text(short_source(game.source)))
    for line in sorted(game.seats, key=lambda line: line.rank):
        table.add_row(Text(short_name(line.name)), f"{line.rank:g}", *_luck_cells(line))
    return table


def print_game(game: GameLine, console: Console) -> None:
    """One game: the table, and its luckiest and unluckiest moments."""
    console.print(game_table(game))
    names = {line.seat: short_name(line.name) for line in game.seats}
    _print_moments(game.lucky, game.unlucky, console, names)
    console.print()


def career_table(summary: LuckSummary, numbers: Sequence[int]) -> Table:
    """One player's games, one row each."""
    table = figures_table(("game", "rank", *LUCK_COLUMNS), Text(f"{summary.player}, game by game"))
    for number in numbers:
        game = summary.game(number)
        for line in game.seats:
            if line.name == summary.player:
                table.add_row(Text(short_name(short_source(game.source))), f"{line.rank:g}", *_luck_cells(line))
    return table


def _luck_cells(line: SeatLine) -> list[Text | str]:
    return [*(luck_text(line.luck[source]) for source in SOURCES), luck_text(line.total), f"{line.adjusted_rank:.2f}"]


def _print_moments(
    lucky: Sequence[Moment], unlucky: Sequence[Moment], console: Console, names: dict[int, str] | None = None
) -> None:
    def text(moment: Moment) -> Text:
        return moment_text(moment, names[moment.seat] if names else short_name(short_source(moment.source)))

    print_extremes(map(text, lucky), map(text, unlucky), console)


def print_extremes(lucky: Iterable[Text], unlucky: Iterable[Text], console: Console) -> None:
    """The luckiest and the unluckiest moments, one a line."""
    for word, moments in (("Luckiest:", lucky), ("Unluckiest:", unlucky)):
        for i, moment in enumerate(moments):
            console.print(Text.assemble(f"{'' if i else word:<12}", moment))


# --- players


def players_table(summary: LuckSummary, width: int) -> Table:
    """Every player: raw and adjusted rank, luck by source, and the worth of an adjusted game."""
    title = f"In total: {summary.games:,} game{'s' if summary.games != 1 else ''}; luck in places per game"
    heads = ("player", "games", "rank", "rank without luck", "luck", *SOURCES, "variance", "a game is worth")
    return fitting_table(heads, [_player_cells(line) for line in summary.players], width, title)


def _player_cells(line: PlayerLine) -> list[Text | str]:
    return [Text(short_name(line.name)), f"{line.games:,}", *adjusted_cells(line.rank, 3)]


def adjusted_cells(found: Adjusted, digits: int) -> list[Text | str]:
    """A player's results: raw, without luck, luck in total and by source, variance, and the worth of a game."""
    return [
        estimate_words(found.raw),
        estimate_words(found.adjusted),
        luck_text(found.luck, digits),
        *(luck_text(luck, digits) for luck in found.by_source.values()),
        variance_words(found),
        "–" if found.few else times(found.worth),
    ]


def variance_words(found: Adjusted) -> str:
    """The reduction of the variance: `-38 %`; a few games say nothing about it."""
    if found.few:
        return TOO_FEW
    return "–" if isnan(found.ratio.value) else f"{100 * (found.ratio.value - 1):+.0f} %"


def points_table(summary: LuckSummary) -> Table:
    """Points per game, raw and adjusted."""
    enough = any(not line.points.few for line in summary.players)
    table = figures_table(
        ("player", "points", "without luck", "luck", *(["variance"] if enough else [])), "Points a game"
    )
    for line in summary.players:
        points = line.points
        cells = [estimate_words(points.raw, 0), estimate_words(points.adjusted, 0)]
        variance = [variance_words(points)] if enough else []
        table.add_row(Text(short_name(line.name)), *cells, luck_text(points.luck, 0), *variance)
    return table


def print_pooled(pooled: Pooled, console: Console) -> None:
    """All seats together: how much of the variance was luck, and luck by source."""
    table = figures_table(("all seats together", *SOURCES), pooled_words(pooled))
    table.add_row("mean luck, places a game", *(luck_text(pooled.rank.by_source[source], 3) for source in SOURCES))
    table.add_row("mean size of luck, places", *(f"{pooled.size[source]:.3f}" for source in SOURCES))
    console.print(table)


def pooled_words(pooled: Pooled) -> str:
    """How much less ranks vary without luck, over all seats."""
    few = f"{TOO_FEW} ({pooled.games} of {ENOUGH})"
    return f"Variance without luck: {few if pooled.rank.few else variance_interval(pooled.rank)}"


def variance_interval(found: Adjusted) -> str:
    """The reduction of the variance with its interval: `-38 % (-45 % to -30 %)`."""
    low, high = (100 * (bound - 1) for bound in (found.ratio.low, found.ratio.high))
    return f"{variance_words(found)} ({low:+.0f} % to {high:+.0f} %)"


def print_needed(line: PlayerLine, games: int, console: Console) -> None:
    """Games needed to detect a difference from the average."""
    caption = "Games needed to detect (95 % level, 80 % power) that an average rank is not 2.5"
    few = ""
    if games < ENOUGH:
        few = f"; from {games:,} games only, so a rough guess based on what luck explains elsewhere"
    console.print(Text(caption + few, style="italic"))
    console.print(needed_table(line))


def needed_table(line: PlayerLine) -> Table:
    """One row per difference."""
    table = Table()
    for name in ("true difference", "by ranks", "without luck", "saved"):
        table.add_column(name, justify="right")
    for need in line.needed:
        saved = f"{100 * (1 - need.adjusted / need.raw):.0f} %"
        table.add_row(f"{need.effect:g} places", f"{need.raw:,}", f"{need.adjusted:,}", saved)
    return table


def print_luck(summary: LuckSummary, console: Console, most_games: int = MOST_GAMES) -> None:
    """Everything about the scored games."""
    shown = summary.numbers[:most_games]
    if summary.player is None:
        for number in shown:
            print_game(summary.game(number), console)
    elif len(shown):
        console.print(career_table(summary, shown))
    if summary.games > len(shown):
        console.print(f"… and {summary.games - len(shown):,} more games (--games N prints more)")
    if summary.games > 1 or not len(shown):
        console.print(players_table(summary, console.width))
    console.print(points_table(summary))
    if summary.others:
        console.print(f"… and {summary.others:,} more players (--players N shows more, --player NAME one)")
    if summary.games > 1:
        print_pooled(summary.pooled, console)
    if summary.fitted:
        fitted = f"Luck of players with {LEAST_FITTED} games or more was multiplied by fitted coefficients"
        console.print(f"{fitted}; intervals assume many games.")
    _print_players(summary, console)
    if summary.scored.value:
        console.print(f"Luck measured by: {summary.scored.value}")


def _print_players(summary: LuckSummary, console: Console) -> None:
    if summary.player is not None:
        line = summary.players[0]
        _print_moments(line.lucky, line.unlucky, console)
    if summary.games > 1 and summary.players and summary.players[0].needed:
        print_needed(summary.players[0], summary.games, console)


# --- the error rate, apart from luck


def print_errors(found: Sequence[ErrorRate], console: Console) -> None:
    """Error rates of players: a separate table, which has nothing to do with luck."""
    for one in found:
        title = f"Error rate of {one.name}: decisions, not luck, in the opinion of {one.agent}"
        console.print(Text(title, style="italic"))
        console.print(errors_table(one))


def errors_table(found: ErrorRate) -> Table:
    """A player's error rate by kind of decision."""
    table = figures_table(("decisions", "number", "valued", f"lost each ({found.unit})", "same choice"))
    for word, errors in (("all", found.overall), *found.kinds.items()):
        table.add_row(word, f"{errors.decisions:,}", f"{errors.judged:,}", *_error_cells(errors, found.unit))
    return table


def _error_cells(errors: Errors, unit: str) -> tuple[str, str]:
    digits = 1 if unit == "points" else 4
    agreed = "–" if isnan(errors.agreed.value) else f"{100 * errors.agreed.value:.0f} %"
    return estimate_words(errors.rate, digits), agreed


# --- luck of a data set


def luck_figure_lines(figures: dict[str, Any]) -> list[str]:
    """What luck explains in a data set's games (`janshi.luck.evaluation`)."""
    raw = next(iter(figures["steps"].values()))["raw variance"]
    lines = [
        f"{figures['games']:,} games, {figures['hands']:,} hands; variance of ranks {raw:.4f}",
        f"{'luck taken out':<16}{'variance':>10}{'ratio (95 %)':>26}{'less':>8}",
    ]
    for name, step in figures["steps"].items():
        ratio, low, high = step["ratio"]
        interval = f"{ratio:.3f} ({low:.3f} – {high:.3f})"
        lines.append(f"{name:<16}{step['variance']:>10.4f}{interval:>26}{100 * (1 - ratio):>6.1f} %")
    tests = figures["tests"]
    seats = ", ".join(f"{mean:+.3f} ± {1.96 * error:.3f}" for mean, error in tests["by seat"])
    return [
        *lines,
        f"One player a game: F-test p = {tests['f p']:.2g}, Pitman and Morgan p = {tests['pitman-morgan p']:.2g}",
        f"Mean luck by seat: {seats}",
    ]


# --- matches


def print_match_luck(found: MatchLuck, plan: Plan, console: Console) -> None:
    """Average ranks or points of a match, raw and without luck, side by side, and games saved."""
    console.print(match_luck_table(found))
    if found.pairs and len(found.pairs) <= 12:
        console.print(match_pairs_table(found, plan))
    if found.left_out:
        console.print(f"{found.left_out:,} games could not be scored and are left out here")
    console.print(f"Luck measured by: {found.value}")


def match_luck_table(found: MatchLuck) -> Table:
    """One row per contestant."""
    title = f"Without luck: {found.games:,} games on {found.walls:,} wall sets"
    result, digits, best_first = _result_of(found)
    heads = ("player", "games", result, f"{result} without luck", "luck", "a game is worth")
    table = figures_table(heads, title)
    for line in sorted(found.contestants, key=lambda line: best_first * line.adjusted.value):
        table.add_row(
            Text(short_label(line.label)),
            f"{line.games:,}",
            estimate_words(line.raw, digits),
            estimate_words(line.adjusted, digits),
            luck_text(line.luck, digits),
            "–" if found.walls < ENOUGH else times(line.worth),
        )
    return table


def _result_of(found: MatchLuck) -> tuple[str, int, int]:
    """What a match is adjusted by, its digits, and the sign that sorts the best first."""
    return ("rank", 3, 1) if found.measure == PLACES else ("points", 2, -1)


def match_pairs_table(found: MatchLuck, plan: Plan) -> Table:
    """Differences of rank or points, raw and without luck."""
    result, digits, _ = _result_of(found)
    heads = ("pair", result, "p", "without luck", "p", "games saved", "each game worth")
    table = figures_table(heads, f"Differences of {result} (first minus second)")
    for pair in found.pairs:
        names = " – ".join(short_label(plan.contestants[who]) for who in (pair.first, pair.second))
        raw, adjusted = pair.raw.estimate, pair.adjusted.estimate
        saved, known = found.games_saved(pair), found.walls >= ENOUGH
        table.add_row(
            Text(names),
            estimate_words(raw, digits),
            p_text(raw),
            estimate_words(adjusted, digits),
            p_text(adjusted),
            f"{saved:,.0f} ({times(pair.worth)})" if known and isfinite(saved) else "–",
            f"{pair.gain:.2f} independent" if known else "–",
        )
    return table
