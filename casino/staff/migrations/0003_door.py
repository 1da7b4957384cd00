"""The second factor, sessions, and role changes that take two persons."""

import django.db.models.deletion
import uuid
from pathlib import Path

from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / 'sql' / 'roles.sql'


class Migration(migrations.Migration):

    dependencies = [
        ('staff', '0002_role'),
    ]

    operations = [
        migrations.CreateModel(
            name='Device',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to=settings.AUTH_USER_MODEL)),
                ('secret', models.TextField(editable=False)),
                ('made_at', models.DateTimeField(editable=False)),
                ('confirmed_at', models.DateTimeField(editable=False, null=True)),
                ('last_step', models.BigIntegerField(default=0, editable=False)),
            ],
        ),
        migrations.RenameField(
            model_name='staffuser', old_name='last_login', new_name='last_access_at'
        ),
        migrations.AlterField(
            model_name='staffuser',
            name='last_access_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='linked_by',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='reset_by',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
        ),
        migrations.AddConstraint(
            model_name='staffuser',
            constraint=models.CheckConstraint(
                condition=models.Q(('linked_by', ''), models.Q(('linked_by', models.F('reset_by')), _negated=True), _connector='OR'),
                name='staff_helped_by_two',
            ),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='last_address',
            field=models.CharField(blank=True, default='', editable=False, max_length=45),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='link_hash',
            field=models.BinaryField(null=True, unique=True),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='link_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='staffuser',
            name='password_changed_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.BinaryField(unique=True)),
                ('used_at', models.DateTimeField(editable=False, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RoleChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('support', 'support'), ('floor', 'floor'), ('compliance', 'compliance'), ('engineer', 'engineer'), ('auditor', 'auditor')], editable=False, max_length=16)),
                ('reason', models.CharField(editable=False, max_length=500)),
                ('asked_at', models.DateTimeField(editable=False)),
                ('decided_at', models.DateTimeField(editable=False, null=True)),
                ('outcome', models.CharField(blank=True, default='', editable=False, max_length=9)),
                ('asked_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='role_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['support', 'floor', 'compliance', 'engineer', 'auditor'])), name='staff_change_role_known'), models.CheckConstraint(condition=models.Q(('asked_by', models.F('user')), _negated=True), name='staff_change_not_asked_for_oneself'), models.CheckConstraint(condition=models.Q(('decided_by', None), models.Q(models.Q(('decided_by', models.F('asked_by')), _negated=True), models.Q(('decided_by', models.F('user')), _negated=True)), _connector='OR'), name='staff_change_decided_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('outcome', '')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('outcome__in', ['confirmed', 'refused'])), _connector='OR'), name='staff_change_is_decided_whole'), models.UniqueConstraint(condition=models.Q(('outcome', '')), fields=('user',), name='staff_change_one_waits')],
            },
        ),
        migrations.CreateModel(
            name='StaffSession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('opened_at', models.DateTimeField(editable=False)),
                ('verified_at', models.DateTimeField(editable=False, null=True)),
                ('seen_at', models.DateTimeField(editable=False)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('ended_because', models.CharField(blank=True, default='', editable=False, max_length=24)),
                ('address', models.CharField(blank=True, editable=False, max_length=45)),
                ('agent', models.CharField(blank=True, editable=False, max_length=200)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-opened_at'],
                'indexes': [models.Index(fields=['user', '-opened_at'], name='staff_session_of_user')],
            },
        ),
        migrations.RunSQL(SQL.read_text()),
    ]
