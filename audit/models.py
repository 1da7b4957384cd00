"""The log and its tree. Tables, triggers and grants are SQL: they must hold against Python too."""

from typing import ClassVar

from django.db import models


class Entry(models.Model):
    """One line of the log: one act of somebody, as it was recorded in the act's transaction.

    Written by `audit_record` alone and never changed: a trigger, and the application's role,
    refuse. `body` is the RFC 8785 text of the whole entry, the bytes that `leaf_hash` covers; the
    columns beside it are for finding it. It holds ids and addresses, never a name, a token, or
    the seed of a round that is not over.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    event = models.TextField()
    subject = models.TextField()
    actor = models.TextField()
    at = models.DateTimeField()
    body = models.TextField()
    leaf_hash = models.BinaryField()

    class Meta:
        """The table is made by SQL: partitioned by the id's month."""

        verbose_name_plural = "entries"
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [
            models.Index(fields=["player_id", "id"], name="audit_entry_player"),
            models.Index(fields=["subject", "id"], name="audit_entry_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.event} {self.subject}"


class Leaf(models.Model):
    """An entry's place in the tree, given by `audit_take` when it was sealed, for good.

    `index` has no gap. The hash is the entry's own and stays when its month is archived.
    """

    index = models.BigIntegerField(primary_key=True)
    entry_id = models.UUIDField(unique=True)
    hash = models.BinaryField()
    cluster = models.BigIntegerField()

    class Meta:
        """The order of the tree."""

        verbose_name_plural = "leaves"
        ordering: ClassVar = ["-index"]

    def __str__(self) -> str:
        return f"{self.index} {self.entry_id}"


class Checkpoint(models.Model):
    """What the tree was at a size, as the log signed and published it: at most one of each size.

    `note` is the signed text (docs/log.md); the columns beside it are for finding it. `link` is
    signed too, and says which checkpoint this one came after; before there were links it is empty.
    """

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField()
    at = models.DateTimeField()
    note = models.TextField()
    link = models.TextField(default="")

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-size"]

    def __str__(self) -> str:
        return f"{self.size} {self.at:%Y-%m-%d %H:%M:%S}"


class Export(models.Model):
    """An export that somebody asked for, and how far it is built: a work row, not a record.

    The record is in the log: who asked, what was built, who took it. `cursor` says how much of
    each file is there and where to read on; it is saved with every step, so that a build that was
    killed goes on. A file that was built lies in `EXPORT_DIR` under the row's id.
    """

    id = models.UUIDField(primary_key=True)
    requested_by = models.TextField()
    requested_at = models.DateTimeField()
    asked = models.JSONField()
    state = models.TextField(default="waiting")
    progress_percent = models.IntegerField(default=0)
    cursor = models.JSONField(default=dict)
    fault = models.TextField(blank=True)
    fault_count = models.IntegerField(default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first; what is due is found by its index."""

        ordering: ClassVar = ["-requested_at"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "running", "done", "failed"]),
                name="audit_export_state_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["requested_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="audit_export_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class Work(models.Model):
    """A unit of work that was begun and is not done: it is being done, waits, or has died.

    Written before each try, taken away when the unit is done: a work row, not a record. What is
    done at the first try is here for that moment only. The record of a death is in the log.
    """

    id = models.UUIDField(primary_key=True)
    kind = models.TextField()
    subject = models.TextField()
    player_id = models.UUIDField()
    state = models.TextField(default="waiting")
    tries = models.IntegerField(default=0)
    due_at = models.DateTimeField()
    error = models.TextField(blank=True)
    began_at = models.DateTimeField()

    class Meta:
        """Newest first; one row a unit."""

        verbose_name_plural = "work"
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "subject"], name="audit_work_unit"),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "dead"]),
                name="audit_work_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} {self.state}"


class Endpoint(models.Model):
    """Somebody who is told by webhook: where, of what, and how it has gone lately.

    `secrets` are sealed, the newest first, the others with the time until which they are valid.
    A row is never taken away; who is removed is told nothing more.
    """

    id = models.UUIDField(primary_key=True)
    url = models.TextField()
    types = models.JSONField()
    secrets = models.JSONField()
    created_by = models.TextField()
    created_at = models.DateTimeField()
    state = models.TextField(default="active")
    failures = models.IntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    due_at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state__in=["active", "disabled", "removed"]),
                name="audit_endpoint_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.url} {self.state}"


class Delivery(models.Model):
    """One entry that one endpoint is told of. `number` is the order, of a player one by one.

    Written by the outbox in the transaction in which its cursor moves; what is told is fixed then.
    """

    number = models.BigAutoField(primary_key=True)
    id = models.UUIDField(unique=True)
    endpoint_id = models.UUIDField()
    entry_id = models.UUIDField()
    player_id = models.UUIDField()
    type = models.TextField()
    at = models.DateTimeField()
    body = models.TextField()
    state = models.TextField(default="waiting")
    tries = models.IntegerField(default=0)
    due_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first; what waits is found by its endpoint and player."""

        verbose_name_plural = "deliveries"
        ordering: ClassVar = ["-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint_id", "entry_id"], name="audit_delivery_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "delivered", "dead"]),
                name="audit_delivery_state_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["endpoint_id", "player_id", "number"],
                condition=models.Q(state="waiting"),
                name="audit_delivery_order",
            ),
            models.Index(
                fields=["endpoint_id", "due_at", "number"],
                condition=models.Q(state="waiting"),
                name="audit_delivery_due",
            ),
            models.Index(fields=["endpoint_id", "number"], name="audit_delivery_endpoint"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.type} {self.state}"


class Attempt(models.Model):
    """One try to deliver: when, and what was answered. Never what was in the answer's body."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="attempts")
    at = models.DateTimeField()
    status = models.IntegerField(null=True)
    error = models.TextField(blank=True)
    duration_ms = models.IntegerField()

    class Meta:
        """Oldest first."""

        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.status or self.error}"


class Outbox(models.Model):
    """How far the log has been told: one row. `busy_until` keeps two senders apart."""

    cluster = models.BigIntegerField()
    xid = models.BigIntegerField()
    entry_id = models.UUIDField()
    busy_until = models.DateTimeField()

    class Meta:
        """One row."""

        verbose_name_plural = "outbox"

    def __str__(self) -> str:
        return f"{self.xid} {self.entry_id}"


class WebhookAnswer(models.Model):
    """What was answered to a request about webhooks, for when it comes again; sealed."""

    id = models.UUIDField(primary_key=True)
    fingerprint = models.BinaryField()
    sealed = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.id)
