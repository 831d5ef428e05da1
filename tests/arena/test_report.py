"""The report: a valid page with the figures of the summary, which no label can break."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.report.page import read_chapter, write_report
from janshi.arena.report.plots import running_mean
from janshi.arena.report.svg import Drawing, Scale, shortened
from janshi.arena.report.tables import list_faults
from janshi.arena.results import COUNTERS, DRAWS, HANDS, RIICHIS, WIN_FAN, WINS, Results, rank_points
from janshi.arena.sample_size import needed_for_width
from janshi.arena.standings import standings
from janshi.arena.stats import mean
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import Summary, summarise
from janshi.arena.tournament import read_tournament, round_robin, run_swiss

EVIL = 'mjai:bot </code><script>alert("1")</script> & <b'
VOID = {"meta", "br", "line"}


class Page(HTMLParser):
    """Reads a page: fails on tags that do not match, keeps tables, tags and text."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.text = ""
        self._caption = ""
        self.feed(source)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "caption":
            self._caption = ""
        if tag == "tr":
            self.tables[self._caption].append([])
        if tag in ("td", "th"):
            self.tables[self._caption][-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another"
        if tag == "caption":
            self.tables[self._caption] = []

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] == "caption":
            self._caption += data
        elif {"td", "th"} & set(self.open):
            self.tables[self._caption][-1][-1] += data

    def row(self, caption: str, first: str) -> dict[str, str]:
        """A row of a table by its first cell, as words of the head and cells."""
        head, *rows = self.tables[caption]
        found = [row for row in rows if row[0] == first]
        assert len(found) == 1, (caption, first, [row[0] for row in rows])
        return {word: cell.replace("\xa0", " ") for word, cell in zip(head, found[0])}


def made_up(plan: Plan, seed: int = 0, faulty: bool = False) -> Results:
    """Results of a plan nobody played."""
    rng = np.random.default_rng(seed)
    games = [plan.game(number) for number in range(len(plan))]
    seats = np.array([game.seats for game in games], np.int16)
    n, players = seats.shape
    points = np.round(rng.normal(size=(n, players)) * 20 - 10.0 * seats, 1)
    points -= points.mean(1, keepdims=True)
    counters = rng.integers(1, 9, (n, players, len(COUNTERS))).astype(np.int32)
    counters[:, :, HANDS] = 100
    counters[:, :, [WINS, DRAWS]] += 10
    faults: list[list[dict[str, object]]] = [[] for _ in games]
    if faulty:
        faults[3] = [{"seat": 1, "kind": "crash", "count": 2, "message": "<img src=x onerror=alert(1)> & more"}]
        faults[5] = [{"seat": 1, "kind": "crash", "count": 1, "message": "later"}]
    return Results(
        game=np.arange(n),
        wall=np.array([game.wall for game in games]),
        lineup=np.array([game.lineup for game in games], np.int32),
        seed=np.array([game.seed for game in games], np.uint64),
        seats=seats,
        scores=(points * 1000).astype(np.int32),
        points=points,
        ranks=rank_points(points),
        counters=counters,
        decisions=np.full((n, players), 50, np.int32),
        seconds=np.full((n, players), 0.1, np.float32),
        faults=faults,
        actions=[None] * n,
    )


def stored(path: Path, plan: Plan, results: Results) -> Path:
    MatchStore.create(path, plan, dict.fromkeys(plan.contestants, "1.2<3")).append(results)
    return path


def report_of(path: Path, *more: Path) -> tuple[str, Page]:
    out = path.parent / "report.html"
    write_report([path, *more], out)
    source = out.read_text()
    return source, Page(source)


def check_alone(source: str, page: Page) -> None:
    """The page loads nothing, runs nothing, and its tables and pictures can be read aloud."""
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "base", "form"}
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") or name == "src" for name in attributes), (tag, attributes)
        assert attributes.get("href", "#").startswith("#")
        if tag == "th":
            assert attributes["scope"] in ("row", "col")
        if tag == "svg":
            assert attributes["role"] == "img"
            assert attributes["aria-label"]
    assert "url(" not in source
    assert "@import" not in source
    assert "prefers-color-scheme: dark" in source
    assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in page.tags
    tables = sum(tag == "table" for tag, _ in page.tags)
    assert source.count("<caption>") == source.count('class="note"') == tables
    assert source.count("<svg ") == source.count("</desc>")


