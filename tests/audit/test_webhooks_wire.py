"""Where a webhook may go, and how long it may take: an address is somebody else's choice."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from standardwebhooks import Webhook

from audit.errors import WebhookUrlRefusedError
from audit.webhooks import wire
from tests.receiver import receiving

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

PRIVATE = [
    "127.0.0.1", "127.255.0.3", "0.0.0.0", "10.0.0.1", "172.16.5.4", "192.168.1.1",  # noqa: S104
    "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
    "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
    "192.0.0.192", "192.88.99.1", "64:ff9b:1::7f00:1", "fec0::1", "::ffff:192.0.0.192",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_known(address: str) -> None:
    assert not wire.is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_known(address: str) -> None:
    assert wire.is_public(address)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://8.8.8.8/", "scheme"),
        ("ftp://8.8.8.8/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//8.8.8.8/", "scheme"),
        ("https://", "malformed"),
        ("https:///path", "malformed"),
        ("https://8.8.8.8:0/", "malformed"),
        ("https://8.8.8.8:99999/", "malformed"),
        ("https://user@8.8.8.8/", "malformed"),
        ("https://user:word@8.8.8.8/", "malformed"),
        ("https://8.8.8.8/#part", "malformed"),
        ("https://8.8.8.8/\r\nX: y", "malformed"),
        ("https://8.8.8.8\\@127.0.0.1/", "malformed"),
        ("https://[::1", "malformed"),
        ("https://8.8.8.8/" + "a" * 1000, "too_long"),
        ("https://no-such-host.invalid/", "unknown_host"),
        ("https://localhost/", "private_address"),
        ("https://127.0.0.1/", "private_address"),
        ("https://2130706433/", "private_address"),
        ("https://0x7f.1/", "private_address"),
        ("https://[::ffff:127.0.0.1]/", "private_address"),
        ("https://169.254.169.254/latest/meta-data/", "private_address"),
    ],
)
def test_an_address_that_is_refused_says_why(url: str, reason: str) -> None:
    with pytest.raises(WebhookUrlRefusedError) as refused:
        wire.find_target(url)
    assert refused.value.refused_because == reason


def test_a_public_address_is_where_it_goes() -> None:
    target = wire.find_target("https://8.8.8.8/hook")
    assert (target.address, target.port) == ("8.8.8.8", 443)


def test_a_name_that_leads_elsewhere_when_it_is_sent_is_refused_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter(["8.8.8.8", "127.0.0.1"])

    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert wire.find_target("https://rebinds.example/").address == "8.8.8.8"
    outcome = wire.post("https://rebinds.example/", "{}", {})
    assert (outcome.status, outcome.error) == (None, "refused: private_address")


def test_a_host_with_one_private_address_among_others_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = [(2, 1, 6, "", ("8.8.8.8", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    with pytest.raises(WebhookUrlRefusedError):
        wire.find_target("https://both.example/")


def test_the_signature_is_that_of_standard_webhooks() -> None:
    at, body = datetime.now(UTC), '{"test": 2432232314}'
    headers = wire.signed("msg_p5jXN8AQM9LWM0D4loKWxJek", body, secrets=[SECRET, SECRET], at=at)
    assert Webhook(SECRET).verify(body, headers) == {"test": 2432232314}
    assert headers["webhook-signature"].count("v1,") == 2


def test_the_signature_of_a_known_message_is_the_known_one() -> None:
    at = datetime.fromtimestamp(1614265330, UTC)
    headers = wire.signed(
        "msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}', secrets=[SECRET], at=at
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.fixture
def serve(settings: Any) -> Iterator[Callable[[Callable[[socket.socket], None]], str]]:
    """Serve one call as a function says; return the address."""
    settings.WEBHOOK_PRIVATE = True
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def start(answer: Callable[[socket.socket], None]) -> str:
            def run() -> None:
                with suppress(OSError), closing(server.accept()[0]) as caller:
                    answer(caller)

            threading.Thread(target=run, daemon=True).start()
            return f"http://127.0.0.1:{server.getsockname()[1]}/"

        yield start


def test_a_server_that_dribbles_is_cut_off(
    serve: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "TOTAL_TIMEOUT_S", 0.5)

    def dribble(caller: socket.socket) -> None:
        while True:
            caller.sendall(b"H")
            threading.Event().wait(0.05)

    outcome = wire.post(serve(dribble), "{}", {})
    assert outcome.status is None
    assert outcome.duration_ms < 5000


def test_an_endless_answer_is_not_read_to_its_end(serve: Callable[..., str]) -> None:
    def pour(caller: socket.socket) -> None:
        caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            caller.sendall(b"x" * 65536)

    assert wire.post(serve(pour), "{}", {}).is_heard


def test_no_http_and_no_server_are_outcomes(serve: Callable[..., str]) -> None:
    nonsense = wire.post(serve(lambda caller: caller.sendall(b"\x00\x01\r\n\r\n")), "{}", {})
    assert nonsense.status is None
    assert nonsense.error
    gone = wire.post("http://127.0.0.1:1/", "{}", {})
    assert gone.status is None
    assert "refused" in gone.error.lower()


def test_tls_is_for_the_name_and_not_for_anybody(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True
    with receiving() as plain:
        outcome = wire.post(plain.url.replace("http:", "https:"), "{}", {})
    assert outcome.status is None
    assert "SSL" in outcome.error
