"""Who works the panel."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone


class StaffManager(BaseUserManager["StaffUser"]):
    """Makes staff users, for `services`, which records it."""

    def create_user(
        self, username: str, password: str | None = None, *, is_superuser: bool = False
    ) -> "StaffUser":
        """Make a user; without a password he cannot log in yet."""
        user = self.model(username=username, is_superuser=is_superuser)
        user.set_password(password)
        user.save(using=self._db)
        return user


class StaffUser(AbstractBaseUser, PermissionsMixin):
    """A person of the operator's staff, never a player and never shared by two people.

    `failed_at` holds when log-ins were refused since the last that was not; `locked_at` is set
    by the third within half an hour, and then no password opens until somebody unlocks. There is
    no mail address and no real name: who a username is, the operator knows.
    """

    username = models.CharField(max_length=64, unique=True, validators=[UnicodeUsernameValidator()])
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    failed_at = ArrayField(models.DateTimeField(), default=list, editable=False)
    locked_at = models.DateTimeField(null=True, editable=False)

    # Each may open the panel; what he finds in it, his permissions say.
    is_staff: ClassVar = True

    objects: ClassVar = StaffManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar = []

    class Meta:
        """By name, as people look for each other."""

        ordering: ClassVar = ["username"]
        verbose_name = "staff user"

    def __str__(self) -> str:
        return self.username

    @property
    def urn(self) -> str:
        """Name him as an actor and a subject of the log."""
        return f"staff:{self.pk}"
