"""Every route of the app says what it answers, so that the page's types can be written from the schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from janshi.web.app import make_app
from janshi.web.settings import Settings

FREE = {("RulesText", "flags")}
"""Whose values differ from rule set to rule set."""


@pytest.fixture(scope="module")
def app() -> Any:
    return make_app(Settings(Path()))


def test_no_route_answers_with_a_bare_dictionary(app: Any) -> None:
    found = {
        f"{method} {path}": route
        for path, methods in app.openapi()["paths"].items()
        for method, route in methods.items()
    }
    assert len(found) > 30
    assert not {name for name, route in found.items() if any(map(is_bare, answers(route)))}


def answers(route: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas of a route's answers as JSON."""
    for answer in route["responses"].values():
        if "application/json" in answer.get("content", {}):
            yield answer["content"]["application/json"]["schema"]


def is_bare(schema: dict[str, Any]) -> bool:
    """Whether an answer, or what it is a list or a mapping of, can be anything."""
    inside = [schema[name] for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)]
    return is_open(schema) or any(map(is_bare, inside))


def test_every_field_of_the_schema_has_a_type(app: Any) -> None:
    models = app.openapi()["components"]["schemas"]
    found = {(name, field) for name, model in models.items() for field in untyped_fields(model)}
    assert found == FREE


def untyped_fields(model: dict[str, Any]) -> Iterator[str]:
    for name, field in model.get("properties", {}).items():
        if any(is_open(part) for part in [field, *field.get("anyOf", ())]):
            yield name


def is_open(schema: dict[str, Any]) -> bool:
    """Whether a schema allows anything at all, or an object of anything."""
    typed = {"type", "$ref", "anyOf", "oneOf", "allOf", "const", "enum"} & set(schema)
    return not typed or schema.get("additionalProperties") is True or schema.get("items") == {}
