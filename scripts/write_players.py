"""Collect the players' strength from the documentation into one file of the package, for the app.

The measuring scripts write the tables of the pages; the app shows the same figures.

python scripts/write_players.py            # write src/janshi/web/data/measured.json
python scripts/write_players.py --check    # check that it agrees with the pages
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
TARGET = ROOT / "src" / "janshi" / "web" / "data" / "measured.json"
RULES = {"riichi": "riichi/tenhou_east", "guobiao": "guobiao/botzone", "simplified": "simplified/paper"}
SHIPPED = {"guobiao": "race", "simplified": "rl1-long"}
"""The runs whose policies are shipped, according to docs/rvr.md."""
RUNS = {
    "basic": "RL-basic",
    "global": "RL-global",
    "rl1": "RL-1",
    "rl2": "RL-2",
    "rl3": "RL-3",
    "rl4": "RL-4",
    "race": "race",
}

Row = dict[str, str]
Measured = dict[str, Any]


# --- reading pages


def marked(page: str, first: str, last: str) -> str:
    """The part of a page between two marks."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.search(re.escape(f"<!-- {first} -->") + "(.*?)" + re.escape(f"<!-- {last} -->"), text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{page}: no figures between <!-- {first} --> and <!-- {last} -->")
    return found[1]


def tables(text: str) -> Iterator[list[Row]]:
    """The tables of a text, each as rows by their headings."""
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        head, _, *rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        yield [dict(zip(head, row)) for row in rows]


def estimate(text: str) -> dict[str, float] | None:
    """A figure with its interval: `2.10 (2.04 – 2.16)` or `+6.13 ± 0.69`."""
    numbers = [float(number) for number in re.findall(r"[+-]?\d+(?:\.\d+)?", text.replace("–", " "))]
    if len(numbers) == 3:
        value, low, high = numbers
    elif len(numbers) == 2:
        value, low, high = numbers[0], numbers[0] - numbers[1], numbers[0] + numbers[1]
    else:
        return None
    return {"value": value, "low": round(low, 6), "high": round(high, 6)}


def share(text: str) -> float | None:
    """A percentage as a share."""
    found = re.search(r"\d+(?:\.\d+)?", text)
    return None if found is None else round(float(found[0]) / 100, 6)


def milliseconds(text: str) -> float:
    """A time with its unit."""
    number, unit = text.split()
    return round(float(number) * {"ms": 1.0, "µs": 1e-3}[unit], 9)


def count(text: str) -> int:
    """A number of games, `6,000` or `120, 3 faults`."""
    found = re.match(r"\d{1,3}(?:,\d{3})*", text)
    if found is None:
        raise SystemExit(f"{text!r} is not a number of games")
    return int(found[0].replace(",", ""))


def said(text: str, what: str) -> str:
    """A page's note on its figures, from a line such as `- Machine: …`."""
    found = re.search(rf"^- {what}: (.*)$", text, re.MULTILINE)
    return found[1].strip("`") if found else ""


# --- strength


def measurement(rules: str, player: str, against: str, games: int, page: str, **figures: Any) -> Measured:
    """One player against copies of another; unknown figures are null."""
    known = {
        "rank": None,
        "points": None,
        "win": None,
        "deal_in": None,
        "milliseconds": None,
        "date": "",
        "machine": "",
    }
    agent = player.partition(":")[0]
    return {"rules": rules, "agent": agent, "player": player, "against": against, "games": games, "page": page} | (
        known | figures
    )


def of_agents() -> Iterator[Measured]:
    """The table of docs/agents.md."""
    text = marked("agents.md", "measured: begin", "measured: end")
    for row in next(tables(text)):
        yield measurement(
            row["rules"],
            row["agent"].strip("`"),
            row["against copies of"].strip("`"),
            count(row["games"]),
            "agents.md",
            rank=estimate(row["average rank"]),
            points=estimate(row["points a game"]),
            win=share(row["wins"]),
            deal_in=share(row["deal-ins"]),
            milliseconds=milliseconds(row["time of a decision"]),
            date=row["measured"],
            machine=said(text, "Machine"),
        )


