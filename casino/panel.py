"""How the panel shows a table. A leaf that imports no app, for every app's admin.py."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, cast
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Func, Model, QuerySet, TextField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property

from casino import shown
from casino.looks import Looked

COUNTED_MAX = 1000

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList

    _ModelAdmin = admin.ModelAdmin[Model]
    _Paginator = Paginator[Model]
else:
    from unfold.admin import ModelAdmin as _ModelAdmin
    from unfold.views import ChangeList

    _Paginator = Paginator


class Pages(_Paginator):
    """Pages of the first 1,000 rows: nobody turns more, and counting them all reads them all."""

    @cached_property
    def count(self) -> int:
        """How many rows there are to turn over."""
        return cast(int, cast(Any, self.object_list)[:COUNTED_MAX].count())


class ReadOnly(Looked, _ModelAdmin):
    """A table to look at: what changes it is a service, never a form.

    `heading` stands above the list; fields and columns that are names are shown as their names
    ask for (casino/shown.py).
    """

    heading: ClassVar[Any] = ""
    search_help_text: ClassVar[Any] = ""
    actions = None
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_max_show_all = 0
    paginator = Pages

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Return the columns."""
        return [self._shown(name) for name in super().get_list_display(request)]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return what the page of a row tells, one below the other."""
        names = self.fields or [
            *(field.name for field in self.opts.fields if field.name not in (self.exclude or ())),
            *self.readonly_fields,
        ]
        return [self._shown(name) for name in names]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return the same: nothing is written here."""
        return self.get_fields(request, obj)

    def _shown(self, name: Any) -> Any:
        if callable(name):
            return name
        own = getattr(self, name, None)
        if own is None:
            return shown.column(name)
        if not hasattr(own, "short_description"):
            own.__func__.short_description = shown.label(name)
        return name

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the list under its heading."""
        more = {"heading": self.heading, "title": self.heading} | (extra_context or {})
        return super().changelist_view(request, more)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: Any = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Show a row, under the list that it is in."""
        listed = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        more = {"crumb": (listed, self.heading), "heading": self.heading, "title": self.heading}
        return super().changeform_view(request, object_id, form_url, more | (extra_context or {}))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds a row by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits a row by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted."""
        return False


class Large(ReadOnly):
    """A table of millions of rows: it is sorted one way, and searched by whole values alone.

    `search_fields` are columns of an index, tried in their order until one has rows.
    """

    list_per_page = 50
    sortable_by = ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows whose column is the term, and that none of them comes twice."""
        if not search_term.strip():
            return queryset, False
        found = queryset.none()
        for name in self.get_search_fields(request):
            try:
                value = self.opts.get_field(name).to_python(search_term.strip())  # type: ignore[union-attr]
            except ValidationError:
                continue
            found = queryset.filter(**{name: value})
            if found.exists():
                break
        return found, False


class _ByPlayer(ChangeList):
    def url_for_result(self, result: Any) -> str:
        return super().url_for_result(result).replace(str(result.pk), address_of(result))


class OfPlayers(Large):
    """A table whose key begins with the player: a row's address names him and the row."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return a list whose links are such addresses."""
        return _ByPlayer

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return the row of an address, or None; the row's own id will do, but takes longer."""
        player_id, _, own_id = object_id.rpartition(".")
        rows = self.get_queryset(request)
        try:
            if player_id:
                rows = rows.filter(player_id=UUID(player_id))
            return rows.filter(pk=UUID(own_id)).first()
        except ValueError:
            return None


def address_of(row: Any) -> str:
    """Return how the panel addresses a player's row."""
    return f"{row.player_id}.{row.pk}"


def one_of(column: str, values: Iterable[str], **also: str) -> type[admin.SimpleListFilter]:
    """Return a filter by values that are known: Django's own looks for them in every row.

    The value is written into the statement, so that an index of such rows alone can answer it;
    so is what is `also` true of them.
    """
    known = [str(value) for value in values]

    class OneOf(admin.SimpleListFilter):
        title = column.replace("_", " ")
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(value, value) for value in known]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            if value is None:
                return queryset
            if value not in known:
                return queryset.none()
            asked = also | {column: value}
            return queryset.filter(**{name: _literal(text) for name, text in asked.items()})

    return OneOf


def _literal(text: str) -> Func:
    return Func(template=f"'{text}'", output_field=TextField())
