from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "tally.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0005_suspension")]
    operations = [migrations.RunSQL(SQL.read_text())]
