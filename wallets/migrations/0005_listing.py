from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parent.parent / "sql" / "listing.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0004_search")]
    operations = [migrations.RunSQL(SQL.read_text())]