def check_figures(page: Page, summary: Summary) -> None:
    """What the tables say is what the summary says."""
    for line in summary.lines:
        row = page.row("Results", line.label)
        assert row["Games"] == f"{line.games:,}"
        assert row["Average rank"] == f"{line.rank.value:.3f} ± {line.rank.half_width:.3f}"
        assert row["Points a game"] == f"{line.points.value:+.2f} ± {line.points.half_width:.2f}".replace("-", "−")
        assert row["1st"].startswith(f"{100 * line.places[0].value:.1f} % {100 * line.places[0].low:.1f}–")
        play = page.row("Play", line.label)
        for rate in ("win", "deal-in", "call", "draw"):
            known = line.rates[rate]
            assert play[rate.capitalize()] == (
                f"{100 * known.value:.1f} % {100 * known.low:.1f}–{100 * known.high:.1f}"
            )
        needed = page.row("Further games for a narrower interval", line.label)
        further = needed_for_width(line.rank, 0.02).further_games
        assert needed["for ± 0.02"] == (f"{further:,}" if further else "none")
    labels = {line.contestant: line.label for line in summary.lines}
    for pair in summary.pairs:
        row = page.row("Differences", f"{labels[pair.first]} − {labels[pair.second]}")
        estimate = pair.rank.estimate
        assert row["Rank difference"] == f"{estimate.value:+.3f} ± {estimate.half_width:.3f}".replace("-", "−")
        if np.isfinite(pair.rank.gain):
            assert row["Gain"] == f"{pair.rank.gain:.2f}×"
            assert row["Effective games"] == f"{round(pair.rank.effective_games):,}"
        p = estimate.p_value()
        assert row["p"] == (f"{p:.3f}" if p >= 0.001 else "< 0.001")


# --- made-up matches


@pytest.fixture
def evil(tmp_path):
    plan = Plan("riichi/tenhou", ("greedy", EVIL), ((0, 1, 1, 1), (1, 0, 0, 0)), walls=20, seed=9)
    return stored(tmp_path / "m<a>tch", plan, made_up(plan, faulty=True))


def test_labels_and_messages_are_escaped(evil):
    source, page = report_of(evil)
    check_alone(source, page)
    assert EVIL in page.text
    assert "<img src=x onerror=alert(1)> & more" in page.text
    assert "version 1.2<3" in page.text
    assert "Match m<a>tch" in page.text


def test_figures_are_those_of_the_summary(evil):
    _, page = report_of(evil)
    store = MatchStore(evil)
    summary = summarise(store.read(), store.plan)
    check_figures(page, summary)
    fan = summary.lines[0].amounts["fan per hand"]
    row = page.row("Play", "greedy")
    assert row["Han a hand (AF)"] == f"{fan.value:.3f} ± {fan.half_width:.3f}"
    results = store.read()
    mine = results.seats == 0
    assert fan.value == pytest.approx(results.counters[mine][:, WIN_FAN].sum() / results.counters[mine][:, HANDS].sum())
    assert row["ms a decision"] == "2"


def test_faults_are_counted_and_the_first_is_shown(evil):
    _, page = report_of(evil)
    line = list_faults(read_chapter(evil).rounds)
    assert sum(one.count for one in line) == 3
    assert any(one.where == "game 3, seat 1" and one.message.startswith("<img") for one in line)
    store = MatchStore(evil)
    culprit = store.plan.contestants[store.plan.game(3).seats[1]]
    assert "game 3, seat 1: <img" in page.row("Faults", culprit)["First"]


