from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "adjustments.sql"


class Migration(migrations.Migration):
    dependencies = [("wallets", "0002_reports")]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name="Adjusting",
                    fields=[
                        ("id", models.UUIDField(primary_key=True, serialize=False)),
                        ("player_id", models.UUIDField()),
                        ("kind", models.TextField()),
                        ("amount_minor", models.BigIntegerField()),
                        ("currency", models.CharField(max_length=3)),
                        ("reason", models.TextField()),
                        ("round_id", models.UUIDField(null=True)),
                        ("raised_by", models.TextField()),
                        ("raised_at", models.DateTimeField()),
                        ("state", models.TextField()),
                        ("decided_by", models.TextField(null=True)),
                        ("decided_at", models.DateTimeField(null=True)),
                        ("decision_reason", models.TextField(null=True)),
                    ],
                    options={
                        "verbose_name": "adjustment",
                        "db_table": "wallets_adjusting",
                        "ordering": ["-raised_at", "-id"],
                        "managed": False,
                    },
                ),
            ],
        ),
    ]
