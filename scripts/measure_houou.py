"""Measure houou players' figures from packs of their games, and write src/janshi/career/data/houou.json.

python scripts/measure_houou.py PACKS                 # a folder with houou-2009.tar.xz, houou-2018.tar.xz …
python scripts/measure_houou.py PACKS --luck 300      # luck of fewer games, for a quick look

The table covers all four seats of every game without a disconnect; intervals treat seats as independent, which makes
them a little too wide. The luck-free worth of kinds of hands comes from `houou-2022`, which the value function has not
seen. East games are from 2009, because the packs have no others; South games are from 2018 to 2022.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np

from _page import today
from janshi.career.figures import table
from janshi.career.games import OwnGames, all_seats
from janshi.career.habits import worths
from janshi.career.importer import read_game
from janshi.career.luck import measure
from janshi.career.store import CareerStore
from janshi.luck.value import shipped
from janshi.records.sources import SourceFile, Sources

OUT = Path(__file__).resolve().parent.parent / "src" / "janshi" / "career" / "data" / "houou.json"
PACKS = {1: ("houou-2009",), 2: ("houou-2018", "houou-2020", "houou-2022")}
LUCK_PACK = "houou-2022"
LEFT = b"<BYE"
"""mjlog's tag for a player who lost the connection."""
DIGITS = 6


def main() -> None:
    """Count, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", type=Path, help="the folder with the packs")
    parser.add_argument("--luck", type=int, default=None, help="measure the luck of at most this many games")
    given = parser.parse_args()
    rounds = {str(rounds): reference(given.packs, rounds, packs, given.luck) for rounds, packs in PACKS.items()}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps({"date": today(), "rounds": rounds}, indent=1, ensure_ascii=False) + "\n", "utf-8")


def reference(folder: Path, rounds: int, packs: tuple[str, ...], most: int | None) -> dict[str, object]:
    """The figures of games of one length."""
    with tempfile.TemporaryDirectory() as place:
        store = CareerStore(Path(place))
        luck: list[int] = []
        for pack in packs:
            for file in whole_games(folder / f"{pack}.tar.xz"):
                game = read_game(file)
                if game.rounds == rounds and not game.problem:
                    store.add_game(game)
            print(pack, store.count(), flush=True)
        if LUCK_PACK in packs:
            luck = [row[0] for row in store.read("select id from game where source like ?", (f"{LUCK_PACK}%",))][:most]
            for at in range(0, len(luck), 50):
                measure(store, luck[at : at + 50], shipped())
                print("luck", at, len(luck), flush=True)
        everybody = all_seats(store)
        store.close()
    return {
        "games": len(everybody) // 4,
        "source": f"Tenhou houou tables, {', '.join(packs)}",
        "luck_games": len(luck),
        "table": {group: shown(figures) for group, figures in table(everybody).items()},
        "worths": {name: rounded(astuple(worth)) for name, worth in worths(unseen(everybody)).items()},
    }


def whole_games(archive: Path) -> Iterator[SourceFile]:
    """Games of an archive in which nobody lost the connection."""
    return (file for file in Sources([archive]) if LEFT not in file.content)


def unseen(games: OwnGames) -> OwnGames:
    """Games that the value function was not trained on."""
    return games.pick(~np.asarray(games.trained))


def shown(figures: dict[str, tuple[float, ...]]) -> dict[str, list[float | int]]:
    """Estimates as lists."""
    return {name: rounded(estimate) for name, estimate in figures.items()}


def rounded(values: tuple[float, ...]) -> list[float | int]:
    """Numbers of a JSON file."""
    return [value if isinstance(value, int) else round(float(value), DIGITS) for value in values]


if __name__ == "__main__":
    main()
