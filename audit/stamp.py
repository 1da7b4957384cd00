"""Timestamps: somebody else's word for when a checkpoint was there.

Optional. A checkpoint says itself when it was made; a timestamp of an authority (RFC 3161) over
the same note says so without us, and `openssl ts -verify` checks it.
"""

import urllib.request
from collections.abc import Callable
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificates
from django.conf import settings
from django.db import transaction
from rfc3161_client import (
    TimestampRequestBuilder,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from audit import log, services
from audit.errors import StampRefusedError

Ask = Callable[[bytes], bytes]
"""What sends a request to the authority and returns its answer."""

_QUERY_TYPE = "application/timestamp-query"
_TIMEOUT_S = 20
_ANSWER_BYTES_MAX = 1 << 20


def stamp(*, ask: Ask | None = None) -> int | None:
    """Have the newest checkpoint stamped, once; return its size, or None if there is nothing to do.

    Errors: StampRefusedError, when the answer is not the authority's for this checkpoint.
    """
    last = log.last_checkpoint()
    if last is None or not settings.LOG_TSA_URL or log.timestamp_of(last.size):
        return None
    answer = _stamped(last.note.encode(), ask or _post)
    with transaction.atomic(durable=True):
        services.commit("audit_stamp", {"size": last.size, "answer": answer.hex()})
    return last.size


def _stamped(note: bytes, ask: Ask) -> bytes:
    """Return the authority's answer for a note, after checking it."""
    request = TimestampRequestBuilder().data(note).build()
    verifier = VerifierBuilder.from_request(request)
    for root in load_pem_x509_certificates(Path(settings.LOG_TSA_ROOTS).read_bytes()):
        verifier = verifier.add_root_certificate(root)
    try:
        answer = decode_timestamp_response(ask(request.as_bytes()))
        verifier.build().verify_message(answer, note)
    except (ValueError, VerificationError) as error:
        raise StampRefusedError(reason=str(error)) from error
    return answer.as_bytes()


def _post(query: bytes) -> bytes:
    request = urllib.request.Request(  # noqa: S310 (the operator's own setting)
        settings.LOG_TSA_URL, data=query, headers={"Content-Type": _QUERY_TYPE}
    )
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
        body: bytes = answer.read(_ANSWER_BYTES_MAX)
    return body
