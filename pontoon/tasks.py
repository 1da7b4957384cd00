"""The table's periodic work. The database says what is due; a task that comes twice is harmless."""

from celery import shared_task

from pontoon import services


@shared_task
def close_abandoned_rounds() -> None:
    """Play out what nobody came back to (H21)."""
    services.close_abandoned()
