"""What each rule set has paid against what it promises: the watch's sums as returns (RTP-04)."""

from datetime import datetime
from typing import NamedTuple

from pontoon.models import ReturnWatch
from pontoon.reports.theory import percent, theory_of


class Return(NamedTuple):
    """The return of stakes under a rule set in a currency, as it was and as it should be, in %."""

    rules: str
    currency: str
    round_count: int
    actual: str | None
    theoretical: str | None
    state: str
    until: datetime


def returns() -> list[Return]:
    """Return every watch, by rules and currency."""
    return [_return(watch) for watch in ReturnWatch.objects.all()]


def _return(watch: ReturnWatch) -> Return:
    theory = theory_of(watch.rules)
    stake_minor, net_minor = int(watch.stake_minor), int(watch.net_minor)
    return Return(
        watch.rules,
        watch.currency,
        watch.round_count,
        percent(stake_minor + net_minor, stake_minor),
        None if theory is None else percent(1 - theory.edge),
        watch.state,
        watch.until,
    )
