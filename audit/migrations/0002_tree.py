from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "tree.sql"


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_entry")]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name="Leaf",
                    fields=[
                        ("index", models.BigIntegerField(primary_key=True, serialize=False)),
                        ("entry_id", models.UUIDField(unique=True)),
                        ("hash", models.BinaryField()),
                        ("cluster", models.BigIntegerField()),
                    ],
                    options={"verbose_name_plural": "leaves", "ordering": ["-index"]},
                ),
                migrations.CreateModel(
                    name="Checkpoint",
                    fields=[
                        ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                        ("root", models.BinaryField()),
                        ("at", models.DateTimeField()),
                        ("note", models.TextField()),
                    ],
                    options={"ordering": ["-size"]},
                ),
            ],
        ),
    ]
