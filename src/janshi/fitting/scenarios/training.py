"""Fitting the chances of scenarios to positions of recorded games, from columns computed by the MDP's processes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.fitting.table_rates.regressions import fit_logistic
from janshi.models import scenarios
from janshi.models.scenarios import (
    ABORTED,
    FORMS,
    FULL,
    LOSE,
    NOTEN,
    NUMBERS,
    PAPER,
    PAPER_NUMBERS,
    SCENARIOS,
    SCENARIOS_DTYPE,
    TENPAI,
    WIN,
    ScenarioModel,
    list_numbers,
)

RIDGE: Final = 3.0


def numbers_of(columns: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The inputs of the regressions, float64[n, NUMBERS]."""
    out = np.zeros((len(columns), NUMBERS))
    _list_all(np.ascontiguousarray(columns, np.float64), out)
    return out


@kernel
def _list_all(columns: Any, out: Any) -> None:
    for i in range(len(columns)):
        list_numbers(columns[i], out[i])


def fitted_on(facts: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Positions to learn from: the discard passed, and the hand was not aborted."""
    return np.asarray((facts["passed"] == 1) & (facts["scenario"] != ABORTED))


def labels_of(scenario: npt.NDArray[Any]) -> list[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]:
    """For each regression, the positions it concerns and its labels (eq. 18)."""
    win, washout = scenario == WIN, (scenario == TENPAI) | (scenario == NOTEN)
    everything = np.ones(len(scenario), np.bool_)
    return [(everything, win), (~win, washout), (washout, scenario == TENPAI), (~win & ~washout, scenario == LOSE)]


def fit(columns: npt.NDArray[Any], facts: npt.NDArray[Any], form: int) -> npt.NDArray[Any]:
    """Fit the four regressions in a form, SCENARIOS_DTYPE[1]; positions count by their weights."""
    kept = fitted_on(facts)
    numbers, scenario = numbers_of(columns[kept]), facts["scenario"][kept]
    weight = facts["weight"][kept] / facts["weight"][kept].mean()
    out = np.zeros(1, SCENARIOS_DTYPE)
    out["form"] = form
    for i, (about, holds) in enumerate(labels_of(scenario)):
        known = list(PAPER_NUMBERS[i]) if form == PAPER else list(range(NUMBERS))
        found = fit_logistic(
            numbers[about][:, known], holds[about].astype(np.float64), weights=weight[about], ridge=RIDGE
        )
        out["weights"][0, i, known] = found
    return out


def log_loss(model: ScenarioModel, columns: npt.NDArray[Any], facts: npt.NDArray[Any]) -> float:
    """Weighted mean log loss of the scenario that occurred."""
    kept = fitted_on(facts)
    chances, scenario = model.predict(columns[kept]), facts["scenario"][kept]
    given = np.maximum(chances[np.arange(len(scenario)), scenario], 1e-9)
    return float(np.average(-np.log(given), weights=facts["weight"][kept]))


def even_log_loss(facts: npt.NDArray[Any]) -> float:
    """The same for constant chances."""
    kept = fitted_on(facts)
    share = np.bincount(facts["scenario"][kept], facts["weight"][kept], minlength=SCENARIOS)
    share = share / share.sum()
    return float(-(share * np.log(share)).sum())


def better_form(
    trained: dict[str, npt.NDArray[Any]], columns: npt.NDArray[Any], facts: npt.NDArray[Any]
) -> tuple[str, dict[str, float]]:
    """The form with the lower log loss on other positions, and the log losses of both."""
    losses = {form: log_loss(ScenarioModel(weights), columns, facts) for form, weights in trained.items()}
    return min(losses, key=lambda form: losses[form]), losses


def train(
    columns: npt.NDArray[Any], facts: npt.NDArray[Any], other: tuple[npt.NDArray[Any], npt.NDArray[Any]]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Fit both forms; returns the arrays of the model's file and facts for its card. `other` decides the form."""
    trained = {form: fit(columns, facts, number) for number, form in ((PAPER, FORMS[PAPER]), (FULL, FORMS[FULL]))}
    best, losses = better_form(trained, *other)
    arrays = {form: weights.view(np.float32) for form, weights in trained.items()}
    card = {
        "model": scenarios.NAME,
        "feature version": scenarios.VERSION,
        "rules": "riichi/tenhou",
        "form": best,
        "log loss of validation": {form: round(loss, 4) for form, loss in losses.items()},
        "examples": int(fitted_on(facts).sum()),
    }
    return {"weights": arrays[best], **arrays}, card
