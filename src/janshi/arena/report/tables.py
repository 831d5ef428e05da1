"""The tables of a report as HTML, each with one line that says what its numbers mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from typing import Any, Final

from janshi.arena.contestants import shown_name
from janshi.arena.plan import Plan
from janshi.arena.report.plots import ordinal
from janshi.arena.results import Results
from janshi.arena.sample_size import needed_for_width
from janshi.arena.standings import Round, Standing
from janshi.arena.stats import Estimate
from janshi.arena.summary import RATES, Line, Summary

WIDTHS: Final = (0.05, 0.02, 0.01)
"""Half widths of the average rank's interval for which the required games are shown."""
FEW_PAIRS: Final = 15
"""More pairs than this are collapsed."""
MOST_FAULTS: Final = 100
NOTHING: Final = "–"
TOO_FEW: Final = "(too few wall sets)"
NEVER_SHOWN_EMPTY: Final = ("riichi", "tenpai at draw")
"""Rates that some rules do not have; left out if they never happened."""


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], note: str) -> str:
    """A table with a caption and a line of explanation. Headings are text, cells HTML; a row's first is its heading."""
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="note">{escape(note)}</p>\n'
    )


# --- cells


def name(label: str) -> str:
    """A contestant's name."""
    return f"<code>{escape(label)}</code>"


def number(value: float, digits: int, signed: bool = False) -> str:
    """A number with a true minus sign, or a dash for none."""
    return NOTHING if isnan(value) else f"{value:{'+' if signed else ''}.{digits}f}".replace("-", "−")


def spread(estimate: Estimate | None, digits: int, signed: bool = False) -> str:
    """A number ± half its interval."""
    if estimate is None:
        return NOTHING
    reach = TOO_FEW if estimate.unknown else f"±&nbsp;{estimate.half_width:.{digits}f}"
    return f"{number(estimate.value, digits, signed)}&nbsp;<small>{reach}</small>"


def percent(estimate: Estimate | None) -> str:
    """A share with its interval."""
    if estimate is None:
        return NOTHING
    interval = TOO_FEW if estimate.unknown else f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"
    return f"{100 * estimate.value:.1f}&nbsp;% <small>{interval}</small>"


def count(value: int) -> str:
    """A whole number with separated thousands."""
    return f"{value:,}"


def factor(value: float) -> str:
    """A quotient that may be unknown or infinite."""
    return NOTHING if isnan(value) else f"{value:.2f}×" if isfinite(value) else "∞"


def about(value: float) -> str:
    """A large number, roughly."""
    return count(round(value)) if isfinite(value) else NOTHING if isnan(value) else "∞"


def chance(p: float) -> str:
    """A p-value."""
    if isnan(p):
        return NOTHING
    return "&lt;&nbsp;0.001" if p < 0.001 else f"{p:.3f}"


# --- tables of a match


def outcome_table(summary: Summary, names: Sequence[str], players: int) -> str:
    """Games, ranks and points."""
    heads = ["Contestant", "Games", "Average rank", "Points a game", *(ordinal(k) for k in range(1, players + 1))]
    rows = [
        [
            name(names[line.contestant]),
            count(line.games),
            spread(line.rank, 3),
            spread(line.points, 2, signed=True),
            *(percent(line.places[k]) if line.places else NOTHING for k in range(players)),
        ]
        for line in summary.lines
    ]
    return table(
        "Results",
        heads,
        rows,
        "Rank 1 is best. ± and the small ranges are 95 % intervals: they would contain the true value in 95 of 100 "
        "such matches. Games on the same walls share their luck; the intervals account for that.",
    )


def play_table(summary: Summary, names: Sequence[str], results: Results, fan: str) -> str:
    """How the contestants played: rates, values of hands counted in `fan`, time and faults."""
    rates = [rate for rate in RATES if rate not in NEVER_SHOWN_EMPTY or _happened(results, rate)]
    fan = fan.capitalize()
    heads = ["Contestant", *(rate.capitalize() for rate in rates), f"{fan} a win", f"{fan} a hand (AF)"]
    heads += ["Points a win", "Points a deal-in", "ms a decision", "Faults"]
    rows = [[name(names[line.contestant]), *_played(line, rates)] for line in summary.lines]
    return table(
        "Play",
        heads,
        rows,
        "Shares of hands, except self-draw (of wins) and tenpai (of drawn hands); call means a hand with "
        f"an open meld, draw an exhaustive draw. {fan} a hand counts hands without a win as zero. Faults are crashes, "
        "time-outs and illegal answers.",
    )


