"""The OpenAPI schema as a contract: every answer that a test's caller gets is held against it."""

import json
import re
from functools import cache
from typing import Any

from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator


@cache
def schema() -> dict[str, Any]:
    """Return the schema that the service gives out."""
    made = SchemaGenerator().get_schema(request=None, public=True)
    told: dict[str, Any] = json.loads(json.dumps(made))
    return told


class ContractClient(Client):
    """A client that fails the test whose answer the schema does not foresee."""

    def request(self, **request: Any) -> Any:
        """Ask, and check what comes back."""
        response = super().request(**request)
        operations = find_operations(request["PATH_INFO"])
        operation = operations and operations.get(request["REQUEST_METHOD"].lower())
        if operation:
            check(operation, response)
        return response


def find_operations(path: str) -> dict[str, Any] | None:
    """Return the operations of a path, by method; the literal path before one with a parameter."""
    found = [name for name in schema()["paths"] if _pattern(name).fullmatch(path)]
    return schema()["paths"][min(found, key=lambda name: name.count("{"))] if found else None


def find_answer(operation: dict[str, Any], status: int | str) -> dict[str, Any]:
    """Return what an operation answers with a status, or nothing; many give the same problem."""
    answer: dict[str, Any] = operation["responses"].get(str(status), {})
    name = answer.get("$ref", "").rpartition("/")[2]
    return schema()["components"]["responses"][name] if name else answer


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", name))


def check(operation: dict[str, Any], response: Any) -> None:
    """Hold an answer against its operation: status, type, and body."""
    told = f"{operation['operationId']} {response.status_code} {_told(response)!r}"
    documented = find_answer(operation, response.status_code)
    assert documented, f"the schema does not foresee {told}"
    assert "X-Request-ID" in response.headers, told
    if "content" not in documented:
        assert response.content == b"", told
        return
    declared = response.headers["Content-Type"].split(";")[0]
    assert declared in documented["content"], f"{declared} of {told}"
    if not declared.endswith("json"):
        return
    body = json.loads(response.content)
    _validator(operation["operationId"], response.status_code, declared).validate(body)
    if declared == "application/problem+json":
        facts = schema()["components"]["schemas"]["Problem"]["properties"]
        assert body.keys() <= facts.keys(), f"the schema knows no such facts: {told}"


def _told(response: Any) -> bytes:
    return b"a file" if response.streaming else response.content[:500]


@cache
def _validator(operation_id: str, status: int, declared: str) -> Draft202012Validator:
    operation = next(
        operation
        for operations in schema()["paths"].values()
        for operation in operations.values()
        if operation["operationId"] == operation_id
    )
    shape = find_answer(operation, status)["content"][declared]["schema"]
    return Draft202012Validator(
        shape | {"components": schema()["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
