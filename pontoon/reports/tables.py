"""A report as data, and as JSON, CSV and XLSX."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Literal

import xlsxwriter
from django.conf import settings
from django.utils.translation import gettext_noop as _

from audit.export.files import cell
from pontoon.reports.asked import Asked, Row

NO_ACTIVITY = "No activity"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in JSON, and what people read above it."""

    name: str
    label: str
    kind: Literal["text", "whole", "minor", "percent", "time"] = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under one heading."""

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its header's facts, and its tables. `variance_minor` is None where no money is
    reckoned twice.
    """

    name: str
    title: str
    asked: Asked
    tables: tuple[Table, ...]
    variance_minor: int | None = None

    @property
    def notice(self) -> str | None:
        """What to say when there is nothing to show."""
        return None if any(table.rows for table in self.tables) else NO_ACTIVITY

    @property
    def header(self) -> list[tuple[str, str]]:
        """What stands above every report (REP-01), label and value."""
        asked = self.asked
        lines = [
            (_("Operator"), settings.OPERATOR_NAME),
            (_("Report"), self.title),
            (_("From"), asked.begin.astimezone(asked.span.zone).isoformat()),
            (_("To"), asked.end.astimezone(asked.span.zone).isoformat()),
            (_("Time zone"), asked.span.zone.key),
            (_("Currency"), asked.currency or "all"),
            (_("Generated at"), asked.generated_at.isoformat(timespec="seconds")),
        ]
        if self.variance_minor is not None:
            lines.append((_("Variance in minor units"), str(self.variance_minor)))
        return lines + ([(_("Notice"), self.notice)] if self.notice else [])


def as_json(report: Report) -> dict[str, Any]:
    """Return a report for machines."""
    asked = report.asked
    return {
        "report": report.name,
        "title": report.title,
        "operator": settings.OPERATOR_NAME,
        "from": asked.begin.isoformat(),
        "to": asked.end.isoformat(),
        "tz": asked.span.zone.key,
        "currency": asked.currency,
        "generated_at": asked.generated_at.isoformat(timespec="microseconds"),
        "notice": report.notice,
        "variance_minor": report.variance_minor,
        "tables": [
            {
                "title": table.title,
                "columns": [
                    {"name": column.name, "label": column.label, "kind": column.kind}
                    for column in table.columns
                ],
                "rows": list(table.rows),
            }
            for table in report.tables
        ],
    }


def as_csv(report: Report) -> bytes:
    """Return a report as CSV: the header's lines, then each table under its title."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerows([cell(label), cell(value)] for label, value in report.header)
    for table in report.tables:
        writer.writerows([[], [cell(table.title)], [column.label for column in table.columns]])
        writer.writerows(
            [cell(row.get(column.name)) for column in table.columns] for row in table.rows
        )
    return text.getvalue().encode()


def as_xlsx(report: Report) -> bytes:
    """Return a report as a workbook: a sheet with the header, and one for each table."""
    target = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(target, options) as book:
        bold = book.add_format({"bold": True})
        sheet = book.add_worksheet("Report")
        for line, (label, value) in enumerate(report.header):
            sheet.write_string(line, 0, label, bold)
            sheet.write_string(line, 1, value)
        sheet.set_column(0, 1, 32)
        for table in report.tables:
            _add_sheet(book, table, bold)
    return target.getvalue()


def _add_sheet(book: Any, table: Table, bold: Any) -> None:
    sheet = book.add_worksheet(table.title[:31])
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(table.columns) - 1, 18)
    for place, column in enumerate(table.columns):
        sheet.write_string(0, place, column.label, bold)
        for line, row in enumerate(table.rows, 1):
            value = row.get(column.name)
            if isinstance(value, int):
                sheet.write_number(line, place, value)
            elif value is not None:
                sheet.write_string(line, place, str(value))


FORMATS = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
}
