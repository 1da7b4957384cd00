"""The Celery app and its beat table: every periodic job, on one page."""

import os

from celery import Celery
from kombu.entity import Exchange, Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino", task_cls="casino.letters:Task")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("casino.letters:DeadQueue")

# RabbitMQ keeps queues on several nodes, counts deliveries, and has a queue for the dead.
DEAD = Queue(
    "pontoon.dead",
    Exchange("pontoon.dead", type="fanout", durable=True),
    durable=True,
    queue_arguments={"x-queue-type": "quorum", "x-max-length": 10_000},
)
"""Where RabbitMQ puts what was refused, or came too often. Nobody consumes it."""

LIVE = Queue(
    "pontoon",
    Exchange("pontoon", type="direct", durable=True),
    routing_key="pontoon",
    durable=True,
    queue_arguments={
        "x-queue-type": "quorum",
        "x-delivery-limit": 5,
        "x-dead-letter-exchange": DEAD.exchange.name,
        "x-dead-letter-strategy": "at-least-once",
        # Hints are worth nothing in such numbers: the sweep finds what they would tell.
        "x-max-length": 10_000,
        "x-overflow": "reject-publish",
    },
)

if app.conf.broker_url.startswith("amqp"):
    app.conf.task_queues = [LIVE]

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
    "send-webhooks": {"task": "audit.tasks.send_webhooks", "schedule": 2.0},
    "forget-webhooks": {"task": "audit.tasks.forget_webhooks", "schedule": 6 * 3600.0},
    "count-malfunctions": {"task": "pontoon.tasks.count_malfunctions", "schedule": 10.0},
    "void-malfunctions": {"task": "pontoon.tasks.void_malfunctions", "schedule": 10.0},
    "watch-rounds-and-log": {"task": "pontoon.tasks.watch_rounds_and_log", "schedule": 60.0},
    "watch-ledger": {"task": "pontoon.tasks.watch_the_ledger", "schedule": 3600.0},
    "let-payouts-go": {"task": "pontoon.tasks.let_payouts_go", "schedule": 30.0},
    "watch-clock": {"task": "audit.tasks.watch_clock", "schedule": 10.0},
    "stamp-log": {"task": "audit.tasks.stamp_log", "schedule": 3600.0},
    # At least every 24 hours (SIG-01), counted from the start.
    "identify-software": {"task": "pontoon.tasks.identify_software", "schedule": 12 * 3600.0},
    "roll-up-house": {"task": "wallets.tasks.roll_up_house", "schedule": 60.0},
}
