from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "suspension.sql"


class Migration(migrations.Migration):
    dependencies = [("pontoon", "0004_wins")]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name='Malfunction',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('scope', models.JSONField()),
                        ('cause', models.TextField()),
                        ('evidence', models.JSONField()),
                        ('fault_key', models.TextField(null=True)),
                        ('raised_by', models.TextField()),
                        ('raised_at', models.DateTimeField()),
                        ('state', models.TextField()),
                        ('state_at', models.DateTimeField()),
                        ('act_count', models.IntegerField()),
                        ('seen_player_id', models.UUIDField(null=True)),
                        ('seen_round_id', models.UUIDField(null=True)),
                    ],
                    options={
                        'ordering': ['-id'],
                    },
                ),
                migrations.CreateModel(
                    name='MalfunctionAct',
                    fields=[
                        ('pk', models.CompositePrimaryKey('malfunction_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('malfunction_id', models.UUIDField()),
                        ('number', models.IntegerField()),
                        ('state', models.TextField()),
                        ('actor', models.TextField()),
                        ('at', models.DateTimeField()),
                        ('facts', models.JSONField()),
                    ],
                    options={
                        'ordering': ['malfunction_id', 'number'],
                    },
                ),
                migrations.CreateModel(
                    name='MalfunctionRound',
                    fields=[
                        ('pk', models.CompositePrimaryKey('malfunction_id', 'slice', 'player_id', 'round_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('malfunction_id', models.UUIDField()),
                        ('slice', models.SmallIntegerField()),
                        ('player_id', models.UUIDField()),
                        ('round_id', models.UUIDField()),
                        ('currency', models.CharField(max_length=3)),
                        ('state', models.TextField()),
                        ('wagered_minor', models.BigIntegerField()),
                        ('payout_minor', models.BigIntegerField()),
                    ],
                    options={
                        'ordering': ['malfunction_id', 'slice', 'player_id', 'round_id'],
                    },
                ),
                migrations.CreateModel(
                    name='Notice',
                    fields=[
                        ('pk', models.CompositePrimaryKey('player_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('id', models.UUIDField()),
                        ('kind', models.TextField()),
                        ('round_id', models.UUIDField()),
                        ('malfunction_id', models.UUIDField(null=True)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['-id'],
                    },
                ),
                migrations.CreateModel(
                    name='Suspension',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('number', models.BigIntegerField()),
                        ('scope', models.JSONField()),
                        ('player_id', models.UUIDField(null=True)),
                        ('malfunction_id', models.UUIDField(null=True)),
                        ('reason', models.TextField()),
                        ('raised_by', models.TextField()),
                        ('raised_at', models.DateTimeField()),
                        ('lifted_by', models.TextField(null=True)),
                        ('lifted_at', models.DateTimeField(null=True)),
                        ('lift_reason', models.TextField(null=True)),
                    ],
                    options={
                        'ordering': ['-id'],
                    },
                ),
            ],
        ),
    ]
