"""Inputs with all hands open: what completes hands is found on the device as the rules find it."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.features.open_hands import OpenHands  # noqa: E402
from janshi.features.planes import encoder  # noqa: E402
from janshi.features.simplified.open_hands import completing, suit_tables  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402
from janshi.rules.simplified.distance import is_complete  # noqa: E402
from janshi.rules.simplified.shapes import shapes  # noqa: E402
from janshi.rules.simplified.tiles import code_of, parse_kinds  # noqa: E402
from janshi.rules.stepper import Stepper  # noqa: E402


def counts(text: str) -> list[int]:
    return [parse_kinds(text).count(kind) for kind in range(14)]


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("123p456p1s", "1s"),
        ("123p11s22s", "12s"),
        ("23p11s111z", "14p"),
        ("11p77z123s", "1p7z"),
        ("1112345p", "36p"),  # no fourth 3p or 6p is asked for
        ("135p135s1z", ""),
        ("123p1s", "1s"),  # a meld is laid down already
    ],
)
def test_what_completes_a_hand(hand: str, waits: str) -> None:
    found = completing(torch.tensor([[counts(hand)]]))[0, 0]
    wanted = set(parse_kinds(waits)) if waits else set()
    rules = {kind for kind in range(14) if completes(counts(hand), kind)}
    assert set(torch.nonzero(found)[:, 0].tolist()) == rules
    if hand != "1112345p":
        assert rules == wanted


def completes(hand: list[int], kind: int) -> bool:
    if hand[kind] == 3 or sum(hand) % 3 != 1:
        return False
    more = [count + (i == kind) for i, count in enumerate(hand)]
    return bool(is_complete(code_of(more), shapes()[0]))


def test_tables_of_suits() -> None:
    sets, with_pair = suit_tables()
    assert sets[0]
    assert sets[3]  # three equal tiles
    assert sets[0b010101]  # 1-2-3
    assert with_pair[2]
    assert with_pair[0b01010110] == with_pair[0b10010101]  # 1-1-2-3 less and more: neither is a run and a pair
    assert not sets[1]
    assert not with_pair[3]


def test_waits_are_those_of_the_rules() -> None:
    """Of all players, in positions of random play; each player's hand counted from the viewer."""
    game, planes, seen = make_game("simplified"), encoder("simplified"), OpenHands("simplified")
    tables, random = Stepper(game, 60), np.random.default_rng(1)
    tables.start(np.arange(60, dtype=np.uint64))
    waits = 0
    while len(tables):
        private = np.zeros((len(tables), planes.private_bytes), np.uint8)
        hidden = np.zeros((len(tables), planes.hidden_bytes), np.uint8)
        planes.pack_states(tables.states, tables.tables, tables.players, private, hidden)
        _, opened = seen(torch.from_numpy(private), torch.from_numpy(hidden))
        assert opened.shape[1] == seen.encoder.hidden_bytes
        found = seen.encoder.expand_hidden(opened)[:, -3:].flatten(2)[:, :, :14].numpy()
        for i in range(0, len(tables), 7):
            hands = tables.states["hand"][tables.tables[i]]
            for other in range(3):
                hand = hands[(tables.players[i] + other) % 3].tolist()
                assert found[i, other].tolist() == [completes(hand, kind) for kind in range(14)]
                waits += int(found[i, other].sum())
        masks = game.masks_of_views(tables.views())
        tables.step(np.where(masks, random.random(masks.shape), -1).argmax(1))
    assert waits > 20


def test_families_without_additions_keep_their_planes() -> None:
    seen = OpenHands("guobiao")
    private, hidden = torch.zeros((2, 500), dtype=torch.uint8), torch.ones((2, 9), dtype=torch.uint8)
    plain, same = seen(private, hidden)
    assert seen.encoder is encoder("guobiao")
    assert plain.shape[1] == seen.encoder.private_bytes
    assert torch.equal(same, hidden)
