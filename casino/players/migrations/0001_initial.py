import django.contrib.postgres.fields
import django.db.models.lookups
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("prefix", models.CharField(max_length=12)),
                ("token_hash", models.BinaryField(unique=True)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=32), size=None
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            models.Func(
                                "token_hash",
                                function="octet_length",
                                output_field=models.IntegerField(),
                            ),
                            32,
                        ),
                        name="players_apikey_hash_is_sha256",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__gt", ""), ("scopes__len__gt", 0)),
                        name="players_apikey_has_name_and_scopes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("revoked_at", None),
                            ("revoked_at__gte", models.F("created_at")),
                            _connector="OR",
                        ),
                        name="players_apikey_revoked_after_created",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("player_id", models.UUIDField()),
                ("kind", models.CharField(max_length=16)),
                ("requested_at", models.DateTimeField()),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ["-requested_at"],
                "indexes": [
                    models.Index(
                        fields=["player_id"],
                        include=("kind", "starts_at", "ends_at"),
                        name="players_exclusion_player",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", "self_exclusion"),
                            models.Q(("ends_at__isnull", False), ("kind", "cooling_off")),
                            _connector="OR",
                        ),
                        name="players_exclusion_kind_and_end",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_at", None),
                            ("ends_at__gt", models.F("starts_at")),
                            _connector="OR",
                        ),
                        name="players_exclusion_ends_after_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("starts_at__gte", models.F("requested_at")), ("by__gt", "")
                        ),
                        name="players_exclusion_is_asked_for",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("external_id", models.CharField(max_length=64, unique=True)),
                ("currency", models.CharField(max_length=3)),
                ("country", models.CharField(max_length=2)),
                ("language", models.CharField(max_length=2)),
                ("is_test", models.BooleanField()),
                ("registered_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("external_id__gt", "")),
                        name="players_player_has_external_id",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency__regex", "^[A-Z]{3}$")),
                        name="players_player_currency_is_iso",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("country__regex", "^[A-Z]{2}$")),
                        name="players_player_country_is_iso",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ("en", "es", "pt", "sv"))),
                        name="players_player_language_is_ours",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlaySession",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("player_id", models.UUIDField()),
                ("token_hash", models.BinaryField(unique=True)),
                ("language", models.CharField(max_length=2)),
                ("profile", models.CharField(max_length=32)),
                ("lobby_url", models.CharField(blank=True, max_length=2000)),
                ("address", models.GenericIPAddressField(null=True)),
                ("opened_at", models.DateTimeField()),
                ("last_seen_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_because", models.CharField(blank=True, max_length=8)),
            ],
            options={
                "ordering": ["-opened_at"],
                "indexes": [
                    models.Index(fields=["player_id", "opened_at"], name="players_session_player")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None)),
                        fields=("player_id",),
                        name="players_session_one_open",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            models.Func(
                                "token_hash",
                                function="octet_length",
                                output_field=models.IntegerField(),
                            ),
                            32,
                        ),
                        name="players_session_hash_is_sha256",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ("en", "es", "pt", "sv"))),
                        name="players_session_language_is_ours",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at", None), ("closed_because", "")),
                            models.Q(
                                ("closed_at__gte", models.F("opened_at")),
                                ("closed_at__isnull", False),
                                ("closed_because__in", ["closed", "replaced", "expired"]),
                            ),
                            _connector="OR",
                        ),
                        name="players_session_closed_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last_seen_at__gte", models.F("opened_at"))),
                        name="players_session_seen_after_opened",
                    ),
                ],
            },
        ),
    ]
