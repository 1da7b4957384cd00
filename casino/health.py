"""Is the service alive, and may traffic come? For load balancers and people."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def live(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    return JsonResponse({"status": "live"})


def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database answers and its log has room for this month and the next."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT audit_months_ahead()")
            months_ahead = cursor.fetchone()[0]
    except DatabaseError:
        connection.close()
        return JsonResponse({"status": "unavailable", "database": "unreachable"}, status=503)
    return JsonResponse({"status": "ready", "database": "ready", "log_months_ahead": months_ahead})
