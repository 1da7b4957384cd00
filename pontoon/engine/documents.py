"""JSON from outside, read strictly: what is missing or of another type is named in a sentence."""

import json
from dataclasses import dataclass
from typing import Final, TypeVar

from pontoon.engine.errors import NotationError

LEVELS_MAX: Final = 16
DIGITS_MAX: Final = 18

T = TypeVar("T")

_TYPE_NAMES: dict[type, str] = {
    bool: "true or false",
    dict: "an object",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a document and the path to it, such as `hands[0].cards`."""

    path: str
    value: object

    def has(self, name: str) -> bool:
        """Say whether this object has a member."""
        return name in self.read(dict)

    def member(self, name: str) -> "Node":
        """Return a member of this object; raises NotationError when it is missing."""
        path = f"{self.path}.{name}".lstrip(".")
        if not self.has(name):
            raise NotationError(f"{path} is missing")
        return Node(path, self.read(dict)[name])

    def items(self) -> list["Node"]:
        """Return the items of this list."""
        values = self.read(list)
        return [Node(f"{self.path}[{index}]", value) for index, value in enumerate(values)]

    def read(self, kind: type[T]) -> T:
        """Return the value if it is of exactly this type: true is not 1, and 1.0 is neither."""
        if type(self.value) is kind:
            return self.value
        raise NotationError(f"{self.path or 'the document'} is not {_TYPE_NAMES[kind]}")

    def read_texts(self) -> list[str]:
        """Return the texts of a list of texts."""
        return [item.read(str) for item in self.items()]


def parse_document(text: bytes) -> Node:
    """Read one JSON value; raises NotationError."""
    try:
        value = json.loads(text, object_pairs_hook=_make_object, parse_int=_make_number)
    except (ValueError, RecursionError):
        raise NotationError("this is not JSON") from None
    _require_shallow(value, LEVELS_MAX)
    return Node("", value)


def _make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotationError("a member occurs twice in one object")
    return members


def _make_number(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        raise NotationError(f"a number has more than {DIGITS_MAX} digits")
    return int(digits)


def _require_shallow(value: object, levels: int) -> None:
    if levels == 0:
        raise NotationError(f"more than {LEVELS_MAX} levels are nested in each other")
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _require_shallow(inner, levels - 1)


def is_same(one: object, other: object) -> bool:
    """Compare JSON values as they are written, so that 1, 1.0 and true are three values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def format_value(value: object) -> str:
    """Write a value as JSON, for a message."""
    return json.dumps(value)
