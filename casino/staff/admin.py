"""The staff in the panel: to look at. Users are made and unlocked by commands, on record."""

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.models import Group

from casino.panel import ReadOnly
from casino.staff.models import StaffUser

# Who may do what is decided by roles in the code, not by groups that the panel would edit.
admin.site.unregister(Group)


@admin.register(StaffUser)
class StaffUserAdmin(ReadOnly):
    """Who works here, and who is locked out."""

    list_display = ("username", "is_active", "is_superuser", "last_login", "locked_at")
    search_fields = ("username",)
    exclude: ClassVar = ["password"]
