"""The page of a bot's benchmark: its rating among the ladder's players, and the whole match."""

from __future__ import annotations

from html import escape
from pathlib import Path

from janshi.arena.ladder import Rung, figures, ladder
from janshi.arena.report.page import page, read_chapter
from janshi.arena.report.plots import AXIS, LEFT, RIGHT, ROW, WIDTH, axis, draw_interval
from janshi.arena.report.svg import Drawing, Scale
from janshi.arena.report.tables import count, factor, name, spread, table
from janshi.core.files import write_whole
from janshi.luck.benchmark.rating import BotRating
from janshi.luck.benchmark.run import Progress

MARGIN = 30.0
"""Margin on both sides of the plot, in Elo points."""


def write_benchmark(progress: Progress, path: Path | str, out: Path | str, within: float) -> None:
    """Write the page of a benchmark whose games are kept in `path`, atomically."""
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    first = (
        f'<section id="rating"><h2>Rating</h2>{_verdict(progress, within)}{_table(progress)}{_plot(progress)}</section>'
    )
    title = f"Benchmark of {progress.bot}"
    write_whole(out, page([read_chapter(Path(path))], title, first).encode())


def rating_text(rating: BotRating) -> str:
    """A rating with half of its interval: `1043 ± 24`."""
    return f"{rating.value:.0f} ± {rating.half:.0f}"


def _verdict(progress: Progress, within: float) -> str:
    """One sentence: the rating, and whether it is as precise as requested."""
    rating = progress.rating
    end = "" if progress.known else f" That is wider than the ± {within:g} asked for: play more wall sets."
    return (
        f'<p class="verdict">{name(progress.bot)} has the rating <strong>{rating.value:.0f}</strong> '
        f"± {rating.half:.0f} in {count(len(progress.results))} games.{escape(end)}</p>\n"
    )


def _table(progress: Progress) -> str:
    """What the rating rests on."""
    whole = progress.rating.whole
    rows = [
        ["rating, from ranks without luck", f"{rating_text(progress.rating)}"],
        ["– with the opponents' own errors", f"{whole.low:.0f} to {whole.high:.0f}"],
        ["rating, from plain ranks", f"{rating_text(progress.plain)}"],
        ["average rank without luck", spread(progress.adjusted, 3)],
        ["average rank", spread(progress.rank, 3)],
        ["one game without luck is worth", f"{factor(progress.worth)} plain games"],
        ["games in which the bot failed", f"{count(progress.faults)} of {count(len(progress.results))}"],
    ]
    note = (
        "Elo points on the ladder's scale, on which greedy has 1000; 95 % intervals by wall set. The opponents' "
        f"ratings come from {count(int(figures()['games']))} other games: their errors do not shrink with more games."
    )
    return table("The rating", ["", progress.bot], rows, note)


def _plot(progress: Progress) -> str:
    """The bot among the ladder's players."""
    own = progress.rating.whole
    players: list[tuple[str, float, float, float]] = [(progress.bot, own.low, own.value, own.high)]
    players += [_row(rung) for rung in ladder()]
    players.sort(key=lambda one: -one[2])
    scale = Scale(min(one[1] for one in players) - MARGIN, max(one[3] for one in players) + MARGIN, LEFT, RIGHT)
    bottom = ROW * len(players) + 6
    said = "; ".join(f"{who} {value:.0f}" for who, _, value, _ in players)
    drawing = Drawing(WIDTH, bottom + AXIS, "Ratings", said)
    axis(drawing, scale, bottom, "rating")
    for row, (who, low, value, high) in enumerate(players):
        tooltip = f"{who}: {value:.0f}, from {low:.0f} to {high:.0f}"
        draw_interval(drawing, scale, ROW * row + 28, who, (low, value, high), 1 if who == progress.bot else 0, tooltip)
    caption = "The bot among the ladder's players, with 95 % intervals."
    return f'<div class="plots"><figure>{drawing.html()}<figcaption>{caption}</figcaption></figure></div>\n'


def _row(rung: Rung) -> tuple[str, float, float, float]:
    return rung.name, rung.rating.low, rung.rating.value, rung.rating.high
