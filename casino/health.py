"""Is the service alive, and may traffic come? For load balancers and people."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def live(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    return JsonResponse({"status": "live"})


def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database answers, which alone makes the service ready.

    How many months of partitions the log has ahead, and how long entries have waited to be sealed,
    is reported for people to watch: without either, entries are kept all the same, those of a month
    that has no partition in the default one.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT audit_months_ahead(), audit_waiting_s()")
            months_ahead, waiting_s = cursor.fetchone()
    except DatabaseError:
        connection.close()
        return JsonResponse({"status": "unavailable", "database": "unreachable"}, status=503)
    log = {"log_months_ahead": months_ahead, "log_waiting_s": waiting_s}
    return JsonResponse({"status": "ready", "database": "ready"} | log)
