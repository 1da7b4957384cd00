"""The cage's periodic work."""

from celery import shared_task
from django.db import connection


@shared_task
def roll_up_house() -> None:
    """Sum the house's accounts up to now, so that a balance need not add up its whole past."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT wallet_roll_up()")
