"""The table's periodic work. The database says what is due; a task that comes twice is harmless."""

from celery import shared_task

from pontoon import services
from pontoon.reports.tally import tally_minutes
from pontoon.reports.watch import watch_returns


@shared_task
def close_abandoned_rounds() -> None:
    """Play out what nobody came back to (H21)."""
    services.close_abandoned()


@shared_task
def verify_wins() -> None:
    """File a case for every large win that waits without one (H17)."""
    services.check_wins()


@shared_task
def escalate_wins() -> None:
    """Remind of large wins that wait too long."""
    services.escalate_wins()


@shared_task
def count_malfunctions() -> None:
    """Count what every raised malfunction touched (MAL-01)."""
    services.count_malfunctions()


@shared_task
def void_malfunctions() -> None:
    """Void what another person approved, for a while; the next task goes on (MAL-02)."""
    services.void_malfunctions()


@shared_task
def let_payouts_go() -> None:
    """Pay what waits for no malfunction any more."""
    services.let_go()


@shared_task
def identify_software() -> None:
    """Hash the software of this process, and record whether it is what it last was (SIG-01)."""
    services.identify("task:identify_software", because="day")


@shared_task
def watch_the_returns() -> None:
    """Hold what was paid against what the rules promise (RTP-04)."""
    watch_returns()


@shared_task
def tally_the_minutes() -> None:
    """Count what was settled in the minutes that are over."""
    tally_minutes()


@shared_task
def watch_rounds_and_log() -> None:
    """Flag rounds that do not hold, and a log that does not verify (H18)."""
    services.watch_rounds()
    services.watch_log()


@shared_task(soft_time_limit=3600, time_limit=3700)
def watch_the_ledger() -> None:
    """Flag a ledger that does not hold (H18)."""
    services.watch_ledger()
