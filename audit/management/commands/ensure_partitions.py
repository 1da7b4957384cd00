"""python manage.py ensure_partitions [--months 24] [--database owner]"""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, ProgrammingError, connections

_MONTHS_SQL = """
SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month')::date
  FROM generate_series(0, %s::integer) n
"""


class Command(BaseCommand):
    """Give the log a partition for this month and each of the next."""

    help = "Make the log's partitions for the months to come, as the owner of the tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say how far ahead, and as whom."""
        parser.add_argument("--months", type=int, default=24, help="how many after this one")
        parser.add_argument("--database", default="owner", choices=list(connections))

    def handle(self, *args: Any, months: int, database: str, **options: Any) -> None:
        """Make what is missing, month by month, and say what was made."""
        with connections[database].cursor() as cursor:
            cursor.execute(_MONTHS_SQL, [months])
            wanted: list[date] = [month for (month,) in cursor.fetchall()]
            made = [f"{month:%Y-%m}" for month in wanted if _make(cursor, month)]
        self.stdout.write(f"made {', '.join(made)}" if made else "every month is there")


def _make(cursor: Any, month: date) -> bool:
    """Make a month's partition; return whether it was missing. Errors: CommandError."""
    try:
        cursor.execute("SELECT audit_make_partition(%s)", [month])
    except IntegrityError as error:
        raise CommandError(
            f"{month:%Y-%m} has entries already, kept in audit_entry_rest: a superuser must move"
            " them under maintenance first. Months before it are made."
        ) from error
    except ProgrammingError as error:
        raise CommandError(
            "Only the owner of the tables can make partitions: set DATABASE_OWNER_URL."
        ) from error
    return bool(cursor.fetchone()[0])
