"""The WSGI application: `granian --interface wsgi casino.wsgi:application`."""

import os
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Hand a request to Django.

    Django reads no body whose length it is not told; one that comes in chunks is counted first,
    as far as we would read it.
    """
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        body = environ["wsgi.input"].read(settings.BODY_BYTES_MAX + 1)
        environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    return _django(environ, start_response)