def test_columns_that_never_happen_are_left_out(tmp_path):
    plan = Plan("guobiao/botzone", ("a", "b"), ((0, 1, 1, 1),), walls=12)
    results = made_up(plan)
    _, page = report_of(stored(tmp_path / "with", plan, results))
    assert "Riichi" in page.tables["Play"][0]
    results.counters[:, :, RIICHIS] = 0
    results.counters[:, :, WINS] = 0
    _, page = report_of(stored(tmp_path / "without", plan, results))
    assert "Riichi" not in page.tables["Play"][0]
    assert "Win" in page.tables["Play"][0]
    assert "Fan a win" in page.tables["Play"][0]


def test_baseline_has_its_table(tmp_path):
    plan = Plan("riichi/tenhou", ("a", "b"), ((0, 1, 1, 1), (1, 1, 1, 1)), walls=40, seating="independent", baseline=1)
    path = stored(tmp_path / "m", plan, made_up(plan))
    _, page = report_of(path)
    summary = summarise(MatchStore(path).read(), plan)
    assert summary.controlled
    for who, controlled in summary.controlled.items():
        row = page.row("Points without the luck of the walls", plan.contestants[who])
        value, half = controlled.estimate.value, controlled.estimate.half_width
        assert row["Adjusted points"] == f"{value:+.2f} ± {half:.2f}".replace("-", "−")
        assert row["Gain"] == f"{controlled.gain:.2f}×"


def test_two_copies_of_a_label_are_distinguished(tmp_path):
    plan = Plan("riichi/tenhou", ("a", "a", "b", "b"), ((0, 1, 2, 3),), walls=5)
    _, page = report_of(stored(tmp_path / "m", plan, made_up(plan)))
    assert [row[0] for row in page.tables["Results"][1:]] == ["a", "a (2)", "b", "b (2)"]


@pytest.mark.parametrize("games", [0, 1, 4, 11])
def test_matches_that_have_hardly_begun(tmp_path, games):
    plan = Plan("riichi/tenhou", ("a", "b"), ((0, 1, 1, 1),), walls=10)
    source, page = report_of(stored(tmp_path / "m", plan, made_up(plan).select(np.arange(games))))
    check_alone(source, page)
    assert f"{games} of 40 games played" in page.text
    assert ("No game is finished yet." in page.text) == (games == 0)


def test_match_in_which_nothing_differs(tmp_path):
    plan = Plan("riichi/tenhou", ("a", "b"), ((0, 1, 1, 1),), walls=10)
    results = made_up(plan)
    level = replace(
        results,
        points=np.zeros_like(results.points),
        ranks=np.full_like(results.ranks, 2.5),
        counters=results.counters * 0,
    )
    source, page = report_of(stored(tmp_path / "m", plan, level))
    check_alone(source, page)
    assert "a and b finished level" in page.text


def test_several_matches_on_one_page(tmp_path, evil):
    plan = Plan("simplified/paper", ("a", "b"), ((0, 1, 1),), walls=5)
    source, page = report_of(evil, stored(tmp_path / "other", plan, made_up(plan)))
    check_alone(source, page)
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    ids = [attributes["id"] for tag, attributes in page.tags if "id" in attributes]
    assert links == ["#c1", "#c2"]
    assert ids == ["c1", "c2"]


def test_a_report_that_fails_leaves_the_old_one(tmp_path, evil):
    out = tmp_path / "report.html"
    write_report([evil], out)
    before = out.read_bytes()
    (tmp_path / "nothing").mkdir()
    with pytest.raises(StoreError, match=r"nothing: there is neither a match \(match.json\) nor a tournament"):
        write_report([evil, tmp_path / "nothing"], out)
    with pytest.raises(ValueError, match="at least one match"):
        write_report([], out)
    assert out.read_bytes() == before
    assert not list(tmp_path.glob("*.tmp"))
    write_report([evil], tmp_path / "new" / "folder" / "r.html")
    assert (tmp_path / "new" / "folder" / "r.html").read_bytes() == before


# --- plots


