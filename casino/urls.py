"""The whole URL map, on one page."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerView

from audit import api as audit
from audit.api import webhooks
from casino import health, lobby, metrics, pages
from casino.desk import board, player, receivables, search
from casino.players import api as players
from casino.staff import pages as staff
from pontoon import admin as panel
from pontoon import api as pontoon
from pontoon.api import faults, reports, rules, verifications
from wallets import api as wallets

_V1 = [
    # The operator's: players, their money, their sessions.
    path("players", players.PlayersView.as_view()),
    path("players/<uuid:player_id>", players.PlayerView.as_view()),
    path("players/<uuid:player_id>/deposits", wallets.DepositsView.as_view()),
    path("players/<uuid:player_id>/withdrawals", wallets.WithdrawalsView.as_view()),
    path("players/<uuid:player_id>/statement", wallets.PlayerStatementView.as_view()),
    path("players/<uuid:player_id>/limits/<slug:kind>", wallets.PlayerLimitsView.as_view()),
    path("players/<uuid:player_id>/sessions", players.SessionsView.as_view()),
    path("players/<uuid:player_id>/exclusions", players.PlayerExclusionsView.as_view()),
    path("players/<uuid:player_id>/rounds", pontoon.PlayerRoundsView.as_view()),
    path("sessions/<uuid:session_id>", players.SessionView.as_view()),
    path("verifications", verifications.VerificationsView.as_view()),
    path("verifications/<uuid:verification_id>", verifications.VerificationView.as_view()),
    path("reports/<slug:name>", reports.ReportView.as_view()),
    path("suspensions", faults.SuspensionsView.as_view()),
    path("malfunctions", faults.MalfunctionsView.as_view()),
    path("malfunctions/<uuid:malfunction_id>", faults.MalfunctionView.as_view()),
    path("malfunctions/<uuid:malfunction_id>/rounds", faults.MalfunctionRoundsView.as_view()),
    path("exports", audit.ExportsView.as_view()),
    path("exports/<uuid:export_id>", audit.ExportView.as_view()),
    path("exports/<uuid:export_id>/download", audit.ExportDownloadView.as_view()),
    path("webhooks", webhooks.WebhooksView.as_view()),
    path("webhooks/<uuid:webhook_id>", webhooks.WebhookView.as_view()),
    path("webhooks/<uuid:webhook_id>/secret", webhooks.WebhookSecretView.as_view()),
    path("webhooks/<uuid:webhook_id>/state", webhooks.WebhookStateView.as_view()),
    path("webhooks/<uuid:webhook_id>/deliveries", webhooks.WebhookDeliveriesView.as_view()),
    path("webhooks/<uuid:webhook_id>/replay", webhooks.WebhookReplayView.as_view()),
    # The player's.
    path("me", pontoon.MeView.as_view()),
    path("me/notices/<uuid:notice_id>/read", faults.NoticeView.as_view()),
    path("me/statement", wallets.MyStatementView.as_view()),
    path("me/limits/<slug:kind>", wallets.MyLimitsView.as_view()),
    path("me/exclusions", players.MyExclusionsView.as_view()),
    path("me/reality-check", players.RealityCheckView.as_view()),
    path("me/reality-check/ack", players.RealityCheckSeenView.as_view()),
    path("sessions/current", players.CurrentSessionView.as_view()),
    path("rounds", pontoon.RoundsView.as_view()),
    path("rounds/current", pontoon.CurrentRoundView.as_view()),
    path("rounds/<uuid:round_id>", pontoon.RoundView.as_view()),
    path("rounds/<uuid:round_id>/actions", pontoon.ActionsView.as_view()),
    path("rounds/<uuid:round_id>/advice", pontoon.AdviceView.as_view()),
    path("rounds/<uuid:round_id>/proof", pontoon.ProofView.as_view()),
    # Everybody's.
    path("log/inclusion", audit.InclusionView.as_view()),
    path("log/consistency", audit.ConsistencyView.as_view()),
    path("rules/<slug:game>/<int:version>", rules.RulesView.as_view()),
    path("rules/<slug:game>/<int:version>/strategy", rules.StrategyView.as_view()),
    path("currencies", players.CurrenciesView.as_view()),
    path("schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("docs/problems", pages.problems),
    path("docs", SpectacularSwaggerView.as_view(url_name="schema")),
]

urlpatterns = [
    path("", lobby.front, name="lobby"),
    path("api/v1/", include(_V1)),
    path("language", set_language, name="set_language"),
    path("table", pages.table, name="table"),
    path("log/checkpoint", audit.CheckpointView.as_view()),
    path("log/checkpoint/<int:size>", audit.PastCheckpointView.as_view()),
    path("log/checkpoint/<int:size>/timestamp", audit.TimestampView.as_view()),
    path("log/keys", audit.KeysView.as_view()),
    path("log/tile/entries/<path:path>", audit.BundleView.as_view()),
    path("log/tile/<path:path>", audit.TileView.as_view()),
    path("metrics", metrics.metrics),
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("panel/live", board.live, name="panel_live"),
    path("panel/search", search.search, name="panel_search"),
    path("panel/receivables", receivables.receivables, name="panel_receivables"),
    path("panel/players/player/<uuid:player_id>/change/", player.player),
    path(
        "panel/players/player/<uuid:player_id>/do/<slug:deed>/", player.act, name="panel_player_do"
    ),
    path("panel/reports/<slug:name>/", panel.report, name="report"),
    path("panel/login/", staff.log_in),
    path("panel/logout/", staff.log_out),
    path("panel/second/", staff.second_step, name="staff_second"),
    path("panel/welcome/<str:token>/", staff.welcome, name="staff_welcome"),
    path("panel/password_change/", staff.change_password),
    path("panel/account/", staff.account, name="staff_account"),
    path("panel/account/sessions/<uuid:session_id>/end/", staff.end_session, name="staff_end"),
    path("panel/", admin.site.urls),
]

handler400 = "casino.problems.bad_request"
handler403 = "casino.staff.pages.refused"
handler404 = "casino.problems.not_found"
handler500 = "casino.problems.server_error"
