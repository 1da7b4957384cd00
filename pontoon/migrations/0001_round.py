from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "round.sql"


class Migration(migrations.Migration):
    initial = True
    dependencies = [('wallets', '0001_ledger'), ('players', '0002_door')]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name='Told',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('game', models.TextField()),
                        ('rules', models.TextField()),
                        ('currency', models.CharField(max_length=3)),
                        ('stake_minor', models.BigIntegerField()),
                        ('seed_number', models.BigIntegerField()),
                        ('client_seed', models.TextField()),
                        ('session_id', models.UUIDField()),
                        ('profile', models.TextField()),
                        ('build', models.TextField()),
                        ('opened_at', models.DateTimeField()),
                        ('balance_before_minor', models.BigIntegerField()),
                        ('state', models.TextField()),
                        ('held_reason', models.TextField(null=True)),
                        ('action_count', models.IntegerField()),
                        ('wagered_minor', models.BigIntegerField()),
                        ('payout_minor', models.BigIntegerField(null=True)),
                        ('balance_after_minor', models.BigIntegerField(null=True)),
                        ('last_action_at', models.DateTimeField()),
                        ('settled_at', models.DateTimeField(null=True)),
                        ('commitment', models.TextField()),
                        ('sealed', models.TextField()),
                        ('actions', models.JSONField()),
                        ('next_commitment', models.TextField(null=True)),
                    ],
                    options={
                        'db_table': 'pontoon_told',
                        'ordering': ['-opened_at', '-id'],
                        'abstract': False,
                        'managed': False,
                    },
                ),
                migrations.CreateModel(
                    name='Round',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('game', models.TextField()),
                        ('rules', models.TextField()),
                        ('currency', models.CharField(max_length=3)),
                        ('stake_minor', models.BigIntegerField()),
                        ('seed_number', models.BigIntegerField()),
                        ('client_seed', models.TextField()),
                        ('session_id', models.UUIDField()),
                        ('profile', models.TextField()),
                        ('build', models.TextField()),
                        ('opened_at', models.DateTimeField()),
                        ('balance_before_minor', models.BigIntegerField()),
                        ('state', models.TextField()),
                        ('held_reason', models.TextField(null=True)),
                        ('action_count', models.IntegerField()),
                        ('wagered_minor', models.BigIntegerField()),
                        ('payout_minor', models.BigIntegerField(null=True)),
                        ('balance_after_minor', models.BigIntegerField(null=True)),
                        ('last_action_at', models.DateTimeField()),
                        ('settled_at', models.DateTimeField(null=True)),
                    ],
                    options={
                        'ordering': ['-opened_at', '-id'],
                        'abstract': False,
                    },
                ),
            ],
        ),
    ]
