from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "reality.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0002_reports"), ("players", "0003_reality_check")]
    operations = [migrations.RunSQL(SQL.read_text())]
