"""Wait for a condition, not for a time."""

import time
from collections.abc import Callable

POLL_S = 0.02


def wait_until(is_so: Callable[[], object], timeout_s: float = 30) -> None:
    """Return as soon as the condition holds; fail when it does not come about in time."""
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(POLL_S)
