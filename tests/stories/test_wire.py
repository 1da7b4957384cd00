"""What a client may do to the wire itself: lengths that lie, chunks, silence, and hanging up."""

import socket
from contextlib import suppress

import pytest

from tests.people import People
from tests.stories.conftest import Server

HEAD = (
    "POST /api/v1/rounds HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Authorization: Bearer {token}\r\nConnection: close\r\n"
)
BODY = b'{"stake_minor": 200, "currency": "USD"}'
CHUNK = b"10000\r\n" + b"x" * 65536 + b"\r\n"
LENGTH = b"Content-Length: %d\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"

SENT = {
    "ten megabytes": (LENGTH % 10_000_000, b"x" * 10_000_000, {413}),
    "ten megabytes in chunks": (CHUNKED, CHUNK * 160 + b"0\r\n\r\n", {400, 413, 422}),
    "a body in chunks": (CHUNKED, b"27\r\n" + BODY + b"\r\n0\r\n\r\n", {201}),
    "a chunk of no length": (CHUNKED, b"zz\r\n" + BODY, {400, 422, 0}),
    "less than it says, and hanging up": (LENGTH % 500, BODY, {400, 0}),
    "more than it says": (LENGTH % 5, BODY, {400}),
    "a length of words": (b"Content-Length: many\r\n\r\n", BODY, {400}),
    "two lengths": (b"Content-Length: 5\r\n" + LENGTH % 39, BODY, {400}),
    "a length and chunks": (LENGTH[:-2] % 39 + CHUNKED, b"0\r\n\r\n", {400, 422}),
    "no length": (b"\r\n", BODY, {400, 411, 422}),
}


def send(server: Server, token: str, rest: bytes, body: bytes, *, hang_up: bool) -> int:
    """Send as told and say no more; the status that comes back, 0 for none."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        answer = b""
        with suppress(ConnectionError):  # the server may have heard enough
            line.sendall(HEAD.format(token=token).encode() + rest + body)
        if hang_up:
            line.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            answer = line.recv(65536)
    return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def test_net_01_no_length_and_no_chunk_harms_the_server(
    people: People, server: Server, subtests: pytest.Subtests
):
    player = people.player()
    for name, (rest, body, statuses) in SENT.items():
        with subtests.test(name):
            hang_up = "hanging up" in name
            assert send(server, player.api.token, rest, body, hang_up=hang_up) in statuses
            assert player.api.get("me").status == 200
