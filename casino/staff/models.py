"""Who works the panel, with which second factor, in which sessions, and how roles change."""

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from casino.reasons import REASON_MAX
from casino.staff.rights import RightsByRole
from casino.staff.roles import Role

_ROLES = [role.value for role in Role]
_ROLE_CHOICES = [(role, role) for role in _ROLES]


class StaffManager(BaseUserManager["StaffUser"]):
    """Makes staff users, for `services`, which records it."""

    def create_user(
        self, username: str, password: str | None = None, *, role: str = ""
    ) -> "StaffUser":
        """Make a user; without a password he cannot log in yet, without a role he may nothing."""
        at = timezone.now() if password else None
        user = self.model(username=username, role=role, password_changed_at=at)
        user.set_password(password)
        user.save(using=self._db)
        return user


class StaffUser(RightsByRole, AbstractBaseUser):
    """A person of the operator's staff, never a player and never shared by two people.

    What he may do, his role says and nothing else: none of the staff is a superuser.
    `failed_at` holds when log-ins were refused since the last that was not; `locked_at` is set
    by the third within half an hour, and then no password opens until somebody unlocks. `link_hash`
    is that of a link, good for one use until `link_until`, by which he gives himself a password;
    `linked_by` is who made it and `reset_by` who took a lost phone off him, until he has logged in
    again: never the same person, who would have the whole log-in.
    There is no mail address and no real name: who a username is, the operator knows.
    """

    last_login = None  # Django would write it half-way through a log-in

    username = models.CharField(max_length=64, unique=True, validators=[UnicodeUsernameValidator()])
    role = models.CharField(
        max_length=16, blank=True, default="", choices=_ROLE_CHOICES, editable=False
    )
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    password_changed_at = models.DateTimeField(null=True, editable=False)
    last_access_at = models.DateTimeField(null=True, editable=False)
    last_address = models.CharField(max_length=45, blank=True, default="", editable=False)
    failed_at = ArrayField(models.DateTimeField(), default=list, editable=False)
    locked_at = models.DateTimeField(null=True, editable=False)
    link_hash = models.BinaryField(null=True, unique=True, editable=False)
    link_until = models.DateTimeField(null=True, editable=False)
    linked_by = models.CharField(max_length=64, blank=True, default="", editable=False)
    reset_by = models.CharField(max_length=64, blank=True, default="", editable=False)

    # Each may open the panel; what he finds in it, his role says.
    is_staff: ClassVar = True
    is_superuser: ClassVar = False

    objects: ClassVar = StaffManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar = []

    class Meta:
        """By name, as people look for each other."""

        ordering: ClassVar = ["username"]
        verbose_name = "staff user"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(role__in=["", *_ROLES]), name="staff_role_known"),
            models.CheckConstraint(
                condition=Q(linked_by="") | ~Q(linked_by=F("reset_by")),
                name="staff_helped_by_two",
            ),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def urn(self) -> str:
        """Name him as an actor and a subject of the log."""
        return f"staff:{self.pk}"


class Device(models.Model):
    """A phone that shows codes (RFC 6238): one for each of the staff.

    The secret is sealed with STAFF_KEYS (ACC-07). Until `confirmed_at` it opens nothing;
    `last_step` is the time step of the newest code that was taken, and no code of it or before is
    taken again.
    """

    user = models.OneToOneField(StaffUser, on_delete=models.PROTECT, primary_key=True)
    secret = models.TextField(editable=False)
    made_at = models.DateTimeField(editable=False)
    confirmed_at = models.DateTimeField(null=True, editable=False)
    last_step = models.BigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"device of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that takes the place of a lost phone once; stored as its SHA-256 (80 random bits)."""

    user = models.ForeignKey(StaffUser, on_delete=models.PROTECT)
    code_hash = models.BinaryField(unique=True, editable=False)
    used_at = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"


class StaffSession(models.Model):
    """A log-in, from its password to its end; what is over opens nothing, whatever a cookie says.

    Until `verified_at` only the second step is open to it. It holds no key: the cookie is signed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(StaffUser, on_delete=models.PROTECT)
    opened_at = models.DateTimeField(editable=False)
    verified_at = models.DateTimeField(null=True, editable=False)
    seen_at = models.DateTimeField(editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    ended_because = models.CharField(max_length=24, blank=True, default="", editable=False)
    address = models.CharField(max_length=45, blank=True, editable=False)
    agent = models.CharField(max_length=200, blank=True, editable=False)

    class Meta:
        """Newest first, of a user."""

        ordering: ClassVar = ["-opened_at"]
        indexes: ClassVar = [
            models.Index(fields=["user", "-opened_at"], name="staff_session_of_user")
        ]

    def __str__(self) -> str:
        return str(self.id)


class RoleChange(models.Model):
    """A role that one person asks for another, and a third gives or refuses (OPR-02).

    The database holds it to that: the three are different, and a user's role changes only with a
    row that says so.
    """

    user = models.ForeignKey(StaffUser, on_delete=models.PROTECT, related_name="role_changes")
    role = models.CharField(max_length=16, choices=_ROLE_CHOICES, editable=False)
    reason = models.CharField(max_length=REASON_MAX, editable=False)
    asked_by = models.ForeignKey(
        StaffUser, on_delete=models.PROTECT, related_name="+", editable=False
    )
    asked_at = models.DateTimeField(editable=False)
    decided_by = models.ForeignKey(
        StaffUser, null=True, on_delete=models.PROTECT, related_name="+", editable=False
    )
    decided_at = models.DateTimeField(null=True, editable=False)
    outcome = models.CharField(max_length=9, blank=True, default="", editable=False)

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(role__in=_ROLES), name="staff_change_role_known"),
            models.CheckConstraint(
                condition=~Q(asked_by=F("user")), name="staff_change_not_asked_for_oneself"
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None)
                | (~Q(decided_by=F("asked_by")) & ~Q(decided_by=F("user"))),
                name="staff_change_decided_by_another",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", decided_by=None, decided_at=None)
                | Q(
                    outcome__in=["confirmed", "refused"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="staff_change_is_decided_whole",
            ),
            models.UniqueConstraint(
                fields=["user"], condition=Q(outcome=""), name="staff_change_one_waits"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} for {self.user_id}"