def _happened(results: Results, rate: str) -> bool:
    return bool(results.counters[:, :, RATES[rate][0]].any())


def _played(line: Line, rates: Sequence[str]) -> list[str]:
    amounts = (("fan per win", 2), ("fan per hand", 3), ("points per win", 1), ("points per deal-in", 1))
    return [
        *(percent(line.rates.get(rate)) for rate in rates),
        *(spread(line.amounts.get(amount), digits) for amount, digits in amounts),
        f"{line.milliseconds:.3g}",
        count(sum(line.faults.values())),
    ]


def pairs_table(summary: Summary, names: Sequence[str]) -> str:
    """Differences between contestants who met, and the gain from duplicate walls."""
    if not summary.pairs:
        return ""
    heads = ["Pair", "Rank difference", "p", "Points difference", "Gain", "Games", "Effective games"]
    rows = [
        [
            f"{name(names[pair.first])} − {name(names[pair.second])}",
            spread(pair.rank.estimate, 3, signed=True),
            chance(pair.rank.estimate.p_value()),
            spread(pair.points.estimate, 2, signed=True),
            factor(pair.rank.gain),
            count(pair.rank.estimate.games),
            about(pair.rank.effective_games),
        ]
        for pair in summary.pairs
    ]
    made = table(
        "Differences",
        heads,
        rows,
        "The first minus the second, at common tables: a negative rank difference means that the first is better. p is "
        "the chance of a difference at least as large between equal players. Gain says how many games on separate "
        "walls each game on replayed walls was worth; effective games = games × gain.",
    )
    if len(rows) <= FEW_PAIRS:
        return made
    return f"<details><summary>Differences of all {len(rows)} pairs</summary>{made}</details>"


def control_table(summary: Summary, names: Sequence[str]) -> str:
    """Points without the baseline's luck."""
    if not summary.controlled:
        return ""
    rows = [
        [
            name(names[who]),
            spread(controlled.plain, 2, signed=True),
            spread(controlled.estimate, 2, signed=True),
            factor(controlled.gain),
            count(controlled.estimate.games),
            about(controlled.effective_games),
        ]
        for who, controlled in summary.controlled.items()
    ]
    return table(
        "Points without the luck of the walls",
        ["Contestant", "Plain points", "Adjusted points", "Gain", "Games", "Effective games"],
        rows,
        "Copies of one player played the same walls among themselves; their result in a contestant's seat is luck "
        "and is subtracted. Gain says how many plain games each game was worth.",
    )


def needed_table(summary: Summary, names: Sequence[str]) -> str:
    """How many further games narrower intervals need."""
    ranks = [(name(names[line.contestant]), line.rank) for line in summary.lines if line.rank is not None]
    if len(summary.pairs) <= FEW_PAIRS:
        ranks += [
            (f"{name(names[pair.first])} − {name(names[pair.second])}", pair.rank.estimate) for pair in summary.pairs
        ]
    rows = [
        [who, f"±&nbsp;{rank.half_width:.3f}", *(_further(rank, width) for width in WIDTHS)]
        for who, rank in ranks
        if not rank.unknown
    ]
    if not rows:
        return ""
    return table(
        "Further games for a narrower interval",
        ["Average rank", "Now", *(f"for ± {width:g}" for width in WIDTHS)],
        rows,
        "More games of the same kind until the 95 % interval of the average rank (or of the difference of "
        "two) is this narrow. Half the width takes about four times as many games.",
    )


def _further(rank: Estimate, width: float) -> str:
    games = needed_for_width(rank, width).further_games
    return count(games) if games else "none"


# --- tournaments


