"""The door of the panel: password, second step, a password by a link, and one's own account."""

from typing import Any, cast
from uuid import UUID

import segno
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth import login, logout
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.requests import client_address
from casino.staff import second, services, sessions
from casino.staff.errors import LinkOverError
from casino.staff.guard import KEY, PANEL, SECOND, staff_session
from casino.staff.models import Device, RecoveryCode, StaffSession, StaffUser
from casino.staff.roles import GRANTS


class LogIn(LoginView):
    """The first step: a password opens a session to which the second step alone is open."""

    template_name = "staff/login.html"
    authentication_form = AdminAuthenticationForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or send on whom it would not help."""
        session = staff_session(request)
        if session is not None:
            return redirect(PANEL if session.verified_at else _with_next(SECOND, request))
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Open the session; the one that the browser had is over."""
        user = form.get_user()
        before = staff_session(self.request)
        if before is not None:
            sessions.end(before.user.urn, session=before, because="replaced")
        login(self.request, user)
        opened = sessions.open_session(
            user,
            address=client_address(self.request),
            agent=self.request.headers.get("User-Agent", ""),
        )
        self.request.session[KEY] = str(opened.id)
        return redirect(_with_next(SECOND, self.request))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add what every page of the panel is told."""
        context = super().get_context_data(**kwargs)
        return admin.site.each_context(self.request) | context | {"title": _("Log in")}


log_in = sensitive_post_parameters("password")(LogIn.as_view())


@never_cache
@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End the session, here and in the database."""
    session = staff_session(request)
    if session is not None:
        sessions.end(session.user.urn, session=session, because="logged_out")
    logout(request)
    return redirect("admin:login")


class CodeForm(forms.Form):
    """What a phone shows, or a recovery code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "text", "autofocus": True}
        ),
    )


@never_cache
@sensitive_post_parameters("code")
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for the code; of who has no phone yet, let him enrol one."""
    session = _session(request)
    if session.verified_at is not None:
        return redirect(PANEL)
    if not second.is_enrolled(session.user):
        return _enrol(request, session)
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        address = client_address(request)
        code = form.cleaned_data["code"]
        if whole := second.pass_by(session.user, session=session, code=code, address=address):
            _come_in(request, whole)
            return redirect(_next(request))
        if not StaffSession.objects.filter(id=session.id, ended_at=None).exists():
            logout(request)
            messages.error(request, _("This log-in is over. Somebody else has to unlock you."))
            return redirect("admin:login")
        form.add_error("code", _("This code is not right, or was used before."))
    return _door(request, "staff/code.html", form=form, title=_("Second step"))


def _come_in(request: HttpRequest, whole: StaffSession) -> None:
    """Give the browser the cookie of a log-in that is whole, and a new token for its forms."""
    request.session[KEY] = str(whole.id)
    setattr(request, KEY, whole)
    rotate_token(request)


def _enrol(request: HttpRequest, session: StaffSession) -> HttpResponse:
    """Show a new secret once, as a picture and as text, and take the phone's first code."""
    user = session.user
    form = CodeForm(request.POST or None)
    waits = Device.objects.filter(user=user, confirmed_at=None).exists()
    if request.method == "POST" and waits:
        address = client_address(request)
        codes = form.is_valid() and second.confirm(
            user, code=form.cleaned_data["code"], address=address
        )
        if codes:
            whole = second.verify_enrolled(user, session=session, address=address)
            if whole is not None:
                _come_in(request, whole)
            return _door(
                request, "staff/recovery.html", codes=codes, next=_next(request),
                title=_("Recovery codes"),
            )  # fmt: skip
        form.add_error("code", _("This code is not right. Is the phone's clock?"))
        secret = second.waiting_secret(user)
    else:
        secret = second.begin(user)
    return _door(
        request, "staff/enrol.html", form=form, secret=_spaced(secret),
        picture=_picture(second.uri(user, secret=secret)), title=_("Set up your phone"),
    )  # fmt: skip


def _picture(uri: str) -> SafeString:
    """Return a QR code as SVG that needs no style: a strict policy lets it through."""
    drawn = segno.make(uri, error="m").svg_inline(scale=4, border=3, light="#fff", dark="#000")
    return mark_safe(drawn)  # noqa: S308  segno's own drawing, without a word of anybody's


