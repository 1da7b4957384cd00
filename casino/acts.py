"""The panel's buttons: a deed asks who may do it, calls one service, and says what came of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from audit.errors import HouseError, StaleReadError
from casino.codes import CODES
from casino.panel import ReadOnly
from casino.reasons import REASON_MAX
from casino.staff.roles import Act, may, require


class NoForm(forms.Form):
    """Nothing to say."""


class ReasonForm(forms.Form):
    """Why: it is on record."""

    reason = forms.CharField(
        label=_("Reason"), max_length=REASON_MAX, widget=forms.Textarea(attrs={"rows": 2})
    )


@dataclass(frozen=True)
class Deed:
    """A button: `do` is called with the actor, the row and what the form told.

    It is shown for rows of which `applies` is true; the service has the last word.
    """

    name: str
    title: Any
    act: Act
    do: Callable[[str, Any, dict[str, Any]], object]
    done: Any
    form: type[forms.Form] = ReasonForm
    applies: Callable[[Any, str], bool] = field(default=lambda row, actor: True)
    is_grave: bool = False
    initial: Callable[[Any], dict[str, Any]] = field(default=lambda row: {})


def buttons(
    request: HttpRequest,
    deeds: tuple[Deed, ...],
    row: Any,
    address: Callable[[str], str],
    filled: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the buttons that the reader may press, each with its form and its address.

    What is `filled` in for one, by its name, stands in its form, which is open then.
    """
    return [
        {
            "title": deed.title,
            "form": deed.form(
                auto_id=f"id_{deed.name}_%s",
                initial=deed.initial(row) | dict(filled.get(deed.name, {})),
            ),
            "action": address(deed.name),
            "is_grave": deed.is_grave,
            "is_open": deed.name in filled,
        }
        for deed in deeds
        if may(request.user, deed.act) and deed.applies(row, urn(request))
    ]


def perform(
    request: HttpRequest, deeds: tuple[Deed, ...], name: str, row: Any, back: str
) -> HttpResponse:
    """Do a deed by its name, and go back to the page that shows what came of it."""
    deed = require_deed(request, deeds, name)
    form = deed.form(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(_faults(form)))
        return redirect(back)
    try:
        deed.do(urn(request), row, form.cleaned_data)
    except StaleReadError:
        messages.error(request, gettext("Somebody else was faster: look again."))
    except HouseError as error:
        messages.error(request, words(error))
    else:
        messages.success(request, deed.done)
    return redirect(back)


def require_deed(request: HttpRequest, deeds: tuple[Deed, ...], name: str) -> Deed:
    """Return a deed that is the reader's to do, before any row is looked for."""
    deed = next((one for one in deeds if one.name == name), None)
    if deed is None and not any(may(request.user, one.act) for one in deeds):
        raise PermissionDenied
    if deed is None:
        raise Http404
    require(request.user, deed.act)
    return deed


def urn(request: HttpRequest) -> str:
    """Name who asks as an actor of the log."""
    return str(cast(Any, request.user).urn)


def words(error: HouseError) -> str:
    """Return what an error says in the reader's language, and of which fields."""
    told = str(CODES[error.code].detail)
    fields = error.facts.get("fields") if isinstance(error.facts, dict) else None
    if not isinstance(fields, dict):
        return told
    return f"{told} ({'; '.join(f'{name}: {faults}' for name, faults in fields.items())})"


def _faults(form: forms.Form) -> list[str]:
    return [str(fault) for faults in form.errors.values() for fault in faults]


class Acting(ReadOnly):
    """A table whose rows have buttons. The list may have some too, of which no row is asked."""

    deeds: ClassVar[tuple[Deed, ...]] = ()
    list_deeds: ClassVar[tuple[Deed, ...]] = ()
    change_form_template = "panel/acting.html"
    change_list_template = "panel/acting_list.html"

    def get_urls(self) -> list[Any]:
        """Add where buttons lead."""
        view, named = self.admin_site.admin_view, f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("do/<slug:deed>/", view(require_POST(self.do_of_all)), name=f"{named}_do_of_all"),
            path(
                "<str:object_id>/do/<slug:deed>/", view(require_POST(self.do)), name=f"{named}_do"
            ),
            *super().get_urls(),
        ]

    def do(self, request: HttpRequest, object_id: str, deed: str) -> HttpResponse:
        """Do something with a row."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        require_deed(request, self.deeds, deed)
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return perform(request, self.deeds, deed, row, self._at("change", object_id))

    def do_of_all(self, request: HttpRequest, deed: str) -> HttpResponse:
        """Do something that makes a row."""
        return perform(request, self.list_deeds, deed, None, self._at("changelist"))

    def _at(self, page: str, *arguments: str) -> str:
        named = f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}"
        return reverse(named, args=arguments)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the list with its buttons."""
        shown = buttons(request, self.list_deeds, None, lambda name: self._at("do_of_all", name))
        return super().changelist_view(request, {"buttons": shown} | (extra_context or {}))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Show a row with its buttons."""
        row = self.get_object(request, object_id or "")
        more: dict[str, Any] = {} if row is None else self.told(request, row)
        if row is not None:
            more["buttons"] = buttons(
                request, self.deeds, row, lambda name: self._at("do", str(object_id), name)
            )
        return super().changeform_view(request, object_id, form_url, more | (extra_context or {}))

    def told(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return what the page of a row tells beside its fields: `sections`, titled."""
        return {"sections": []}
