"""Write the page's types, `web/static/js/schema.d.ts`, from the app's schema; `--check` only compares them.

Every model of the OpenAPI schema becomes a type, and every route an entry of `Routes` (its parameters, body and
answer). The messages of a game's socket become types too. TypeScript checks the page's scripts against them (`make
javascript`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from janshi.web.app import STATIC, make_app
from janshi.web.live.messages import Heard, Said
from janshi.web.settings import Settings

TARGET = STATIC / "js" / "schema.d.ts"
HEAD = "// The types of what server and page exchange. Written by scripts/write_page_types.py: do not edit.\n"
REF = "#/components/schemas/{model}"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
WIDE = 90
"""Maximum length of a union on one line."""
Schema = dict[str, Any]


def page_types() -> str:
    """The whole file."""
    openapi = make_app(Settings(Path())).openapi()
    models = {**openapi["components"]["schemas"], **socket_models()}
    parts = [declaration(name, schema) for name, schema in sorted(models.items())]
    return "\n".join([HEAD, *parts, routes(openapi["paths"])]).replace(" \n", "\n")


def socket_models() -> dict[str, Schema]:
    """The messages of a game's socket, `Said` by the server and `Heard` by it, and their parts."""
    found: dict[str, Schema] = {}
    for name, union in (("Said", Said), ("Heard", Heard)):
        schema = TypeAdapter(union).json_schema(mode="serialization", ref_template=REF)
        found |= {**schema.pop("$defs", {}), name: schema}
    return found


# --- declarations


def declaration(name: str, schema: Schema) -> str:
    """The type declaration of a model."""
    said = comment(schema.get("description"), "")
    if "properties" in schema:
        return f"{said}export interface {identifier(name)} {members(schema, '  ')}\n"
    return f"{said}export type {identifier(name)} = {written(schema, '')};\n"


def members(schema: Schema, indent: str) -> str:
    """The properties of an object, in braces."""
    required = set(schema.get("required", ()))
    lines = []
    for name, kind in schema["properties"].items():
        mark = "" if name in required else "?"
        lines.append(f"{comment(kind.get('description'), indent)}{indent}{name}{mark}: {written(kind, indent)};\n")
    return "{\n" + "".join(lines) + indent[2:] + "}"


def comment(text: str | None, indent: str) -> str:
    """The first paragraph of a description."""
    first = " ".join((text or "").strip().split("\n\n")[0].split())
    return f"{indent}/** {first} */\n" if first else ""


def identifier(name: str) -> str:
    """A model's name as a name of TypeScript."""
    return "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in name)


def written(schema: Schema, indent: str) -> str:
    """A schema as a type."""
    if "$ref" in schema:
        return identifier(schema["$ref"].rpartition("/")[2])
    if "const" in schema or "enum" in schema:
        return union([json.dumps(value) for value in schema.get("enum", [schema.get("const")])], indent)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return union([written(one, indent) for one in schema[several]], indent)
    kind = schema.get("type")
    if kind == "array":
        return array(schema, indent)
    if kind == "object":
        return mapping(schema, indent)
    if kind == "string" and ("binary" in schema.get("format", "") or "contentMediaType" in schema):
        return "Blob"
    return PLAIN[kind] if kind else "unknown"


def array(schema: Schema, indent: str) -> str:
    """A list, or a tuple if each place has its own type."""
    if "prefixItems" in schema:
        return f"[{', '.join(written(one, indent) for one in schema['prefixItems'])}]"
    inside = written(schema.get("items", {}), indent)
    return f"({inside})[]" if "|" in inside else f"{inside}[]"


def mapping(schema: Schema, indent: str) -> str:
    """An object with properties, or with any names."""
    if "properties" in schema:
        return members(schema, indent + "  ")
    more = schema.get("additionalProperties", {})
    return f"{{ [name: string]: {written(more if isinstance(more, dict) else {}, indent)} }}"


def union(types: list[str], indent: str) -> str:
    """One of several types; on separate lines if they are many."""
    found = list(dict.fromkeys(types))
    line = " | ".join(found)
    return line if len(line) <= WIDE - len(indent) else "".join(f"\n{indent}  | {one}" for one in found)


# --- routes


def routes(paths: dict[str, dict[str, Schema]]) -> str:
    """The input and response of each route, by method and path."""
    lines = ["/** What each route takes and answers. */", "export interface Routes {"]
    for path, methods in paths.items():
        for method, route in methods.items():
            lines += [
                f'  "{method.upper()} {path}": {{',
                f"    params: {parameters(route)};",
                f"    body: {content(route.get('requestBody', {}))};",
                f"    answer: {answer(route)};",
                "  };",
            ]
    return "\n".join([*lines, "}", ""])


def parameters(route: Schema) -> str:
    """The parameters of path and query; a route without any takes an empty object."""
    given = [one for one in route.get("parameters", ()) if one["in"] in ("path", "query")]
    properties = {one["name"]: one["schema"] for one in given}
    required = [one["name"] for one in given if one["required"]]
    return members({"properties": properties, "required": required}, "      ") if given else "{}"


def answer(route: Schema) -> str:
    """The response on success."""
    good = next(body for status, body in route["responses"].items() if status.startswith("2"))
    return content(good)


def content(body: Schema) -> str:
    """The type of a body: the schema of JSON or a form, otherwise text; null if there is none."""
    kinds = body.get("content", {})
    for kind in ("application/json", "multipart/form-data"):
        if kind in kinds:
            return written(kinds[kind]["schema"], "    ")
    return "string" if kinds else "null"


def main() -> None:
    """Write the file, or say that it is out of date."""
    text = page_types()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != text:
            sys.exit(f"{TARGET.name} is out of date: run scripts/write_page_types.py")
        return
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
