"""Who acts in these tests, and many who act at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from audit.errors import HouseError

KEY = "key:01a22e53-17d6-781c-bee4-f76770a7571d"


def at_once(count: int, act: Callable[[], Any]) -> list[Any]:
    """Act so many times in parallel, each on its own connection: results or refusals."""

    def run(_: int) -> Any:
        try:
            return act()
        except HouseError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))
