from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql" / "reality.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0002_door'),
    ]

    operations = [
        migrations.CreateModel(
            name='RealityCheck',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('player_id', models.UUIDField()),
                ('every_min', models.SmallIntegerField(null=True)),
                ('set_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-set_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='playsession',
            name='check_every_min',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='playsession',
            name='checked_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name='playsession',
            constraint=models.CheckConstraint(condition=models.Q(('check_every_min', None), ('check_every_min__range', (5, 240)), _connector='OR'), name='players_session_check_in_range'),
        ),
        migrations.AddIndex(
            model_name='realitycheck',
            index=models.Index(fields=['player_id', '-set_at'], name='players_realitycheck_player'),
        ),
        migrations.AddConstraint(
            model_name='realitycheck',
            constraint=models.CheckConstraint(condition=models.Q(('every_min', None), ('every_min__range', (5, 240)), _connector='OR'), name='players_realitycheck_in_range'),
        ),
        migrations.RunSQL(SQL.read_text()),
    ]
