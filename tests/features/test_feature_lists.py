"""Lists of features: in range, without repetition, and saying what a slow reading says."""

from __future__ import annotations

import mixed_play
import numpy as np
import pytest
import slow_reading as slow

from janshi.features import hand_score, waiting, winning_tile
from janshi.features.layout import LEFT_OUT, Layout
from janshi.fitting.examples import score_examples, waiting_examples, winning_examples
from janshi.models.labels import payments, plain_views, tenpai


@pytest.fixture(scope="module")
def hidden():
    return mixed_play.positions()


@pytest.fixture(scope="module")
def views(hidden):
    return plain_views(hidden)


@pytest.fixture(scope="module")
def lists(hidden, views):
    everybody = np.ones((len(views), 3), np.bool_)
    pays = payments(hidden, 1)
    return {
        "waiting": (waiting.LAYOUT, waiting_examples(views, tenpai(hidden), everybody)),
        "winning tile": (winning_tile.LAYOUT, winning_examples(views, pays, everybody)),
        "hand score": (hand_score.LAYOUT, score_examples(views, np.ones_like(pays), everybody)),
    }


def decoded(layout: Layout, examples, i: int) -> dict[str, list[dict[str, int]]]:
    """The list of an example: values of the axes by group."""
    out: dict[str, list[dict[str, int]]] = {}
    for feature in examples.features[i, : examples.counts[i]]:
        name, values = layout.decode(int(feature))
        out.setdefault(name, []).append(values)
    return out


@pytest.mark.parametrize("name", ["waiting", "winning tile", "hand score"])
def test_lists_are_in_range_and_use_every_group(lists, name):
    layout, examples = lists[name]
    inside = np.arange(examples.features.shape[1]) < examples.counts[:, None]
    used = np.unique(examples.features[inside])
    assert used.min() >= 0
    assert used.max() < layout.size
    assert examples.counts.max() < examples.features.shape[1]
    for group in layout.groups:
        assert ((used >= group.first) & (used < group.first + group.size)).any(), group.name


def test_waiting_lists_say_what_the_view_says(lists, views):
    layout, examples = lists["waiting"]
    for i in range(0, 1200, 3):
        view, player = views[examples.places[i, 0]], int(examples.places[i, 1]) + 1
        said = decoded(layout, examples, i)
        river, melds = slow.river(view, player), slow.melds(view, player)
        opened = [meld for meld in melds if meld[0] != slow.CONCEALED_KAN]
        assert said["turn"] == [{"turn": len(river)}]
        assert said["open melds and turn"] == [{"melds": len(opened), "turn": len(river)}]
        places = [
            {"place": n, "role": slow.role(view, player, k), "drawn": flags & 1, "openness": min(len(opened), 3)}
            for n, (k, flags, _) in enumerate(river)
        ]
        assert said.get("discard by place", []) == [dict(p, place=min(p["place"], 19)) for p in places]
        assert len(said.get("meld", [])) == len(melds)
        dora = set(slow.dora_kinds(view))
        assert len(said.get("dora discarded", [])) == sum(kind in dora for kind, _, _ in river)
        facing = sum(slow.riichi_order(view, p) is not None for p in range(4) if p != player)
        assert said["riichi of others"][0]["riichi"] == min(facing, 2)


def test_pushing_against_riichi(lists, views):
    """Discards after another's riichi, counted as risky or safe."""
    layout, examples = lists["waiting"]
    checked = 0
    for i in range(len(examples.counts)):
        view, player = views[examples.places[i, 0]], int(examples.places[i, 1]) + 1
        riichi = [(slow.riichi_order(view, p), p) for p in range(4) if p != player]
        riichi = sorted((order, p) for order, p in riichi if order is not None)
        said = decoded(layout, examples, i).get("discards after another's riichi")
        if not riichi:
            assert said is None
            continue
        since, declarer = riichi[0]
        counts = {"heavy": 0, "light": 0, "safe": 0}
        for kind, _, order in slow.river(view, player):
            if order > since:
                before = [
                    k for p in range(4) for k, _, o in slow.river(view, p) if o < order and (p == declarer or o > since)
                ]
                simple = kind < 27 and kind % 9 not in (0, 8)
                counts["safe" if kind in before else "heavy" if simple else "light"] += 1
        assert said[0]["heavy"] == min(counts["heavy"], 3)
        assert said[0]["light"] == min(counts["light"], 2)
        assert said[0]["safe"] == min(counts["safe"], 3)
        checked += 1
        if checked == 150:
            break
    assert checked > 50


def test_winning_lists_say_what_the_view_says(lists, views):
    layout, examples = lists["winning tile"]
    for i in range(0, len(examples.counts), 97):
        at, opponent, kind = (int(x) for x in examples.places[i])
        view, player = views[at], opponent + 1
        said = decoded(layout, examples, i)
        role = slow.role(view, player, kind)
        assert said["copies left"][0]["left"] == 4 - int(view["seen"][kind]) - int(view["hand"][kind])
        assert said["copies left"][0]["role"] == role
        assert len(said.get("is dora", [])) == (kind in slow.dora_kinds(view))
        if kind >= 27:
            continue
        turned = [kind - kind % 9 + (n if kind % 9 <= 4 else 8 - n) for n in range(9)]  # the suit from the nearer end
        own = {k for k, _, _ in slow.river(view, player)}
        assert said["which of the suit were discarded"][0]["which"] == sum(
            1 << n for n, k in enumerate(turned) if k in own
        )
        left = [4 - int(view["seen"][k]) - int(view["hand"][k]) for k in turned]
        above = said["copies left above"][0]
        assert (above["near"], above["far"]) == (left[role + 1], left[role + 2])
        if role >= 1:
            around = said["copies left on both sides"][0]
            assert (around["down"], around["up"]) == (left[role - 1], left[role + 1])
        partner = [turned[n] for n in (role - 3, role + 3) if 0 <= n <= 8]
        safe = slow.known_kinds(view, player)
        assert said["two-sided waits left"][0]["live"] == sum(k not in safe for k in partner)


def test_maps_leave_out_and_make_alike():
    layout = Layout()
    first = layout.add("a", "x", melds=3, turn=2)
    layout.add("b", "y", turn=2)
    assert (first, layout.size) == (0, 8)
    assert layout.map().tolist() == list(range(8))
    assert layout.map(without=["y"]).tolist() == [0, 1, 2, 3, 4, 5, LEFT_OUT, LEFT_OUT]
    assert layout.map(only=["b"]).tolist() == [LEFT_OUT] * 6 + [6, 7]
    assert layout.map(alike={"melds": [0, 1, 1]}).tolist() == [0, 1, 2, 3, 2, 3, 6, 7]
    assert layout.decode(5) == ("a", {"melds": 2, "turn": 1})
    with pytest.raises(ValueError, match="no topic, group or axis of these features is called 'z'"):
        layout.map(without=["z"])
