"""The Celery app and its beat table: every periodic job, on one page."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# The database says what is due and a sweep finds it; the queue is only a hint. So every
# job here may run twice, late, or not at all for a while, and nothing is lost.
app.conf.beat_schedule = {
    "seal-log": {"task": "audit.tasks.seal_log", "schedule": 5.0},
    "tally-minutes": {"task": "pontoon.tasks.tally_the_minutes", "schedule": 10.0},
    "watch-returns": {"task": "pontoon.tasks.watch_the_returns", "schedule": 60.0},
    "build-exports": {"task": "audit.tasks.build_exports", "schedule": 10.0},
    "close-abandoned-rounds": {"task": "pontoon.tasks.close_abandoned_rounds", "schedule": 60.0},
    "verify-wins": {"task": "pontoon.tasks.verify_wins", "schedule": 5.0},
    "escalate-wins": {"task": "pontoon.tasks.escalate_wins", "schedule": 60.0},
    "stamp-log": {"task": "audit.tasks.stamp_log", "schedule": 3600.0},
    # At least every 24 hours (SIG-01), counted from the start.
    "identify-software": {"task": "pontoon.tasks.identify_software", "schedule": 12 * 3600.0},
    "roll-up-house": {"task": "wallets.tasks.roll_up_house", "schedule": 60.0},
}
