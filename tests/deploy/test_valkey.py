"""The embedded Valkey: reached as Celery reaches it, and what it keeps."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu.connection import Connection

from deploy.local.errors import StartError
from deploy.local.valkey import Valkey


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    folder = tmp_path / "a folder of 50%"
    started = Valkey(folder / "valkey", folder / "log" / "valkey.log", 'p/a"s%s@w\\ord')
    started.start()
    yield started
    started.stop()


def put(server: Valkey, word: str) -> None:
    with connection_to(server) as connection, connection.SimpleQueue("words") as queue:
        queue.put({"word": word})


def take(server: Valkey) -> str:
    with connection_to(server) as connection, connection.SimpleQueue("words") as queue:
        message = queue.get(timeout=5)
        message.ack()
        return str(message.payload["word"])


def connection_to(server: Valkey) -> Connection:
    return Connection(server.url)  # type: ignore[no-untyped-call]


def test_a_message_outlives_a_restart(server: Valkey) -> None:
    put(server, "kept")
    server.stop()
    server.start()
    assert take(server) == "kept"


def test_it_starts_again_after_a_kill(server: Valkey) -> None:
    assert server.process
    server.process.kill()
    server.process.wait()
    server.start()
    put(server, "after")
    assert take(server) == "after"


def test_an_earlier_one_on_the_folder_is_stopped_first(server: Valkey) -> None:
    put(server, "kept")
    later = Valkey(server.home, server.log, server.password)
    later.start()
    try:
        assert server.process
        assert server.process.wait(10) == 0
        assert take(later) == "kept"
    finally:
        later.stop()


def test_it_has_no_port_and_no_open_file(server: Valkey) -> None:
    settings = server.home / "valkey.conf"
    assert "port 0\n" in settings.read_text()
    assert settings.stat().st_mode & 0o077 == 0
    assert server.home.stat().st_mode & 0o077 == 0
    assert server.socket.stat().st_mode & 0o077 == 0


def test_a_broken_file_is_told_in_a_sentence(server: Valkey) -> None:
    server.stop()
    (server.home / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StartError, match="Valkey does not start"):
        server.start()
