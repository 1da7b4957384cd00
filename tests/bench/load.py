"""A load generator of its own process: keep-alive HTTP/1.1 over raw sockets, as little as it takes.

`python -m tests.bench.load PORT CLIENTS` reads requests from standard input, one JSON array
[method, path, token, body] a line, and writes one line of JSON: how long each took, what came,
in the order of the requests.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

Request = list[Any]


async def send(port: int, client_count: int, requests: list[Request]) -> dict[str, Any]:
    """Send all requests, each client its next one when the last is answered."""
    waiting = iter(enumerate(requests))
    answers: list[tuple[float, int, str]] = [(0.0, 0, "")] * len(requests)
    started = time.perf_counter()
    await asyncio.gather(*(_client(port, waiting, answers) for _ in range(client_count)))
    return {
        "seconds": time.perf_counter() - started,
        "cpu_s": time.process_time(),
        "latencies_s": [latency for latency, _, _ in answers],
        "statuses": [status for _, status, _ in answers],
        "bodies": [body for _, _, body in answers],
    }


async def _client(
    port: int, waiting: Iterator[tuple[int, Request]], answers: list[tuple[float, int, str]]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number, request in waiting:
        sent_at = time.perf_counter()
        writer.write(_encode(request))
        status, body = await _read(reader)
        answers[number] = (time.perf_counter() - sent_at, status, body)
    writer.close()


def _encode(request: Request) -> bytes:
    method, path, token, body = request
    content = b"" if body is None else json.dumps(body).encode()
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    ).encode() + content


async def _read(reader: asyncio.StreamReader) -> tuple[int, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    return int(head[9:12]), (await reader.readexactly(length)).decode()


def main() -> None:
    """Read the requests, send them, write what happened."""
    port, client_count = map(int, sys.argv[1:])
    requests = [json.loads(line) for line in sys.stdin]
    json.dump(asyncio.run(send(port, client_count, requests)), sys.stdout)


if __name__ == "__main__":
    main()
