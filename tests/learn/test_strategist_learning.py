"""Learning what options are worth: gains without luck, the fit, the judgement, and runs in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.agents.registry import make_agent  # noqa: E402
from janshi.agents.strategist.options import Options  # noqa: E402
from janshi.learn.strategist.calibration import groups_of, slope_of  # noqa: E402
from janshi.learn.strategist.config import StrategistConfig  # noqa: E402
from janshi.learn.strategist.evidence import Collector, Draws, Evidence, drawn_rows, gains_after, join  # noqa: E402
from janshi.learn.strategist.fitting import batches, fit, judge, loss_of  # noqa: E402
from janshi.learn.strategist.network import OptionNet, by_worth, with_floor, worths_of  # noqa: E402
from janshi.learn.strategist.run import CURVE, VALUES, Run, command_of, train  # noqa: E402
from janshi.rules.game import Array  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402

GAME = make_game("simplified/paper")
TINY = StrategistConfig(hands=40, iterations=3, memory=2, width=8, batch=64, first_passes=1, calibration=80)


def some_draws(random: np.random.Generator, hands: int) -> tuple[Draws, Array]:
    lengths = random.integers(1, 6, hands)
    table = np.repeat(np.arange(hands), lengths)
    luck, worth = random.normal(size=(2, len(table), 3))
    return Draws(table, luck, worth), random.normal(size=(hands, 3))


# --- gains


@pytest.mark.parametrize("trace", [1.0, 0.7])
def test_gains_are_the_changes_that_are_no_luck(trace: float) -> None:
    draws, scores = some_draws(np.random.default_rng(1), 30)
    begin = np.searchsorted(draws.table, np.arange(31))
    found = gains_after(draws, begin, scores, trace)
    for i, table in enumerate(draws.table):
        slow = np.zeros(3)
        for j in range(i, begin[table + 1]):
            after = scores[table] if j + 1 == begin[table + 1] else draws.worth[j + 1]
            slow += trace ** (j - i) * (after - draws.worth[j] - draws.luck[j])
        assert np.allclose(found[i], slow)


def test_an_unbiased_gain_is_the_result_less_later_luck_and_a_number_known_before() -> None:
    draws, scores = some_draws(np.random.default_rng(2), 30)
    begin = np.searchsorted(draws.table, np.arange(31))
    found = gains_after(draws, begin, scores, 1.0)
    for i, table in enumerate(draws.table):
        later = draws.luck[i + 1 : begin[table + 1]].sum(0)
        assert np.allclose(found[i], scores[table] - later - draws.worth[i] - draws.luck[i])


def test_evidence_of_real_hands() -> None:
    collector = Collector(GAME, TINY)
    chances = lambda options: with_floor(options, np.zeros(len(options.actions)), 0.0)  # noqa: E731
    found, scores = collector.play(chances, 60, 1)
    assert len(scores) == 60
    counts = np.diff(found.options.first)
    assert (counts > 1).all()
    assert np.allclose(np.add.reduceat(found.chances, found.options.first[:-1]), 1, atol=1e-5)
    assert (found.chosen >= found.options.first[:-1]).all()
    assert (found.chosen < found.options.first[1:]).all()
    assert np.isfinite(found.gains).all()
    again, _ = collector.play(chances, 60, 1)
    assert np.array_equal(found.gains, again.gains), "a number gives the same hands"
    other, _ = collector.play(chances, 60, 2)
    assert len(other) != len(found) or not np.array_equal(found.gains, other.gains)


def test_plain_returns_are_results() -> None:
    chances = lambda options: with_floor(options, np.zeros(len(options.actions)), 0.0)  # noqa: E731
    free, scores = Collector(GAME, TINY).play(chances, 60, 1)
    plain, again = Collector(GAME, TINY.changed(["returns=plain"])).play(chances, 60, 1)
    assert np.array_equal(scores, again)
    assert np.array_equal(free.gains[:, 1], plain.gains[:, 1]), "judged without luck all the same"
    assert np.isin(plain.gains[:, 0], scores).all()
    assert plain.gains[:, 0].var() > 2 * free.gains[:, 0].var()


def test_rivals_take_all_seats_but_one() -> None:
    alone = Collector(GAME, TINY.changed(["rivals=1"]))
    together = Collector(GAME, TINY.changed(["rivals=0"]))
    chances = lambda options: with_floor(options, np.zeros(len(options.actions)), 0.0)  # noqa: E731
    fewer, more = (len(one.play(chances, 100, 3)[0]) for one in (alone, together))
    assert 2 * fewer < more


def test_rows_are_drawn_by_their_chances() -> None:
    options = Options(np.array([0, 2, 5]), np.arange(5), np.zeros((5, 1), np.float32))
    chances = np.array([0.25, 0.75, 0.5, 0.0, 0.5])
    random = np.random.default_rng(5)
    drawn = np.array([drawn_rows(options, chances, random) for _ in range(4000)])
    seen = [(drawn == row).any(1).mean() for row in range(5)]
    assert np.allclose(seen, chances, atol=0.03)


# --- fitting and judging


def made_up(decisions: int, seed: int, noise: float = 1.0) -> tuple[Evidence, Array]:
    """Decisions of three options each, whose worth is the first number less half the second, plus noise."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(3 * decisions, 2)).astype(np.float32)
    worths = rows @ np.array([1.0, -0.5])
    options = Options(np.arange(decisions + 1) * 3, np.tile(np.arange(3), decisions), rows.astype(np.float16))
    chances = with_floor(options, random.normal(size=3 * decisions), 0.2)
    chosen = drawn_rows(options, chances, random)
    position = random.normal(size=decisions)  # good or bad in itself
    mean = np.add.reduceat(chances * worths, options.first[:-1])
    gains = worths[chosen] - mean + 0.1 * position + noise * random.normal(size=decisions)
    return Evidence(options, chosen, chances.astype(np.float32), np.stack([gains, gains], 1).astype(np.float32)), worths


