"""Counting requests: so many a minute for a token, a key, an address, and for refused log-ins."""

import time
from functools import cache

from django.conf import settings
from limits import parse
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from audit.errors import HouseError

_limiter = FixedWindowRateLimiter(storage_from_string(settings.RATE_LIMIT_STORAGE))
_parse = cache(parse)


class TooManyRequestsError(HouseError):
    """More requests than the rate allows."""

    code = "too_many_requests"


def count(rate: str, who: str) -> None:
    """Count one request of `who`. Errors: TooManyRequestsError, with `retry_after_s`.

    `is_first` of the error is true once a window: the excess is recorded then, not each time.
    """
    limit = _parse(settings.RATE_LIMITS[rate])
    if _limiter.hit(limit, rate, who):
        return
    window = _limiter.get_window_stats(limit, rate, who)
    raise TooManyRequestsError(
        limit=str(limit),
        counted=rate,
        retry_after_s=max(1, round(window.reset_time - time.time())),
        is_first=_limiter.hit(_parse(f"1/{limit.GRANULARITY.name}"), "excess", rate, who),
    )