@never_cache
@sensitive_post_parameters()
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """Let whoever has a good link give himself his first password, or a new one."""
    user = services.user_of_link(token)
    if user is None:
        return _door(request, "staff/link_over.html", status=410, title=_("This link is over"))
    form: Any = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.use_link(token=token, password=form.cleaned_data["new_password1"])
        except LinkOverError:
            return _door(request, "staff/link_over.html", status=410, title=_("This link is over"))
        logout(request)
        messages.success(request, _("Your password is set. Log in with it."))
        return redirect("admin:login")
    return _door(
        request, "staff/welcome.html", form=form, username=user.username, title=_("Your password")
    )


class PasswordForm(AdminPasswordChangeForm):
    """Django's form: checked and saved by the services, which count a wrong old password."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        """Check it on record."""
        old: str = self.cleaned_data["old_password"]
        user = self.user
        if not services.is_password(user, password=old, address=client_address(self.request)):
            raise ValidationError(_("The old password is not right."))
        return old

    def save(self, commit: bool = True) -> Any:
        """Set the password; return the user who has it."""
        user = self.user
        self.user = services.set_password(
            user.urn,
            username=user.username,
            password=self.cleaned_data["new_password1"],
            session=_session(self.request),
        )
        return self.user


class ChangePassword(PasswordChangeView):
    """A new password of one's own; every other session is over then."""

    form_class = PasswordForm
    template_name = "staff/password.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        """Give the form the request, whose address it records."""
        return super().get_form_kwargs() | {"request": self.request}

    def get_success_url(self) -> str:
        """Go on to the account, which tells when it was changed."""
        messages.success(self.request, _("Your password is changed; your other log-ins are over."))
        return reverse("staff_account")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add what every page of the panel is told."""
        context = admin.site.each_context(self.request) | super().get_context_data(**kwargs)
        return context | {"title": _("Change password")}


change_password = admin.site.admin_view(
    sensitive_post_parameters()(ChangePassword.as_view()), cacheable=False
)


@admin.site.admin_view
def account(request: HttpRequest) -> HttpResponse:
    """Show one's own account: role, last access and address, password, sessions (OPR-01)."""
    here = _session(request)
    user = here.user
    past = StaffSession.objects.filter(user=user, verified_at__isnull=False).exclude(id=here.id)
    shown = {
        "title": _("My account"),
        "person": user,
        "acts": sorted(GRANTS.get(user.role, ())),
        "here": here,
        "before": past.first(),
        "sessions": sessions.open_of(user),
        "recovery_codes_left": RecoveryCode.objects.filter(user=user, used_at=None).count(),
    }
    return render(request, "staff/account.html", admin.site.each_context(request) | shown)


@require_POST
@admin.site.admin_view
def end_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """End one of one's own sessions."""
    sessions.end_own(cast(StaffUser, request.user), session_id=session_id)
    messages.success(request, _("The log-in is over."))
    return redirect("staff_account")


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that a page is not his who asks. Django's handler403; the guard records it."""
    context = admin.site.each_context(request) | {"title": _("Not allowed here")}
    return render(request, "staff/refused.html", context, status=403)


def _session(request: HttpRequest) -> StaffSession:
    session = staff_session(request)
    if session is None:
        raise Http404
    return session


def _door(request: HttpRequest, template: str, *, status: int = 200, **shown: Any) -> HttpResponse:
    context = admin.site.each_context(request) | {"has_permission": False} | shown
    return render(request, template, context, status=status)


def _with_next(where: str, request: HttpRequest) -> str:
    return f"{where}?{urlencode({'next': _next(request)})}"


def _next(request: HttpRequest) -> str:
    """Return where somebody wanted to go: within the panel, or its first page."""
    target = request.POST.get("next") or request.GET.get("next") or PANEL
    is_ours = url_has_allowed_host_and_scheme(
        target, allowed_hosts=None, require_https=request.is_secure()
    )
    return target if is_ours and target.startswith(PANEL) else PANEL


def _spaced(secret: str) -> str:
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