def of_page(name: str) -> Iterator[Measured]:
    """The matches of a riichi player's own page, docs/montecarlo.md or docs/mdp.md."""
    text = marked(f"{name}.md", "figures", "end of figures")
    for row in next(tables(text)):
        player, opponent = row["player"].strip("`"), re.fullmatch(r"against three `(\w+)`", row["match"])
        if player.partition(":")[0] == name and opponent:
            yield measurement(
                RULES["riichi"],
                player,
                opponent[1],
                count(row["games"]),
                f"{name}.md",
                rank=estimate(row["average rank"]),
                win=share(row["win, %"]),
                deal_in=share(row["deal-in, %"]),
                milliseconds=float(row["ms a decision"]),
                date=said(text, "Date"),
                machine=said(text, "Machine"),
            )


def of_search() -> Iterator[Measured]:
    """The matches of docs/search.md against copies of another player."""
    text = marked("search.md", "figures", "end of figures")
    date, machine = date_and_machine(text)
    for row in next(tables(text)):
        found = re.fullmatch(r"(\w+): against (?:two|three) `(\w+)`", row["match"])
        if found:
            yield measurement(
                RULES[found[1].lower()],
                "search",
                found[2],
                count(row["games"]),
                "search.md",
                points=estimate(row["points a game"]),
                win=share(row["won"]),
                date=date,
                machine=machine,
            )


def of_rvr(figures: dict[str, Any], text: str) -> Iterator[Measured]:
    """The policies of the package against search models."""
    date, machine = date_and_machine(text)
    for family, run in SHIPPED.items():
        match = figures["matches"][family][run]
        value, error = round(match["af"], 4), match["af_error"]
        yield measurement(
            RULES[family],
            "rvr",
            "search",
            match["games"],
            "rvr.md",
            points={"value": value, "low": round(value - error, 4), "high": round(value + error, 4)},
            win=round(match["wr"], 4),
            date=date,
            machine=machine,
        )


def date_and_machine(text: str) -> tuple[str, str]:
    """Date and machine of a line such as `Measured 2026-11-15, x86_64, …: `python …`.`."""
    found = re.search(r"(?:Measured|Written) (\d{4}-\d\d-\d\d), (.*?): `", text)
    return (found[1], found[2]) if found else ("", "")


def widest(found: Iterator[Measured]) -> list[Measured]:
    """For each pair of players, the match with the most games; each level of a player counts as a separate player."""
    best: dict[tuple[str, str, str], Measured] = {}
    for one in found:
        level = re.search(r"level=\w+", one.get("player", ""))
        key = (one["rules"], one["agent"] + (level[0] if level else ""), one["against"])
        if key not in best or best[key]["games"] < one["games"]:
            best[key] = one
    return list(best.values())


# --- curves


def learning(figures: dict[str, Any], text: str) -> Iterator[dict[str, Any]]:
    """Curves of training runs: [decisions, seconds, points a hand, share of hands won]."""
    for family, runs in figures["curves"].items():
        yield {
            "id": f"rvr-{family}",
            "rules": RULES[family],
            "against": "search",
            "page": "rvr.md",
            "date": date_and_machine(text)[0],
            "columns": ["decisions", "seconds", "points", "win"],
            "runs": [
                learned(name, points, figures["matches"][family].get(name))
                for name, points in runs.items()
                if len(points) > 1
            ],
        }


def learned(name: str, points: list[list[float]], match: dict[str, float] | None) -> dict[str, Any]:
    """One run: its curve, and its last policy measured in a match."""
    variant, _, seed = name.partition("-")
    final = None
    if match is not None:
        value, error = match["af"], match["af_error"]
        final = {"value": round(value, 4), "low": round(value - error, 4), "high": round(value + error, 4)}
    return {"name": name, "variant": RUNS[variant], "seed": seed, "points": points, "final": final}


