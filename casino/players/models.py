"""The door's tables. Views, functions and grants are in sql/door.sql.

No row is ever deleted, and none has a foreign key to another player's: a player's rows can live
wherever he lives.
"""

from datetime import datetime, timedelta
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.lookups import Exact

from casino.reasons import REASON_MAX

LANGUAGES = ("en", "es", "pt", "sv")

# AUT-06. `players_idle_max` says it to the database; a test holds the two together.
IDLE_MAX = timedelta(minutes=30)

REALITY_CHECK_MIN = (5, 240)
"""Between how many minutes and how many a player may ask to be told how long he has played."""


def _is_sha256(name: str) -> models.CheckConstraint:
    length = models.Func("token_hash", function="octet_length", output_field=models.IntegerField())
    return models.CheckConstraint(condition=Exact(length, 32), name=name)


class Player(models.Model):
    """Somebody who may come to the table, known to the operator by `external_id`.

    Written once, when the operator registers him, and never changed: his currency is fixed for
    life. It holds no name, address or birth date: those stay with the operator. He is not a
    Django user, so nothing he knows can open the panel.
    """

    id = models.UUIDField(primary_key=True)
    external_id = models.CharField(max_length=64, unique=True)
    currency = models.CharField(max_length=3)
    country = models.CharField(max_length=2)
    language = models.CharField(max_length=2)
    is_test = models.BooleanField()
    registered_at = models.DateTimeField()

    class Meta:
        """Codes keep their shape, whoever writes them."""

        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(external_id__gt=""), name="players_player_has_external_id"
            ),
            models.CheckConstraint(
                condition=Q(currency__regex="^[A-Z]{3}$"), name="players_player_currency_is_iso"
            ),
            models.CheckConstraint(
                condition=Q(country__regex="^[A-Z]{2}$"), name="players_player_country_is_iso"
            ),
            models.CheckConstraint(
                condition=Q(language__in=LANGUAGES), name="players_player_language_is_ours"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id


class ApiKey(models.Model):
    """What an operator's system shows to call us, and what it may do with it.

    Made by a command, which prints the token once; here is its SHA-256, and of the token itself
    only the first characters, by which people tell keys apart. A key that is revoked stays.
    """

    id = models.UUIDField(primary_key=True)
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    token_hash = models.BinaryField(unique=True)
    scopes = ArrayField(models.CharField(max_length=32))
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """A key can do something, and is revoked after it was made."""

        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            _is_sha256("players_apikey_hash_is_sha256"),
            models.CheckConstraint(
                condition=Q(name__gt="") & Q(scopes__len__gt=0),
                name="players_apikey_has_name_and_scopes",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None) | Q(revoked_at__gte=F("created_at")),
                name="players_apikey_revoked_after_created",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class PlaySession(models.Model):
    """One player at one device, from the lobby until he leaves, idles or opens another.

    Written when the operator opens it; afterwards only seen and closed, once, and told how long
    it has lasted: every `check_every_min` minutes since `checked_at` (RCK-01; never, if null).
    `last_seen_at` may lag by 30 seconds, so that a bet rarely writes here. Of the token it holds
    the SHA-256 alone.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    token_hash = models.BinaryField(unique=True)
    language = models.CharField(max_length=2)
    profile = models.CharField(max_length=32)
    lobby_url = models.CharField(max_length=2000, blank=True)
    address = models.GenericIPAddressField(null=True)
    device = models.CharField(max_length=300, blank=True, db_default="")
    opened_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_because = models.CharField(max_length=8, blank=True)
    check_every_min = models.SmallIntegerField(null=True)
    checked_at = models.DateTimeField(null=True)

    class Meta:
        """One open session a player (AUT-09); a closed one says when and why."""

        ordering: ClassVar = ["-opened_at"]
        indexes: ClassVar = [
            models.Index(fields=["player_id", "opened_at"], name="players_session_player"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player_id"],
                condition=Q(closed_at=None),
                name="players_session_one_open",
            ),
            _is_sha256("players_session_hash_is_sha256"),
            models.CheckConstraint(
                condition=Q(language__in=LANGUAGES), name="players_session_language_is_ours"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_because="")
                | Q(
                    closed_at__isnull=False,
                    closed_at__gte=F("opened_at"),
                    closed_because__in=["closed", "replaced", "expired"],
                ),
                name="players_session_closed_says_why",
            ),
            models.CheckConstraint(
                condition=Q(last_seen_at__gte=F("opened_at")),
                name="players_session_seen_after_opened",
            ),
            models.CheckConstraint(
                condition=Q(check_every_min=None) | Q(check_every_min__range=REALITY_CHECK_MIN),
                name="players_session_check_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.opened_at:%Y-%m-%d %H:%M}"

    @property
    def expires_at(self) -> datetime:
        """When it ends if it is not seen again."""
        return self.last_seen_at + IDLE_MAX


class Exclusion(models.Model):
    """A player shuts himself out, or is shut out at his wish: from `starts_at` he cannot wager.

    Insert-only: nobody shortens it, and another one only adds to it. `ends_at` NULL is
    indefinite, which a cooling-off never is.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    kind = models.CharField(max_length=16)
    requested_at = models.DateTimeField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=REASON_MAX, blank=True)
    by = models.CharField(max_length=64)

    class Meta:
        """The index answers the question of every wager by itself."""

        ordering: ClassVar = ["-requested_at"]
        indexes: ClassVar = [
            models.Index(
                fields=["player_id"],
                include=["kind", "starts_at", "ends_at"],
                name="players_exclusion_player",
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind="self_exclusion") | Q(kind="cooling_off", ends_at__isnull=False),
                name="players_exclusion_kind_and_end",
            ),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="players_exclusion_ends_after_start",
            ),
            models.CheckConstraint(
                condition=Q(starts_at__gte=F("requested_at")) & Q(by__gt=""),
                name="players_exclusion_is_asked_for",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"


class RealityCheck(models.Model):
    """A player says how often he wants to be told how long he has played; null is never.

    Insert-only: the newest counts, in every session of his from then on.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    every_min = models.SmallIntegerField(null=True)
    set_at = models.DateTimeField()

    class Meta:
        """The index finds the newest."""

        ordering: ClassVar = ["-set_at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["player_id", "-set_at"], name="players_realitycheck_player"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(every_min=None) | Q(every_min__range=REALITY_CHECK_MIN),
                name="players_realitycheck_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.every_min}"
