"""Why somebody does what he does: told with every grave act, and kept on record.

A leaf, so that every room's forms, bodies and services hold reasons to the same length.
"""

from audit.errors import InvalidError

REASON_MAX = 2000


def require_reason(text: str, *, member: str = "reason") -> str:
    """Return what somebody wrote, without space around it. Errors: InvalidError."""
    told = text.strip()
    if not told:
        raise InvalidError(fields={member: ["required"]})
    if "\0" in told:
        raise InvalidError(fields={member: ["invalid"]})
    if len(told) > REASON_MAX:
        raise InvalidError(fields={member: ["max_length"]})
    return told
