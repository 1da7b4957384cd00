"""The staff in the panel: to look at. Users are made and unlocked by commands, on record.

Each may give himself a new password here, which is on record too.
"""

from typing import Any, ClassVar

import django.contrib.auth.admin  # noqa: F401  registers groups, before they are unregistered here
from django.contrib import admin
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.models import Group
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from casino.panel import ReadOnly
from casino.staff import services
from casino.staff.models import StaffUser

# Who may do what is decided by roles in the code, not by groups that the panel would edit.
admin.site.unregister(Group)


@admin.register(StaffUser)
class StaffUserAdmin(ReadOnly):
    """Who works here, and who is locked out."""

    list_display = ("username", "role", "is_active", "last_login", "locked_at")
    search_fields = ("username",)
    exclude: ClassVar = ["password"]


class PasswordForm(AdminPasswordChangeForm):
    """Django's form, saved by the service."""

    def save(self, commit: bool = True) -> Any:
        """Set the password; return the user who has it."""
        password = self.cleaned_data["new_password1"]
        user: Any = self.user
        self.user = services.set_password(user.urn, username=user.username, password=password)
        return self.user


@admin.site.admin_view
def change_password(request: HttpRequest) -> HttpResponseBase:
    """Let a user give himself a new password."""
    view = PasswordChangeView.as_view(
        form_class=PasswordForm,
        success_url=reverse("admin:password_change_done"),
        extra_context=admin.site.each_context(request),
    )
    return view(request)
