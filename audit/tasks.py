"""The eye's periodic work."""

from celery import shared_task

from audit import export, seal, stamp, webhooks
from audit.clock import Watch

_clock = Watch()


@shared_task
def stamp_log() -> None:
    """Have the newest checkpoint stamped, where an authority is set."""
    stamp.stamp()


@shared_task
def seal_log() -> None:
    """Take what is new into the tree."""
    seal.seal()


@shared_task
def watch_clock() -> None:
    """Look whether the clock was set; each process of the workers looks for itself."""
    _clock.look()


@shared_task(soft_time_limit=3600, time_limit=3700)
def build_exports() -> None:
    """Go on building what somebody asked for; packing a large one takes longer than most work."""
    export.build()


@shared_task
def send_webhooks() -> None:
    """Tell by webhook what is due."""
    webhooks.deliver()


@shared_task
def forget_webhooks() -> None:
    """Take away what was told a month ago."""
    webhooks.forget()