def test_the_fit_finds_what_options_are_worth() -> None:
    evidence, worths = made_up(20_000, 1)
    torch.manual_seed(0)
    network = OptionNet(2, 16)
    network.scale_by(evidence.options.rows)
    config = TINY.changed(["batch=512"])
    fit(network, [evidence], config, (1e-2, 1e-3), 4, np.random.default_rng(0))
    found = worths_of(network, evidence.options.rows).reshape(-1, 3)
    error = (found - found.mean(1, keepdims=True)) - (
        worths.reshape(-1, 3) - worths.reshape(-1, 3).mean(1, keepdims=True)
    )
    assert np.sqrt((error**2).mean()) < 0.15


def test_the_judgement_is_what_the_best_options_gain() -> None:
    evidence, worths = made_up(40_000, 2)

    class Known(OptionNet):
        def forward(self, rows: torch.Tensor) -> torch.Tensor:
            return rows[:, 0] - 0.5 * rows[:, 1]

    found = judge(Known(2, 4), evidence)
    mean = np.add.reduceat(evidence.chances * worths, evidence.options.first[:-1])
    true = (worths.reshape(-1, 3).max(1) - mean).mean()
    assert abs(found.gain - true) < 4 * found.error
    assert found.error < 0.05


def test_losses_are_what_options_lose() -> None:
    evidence, worths = made_up(60_000, 3)
    slope = slope_of(evidence, worths)
    assert abs(slope.value - 1) < 4 * slope.error < 0.1
    halved = slope_of(evidence, 0.5 * worths)
    assert halved.value == pytest.approx(2 * slope.value)
    groups = groups_of(evidence, worths, (0.0, 0.5, 1.0, 2.0, 20.0))
    assert len(groups) == 4
    for group in groups:
        assert abs(group.found - group.predicted) < 0.05 * group.predicted + 4 * group.error


def test_evidence_is_joined_with_its_rows() -> None:
    parts = [made_up(50, seed)[0] for seed in (1, 2)]
    whole = join(parts)
    assert np.array_equal(whole.options.rows[whole.chosen[50:]], parts[1].options.rows[parts[1].chosen])
    assert whole.options.first.tolist() == list(range(0, 301, 3))


def test_batches_hold_every_decision_once_with_its_options() -> None:
    parts = [made_up(100, seed)[0] for seed in (1, 2, 3)]
    gains = [batch.gains for batch in batches(parts, 50, np.random.default_rng(0))]
    assert np.allclose(np.sort(torch.cat(gains).numpy()), np.sort(np.concatenate([part.gains[:, 0] for part in parts])))
    whole = next(batches(parts, 300, np.random.default_rng(0)))
    network = OptionNet(2, 8)
    torch.nn.init.normal_(network.last.weight)
    errors = []
    for part in parts:
        worths = worths_of(network, part.options.rows)
        mean = np.add.reduceat(part.chances * worths, part.options.first[:-1])
        errors.append((part.gains[:, 0] - worths[part.chosen] + mean) ** 2)
    assert float(loss_of(network, whole).detach()) == pytest.approx(float(np.concatenate(errors).mean()), rel=1e-4)


def test_chances_keep_a_floor() -> None:
    options = Options(np.array([0, 4]), np.arange(4), np.zeros((4, 2), np.float32))
    found = with_floor(options, np.array([50.0, 0, 0, 0]), 0.2)
    assert np.allclose(found, [0.85, 0.05, 0.05, 0.05])
    even = by_worth(options, OptionNet(2, 4), 0.1, 0.0)
    assert np.allclose(even, 0.25)


# --- runs


def test_a_run_writes_values_that_play(tmp_path: Path) -> None:
    lines: list[str] = []
    assert train(tmp_path / "run", TINY, report=lines.append)
    curve = [json.loads(line) for line in (tmp_path / "run" / CURVE).read_text().splitlines()]
    assert [line["iteration"] for line in curve] == [1, 2, 3]
    assert curve[-1]["hands"] == 120
    agent = make_agent(f"strategist:file={tmp_path / 'run' / VALUES}", GAME)
    card = agent.values.card  # type: ignore[attr-defined]
    assert card["iterations"] == 3
    assert card["worths scaled by"] > 0
    assert "continuing" not in lines[0]


def test_a_run_continues(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = Run(TINY)
    folder.mkdir()
    run.iterate()
    run.save(folder)
    lines: list[str] = []
    assert train(folder, TINY, report=lines.append)
    assert lines[0].startswith("continuing after iteration 1 of 3")
    later = Run(TINY)
    later.load(folder)
    assert later.iteration == 3
    assert later.hands == 120


def test_the_card_has_the_command() -> None:
    assert command_of(StrategistConfig()) == "janshi train strategist --rules simplified --out RUN"
    assert command_of(TINY.changed(["trace=1"])).endswith(
        " --set trace=1.0 --set width=8 --set batch=64 --set first_passes=1 --set calibration=80"
    )


def test_values_for_playing_are_those_of_pytorch() -> None:
    run = Run(TINY)
    run.iterate()
    from janshi.agents.strategist.values import OptionValues

    rows = run.memory[0].options.rows.astype(np.float32)
    worths = worths_of(run.average, rows)
    assert np.allclose(OptionValues(run.average.weights(), {})(rows), worths, atol=1e-4)
    assert np.allclose(OptionValues(run.average.weights(0.9), {})(rows), 0.9 * worths, atol=1e-4)