def standings_table(places: Sequence[Standing], names: Sequence[str]) -> str:
    """The standings."""
    heads = ["Contestant", "Place", "Games", "Points a game", "Average rank", "Strength", "μ", "σ", "μ − 3σ"]
    rows = [
        [
            name(names[s.contestant]),
            str(place),
            count(s.games),
            spread(s.points, 2, signed=True) if s.points is not None else number(s.average_points, 2, signed=True),
            spread(s.rank, 3) if s.rank is not None else number(s.average_rank, 3),
            spread(s.strength, 2, signed=True),
            number(s.rating.mu, 2),
            f"{s.rating.sigma:.2f}",
            number(s.rating.ordinal, 2),
        ]
        for place, s in enumerate(places, 1)
    ]
    return table(
        "Standings",
        heads,
        rows,
        "Sorted by points per game. Strength (Plackett-Luce) takes into account who met whom: a contestant one unit "
        "above another finishes ahead of it in 73 of 100 games; it is missing if somebody always won or always lost. "
        "μ and σ are openskill's running rating.",
    )


def rounds_table(rounds: Sequence[Round], names: Sequence[str]) -> str:
    """Who met whom."""
    rows = []
    for number, r in enumerate(rounds, 1):
        seated = {who for lineup in r.plan.lineups for who in lineup}
        tables = "<br>".join(", ".join(name(names[who]) for who in sorted(lineup)) for lineup in r.plan.lineups)
        out = ", ".join(name(names[who]) for who in range(len(names)) if who not in seated)
        rows.append([str(number), tables, out or NOTHING, f"{count(len(r.results))} of {count(len(r.plan))}"])
    return table(
        "Rounds",
        ["Round", "Tables", "Sat out", "Games"],
        rows,
        "Each line is a table. Contestants with similar standings meet, avoiding repeat meetings; all tables of a "
        "round play the same walls.",
    )


# --- faults


@dataclass(slots=True)
class FaultLine:
    """Faults of one kind by one contestant."""

    contestant: int
    kind: str
    count: int
    games: int
    where: str
    """Where it first happened: the game, the seat, and the request if the protocol counts them."""
    message: str


def list_faults(rounds: Sequence[Round]) -> list[FaultLine]:
    """All faults, by contestant and kind, with the first message of each."""
    found: dict[tuple[int, str], FaultLine] = {}
    games: set[tuple[int, str, str]] = set()
    for number, r in enumerate(rounds, 1):
        place = f"round {number}, game" if len(rounds) > 1 else "game"
        for game, seats, rows in zip(r.results.game, r.results.seats, r.results.faults):
            for row in rows:
                who = int(seats[row["seat"]])
                key, where = (who, str(row["kind"])), f"{place} {game}"
                line = found.setdefault(key, FaultLine(*key, 0, 0, where + _place_in_game(row), str(row["message"])))
                line.count += int(row["count"])
                line.games += (*key, where) not in games
                games.add((*key, where))
    return sorted(found.values(), key=lambda line: (line.contestant, -line.count))


def _place_in_game(row: Mapping[str, Any]) -> str:
    request = f", request {row['request']}" if "request" in row else ""
    return f", seat {row['seat']}{request}"


def faults_table(rounds: Sequence[Round], names: Sequence[str]) -> str:
    """What went wrong."""
    lines = list_faults(rounds)
    if not lines:
        return "<p>No faults: every answer was legal and came in time.</p>\n"
    rows = [
        [
            name(names[line.contestant]),
            escape(line.kind),
            count(line.count),
            count(line.games),
            f"{escape(line.where)}: <code>{escape(line.message)}</code>",
        ]
        for line in lines[:MOST_FAULTS]
    ]
    return table(
        "Faults",
        ["Contestant", "Kind", "Times", "Games", "First"],
        rows,
        "Where a player gave no usable answer a substitute answered for it (pass, else discard the drawn tile).",
    )


def names_of(plan: Plan) -> list[str]:
    """Names of the contestants, numbered if two are the same."""
    seen: dict[str, int] = {}
    names = []
    for label in map(shown_name, plan.contestants):
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return names
