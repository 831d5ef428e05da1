"""Write a set of practice problems: positions in which experts are sure and a naive choice loses a lot.

    python scripts/make_problems.py                              # from games of our own players, into the package
    python scripts/make_problems.py --records LOGS… --out FILE   # from anyone's recorded games

A position becomes a problem if the model of experts (`apprentice`) gives its choice a high probability, the reviewer
(`mdp`) values the same choice highest, and the choice of a naive player (`greedy`, which only wants to reach tenpai
quickly) loses a lot. At most one position is taken from each hand, so that problems differ. A file `problems.json.xz`
in the app's data directory replaces the shipped set.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from janshi.agents.registry import make_agent
from janshi.core.files import write_whole
from janshi.records.model import RecordError
from janshi.rules.registry import make_game
from janshi.rules.riichi.table import Table
from janshi.web.choices import choices, twin_key
from janshi.web.position import position
from janshi.web.practice.problems import FORMAT, SHIPPED, discards
from janshi.web.review.content import find_format
from janshi.web.review.games import Question, follow
from janshi.web.review.judgement import explain, judge, view_of
from janshi.web.review.parse import parse
from janshi.web.review.reviewers import reviewer_of
from janshi.web.review.threats import RiichiThreats
from janshi.web.review.work import own_turn

EXPERTS = "apprentice"
REVIEWER = "mdp:hands=12500"
RULES = "tenhou_east"
SURE = 0.8
"""Minimum probability according to the model of experts."""
NAIVE = "greedy"
LEAST_LOSS = 0.02
"""Minimum loss of the naive player's choice, in places."""
LEAST_CHOICES = 4
THREATS = 0.4
"""Share of problems in which an opponent threatens; the defence drill uses them too."""
OUT = Path(__file__).resolve().parents[1] / "src" / "janshi" / "web" / "practice" / SHIPPED
NAMES = ("", "", "", "")


class Maker:
    """Turns questions of games into problems."""

    def __init__(self) -> None:
        self.experts = make_agent(EXPERTS, make_game(f"riichi/{RULES}"))
        self.naive = make_agent(NAIVE, make_game(f"riichi/{RULES}"))
        self.reviewer = make_agent(REVIEWER, make_game(f"riichi/{RULES}"))
        self.threats = RiichiThreats()
        self.tried = 0

    def problem(self, question: Question) -> dict[str, Any] | None:
        """Make a problem from a question; None if it is unsuitable."""
        table, seat = question.table, question.seat
        legal = choices(table, seat)
        if len(legal) < LEAST_CHOICES:
            return None
        named = {choice["action"]: twin_key(choice) for choice in legal}
        right, naive = (agent.answer(table.view(seat)) for agent in (self.experts, self.naive))
        if named[right] == named[naive] or not self.is_clear(view_of(table, seat)):
            return None
        self.tried += 1
        judged = judge(question, legal, self.reviewer, reviewer_of(REVIEWER), self.threats)
        lost = next(choice["loss"] for choice in judged["choices"] if choice["action"] == naive)
        if lost is None or lost < LEAST_LOSS or named[judged["best"]] != named[right]:
            return None
        shown = position(table, seat, open_hands=True, names=NAMES)
        return {"number": 0, **judged, "turn": own_turn(shown, seat), "position": shown}

    def is_clear(self, views: Any) -> bool:
        """Whether the model of experts is sure of its choice."""
        explanation = explain(self.experts, views)  # type: ignore[arg-type]
        return max(choice.experts for choice in explanation.choices) >= SURE


def played_here(maker: Maker, first_seed: int) -> Iterator[Question]:
    """Yield questions from games of four of our own players, indefinitely."""
    hand = 0
    for seed in range(first_seed, sys.maxsize):
        table = Table(seed=seed, rules=RULES)
        while not table.over:
            before = table.round, table.honba
            answers = {seat: choose(maker, table, seat) for seat in table.asked}
            for seat, action in answers.items():
                yield Question(hand, seat, action, table, answers)
            table.step(answers)
            hand += (table.round, table.honba) != before
        hand += 1


def choose(maker: Maker, table: Table, seat: int) -> int:
    """The choice of the model of experts."""
    legal = table.legal_actions(seat)
    return legal[0] if len(legal) == 1 else maker.experts.answer(table.view(seat))


def recorded(paths: list[Path]) -> Iterator[Question]:
    """Questions of recorded games; files that cannot be read are named and left out."""
    hands = 0
    for path in paths:
        try:
            text = path.read_text("utf-8")
            format = find_format(text)
            game = follow(parse(text, format, path.name), format)
        except (RecordError, ValueError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        for hand in range(game.hands):
            for question in game.questions(hand):
                yield Question(hands + hand, question.seat, question.played, question.table, question.answers)
        hands += game.hands


def collect(maker: Maker, questions: Iterator[Question], wanted: int) -> list[dict[str, Any]]:
    """Collect problems until there are enough with and without a threat, one per hand."""
    quota = {True: round(wanted * THREATS), False: wanted - round(wanted * THREATS)}
    found: list[dict[str, Any]] = []
    used = -1
    for question in questions:
        if question.hand == used:
            continue
        problem = maker.problem(question)
        if problem is None or not quota[problem["threat"]]:
            continue
        if problem["threat"] and len(discards(problem)) < LEAST_CHOICES:
            continue
        quota[problem["threat"]] -= 1
        used = question.hand
        found.append(problem)
        print(f"\r{len(found)} of {wanted} problems, {maker.tried} positions valued", end="", file=sys.stderr)
        if not any(quota.values()):
            break
    print(file=sys.stderr)
    return found


def main() -> None:
    """Make the set and write it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", nargs="+", type=Path, help="recorded games to take positions from")
    parser.add_argument("--problems", type=int, default=240, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=20_261_118, help="of the games played here (default %(default)s)")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write (default: in the package)")
    args = parser.parse_args()
    maker = Maker()
    questions = recorded(args.records) if args.records else played_here(maker, args.seed)
    problems = collect(maker, questions, args.problems)
    if not problems:
        raise SystemExit("no position became a problem: expected more games, or games of stronger players")
    random.Random(args.seed).shuffle(problems)
    source = (
        f"{len(args.records)} recorded games" if args.records else f"games of four {EXPERTS}, seeds from {args.seed}"
    )
    card = {
        "format": FORMAT,
        "source": source,
        "experts": EXPERTS,
        "reviewer": REVIEWER,
        "sure": SURE,
        "naive": NAIVE,
        "least loss": LEAST_LOSS,
        "made": date.today().isoformat(),
    }
    text = json.dumps({"card": card, "problems": problems}, ensure_ascii=False, separators=(",", ":"))
    packed = lzma.compress(text.encode(), preset=9)
    write_whole(args.out, packed)
    print(f"{len(problems)} problems, {len(packed):,} bytes: {args.out}")


if __name__ == "__main__":
    main()
