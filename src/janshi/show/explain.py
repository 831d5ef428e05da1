"""An agent's assessment of a position, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import HAND_POINTS, POINTS, RANK, ActionValues, action_values
from janshi.core.tiles import format_tiles
from janshi.rules.riichi.actions import action_name
from janshi.rules.riichi.table import WIND_NAMES, Table
from janshi.show.columns import fitting_table

OPPONENTS: Final = ("right", "across", "left")
CHANCES: Final = ("experts", "chosen", "win", "deal-in", "others win", "draw", "draw, tenpai", "draw, noten")
"""Numbers of a choice that are probabilities."""
NAMES: Final = {"lose": "deal-in", "other": "others win", "tenpai draw": "draw, tenpai", "noten draw": "draw, noten"}
"""Numbers of agents that have plainer names in the table."""
LOSSES: Final = {RANK: "places", POINTS: "points", HAND_POINTS: "points"}
COUNTS: Final = ("shanten", "useful tiles")


def print_explanation(
    table: Table, player: int, explanation: Explanation, console: Console, answer: int | None = None
) -> None:
    """Print the position as the player sees it, each choice with its numbers, and how likely opponents are tenpai."""
    for line in position_lines(table, player):
        console.print(Text(line))
    console.print(choices_grid(explanation, console.width, answer))
    if explanation.line:
        console.print(Text(f"Best line: {explanation.line}"))
    if explanation.tenpai:
        chances = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in zip(OPPONENTS, explanation.tenpai))
        console.print(Text(f"Tenpai: {chances}"))
    if answer is not None and answer not in [choice.action for choice in explanation.choices]:
        console.print(Text(f"Played: {action_name(answer)}, which the agent did not consider"))


def position_lines(table: Table, player: int) -> Iterator[str]:
    """The position as text: round, scores, the player's hand, what the others show."""
    wind = WIND_NAMES[(player - table.dealer) % 4]
    yield (
        f"{table.round_name}, honba {table.honba}, {table.tiles_left} tiles left, "
        f"dora indicators {format_tiles(table.dora_indicators)}"
    )
    hand, drawn = table.hand(player), ""
    if player == table.actor and table.drawn is not None:
        hand.remove(table.drawn)
        drawn = f" + {format_tiles([table.drawn])}"
    melds = "".join(f" {meld}" for meld in table.melds(player))
    yield f"{wind} ({table.scores[player]:,}): {format_tiles(hand)}{drawn}{melds}"
    for name, offset in zip(OPPONENTS, (1, 2, 3)):
        yield f"  {name:<6} {_shown(table, (player + offset) % 4)}"


def _shown(table: Table, seat: int) -> str:
    river = " ".join(str(discard) for discard in table.river(seat))
    melds = "".join(f" {meld}" for meld in table.melds(seat))
    riichi = " riichi" if table.in_riichi(seat) else ""
    return f"({table.scores[seat]:,}){riichi}{melds}  {river}"


def choices_grid(explanation: Explanation, width: int, answer: int | None = None) -> Grid:
    """One row per choice, the agent's own first; the one that was played is marked. No column is empty."""
    values = action_values(explanation)
    numbers = [{**losses(choice, values), **named(choice.numbers)} for choice in explanation.choices]
    names = [name for name in numbers[0] if any(is_known(row.get(name)) for row in numbers)]
    rows: list[list[str | Text]] = []
    for place, (choice, row) in enumerate(zip(explanation.choices, numbers)):
        mark = " ◀ played" if choice.action == answer else ""
        style = "bold" if place == 0 else ""
        cells = [number_text(name, row.get(name)) for name in names]
        rows.append([Text(choice.words + mark, style=style), *cells])
    return fitting_table(["choice", *names], rows, width)


def losses(choice: Choice, values: ActionValues) -> dict[str, float]:
    """The loss of a choice, in places or points, and how often experts make it; without losses, how often the agent."""
    lost = values.loss_of_value(choice.worth)
    often = "experts" if values.unit in (RANK, POINTS) else "chosen"
    return {f"loss ({LOSSES.get(values.unit, values.unit)})": lost, often: choice.experts}


def named(numbers: Mapping[str, float]) -> dict[str, float]:
    """An agent's numbers by the names of the table."""
    return {NAMES.get(name, name): value for name, value in numbers.items()}


def is_known(number: float | None) -> bool:
    """Whether there is a number."""
    return number is not None and number == number


def number_text(name: str, value: float | None) -> str:
    """A number as text: probabilities as percentages, points without decimals."""
    if value is None or not is_known(value):
        return "–"
    if name in CHANCES or name.startswith("danger"):
        return f"{100 * value:.1f} %"
    if name in COUNTS:
        return f"{value:.0f}"
    if name == "loss (points)":
        return f"{value:,.0f}"
    if "points" in name:
        return f"{value:+,.0f}"
    return f"{value:.3f}"
