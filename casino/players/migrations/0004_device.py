from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0003_reality_check")]
    operations = [
        migrations.AddField(
            model_name="playsession",
            name="device",
            field=models.CharField(blank=True, db_default="", max_length=300),
        ),
    ]
