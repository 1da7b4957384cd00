from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "reports.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0001_round")]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name="ReturnWatch",
                    fields=[
                        ("id", models.TextField(primary_key=True, serialize=False)),
                        ("rules", models.TextField()),
                        ("currency", models.CharField(max_length=3)),
                        ("until", models.DateTimeField()),
                        ("round_count", models.BigIntegerField()),
                        ("stake_minor", models.DecimalField(decimal_places=0, max_digits=40)),
                        ("net_minor", models.DecimalField(decimal_places=0, max_digits=40)),
                        ("stake_minor_square", models.DecimalField(decimal_places=0, max_digits=60)),
                        ("state", models.TextField()),
                        ("changed_at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name_plural": "return watches",
                        "ordering": ["rules", "currency"],
                    },
                ),
            ],
        ),
    ]
