"""The staff in the panel: who works here, and the acts of who manages them. Services do them all.

No form here saves anything. A role takes two persons, and nobody touches his own.
"""

from collections.abc import Callable
from typing import Any, cast

import django.contrib.auth.admin  # noqa: F401  registers groups, before they are unregistered here
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from audit.errors import HouseError
from casino.codes import CODES
from casino.panel import ReadOnly
from casino.reasons import REASON_MAX
from casino.staff import changes, second, services, sessions
from casino.staff.models import RoleChange, StaffUser
from casino.staff.roles import GRANTS, Act, Role, may, require

# Who may do what is decided by roles in the code, not by groups that the panel would edit.
admin.site.unregister(Group)

CHANGES_SHOWN = 50


class HireForm(forms.Form):
    """A new person of the staff: a name, and the role that somebody else has to confirm."""

    username = forms.CharField(
        label=gettext_lazy("User name"), max_length=64, validators=[UnicodeUsernameValidator()]
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[(role.value, role.value) for role in Role]
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


class RoleForm(forms.Form):
    """Another role for somebody, and why."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[(role.value, role.value) for role in Role]
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)


@admin.register(StaffUser)
class StaffUserAdmin(ReadOnly):
    """Who works here, in which role, and who is locked out."""

    heading = gettext_lazy("Staff")
    list_display = (
        "username", "role", "is_active", "last_access_at", "last_address", "password_changed_at",
        "locked_at",
    )  # fmt: skip
    search_fields = ("username",)
    fields = (
        "username", "role", "is_active", "joined_at", "last_access_at", "last_address",
        "password_changed_at", "locked_at",
    )  # fmt: skip
    readonly_fields = fields
    change_list_template = "staff/people.html"
    change_form_template = "staff/person.html"

    def get_urls(self) -> list[Any]:
        """Add the acts of who manages the staff."""
        act = "<int:person_id>"
        return [
            self._act("hire/", self.hire, "hire"),
            self._act("changes/<int:change_id>/decide/", self.decide, "decide"),
            self._act(f"{act}/role/", self.ask_role, "ask_role"),
            self._act(f"{act}/link/", self.make_link, "make_link"),
            self._act(f"{act}/deactivate/", self.deactivate, "deactivate"),
            self._act(f"{act}/unlock/", self.unlock, "unlock"),
            self._act(f"{act}/device/", self.reset_device, "reset_device"),
            *super().get_urls(),
        ]

    def _act(self, route: str, view: Callable[..., HttpResponse], name: str) -> Any:
        def guarded(request: HttpRequest, **ids: int) -> HttpResponse:
            require(request.user, Act.MANAGE_STAFF)
            return require_POST(view)(request, **ids)

        return path(route, self.admin_site.admin_view(guarded), name=f"staff_{name}")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show who there is, and which roles wait for a second person."""
        more = {
            "manages": may(request.user, Act.MANAGE_STAFF),
            "hire_form": HireForm(),
            "waiting": RoleChange.objects.filter(outcome="").select_related("user", "asked_by"),
            "decided": RoleChange.objects.exclude(outcome="").select_related(
                "user", "asked_by", "decided_by"
            )[:CHANGES_SHOWN],
        }
        return super().changelist_view(request, more | (extra_context or {}))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Show a person, his acts and log-ins, and what may be done about them."""
        person = cast("StaffUser | None", self.get_object(request, object_id or ""))
        more: dict[str, Any] = {}
        if person is not None:
            more = {
                "person": person,
                "acts": sorted(GRANTS.get(person.role, ())),
                "manages": may(request.user, Act.MANAGE_STAFF) and person.pk != request.user.pk,
                "is_enrolled": second.is_enrolled(person),
                "sessions": sessions.open_of(person),
                "role_form": RoleForm(initial={"role": person.role}),
                "reason_form": ReasonForm(),
            }
        return super().changeform_view(request, object_id, form_url, more | (extra_context or {}))

    def hire(self, request: HttpRequest) -> HttpResponse:
        """Make a user without a role, ask for his role, and show the link to his first password."""
        form = HireForm(request.POST)
        if not form.is_valid():
            return self._back(request, _first_fault(form))
        told = form.cleaned_data
        try:
            services.create_user(_me(request).urn, username=told["username"])
            changes.ask(
                _me(request), username=told["username"], role=Role(told["role"]),
                reason=told["reason"],
            )  # fmt: skip
        except HouseError as error:
            return self._back(request, _words(error))
        return self._show_link(request, told["username"])

    def make_link(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Show a link with which somebody gives himself a new password."""
        return self._show_link(request, _person(person_id).username)

    def ask_role(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Ask for another role for somebody."""
        form = RoleForm(request.POST)
        if not form.is_valid():
            return self._back(request, _first_fault(form), person_id)
        told = form.cleaned_data
        return self._do(
            request,
            _("Asked. Another person has to confirm it."),
            lambda: changes.ask(
                _me(request), username=_person(person_id).username, role=Role(told["role"]),
                reason=told["reason"],
            ),
            person_id,
        )  # fmt: skip

    def decide(self, request: HttpRequest, change_id: int) -> HttpResponse:
        """Confirm or refuse a role that somebody else has asked for."""
        is_confirmed = request.POST.get("decision") == "confirm"
        return self._do(
            request,
            _("The role is given.") if is_confirmed else _("The role is refused."),
            lambda: changes.decide(_me(request), change_id=change_id, is_confirmed=is_confirmed),
        )

    def deactivate(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Shut somebody out at once."""
        form = ReasonForm(request.POST)
        if not form.is_valid():
            return self._back(request, _first_fault(form), person_id)
        return self._do(
            request,
            _("He is shut out."),
            lambda: services.deactivate(
                _me(request).urn, username=_person(person_id).username,
                reason=form.cleaned_data["reason"],
            ),
            person_id,
        )  # fmt: skip

    def unlock(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Let somebody try again whom three failures locked out."""
        return self._do(
            request,
            _("He may log in again."),
            lambda: services.unlock(_me(request).urn, username=_person(person_id).username),
            person_id,
        )

    def reset_device(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Take a lost phone off somebody."""
        return self._do(
            request,
            _("The phone is taken off. He sets up another at his next log-in."),
            lambda: second.reset(_me(request).urn, username=_person(person_id).username),
            person_id,
        )

    def _do(
        self, request: HttpRequest, done: str, act: Callable[[], Any], person_id: int | None = None
    ) -> HttpResponse:
        try:
            act()
        except HouseError as error:
            return self._back(request, _words(error), person_id)
        messages.success(request, done)
        return redirect(_page(person_id))

    def _back(self, request: HttpRequest, fault: str, person_id: int | None = None) -> HttpResponse:
        messages.error(request, fault)
        return redirect(_page(person_id))

    def _show_link(self, request: HttpRequest, username: str) -> HttpResponse:
        try:
            token = services.make_link(_me(request).urn, username=username)
        except HouseError as error:
            return self._back(request, _words(error))
        shown = {
            "title": _("A link for %(username)s") % {"username": username},
            "link": request.build_absolute_uri(reverse("staff_welcome", args=[token])),
            "hours": int(services.LINK_FOR.total_seconds() // 3600),
        }
        return render(request, "staff/link.html", self.admin_site.each_context(request) | shown)


def _me(request: HttpRequest) -> StaffUser:
    return cast(StaffUser, request.user)


def _person(person_id: int) -> StaffUser:
    person = StaffUser.objects.filter(pk=person_id).first()
    if person is None:
        raise Http404
    return person


def _page(person_id: int | None) -> str:
    if person_id is None:
        return reverse("admin:staff_staffuser_changelist")
    return reverse("admin:staff_staffuser_change", args=[person_id])


def _words(error: HouseError) -> str:
    return str(CODES[error.code].detail)


def _first_fault(form: forms.Form) -> str:
    return " ".join(str(fault) for faults in form.errors.values() for fault in faults)