def thinking() -> dict[str, Any]:
    """Strength of the MDP player by its budget of hands."""
    text = marked("mdp.md", "figures", "end of figures")
    rows = next(rows for rows in tables(text) if "hands" in rows[0])
    points = [{"hands": count(row["hands"]), "games": count(row["games"]), **_rank(row)} for row in rows]
    return {
        "id": "mdp-thinking",
        "rules": RULES["riichi"],
        "agent": "mdp",
        "against": "careful",
        "page": "mdp.md",
        "date": said(text, "Date"),
        "points": points,
    }


def _rank(row: Row) -> dict[str, Any]:
    found = estimate(row["average rank"])
    if found is None:
        raise SystemExit(f"mdp.md: {row['average rank']!r} is not a figure with an interval")
    return {"rank": found}


# --- agreement with people


def agreement() -> dict[str, Any]:
    """How often players agree with houou players, in games that they were not trained on."""
    text = (DOCS / "apprentice.md").read_text(encoding="utf-8")
    rows = next(rows for rows in tables(text) if "agreement, %" in rows[0])
    row = next(row for row in rows if row["decisions"] == "all")
    found = {"apprentice": {"share": share(row["agreement, %"]), "decisions": count(row["number"])}}
    for line in next(tables(marked("review.md", "agreement: begin", "agreement: end")), []):
        agent = line["player"].strip("`").partition(":")[0]
        found.setdefault(agent, {"share": share(line["agreement, %"]), "decisions": count(line["decisions"])})
    return found


CALIBRATED = {"apprentice": "games", "mdp": "games", "rvr": "hands"}
"""Reviewers whose losses were compared with results, and what of."""
ESTIMATE = r"([+-]\d+\.\d+ \([+-]\d+\.\d+ to [+-]\d+\.\d+\))"


def calibration() -> dict[str, Any]:
    """How true losses are: places or points that one predicted place or point goes with, in games not fitted to."""
    found = {}
    for name, what in CALIBRATED.items():
        text = marked("review_calibration.md", f"{name}: begin", f"{name}: end")
        together = re.search(r"^\| all of these \| ([\d,]+) \|.*$", text, re.MULTILINE)
        if together:
            soon, at_end = re.findall(ESTIMATE, together[0])
        else:
            sentence = re.findall(r"^One (?:place|predicted point).*$", text, re.MULTILINE)[-1]
            at_end, *later = re.findall(ESTIMATE, sentence)
            soon = later[0] if "eight draws" in sentence or "8 draws" in sentence else None
        number = together[1] if together else said(text, what.capitalize())
        slopes = {"end": at_end, "soon": soon}
        found[name] = {what: count(number)} | {key: text and estimate_of(text) for key, text in slopes.items()}
    return found


def estimate_of(text: str) -> dict[str, float] | None:
    """An estimate such as `+0.88 (+0.78 to +0.97)`."""
    return estimate(re.sub(" to ", " ", text))


# --- the file


def gather() -> dict[str, Any]:
    """Everything."""
    figures = json.loads((DOCS / "rvr" / "figures.json").read_text(encoding="utf-8"))
    rvr = marked("rvr.md", "figures", "end of figures")
    found = (*of_agents(), *of_page("montecarlo"), *of_page("mdp"), *of_search(), *of_rvr(figures, rvr))
    return {
        "measured": widest(iter(found)),
        "agreement": agreement(),
        "calibration": calibration(),
        "learning": list(learning(figures, rvr)),
        "thinking": thinking(),
    }


def text_of(gathered: dict[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(gathered, ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file is not up to date")
    args = parser.parse_args()
    text = text_of(gather())
    if args.check:
        same = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
        print(f"{TARGET.name} {'agrees' if same else 'does not agree'} with the pages")
        return 0 if same else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    new = TARGET.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {len(json.loads(text)['measured'])} matches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
