from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "reports.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0001_ledger")]
    operations = [migrations.RunSQL(SQL.read_text())]
