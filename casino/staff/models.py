"""Who works the panel."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.utils import timezone


class StaffManager(BaseUserManager["StaffUser"]):
    """Makes staff users, as Django's commands and our own ask for them."""

    def create_user(
        self, username: str, password: str | None = None, *, is_superuser: bool = False
    ) -> "StaffUser":
        """Make a user; without a password he cannot log in yet."""
        user = self.model(username=username, is_superuser=is_superuser)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, password: str | None = None) -> "StaffUser":
        """Make a user who may see all."""
        return self.create_user(username, password, is_superuser=True)


class StaffUser(AbstractBaseUser, PermissionsMixin):
    """A person of the operator's staff, and never a player.

    `failures` counts the log-ins refused in a row since `failing_since`; the third within thirty
    minutes sets `locked_at`, and then no password opens until somebody unlocks.
    """

    username = models.CharField(max_length=64, unique=True, validators=[UnicodeUsernameValidator()])
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    failures = models.PositiveSmallIntegerField(default=0, editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)
    locked_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = StaffManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar = []

    class Meta:
        """By name, as people look for each other."""

        ordering: ClassVar = ["username"]
        verbose_name = "staff user"

    def __str__(self) -> str:
        return self.username
