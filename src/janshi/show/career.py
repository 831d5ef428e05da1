"""A career in the terminal: rank with and without luck, the usual table beside houou players', habits."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

from janshi.arena.stats import Estimate as Mean
from janshi.career import figures, habits, summary
from janshi.career.games import OwnGames
from janshi.career.houou import reference_for
from janshi.records.stats import Estimate

POINTS: Final = ("win_points", "loss_points")
WORDS: Final = {
    "deal_in": "deal-in",
    "tenpai": "tenpai at a draw",
    "tsumo": "wins by tsumo",
    "win_points": "average win",
    "loss_points": "average deal-in",
    "rank": "average rank",
    "bust": "busted",
    "points": "points a game",
}
HABITS: Final = {
    "riichi_early": "riichi by turn 6",
    "riichi_middle": "riichi in turns 7 to 11",
    "riichi_late": "riichi from turn 12",
    "call_early_cheap": "call by turn 6 with at most one dora",
    "call_early_dear": "call by turn 6 with two or more dora",
    "call_later": "first call after turn 6",
    "closed": "neither riichi nor call",
    "fold": "folding against a riichi",
    "push_tenpai": "pushing against a riichi, tenpai",
    "push_one_away": "pushing against a riichi, 1-shanten",
    "push_far": "pushing against a riichi, 2-shanten or worse",
    "dealer": "hands as dealer",
}


def print_career(games: OwnGames, names: list[str], console: Console) -> None:
    """Print all figures of a person's games."""
    reference = reference_for(games)
    console.print(f"{', '.join(names)}: {len(games):,} games")
    luck = summary.luck_of(games)
    if luck is not None:
        console.print(
            f"rank {mean_text(luck.rank.raw)}, without luck {mean_text(luck.rank.adjusted)} "
            f"({luck.games:,} games; luck {luck.rank.luck:+.3f} places a game)"
        )
    own, houou = figures.table(games)["all"], reference.table["all"]
    table = Table("", "you", "95 %", f"houou ({reference.games:,} games)", box=None)
    for name in figures.FIGURES:
        one = own[name]
        interval = f"{written(name, one.low)} – {written(name, one.high)}"
        table.add_row(WORDS.get(name, name), written(name, one.value), interval, written(name, houou[name].value))
    console.print(table)
    print_habits(games, console)


def print_habits(games: OwnGames, console: Console) -> None:
    """Print the significant habits."""
    found = [habit for habit in habits.habits(games, reference_for(games).worths) if habit.significant]
    if not found:
        return
    table = Table("kind of hand, compared with houou players", "places a game", "interval", box=None)
    for habit in found:
        table.add_row(HABITS[habit.kind], f"{-habit.cost:+.3f}", f"{-habit.cost_high:+.3f} – {-habit.cost_low:+.3f}")
    console.print(table)


def mean_text(estimate: Mean) -> str:
    """A mean with its interval."""
    return f"{estimate.value:.3f} ({estimate.low:.3f} – {estimate.high:.3f})"


def written(name: str, value: float) -> str:
    """A figure of the table as text."""
    if value != value:
        return "–"
    if name in POINTS:
        return f"{value:,.0f}"
    if name in ("rank", "points"):
        return f"{value:.3f}" if name == "rank" else f"{value:+.1f}"
    return f"{value:.1%}"


def as_data(games: OwnGames) -> dict[str, dict[str, Estimate]]:
    """The table of every group, for JSON."""
    return figures.table(games)
