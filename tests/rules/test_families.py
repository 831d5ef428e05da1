"""Families of rules: one registry, and a record for each layer that needs one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import janshi
from janshi.rules.family import Family
from janshi.rules.layer import Layer
from janshi.rules.registry import BUILT_IN, find_family, full_name, game_names, make_game, spoken_name

SOURCE = Path(janshi.__file__).parent


@dataclass(frozen=True, slots=True)
class Record:
    """What a layer of these tests wants to know."""

    words: str = "nothing special"


OTHER = Record("of another package")
NO_RECORD = "not a record"


def family(**layers: str) -> Family:
    return Family("other", "nowhere:PRESETS", "nowhere:Game", "nowhere:Table", layers)


@pytest.mark.parametrize("name", game_names())
def test_a_game_knows_its_family(name: str):
    game = make_game(name)
    assert (game.family, game.name) == (find_family(name), name)
    assert type(game.family.new_table(1, game.rules).game) is type(game)
    assert game.family.rulesets()[game.rules.name] == game.rules
    assert game.action_names[-1] == "pass"
    discards = [text for text in game.tile_texts if any(text in each for each in game.action_names[: game.discards])]
    assert len(discards) in (game.discards, game.discards - 1)  # riichi's last discards the drawn tile


def test_names_as_people_write_them():
    assert [full_name(name) for name in BUILT_IN] == ["riichi/tenhou", "guobiao/botzone", "simplified/paper"]
    assert spoken_name("mleague") == "riichi/mleague"
    assert spoken_name("guobiao/match") == spoken_name("match") == "guobiao/match"
    with pytest.raises(ValueError, match="no rules are called 'chess'; there are tenhou, tenhou_east"):
        spoken_name("chess")
    with pytest.raises(ValueError, match="no riichi rules are called 'washizu'; presets are tenhou"):
        full_name("riichi/washizu")


def test_a_layer_finds_records():
    layer = Layer("arena", Record())
    assert layer.of(family()).words == "nothing special"
    named = family(arena=f"{__name__}:OTHER")
    assert layer.of(named) is OTHER
    with pytest.raises(TypeError, match="is the record of other for arena: expected Record, not str"):
        layer.of(family(arena=f"{__name__}:NO_RECORD"))


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("layer", ["agents", "arena", "show", "web"])
def test_our_families_have_records_of_their_own(name: str, layer: str):
    from pkgutil import resolve_name

    layers = resolve_name(f"janshi.{layer}.families:{layer.upper()}_LAYER")
    assert layers.of(find_family(name)) is resolve_name(f"janshi.{layer}.families.{name}:FAMILY")


def test_only_the_registry_reads_a_family_from_a_name():
    """Elsewhere a family is asked for, never cut out of a string."""
    cuts = re.compile(r"""\.partition\("/"\)|startswith\(f?["'](riichi|guobiao|simplified)/""")
    found = [path for path in SOURCE.rglob("*.py") if cuts.search(path.read_text("utf-8"))]
    assert [path.relative_to(SOURCE).as_posix() for path in found] == ["rules/registry.py"]
