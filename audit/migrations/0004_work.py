from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "work.sql"


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_export")]
    operations = [
        migrations.CreateModel(
            name="Work",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("kind", models.TextField()),
                ("subject", models.TextField()),
                ("player_id", models.UUIDField()),
                ("state", models.TextField(default="waiting")),
                ("tries", models.IntegerField(default=0)),
                ("due_at", models.DateTimeField()),
                ("error", models.TextField(blank=True)),
                ("began_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "work",
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "subject"), name="audit_work_unit"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "dead"])),
                        name="audit_work_state_is_known",
                    ),
                ],
            },
        ),
        migrations.RunSQL(SQL.read_text()),
    ]
