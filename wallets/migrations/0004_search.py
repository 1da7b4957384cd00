from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "search.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0003_adjustments")]
    operations = [migrations.RunSQL(SQL.read_text())]
