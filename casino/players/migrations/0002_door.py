from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "door.sql"


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial"), ("audit", "0001_entry")]
    operations = [migrations.RunSQL(SQL.read_text())]
