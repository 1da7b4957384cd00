from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "decided.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0005_listing")]
    operations = [migrations.RunSQL(SQL.read_text())]
