"""The report of matches and tournaments: one self-contained HTML page, for a browser or a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from janshi.arena.families import ARENA_LAYER
from janshi.arena.plan import Plan
from janshi.arena.report.plots import points_plot, rank_plot, running_plot, shares_plot
from janshi.arena.report.style import STYLE
from janshi.arena.report.svg import Drawing
from janshi.arena.report.tables import (
    control_table,
    count,
    faults_table,
    name,
    names_of,
    needed_table,
    outcome_table,
    pairs_table,
    play_table,
    rounds_table,
    standings_table,
)
from janshi.arena.results import Results
from janshi.arena.standings import Round, join_rounds, standings
from janshi.arena.store import HEADER as MATCH_HEADER
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import Summary, split_baseline, summarise
from janshi.arena.tournament import HEADER, is_tournament, read_tournament, round_path
from janshi.core.files import write_whole
from janshi.rules.registry import find_family

SEATING_WORDS: Final = {
    "rotations": "every wall set is played once for every rotation of each table",
    "permutations": "every wall set is played once for every order of each table's players",
    "fixed": "every wall set is played once, in the same seats",
    "independent": "every wall set is played once, with seats rotating from one to the next",
}


@dataclass(frozen=True, slots=True)
class Chapter:
    """One match or tournament on a page."""

    title: str
    rounds: tuple[Round, ...]
    """A match has one."""
    versions: dict[str, str]
    created: str
    janshi: str
    state: str
    """Whether all games are played."""
    folder: str
    """Where the games of the first round are."""


def write_report(paths: Sequence[Path | str], out: Path | str) -> None:
    """Write the page for some match or tournament directories, atomically."""
    chapters = [read_chapter(Path(path)) for path in paths]
    if not chapters:
        raise ValueError("a report needs at least one match or tournament")
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, page(chapters).encode())


def read_chapter(path: Path) -> Chapter:
    """Read a match or a tournament."""
    if is_tournament(path):
        return _read_tournament(path)
    if not (path / MATCH_HEADER).is_file():
        raise StoreError(
            f"{path}: there is neither a match ({MATCH_HEADER}) nor a tournament ({HEADER}) here; "
            "give the directory of one"
        )
    store = MatchStore(path)
    r = Round(store.plan, store.read())
    header = store.header
    state = f"{count(len(r.results))} of {count(len(r.plan))} games played"
    if header.stopped_at is not None:
        state = f"stopped early by its stopping rule after {count(header.stopped_at)} wall sets"
    elif r.finished:
        state = "all games played"
    title = f"Match {path.resolve().name}"
    return Chapter(title, (r,), header.versions, header.created, header.janshi, state, path.name)


def _read_tournament(path: Path) -> Chapter:
    result = read_tournament(path)
    if not result.rounds:
        raise StoreError(f"{path}: the tournament has not started its first round")
    state = "all rounds played" if result.finished else f"{len(result.rounds)} of {result.swiss.rounds} rounds started"
    folder = str(round_path(path.name, 1))
    title = f"Tournament {path.resolve().name}"
    return Chapter(title, tuple(result.rounds), result.versions, result.created, result.janshi, state, folder)


# --- the page


def page(chapters: Sequence[Chapter], title: str = "", first: str = "") -> str:
    """The whole page; `first` is HTML that comes before the chapters."""
    title = title or (chapters[0].title if len(chapters) == 1 else f"{len(chapters)} matches")
    links = "".join(f'<li><a href="#c{i}">{escape(c.title)}</a></li>' for i, c in enumerate(chapters, 1))
    contents = f'<nav aria-label="Contents"><ul>{links}</ul></nav>' if len(chapters) > 1 else ""
    body = "\n".join(_chapter(chapter, i) for i, chapter in enumerate(chapters, 1))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)} – Janshi</title><style>{STYLE}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1>{contents}</header>\n<main>{first}{body}</main></body></html>\n"
    )


def _chapter(chapter: Chapter, number: int) -> str:
    plan, results = join_rounds(chapter.rounds)
    names = names_of(plan)
    parts = [f'<section id="c{number}"><h2>{escape(chapter.title)}</h2>', _facts(chapter, plan, results, names)]
    if not len(results):
        return "".join([*parts, "<p>No game is finished yet.</p></section>"])
    summary = summarise(results, plan)
    measured, _ = split_baseline(results, plan)
    parts += [_verdict(summary, names), _standings(chapter, plan, names)]
    parts += [
        outcome_table(summary, names, results.players),
        _plots(summary, measured, names),
        "<h3>How they played</h3>",
        play_table(summary, names, measured, ARENA_LAYER.of(find_family(plan.rules)).fan),
        "<h3>How sure is it?</h3>",
        pairs_table(summary, names),
        control_table(summary, names),
        needed_table(summary, names),
        "<h3>Faults</h3>",
        faults_table(chapter.rounds, names),
        _replay(chapter),
        "</section>",
    ]
    return "".join(parts)


def _facts(chapter: Chapter, plan: Plan, results: Results, names: Sequence[str]) -> str:
    """What was played, and by whom."""
    versions = [
        name(text) + (f" version {escape(chapter.versions[label])}" if chapter.versions.get(label) else "")
        for text, label in zip(names, plan.contestants)
    ]
    facts = {
        "Rules": escape(plan.rules),
        "Contestants": "<br>".join(versions),
        "Games": f"{count(len(results))} ({escape(chapter.state)})",
        "Wall sets": count(plan.walls),
        "Lineups": count(len(plan.lineups)),
        "Seating": f"{escape(plan.seating)}: {escape(SEATING_WORDS[plan.seating])}",
        "Seed": str(plan.seed),
        "Begun": escape(chapter.created) or "unknown",
        "Janshi": f"version {escape(chapter.janshi)}",
    }
    if plan.baseline is not None:
        who = plan.lineups[plan.baseline][0]
        facts["Baseline"] = f"copies of {name(names[who])}, whose games count only as a measure of luck"
    return "<dl>" + "".join(f"<div><dt>{word}</dt><dd>{text}</dd></div>" for word, text in facts.items()) + "</dl>\n"


def _verdict(summary: Summary, names: Sequence[str]) -> str:
    """One sentence about the two best contestants who met."""
    ranks = {line.contestant: line.rank.value for line in summary.lines if line.rank is not None}
    best = sorted(ranks, key=lambda who: ranks[who])[:2]
    for pair in summary.pairs:
        if {pair.first, pair.second} == set(best):
            difference = pair.rank.estimate
            ahead, behind = (pair.first, pair.second) if difference.value <= 0 else (pair.second, pair.first)
            low, high = sorted((abs(difference.low), abs(difference.high)))
            if difference.value == 0:
                return f'<p class="verdict">{name(names[ahead])} and {name(names[behind])} finished level.</p>\n'
            if difference.unknown:
                both = f"{name(names[ahead])} and {name(names[behind])}"
                return f'<p class="verdict">Too few wall sets to say which of {both} is better.</p>\n'
            clear = difference.low > 0 or difference.high < 0
            verdict = (
                f"clearly: 95 % interval {low:.3f} to {high:.3f}"
                if clear
                else f"but the 95 % interval, ± {difference.half_width:.3f}, does not rule out the opposite"
            )
            return (
                f'<p class="verdict">{name(names[ahead])} finished {abs(difference.value):.3f} ranks ahead of '
                f"{name(names[behind])} on average, {verdict}.</p>\n"
            )
    return ""


def _standings(chapter: Chapter, plan: Plan, names: Sequence[str]) -> str:
    """Ratings, if the contestants played at more than one table."""
    measured = [lineup for number, lineup in enumerate(plan.lineups) if number != plan.baseline]
    if len(measured) < 2 or len(plan.contestants) < 3:
        return ""
    made = "<h3>Standings</h3>" + standings_table(standings(chapter.rounds), names)
    return made + (rounds_table(chapter.rounds, names) if len(chapter.rounds) > 1 else "")


def _plots(summary: Summary, results: Results, names: Sequence[str]) -> str:
    lines = summary.lines
    if all(line.rank is None for line in lines):
        return ""
    shown = [names[line.contestant] for line in lines]
    players = results.players
    return (
        '<div class="plots">'
        + "".join(
            (
                _figure(
                    rank_plot(lines, shown, players), "Average rank with its 95 % interval; dashed: equal players."
                ),
                _figure(shares_plot(lines, shown), "How often each rank was taken."),
                _figure(
                    running_plot(results, lines, shown),
                    "The average rank as wall sets were added, with its 95 % interval: has it settled?",
                ),
                _figure(points_plot(results, lines, shown), "Share of games by points."),
            )
        )
        + "</div>\n"
    )


def _figure(drawing: Drawing, caption: str) -> str:
    return f"<figure>{drawing.html()}<figcaption>{escape(caption)}</figcaption></figure>"


def _replay(chapter: Chapter) -> str:
    """How to replay a game of the match."""
    code = (
        "from janshi.arena.store import MatchStore\n"
        "from janshi.arena.units import Options, Player\n\n"
        f"plan = MatchStore({chapter.folder!r}).plan\n"
        "print(plan.game(0))  # who sits where, on which walls\n"
        "for games in Player(plan, Options(keep_actions=True)).play([0]):\n"
        "    print(games.scores, games.ranks)\n"
    )
    return (
        "<h3>Replaying a game</h3><p>A game's number determines its walls, its seats and the players' random choices, "
        "so that players who give the same answers play the same game. Game 0"
        f"{' of the first round' if len(chapter.rounds) > 1 else ''}:</p>"
        f"<pre><code>{escape(code)}</code></pre>\n"
        f"<p>On the command line, <code>janshi replay {escape(chapter.folder)} 0</code> writes it as a record.</p>\n"
    )
