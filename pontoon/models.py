"""The table's tables. Constraints, triggers, grants and the one commit are in sql/round.sql."""

from typing import ClassVar

from django.db import models


class _Played(models.Model):
    """What a round was dealt with, and how far it is."""

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    game = models.TextField()
    rules = models.TextField()
    currency = models.CharField(max_length=3)
    stake_minor = models.BigIntegerField()
    seed_number = models.BigIntegerField()
    client_seed = models.TextField()
    session_id = models.UUIDField()
    profile = models.TextField()
    build = models.TextField()
    opened_at = models.DateTimeField()
    balance_before_minor = models.BigIntegerField()
    state = models.TextField()
    held_reason = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    action_count = models.IntegerField()
    wagered_minor = models.BigIntegerField()
    payout_minor = models.BigIntegerField(null=True)
    balance_after_minor = models.BigIntegerField(null=True)
    last_action_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        """History reads newest first."""

        abstract = True
        ordering: ClassVar = ["-opened_at", "-id"]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class Round(_Played):
    """One game cycle with one id, from the first wager to settlement (GAM-01).

    Written when it is dealt. Only what moves on with the round is updated, by `pontoon_commit`
    alone and along `lifecycle.TRANSITIONS`; all of it can be recomputed from the actions, the
    seed and the transfers. It holds no card: the cards are a function of the seeds.
    """


class Told(_Played):
    """A round with its seed, still sealed, and its actions [action, hand index, by], in order.

    A row of the view `pontoon_told`: nothing is written to it.
    """

    commitment = models.TextField()
    sealed = models.TextField()
    actions = models.JSONField()
    next_commitment = models.TextField(null=True)  # noqa: DJ001
    void = models.JSONField(null=True)

    class Meta(_Played.Meta):
        """A view, so no table to manage."""

        managed = False
        db_table = "pontoon_told"


class ReturnWatch(models.Model):
    """What was won and lost under a rule set in a currency, up to a time (RTP-04).

    Sums that the watch carries on from one look to the next, and whether they are where chance
    would leave them: `inside`, `above` or `below`. All can be reckoned again from the rounds.
    """

    id = models.TextField(primary_key=True)
    rules = models.TextField()
    currency = models.CharField(max_length=3)
    until = models.DateTimeField()
    round_count = models.BigIntegerField()
    stake_minor = models.DecimalField(max_digits=40, decimal_places=0)
    net_minor = models.DecimalField(max_digits=40, decimal_places=0)
    stake_minor_square = models.DecimalField(max_digits=60, decimal_places=0)
    state = models.TextField()
    changed_at = models.DateTimeField()

    class Meta:
        """One for each rule set and currency."""

        verbose_name_plural = "return watches"
        ordering: ClassVar = ["rules", "currency"]

    def __str__(self) -> str:
        return f"{self.rules} {self.currency} {self.state}"


class Verification(models.Model):
    """A round whose win a person decides on, with its newest case; its id is the round's.

    A row of the view `pontoon_verification`: nothing is written to it. `state` is `checking`,
    `waiting`, `malfunction`, `released` or `voided`; `level` counts the deadlines that passed.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    currency = models.CharField(max_length=3)
    rules = models.TextField()
    profile = models.TextField()
    wagered_minor = models.BigIntegerField()
    payout_minor = models.BigIntegerField()
    settled_at = models.DateTimeField()
    number = models.IntegerField()
    checked_at = models.DateTimeField(null=True)
    agrees = models.BooleanField(null=True)
    content = models.JSONField(null=True)
    verdict = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    actor = models.TextField(null=True)  # noqa: DJ001
    reason = models.TextField(null=True)  # noqa: DJ001
    decided_at = models.DateTimeField(null=True)
    level = models.IntegerField(null=True)
    state = models.TextField()

    class Meta:
        """A view, so no table to manage. Newest first."""

        managed = False
        db_table = "pontoon_verification"
        ordering: ClassVar = ["-settled_at", "-id"]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class Suspension(models.Model):
    """What is stopped: no round that its scope covers is dealt while it stands (INT-06).

    With a malfunction, payouts of covered rounds are held too (H18). Lifted once, else never
    changed. `number` counts raises and lifts of all: a deal decided under an older one is stale.
    """

    id = models.UUIDField(primary_key=True)
    number = models.BigIntegerField()
    scope = models.JSONField()
    player_id = models.UUIDField(null=True)
    malfunction_id = models.UUIDField(null=True)
    reason = models.TextField()
    raised_by = models.TextField()
    raised_at = models.DateTimeField()
    lifted_by = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    lifted_at = models.DateTimeField(null=True)
    lift_reason = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.scope}"


class Malfunction(models.Model):
    """A fault, the rounds that it may have touched, and how far dealing with it is (MAL-01).

    Its state moves along `lifecycle.FAULT_TRANSITIONS`, each move an act beside it.
    """

    id = models.UUIDField(primary_key=True)
    scope = models.JSONField()
    cause = models.TextField()
    evidence = models.JSONField()
    fault_key = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    raised_by = models.TextField()
    raised_at = models.DateTimeField()
    state = models.TextField()
    state_at = models.DateTimeField()
    act_count = models.IntegerField()
    seen_player_id = models.UUIDField(null=True)
    seen_round_id = models.UUIDField(null=True)

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.cause} ({self.state})"


class MalfunctionAct(models.Model):
    """What was done about a malfunction, where it led, and on what it was decided. Insert-only."""

    pk = models.CompositePrimaryKey("malfunction_id", "number")
    malfunction_id = models.UUIDField()
    number = models.IntegerField()
    state = models.TextField()
    actor = models.TextField()
    at = models.DateTimeField()
    facts = models.JSONField()

    class Meta:
        """In order."""

        ordering: ClassVar = ["malfunction_id", "number"]

    def __str__(self) -> str:
        return f"{self.state} by {self.actor}"


class MalfunctionRound(models.Model):
    """A round that a malfunction touched, as it was when it was counted. Insert-only.

    All of them are the list that is approved, and the work that follows: a round is done when it
    is voided. A slice holds all of some players, so that several can work without meeting.
    """

    pk = models.CompositePrimaryKey("malfunction_id", "slice", "player_id", "round_id")
    malfunction_id = models.UUIDField()
    slice = models.SmallIntegerField()
    player_id = models.UUIDField()
    round_id = models.UUIDField()
    currency = models.CharField(max_length=3)
    state = models.TextField()
    wagered_minor = models.BigIntegerField()
    payout_minor = models.BigIntegerField()

    class Meta:
        """In the order of the work."""

        ordering: ClassVar = ["malfunction_id", "slice", "player_id", "round_id"]

    def __str__(self) -> str:
        return f"{self.round_id} {self.state}"


class Notice(models.Model):
    """What a player is told of a round beside its own state: that it was voided, and why (MAL-04).

    Written in the commit of the act that it tells of. Insert-only; that it was read is a row.
    """

    pk = models.CompositePrimaryKey("player_id", "id")
    player_id = models.UUIDField()
    id = models.UUIDField()
    kind = models.TextField()
    round_id = models.UUIDField()
    malfunction_id = models.UUIDField(null=True)
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.round_id}"
