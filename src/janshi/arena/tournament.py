"""Tournaments of more contestants than fit one table: round robins, or Swiss rounds by standings.

A round robin is one match of many lineups on the same walls: `run_match(round_robin(...), path)`. A Swiss tournament is
one match per round, each on new walls:

    tournament.json        rules, contestants, rounds, walls, seed
    round-01/ round-02/ …  matches

Lineups of a round follow from the seed and the earlier results, so an interrupted tournament continues where it stopped
and ends with the same results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi import __version__
from janshi.arena.contestants import version_of
from janshi.arena.match import PLAIN, run_match
from janshi.arena.pairing import Dice, all_lineups, balanced_lineups, choose_byes, count_meetings, swiss_tables
from janshi.arena.plan import SEATINGS, Plan
from janshi.arena.results import Results
from janshi.arena.standings import Round, Standing, join_rounds, standings
from janshi.arena.stats import per_contestant
from janshi.arena.store import HEADER as MATCH_HEADER
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.units import Options
from janshi.core.files import write_whole
from janshi.rules.registry import make_game

__all__ = [
    "Round",
    "Standing",
    "Swiss",
    "TournamentResult",
    "is_tournament",
    "read_tournament",
    "round_robin",
    "run_swiss",
    "standings",
]

HEADER: Final = "tournament.json"
FORMAT: Final = 1

RoundWatching = Callable[[int, Plan, Results, int], None]
"""Called with the round (from 1), its plan, the games just finished, and how many of the round there are now."""


def round_robin(
    rules: str,
    contestants: Sequence[str],
    walls: int,
    seed: int = 0,
    seating: str = "rotations",
    tables: int | None = None,
) -> Plan:
    """The match in which everybody meets everybody, all on the same walls.

    Without `tables` every combination of contestants is a lineup; with it only this many, chosen from the seed so that
    all play and all pairs meet about equally often. If there are fewer contestants than seats, some take several.
    """
    players, dice = make_game(rules).players, Dice(seed)
    if tables is None:
        lineups = all_lineups(len(contestants), players, dice)
    else:
        lineups = balanced_lineups(len(contestants), players, tables, dice)
    return Plan(rules, tuple(contestants), lineups, walls, seed, seating)


@dataclass(frozen=True)
class Swiss:
    """A Swiss tournament: everything that determines its games."""

    rules: str
    contestants: tuple[str, ...]
    rounds: int
    walls: int
    """Wall sets of each round, shared by its tables."""
    seed: int = 0
    seating: str = "rotations"

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"a tournament needs at least one round, not {self.rounds}")
        if self.walls < 1:
            raise ValueError(f"a round needs at least one wall set, not {self.walls}")
        if self.seating not in SEATINGS:
            raise ValueError(f"seating must be one of {', '.join(SEATINGS)}, not {self.seating!r}")
        if len(self.contestants) < self.players:
            raise ValueError(
                f"a Swiss tournament of {self.rules} needs at least {self.players} contestants, "
                f"not {len(self.contestants)}; fewer can play a round robin"
            )

    @cached_property
    def players(self) -> int:
        """Seats at a table."""
        return make_game(self.rules).players

    def next_plan(self, played: Sequence[Round]) -> Plan:
        """The plan of the next round: tables by standings, few repeated meetings, byes in turn."""
        dice = Dice(self.seed, len(played) + 1)
        order = self._standing(played)
        out = choose_byes(order, self.byes(played), len(order) % self.players)
        seated = [who for who in order if who not in out]
        meetings = count_meetings([lineup for r in played for lineup in r.plan.lineups], len(order))
        tables = swiss_tables(seated, self.players, meetings, dice)
        lineups = tuple(tuple(dice.shuffled(table)) for table in tables)
        first_wall = len(played) * self.walls
        return Plan(
            self.rules, self.contestants, lineups, self.walls, self.seed, self.seating, None, first_wall=first_wall
        )

    def byes(self, played: Sequence[Round]) -> list[int]:
        """How many rounds each contestant sat out."""
        return [
            sum(all(who not in lineup for lineup in r.plan.lineups) for r in played)
            for who in range(len(self.contestants))
        ]

    def _standing(self, played: Sequence[Round]) -> list[int]:
        """Contestants from the best: by points per game (0 without games), average rank, then at random."""
        lot = Dice(self.seed).shuffled(range(len(self.contestants)))
        if not played:
            return lot
        results = join_rounds(played)[1]
        points, ranks = (
            np.nan_to_num(_averages(per_contestant(values, results.seats, range(len(lot)))), nan=without)
            for values, without in ((results.points, 0.0), (results.ranks, (self.players + 1) / 2))
        )
        return sorted(lot, key=lambda who: (-round(float(points[who]), 6), round(float(ranks[who]), 6)))


def _averages(values: Any) -> Any:
    played = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.where(played, values, 0.0).sum(0) / played.sum(0)


@dataclass
class TournamentResult:
    """A Swiss tournament and its rounds so far."""

    swiss: Swiss
    rounds: list[Round]
    versions: dict[str, str] = field(default_factory=dict)
    """Version of each contestant."""
    created: str = ""
    janshi: str = __version__

    @property
    def finished(self) -> bool:
        """Whether all rounds are played."""
        return len(self.rounds) == self.swiss.rounds and all(r.finished for r in self.rounds)

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings, best first."""
        return standings(self.rounds)


