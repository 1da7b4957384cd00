"""The eye's periodic work."""

from celery import shared_task

from audit import seal


@shared_task
def seal_log() -> None:
    """Take what is new into the tree."""
    seal.seal()
