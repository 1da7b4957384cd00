"""Is the service alive, and may traffic come? For load balancers and people."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def live(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    return JsonResponse({"status": "live"})


def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database answers, how long its log has room, and whether it is sealed."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT audit_months_ahead(), audit_waiting_s()")
            months_ahead, waiting_s = cursor.fetchone()
    except DatabaseError:
        connection.close()
        return JsonResponse({"status": "unavailable", "database": "unreachable"}, status=503)
    log = {"log_months_ahead": months_ahead, "log_waiting_s": waiting_s}
    return JsonResponse({"status": "ready", "database": "ready"} | log)
