from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "told.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0006_decided"), ("audit", "0007_told")]
    operations = [migrations.RunSQL(SQL.read_text())]
