"""The budget of a search: a number of hands. Old labels give it in seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """Reads an agent's budget.

    >>> budget = Budget("mdp", default=50_000, a_second=250_000, least=100)
    >>> budget.hands(500, None), budget.hands(50_000, 0.02), budget.hands(500, 0.02), budget.hands(0, None)
    (500, 5000, 500, 50000)
    """

    agent: str
    default: int
    a_second: int
    """Hands per second for the old option `seconds`: a fixed rate, so that play is the same on every machine."""
    least: int = 1

    def hands(self, hands: int, seconds: float | None) -> int:
        """The budget in hands. `seconds` counts only if `hands` was left at its default, or at 0 as in old labels."""
        if seconds is None:
            return hands or self.default
        if not seconds > 0:
            raise ValueError(f"agent {self.agent}: seconds must be more than 0, not {seconds}")
        if hands in (0, self.default):
            return max(self.least, round(self.a_second * seconds))
        return hands

    def seconds(self, hands: int) -> float:
        """A budget converted to seconds, at least those of the default budget."""
        return max(hands, self.default) / self.a_second
