from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "links.sql"


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_webhooks")]
    operations = [
        migrations.AddField("checkpoint", "link", models.TextField(default="")),
        migrations.RunSQL(SQL.read_text()),
    ]
