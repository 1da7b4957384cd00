"""Roles take the place of the superuser flag, groups and permissions."""

from django.db import migrations, models


def give_roles(apps, schema_editor):
    """Let who might do all go on as an engineer, and everybody else look and change nothing."""
    users = apps.get_model("staff", "StaffUser").objects.using(schema_editor.connection.alias)
    users.filter(is_superuser=True).update(role="engineer")
    users.filter(is_superuser=False).update(role="compliance")


class Migration(migrations.Migration):
    dependencies = [("staff", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="staffuser",
            name="role",
            field=models.CharField(
                blank=True,
                choices=[
                    ("support", "support"),
                    ("floor", "floor"),
                    ("compliance", "compliance"),
                    ("engineer", "engineer"),
                    ("auditor", "auditor"),
                ],
                default="",
                editable=False,
                max_length=16,
            ),
        ),
        migrations.RunPython(give_roles, migrations.RunPython.noop),
        migrations.RemoveField(model_name="staffuser", name="groups"),
        migrations.RemoveField(model_name="staffuser", name="is_superuser"),
        migrations.RemoveField(model_name="staffuser", name="user_permissions"),
        migrations.AddConstraint(
            model_name="staffuser",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("role__in", ["", "support", "floor", "compliance", "engineer", "auditor"])
                ),
                name="staff_role_known",
            ),
        ),
    ]
