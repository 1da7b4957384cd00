"""What a page may load and run: the Content-Security-Policy of each part of the site."""

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

PANEL = "/panel/"


class Policies(CSPMiddleware):
    """The panel has a policy of its own; elsewhere a view says what it needs, or the settings."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return what the header of an answer is made of."""
        parts: PolicyParts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(PANEL) and not report_only and parts.config is None:
            parts.config = settings.PANEL_POLICY
        return parts