def test_running_mean_ends_at_the_mean_and_passes_through_its_past():
    rng = np.random.default_rng(0)
    wall = np.repeat(np.arange(50), 4)
    values = rng.integers(1, 5, 200).astype(float)
    values[rng.random(200) < 0.3] = np.nan
    values[wall == 7] = np.nan
    run = running_mean(values, wall)
    last = mean(values, wall)
    assert run.walls[-1] == last.walls
    assert run.value[-1] == pytest.approx(last.value)
    assert run.reach[-1] == pytest.approx(last.half_width)
    for k in (3, 20):
        some = wall < k + 2 + (k + 2 > 7)
        then = mean(values[some], wall[some])
        assert run.walls[k] == then.walls
        assert (run.value[k], run.reach[k]) == pytest.approx((then.value, then.half_width))
    assert len(running_mean(values, np.zeros(200)).walls) == 0


def test_scales_and_ticks():
    scale = Scale(1.03, 3.97, 10, 430)
    assert scale.ticks() == [2.0, 3.0] or scale.ticks() == [1.5, 2.0, 2.5, 3.0, 3.5]
    assert scale(1.03) == 10
    assert scale(9) == 430
    assert Scale(0, 1, 0, 1).ticks(5) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale(2, 4, 0, 1).ticks(5, least=1) == [2, 3, 4]
    assert Scale(5, 5, 0, 100)(5) == 50
    assert shortened("abcdef", 4) == "abc…"


def test_drawings_escape_what_they_are_given():
    drawing = Drawing(10, 10, '<"t">', "d & d")
    drawing.text(1, 1, "<b>")
    drawing.box(0, 0, 1, 1, "mark", "a < b")
    drawing.path([], "curve")
    page = Page(drawing.html())
    assert [tag for tag, _ in page.tags] == ["svg", "title", "desc", "text", "rect", "title"]
    assert page.tags[0][1]["aria-label"] == '<"t">'


# --- played for real


@pytest.mark.parametrize("rules", ["riichi/tenhou_east", "guobiao/botzone", "simplified/paper"])
def test_report_of_a_real_match(tmp_path, rules):
    plan = round_robin(rules, ("greedy", "tsumogiri"), walls=6, seed=2)
    results = run_match(plan, tmp_path / "m")
    source, page = report_of(tmp_path / "m")
    check_alone(source, page)
    summary = summarise(results, plan)
    check_figures(page, summary)
    assert ("Riichi" in page.tables["Play"][0]) == rules.startswith("riichi")
    assert len(page.tables["Results"][0]) == 4 + results.players
    assert "all games played" in page.text
    assert len(re.findall("<svg ", source)) == 4


def test_game_is_played_again_as_the_page_says(tmp_path):
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=3, seed=4)
    results = run_match(plan, tmp_path / "m")
    source, _ = report_of(tmp_path / "m")
    code = re.search("<pre><code>(.*?)</code></pre>", source, re.S)[1].replace("&#x27;", "'")
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert f"{results.scores[:1]} {results.ranks[:1]}" in told
    assert f"seed={results.seed[0]}" in told


def test_report_of_a_tournament(tmp_path):
    labels = ["greedy", "random", "tsumogiri", "greedy", "random"]
    result = run_swiss("simplified/paper", labels, 3, 3, 1, tmp_path / "cup")
    source, page = report_of(tmp_path / "cup")
    check_alone(source, page)
    assert "Tournament cup" in page.text
    assert len(page.tables["Rounds"]) == 4
    shown = [(row[0], row[2]) for row in page.tables["Standings"][1:]]
    names = ["greedy", "random", "tsumogiri", "greedy (2)", "random (2)"]
    places = standings(read_tournament(tmp_path / "cup").rounds)
    assert shown == [(names[s.contestant], str(s.games)) for s in places]
    assert [s.contestant for s in places] == [s.contestant for s in result.standings]
    best = places[0]
    row = page.row("Standings", names[best.contestant])
    assert row["μ"] == f"{best.rating.mu:.2f}"
    assert row["Points a game"].startswith(f"{best.points.value:+.2f} ± ".replace("-", "−"))
