from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "ledger.sql"


class Migration(migrations.Migration):
    initial = True
    dependencies = [('audit', '0001_entry'), ('players', '0002_door')]
    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            state_operations=[
                migrations.CreateModel(
                    name='Account',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('kind', models.TextField()),
                        ('currency', models.CharField(max_length=3)),
                        ('balance_minor', models.BigIntegerField(null=True)),
                        ('version', models.BigIntegerField(default=0)),
                        ('last_at', models.DateTimeField()),
                        ('limit_count', models.BigIntegerField(default=0)),
                    ],
                    options={
                        'ordering': ['player_id', 'kind'],
                    },
                ),
                migrations.CreateModel(
                    name='Limit',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('kind', models.TextField()),
                        ('period', models.TextField()),
                        ('set_by', models.TextField()),
                        ('amount_minor', models.BigIntegerField(null=True)),
                        ('currency', models.CharField(max_length=3)),
                        ('at', models.DateTimeField()),
                        ('effective_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['-at'],
                    },
                ),
                migrations.CreateModel(
                    name='Rollup',
                    fields=[
                        ('pk', models.CompositePrimaryKey('account_id', 'at', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('account_id', models.UUIDField()),
                        ('cluster', models.BigIntegerField()),
                        ('debit_minor', models.DecimalField(decimal_places=0, max_digits=40)),
                        ('credit_minor', models.DecimalField(decimal_places=0, max_digits=40)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['-at'],
                    },
                ),
                migrations.CreateModel(
                    name='Transfer',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('player_id', models.UUIDField()),
                        ('version', models.BigIntegerField()),
                        ('debit_account_id', models.UUIDField()),
                        ('credit_account_id', models.UUIDField()),
                        ('amount_minor', models.BigIntegerField()),
                        ('currency', models.CharField(max_length=3)),
                        ('code', models.TextField()),
                        ('round_id', models.UUIDField(null=True)),
                        ('actor', models.TextField()),
                        ('at', models.DateTimeField()),
                        ('balance_after_minor', models.BigIntegerField()),
                        ('reference', models.TextField(null=True)),
                        ('request_key', models.TextField(null=True)),
                    ],
                    options={
                        'ordering': ['-version'],
                        'constraints': [models.UniqueConstraint(fields=('player_id', 'version'), name='wallets_transfer_version')],
                    },
                ),
            ],
        ),
    ]
