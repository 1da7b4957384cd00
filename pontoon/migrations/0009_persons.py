from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "persons.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0008_listing")]
    operations = [migrations.RunSQL(SQL.read_text())]
