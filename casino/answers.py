"""How every room's api.py answers about somebody: what no cache on the way may keep.

A leaf that imports no app.
"""

from typing import Any

from rest_framework.response import Response

NO_STORE = {"Cache-Control": "no-store"}


def private(data: Any, status: int = 200) -> Response:
    """Return an answer that nobody keeps but who asked."""
    return Response(data, status=status, headers=NO_STORE)
