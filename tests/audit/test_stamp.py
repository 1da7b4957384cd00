"""Timestamps of a checkpoint, by an authority of OpenSSL's on this machine."""

import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pytest_django import Settings

from audit import log
from audit.errors import StampRefusedError
from audit.seal import seal
from audit.stamp import stamp
from audit.tasks import stamp_log
from tests.audit.sealing import write
from tests.conftest import Database
from tests.people import Api

CONFIG = """
[ca]
[dn]
CN = tests
[req]
distinguished_name = dn
prompt = no
[tsa_ext]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = it
[it]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


class Authority:
    """A timestamp authority with a certificate of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "tsa.cnf").write_text(CONFIG)
        (folder / "serial").write_text("01\n")
        new_key = ("-newkey", "rsa:2048", "-nodes", "-config", "tsa.cnf")
        self.openssl("req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "9",
                     "-subj", "/CN=root", "-addext", "basicConstraints=critical,CA:TRUE",
                     "-addext", "subjectKeyIdentifier=hash")  # fmt: skip
        self.openssl("req", *new_key, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=tsa")
        self.openssl("x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days",
                     "9", "-out", "tsa.pem", "-extfile", "tsa.cnf", "-extensions", "tsa_ext",
                     "-CAcreateserial")  # fmt: skip

    @property
    def roots(self) -> Path:
        return self.folder / "ca.pem"

    def openssl(self, *arguments: str) -> None:
        subprocess.run(
            ["openssl", *arguments], cwd=self.folder, check=True, capture_output=True, text=True
        )

    def answer(self, query: bytes) -> bytes:
        (self.folder / "query").write_bytes(query)
        self.openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "answer")
        return (self.folder / "answer").read_bytes()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tsa") / "it")


@pytest.fixture
def url(authority: Authority, settings: Settings) -> Iterator[str]:
    """The authority over HTTP, and the settings that name it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = authority.answer(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        settings.LOG_TSA_URL = f"http://127.0.0.1:{server.server_port}/"
        settings.LOG_TSA_ROOTS = str(authority.roots)
        yield settings.LOG_TSA_URL
        server.shutdown()
        thread.join()


def test_a_checkpoint_is_stamped_once_and_openssl_finds_it_right(
    database: Database, url: str, authority: Authority, api: Api, tmp_path: Path
) -> None:
    assert stamp() is None  # nothing is signed yet
    write()
    seal()
    assert (stamp(), stamp()) == (2, None)
    note, answer = tmp_path / "note", tmp_path / "answer"
    note.write_bytes(api.get("/log/checkpoint/2").body)
    answer.write_bytes(api.get("/log/checkpoint/2/timestamp").body)
    verify = ("ts", "-verify", "-data", str(note), "-in", str(answer), "-CAfile", "ca.pem")
    authority.openssl(*verify)
    note.write_bytes(note.read_bytes() + b"\n")
    with pytest.raises(subprocess.CalledProcessError):
        authority.openssl(*verify)


def test_the_task_stamps_the_newest(database: Database, url: str) -> None:
    write()
    seal()
    stamp_log()
    write()
    seal()
    stamp_log()
    assert [log.timestamp_of(size) is not None for size in (1, 2, 3)] == [False, True, True]


def test_an_answer_that_is_none_or_anothers_is_not_kept(
    database: Database, url: str, authority: Authority, tmp_path: Path
) -> None:
    write()
    seal()
    stranger = Authority(tmp_path / "stranger")
    first = authority.answer
    for ask in (lambda _: b"", lambda _: b"<html>", stranger.answer, lambda q: first(q)[:-9]):
        with pytest.raises(StampRefusedError):
            stamp(ask=ask)
    assert log.timestamp_of(2) is None


def test_without_an_authority_nothing_is_asked(database: Database, api: Api) -> None:
    write()
    seal()
    assert stamp() is None
    assert api.get("/log/checkpoint/2/timestamp").status == 404
    assert api.get("/log/checkpoint/9").status == 404
    assert api.get("/log/checkpoint/2").body == api.get("/log/checkpoint").body
