"""Anything that the interface's own schema allows, sent to a running server: no answer is a failure of the server's.

Schemathesis makes requests from the OpenAPI description, some as it allows them and some not. Answers must have the
status, the type and the form that the description promises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS

from effort import effort
from patience import PATIENCE

if TYPE_CHECKING:
    from conftest import Server

PROMISED = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
EXAMPLES = effort(6, 60)
"""Requests an operation, of each mode: as the description allows them, and not."""


def operations(server: Server) -> list[Any]:
    """All that the server says it can be asked."""
    interface = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    return [found.ok() for found in interface.get_all_operations()]


def send_some(operation: Any, mode: GenerationMode) -> None:
    """Send requests to one operation; raises at the first answer that breaks a promise."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case) -> None:
        response = case.call(timeout=PATIENCE)
        assert response.status_code < 500, response.text
        case.validate_response(response, checks=CHECKS.get_by_names(PROMISED))

    send()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_breaks_the_server(server: Server, mode: GenerationMode) -> None:
    broken = {}
    for operation in operations(server):
        try:
            send_some(operation, mode)
        except Unsatisfiable:
            continue  # nothing can be wrong with a request without parameters
        except Exception as error:
            broken[operation.label] = str(error)
    assert not broken, "\n\n".join(f"{label}\n{error}" for label, error in broken.items())


def test_every_part_of_the_app_is_described(server: Server) -> None:
    paths = set(httpx.get(f"{server.url}/api/openapi.json", timeout=PATIENCE).json()["paths"])
    wanted = {"/api/rules", "/api/agents", "/api/live", "/api/reviews", "/api/tools/score", "/api/tools/efficiency"}
    assert wanted | {"/api/players", "/api/players/curves", "/api/players/matches"} <= paths


def test_the_server_is_still_well(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/rules", timeout=PATIENCE).status_code == 200
    assert "Traceback" not in server.said()
