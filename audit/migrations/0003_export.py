from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_tree")]
    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("requested_by", models.TextField()),
                ("requested_at", models.DateTimeField()),
                ("asked", models.JSONField()),
                ("state", models.TextField(default="waiting")),
                ("progress_percent", models.IntegerField(default=0)),
                ("cursor", models.JSONField(default=dict)),
                ("fault", models.TextField(blank=True)),
                ("fault_count", models.IntegerField(default=0)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-requested_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(state__in=["waiting", "running"]),
                        fields=["requested_at"],
                        name="audit_export_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(state__in=["waiting", "running", "done", "failed"]),
                        name="audit_export_state_is_known",
                    )
                ],
            },
        ),
    ]
