"""The luck report: one self-contained HTML page, for a browser or a phone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite, isnan
from pathlib import Path
from typing import Final

from janshi.arena.report.style import STYLE
from janshi.arena.report.svg import Drawing
from janshi.arena.stats import Estimate
from janshi.core.files import write_whole
from janshi.luck.error_rate import ErrorRate
from janshi.luck.estimators import SOURCES, Adjusted
from janshi.luck.moments import Moment
from janshi.luck.report.plots import career_plot, game_plot, luck_plot
from janshi.luck.summary import GameLine, LuckSummary, PlayerLine, SeatLine, short_source

DRAWN_GAMES: Final = 50
"""Maximum number of games plotted; the last ones if there are more."""
DRAWN_PLAYERS: Final = 8
"""Players whose careers are plotted."""
WIDE: Final = "svg { max-width: 48rem; } .plots { grid-template-columns: 1fr; } td.good { color: var(--k2); } "
WIDE_BAD: Final = "td.bad { color: var(--k1); } ul.moments { margin: .3rem 0; padding-left: 1.2rem; }"
WHAT: Final = (
    "Luck is how much each tile that came from the wall changed a player's expected final rank, against all tiles that "
    "could have come; +0.10 is a tenth of a place of good luck. For any value function, luck is zero on average, so "
    "the rank without luck has the same expectation as the rank and varies less. For a single game it may lie outside "
    "1 to 4."
)


def write_luck_report(
    summary: LuckSummary, out: Path | str, errors: Sequence[ErrorRate] = (), games: int = DRAWN_GAMES
) -> None:
    """Write the page atomically."""
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, page(summary, errors, games).encode())


def page(summary: LuckSummary, errors: Sequence[ErrorRate] = (), games: int = DRAWN_GAMES) -> str:
    """The whole page."""
    who = summary.player or ", ".join(line.name for line in summary.players[:4])
    title = f"Luck of {who}"
    drawn = summary.numbers[max(0, summary.games - games) :]
    parts = [
        f'<p class="note">{escape(WHAT)}</p>',
        f"<p>{summary.games:,} game{'s' if summary.games != 1 else ''}, measured by "
        f"<code>{escape(summary.scored.value or 'an unnamed value function')}</code>.</p>",
        players_table(summary),
        "".join(_career(line) for line in summary.players[:DRAWN_PLAYERS]),
        _needed(summary),
        _errors(errors),
        _games(summary, drawn),
        _problems(summary.scored.problems),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)} – Janshi</title><style>{STYLE}{WIDE}{WIDE_BAD}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1></header>\n<main>{''.join(parts)}</main></body></html>\n"
    )


# --- players


def players_table(summary: LuckSummary) -> str:
    """One row per player."""
    heads = ("player", "games", "rank", "rank without luck", "luck a game", *SOURCES, "variance", "a game is worth")
    rows = []
    for line in summary.players:
        rank = line.rank
        cells = [
            f"<td>{line.games:,}</td>",
            _estimate(rank.raw),
            _estimate(rank.adjusted),
            _luck(rank.luck, 3),
            *(_luck(rank.by_source[source], 3) for source in SOURCES),
            _variance(rank),
            "<td>–</td>" if rank.few or not isfinite(rank.worth) else f"<td>× {rank.worth:.2f}</td>",
        ]
        rows.append(f"<tr><th scope=row>{escape(line.name)}</th>{''.join(cells)}</tr>")
    more = f'<p class="note">… and {summary.others:,} more players.</p>' if summary.others else ""
    return _table("Ranks as they were and without luck; 95 % intervals", heads, rows) + more


def _career(line: PlayerLine) -> str:
    if line.games < 2:
        return ""
    plots = (
        _figure(career_plot(line.career), "Average rank so far, as it was and without luck, with 95 % intervals."),
        _figure(luck_plot(line.career), "Luck summed up over the games, by source."),
    )
    return (
        f"<section><h2>{escape(line.name)}</h2>"
        f'<div class="plots">{"".join(plots)}</div>{_moments(line.lucky, line.unlucky)}</section>\n'
    )


def _needed(summary: LuckSummary) -> str:
    line = summary.players[0]
    if not line.needed:
        return ""
    rows = [
        f"<tr><th scope=row>{need.effect:g} places</th><td>{need.raw:,}</td><td>{need.adjusted:,}</td>"
        f"<td>{100 * (1 - need.adjusted / need.raw):.0f} %</td></tr>"
        for need in line.needed
    ]
    return _table(
        "Games needed to detect (95 % level, 80 % power) that an average rank is not 2.5",
        ("true difference", "by ranks", "without luck", "saved"),
        rows,
    )


# --- error rates, which are not luck


def _errors(errors: Sequence[ErrorRate]) -> str:
    return "".join(map(_errors_table, errors))


def _errors_table(found: ErrorRate) -> str:
    rows = []
    for word, part in (("all", found.overall), *found.kinds.items()):
        agreed = "–" if isnan(part.agreed.value) else f"{100 * part.agreed.value:.0f} %"
        rows.append(
            f"<tr><th scope=row>{escape(word)}</th><td>{part.decisions:,}</td><td>{part.judged:,}</td>"
            f"{_estimate(part.rate, 4)}<td>{agreed}</td></tr>"
        )
    heads = ("decisions", "number", "valued", f"lost each ({found.unit})", "same choice")
    return (
        f"<section><h2>Error rate of {escape(found.name)}</h2>"
        f'<p class="note">This measures decisions, not luck, and is the opinion of {escape(found.agent)}. The '
        f"ranks above do not include it.</p>{_table('By kind of decision', heads, rows)}</section>\n"
    )


# --- games


def _games(summary: LuckSummary, numbers: Sequence[int]) -> str:
    left = summary.games - len(numbers)
    note = f'<p class="note">The last {len(numbers):,} games; {left:,} earlier ones not plotted.</p>' if left else ""
    return f"<h2>Games</h2>{note}" + "".join(_game(summary, summary.game(number)) for number in numbers)


def _game(summary: LuckSummary, game: GameLine) -> str:
    rows = [_seat_row(line) for line in sorted(game.seats, key=lambda line: line.rank)]
    heads = ("player", "rank", "points", *SOURCES, "luck", "rank without luck")
    drawn = [line for line in game.seats if summary.player in (None, line.name)]
    plots = "".join(
        _figure(game_plot(summary.scored, game.number, line.seat, line.name), f"Luck of {line.name} through the game.")
        for line in drawn
    )
    names = {line.seat: line.name for line in game.seats}
    return (
        f"<section><h3>{escape(short_source(game.source))}</h3>{_table('', heads, rows)}"
        f'<div class="plots">{plots}</div>{_moments(game.lucky, game.unlucky, names)}</section>\n'
    )


def _seat_row(line: SeatLine) -> str:
    lucks = "".join(_luck(line.luck[source]) for source in SOURCES)
    return (
        f"<tr><th scope=row>{escape(line.name)}</th><td>{line.rank:g}</td><td>{line.points:+,.0f}</td>"
        f"{lucks}{_luck(line.total)}<td>{line.adjusted_rank:.2f}</td></tr>"
    )


def _moments(lucky: Sequence[Moment], unlucky: Sequence[Moment], names: dict[int, str] | None = None) -> str:
    items = []
    for word, found in (("Luckiest", lucky), ("Unluckiest", unlucky)):
        for moment in found:
            who = names[moment.seat] if names else short_source(moment.source)
            items.append(f"<li>{word}: {escape(f'{who}, {moment}')}</li>")
    return f'<ul class="moments">{"".join(items)}</ul>' if items else ""


def _problems(problems: Sequence[str]) -> str:
    if not problems:
        return ""
    items = "".join(f"<li>{escape(problem)}</li>" for problem in problems)
    return f"<section><h2>Left out</h2><ul>{items}</ul></section>\n"


# --- pieces


def _table(caption: str, heads: Sequence[str], rows: Sequence[str]) -> str:
    name = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th scope=col>{escape(word)}</th>" for word in heads)
    return (
        f'<div class="scroll"><table>{name}<thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>\n'
    )


def _estimate(estimate: Estimate, digits: int = 2) -> str:
    if isnan(estimate.value):
        return "<td>–</td>"
    reach = "" if isnan(estimate.half_width) else f" <small>± {estimate.half_width:.{digits}f}</small>"
    return f"<td>{estimate.value:.{digits}f}{reach}</td>"


def _variance(found: Adjusted) -> str:
    if found.few:
        return "<td>too few games</td>"
    return "<td>–</td>" if isnan(found.ratio.value) else f"<td>{100 * (found.ratio.value - 1):+.0f} %</td>"


def _luck(places: float, digits: int = 2) -> str:
    style = "good" if places > 0 else "bad" if places < 0 else ""
    return f'<td class="{style}">{places:+.{digits}f}</td>'


def _figure(drawing: Drawing, caption: str) -> str:
    return f"<figure>{drawing.html()}<figcaption>{escape(caption)}</figcaption></figure>"
