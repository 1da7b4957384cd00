"""How the panel shows a table. A leaf that imports no app, for every app's admin.py."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Func, Model, QuerySet, TextField
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from casino.looks import Looked

COUNTED_MAX = 1000

admin.site.site_header = admin.site.site_title = "Pontoon"
admin.site.site_url = None

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Model]
    _Paginator = Paginator[Model]
else:
    _ModelAdmin = admin.ModelAdmin
    _Paginator = Paginator


class Pages(_Paginator):
    """Pages of the first 1,000 rows: nobody turns more, and counting them all reads them all."""

    @cached_property
    def count(self) -> int:
        """How many rows there are to turn over."""
        return cast(int, cast(Any, self.object_list)[:COUNTED_MAX].count())


class ReadOnly(Looked, _ModelAdmin):
    """A table to look at: what changes it is a service, never a form."""

    actions = None
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_max_show_all = 0
    paginator = Pages

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


def one_of(column: str, values: Iterable[str]) -> type[admin.SimpleListFilter]:
    """Return a filter by values that are known: Django's own looks for them in every row.

    The value is written into the statement, so that an index of such rows alone can answer it.
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
            literal = Func(template=f"'{value}'", output_field=TextField())
            return queryset.filter(**{column: literal})

    return OneOf


def as_table(rows: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return rows of the same members as a table."""
    rows = list(rows)
    if not rows:
        return SafeString("–")
    head = _cells("th", [name.replace("_", " ") for name in rows[0]])
    lines = format_html_join("", "<tr>{}</tr>", ((_cells("td", row.values()),) for row in rows))
    return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, lines)


def _cells(tag: str, values: Iterable[Any]) -> SafeString:
    return format_html_join("", f"<{tag}>{{}}</{tag}>", ((_text(value),) for value in values))


def _text(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "–" if value is None else value
