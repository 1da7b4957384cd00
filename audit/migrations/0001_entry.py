from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "entry.sql"


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        ("id", models.UUIDField(primary_key=True, serialize=False)),
                        ("player_id", models.UUIDField()),
                        ("event", models.TextField()),
                        ("subject", models.TextField()),
                        ("actor", models.TextField()),
                        ("at", models.DateTimeField()),
                        ("body", models.TextField()),
                        ("leaf_hash", models.BinaryField()),
                    ],
                    options={
                        "verbose_name_plural": "entries",
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["player_id", "id"], name="audit_entry_player"),
                            models.Index(fields=["subject", "id"], name="audit_entry_subject"),
                        ],
                    },
                ),
            ],
        ),
    ]
