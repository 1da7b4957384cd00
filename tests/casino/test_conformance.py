"""Schemathesis: requests made up from the schema, right and wrong, and what must hold of each
answer: no 5xx, a status, a type and a body that the schema foresees.
"""

from uuid import UUID

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks

from casino.wsgi import application
from tests.people import People, Person

SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema", application)
CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
]


@pytest.fixture
def known(people: People, player: Person) -> dict[str, str]:
    """Ids that are somebody's, for the parameters of a path."""
    over = player.finish(player.bet(200).json)
    session_id = player.api.get("me").json["session"]["session_id"]
    return {
        "player_id": str(player.id),
        "round_id": over["round_id"],
        "session_id": session_id,
        "kind": "wager",
        "game": "house",
        "version": "1",
    }


def is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


@SCHEMA.parametrize()
@settings(
    max_examples=20,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_net_01_every_operation_answers_as_its_schema_says(
    case: schemathesis.Case, people: People, player: Person, known: dict[str, str]
):
    case.path_parameters = {
        name: known.get(name, value) if is_uuid(str(value)) else value
        for name, value in (case.path_parameters or {}).items()
    }
    is_players = "player" in case.operation.definition.raw["tags"]
    caller = player.api if is_players else people.operator
    case.call_and_validate(headers={"Authorization": f"Bearer {caller.token}"}, checks=CHECKS)
