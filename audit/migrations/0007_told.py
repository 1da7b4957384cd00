from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "told.sql"


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_links")]
    operations = [migrations.RunSQL(SQL.read_text())]
