"""Values of draws fitted to recorded hands: they forecast, and take variance out of hands they have not seen."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.features.prospects import prospects_of, undrawn  # noqa: E402
from janshi.learn import draw_fitting  # noqa: E402
from janshi.learn.draw_fitting import DrawnHands  # noqa: E402
from janshi.learn.prospect_values import ProspectValues, grown, read, write  # noqa: E402
from janshi.learn.warm_start import record_hands  # noqa: E402
from janshi.luck.points.measure import DRAW, PointLuck  # noqa: E402
from janshi.models.draw_values import DrawValues  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402
from script_modules import load_script  # noqa: E402

SCALE = 0.1


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnHands:
    torch.set_num_threads(1)
    game = make_game("simplified")
    return draw_fitting.draws_of(game, record_hands(game, "greedy", 1500, 3, tmp_path_factory.mktemp("h") / "h.npz"))


def network() -> ProspectValues:
    torch.manual_seed(4)
    return ProspectValues(prospects_of(make_game("simplified").family), 32)


def test_every_draw_is_listed_in_order(drawn: DrawnHands) -> None:
    assert (np.diff(drawn.hand) >= 0).all()
    left = undrawn(drawn.prospects).sum(1)
    firsts = np.searchsorted(drawn.hand, np.arange(len(drawn.scores)))
    assert (left[firsts] == 21).all()
    inside = np.diff(drawn.hand) == 0
    assert (np.diff(left.astype(int))[inside] == -1).all()


def test_fitted_values_take_variance_out_of_other_hands(drawn: DrawnHands) -> None:
    made = network()
    fresh = draw_fitting.share_left(drawn, draw_fitting.luck_of(made, drawn, SCALE))
    assert fresh.value == pytest.approx(1, abs=0.02)
    draw_fitting.fit(made, drawn.part(0, 1200), SCALE, passes=4, batch=256)
    held = drawn.part(1200, 1500)
    left = draw_fitting.share_left(held, draw_fitting.luck_of(made, held, SCALE))
    assert left.value + 2 * left.error < 1
    assert left.value < 0.85


def test_returns_after_draws_leave_out_later_luck() -> None:
    hands = DrawnHands(np.zeros(3), np.array([0, 0, 1]), np.zeros(3, np.int64), np.array([[10.0, -10], [4, -4]]))
    luck = np.array([[1.0, -1], [2, -2], [3, -3]])
    assert draw_fitting.returns_after(hands, luck).tolist() == [[8, -8], [10, -10], [4, -4]]
    total = DrawnHands(*hands[:3], np.array([[3.0, -3], [3, -3]]))
    assert draw_fitting.share_left(total, luck).value == 0  # nothing but luck, and equal results vary by nothing


def test_parts_and_joins(drawn: DrawnHands) -> None:
    again = draw_fitting.join([drawn.part(0, 700), drawn.part(700, 1500)])
    for ours, theirs in zip(again, drawn):
        assert (ours == theirs).all()
    wanted = np.arange(1500) % 3 == 1
    some = drawn.chosen(wanted)
    assert (some.scores == drawn.scores[1::3]).all()
    assert (some.prospects[some.hand == 5] == drawn.prospects[drawn.hand == 16]).all()
    assert len(some.player) == wanted[drawn.hand].sum()


def test_the_same_values_without_torch(drawn: DrawnHands, tmp_path: Path) -> None:
    made, game = network(), make_game("simplified")
    with torch.no_grad():
        made.last.weight.normal_(std=0.3)
    write(made, tmp_path / "v.npz", {"rules": game.id, "scale": SCALE, "hands": 7})
    stored, card = read(tmp_path / "v.npz")
    some = drawn.prospects[:50]
    with torch.no_grad():
        wanted = stored(draw_fitting.as_bytes(some)).numpy() / SCALE
    values = DrawValues.load(tmp_path / "v.npz")
    np.testing.assert_allclose(values(some), wanted, atol=1e-3)
    assert (card["hands"], card["events"]) == (7, "draws")


def test_a_wider_network_begins_with_the_same_values_and_learns_with_all_units(drawn: DrawnHands) -> None:
    small = network()
    draw_fitting.fit(small, drawn.part(0, 300), SCALE, passes=2, batch=256)
    wide, rows = grown(small, 48), draw_fitting.as_bytes(drawn.prospects[:50])
    assert wide.width == 48
    assert torch.allclose(wide(rows), small(rows), atol=1e-6)
    wide(rows)[:, :, 0].sum().backward()
    assert (wide.last.weight.grad[:, 32:] != 0).any()
    assert (wide.position_last.weight.grad[:, 32:] != 0).any()


def test_measuring_and_fitting_find_the_same_luck(tmp_path: Path) -> None:
    game, made = make_game("simplified"), network()
    with torch.no_grad():
        made.last.weight.normal_(std=0.3)
    hands = record_hands(game, "greedy", 30, 5, tmp_path / "h.npz")
    some = draw_fitting.draws_of(game, hands)
    luck = np.zeros((len(hands.seeds), 3))
    np.add.at(luck, some.hand, draw_fitting.luck_of(made, some, SCALE))
    weights = {name: value.numpy() for name, value in made.state_dict().items()}
    measure = PointLuck(game, DrawValues(weights, {"rules": game.id, "hands": 0, "scale": SCALE}), deals=4)
    answers = np.split(hands.actions, np.cumsum(hands.lengths)[:-1])
    events, _ = measure.of_games(hands.seeds.tolist(), answers)
    events = events[events["kind"] == DRAW]
    measured = np.zeros_like(luck)
    np.add.at(measured, events["game"], events["luck"])
    np.testing.assert_allclose(measured, luck, atol=1e-3)


def test_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script: ModuleType = load_script("fit_luckfree")
    record_hands(make_game("simplified"), "greedy", 400, 3, tmp_path / "hands.npz")
    words = ["--rules", "simplified", "--records", str(tmp_path / "hands.npz"), "--players", "greedy"]
    words += ["--width", "8", "--passes", "1", "--out", str(tmp_path / "draws.npz")]
    monkeypatch.setattr("sys.argv", ["fit", *words])
    script.main()
    assert "of the variance of 80 held-out hands left" in capsys.readouterr().out
    _, card = read(tmp_path / "draws.npz")
    assert (card["hands"], card["players"], card["width"]) == (400, ["greedy"], 8)
    monkeypatch.setattr("sys.argv", ["fit", *words, "--held", "0.25", "--once"])
    script.main()
    assert read(tmp_path / "draws.npz")[1]["hands"] == 300
