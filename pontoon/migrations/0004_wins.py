from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "wins.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0003_reality_check"), ("players", "0004_device")]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name="Verification",
                    fields=[
                        ("id", models.UUIDField(primary_key=True, serialize=False)),
                        ("player_id", models.UUIDField()),
                        ("currency", models.CharField(max_length=3)),
                        ("rules", models.TextField()),
                        ("profile", models.TextField()),
                        ("wagered_minor", models.BigIntegerField()),
                        ("payout_minor", models.BigIntegerField()),
                        ("settled_at", models.DateTimeField()),
                        ("number", models.IntegerField()),
                        ("checked_at", models.DateTimeField(null=True)),
                        ("agrees", models.BooleanField(null=True)),
                        ("content", models.JSONField(null=True)),
                        ("verdict", models.TextField(null=True)),
                        ("actor", models.TextField(null=True)),
                        ("reason", models.TextField(null=True)),
                        ("decided_at", models.DateTimeField(null=True)),
                        ("level", models.IntegerField(null=True)),
                        ("state", models.TextField()),
                    ],
                    options={
                        "db_table": "pontoon_verification",
                        "ordering": ["-settled_at", "-id"],
                        "managed": False,
                    },
                ),
            ],
        ),
    ]
