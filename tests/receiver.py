"""Somebody who is told by webhook: a server of the test's, which answers as it is told to."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


@dataclass
class Receiver:
    """What was received, in its order; `status_of` says what is answered to a body."""

    url: str = ""
    status_of: Callable[[dict[str, Any]], int] = lambda told: 204
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def told(self) -> list[dict[str, Any]]:
        """All that came, what was refused too."""
        return [json.loads(body) for body in self.bodies]

    def verify(self, secret: str) -> list[Any]:
        """Check every signature, as a receiver does."""
        return [
            Webhook(secret).verify(body, headers)
            for body, headers in zip(self.bodies, self.headers, strict=True)
        ]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver on a free port of this machine."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            receiver.headers.append(dict(self.headers))
            receiver.bodies.append(body)
            told = json.loads(body)
            status = receiver.status_of(told)
            if 200 <= status < 300:
                receiver.heard.append(told)
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?of=test"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