def run_swiss(
    rules: str,
    contestants: Sequence[str],
    rounds: int,
    walls: int,
    seed: int = 0,
    path: Path | str | None = None,
    *,
    seating: str = "rotations",
    workers: int = 1,
    cluster: str | None = None,
    options: Options = PLAIN,
    watch: RoundWatching | None = None,
) -> TournamentResult:
    """Play a Swiss tournament, or its missing games.

    With a path it is kept there, and continued if it was interrupted; it may be given more rounds than before. Finished
    rounds are read, not played again. The other options are those of `run_match`.
    """
    swiss = Swiss(rules, tuple(contestants), rounds, walls, seed, seating)
    game = make_game(rules)
    versions = {label: version_of(label, game) for label in swiss.contestants}
    header = None if path is None else create_tournament(path, swiss, versions)
    result = TournamentResult(swiss, [], versions, "" if header is None else header["created"])
    for number in range(1, rounds + 1):
        plan = swiss.next_plan(result.rounds)
        watch_round = None if watch is None else _watching(watch, number, plan)
        place = None if path is None else round_path(path, number)
        results = run_match(plan, place, workers=workers, cluster=cluster, options=options, watch=watch_round)
        result.rounds.append(Round(plan, results))
    return result


def _watching(watch: RoundWatching, number: int, plan: Plan) -> Callable[[Results, int], None]:
    return lambda results, done: watch(number, plan, results, done)


# --- on disk


def round_path(path: Path | str, number: int) -> Path:
    """The directory of a round, counted from 1."""
    return Path(path) / f"round-{number:02}"


def is_tournament(path: Path | str) -> bool:
    """Whether a directory holds a tournament."""
    return (Path(path) / HEADER).is_file()


def create_tournament(path: Path | str, swiss: Swiss, versions: dict[str, str]) -> dict[str, Any]:
    """Make the directory of a new tournament, or open that of the same one to continue it; returns its header.

    A tournament may be given more rounds than before; any other difference raises `StoreError`.
    """
    path = Path(path)
    if is_tournament(path):
        header = _read_header(path)
        _require_same(path, header, swiss, versions)
        if swiss.rounds > header["swiss"]["rounds"]:
            header["swiss"]["rounds"] = swiss.rounds
            _write_header(path, header)
        return header
    if path.exists() and any(path.iterdir()):
        raise StoreError(f"{path}: is not empty and holds no tournament ({HEADER} is missing)")
    path.mkdir(parents=True, exist_ok=True)
    header = {
        "swiss": asdict(swiss),
        "versions": versions,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "janshi": __version__,
        "format": FORMAT,
    }
    _write_header(path, header)
    return header


def _write_header(path: Path, header: dict[str, Any]) -> None:
    write_whole(path / HEADER, (json.dumps(header, indent=2, ensure_ascii=False) + "\n").encode())


def _read_header(path: Path) -> dict[str, Any]:
    file = path / HEADER
    try:
        header: dict[str, Any] = json.loads(file.read_text())
        if header["format"] != FORMAT:
            raise StoreError(f"{file}: has format {header['format']}, this program reads {FORMAT}")
        _swiss(header)
        return header
    except StoreError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{file}: cannot be read as a tournament: {error!r}") from None


def _swiss(header: dict[str, Any]) -> Swiss:
    data = header["swiss"]
    return Swiss(**{**data, "contestants": tuple(data["contestants"])})


def _require_same(path: Path, header: dict[str, Any], swiss: Swiss, versions: dict[str, str]) -> None:
    ours, theirs = asdict(replace(_swiss(header), rounds=swiss.rounds)), asdict(swiss)
    changed = ", ".join(f"{key} {ours[key]!r} there, {theirs[key]!r} now" for key in ours if ours[key] != theirs[key])
    if changed:
        raise StoreError(f"{path}: holds another tournament ({changed}); choose another directory")
    stale = {who: v for who, v in header["versions"].items() if versions.get(who, v) != v}
    if stale:
        changes = ", ".join(f"{who} was version {v}, is {versions[who]}" for who, v in stale.items())
        raise StoreError(f"{path}: was started with other versions of its players ({changes})")


def read_tournament(path: Path | str) -> TournamentResult:
    """Read the tournament so far; its last round may be unfinished."""
    path = Path(path)
    if not is_tournament(path):
        raise StoreError(f"{path}: there is no tournament here ({HEADER} is missing)")
    header = _read_header(path)
    swiss = _swiss(header)
    rounds: list[Round] = []
    for number in range(1, swiss.rounds + 1):
        place = round_path(path, number)
        if not (place / MATCH_HEADER).exists():
            break
        store = MatchStore(place)
        rounds.append(Round(store.plan, store.read()))
    return TournamentResult(swiss, rounds, header["versions"], header["created"], header["janshi"])
