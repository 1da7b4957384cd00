"""The HTTP of webhooks: where may be called, and one signed POST, bounded in time and size.

Somebody else names the address, so it may name a machine that only we can reach. It is resolved
here, every address of it must be one of the public internet, and the one that was looked at is the
one that is called; redirects are not followed.
"""

import ipaddress
import socket
import threading
from contextlib import closing, suppress
from datetime import datetime
from http.client import HTTPException
from time import monotonic
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from standardwebhooks import Webhook
from urllib3 import Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from audit.errors import WebhookUrlRefusedError

CONNECT_TIMEOUT_S, READ_TIMEOUT_S, TOTAL_TIMEOUT_S = 5, 10, 15
BODY_BYTES_MAX = 4096
URL_LENGTH_MAX = 1000
_PORTS = {"https": 443, "http": 80}

# Addresses of IPv6 that stand for one of IPv4: whoever routes them decides which.
_TRANSLATED = [ipaddress.ip_network(net) for net in ("64:ff9b::/96", "2002::/16", "2001::/32")]

# Special addresses that the standard library takes for public ones: some clouds answer there.
_SPECIAL = [
    ipaddress.ip_network(net)
    for net in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "fec0::/10")
]


class Target(NamedTuple):
    """Where to connect to, for which URL."""

    url: SplitResult
    address: str
    port: int


class Outcome(NamedTuple):
    """What came of a try: a status, or an error; and how long it took."""

    status: int | None
    error: str
    duration_ms: int

    @property
    def is_heard(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300


def find_target(url: str) -> Target:
    """Return where an URL leads. Errors: WebhookUrlRefusedError, with `refused_because`."""
    parts = _parse(url)
    port = parts.port or _PORTS[parts.scheme]
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebhookUrlRefusedError(refused_because="unknown_host") from error
    addresses = [str(info[4][0]) for info in found]
    if not settings.WEBHOOK_PRIVATE and not all(map(is_public, addresses)):
        raise WebhookUrlRefusedError(refused_because="private_address")
    return Target(parts, addresses[0], port)


def _parse(url: str) -> SplitResult:
    schemes = {"https", "http"} if settings.WEBHOOK_PRIVATE else {"https"}
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise WebhookUrlRefusedError(refused_because="malformed") from error
    if parts.scheme not in schemes:
        raise WebhookUrlRefusedError(refused_because="scheme")
    is_plain = url.isascii() and url.isprintable() and " " not in url and "\\" not in url
    if not (is_whole and is_plain) or "@" in parts.netloc or parts.fragment:
        raise WebhookUrlRefusedError(refused_because="malformed")
    if len(url) > URL_LENGTH_MAX:
        raise WebhookUrlRefusedError(refused_because="too_long")
    return parts


def is_public(address: str) -> bool:
    """Say whether an IP address is one of the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        return is_public(str(ip.ipv4_mapped))
    if any(ip in net for net in (*_TRANSLATED, *_SPECIAL)):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_loopback)


def signed(message: str, body: str, *, secrets: list[str], at: datetime) -> dict[str, str]:
    """Return the headers of Standard Webhooks: a signature for each secret that is valid."""
    signatures = [Webhook(secret).sign(message, at, body) for secret in secrets]
    return {
        "webhook-id": message,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def post(url: str, body: str, headers: dict[str, str]) -> Outcome:
    """Send once; whatever goes wrong is an outcome."""
    began = monotonic()
    try:
        status, error = _post(find_target(url), body, headers), ""
    except WebhookUrlRefusedError as refused:
        status, error = None, f"refused: {refused.refused_because}"
    except (OSError, HTTPError, HTTPException, ValueError) as failure:
        status, error = None, f"{type(failure).__name__}: {failure}"[:300]
    if status is not None and 300 <= status < 400:
        error = "redirects are not followed"
    return Outcome(status, error, int((monotonic() - began) * 1000))


def _post(target: Target, body: str, headers: dict[str, str]) -> int:
    path = target.url.path or "/"
    with closing(_connection(target)) as connection:
        connection.connect()
        # Each read has its own time-out; a server that dribbles is cut off by this one.
        limit = threading.Timer(TOTAL_TIMEOUT_S, _cut, [connection.sock])
        limit.daemon = True
        limit.start()
        try:
            connection.request(
                "POST",
                f"{path}?{target.url.query}" if target.url.query else path,
                body=body.encode(),
                headers=headers
                | {
                    "Host": target.url.netloc,
                    "Content-Type": "application/json",
                    "User-Agent": f"Pontoon/{settings.VERSION}",
                },
                preload_content=False,
            )
            response = connection.getresponse()
            response.read(BODY_BYTES_MAX)  # enough to be polite; nobody reads it
            return int(response.status)
        finally:
            limit.cancel()


def _connection(target: Target) -> HTTPConnection:
    times = Timeout(connect=CONNECT_TIMEOUT_S, read=READ_TIMEOUT_S)
    if target.url.scheme == "http":
        return HTTPConnection(target.address, target.port, timeout=times.connect_timeout)
    return HTTPSConnection(
        target.address,
        target.port,
        timeout=times.connect_timeout,
        cert_reqs="CERT_REQUIRED",
        server_hostname=target.url.hostname,
        assert_hostname=target.url.hostname,
    )


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
