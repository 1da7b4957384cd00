from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "refusals.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0009_persons"), ("audit", "0007_told")]
    operations = [migrations.RunSQL(SQL.read_text())]
