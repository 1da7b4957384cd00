"""Who works the panel."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from casino.staff.rights import RightsByRole
from casino.staff.roles import Role


class StaffManager(BaseUserManager["StaffUser"]):
    """Makes staff users, for `services`, which records it."""

    def create_user(
        self, username: str, password: str | None = None, *, role: str = ""
    ) -> "StaffUser":
        """Make a user; without a password he cannot log in yet, without a role he may nothing."""
        user = self.model(username=username, role=role)
        user.set_password(password)
        user.save(using=self._db)
        return user


class StaffUser(RightsByRole, AbstractBaseUser):
    """A person of the operator's staff, never a player and never shared by two people.

    What he may do, his role says and nothing else: none of the staff is a superuser.
    `failed_at` holds when log-ins were refused since the last that was not; `locked_at` is set
    by the third within half an hour, and then no password opens until somebody unlocks. There is
    no mail address and no real name: who a username is, the operator knows.
    """

    username = models.CharField(max_length=64, unique=True, validators=[UnicodeUsernameValidator()])
    role = models.CharField(
        max_length=16,
        blank=True,
        default="",
        choices=[(role.value, role.value) for role in Role],
        editable=False,
    )
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    failed_at = ArrayField(models.DateTimeField(), default=list, editable=False)
    locked_at = models.DateTimeField(null=True, editable=False)

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
            models.CheckConstraint(
                condition=Q(role__in=["", *(role.value for role in Role)]), name="staff_role_known"
            )
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def urn(self) -> str:
        """Name him as an actor and a subject of the log."""
        return f"staff:{self.pk}"
