from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "voids.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0006_tally")]
    operations = [migrations.RunSQL(SQL.read_text())]
